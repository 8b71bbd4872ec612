#include "cli/turns.h"

#include <csignal>
#include <set>

#include "base/limits.h"
#include "campaign/attempt_json.h"
#include "campaign/session.h"
#include "campaign/turn_json.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "cli/player_console.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "config/rulebooks.h"

namespace arbiter::cli {
namespace {

using ledger::Campaign;
using value::Value;

std::expected<campaign::TurnCondition, Exit> condition_of(const Call& call,
                                                          const Campaign& campaign) {
    campaign::TurnCondition condition;
    if (call.has("--key")) {
        condition.key = std::string(call.value("--key", ""));
    }
    if (call.has("--after")) {
        const auto turn = campaign.find(call.value("--after", ""));
        if (!turn) {
            return std::unexpected(trouble(call.console, turn.error()));
        }
        condition.after = *turn;
    }
    return condition;
}

std::expected<turn::SuppliedReply, Exit> reply_of(const Call& call) {
    const std::string file = call.arguments.empty() ? "-" : call.arguments[0];
    auto text = read_file(call.console, file, base::kTurnTextBytesMax);
    if (!text) {
        return std::unexpected(trouble(call.console, text.error()));
    }
    const auto now = now_of(call);
    if (!now) {
        return std::unexpected(now.error());
    }
    turn::SuppliedReply reply;
    reply.text = *std::move(text);
    reply.said = call.value("--said", "");
    reply.actor = call.has("--player") ? engine::Actor::kPlayer : engine::Actor::kModel;
    reply.now = *now;
    return reply;
}

// Prints the turn of a result; the same for a turn that was stored before. `before`: the document
// on which a new turn was played.
Exit print_turn(const Call& call, const campaign::Session& session, const turn::TurnResult& result,
                const Value& before) {
    const Console& console = call.console;
    const Campaign campaign = session.campaign();
    const auto id = ledger::Digest::from_hex(result.id).value_or(campaign.head());
    const auto record = campaign.record(id);
    const auto display = session.display();
    if (!record || !display) {
        return trouble(console, !record ? record.error() : display.error());
    }
    const table::Redactor redactor =
        result.already_stored
            ? redactor_during(call, campaign, id)
            : redactor_of(call, campaign).during(before, campaign.state().document);
    if (call.has("--json")) {
        console.print(json_line(campaign::turn_json(campaign, id, *record, redactor)
                                    .set("already_stored", result.already_stored)
                                    .set("refused", campaign::is_refused(result.attempt))));
        return Exit::kDone;
    }
    turn::Attempt visible = result.attempt;
    campaign::mask_hidden_values(visible, redactor);
    PlayerConsole(console).show(redactor.text(
        turn_lines(console, display->shown(*record), visible, session.registries()->tools)));
    if (!result.protocol_notice.empty()) {
        PlayerConsole(console).show_line(result.protocol_notice, Color::kYellow);
    }
    say_where(console, campaign.row().id, record->shown_number(), id);
    return Exit::kDone;
}

}  // namespace

Exit run_turn(const Call& call) {
    const Console& console = call.console;
    // A closed output pipe must not end the process between commit and answer.
    std::signal(SIGPIPE, SIG_IGN);
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    std::optional<config::World> world;
    if (call.has("--profile")) {
        auto loaded = config::load_world(call.value("--profile", ""));
        if (!loaded) {
            report(console, loaded.error());
            return Exit::kTrouble;
        }
        world = *std::move(loaded);
    }
    const auto condition = condition_of(call, playing->session->campaign());
    if (!condition) {
        return condition.error();
    }
    auto reply = reply_of(call);
    if (!reply) {
        return reply.error();
    }
    const Value before = playing->session->campaign().state().document;
    const auto result = playing->session->apply(*std::move(reply), std::move(world), *condition);
    if (!result) {
        return trouble(console, result.error());
    }
    if (const Exit printed = print_turn(call, *playing->session, *result, before);
        printed != Exit::kDone) {
        return printed;
    }
    if (std::fflush(console.out) != 0 || std::ferror(console.out) != 0) {
        return trouble(console,
                       base::Error(base::ErrorCode::kTurnUncertain,
                                   {base::explain(output_error(console), console.language)}));
    }
    if (result->already_stored) {
        console.complain(
            console.say({"This turn was already stored under its key; nothing was stored again.\n",
                         "该回合此前已用同一个键保存；这次没有重复保存。\n"}));
    }
    return campaign::is_refused(result->attempt) ? Exit::kNo : Exit::kDone;
}

Exit run_checkpoint(const Call& call) {
    const Console& console = call.console;
    const std::string label = call.arguments.empty() ? "" : call.arguments[0];
    if (label.empty()) {
        const auto opened = look_at_campaign(call);
        if (!opened) {
            return opened.error();
        }
        const auto all = opened->campaign.checkpoints();
        if (!all) {
            return trouble(console, all.error());
        }
        std::string out;
        value::Array listed;
        for (const ledger::Checkpoint& each : *all) {
            const std::string time = engine::print_instant(each.time);
            out += each.turn.brief() + "  " + time + "  " + on_one_line(each.label) + "\n";
            listed =
                std::move(listed).push_back(value::Object{{"label", std::string_view(each.label)},
                                                          {"id", std::string_view(each.turn.hex())},
                                                          {"time", std::string_view(time)}});
        }
        console.print(
            call.has("--json")
                ? json_line(campaign::where_json(opened->campaign).set("checkpoints", listed))
                : out);
        return Exit::kDone;
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    // 0: no limit.
    const auto most = number_of(call, "--most", 0);
    if (!most) {
        return most.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    if (const auto kept = playing->session->checkpoint(label, *now, *most); !kept) {
        return trouble(console, kept.error());
    }
    const Campaign campaign = playing->session->campaign();
    if (call.has("--json")) {
        console.print(
            json_line(campaign::where_json(campaign).set("label", std::string_view(label))));
    } else {
        say_where(console, campaign);
    }
    return Exit::kDone;
}

namespace {

Exit list_branches(const Call& call, const Campaign& campaign) {
    const auto rows = campaign.turns();
    if (!rows) {
        return trouble(call.console, rows.error());
    }
    std::set<ledger::TurnId> parents;
    for (const ledger::TurnRow& row : *rows) {
        if (row.parent) {
            parents.insert(*row.parent);
        }
    }
    std::string out;
    value::Array listed;
    for (const ledger::TurnRow& row : *rows) {
        if (parents.contains(row.id)) {
            continue;
        }
        const bool here = row.id == campaign.head();
        out += std::string(here ? "* " : "  ") + row.id.brief() + "  " +
               std::to_string(row.number) + "  " + engine::print_instant(row.time) + "\n";
        listed = std::move(listed).push_back(campaign::turn_row_json(row).set("is_head", here));
    }
    call.console.print(call.has("--json")
                           ? json_line(campaign::where_json(campaign).set("branches", listed))
                           : out);
    return Exit::kDone;
}

}  // namespace

Exit run_branch(const Call& call) {
    if (call.arguments.empty()) {
        const auto opened = look_at_campaign(call);
        return opened ? list_branches(call, opened->campaign) : opened.error();
    }
    auto playing = open_session_to_move(call);
    if (!playing) {
        return playing.error();
    }
    const auto turn = turn_of(call, playing->session->campaign(), 0);
    if (!turn) {
        return turn.error();
    }
    if (const auto moved = playing->session->go_to(*turn); !moved) {
        return trouble(call.console, moved.error());
    }
    const Campaign campaign = playing->session->campaign();
    if (call.has("--json")) {
        call.console.print(json_line(campaign::where_json(campaign)));
    } else {
        say_where(call.console, campaign);
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
