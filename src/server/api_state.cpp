#include "server/api_state.h"

#include "campaign/attempt_json.h"
#include "campaign/dry_run.h"
#include "campaign/redaction.h"
#include "campaign/registry_json.h"
#include "ledger/history.h"
#include "ledger/record.h"
#include "prompt/explain.h"
#include "proposal/canonical.h"
#include "server/api_support.h"
#include "server/turn_answer.h"
#include "table/registries.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/split.h"
#include "value/array.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

// ---- state

net::Response get_state(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const ledger::Campaign campaign = (*session)->campaign();
    ledger::TurnId turn = campaign.head();
    engine::State state = campaign.state();
    if (call.asks("turn")) {
        const auto found = campaign.find(call.asked("turn"));
        auto then = found ? campaign.state_at(*found) : std::unexpected(found.error());
        if (!then) {
            return error_response(then.error());
        }
        turn = *found;
        state = *std::move(then);
    }
    const std::string hash = ledger::hash_of(state);
    const std::string tag = "\"" + hash + "\"";
    const std::string* known = call.headers.find("if-none-match");
    if (known != nullptr && names_hash(*known, hash)) {
        net::Response unchanged;
        unchanged.status = 304;
        unchanged.headers.set("ETag", tag);
        return unchanged;
    }
    const table::Redactor redactor =
        (*session)->redactor(call.viewer()).during(state.document, state.document);
    Object body = {{"turn", text_value(turn.hex())}, {"hash", text_value(hash)}};
    if (call.asks("path")) {
        const auto path = value::parse_any_path(call.asked("path"));
        if (!path) {
            return error_response(path.error());
        }
        const Value* found = value::find(state.document, *path);
        if (found == nullptr) {
            return error_response(
                base::Error(ErrorCode::kNotFound, {std::string(call.asked("path"))}));
        }
        body = std::move(body).set("value", redactor.value_at(*path, *found).get());
    } else {
        body = std::move(body).set("document", redactor.value(state.document).get());
    }
    net::Response response = json_response(200, redactor.value(Value(body)));
    response.headers.set("ETag", tag);
    response.headers.set("Cache-Control", "private, no-cache");
    response.headers.set("Vary", "Authorization");
    return response;
}

// ---- propose

// Every line of a notice is one of its own.
Array lines_of(const table::PlayerText& notice) {
    Array lines;
    for (const std::string_view line : text::split(notice.str(), "\n")) {
        lines = std::move(lines).push_back(line);
    }
    return lines;
}

net::Response answer_proposal(const campaign::Session& session, const ApiCall& call,
                              turn::TurnResult result, const Value& before) {
    const ledger::Campaign campaign = session.campaign();
    const auto id = ledger::Digest::from_hex(result.id);
    const bool is_stored = id && !call.flag("dry_run");
    const Value& after = result.attempt.candidate().document;
    const table::Redactor redactor = is_stored && result.already_stored
                                         ? campaign::redactor_during(campaign, *id, call.viewer())
                                         : session.redactor(call.viewer()).during(before, after);
    campaign::mask_hidden_values(result.attempt, redactor);
    const Value events(campaign::events_json(result.attempt));
    Object body;
    if (is_stored) {
        body = std::move(body).set("turn", text_value(result.id));
    }
    body = std::move(body)
               .set("status", call.flag("dry_run") ? "judged" : name(result.status))
               .set("results",
                    campaign::explained_results_json(result.attempt, session.registries()->tools))
               .set("text", text_value(result.attempt.reading.text))
               .set("events", redactor.records(events).get())
               .set("notices", lines_of(result.notice))
               .set("refused", campaign::is_refused(result.attempt))
               .set("changes", result.already_stored
                                   ? Array()
                                   : changes_json(value::diff(before, after), redactor));
    for (const auto& [key, value] : head_json(campaign)) {
        body = std::move(body).set(key, value);
    }
    if (result.already_stored) {
        body = std::move(body).set("already_stored", true).erase("changes");
    }
    return json_response(200, redactor.value(Value(body)));
}

