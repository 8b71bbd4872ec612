#include "cli/play_report.h"

#include "table/layout.h"
#include "turn/report_choice.h"
#include "value/array.h"

namespace arbiter::cli {

void show_report(PlayerConsole& out, const turn::TurnResult& result,
                 const table::Redactor& redactor) {
    const value::Array& conflicts =
        table::array_or_empty(value::find_member(&result.report, "conflicts"));
    for (const value::Value& each : conflicts) {
        out.show_line(redactor.text("  " + std::string(table::text_in(&each, "reason"))),
                      Color::kYellow);
    }
    if (result.attempt.narration.empty()) {
        return;
    }
    const value::Array& choices =
        table::array_or_empty(value::find_member(&result.report, "choices"));
    out.say({"/keep plays the reply without these sentences; /edit TEXT tells it in your words",
             "/keep 去掉这些句子后采用该回复；/edit 文字 改用你的叙述"});
    if (table::holds_text(choices, "accept")) {
        out.say({"; /accept makes the narration true", "；/accept 让叙述成真"});
    }
    if (table::holds_text(choices, "roll_back")) {
        out.say({"; /rollback TURN goes back", "；/rollback 回合 回到之前"});
    }
    out.say({". Or just go on.\n", "。也可以直接继续。\n"});
}

bool is_report_choice(std::string_view command) noexcept {
    return command.starts_with('/') && turn::find_report_choice(command.substr(1)).has_value();
}

base::Result<turn::TurnResult> choose(campaign::Session& session, const ReportedTurn& reported,
                                      std::string_view command, std::string_view rest,
                                      engine::Instant now) {
    const turn::ReportChoice choice = turn::find_report_choice(command.substr(1)).value();
    const bool accepts = choice == turn::ReportChoice::kAccept;
    const value::Object settings = session.settings();
    if (choice == turn::ReportChoice::kEdit && rest.empty()) {
        return base::fail(base::ErrorCode::kMissingArgument, {"/edit TEXT"});
    }
    if (accepts) {
        const auto possible =
            turn::accept_claims(session.campaign().state(), reported.result, settings, now);
        if (!possible) {
            return std::unexpected(possible.error());
        }
    }
    auto played = session.apply(
        turn::chosen_reply(reported.result, choice, reported.said, std::string(rest), now));
    if (!played || !accepts) {
        return played;
    }
    const auto changed = session.edit(
        [&](const engine::State& state) {
            return turn::accept_claims(state, reported.result, settings, now);
        },
        now, "accepted narration");
    if (!changed) {
        return std::unexpected(changed.error());
    }
    played->notice = {};
    return played;
}

}  // namespace arbiter::cli
