#include "server/api_table.h"

#include "campaign/greeting.h"
#include "campaign/redaction.h"
#include "campaign/registry_json.h"
#include "campaign/table_changes.h"
#include "card/card_text.h"
#include "engine/bin.h"
#include "protocol/activation.h"
#include "protocol/describe.h"
#include "rules/worlds.h"
#include "server/api_support.h"
#include "server/turn_answer.h"
#include "table/goal.h"
#include "table/layout.h"
#include "value/array.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using base::Result;
using campaign::Session;
using value::Array;
using value::Object;
using value::Value;

// Answers with an object made from the present document.
template <typename Make>
net::Response look(Host& host, const ApiCall& call, const Make& make) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const table::Redactor redactor = (*session)->redactor(call.viewer());
    const Result<Object> made = make(**session, redactor);
    return made ? json_response(200, redactor.value(Value(*made))) : error_response(made.error());
}

// ---- characters and party

net::Response get_characters(Host& host, const ApiCall& call) {
    return look(host, call, [](const Session& session, const table::Redactor& redactor) {
        const Value document = session.campaign().state().document;
        const value::Path path = table::campaign_path({"characters"});
        const Value all(table::object_or_empty(value::find(document, path)));
        return Object{{"characters", redactor.value_at(path, all).get()},
                      {"party", table::party(document)},
                      {"actor", text_value(table::active_actor(document))}};
    });
}

net::Response get_character(Host& host, const ApiCall& call) {
    return look(
        host, call, [&](const Session& session, const table::Redactor& redactor) -> Result<Object> {
            const std::string& id = call.path("character");
            const Value document = session.campaign().state().document;
            const Value* found = table::find_character(document, id);
            if (found == nullptr) {
                return base::fail(ErrorCode::kNotFound, {id});
            }
            const value::Path path = table::campaign_path({"characters", value::Segment(id)});
            return Object{{"id", text_value(id)},
                          {"character", redactor.value_at(path, *found).get()}};
        });
}

net::Response change_character(Host& host, const ApiCall& call) {
    table::CharacterChange change;
    change.character = call.path("character");
    if (const Value* hp = call.body.find("hp"); hp != nullptr) {
        change.hp = hp->as_int();
    }
    if (call.has("area")) {
        change.area = call.text("area");
    }
    if (call.has("alive_state")) {
        change.alive_state = call.text("alive_state");
    }
    return answer_change(host, call, [&](Session& session) {
        const Object settings = session.settings();
        return session.edit(
            [&](const engine::State& state) {
                return table::change_characters(state.document, {&change, 1}, settings, call.now);
            },
            call.now, "character");
    });
}

net::Response get_party(Host& host, const ApiCall& call) {
    return look(host, call, [](const Session& session, const table::Redactor&) {
        const Value document = session.campaign().state().document;
        return Object{{"party", table::party(document)},
                      {"actor", text_value(table::active_actor(document))}};
    });
}

net::Response join_party(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return campaign::join_party(session, call.text("character"), call.now);
    });
}

net::Response leave_party(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return campaign::leave_party(session, call.text("character"), call.now);
    });
}

net::Response select_actor(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return session.select_actor(call.text("character"), call.now);
    });
}

// ---- tools

net::Response get_tools(Host& host, const ApiCall& call) {
    return look(host, call, [&](const Session& session, const table::Redactor&) {
        const Value document = session.campaign().state().document;
        const auto registries = session.registries();
        Array tools;
        for (const table::Tool& each : registries->tools.all()) {
            tools = std::move(tools).push_back(
                campaign::tool_json(*registries, each, &document, call.language));
        }
        return Object{{"tools", std::move(tools)}, {"allowed", campaign::allowed_tools(document)}};
    });
}

net::Response change_allowlist(Host& host, const ApiCall& call, bool adds) {
    const std::vector<std::string> names = call.texts("tools");
    const auto allowed = change_campaign(host, call, [&](Session& session) {
        return adds ? campaign::allow_tools(session, names, call.now)
                    : campaign::deny_tools(session, names, call.now);
    });
    const auto session = allowed ? host.session(call.campaign()) : std::unexpected(allowed.error());
    return session ? head_response(**session, call, {{"allowed", *allowed}})
                   : error_response(session.error());
}

