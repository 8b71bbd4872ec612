#include "server/turn_answer.h"

#include "campaign/attempt_json.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::server {

using value::Array;
using value::Object;
using value::Value;

namespace {

Value text(std::string_view of) {
    return of;
}

std::string_view kind_of(turn::Action::Kind kind) {
    switch (kind) {
        case turn::Action::Kind::kExpire:
            return "expire";
        case turn::Action::Kind::kCommand:
            return "command";
        case turn::Action::Kind::kTool:
            return "tool";
        case turn::Action::Kind::kRule:
            return "rules";
    }
    return "";
}

Array actions_of(const turn::Attempt& attempt) {
    Array actions;
    for (const turn::Action& each : attempt.actions) {
        Object action = {{"kind", text(kind_of(each.kind))}};
        for (const auto& [key, value] : each.about) {
            action = std::move(action).set(key, value);
        }
        actions = std::move(actions).push_back(std::move(action));
    }
    return actions;
}

// The document that the attempt was judged on.
Value document_before(const turn::Attempt& attempt) {
    Value document = attempt.candidate().document;
    for (auto action = attempt.actions.rbegin(); action != attempt.actions.rend(); ++action) {
        auto before = value::apply_diff(value::invert(action->changes), document);
        if (!before) {
            break;
        }
        document = *std::move(before);
    }
    return document;
}

}  // namespace

table::PlayerValue turn_answer(const campaign::Session& session, turn::TurnResult result,
                               table::Viewer viewer) {
    // Also hides what was hidden before the turn, or would be after one that was not committed.
    const table::Redactor redactor = session.redactor(viewer).during(
        document_before(result.attempt), result.attempt.candidate().document);
    campaign::mask_hidden_values(result.attempt, redactor);
    Object answer;
    if (!result.id.empty()) {
        answer = std::move(answer).set("turn", text(result.id));
    }
    const bool has_attempt = result.attempts > 0 || result.status == turn::Status::kCommitted;
    answer =
        std::move(answer)
            .set("status", text(name(result.status)))
            .set("shown", text(result.shown.str()))
            .set("results", has_attempt ? campaign::explained_results_json(
                                              result.attempt, session.registries()->tools)
                                        : Array())
            .set("actions", has_attempt ? redactor.records(Value(actions_of(result.attempt))).get()
                                        : Value(Array()));
    if (!result.notice.empty()) {
        answer = std::move(answer).set("notice", text(result.notice.str()));
    }
    if (!result.report.is_null()) {
        answer = std::move(answer).set("report", redactor.records(result.report).get());
    }
    answer =
        std::move(answer)
            .set("usage", Object{{"tokens", result.usage.tokens}, {"calls", result.usage.calls}})
            .set("attempts", result.attempts);
    if (result.already_stored) {
        answer = std::move(answer).set("already_stored", true);
    }
    return redactor.value(Value(answer));
}

}  // namespace arbiter::server
