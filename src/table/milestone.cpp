#include "table/milestone.h"

#include <algorithm>

#include "base/limits.h"
#include "table/layout.h"
#include "table/settings.h"

namespace arbiter::table {

using base::Language;
using value::Object;
using value::Value;

AdvancePolicy advance_policy(const Value& document, const Object& settings) {
    const Value* own = find_in_campaign(document, {"milestone", "advance_policy"});
    const Value* type = value::find_member(own, "type");
    AdvancePolicy policy;
    std::string_view word = word_in(settings, "milestone.policy");
    policy.threshold = number_in(settings, "milestone.threshold");
    if (type != nullptr) {
        word = type->is_string() ? type->as_string() : std::string_view();
        policy.threshold =
            int_in(own, "threshold").value_or(int_in(own, "n").value_or(policy.threshold));
    }
    policy.threshold = std::max<std::int64_t>(1, policy.threshold);
    using Type = AdvancePolicy::Type;
    policy.type = word == "by_turn_count"        ? Type::kTurns
                  : word == "by_token_estimate"  ? Type::kTokens
                  : word == "by_summary_version" ? Type::kSummaries
                  : word == "off"                ? Type::kOff
                                                 : Type::kUnknown;
    return policy;
}

Advance advance(const Value& document, const Object& settings, const StoryTurn& turn) {
    const Value* kept = find_in_campaign(document, {"milestone"});
    const AdvancePolicy policy = advance_policy(document, settings);
    Advance made;
    made.milestone = object_or_empty(kept);
    const std::int64_t most = INT64_MAX / 2;
    const std::int64_t total =
        std::clamp<std::int64_t>(int_in(kept, "tokens").value_or(0), 0, most) +
        std::clamp<std::int64_t>(turn.tokens, 0, most);
    const std::int64_t last = int_in(kept, "last_advanced_at_turn").value_or(0);
    switch (policy.type) {
        case AdvancePolicy::Type::kTurns:
            made.advanced = turn.number - last >= policy.threshold;
            break;
        case AdvancePolicy::Type::kTokens:
            made.advanced = total >= policy.threshold;
            break;
        case AdvancePolicy::Type::kSummaries:
            made.advanced = turn.summary_version - int_in(kept, "summary_version").value_or(0) >=
                            policy.threshold;
            break;
        case AdvancePolicy::Type::kOff:
            break;
        case AdvancePolicy::Type::kUnknown:
            made.unknown_policy = true;
            break;
    }
    made.milestone = std::move(made.milestone).set("tokens", made.advanced ? 0 : total);
    if (!made.advanced) {
        return made;
    }
    const Value* value = value::find_member(kept, "value");
    Value next = std::int64_t{1};
    if (value != nullptr && value->is_int()) {
        next = std::min(value->as_int(), most) + 1;
    } else if (value != nullptr && value->is_number()) {
        next = value->as_double() + 1;
    }
    made.milestone = std::move(made.milestone)
                         .set("value", std::move(next))
                         .set("last_advanced_at_turn", turn.number)
                         .set("summary_version", turn.summary_version);
    return made;
}

std::string acceleration(const Value& document, const Object& settings, Language language) {
    const Value* kept = find_in_campaign(document, {"milestone"});
    const Value* value = value::find_member(kept, "value");
    const std::int64_t since =
        turn_number(document) - int_in(kept, "last_advanced_at_turn").value_or(0);
    if (value == nullptr || !value->is_number() || value->as_double() <= 0 || since < 0 ||
        since >= kPacingTurns ||
        advance_policy(document, settings).type == AdvancePolicy::Type::kOff) {
        return {};
    }
    constexpr double kLevelMax = 1e6;
    const auto level = static_cast<std::int64_t>(std::min(value->as_double(), kLevelMax));
    const std::string number = std::to_string(std::max<std::int64_t>(1, level));
    // Refers to the goal without quoting it: the goal has its own block.
    if (language == Language::kChinese) {
        const std::string_view how = level <= 1 ? "提高紧迫感，给出一条指向终极目标的新线索"
                                     : level == 2
                                         ? "让威胁逼近，线索接连出现，每一幕都靠近终极目标"
                                         : "不再铺陈，把局面收束到终极目标之前，让玩家必须抉择";
        return "加速推进（里程碑 " + number + "）：" + std::string(how) +
               "。权限不变：变化仍须提议，由系统结算。";
    }
    const std::string_view how =
        level <= 1   ? "raise the urgency and offer a new clue that points to the ultimate goal"
        : level == 2 ? "let the danger close in and clues follow one another; every scene comes "
                       "nearer to the ultimate goal"
                     : "open nothing new; bring everything before the ultimate goal and force a "
                       "choice";
    return "Press on (milestone " + number + "): " + std::string(how) +
           ". This permits nothing new: changes are still proposed, and the system settles them.";
}

}  // namespace arbiter::table