net::Response allow_tools(Host& host, const ApiCall& call) {
    return change_allowlist(host, call, true);
}

net::Response deny_tools(Host& host, const ApiCall& call) {
    return change_allowlist(host, call, false);
}

net::Response disable_tool(Host& host, const ApiCall& call) {
    const Value* turns = call.body.find("turns");
    const auto until = change_campaign(host, call, [&](Session& session) {
        return campaign::disable_tool(
            session, call.text("tool"),
            turns != nullptr ? std::optional(turns->as_int()) : std::nullopt, call.now);
    });
    const auto session = until ? host.session(call.campaign()) : std::unexpected(until.error());
    if (!session) {
        return error_response(session.error());
    }
    Object more = {{"tool", text_value(call.text("tool"))}};
    if (*until) {
        more = std::move(more).set("disabled_until", **until);
    }
    return head_response(**session, call, more);
}

net::Response enable_tool(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return campaign::enable_tool(session, call.text("tool"), call.now);
    });
}

// ---- goal and end

net::Response get_goal(Host& host, const ApiCall& call) {
    return look(host, call, [](const Session& session, const table::Redactor& redactor) {
        const Value document = session.campaign().state().document;
        const value::Path path = table::campaign_path({"goal"});
        const Value* goal = value::find(document, path);
        return Object{
            {"goal", goal != nullptr ? redactor.value_at(path, *goal).get() : Value()},
            {"ended", campaign::end_reason(document) ? text_value(*campaign::end_reason(document))
                                                     : Value()}};
    });
}

net::Response set_goal(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return session.set_goal(call.text("text"), call.flag("hidden"), call.now);
    });
}

net::Response end_campaign(Host& host, const ApiCall& call) {
    const std::string reason = call.has("reason") ? call.text("reason") : "given_up";
    return answer_change(host, call, [&](Session& session) -> Result<> {
        // A campaign ends once.
        return campaign::end_reason(session.campaign().state().document)
                   ? Result<>()
                   : campaign::end_campaign(session, reason, call.now);
    });
}

// ---- protocols

net::Response get_protocols(Host& host, const ApiCall& call) {
    return look(host, call, [&](const Session& session, const table::Redactor&) {
        Array active;
        const ledger::Campaign campaign = session.campaign();
        for (const protocol::Active& each : protocol::active(campaign.state().meta)) {
            Object row = {{"reference", text_value(each.reference)},
                          {"why", text_value(explain(each.why, call.language))},
                          {"since", each.since}};
            if (each.until != 0) {
                row = std::move(row).set("until", each.until);
            }
            active = std::move(active).push_back(std::move(row));
        }
        return Object{{"active", std::move(active)}};
    });
}

// As if the player had written the tag.
net::Response switch_protocol(Host& host, const ApiCall& call) {
    if (call.has("use") == call.has("end")) {
        return error_response(base::Error(ErrorCode::kFieldMissing, {"use | end"}));
    }
    Array notices;
    const auto done = change_campaign(host, call, [&](Session& session) {
        return session.edit(
            [&](const engine::State& state) -> Result<table::Step> {
                const auto library = session.options().protocols.library();
                const std::int64_t turn = session.campaign().number() + 1;
                const auto made =
                    call.has("use")
                        ? protocol::switch_on(state.meta, call.text("use"), turn, *library)
                        : protocol::update_activation(
                              state.meta, protocol::Speaker::kPlayer,
                              "<end_protocol>" + call.text("end") + "</end_protocol>", turn,
                              *library);
                if (!made.warnings.empty()) {
                    return std::unexpected(made.warnings[0]);
                }
                notices = {};
                for (const base::Text& each : protocol::notices(made)) {
                    notices = std::move(notices).push_back(each.in(call.language));
                }
                return table::Step{state.document, {}, made.meta};
            },
            call.now, "protocols");
    });
    const auto session = done ? host.session(call.campaign()) : std::unexpected(done.error());
    return session ? head_response(**session, call, {{"notices", notices}})
                   : error_response(session.error());
}

// ---- recycle bin and worlds

Result<value::Path> bin_of(std::string_view written) {
    return written.empty() ? Result<value::Path>(engine::Policy().recycle_bin)
                           : value::parse_any_path(written);
}

