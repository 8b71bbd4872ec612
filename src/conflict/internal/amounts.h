// Amounts: claims about hit points and resources, compared with their values and settled changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

// The quantity that a token names.
struct Quantity {
    std::size_t token = 0;
    bool is_hp = true;
    bool is_damage = false;
    std::string resource;  // if not hit points
};

// The quantity that a token names, if any.
std::optional<Quantity> quantity_at(const Context& at, std::size_t i);

struct Fraction {
    std::int64_t part = 1;
    std::int64_t whole = 2;
    bool is_change = false;
    bool is_loss = false;
};

Verdict judge_value(const Context& at, const Quantity& quantity, std::uint32_t who,
                    std::int64_t value, std::optional<std::int64_t> max);
Verdict judge_maximum(const Context& at, const Quantity& quantity, std::uint32_t who,
                      std::int64_t value);
// `is_maximum`: the maximum itself rises or falls.
Verdict judge_delta(const Context& at, const Quantity& quantity, std::uint32_t who,
                    std::int64_t delta, bool is_maximum);
Verdict judge_fraction(const Context& at, const Quantity& quantity, std::uint32_t who,
                       const Fraction& fraction);
Verdict judge_full(const Context& at, const Quantity& quantity, std::uint32_t who);
// A gain or loss without a number.
Verdict judge_direction(const Context& at, const Quantity& quantity, std::uint32_t who,
                        bool is_loss);
// "No loss": contradicted by a settled one.
Verdict judge_unhurt(const Context& at, const Quantity& quantity, std::uint32_t who);

}  // namespace arbiter::conflict::internal
