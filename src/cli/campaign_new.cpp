#include "cli/campaign_new.h"

#include "campaign/start.h"
#include "cli/card_report.h"
#include "cli/cards.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/player_console.h"
#include "cli/profiles.h"
#include "cli/templates.h"
#include "cli/tools.h"
#include "cli/verdicts.h"
#include "config/card_report.h"
#include "ledger/names.h"
#include "table/layout.h"
#include "text/split.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using value::Object;

// The table and the names; what is typed wins over the template.
std::expected<void, Exit> read_names(const Call& call, campaign::CampaignPlan& plan) {
    const Console& console = call.console;
    if (call.has("--tools")) {
        auto tools = tools_of(call);
        if (!tools) {
            return std::unexpected(tools.error());
        }
        plan.tools = *std::move(tools);
    }
    if (const std::string file(call.value("--table", "")); !file.empty()) {
        auto written = load_template(console, file, plan.tools);
        if (!written) {
            return std::unexpected(written.error());
        }
        plan.table = std::move(written->value);
        std::ranges::move(written->tools, std::back_inserter(plan.tools));
    }
    plan.name = text::to_utf8(call.arguments.size() > 1
                                  ? call.arguments[1]
                                  : std::string(table::text_in(&plan.table, "title")));
    if (plan.name.empty() && !call.has("--card")) {  // a card has a name
        return std::unexpected(
            trouble(console, base::Error(ErrorCode::kMissingArgument, {"NAME"})));
    }
    if (!plan.name.empty() && !ledger::is_campaign_name(plan.name)) {
        return std::unexpected(
            trouble(console, base::Error(ErrorCode::kCampaignName, {on_one_line(plan.name)})));
    }
    if (call.has("--id")) {
        plan.id = std::string(call.value("--id", ""));
    }
    return {};
}

std::expected<void, Exit> read_card(const Call& call, campaign::CampaignPlan& plan) {
    const auto greeting = number_of(call, "--greeting", 0);
    if (!greeting) {
        return std::unexpected(greeting.error());
    }
    plan.greeting = *greeting;
    plan.fills_blueprints = call.has("--init");
    if (call.has("--user")) {
        const std::string user = text::to_utf8(std::string(call.value("--user", "")));
        plan.settings = Object{{"user.name", std::string_view(user)}};
    }
    if (!call.has("--card")) {
        return {};
    }
    auto card = load_card(call, std::string(call.value("--card", "")));
    auto variables = initvars_of(call);
    if (!card || !variables) {
        return std::unexpected(Exit::kTrouble);
    }
    plan.card = *std::move(card);
    plan.card_file = call.value("--card", "");
    plan.card_options = {*std::move(variables), call.has("--init")};
    return {};
}

std::expected<campaign::CampaignPlan, Exit> plan_of(const Call& call) {
    campaign::CampaignPlan plan;
    if (const auto read = read_names(call, plan); !read) {
        return std::unexpected(read.error());
    }
    if (const auto read = read_card(call, plan); !read) {
        return std::unexpected(read.error());
    }
    plan.profile = call.value("--profile", "");
    if (const std::string file(call.value("--state", "")); !file.empty()) {
        auto loaded = load_document(call.console, file);
        if (!loaded) {
            return std::unexpected(loaded.error());
        }
        plan.document = *std::move(loaded);
    }
    const auto now = now_of(call);
    if (!now) {
        return std::unexpected(now.error());
    }
    plan.now = *now;
    // --protocol takes a comma-separated list.
    if (const std::string_view list = call.value("--protocol", ""); !list.empty()) {
        for (const std::string_view each : text::split(list, ",")) {
            plan.protocols.push_back({std::string(each)});
        }
    }
    return plan;
}

// The profile, the fate of the card's parts, and the id.
void say_begun(const Call& call, const campaign::StartedCampaign& started) {
    const Console& console = call.console;
    const ledger::Campaign campaign = started.session->campaign();
    if (call.has("--json")) {
        const std::string greeting = started.greeting ? started.greeting->shown.str() : "";
        const Object row = {{"id", std::string_view(campaign.row().id)},
                            {"name", std::string_view(campaign.row().name)},
                            {"turn", campaign.story_number()},
                            {"profile", std::string_view(started.profile)},
                            {"greeting", std::string_view(greeting)},
                            {"report", config::report_value(started.notes)}};
        console.print(value::print_json(row, value::JsonStyle::kPretty) + "\n");
        return;
    }
    if (started.greeting) {
        console.print(turn_lines(console, started.greeting->shown.str(), started.greeting->attempt,
                                 started.session->registries()->tools));
        if (!started.greeting->protocol_notice.empty()) {
            PlayerConsole(console).show_line(started.greeting->protocol_notice, Color::kYellow);
        }
    }
    if (call.has("--card")) {
        const std::string words[] = {started.profile};
        console.print(
            base::format_message(console.say({"profile {0}\n", "配置方案 {0}\n"}), words));
        console.print(report_lines(console, started.notes));
    }
    say_where(console, campaign);
}

}  // namespace

Exit new_campaign(const Call& call) {
    const Console& console = call.console;
    auto plan = plan_of(call);
    if (!plan) {
        return plan.error();
    }
    if (plan->id && !ledger::is_campaign_id(*plan->id)) {
        return trouble(console, base::Error(ErrorCode::kCampaignId, {on_one_line(*plan->id)}));
    }
    auto start = campaign::CampaignStart::prepare(*std::move(plan));
    if (!start) {
        report(console, start.error());
        return Exit::kTrouble;
    }
    const auto store = open_store(call, ledger::Access::kCreate);
    if (!store) {
        return store.error();
    }
    std::vector<base::Error> warnings;
    const auto started = start->begin(**store, session_options_of(call, **store), warnings);
    for (const base::Error& warning : warnings) {
        warn(console, warning, "arbiter");
    }
    if (!started) {
        return trouble(console, started.error());
    }
    say_begun(call, *started);
    return Exit::kDone;
}

}  // namespace arbiter::cli