net::Response get_bin(Host& host, const ApiCall& call) {
    return look(
        host, call, [&](const Session& session, const table::Redactor& redactor) -> Result<Object> {
            const auto bin = bin_of(call.asked("bin"));
            if (!bin) {
                return std::unexpected(bin.error());
            }
            const Value document = redactor.value(session.campaign().state().document).get();
            Array rows;
            for (const engine::BinRecord& each : engine::list_bin(document, *bin)) {
                rows = std::move(rows).push_back(
                    Object{{"id", text_value(each.id)},
                           {"path",
                            text_value(value::print_path(each.place, value::PathSyntax::kPointer))},
                           {"deleted_at", text_value(each.deleted_at)},
                           {"reason", text_value(each.reason)},
                           {"value", redactor.value_at(each.place, each.value).get()}});
            }
            return Object{{"bin", std::move(rows)}};
        });
}

net::Response restore(Host& host, const ApiCall& call) {
    auto result = change_campaign(host, call, [&](Session& session) -> Result<turn::TurnResult> {
        const auto bin = bin_of(call.text("bin"));
        return bin ? campaign::restore_from_bin(session, *bin, call.text("what"), call.now,
                                                {.key = call.idempotency_key()})
                   : std::unexpected(bin.error());
    });
    const auto session = result ? host.session(call.campaign()) : std::unexpected(result.error());
    return session ? json_response(200, turn_answer(**session, *std::move(result), call.viewer()))
                   : error_response(session.error());
}

net::Response get_worlds(Host& host, const ApiCall& call) {
    return look(host, call, [](const Session& session, const table::Redactor& redactor) {
        const ledger::Campaign campaign = session.campaign();
        Array worlds;
        for (const rules::Backup& each : rules::backups(campaign.state().meta)) {
            Object contents;
            for (const auto& [path, content] : each.contents) {
                const auto place = value::parse_path(path.view(), value::PathSyntax::kDotted);
                contents = std::move(contents).set(
                    path, place ? redactor.value_at(*place, content).get() : Value());
            }
            Object row = {{"world", text_value(each.world)}, {"contents", std::move(contents)}};
            worlds = std::move(worlds).push_back(each.date ? std::move(row).set("date", *each.date)
                                                           : std::move(row));
        }
        return Object{{"worlds", std::move(worlds)}};
    });
}

net::Response restore_world(Host& host, const ApiCall& call) {
    return answer_change(host, call, [&](Session& session) {
        return session.restore_world(call.text("world"), call.now);
    });
}

// ---- greetings

net::Response get_greetings(Host& host, const ApiCall& call) {
    return look(host, call, [](const Session& session, const table::Redactor&) -> Result<Object> {
        const ledger::Campaign campaign = session.campaign();
        const auto card = campaign::card_of(campaign);
        if (!card || !*card) {
            return card ? base::fail(ErrorCode::kCampaignNoCard, {campaign.row().id})
                        : std::unexpected(card.error());
        }
        Array greetings;
        for (const std::string& each : (*card)->greetings) {
            greetings = std::move(greetings).push_back(
                text_value(card::trimmed(card::split_initvars(each).rest)));
        }
        return Object{
            {"greetings", std::move(greetings)},
            {"greeting", static_cast<std::int64_t>(campaign::greeting_of(campaign.state().meta))}};
    });
}

net::Response switch_greeting(Host& host, const ApiCall& call) {
    const auto number = static_cast<std::size_t>(call.body.find("greeting")->as_int());
    auto result = change_campaign(host, call, [&](Session& session) {
        return campaign::switch_greeting(session, number, call.now);
    });
    const auto session = result ? host.session(call.campaign()) : std::unexpected(result.error());
    return session ? json_response(200, turn_answer(**session, *std::move(result), call.viewer()))
                   : error_response(session.error());
}

constexpr QueryParameter kBinQuery[] = {
    {"bin", "string", "the path of the bin; default: the usual one"}};

