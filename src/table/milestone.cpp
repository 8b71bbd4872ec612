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

std::string acceleration(const Value& document, Language language) {
    const Value* value = find_in_campaign(document, {"milestone", "value"});
    if (value == nullptr || !value->is_number() || value->as_double() <= 0) {
        return {};
    }
    const bool chinese = language == Language::kChinese;
    // Refers to the goal without quoting it: the goal has its own block.
    return chinese
               ? "【加速推进】故事已越过一个里程碑：提高紧迫感，让线索更密集，"
                 "把玩家引向终极目标。这不改变权限：生命、位置、规则等仍须通过工具调用请求结算。"
               : "[Press on] The story has passed a milestone: raise the urgency, let clues "
                 "come closer together, and steer the player towards the ultimate goal. This "
                 "permits nothing new: hit points, positions and rules still change only "
                 "through tool calls.";
}

}  // namespace arbiter::table