net::Response propose(Host& host, const ApiCall& call) {
    turn::SuppliedReply reply;
    reply.text = call.text("text");
    reply.said = call.text("said");
    reply.actor = call.text("actor") == "user" ? engine::Actor::kPlayer : engine::Actor::kModel;
    reply.now = call.now;
    if (!call.has("text") && !call.has("commands")) {
        return error_response(base::Error(ErrorCode::kFieldMissing, {"text | commands"}));
    }
    if (const Value* commands = call.body.find("commands"); commands != nullptr) {
        for (const Value& each : commands->as_array()) {
            reply.proposals.push_back(proposal::proposal_of(each));
        }
    }
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    Value before = (*session)->campaign().state().document;
    if (call.flag("dry_run")) {
        if (const auto matches = check_if_match(**session, call); !matches) {
            return error_response(matches.error());
        }
        auto result = campaign::dry_run(host.store(), call.campaign(), host.options().session,
                                        std::move(reply));
        return result ? answer_proposal(**session, call, *std::move(result), before)
                      : error_response(result.error());
    }
    auto result = change_campaign(host, call, [&](campaign::Session& present) {
        before = present.campaign().state().document;
        return present.apply(reply, std::nullopt, {.key = call.idempotency_key()});
    });
    return result ? answer_proposal(**session, call, *std::move(result), before)
                  : error_response(result.error());
}

// ---- settings

net::Response settings_response(const campaign::Session& session, const ApiCall& call) {
    const ledger::Campaign campaign = session.campaign();
    const Object effective = session.settings();
    const table::SettingsRegistry registry =
        table::settings_of(campaign.state().document, *session.registries());
    const Object body = {{"settings", effective},
                         {"revision", table::settings_revision(campaign.state())},
                         {"definitions", campaign::settings_json(registry, effective)}};
    return json_response(200, session.redactor(call.viewer()).value(Value(body)));
}

net::Response get_settings(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    return session ? settings_response(**session, call) : error_response(session.error());
}

net::Response change_settings(Host& host, const ApiCall& call, const Object& patch) {
    const auto done = change_campaign(host, call, [&](campaign::Session& session) {
        return session.patch_settings(patch, call.now);
    });
    return done ? get_settings(host, call) : error_response(done.error());
}

base::Error unknown_setting(std::string_view key, const Object& known) {
    std::vector<std::string_view> keys;
    for (const auto& [each, value] : known) {
        keys.push_back(each.view());
    }
    const auto meant = text::nearest(key, keys);
    return base::Error(ErrorCode::kUnknownField,
                       {std::string(key), meant ? std::string(*meant) + " …" : text::join(keys)});
}

net::Response patch_settings(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const Object known = (*session)->settings();
    for (const auto& [key, value] : call.body) {
        if (!known.contains(key.view())) {
            return error_response(unknown_setting(key.view(), known));
        }
    }
    return change_settings(host, call, call.body);
}

net::Response set_type(Host& host, const ApiCall& call) {
    return change_settings(host, call, {{"dialog.manual_type", text_value(call.text("type"))}});
}

// ---- prompt

// At the turn that the query names, else at the head.
Result<std::unique_ptr<campaign::Session>> open_asked(Host& host, const ApiCall& call) {
    const auto& options = host.options().session;
    if (!call.asks("turn")) {
        return campaign::Session::open(host.store(), call.campaign(), options);
    }
    const auto present = host.session(call.campaign());
    const auto turn = present ? (*present)->campaign().find(call.asked("turn"))
                              : std::unexpected(present.error());
    return turn ? campaign::Session::open_at(host.store(), call.campaign(), *turn, options)
                : std::unexpected(turn.error());
}

net::Response get_prompt(Host& host, const ApiCall& call) {
    // A session of its own: that of the host may be playing a turn.
    const auto session = open_asked(host, call);
    if (!session) {
        return error_response(session.error());
    }
    campaign::Session::PromptOptions options;
    options.native_tools = call.asked("tools") == "native";
    if (call.asks("type")) {
        options.settings = {{"dialog.manual_type", text_value(call.asked("type"))}};
    }
    const auto built = (*session)->prompt(call.asked("said"), call.now, options);
    if (!built) {
        return error_response(built.error());
    }
    // A prompt of the past may quote what is hidden now as well as what was hidden then.
    const auto present = host.session(call.campaign());
    if (!present) {
        return error_response(present.error());
    }
    const table::PlayerValue then =
        (*session)->redactor(call.viewer()).value(prompt::explained(*built));
    return json_response(200, (*present)->redactor(call.viewer()).value(then.get()));
}

