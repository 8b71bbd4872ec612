#include "server/api_campaigns.h"

#include <algorithm>

#include "campaign/demo.h"
#include "campaign/redaction.h"
#include "campaign/start.h"
#include "campaign/view.h"
#include "config/card_files.h"
#include "config/card_report.h"
#include "config/embedded.h"
#include "config/table_templates.h"
#include "ledger/library.h"
#include "ledger/names.h"
#include "server/api_support.h"
#include "table/layout.h"
#include "table/template.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using base::Result;
using value::Array;
using value::Object;
using value::Value;

// {"id", "name", "head", "turns", "updated"}; nothing for a copy that was interrupted.
std::optional<Object> row_json(Host& host, const ledger::CampaignRow& row) {
    if (!row.head || row.id == ledger::kLibraryId) {
        return std::nullopt;
    }
    Object json = {{"id", text_value(row.id)},
                   {"name", text_value(row.name)},
                   {"head", text_value(row.head->hex())},
                   {"created", text_value(engine::print_instant(row.created))}};
    std::int64_t turns = 0;
    engine::Instant updated = row.created;
    // A campaign with damaged turns stays in the list.
    const auto campaign = ledger::Campaign::open_without_state(host.store(), row.id);
    const auto head = host.store().turn(row.id, *row.head);
    if (campaign && head && *head) {
        const auto record = campaign->replay_inputs_of(**head);
        turns = record ? record->shown_number() : (*head)->number;
        updated = (*head)->time;
    }
    return std::move(json)
        .set("turns", turns)
        .set("updated", text_value(engine::print_instant(updated)));
}

net::Response list_campaigns(Host& host, const ApiCall& call) {
    const auto rows = host.store().campaigns();
    if (!rows) {
        return error_response(rows.error());
    }
    Array listed;
    for (const ledger::CampaignRow& row : *rows) {
        auto json = call.principal.sees(row.id) ? row_json(host, row) : std::nullopt;
        if (json) {
            listed = std::move(listed).push_back(*std::move(json));
        }
    }
    return public_response(200, Object{{"campaigns", std::move(listed)}});
}

// ---- create

// A profile of the program: requests never name files.
Result<> check_profile(const std::string& name) {
    const auto all = config::built_in_profiles();
    if (name.empty() || std::ranges::find(all, name, &config::EmbeddedFile::name) != all.end()) {
        return {};
    }
    return base::fail(ErrorCode::kBadParameter,
                      {"profile", name, text::join(all, ", ", &config::EmbeddedFile::name)});
}

std::expected<Value, config::FileDiagnostics> table_of(const ApiCall& call) {
    const Value* written = call.body.find("table");
    if (written == nullptr || written->is_null()) {
        return Value();
    }
    if (!written->is_object()) {  // "demo", by the schema
        auto demo = campaign::load_demo(call.language);
        // The demo's own id would be taken by the second campaign.
        return demo ? std::expected<Value, config::FileDiagnostics>(
                          Value(table::object_or_empty(&demo->table).erase("id")))
                    : std::unexpected(std::move(demo).error());
    }
    // The campaign's own id and name take the place of these.
    Object named = written->as_object();
    for (const std::string_view key : {"id", "title"}) {
        named = named.contains(key) ? named : std::move(named).set(key, "campaign");
    }
    const value::Diagnostics mistakes =
        config::check_table(Value(named), *config::built_in_registries());
    if (mistakes.empty()) {
        return *written;
    }
    config::FileDiagnostics wrong{"table", {}, {}};
    for (const value::Diagnostic& each : mistakes) {
        wrong.errors.push_back(table::first_error({each}));
    }
    return std::unexpected(std::move(wrong));
}

// The card of a form, or the card as an object of JSON.
std::expected<std::optional<card::Card>, config::FileDiagnostics> card_of(const ApiCall& call) {
    std::string bytes;
    if (const Value* written = call.body.find("card"); written != nullptr) {
        bytes = value::print_json(*written);
    }
    for (const Part& file : call.files) {
        if (file.name != "card") {
            return std::unexpected(config::FileDiagnostics{
                "form", {}, {base::Error(ErrorCode::kUnknownField, {file.name, "card"})}});
        }
        bytes = file.bytes;
    }
    if (bytes.empty()) {
        return std::nullopt;
    }
    auto card = config::parse_card("card", bytes);
    if (!card) {
        return std::unexpected(std::move(card).error());
    }
    return *std::move(card);
}

std::expected<campaign::CampaignPlan, config::FileDiagnostics> plan_of(const ApiCall& call) {
    campaign::CampaignPlan plan;
    plan.now = call.now;
    plan.name = call.text("name");
    plan.profile = call.text("profile");
    if (auto known = check_profile(plan.profile); !known) {
        return std::unexpected(config::FileDiagnostics{"profile", {}, {std::move(known).error()}});
    }
    auto table = table_of(call);
    if (!table) {
        return std::unexpected(std::move(table).error());
    }
    plan.table = *std::move(table);
    auto card = card_of(call);
    if (!card) {
        return std::unexpected(std::move(card).error());
    }
    plan.card = *std::move(card);
    plan.fills_blueprints = call.flag("init");
    plan.card_options.fills_blueprints = plan.fills_blueprints;
    if (const Value* greeting = call.body.find("greeting"); greeting != nullptr) {
        plan.greeting = static_cast<std::size_t>(greeting->as_int());
    }
    if (const Value* state = call.body.find("state"); state != nullptr) {
        plan.document = *state;
    }
    if (const Value* settings = call.body.find("settings"); settings != nullptr) {
        plan.settings = settings->as_object();
    }
    if (call.has("user")) {
        plan.settings = std::move(plan.settings).set("user.name", text_value(call.text("user")));
    }
    for (const std::string& each : call.texts("protocols")) {
        plan.protocols.push_back({each});
    }
    if (call.has("id")) {
        plan.id = call.text("id");
    } else if (const auto key = call.idempotency_key()) {
        // The same request makes the same campaign, also after a restart.
        plan.id = "c" + ledger::sha256(call.principal.token + "\n" + *key).hex().substr(0, 16);
    }
    return plan;
}

