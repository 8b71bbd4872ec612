#include "cli/campaigns.h"

#include "campaign/session.h"
#include "campaign/table_changes.h"
#include "campaign/turn_json.h"
#include "campaign/view.h"
#include "cli/campaign_new.h"
#include "cli/documents.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "cli/narrator.h"
#include "cli/player_actions.h"
#include "cli/player_console.h"
#include "cli/profiles.h"
#include "ledger/library.h"
#include "ledger/names.h"
#include "rules/worlds.h"
#include "table/layout.h"
#include "text/utf8.h"
#include "value/diff.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using ledger::CampaignRow;
using value::Value;

Exit list_campaigns(const Call& call) {
    const auto store = open_store(call, ledger::Access::kRead);
    if (!store) {
        return store.error();
    }
    const auto rows = (*store)->campaigns();
    if (!rows) {
        return trouble(call.console, rows.error());
    }
    std::string out;
    value::Array listed;
    for (const CampaignRow& row : *rows) {
        if (row.id == ledger::kLibraryId) {
            continue;
        }
        out += call.console.painted(on_one_line(row.id), Color::kCyan) + "  " +
               on_one_line(row.name) + "  " + engine::print_instant(row.created);
        if (!row.head) {
            out += call.console.say(
                {"  (incomplete: import or migrate it again)", "  （不完整：请重新导入或迁移）"});
        }
        out += "\n";
        listed = std::move(listed).push_back(campaign::campaign_json(row));
    }
    call.console.print(call.has("--json") ? json_line(value::Object{{"campaigns", listed}}) : out);
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

Exit rename_campaign(const Call& call) {
    if (call.arguments.size() < 2) {
        return trouble(call.console, base::Error(ErrorCode::kMissingArgument, {"NAME"}));
    }
    const std::string name = text::to_utf8(call.arguments[1]);
    if (!ledger::is_campaign_name(name)) {
        return trouble(call.console, base::Error(ErrorCode::kCampaignName, {on_one_line(name)}));
    }
    const auto opened = look_at_campaign(call, ledger::Access::kWrite);
    if (!opened) {
        return opened.error();
    }
    const std::string& id = opened->campaign.row().id;
    if (const auto done = opened->store->rename_campaign(id, name); !done) {
        return trouble(call.console, done.error());
    }
    call.console.print(call.console.painted(on_one_line(id), Color::kCyan) + "  " + name + "\n");
    return Exit::kDone;
}

// The campaign may be damaged, or a copy without an end: only its row is looked at.
Exit delete_campaign(const Call& call) {
    const Console& console = call.console;
    const std::string id(call.arguments.size() > 1 ? std::string_view(call.arguments[1])
                                                   : call.value("--campaign", ""));
    if (id.empty() || id == ledger::kLibraryId) {
        return trouble(console, id.empty() ? base::Error(ErrorCode::kMissingArgument, {"ID"})
                                           : base::Error(ErrorCode::kCampaignUnknown, {id}));
    }
    const auto store = open_store(call, ledger::Access::kWrite);
    if (!store) {
        return store.error();
    }
    const auto row = (*store)->campaign(id);
    if (!row) {
        return trouble(console, row.error());
    }
    if (!call.has("--yes")) {
        const auto turns = (*store)->turn_count(id);
        return trouble(console, base::Error(ErrorCode::kDeleteUnsure,
                                            {on_one_line(id), std::to_string(turns.value_or(0))}));
    }
    if (const auto done = (*store)->delete_campaign(id); !done) {
        return trouble(console, done.error());
    }
    const std::string words[] = {on_one_line(id)};
    console.print(base::format_message(console.say({"{0} was deleted\n", "已删除 {0}\n"}), words));
    return Exit::kDone;
}

Exit change_campaign(const Call& call, std::string_view action) {
    const bool only_lists = action == "greeting" && call.arguments.size() < 2;
    auto playing = open_session(call, only_lists ? ledger::Access::kRead : ledger::Access::kWrite);
    const auto now = now_of(call);
    if (!playing || !now) {
        return !playing ? playing.error() : now.error();
    }
    std::unique_ptr<Narrator> narrator;
    const auto words = std::span(call.arguments).subspan(1);
    if (action == "goal" && words.size() == 1 && words[0] == "generate") {
        auto chosen = Narrator::choose(call, std::nullopt, {});
        if (!chosen) {
            return chosen.error();
        }
        narrator = *std::move(chosen);
    }
    const PlayerAction what{action, words, *now, call.has("--hidden"),
                            narrator ? &narrator->model() : nullptr};
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
    if (action == "rename") {
        return rename_campaign(call);
    }
    if (action == "delete") {
        return delete_campaign(call);
    }
    if (is_player_action(action)) {
        return change_campaign(call, action);
    }
    return trouble(
        call.console,
        base::Error(ErrorCode::kBadOptionValue,
                    {"campaign", action, "new, list, show, rename, delete, " + player_actions()}));
}

Exit run_revert(const Call& call) {
    auto playing = open_session(call);
    const auto now = now_of(call);
    if (!playing || !now) {
        return !playing ? playing.error() : now.error();
    }
    campaign::Session& session = *playing->session;
    const auto turn = turn_of(call, session.campaign(), 0);
    if (!turn) {
        return turn.error();
    }
    const std::string op = call.arguments.size() > 1 ? call.arguments[1] : std::string();
    const Value before = session.campaign().state().document;
    if (const auto done = campaign::revert(session, *turn, op, *now); !done) {
        const bool is_changed = done.error().code == ErrorCode::kDiffMismatch;
        if (!is_changed && done.error().code != ErrorCode::kNotFound) {
            return trouble(call.console, done.error());
        }
        call.console.complain(base::format_message(
            is_changed
                ? call.console.say({"{0} was changed again later: revert that first.\n",
                                    "{0} 之后又被改过：请先撤回后来的改动。\n"})
                : call.console.say({"{0} has changed nothing.\n", "{0} 没有改动任何内容。\n"}),
            done.error().arguments));
        return Exit::kNo;
    }
    const Value after = session.campaign().state().document;
    const table::Redactor redactor = redactor_of(call, session.campaign()).during(before, after);
    std::string out;
    for (const value::Change& change : value::diff(before, after)) {
        out += change_line(call.console, redactor.change(change));
    }
    PlayerConsole(call.console).show(redactor.text(out));
    say_where(call.console, session.campaign());
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
        const Exit exit = trouble(call.console, moved.error());
        return moved.error().code == ErrorCode::kNothingToUndo ? Exit::kNo : exit;
    }
    say_where(call.console, playing->session->campaign());
    return Exit::kDone;
}

Exit run_world(const Call& call) {
    const Console& console = call.console;
    auto playing =
        open_session(call, call.arguments.empty() ? ledger::Access::kRead : ledger::Access::kWrite);
    if (!playing) {
        return playing.error();
    }
    if (call.arguments.empty()) {
        const Campaign campaign = playing->session->campaign();
        std::string out;
        std::size_t number = 0;
        for (const rules::Backup& backup : rules::backups(campaign.state().meta)) {
            out += std::to_string(++number) + "  " +
                   console.painted(on_one_line(backup.world), Color::kCyan) +
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
        const Exit exit = trouble(console, restored.error());
        return restored.error().code == ErrorCode::kNotFound ? Exit::kNo : exit;
    }
    say_where(console, playing->session->campaign());
    return Exit::kDone;
}

}  // namespace arbiter::cli
