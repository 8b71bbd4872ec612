// campaign, turn, checkpoint, rollback, undo, branch: playing a campaign that is kept.
#include <charconv>
#include <random>
#include <set>

#include "base/limits.h"
#include "cli/cards.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "cli/replies.h"
#include "cli/verdicts.h"
#include "engine/initvar.h"
#include "ledger/library.h"
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
    ledger::Beginning beginning;
    beginning.id = call.has("--id") ? std::string(call.value("--id", "")) : fresh_id();
    if (beginning.id == ledger::kLibraryId) {
        return trouble(console, base::Error(ErrorCode::kCampaignExists, {beginning.id}));
    }
    beginning.name = name;
    std::optional<CardStart> card;
    if (call.has("--card")) {
        auto begun = card_start_of(call, beginning.id);
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
    beginning.state = world->setting.policy.locks_structure
                          ? engine::take_structure(std::move(document))
                          : engine::State{std::move(document), {}};
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    beginning.time = *now;
    beginning.rules = rules_of(*world);
    beginning.texts = texts_of(*world);
    if (card) {
        begin_with(*card, *world, beginning);
    }
    const auto store = open_store(call);
    if (!store) {
        return store.error();
    }
    auto campaign = Campaign::begin(**store, beginning);
    if (!campaign) {
        return trouble(console, campaign.error());
    }
    if (card) {
        const auto greeted = greet(console, *card, *world, *now, *campaign);
        if (!greeted) {
            return trouble(console, greeted.error());
        }
        console.print(*greeted);
    }
    say_where(console, *campaign);
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

// The world of the turn that a campaign stands at.
std::expected<config::World, Exit> present_world(const Call& call, const Campaign& campaign) {
    if (call.has("--profile")) {
        auto world = config::load_world(call.value("--profile", ""));
        if (!world) {
            report(call.console, world.error());
            return std::unexpected(Exit::kTrouble);
        }
        return *std::move(world);
    }
    // Turns that no command made have no rules of their own.
    ledger::TurnId at = campaign.head();
    while (true) {
        const auto record = campaign.record(at);
        if (!record) {
            return std::unexpected(trouble(call.console, record.error()));
        }
        if (record->rules.empty() && record->parent) {
            at = *record->parent;
            continue;
        }
        auto world = world_of(campaign, record->rules);
        if (!world) {
            return std::unexpected(trouble(call.console, world.error()));
        }
        return *std::move(world);
    }
}

// How many checkpoints are kept; 0: all.
std::expected<std::size_t, Exit> most_of(const Call& call) {
    const std::string text(call.value("--most", "0"));
    std::size_t most = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), most);
    if (error != std::errc() || end != text.data() + text.size()) {
        return std::unexpected(
            trouble(call.console, base::Error(ErrorCode::kBadOptionValue, {"--most", text, "20"})));
    }
    return most;
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
    auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    Campaign& campaign = opened->campaign;
    const auto world = present_world(call, campaign);
    if (!world) {
        return world.error();
    }
    const std::string file = call.arguments.empty() ? "-" : call.arguments[0];
    const auto text = read_file(console, file, base::kBatchBytesMax);
    if (!text) {
        return trouble(console, text.error());
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    const engine::Actor actor =
        call.has("--player") ? engine::Actor::kPlayer : engine::Actor::kModel;
    ledger::Said said;
    said.context = {*now, actor, campaign.next_batch()};
    said.said = call.value("--said", "");
    said.raw = *text;
    const reader::Reading reading = reader::read(*text, profile::reading(world->profile, actor));
    said.shown = reading.text;
    const rules::Played played = rules::play(campaign.state(), reading.proposals, reading.text,
                                             world->setting, said.context);
    said.proposals = reading.proposals;
    said.played = &played;
    said.rules = rules_of(*world);
    said.texts = texts_of(*world);
    const auto kept = campaign.append(said);
    if (!kept) {
        return trouble(console, kept.error());
    }
    console.print(turn_lines(console, reading, played));
    say_where(console, campaign);
    return is_refused(played) ? Exit::kNo : Exit::kDone;
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
    const auto most = most_of(call);
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
