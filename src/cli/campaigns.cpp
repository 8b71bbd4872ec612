// campaign, turn, checkpoint, rollback, undo, branch: playing a campaign that is kept.
#include <random>
#include <set>

#include "base/limits.h"
#include "campaign/session.h"
#include "campaign/start.h"
#include "cli/cards.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "engine/initvar.h"
#include "ledger/library.h"
#include "rules/worlds.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using ledger::CampaignRow;
using value::Value;

// Short enough to type, and no two alike.
std::string fresh_id() {
    constexpr std::string_view kLetters = "abcdefghjkmnpqrstuvwxyz23456789";
    std::random_device device;
    std::string id;
    for (int i = 0; i < 8; ++i) {
        id += kLetters[device() % kLetters.size()];
    }
    return id;
}

void say_where(const Console& console, const Campaign& campaign) {
    const std::string words[] = {campaign.row().id, std::to_string(campaign.number()),
                                 campaign.head().brief()};
    console.print(base::format_message(
        console.say({"{0}: turn {1} ({2})\n", "{0}：第 {1} 回合（{2}）\n"}), words));
}

Exit new_campaign(const Call& call) {
    const Console& console = call.console;
    const std::string name = call.arguments.size() > 1 ? call.arguments[1] : "";
    if (name.empty()) {
        return trouble(console, base::Error(ErrorCode::kMissingArgument, {"NAME"}));
    }
    campaign::Starting starting;
    starting.id = call.has("--id") ? std::string(call.value("--id", "")) : fresh_id();
    starting.name = name;
    std::optional<CardStart> card;
    if (call.has("--card")) {
        auto begun = card_start_of(call, starting.id);
        if (!begun) {
            return begun.error();
        }
        card = *std::move(begun);
    }
    const std::string_view usual = !card ? "auto" : usual_profile_of(*card);
    auto world = config::load_world(call.value("--profile", usual));
    if (!world) {
        report(console, world.error());
        return Exit::kTrouble;
    }
    Value document = value::Object();
    if (const std::string file(call.value("--state", "")); !file.empty()) {
        auto loaded = load_document(console, file);
        if (!loaded) {
            return loaded.error();
        }
        document = std::move(*loaded);
    }
    if (call.has("--init")) {
        for (const auto& book : world->setting.books) {
            document = rules::with_blueprint(document, book->blueprint);
        }
    }
    starting.state = world->setting.policy.locks_structure
                         ? engine::take_structure(std::move(document))
                         : engine::State{std::move(document), {}};
    if (card) {
        first_state(*card, world->setting.policy, starting.state);
        starting.card = card->card;
    }
    if (const std::string file(call.value("--table", "")); !file.empty()) {
        auto written = load_template(console, file);
        if (!written) {
            return written.error();
        }
        starting.table = *std::move(written);
    }
    starting.world = *std::move(world);
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    starting.now = *now;
    // Several are written with commas.
    for (std::string_view rest = call.value("--protocol", ""); !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        starting.wishes.push_back({std::string(rest.substr(0, end))});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const auto store = open_store(call);
    if (!store) {
        return store.error();
    }
    campaign::Gear gear = gear_of(call, **store);
    std::vector<base::Error> warnings;
    const std::string id = starting.id;
    const auto campaign = campaign::start(**store, std::move(starting), gear, warnings);
    for (const base::Error& warning : warnings) {
        report(console, warning, "arbiter", {});
    }
    if (!campaign) {
        return trouble(console, campaign.error());
    }
    if (!card || card->start.greeting.empty()) {
        say_where(console, *campaign);
        return Exit::kDone;
    }
    // The author speaks here, not the model.
    auto session = campaign::Session::open(**store, id, std::move(gear));
    campaign::Given given;
    given.reply = card->start.greeting;
    given.actor = engine::Actor::kSystem;
    given.now = *now;
    auto greeted = session ? (*session)->apply(given) : std::unexpected(session.error());
    if (!greeted) {
        return trouble(console, greeted.error());
    }
    greeted->reading.text = printable(greeted->reading.text);
    console.print(turn_lines(console, greeted->reading, greeted->judged));
    say_where(console, (*session)->campaign());
    return Exit::kDone;
}

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
    say_where(call.console, opened->campaign);
    call.console.print(
        value::print_json(opened->campaign.state().document, value::JsonStyle::kPretty) + "\n");
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
    return trouble(call.console, base::Error(ErrorCode::kBadOptionValue,
                                             {"campaign", action, "new, list, show"}));
}

