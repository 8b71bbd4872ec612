// Proposals on a state under a policy and rulebooks, judged as every turn is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/describe.h"
#include "turn/turn.h"

namespace arbiter::tests {

inline turn::Rules rules_of(engine::Policy policy, turn::Books books = {},
                            const value::Value& document = value::Object()) {
    turn::BaseRules base;
    base.profile.policy = std::move(policy);
    base.books = std::move(books);
    return turn::make_rules(std::move(base), protocol::Resolved(), document).value();
}

inline reader::Reading reading_of(std::span<const proposal::Proposal> proposals,
                                  std::string_view said = "") {
    reader::Reading reading;
    reading.text = said;
    reading.proposals.assign(proposals.begin(), proposals.end());
    return reading;
}

inline turn::Attempt judge(const engine::State& before,
                           std::span<const proposal::Proposal> proposals, std::string_view said,
                           const turn::Rules& rules, const engine::Context& context = {},
                           rules::Memories* memories = nullptr) {
    const turn::Begun begun =
        turn::begin_recorded(before, std::make_shared<const turn::Rules>(rules), {}, context);
    return turn::judge(begun, reading_of(proposals, said), memories);
}

// The audit records of a turn, oldest first: each action once, in the order of the actions.
inline std::vector<value::Value> audit_of(const turn::Attempt& attempt,
                                          const engine::Context& context) {
    const std::size_t expired = attempt.outcome.expired.size();
    const std::vector<value::Value> all =
        engine::audit_records(attempt.reading.proposals, attempt.outcome, context);
    std::vector<value::Value> records;
    for (const turn::Action& action : attempt.actions) {
        switch (action.kind) {
            case turn::Action::Kind::kExpire:
                records.push_back(all[action.source]);
                break;
            case turn::Action::Kind::kCommand:
            case turn::Action::Kind::kTool:
                records.push_back(all[expired + action.source]);
                break;
            case turn::Action::Kind::kRule:
                records.push_back(
                    rules::audit_record(attempt.effects[action.source], action.source, context));
                break;
        }
    }
    return records;
}

}  // namespace arbiter::tests
