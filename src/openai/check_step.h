// CheckStep: one thing that was checked, and what to do about it.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/text.h"

namespace arbiter::openai {

struct CheckStep {
    enum class Outcome : std::uint8_t { kPassed, kWarned, kFailed };
    std::string_view name;  // a word that programs rely on: "models", "store"
    Outcome outcome = Outcome::kPassed;
    base::Text said;         // what was found
    base::Text advice = {};  // what to try; empty: nothing
};
constexpr std::string_view name(CheckStep::Outcome outcome) noexcept {
    switch (outcome) {
        case CheckStep::Outcome::kPassed:
            return "passed";
        case CheckStep::Outcome::kWarned:
            return "warned";
        case CheckStep::Outcome::kFailed:
            return "failed";
    }
    return "";
}

}  // namespace arbiter::openai