// A change of the table: its answer says where the campaign is.
constexpr Route change(std::string_view method, std::string_view pattern, Scope scope,
                       std::string_view summary, Handler handler, std::string_view request,
                       std::string_view answer = "Changed") {
    return {.method = method,
            .pattern = pattern,
            .scope = scope,
            .runs = Runs::kWrite,
            .summary = summary,
            .handler = handler,
            .answer = answer,
            .body = RequestBody::kJson,
            .request = request};
}

constexpr Route reading(std::string_view pattern, std::string_view summary, Handler handler,
                        std::string_view answer, std::span<const QueryParameter> query = {}) {
    return {.method = "GET",
            .pattern = pattern,
            .scope = Scope::kRead,
            .runs = Runs::kRead,
            .summary = summary,
            .handler = handler,
            .answer = answer,
            .query = query};
}

constexpr Route kRoutes[] = {
    reading("/api/v1/campaigns/{id}/characters", "The characters of the table", get_characters,
            "Characters"),
    reading("/api/v1/campaigns/{id}/characters/{character}", "One character", get_character,
            "Character"),
    change("PATCH", "/api/v1/campaigns/{id}/characters/{character}", Scope::kAdmin,
           "Set the hit points, the area or the state of life of a character", change_character,
           "CharacterChange"),
    reading("/api/v1/campaigns/{id}/party", "The party and the acting character", get_party,
            "Party"),
    change("POST", "/api/v1/campaigns/{id}/party/join", Scope::kPlay,
           "Add a character to the party", join_party, "CharacterName"),
    change("POST", "/api/v1/campaigns/{id}/party/leave", Scope::kPlay,
           "Remove a character from the party", leave_party, "CharacterName"),
    change("POST", "/api/v1/campaigns/{id}/party/actor", Scope::kPlay,
           "Choose the acting character", select_actor, "CharacterName"),
    reading("/api/v1/campaigns/{id}/tools", "The registered tools, and which are allowed",
            get_tools, "CampaignTools"),
    change("POST", "/api/v1/campaigns/{id}/tools/allow", Scope::kPlay, "Add tools to the allowlist",
           allow_tools, "ToolNames", "Allowlist"),
    change("POST", "/api/v1/campaigns/{id}/tools/deny", Scope::kPlay,
           "Remove tools from the allowlist", deny_tools, "ToolNames", "Allowlist"),
    change("POST", "/api/v1/campaigns/{id}/tools/disable", Scope::kPlay,
           "Switch a tool off, for some turns or for good", disable_tool, "ToolPause",
           "DisabledTool"),
    change("POST", "/api/v1/campaigns/{id}/tools/enable", Scope::kPlay, "Switch a tool on again",
           enable_tool, "ToolName"),
    reading("/api/v1/campaigns/{id}/goal", "The goal, unless it is hidden, and the end", get_goal,
            "Goal"),
    change("POST", "/api/v1/campaigns/{id}/goal", Scope::kPlay, "Set the goal, once", set_goal,
           "NewGoal"),
    change("POST", "/api/v1/campaigns/{id}/end", Scope::kPlay, "End the campaign", end_campaign,
           "EndReason"),
    reading("/api/v1/campaigns/{id}/protocols", "The active protocols", get_protocols,
            "ActiveProtocols"),
    change("POST", "/api/v1/campaigns/{id}/protocols", Scope::kPlay, "Switch a protocol on or off",
           switch_protocol, "ProtocolSwitch", "ProtocolChange"),
    reading("/api/v1/campaigns/{id}/bin", "The recycle bin", get_bin, "Bin", kBinQuery),
    change("POST", "/api/v1/campaigns/{id}/restore", Scope::kPlay,
           "Put a node back from the recycle bin", restore, "Restoration", "TurnAnswer"),
    reading("/api/v1/campaigns/{id}/worlds", "The worlds that were left", get_worlds, "Worlds"),
    change("POST", "/api/v1/campaigns/{id}/worlds/restore", Scope::kPlay,
           "Bring a world back that was left", restore_world, "WorldName"),
    reading("/api/v1/campaigns/{id}/greetings", "The greetings of the card", get_greetings,
            "Greetings"),
    change("POST", "/api/v1/campaigns/{id}/greeting", Scope::kPlay,
           "Begin the story with another greeting", switch_greeting, "GreetingNumber",
           "TurnAnswer"),
};

}  // namespace

std::span<const Route> table_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
