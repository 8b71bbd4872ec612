#include "protocol/target.h"

#include <algorithm>
#include <array>
#include <utility>

namespace arbiter::protocol {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Target::kCount)> kNames = {
    "system_start",   "before_character", "character", "after_character",
    "system_end",     "examples_start",   "examples",  "examples_end",
    "before_history", "history",          "depth",     "after_history"};

constexpr auto kAliases = std::to_array<std::pair<std::string_view, Target>>({
    {"system_instruction", Target::kSystemEnd},
    {"system", Target::kSystemEnd},
    {"extension", Target::kSystemEnd},
    {"post_history", Target::kAfterHistory},
    {"floating", Target::kDepth},
    {"at_depth", Target::kDepth},
    {"before_char", Target::kBeforeCharacter},
    {"after_char", Target::kAfterCharacter},
    {"few_shot", Target::kExamples},
});

}  // namespace

std::string_view name(Target target) noexcept {
    return kNames[static_cast<std::size_t>(target)];
}

std::string_view injection_name(Target target) noexcept {
    return target == Target::kDepth ? "floating" : name(target);
}

std::optional<Target> find_target(std::string_view word) noexcept {
    for (const auto& [alias, target] : kAliases) {
        if (alias == word) {
            return target;
        }
    }
    const auto found = std::ranges::find(kNames, word);
    return found != kNames.end() ? std::optional(static_cast<Target>(found - kNames.begin()))
                                 : std::nullopt;
}

}  // namespace arbiter::protocol
