#include "turn/round_texts.h"

#include "base/limits.h"
#include "table/player_view.h"
#include "turn/turn.h"
#include "value/json.h"
#include "value/preview.h"

namespace arbiter::turn {

using prompt::Message;
using prompt::Role;

namespace {

// The answer to a native call: its result, or why it was refused.
std::string answer_to(const Attempt& attempt, std::size_t proposal,
                      const table::ToolRegistry& tools, base::Language language) {
    for (const FailedCall& failed : attempt.failed_calls) {
        if (failed.proposal == proposal) {
            return table::explain_reason(tools, failed.tool, failed.refusal, language);
        }
    }
    const auto& result = attempt.outcome.verdicts[proposal].value;
    return result ? value::print_json(*result) : "{}";
}

// Results of calls that were written in the text.
std::string results_text(std::span<const ToolResult> results, base::Language language) {
    std::string text =
        language == base::Language::kChinese
            ? "工具结果如下。请接着上文继续叙述，以这些结果为准，不要重复已写的内容。\n"
            : "Results of your tool calls. Go on from where your reply ended, follow "
              "these results, and do not repeat what is written already.\n";
    for (const ToolResult& each : results) {
        text += "- " + each.id + " " + each.tool + ": " + value::print_json(each.result) + "\n";
    }
    return text;
}

}  // namespace

std::vector<Message> messages_of(const RoundOfMessages& round, const Attempt& attempt,
                                 const table::ToolRegistry& tools, base::Language language) {
    std::vector<Message> messages;
    Message said;
    said.role = Role::kAssistant;
    said.content = round.raw;
    said.tool_calls.assign(round.tool_calls.begin(), round.tool_calls.end());
    messages.push_back(std::move(said));
    for (std::size_t i = 0; i < round.tool_calls.size(); ++i) {
        Message answer;
        answer.role = Role::kTool;
        answer.tool_call_id = round.tool_calls[i].id;
        answer.content =
            std::string_view(answer_to(attempt, round.first_native + i, tools, language));
        messages.push_back(std::move(answer));
    }
    std::vector<ToolResult> written;
    for (std::size_t i = round.results_told; i < attempt.tool_results.size(); ++i) {
        if (attempt.tool_results[i].proposal < round.first_native) {
            written.push_back(attempt.tool_results[i]);
        }
    }
    if (!written.empty()) {
        messages.push_back({Role::kSystem, std::string_view(results_text(written, language))});
    }
    return messages;
}

base::TextView settling_request() noexcept {
    return {
        "First give only the tool calls and state commands of this turn, without any prose. They "
        "are settled before you narrate.",
        "请先只给出本回合需要的工具调用和状态指令，不要写叙述。系统结算之后，你再据此叙述。"};
}

std::string telling_request(const Attempt& attempt, const value::Value& before,
                            const table::ToolRegistry& tools, base::Language language) {
    const table::Redactor redactor =
        table::Redactor(before).during(before, attempt.candidate().document);
    const bool chinese = language == base::Language::kChinese;
    std::string text =
        chinese ? "以下已经结算。请据此叙述这一回合：不要再给出调用或指令，"
                  "也不要叙述没有结算的变化。\n"
                : "This is settled. Now narrate the turn by it: without calls or commands, and "
                  "without changes that were not settled.\n";
    std::size_t lines = 0;
    std::size_t more = 0;
    for (const Action& action : attempt.actions) {
        for (const value::Change& each : action.changes) {
            if (++lines > base::kFeedbackEntriesMax) {
                ++more;
                continue;
            }
            const value::Change change = redactor.change(each);
            text +=
                "- " + value::print_path(change.path, value::PathSyntax::kDotted) + ": " +
                (change.kind == value::Change::Kind::kAdd ? "-" : value::preview(change.before)) +
                " → " +
                (change.kind == value::Change::Kind::kRemove ? "-" : value::preview(change.after)) +
                "\n";
        }
    }
    for (const ToolResult& each : attempt.tool_results) {
        text += "- " + each.tool + ": " + value::print_json(each.result) + "\n";
    }
    if (more > 0) {
        text += (chinese ? "- 另有 " : "- and ") + std::to_string(more) +
                (chinese ? " 处变化\n" : " more changes\n");
    }
    text += notice_of(attempt, tools, language);
    return text;
}

}  // namespace arbiter::turn
