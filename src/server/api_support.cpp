#include "server/api_support.h"

#include "ledger/record.h"
#include "value/array.h"

namespace arbiter::server {

using value::Array;
using value::Object;
using value::Value;

std::string_view actor_word(engine::Actor actor) noexcept {
    return actor == engine::Actor::kModel ? "ai" : name(actor);
}

base::Result<> check_if_match(const campaign::Session& session, const ApiCall& call) {
    const std::string* wanted = call.headers.find("if-match");
    if (wanted == nullptr) {
        return {};
    }
    // A request that is repeated finds the state that it made itself.
    const ledger::Campaign campaign = session.campaign();
    if (const auto key = call.idempotency_key()) {
        const auto stored = campaign.store().turn_of_key(campaign.row().id, *key);
        if (stored && *stored) {
            return {};
        }
    }
    const std::string hash = ledger::hash_of(campaign.state());
    return names_hash(*wanted, hash) ? base::Result<>()
                                     : base::fail(base::ErrorCode::kStateChanged, {*wanted, hash});
}

Object head_json(const ledger::Campaign& campaign) {
    return {{"head", text_value(campaign.head().hex())},
            {"number", campaign.story_number()},
            {"hash", text_value(ledger::hash_of(campaign.state()))}};
}

net::Response head_response(const campaign::Session& session, const ApiCall& call,
                            const Object& more, int status) {
    Object body = head_json(session.campaign());
    for (const auto& [key, value] : more) {
        body = std::move(body).set(key, value);
    }
    return json_response(status, session.redactor(call.viewer()).value(Value(body)));
}

Array mistakes_json(const config::FileDiagnostics& diagnostics) {
    Array mistakes;
    for (const base::Error& each : diagnostics.errors) {
        Object mistake = error_value(each);
        if (each.place) {
            mistake = std::move(mistake)
                          .set("line", static_cast<std::int64_t>(each.place->line))
                          .set("column", static_cast<std::int64_t>(each.place->column));
        }
        mistakes = std::move(mistakes).push_back(std::move(mistake));
    }
    return mistakes;
}

net::Response diagnostics_response(const config::FileDiagnostics& diagnostics) {
    return error_response(diagnostics.errors[0], {{"about", text_value(diagnostics.file)},
                                                  {"mistakes", mistakes_json(diagnostics)}});
}

Array changes_json(const value::Diff& changes, const table::Redactor& redactor) {
    Array list;
    for (const value::Change& written : changes) {
        const value::Change change = redactor.change(written);
        Object row = {
            {"path", text_value(value::print_path(change.path, value::PathSyntax::kPointer))}};
        if (change.kind != value::Change::Kind::kAdd) {
            row = std::move(row).set("before", change.before);
        }
        if (change.kind != value::Change::Kind::kRemove) {
            row = std::move(row).set("after", change.after);
        }
        list = std::move(list).push_back(std::move(row));
    }
    return list;
}

}  // namespace arbiter::server
