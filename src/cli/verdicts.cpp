#include "cli/verdicts.h"

#include <algorithm>

#include "engine/describe.h"
#include "engine/suggest.h"
#include "proposal/describe.h"

namespace arbiter::cli {
namespace {

Color color_of(proposal::Status status) {
    switch (status) {
        case proposal::Status::kApplied:
            return Color::kGreen;
        case proposal::Status::kSkipped:
        case proposal::Status::kDuplicate:
            return Color::kYellow;
        case proposal::Status::kRejected:
        case proposal::Status::kFailed:
        case proposal::Status::kRolledBack:
            return Color::kRed;
    }
    return Color::kNone;
}

}  // namespace

// One command: the verdict, and why it is not what was asked for, with what would have worked.
std::string verdict_lines(const Console& console, const engine::Verdict& verdict,
                          const value::Value& document) {
    std::string lines = console.painted(describe(verdict), color_of(verdict.status)) + "\n";
    for (const std::string_view feature : verdict.left_out) {
        const std::string words[] = {std::string(feature)};
        lines +=
            "\t" +
            base::format_message(console.say({"{0} is switched off here; carried out without it",
                                              "此处已关闭 {0}，按降级方式执行"}),
                                 words) +
            "\n";
    }
    if (!verdict.problem || verdict.status == proposal::Status::kRolledBack) {
        return lines;
    }
    lines += "\t" + explain(*verdict.problem, console.language);
    if (verdict.problem->code == proposal::Code::kNotFound) {
        if (const auto meant = engine::suggest_path(document, verdict.path)) {
            const std::string words[] = {value::print_path(*meant, value::PathSyntax::kDotted)};
            lines += " " + base::format_message(
                               console.say({"Did you mean {0}?", "是不是想写 {0}？"}), words);
        }
    }
    return lines + "\n";
}

std::string turn_lines(const Console& console, const reader::Reading& reading,
                       const rules::Played& played) {
    std::string out = reading.text;
    if (!out.empty() && !out.ends_with('\n')) {
        out += '\n';
    }
    if (!out.empty() && !played.outcome.verdicts.empty()) {
        out += console.painted("--", Color::kDim) + "\n";
    }
    for (const engine::Verdict& verdict : played.outcome.verdicts) {
        out += verdict_lines(console, verdict, played.outcome.state.document);
    }
    for (const rules::Effect& effect : played.effects) {
        out += console.painted(rules::describe(effect), Color::kDim) + "\n";
    }
    if (!played.settled) {
        out += console.painted(
                   console.say({"The rules kept on changing each other's values and were stopped.",
                                "规则不断互相触发，已强制停止。"}),
                   Color::kYellow) +
               "\n";
    }
    for (const reader::Reading::Lost& lost : reading.lost) {
        out += console.painted("ignored " + describe(lost.proposal), Color::kDim) + "\n";
    }
    return out;
}

bool is_refused(const rules::Played& played) {
    return std::ranges::any_of(played.outcome.verdicts, [](const engine::Verdict& verdict) {
        return verdict.status == proposal::Status::kRejected ||
               verdict.status == proposal::Status::kFailed;
    });
}

}  // namespace arbiter::cli
