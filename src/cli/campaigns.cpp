// The commands campaign, turn, checkpoint, rollback, undo and branch on saved campaigns.
#include <set>

#include "base/limits.h"
#include "campaign/session.h"
#include "campaign/view.h"
#include "cli/campaign_new.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/player_actions.h"
#include "cli/player_console.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "ledger/library.h"
#include "model/scripted.h"
#include "rules/worlds.h"
#include "table/layout.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using ledger::CampaignRow;
using value::Value;

Exit list_campaigns(const Call& call) {
    const auto store = open_store(call);
    if (!store) {
        return store.error();
    }
    const auto rows = (*store)->campaigns();
    if (!rows) {
        return trouble(call.console, rows.error());
    }
    std::string out;
    for (const CampaignRow& row : *rows) {
        if (row.id == ledger::kLibraryId) {
            continue;
        }
        out += call.console.painted(row.id, Color::kCyan) + "  " + row.name + "  " +
               engine::print_instant(row.created) + "\n";
    }
    call.console.print(out);
    return Exit::kDone;
}

Exit show_campaign(const Call& call) {
    const auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const auto view =
        campaign::campaign_view(opened->campaign, session_options_of(call, *opened->store));
    if (!view) {
        return trouble(call.console, view.error());
    }
    say_where(call.console, opened->campaign);
    const ledger::Campaign& campaign = opened->campaign;
    PlayerConsole(call.console)
        .show(redactor_during(call, campaign, campaign.head()).records(*view));
    return Exit::kDone;
}

Exit change_campaign(const Call& call, std::string_view action) {
    auto playing = open_session(call);
    const auto now = now_of(call);
    if (!playing || !now) {
        return !playing ? playing.error() : now.error();
    }
    std::optional<model::Scripted> narrator;
    if (call.has("--script")) {
        auto script = model::load_script(std::string(call.value("--script", "")));
        if (!script) {
            report(call.console, script.error());
            return Exit::kTrouble;
        }
        narrator.emplace(*std::move(script));
    }
    const PlayerAction what{action, std::span(call.arguments).subspan(1), *now,
                            call.has("--hidden"), narrator ? &*narrator : nullptr};
    const auto done = do_player_action(*playing->session, what, call.console.language);
    if (!done) {
        return trouble(call.console, done.error());
    }
    PlayerConsole(call.console)
        .show_line(redactor_of(call, playing->session->campaign()).text(*done));
    return Exit::kDone;
}

}  // namespace

Exit run_campaign(const Call& call) {
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    if (action == "new") {
        return new_campaign(call);
    }
    if (action == "list") {
        return list_campaigns(call);
    }
    if (action == "show") {
        return show_campaign(call);
    }
    if (is_player_action(action)) {
        return change_campaign(call, action);
    }
    return trouble(call.console,
                   base::Error(ErrorCode::kBadOptionValue,
                               {"campaign", action, "new, list, show, " + player_actions()}));
}

