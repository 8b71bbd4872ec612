#include "turn/turn_result.h"

namespace arbiter::turn {

std::string_view name(Status status) noexcept {
    switch (status) {
        case Status::kCommitted:
            return "committed";
        case Status::kReported:
            return "reported";
        case Status::kCancelled:
            return "cancelled";
        case Status::kBlocked:
            return "blocked";
        case Status::kOverSpent:
            return "over_spent";
        case Status::kFailed:
            return "failed";
    }
    return "";
}

}  // namespace arbiter::turn
