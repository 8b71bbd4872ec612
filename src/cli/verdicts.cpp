#include "cli/verdicts.h"

#include <algorithm>
#include <span>

#include "base/limits.h"
#include "cli/documents.h"
#include "engine/describe.h"
#include "engine/suggest.h"
#include "proposal/advice.h"
#include "proposal/describe.h"
#include "proposal/operations.h"
#include "reader/notice_words.h"
#include "table/layout.h"
#include "text/truncate.h"
#include "turn/judge.h"
#include "value/json.h"

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

std::string problem_lines(const Console& console, const proposal::Proposal& proposal) {
    std::string lines;
    bool suggested = false;
    for (const proposal::Problem& problem : proposal.problems) {
        lines += "\t" + explain(proposal, problem, console.language) + "\n";
        suggested = suggested || problem.code == proposal::Code::kParseError;
    }
    if (suggested) {
        const base::Text advice = proposal::suggestion(proposal.dialect);
        lines += '\t';
        for (const char c : advice.in(console.language)) {
            lines += c;
            lines += c == '\n' ? "\t" : "";
        }
        lines += '\n';
    } else if (proposal.instruction() == nullptr && proposal.tool_call() == nullptr) {
        lines += "\t" + console.painted(quoted_command(proposal), Color::kDim) + "\n";
    }
    return lines;
}

std::string quoted_command(const proposal::Proposal& proposal) {
    std::string line(text::truncate_with_ellipsis(proposal.raw, base::kDetailBytesMax));
    std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return line;
}

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
    for (const proposal::Remark& remark : verdict.remarks) {
        lines += "\t" + explain(remark, console.language) + "\n";
    }
    for (const proposal::Warning warning : verdict.warnings.list()) {
        // A repair without a remark is one of spelling.
        const bool is_told = warning == proposal::Warning::kRepaired ||
                             std::ranges::find(verdict.remarks, warning,
                                               &proposal::Remark::warning) != verdict.remarks.end();
        if (!is_told) {
            lines += "\t" + explain(proposal::Remark{warning, {}}, console.language) + "\n";
        }
    }
    if (!verdict.problem || verdict.status == proposal::Status::kRolledBack) {
        return lines;
    }
    lines += "\t" + explain(*verdict.problem, console.language);
    if (verdict.problem->code == proposal::Code::kNotFound) {
        if (const auto meant = engine::suggest_path(document, verdict.path)) {
            const std::string words[] = {value::print_path(*meant, value::PathSyntax::kDotted)};
            lines += base::format_message(console.say({" Did you mean {0}?", "是不是想写 {0}？"}),
                                          words);
        }
    }
    return lines + "\n";
}

std::string notice_lines(const Console& console, std::span<const proposal::Notice> notices,
                         const value::Value* document) {
    std::string out;
    for (auto notice = notices.begin(); notice != notices.end(); ++notice) {
        const auto is_same = [&](const proposal::Notice& other) {
            return other.kind == notice->kind && other.about == notice->about;
        };
        if (std::any_of(notices.begin(), notice, is_same)) {
            continue;  // saying so once is enough
        }
        std::string line = describe(*notice);
        if (notice->kind == proposal::Notice::Kind::kInspect && document != nullptr) {
            const auto path = value::parse_path(notice->about, value::PathSyntax::kDotted);
            const value::Value* found = path ? value::find(*document, *path) : nullptr;
            line += found != nullptr ? " = " + value::print_json(*found) : " X not_found";
        }
        out += console.painted("!\t" + line, Color::kYellow) + "\n";
        const std::string words = reader::explain(*notice, console.language);
        out += words.empty() ? "" : "\t" + words + "\n";
    }
    return out;
}

namespace {

// The result of a tool call, or the reason for its refusal. A direct command that became a call
// shows its path too.
std::string tool_lines(const Console& console, const engine::Verdict& verdict,
                       const turn::FailedCall* failed, const table::ToolRegistry& tools) {
    std::string line = std::string(name(verdict.status)) + " ";
    if (verdict.op) {
        line += std::string(proposal::name(*verdict.op)) + " " +
                value::print_path(verdict.path, value::PathSyntax::kDotted) + " → ";
    }
    line += verdict.tool;
    if (failed != nullptr) {
        line += " X " + failed->refusal.reason;
    } else if (verdict.value) {
        line += " = " + value::print_json(*verdict.value);
    }
    std::string lines = console.painted(line, color_of(verdict.status)) + "\n";
    if (failed != nullptr) {
        lines += "\t" +
                 table::explain_reason(tools, failed->tool, failed->refusal, console.language) +
                 "\n";
    }
    for (const value::Change& change : verdict.changes) {
        lines += "\t" + change_line(console, change);
    }
    return lines;
}

}  // namespace

std::string turn_lines(const Console& console, std::string shown, const turn::Attempt& attempt,
                       const table::ToolRegistry& tools) {
    const reader::Reading& reading = attempt.reading;
    const std::vector<turn::FailedCall>& failed = attempt.failed_calls;
    std::string out = std::move(shown);
    if (!out.empty() && !out.ends_with('\n')) {
        out += '\n';
    }
    if (!out.empty() && !attempt.outcome.verdicts.empty()) {
        out += console.painted("--", Color::kDim) + "\n";
    }
    for (std::size_t i = 0; i < attempt.outcome.verdicts.size(); ++i) {
        const engine::Verdict& verdict = attempt.outcome.verdicts[i];
        const auto refusal = std::ranges::find(failed, i, &turn::FailedCall::proposal);
        const bool is_call =
            !verdict.tool.empty() &&
            (refusal != failed.end() || verdict.status == proposal::Status::kApplied);
        if (is_call) {
            out +=
                tool_lines(console, verdict, refusal != failed.end() ? &*refusal : nullptr, tools);
        } else if (i < reading.proposals.size() && !reading.proposals[i].problems.empty() &&
                   verdict.status == proposal::Status::kRejected) {
            out += console.painted(describe(verdict), color_of(verdict.status)) + "\n" +
                   problem_lines(console, reading.proposals[i]);
        } else {
            out += verdict_lines(console, verdict, attempt.outcome.state.document);
        }
        for (const engine::Event& event : attempt.outcome.events) {
            if (event.proposal == i) {
                out += "\t" + event.name + value::print_json(value::Value(event.arguments)) + "\n";
            }
        }
    }
    for (const engine::Expired& expired : attempt.outcome.expired) {
        const std::string path = value::print_path(expired.path, value::PathSyntax::kDotted);
        out += console.painted("expire " + path, Color::kDim) + "\n";
    }
    for (const rules::Effect& effect : attempt.effects) {
        if (!table::is_bookkeeping(effect.path)) {
            out += console.painted(rules::describe(effect), Color::kDim) + "\n";
        }
    }
    if (!attempt.settled) {
        out += console.painted(
                   console.say({"The rules kept on changing each other's values and were stopped.",
                                "规则不断互相触发，已强制停止。"}),
                   Color::kYellow) +
               "\n";
    }
    if (attempt.spent) {
        out += console.painted(rules::explain_spent().in(console.language), Color::kYellow) + "\n";
    }
    for (const rules::OversizeRule& each : attempt.oversize) {
        out += console.painted(rules::explain(each).in(console.language), Color::kYellow) + "\n";
    }
    for (const reader::Reading::Lost& lost : reading.lost) {
        out += console.painted("ignored " + describe(lost.proposal), Color::kDim) + "\n";
    }
    return out + notice_lines(console, reading.notices, &attempt.outcome.state.document);
}

}  // namespace arbiter::cli
