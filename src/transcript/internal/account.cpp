#include "transcript/internal/account.h"

#include "base/explain.h"
#include "engine/describe.h"
#include "proposal/describe.h"
#include "proposal/operations.h"
#include "value/json.h"
#include "value/object.h"
#include "value/preview.h"

namespace arbiter::transcript::internal {

using reader::Reading;
using value::Object;
using value::Value;

namespace {

std::string dotted(const value::Path& path) {
    return path.empty() ? "." : value::print_path(path, value::PathSyntax::kDotted);
}

std::string describe(const value::Change& change) {
    constexpr std::size_t kBytesMax = 400;
    const auto side = [](bool is_there, const Value& value) {
        return is_there ? value::preview(value, kBytesMax) : std::string("-");
    };
    return dotted(change.path) + ": " +
           side(change.kind != value::Change::Kind::kAdd, change.before) + " → " +
           side(change.kind != value::Change::Kind::kRemove, change.after);
}

// `tool move {"actor_id":"ali"} = {…}`, `command set a.b`, `rule table.close campaign.turn`
std::string describe(const turn::Action& action, const turn::Attempt& attempt) {
    switch (action.kind) {
        case turn::Action::Kind::kExpire:
            return "expire " + dotted(attempt.outcome.expired[action.source].path);
        case turn::Action::Kind::kCommand: {
            const engine::Verdict& verdict = attempt.outcome.verdicts[action.source];
            return "command " + std::string(verdict.op ? proposal::name(*verdict.op) : "") + " " +
                   dotted(verdict.path);
        }
        case turn::Action::Kind::kTool: {
            const auto member = [&](std::string_view key) {
                const Value* found = action.about.find(key);
                return found == nullptr     ? std::string()
                       : found->is_string() ? std::string(found->as_string())
                                            : value::print_json(*found);
            };
            return "tool " + member("tool") + " " + member("args") + " = " + member("result");
        }
        case turn::Action::Kind::kRule: {
            const rules::Effect& effect = attempt.effects[action.source];
            return "rule " + effect.rule + " " + dotted(effect.path);
        }
    }
    return "";
}

}  // namespace

void tell_reading(Account& account, const Reading& reading) {
    account["thinking"] = reading.thinking;
    account["proposals"] = lines(reading.proposals, [](const proposal::Proposal& each) {
        return std::string(name(each.dialect)) + ": " + describe(each);
    });
    account["lost"] = lines(reading.lost, [](const Reading::Lost& each) {
        return each.why + ": " + describe(each.proposal);
    });
    account["components"] = lines(reading.components, [](const proposal::Component& each) {
        return value::print_json(Object{{"tag", std::string_view(each.tag)},
                                        {"content", std::string_view(each.content)},
                                        {"children", each.children}});
    });
    account["notices"] = lines(
        reading.notices, [](const proposal::Notice& each) { return proposal::describe(each); });
}

void tell_attempt(Account& account, const turn::Attempt& attempt) {
    const engine::Outcome& outcome = attempt.outcome;
    account["verdicts"] =
        lines(outcome.verdicts, [](const engine::Verdict& each) { return engine::describe(each); });
    account["events"] = lines(outcome.events, [](const engine::Event& each) {
        return each.name + " " + value::print_json(Value(each.arguments));
    });
    account["expired"] = lines(outcome.expired, [](const engine::Expired& each) {
        return dotted(each.path) + (each.binned ? " → bin" : "");
    });
    account["failed"] = lines(attempt.failed_calls, [](const turn::FailedCall& each) {
        return each.tool + " X " + each.refusal.reason;
    });
    account["conflicts"] = lines(attempt.narration, [](const conflict::Finding& each) {
        return std::string(conflict::name(each.type)) + " " +
               (each.target.empty() ? "-" : each.target) + ": " + each.quote;
    });
    account["actions"] = lines(
        attempt.actions, [&attempt](const turn::Action& each) { return describe(each, attempt); });
    account["rules"] =
        lines(attempt.effects, [](const rules::Effect& each) { return rules::describe(each); });
    account["rules"] += attempt.settled ? "" : "\nstopped";
    account["rules"] += attempt.spent ? "\nsteps spent" : "";
    for (const rules::OversizeRule& each : attempt.oversize) {
        account["rules"] += "\n" + each.rule + " X too_large";
    }
}

std::string status_of(const turn::TurnResult& result) {
    std::string status(turn::name(result.status));
    if (result.error) {
        status += ": " + base::explain(*result.error, base::Language::kEnglish);
    }
    if (result.attempts > 1) {
        status += " (" + std::to_string(result.attempts) + " attempts)";
    }
    return status;
}

std::string print_changes(const value::Diff& changes) {
    return lines(changes, [](const value::Change& change) { return describe(change); });
}

}  // namespace arbiter::transcript::internal