Exit run_turn(const Call& call) {
    const Console& console = call.console;
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    campaign::Given given;
    if (call.has("--profile")) {
        auto world = config::load_world(call.value("--profile", ""));
        if (!world) {
            report(console, world.error());
            return Exit::kTrouble;
        }
        given.world = *std::move(world);
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
    given.reply = *std::move(text);
    given.said = call.value("--said", "");
    given.actor = call.has("--player") ? engine::Actor::kPlayer : engine::Actor::kModel;
    given.now = *now;
    const auto turned = playing->session->apply(given);
    if (!turned) {
        return trouble(console, turned.error());
    }
    console.print(turn_lines(console, turned->reading, turned->judged));
    say_where(console, playing->session->campaign());
    return is_refused(turned->judged.played) ? Exit::kNo : Exit::kDone;
}

Exit run_checkpoint(const Call& call) {
    auto opened = open_campaign(call);
    const auto now = now_of(call);
    if (!opened || !now) {
        return Exit::kTrouble;
    }
    const std::string label = call.arguments.empty() ? "" : call.arguments[0];
    if (label.empty()) {
        const auto all = opened->campaign.checkpoints();
        if (!all) {
            return trouble(call.console, all.error());
        }
        std::string out;
        for (const ledger::Checkpoint& each : *all) {
            out += each.turn.brief() + "  " + engine::print_instant(each.time) + "  " + each.label +
                   "\n";
        }
        call.console.print(out);
        return Exit::kDone;
    }
    // 0: all are kept.
    const auto most = number_of(call, "--most", 0);
    if (!most) {
        return most.error();
    }
    if (const auto kept = opened->campaign.checkpoint(label, *now, *most); !kept) {
        return trouble(call.console, kept.error());
    }
    say_where(call.console, opened->campaign);
    return Exit::kDone;
}

Exit run_rollback(const Call& call) {
    auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const auto turn = turn_of(call, opened->campaign, 0);
    if (!turn) {
        return turn.error();
    }
    if (const auto moved = opened->campaign.rollback(*turn); !moved) {
        return trouble(call.console, moved.error());
    }
    say_where(call.console, opened->campaign);
    return Exit::kDone;
}

Exit run_undo(const Call& call) {
    auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    if (const auto moved = opened->campaign.undo(); !moved) {
        report(call.console, moved.error(), "arbiter", {});
        return moved.error().code == ErrorCode::kNothingToUndo ? Exit::kNo : Exit::kTrouble;
    }
    say_where(call.console, opened->campaign);
    return Exit::kDone;
}

Exit run_world(const Call& call) {
    const Console& console = call.console;
    auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    Campaign& campaign = opened->campaign;
    if (call.arguments.empty()) {
        std::string out;
        for (const rules::Backup& backup : rules::backups(campaign.state().meta)) {
            out += console.painted(backup.world, Color::kCyan) +
                   (backup.date ? "  " + brief(*backup.date) : "") + "\n";
            for (const auto& [path, content] : backup.contents) {
                out += "\t" + std::string(path.view()) + ": " + brief(content) + "\n";
            }
        }
        console.print(out);
        return Exit::kDone;
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    const auto restored = rules::restore_world(campaign.state(), call.arguments[0]);
    if (!restored) {
        report(console, restored.error(), "arbiter", {});
        return Exit::kNo;
    }
    if (const auto kept = campaign.edit(*restored, *now, "restore world " + call.arguments[0]);
        !kept) {
        return trouble(console, kept.error());
    }
    say_where(console, campaign);
    return Exit::kDone;
}

Exit run_branch(const Call& call) {
    auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    Campaign& campaign = opened->campaign;
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
    if (const auto moved = campaign.go_to(*turn); !moved) {
        return trouble(call.console, moved.error());
    }
    say_where(call.console, campaign);
    return Exit::kDone;
}

}  // namespace arbiter::cli