// ---- a withheld turn

Result<campaign::WithheldTurn> withheld_of(Host& host, const ApiCall& call) {
    auto withheld = host.withheld(call.campaign());
    return withheld ? Result<campaign::WithheldTurn>(*std::move(withheld))
                    : base::fail(ErrorCode::kNothingWithheld, {call.campaign()});
}

net::Response get_report(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const auto withheld = withheld_of(host, call);
    if (!withheld) {
        return error_response(withheld.error());
    }
    const table::Redactor redactor = (*session)->redactor(call.viewer());
    return json_response(
        200, redactor.value(Object{{"said", text_value(withheld->said)},
                                   {"report", redactor.records(withheld->result.report).get()}}));
}

net::Response choose_report(Host& host, const ApiCall& call) {
    const std::string word = call.text("choice");
    if (word == "rollback") {
        return answer_change(host, call, [&](campaign::Session& session) -> Result<> {
            const auto turn = session.campaign().find(call.has("to") ? call.text("to") : "head~1");
            return turn ? session.rollback(*turn) : std::unexpected(turn.error());
        });
    }
    const auto choice = turn::find_report_choice(word);
    if (!choice || (*choice == turn::ReportChoice::kEdit && call.text("text").empty())) {
        return error_response(choice
                                  ? base::Error(ErrorCode::kFieldMissing, {"text"})
                                  : base::Error(ErrorCode::kBadParameter,
                                                {"choice", word, "keep, edit, accept, rollback"}));
    }
    const auto withheld = withheld_of(host, call);
    if (!withheld) {
        return error_response(withheld.error());
    }
    auto result = change_campaign(host, call, [&](campaign::Session& session) {
        return campaign::choose(session, *withheld, *choice, call.text("text"), call.now);
    });
    const auto session = host.session(call.campaign());
    if (!result || !session) {
        return error_response(!result ? result.error() : session.error());
    }
    return json_response(200, turn_answer(**session, *std::move(result), call.viewer()));
}

constexpr QueryParameter kStateQuery[] = {
    {"turn", "string", "an id, the beginning of one, a number, head~2 or a label; default: head"},
    {"path", "string", "a JSON Pointer or dotted path; default: the whole document"}};
constexpr QueryParameter kPromptQuery[] = {
    {"said", "string", "what the player would say"},
    {"turn", "string", "as of this turn: an id, a number, head~2 …; default: head"},
    {"type", "string", "the dialog type; default: the one of the settings"},
    {"tools", "string", "text (default) or native"}};

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/state",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The state: whole, at a path, at a turn. ETag is its hash",
     .handler = get_state,
     .answer = "State",
     .query = kStateQuery},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/propose",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Judge a text with commands of any dialect, or commands themselves, and store them "
                "as a turn",
     .handler = propose,
     .answer = "Proposal",
     .body = RequestBody::kJson,
     .request = "NewProposal"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/settings",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The settings in effect, with their definitions",
     .handler = get_settings,
     .answer = "Settings"},
    {.method = "PATCH",
     .pattern = "/api/v1/campaigns/{id}/settings",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Change settings, all of them or none; null resets one",
     .handler = patch_settings,
     .answer = "Settings",
     .body = RequestBody::kJson,
     .request = "SettingsPatch"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/type",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Choose the dialog type",
     .handler = set_type,
     .answer = "Settings",
     .body = RequestBody::kJson,
     .request = "DialogType"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/prompt",
     .scope = Scope::kPlay,
     .runs = Runs::kRead,
     .summary = "The prompt of the next turn, and why each part is in it",
     .handler = get_prompt,
     .answer = "Prompt",
     .query = kPromptQuery},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/report",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The report on a turn that was withheld",
     .handler = get_report,
     .answer = "WithheldTurn"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/report",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Decide on a withheld turn: keep, edit, accept or rollback",
     .handler = choose_report,
     .answer = "Decision",
     .body = RequestBody::kJson,
     .request = "ReportChoice"},
};

}  // namespace

std::span<const Route> state_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
