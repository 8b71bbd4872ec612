#include "cli/play_report.h"

#include "table/layout.h"
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

std::optional<turn::ReportChoice> report_choice_of(std::string_view command) noexcept {
    return command.starts_with('/') ? turn::find_report_choice(command.substr(1)) : std::nullopt;
}

}  // namespace arbiter::cli
