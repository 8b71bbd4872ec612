#include "turn/accepted_claims.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "table/layout.h"

namespace arbiter::turn {

using conflict::Finding;
using conflict::Type;
using table::CharacterChange;

namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
    std::int64_t number = 0;
    const std::size_t sign = text.starts_with('+') ? 1 : 0;
    const auto [end, error] =
        std::from_chars(text.data() + sign, text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                    : std::nullopt;
}

// "-6" and "+5" are changes, "12", "12/40" and "full" are values; other fractions are too vague.
std::optional<std::int64_t> hp_after(std::string_view claimed, const value::Value* character) {
    const auto present = table::hp_of(character);
    if (!present) {
        return std::nullopt;
    }
    if (claimed == "full") {
        return present->max;
    }
    const std::size_t slash = claimed.find('/');
    if (slash != std::string_view::npos && number_of(claimed.substr(slash + 1)) != present->max) {
        return std::nullopt;
    }
    const auto number = number_of(claimed.substr(0, slash));
    const bool is_change = claimed.starts_with('+') || claimed.starts_with('-');
    if (!number || (is_change && slash != std::string_view::npos)) {
        return std::nullopt;
    }
    return is_change ? present->current + *number : *number;
}

bool is_state(std::string_view word) {
    namespace alive = table::alive;
    return word == alive::kAlive || word == alive::kDowned || word == alive::kUnconscious ||
           word == alive::kRestrained || word == alive::kDead;
}

std::optional<CharacterChange> change_of(const Finding& finding, const value::Value& document) {
    CharacterChange change{finding.target};
    const value::Value* character = table::find_character(document, finding.target);
    if (character == nullptr || finding.found.empty()) {
        return std::nullopt;
    }
    switch (finding.type) {
        case Type::kHp:
            change.hp = hp_after(finding.found, character);
            return change.hp ? std::optional(std::move(change)) : std::nullopt;
        case Type::kPosition:
            change.area = finding.found;
            return table::find_area(document, finding.found) != nullptr
                       ? std::optional(std::move(change))
                       : std::nullopt;
        case Type::kAliveState:
            change.alive_state = finding.found;
            return is_state(finding.found) ? std::optional(std::move(change)) : std::nullopt;
        case Type::kRules:
        case Type::kMap:
        case Type::kCharacterSheet:
        case Type::kInventory:
        case Type::kOther:
            return std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<CharacterChange>> accepted_changes(std::span<const Finding> findings,
                                                             const value::Value& document) {
    std::vector<CharacterChange> changes;
    for (const Finding& finding : findings) {
        auto change = change_of(finding, document);
        if (!change) {
            return std::nullopt;
        }
        changes.push_back(*std::move(change));
    }
    return changes.empty() ? std::nullopt : std::optional(std::move(changes));
}

}  // namespace arbiter::turn
