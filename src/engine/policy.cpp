#include "engine/policy.h"

namespace arbiter::engine {

std::string_view name(Actor actor) noexcept {
    switch (actor) {
        case Actor::kModel:
            return "AI";
        case Actor::kPlayer:
            return "user";
        case Actor::kSystem:
            return "system";
    }
    return "";
}

std::string_view name(OnConflict choice) noexcept {
    switch (choice) {
        case OnConflict::kError:
            return "error";
        case OnConflict::kIgnore:
            return "ignore";
        case OnConflict::kReplace:
            return "replace";
        case OnConflict::kMerge:
            return "merge";
    }
    return "";
}

}  // namespace arbiter::engine