net::Response created(const ApiCall& call, const std::string& id, const campaign::Session& session,
                      const Object& more) {
    Object body = {{"id", text_value(id)}, {"name", text_value(session.campaign().row().name)}};
    for (const auto& [key, value] : more) {
        body = std::move(body).set(key, value);
    }
    net::Response response = head_response(session, call, body, 201);
    response.headers.set("Location", "/api/v1/campaigns/" + id);
    return response;
}

net::Response create_campaign(Host& host, const ApiCall& call) {
    auto plan = plan_of(call);
    if (!plan) {
        return diagnostics_response(plan.error());
    }
    const bool is_repeatable = !call.has("id") && plan->id.has_value();
    const std::optional<std::string> id = plan->id;
    auto start = campaign::CampaignStart::prepare(*std::move(plan));
    if (!start) {
        return diagnostics_response(start.error());
    }
    std::vector<base::Error> warnings;
    auto started = start->begin(host.store(), host.options().session, warnings);
    if (!started && is_repeatable && started.error().code == ErrorCode::kCampaignExists) {
        const auto session = host.session(*id);
        return session ? created(call, *id, **session, {}) : error_response(session.error());
    }
    if (!started) {
        return error_response(started.error());
    }
    const campaign::Session& session = *started->session;
    Array told;
    for (const base::Error& each : warnings) {
        told = std::move(told).push_back(error_value(each));
    }
    Object more = {{"profile", text_value(started->profile)},
                   {"warnings", std::move(told)},
                   {"report", config::report_value(started->notes)}};
    if (started->greeting) {
        more = std::move(more).set("greeting", text_value(started->greeting->shown.str()));
    }
    return created(call, session.campaign().row().id, session, more);
}

// ---- one campaign

net::Response get_campaign(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const ledger::Campaign campaign = (*session)->campaign();
    const auto view = campaign::campaign_view(campaign, host.options().session);
    if (!view) {
        return error_response(view.error());
    }
    const auto row = host.store().campaign(call.campaign());  // its name may be new
    if (!row) {
        return error_response(row.error());
    }
    // The members of the Campaign, and beside them the parts that the specification keeps apart.
    Object body = value::find_member(&*view, "campaign")->as_object();
    body = std::move(body)
               .set("id", text_value(campaign.row().id))
               .set("name", text_value(row->name))
               .set("profile", text_value((*session)->world()->world().profile.name));
    for (const auto& [key, value] : head_json(campaign)) {
        body = std::move(body).set(key, value);
    }
    for (const std::string_view part : {"characters", "summary_state", "turn_log", "state"}) {
        body = std::move(body).set(part, *value::find_member(&*view, part));
    }
    const table::Redactor redactor =
        campaign::redactor_during(campaign, campaign.head(), call.viewer());
    return json_response(200, redactor.value(redactor.records(Value(body)).get()));
}

net::Response rename_campaign(Host& host, const ApiCall& call) {
    const std::string name = call.text("name");
    if (!ledger::is_campaign_name(name)) {
        return error_response(base::Error(ErrorCode::kCampaignName, {name}));
    }
    if (const auto renamed = host.store().rename_campaign(call.campaign(), name); !renamed) {
        return error_response(renamed.error());
    }
    return public_response(200,
                           Object{{"id", text_value(call.campaign())}, {"name", text_value(name)}});
}

net::Response delete_campaign(Host& host, const ApiCall& call) {
    if (call.campaign() == ledger::kLibraryId) {
        return error_response(base::Error(ErrorCode::kCampaignUnknown, {call.campaign()}));
    }
    if (const auto deleted = host.store().delete_campaign(call.campaign()); !deleted) {
        return error_response(deleted.error());
    }
    host.forget(call.campaign());
    net::Response response;
    response.status = 204;
    return response;
}

constexpr Route kRoutes[] = {
    {.method = "POST",
     .pattern = "/api/v1/campaigns",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Create a campaign from fields, the demo, a template or a character card",
     .handler = create_campaign,
     .status = 201,
     .answer = "CreatedCampaign",
     .body = RequestBody::kJsonOrForm,
     .request = "NewCampaign"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "List the campaigns that the token may see",
     .handler = list_campaigns,
     .answer = "CampaignList"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The campaign with its characters, summary, last turn and state",
     .handler = get_campaign,
     .answer = "Campaign"},
    {.method = "PATCH",
     .pattern = "/api/v1/campaigns/{id}",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Rename a campaign",
     .handler = rename_campaign,
     .answer = "RenamedCampaign",
     .body = RequestBody::kJson,
     .request = "CampaignName"},
    {.method = "DELETE",
     .pattern = "/api/v1/campaigns/{id}",
     .scope = Scope::kAdmin,
     .runs = Runs::kWrite,
     .summary = "Delete a campaign with all its turns",
     .handler = delete_campaign,
     .status = 204,
     .answer_type = ""},
};

}  // namespace

std::span<const Route> campaign_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
