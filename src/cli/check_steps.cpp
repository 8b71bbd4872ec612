#include "cli/check_steps.h"

namespace arbiter::cli {

void print_steps(const Console& console, std::span<const openai::CheckStep> steps) {
    using Outcome = openai::CheckStep::Outcome;
    for (const openai::CheckStep& step : steps) {
        std::string_view mark = "✓";
        Color color = Color::kGreen;
        if (step.outcome != Outcome::kPassed) {
            mark = step.outcome == Outcome::kWarned ? "!" : "✗";
            color = step.outcome == Outcome::kWarned ? Color::kYellow : Color::kRed;
        }
        console.print(console.painted(mark, color) + " " +
                      on_one_line(step.said.in(console.language)) + "\n");
        if (!step.advice.empty()) {
            console.print("  → " + on_one_line(step.advice.in(console.language)) + "\n");
        }
    }
}

}  // namespace arbiter::cli
