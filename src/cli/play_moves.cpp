#include "cli/play_moves.h"

#include <string>

#include "cli/ledger.h"
#include "table/layout.h"

namespace arbiter::cli {
namespace {

using value::Value;

}  // namespace

void show_error(PlayerConsole& out, campaign::Session& session, const base::Error& error) {
    out.tell_line(session.redactor().text(base::explain(error, out.language())), Color::kYellow);
}

void show_status(PlayerConsole& out, campaign::Session& session) {
    const ledger::Campaign campaign = session.campaign();
    const Value& document = campaign.state().document;
    const Value* actor = table::find_character(document, table::active_actor(document));
    std::string line = "[" + std::to_string(campaign.story_number()) + "]";
    if (actor != nullptr) {
        line += " " + on_one_line(table::text_in(actor, "name"));
        if (const auto hp = table::hp_of(actor)) {
            line += "  HP " + std::to_string(hp->current) + "/" + std::to_string(hp->max);
        }
        const Value* area = table::find_area(document, table::text_in(actor, "area_id"));
        if (area != nullptr) {
            line += "  @ " + on_one_line(table::text_in(area, "name"));
        }
    }
    out.show_line(session.redactor().text(line), Color::kDim);
}

namespace {

void say_where(PlayerConsole& out, campaign::Session& session) {
    const table::PlayerText where[] = {
        session.redactor().text(std::to_string(session.campaign().story_number()))};
    out.say({"You are at turn {0}:\n", "现在位于第 {0} 回合：\n"}, Color::kGreen, where);
    if (const std::string words = last_words(session); !words.empty()) {
        out.tell_line(session.redactor().text(words));
    }
    show_status(out, session);
}

}  // namespace

void move_to(PlayerConsole& out, campaign::Session& session, std::string_view command,
             std::string_view turn) {
    const auto to = session.campaign().find(turn);
    const auto moved = !to                      ? base::Result<>(std::unexpected(to.error()))
                       : command == "/rollback" ? session.rollback(*to)
                                                : session.go_to(*to);
    if (!moved) {
        show_error(out, session, moved.error());
        return;
    }
    say_where(out, session);
    if (command == "/rollback") {
        out.say({"/undo takes this back.\n", "/undo 可以撤销这次回滚。\n"}, Color::kDim);
    }
}

void undo_move(PlayerConsole& out, campaign::Session& session) {
    if (const auto done = session.undo(); !done) {
        show_error(out, session, done.error());
        return;
    }
    say_where(out, session);
}

void name_turn(PlayerConsole& out, campaign::Session& session, std::string_view label,
               engine::Instant now) {
    if (const auto done = session.checkpoint(std::string(label), now, 0); !done) {
        show_error(out, session, done.error());
        return;
    }
    const table::Redactor redactor = session.redactor();
    const table::PlayerText words[] = {
        redactor.text(std::to_string(session.campaign().story_number())),
        redactor.text(on_one_line(label))};
    out.say({"Turn {0} is now called {1}. /rollback {1} comes back to it.\n",
             "第 {0} 回合已命名为 {1}；用 /rollback {1} 可回到这里。\n"},
            Color::kGreen, words);
}

void list_checkpoints(PlayerConsole& out, campaign::Session& session) {
    const ledger::Campaign campaign = session.campaign();
    const auto list = campaign.checkpoints();
    if (!list) {
        show_error(out, session, list.error());
        return;
    }
    if (list->empty()) {
        out.say({"No turn has a name yet: /checkpoint NAME\n", "还没有存档：/checkpoint 名称\n"});
    }
    for (const ledger::Checkpoint& each : *list) {
        const auto record = campaign.record(each.turn);
        out.show_line(session.redactor().text(
            "[" + (record ? std::to_string(record->shown_number()) : std::string("?")) + "] " +
            on_one_line(each.label)));
    }
}

}  // namespace arbiter::cli
