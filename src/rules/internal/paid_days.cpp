#include "rules/internal/paid_days.h"

#include <algorithm>

#include "base/limits.h"

namespace arbiter::rules::internal {

using value::Object;
using value::Value;

namespace {

constexpr std::string_view kBehind = "behind";
constexpr std::string_view kRestated = "restated";

std::int64_t days_in(const Value* value) {
    return value != nullptr && value->is_int()
               ? std::clamp<std::int64_t>(value->as_int(), 0, base::kCalendarDayMax)
               : 0;
}

}  // namespace

PaidDays::PaidDays(ReactionContext& context)
    : context_(context),
      behind_(days_in(context.memory.find(kBehind))),
      restated_(context.recalled(kRestated)) {}

// A place that the last step has reached is as far as the date.
void PaidDays::settle() {
    Object kept;
    for (const auto& [key, days] : restated_) {
        if (const std::int64_t own = std::min(days_in(&days), behind_); own > 0) {
            kept = std::move(kept).set(key, own);
        }
    }
    restated_ = std::move(kept);
}

void PaidDays::step(std::int64_t days) {
    settle();
    const std::int64_t behind = behind_ - days;
    fresh_ = std::max<std::int64_t>(-behind, 0);
    behind_ = std::max<std::int64_t>(behind, 0);
}

void PaidDays::reset() {
    behind_ = 0;
    fresh_ = 0;
    restated_ = Object();
}

std::int64_t PaidDays::due(const value::Path& place) const {
    const Value* own = restated_.empty() ? nullptr : restated_.find(printed(place));
    return std::max<std::int64_t>(days_in(own) - behind_, 0) + fresh_;
}

void PaidDays::restate(const value::Path& place) {
    restated_ = std::move(restated_).set(value::Str(printed(place)), behind_);
}

void PaidDays::save() {
    settle();
    if (behind_ > 0) {
        context_.remember(kBehind, behind_);
    } else {
        context_.forget(kBehind);
    }
    if (restated_.empty()) {
        context_.forget(kRestated);
    } else {
        context_.remember(kRestated, restated_);
    }
}

}  // namespace arbiter::rules::internal