Exit run_turn(const Call& call) {
    const Console& console = call.console;
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
    const std::string file = call.arguments.empty() ? "-" : call.arguments[0];
    auto text = read_file(console, file, base::kBatchBytesMax);
    if (!text) {
        return trouble(console, text.error());
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    turn::SuppliedReply reply;
    reply.text = *std::move(text);
    reply.said = call.value("--said", "");
    reply.actor = call.has("--player") ? engine::Actor::kPlayer : engine::Actor::kModel;
    reply.now = *now;
    const value::Value before = playing->session->campaign().state().document;
    const auto result = playing->session->apply(std::move(reply), std::move(world));
    if (!result) {
        return trouble(console, result.error());
    }
    const table::Redactor redactor =
        redactor_of(call, playing->session->campaign())
            .during(before, playing->session->campaign().state().document);
    turn::Attempt visible = result->attempt;
    mask_hidden_values(visible, redactor);
    PlayerConsole(console).show(redactor.text(turn_lines(
        console, last_words(*playing->session), visible, playing->session->registries()->tools)));
    if (!result->protocol_notice.empty()) {
        PlayerConsole(console).show_line(result->protocol_notice, Color::kYellow);
    }
    say_where(console, playing->session->campaign());
    return is_refused(result->attempt) ? Exit::kNo : Exit::kDone;
}

Exit run_checkpoint(const Call& call) {
    const std::string label = call.arguments.empty() ? "" : call.arguments[0];
    if (label.empty()) {
        const auto opened = look_at_campaign(call);
        const auto all = opened ? std::optional(opened->campaign.checkpoints()) : std::nullopt;
        if (!all) {
            return opened.error();
        }
        if (!*all) {
            return trouble(call.console, all->error());
        }
        std::string out;
        for (const ledger::Checkpoint& each : **all) {
            out += each.turn.brief() + "  " + engine::print_instant(each.time) + "  " + each.label +
                   "\n";
        }
        call.console.print(out);
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
        return trouble(call.console, kept.error());
    }
    say_where(call.console, playing->session->campaign());
    return Exit::kDone;
}

Exit run_rollback(const Call& call) {
    auto playing = open_session_to_move(call);
    if (!playing) {
        return playing.error();
    }
    const auto turn = turn_of(call, playing->session->campaign(), 0);
    if (!turn) {
        return turn.error();
    }
    if (const auto moved = playing->session->rollback(*turn); !moved) {
        return trouble(call.console, moved.error());
    }
    say_where(call.console, playing->session->campaign());
    return Exit::kDone;
}

Exit run_undo(const Call& call) {
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    if (const auto moved = playing->session->undo(); !moved) {
        report(call.console, moved.error(), "arbiter", {});
        return moved.error().code == ErrorCode::kNothingToUndo ? Exit::kNo : Exit::kTrouble;
    }
    say_where(call.console, playing->session->campaign());
    return Exit::kDone;
}

Exit run_world(const Call& call) {
    const Console& console = call.console;
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    if (call.arguments.empty()) {
        const Campaign campaign = playing->session->campaign();
        std::string out;
        std::size_t number = 0;
        for (const rules::Backup& backup : rules::backups(campaign.state().meta)) {
            out += std::to_string(++number) + "  " + console.painted(backup.world, Color::kCyan) +
                   (backup.date ? "  " + brief(*backup.date) : "") + "\n";
            for (const auto& [path, content] : backup.contents) {
                out += "\t" + std::string(path.view()) + ": " + brief(content) + "\n";
            }
        }
        PlayerConsole(console).show(redactor_of(call, campaign).text(out));
        return Exit::kDone;
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    if (const auto restored = playing->session->restore_world(call.arguments[0], *now); !restored) {
        report(console, restored.error(), "arbiter", {});
        return restored.error().code == ErrorCode::kNotFound ? Exit::kNo : Exit::kTrouble;
    }
    say_where(console, playing->session->campaign());
    return Exit::kDone;
}

Exit run_branch(const Call& call) {
    auto playing = open_session_to_move(call);
    if (!playing) {
        return playing.error();
    }
    const Campaign campaign = playing->session->campaign();
    if (call.arguments.empty()) {
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
        for (const ledger::TurnRow& row : *rows) {
            if (!parents.contains(row.id)) {
                const bool here = row.id == campaign.head();
                out += std::string(here ? "* " : "  ") + row.id.brief() + "  " +
                       std::to_string(row.number) + "  " + engine::print_instant(row.time) + "\n";
            }
        }
        call.console.print(out);
        return Exit::kDone;
    }
    const auto turn = turn_of(call, campaign, 0);
    if (!turn) {
        return turn.error();
    }
    if (const auto moved = playing->session->go_to(*turn); !moved) {
        return trouble(call.console, moved.error());
    }
    say_where(call.console, playing->session->campaign());
    return Exit::kDone;
}

}  // namespace arbiter::cli
