#include "turn/feedback.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "proposal/advice.h"
#include "table/layout.h"
#include "text/truncate.h"
#include "turn/narration.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::turn {

using base::Language;
using proposal::Code;
using proposal::Proposal;
using proposal::Status;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kPendingKey = "feedback";  // of engine::State::meta

constexpr std::array<std::string_view, 5> kLists = {
    "failed_calls", "parse_errors", "failed_expectations", "conflicts", "refused_commands"};

// True for a syntax error, false for a command that was read and rejected.
bool is_unreadable(Code code) {
    constexpr std::array kCodes = {
        Code::kParseError,    Code::kBadEntry,           Code::kMissingAction,
        Code::kUnknownAction, Code::kBadPrefix,          Code::kBadPath,
        Code::kTooDeep,       Code::kMissingValue,       Code::kBadValue,
        Code::kBadOptions,    Code::kContradictoryGuards};
    return std::ranges::find(kCodes, code) != kCodes.end();
}

// A list that stops growing at its limit, and continues counting.
struct List {
    Array entries;
    std::int64_t more = 0;

    void add(Value entry) {
        if (std::ranges::find(entries, entry) != entries.end()) {
            return;
        }
        if (entries.size() >= base::kFeedbackEntriesMax) {
            ++more;
            return;
        }
        entries = std::move(entries).push_back(std::move(entry));
    }
};

Value build(std::array<List, kLists.size()> lists) {
    Object made;
    Object more;
    for (std::size_t i = 0; i < kLists.size(); ++i) {
        made = std::move(made).set(kLists[i], std::move(lists[i].entries));
        if (lists[i].more > 0) {
            more = std::move(more).set(kLists[i], lists[i].more);
        }
    }
    return more.empty() ? made : std::move(made).set("more", std::move(more));
}

Value entry_of(const FailedCall& failed, const table::ToolRegistry& tools, Language language) {
    const bool error = failed.status == FailedCall::Status::kError;
    Object made = {{"id", std::string_view(failed.id)},
                   {"tool", std::string_view(failed.tool)},
                   {"status", error ? "error" : "rejected"},
                   {"reason", std::string_view(table::explain_reason(tools, failed.tool,
                                                                     failed.refusal, language))},
                   {"code", std::string_view(failed.refusal.reason)}};
    if (!failed.path.empty()) {
        made = std::move(made).set("path", std::string_view(failed.path));
    }
    if (failed.disabled_until) {
        made = std::move(made).set("disabled_until",
                                   std::string_view(table::turn_name(*failed.disabled_until)));
    }
    return made;
}

Value entry_of(const Conflict& conflict, Language language) {
    const bool chinese = language == Language::kChinese;
    const std::string why =
        chinese ? conflict.field + " 的变化没有任何已执行的动作可以解释。"
                : "No action that was carried out explains the change of " + conflict.field + ".";
    return Object{
        {"type", std::string_view(conflict.type)},
        {"field", std::string_view(conflict.field)},
        {"expected_state_snippet", Object{{std::string_view(conflict.field), conflict.expected}}},
        {"mismatch_reason", std::string_view(why)},
        {"instructions", chinese
                             ? "不得自行改变权威状态，请通过工具调用请求。"
                             : "Do not change authoritative state yourself; ask with a tool call."},
        {"found", conflict.found}};
}

Value entry_of(const conflict::Finding& finding, const Value& document, Language language) {
    const value::Path path = path_of(finding);
    const std::string field = value::print_path(path, value::PathSyntax::kDotted);
    const Value* present = value::find(document, path);
    // Of rules, maps and sheets the truth that was compared; the whole would be too long.
    const bool is_small =
        finding.type != conflict::Type::kRules && finding.type != conflict::Type::kMap &&
        finding.type != conflict::Type::kCharacterSheet && !finding.target.empty();
    const Value expected =
        present != nullptr && is_small ? *present : Value(std::string_view(finding.expected));
    return Object{{"type", conflict::name(finding.type)},
                  {"field", std::string_view(field)},
                  {"expected_state_snippet", Object{{std::string_view(field), expected}}},
                  {"mismatch_reason", std::string_view(mismatch_of(finding, document, language))},
                  {"instructions",
                   language == Language::kChinese
                       ? "以状态为准改写这句；若需要这一变化，请先用工具调用提出。"
                       : "Tell it as the state has it; to change the state, call a tool first."},
                  {"found", std::string_view(finding.quote)},
                  {"layer", conflict::name(finding.layer)},
                  {"confidence", static_cast<std::int64_t>(finding.confidence)}};
}

Value parse_error(const Proposal& proposal, const proposal::Problem& problem, Language language) {
    return Object{{"error", proposal::parse_failure(proposal.dialect).in(language)},
                  {"suggestion", proposal::suggestion(proposal.dialect).in(language)},
                  {"detail", std::string_view(explain(problem, language))},
                  {"text", std::string_view(
                               text::truncate_with_ellipsis(proposal.raw, base::kDetailBytesMax))}};
}

}  // namespace

Value feedback(const Attempt& attempt, const table::ToolRegistry& tools, Language language) {
    const std::vector<Proposal>& proposals = attempt.reading.proposals;
    std::array<List, kLists.size()> lists;
    for (const FailedCall& failed : attempt.failed_calls) {
        lists[0].add(entry_of(failed, tools, language));
    }
    for (const std::size_t i : attempt.refused) {
        const engine::Verdict& verdict = attempt.outcome.verdicts[i];
        if (!verdict.problem || i < attempt.player_proposals) {
            continue;
        }
        const proposal::Problem& problem = *verdict.problem;
        const std::string path = value::print_path(verdict.path, value::PathSyntax::kDotted);
        if (problem.code == Code::kExpectFailed || problem.code == Code::kTestFailed) {
            const auto detail = [&](std::size_t at) {
                return at < problem.details.size() ? std::string_view(problem.details[at])
                                                   : std::string_view();
            };
            lists[2].add(Object{{"path", std::string_view(path)},
                                {"expected", detail(1)},
                                {"actual", detail(2)},
                                {"reason", std::string_view(explain(problem, language))}});
        } else if (is_unreadable(problem.code) && !proposals[i].problems.empty()) {
            lists[1].add(parse_error(proposals[i], problem, language));
        } else {
            lists[4].add(Object{{"path", std::string_view(path)},
                                {"code", proposal::name(problem.code)},
                                {"reason", std::string_view(explain(problem, language))}});
        }
    }
    for (const Conflict& conflict : attempt.conflicts) {
        lists[3].add(entry_of(conflict, language));
    }
    for (const conflict::Finding& finding : attempt.narration) {
        lists[3].add(entry_of(finding, attempt.candidate().document, language));
    }
    return build(std::move(lists));
}

Value joined_feedback(const Value& earlier, const Value& later) {
    std::array<List, kLists.size()> lists;
    for (std::size_t i = 0; i < kLists.size(); ++i) {
        // The newest diagnostics first: they are what the model just did.
        for (const Value* source : {&later, &earlier}) {
            for (const Value& entry :
                 table::array_or_empty(value::find_member(source, kLists[i]))) {
                lists[i].add(entry);
            }
            lists[i].more +=
                table::int_in(value::find_member(source, "more"), kLists[i]).value_or(0);
        }
    }
    return build(std::move(lists));
}

bool asks_again(const Attempt& attempt) noexcept {
    if (!attempt.conflicts.empty() || !attempt.failed_calls.empty()) {
        return true;
    }
    return std::ranges::any_of(attempt.refused, [&](std::size_t i) {
        const auto& problem = attempt.outcome.verdicts[i].problem;
        return problem && i >= attempt.player_proposals &&
               (problem->code == Code::kExpectFailed || problem->code == Code::kTestFailed ||
                (is_unreadable(problem->code) && !attempt.reading.proposals[i].problems.empty()));
    });
}

bool is_empty_feedback(const Value& feedback) noexcept {
    return std::ranges::all_of(kLists, [&](std::string_view list) {
        return table::array_or_empty(value::find_member(&feedback, list)).empty();
    });
}

namespace {

std::string text_of(const Value& feedback, std::string_view heading, Language language) {
    const bool chinese = language == Language::kChinese;
    std::string text(heading);
    for (const std::string_view list : kLists) {
        const Array& entries = table::array_or_empty(value::find_member(&feedback, list));
        if (entries.empty()) {
            continue;
        }
        text += std::string(list) + ":\n";
        for (const Value& entry : entries) {
            text += "- " + value::print_json(entry) + "\n";
        }
        const auto more = table::int_in(value::find_member(&feedback, "more"), list);
        if (more) {
            text += (chinese ? "- 另有 " : "- and ") + std::to_string(*more) +
                    (chinese ? " 条\n" : " more\n");
        }
    }
    return text;
}

}  // namespace

std::string feedback_text(const Value& feedback, Language language) {
    return text_of(
        feedback,
        language == Language::kChinese
            ? "你上一次的回复有以下问题，请修正后重新生成整个回复；被拒绝的变化没有发生，"
              "不得在叙事中当作已经发生。\n"
            : "There were problems with your last reply. Mend them and write the whole reply "
              "again. What was refused did not happen and must not be told as if it had.\n",
        language);
}

std::vector<std::string> problem_lines(const Value& feedback, Language language) {
    const bool chinese = language == Language::kChinese;
    // The members of an entry that name its subject and its reason.
    struct Row {
        std::string_view list;
        std::string_view subject;  // empty: the reason names it
        std::string_view reason;
    };
    constexpr std::array kRows = {
        Row{"failed_calls", "tool", "reason"}, Row{"parse_errors", "text", "detail"},
        Row{"failed_expectations", "path", "reason"}, Row{"conflicts", "", "mismatch_reason"},
        Row{"refused_commands", "path", "reason"}};
    std::vector<std::string> lines;
    for (const Row& row : kRows) {
        for (const Value& entry : table::array_or_empty(value::find_member(&feedback, row.list))) {
            std::string line(table::text_in(&entry, row.subject));
            line += row.subject.empty() ? "" : (chinese ? "：" : ": ");
            line += table::text_in(&entry, row.reason);
            std::ranges::replace(line, '\n', ' ');
            lines.push_back(std::move(line));
        }
        const auto more = table::int_in(value::find_member(&feedback, "more"), row.list);
        if (more) {
            lines.push_back((chinese ? "另有 " : "and ") + std::to_string(*more) +
                            (chinese ? " 条" : " more"));
        }
    }
    return lines;
}

std::string late_feedback_text(const Value& feedback, Language language) {
    std::string text = language == Language::kChinese
                           ? "以下变化被拒绝，没有发生。以状态为准继续，不要照样重写："
                           : "Refused, so it did not happen; go on from the state as it is and "
                             "do not ask for the same again:";
    for (const std::string& line : problem_lines(feedback, language)) {
        text += "\n- " + line;
    }
    return text;
}

Value pending_feedback(const Object& meta) {
    const Value* kept = meta.find(kPendingKey);
    return kept != nullptr ? *kept : Value();
}

Object with_pending_feedback(Object meta, const Value& feedback) {
    if (feedback.is_null()) {
        return meta.contains(kPendingKey) ? std::move(meta).erase(kPendingKey) : meta;
    }
    return std::move(meta).set(kPendingKey, feedback);
}

namespace {

// The members of the feedback's conflicts that a player needs.
Array conflicts_in(const Value& feedback) {
    Array conflicts;
    for (const Value& entry : table::array_or_empty(value::find_member(&feedback, "conflicts"))) {
        const Value* snippet = value::find_member(&entry, "expected_state_snippet");
        const Value* expected = value::find_member(snippet, table::text_in(&entry, "field"));
        const Value* found = value::find_member(&entry, "found");
        conflicts = std::move(conflicts).push_back(
            Object{{"type", table::text_in(&entry, "type")},
                   {"field", table::text_in(&entry, "field")},
                   {"expected", expected != nullptr ? *expected : Value()},
                   {"found", found != nullptr ? *found : Value()},
                   {"reason", table::text_in(&entry, "mismatch_reason")}});
    }
    return conflicts;
}

}  // namespace

Value conflict_report(const Value& feedback, std::int64_t attempts, ReportChoices choices,
                      Language language) {
    const bool chinese = language == Language::kChinese;
    Array names = {"keep_state", "edit"};
    if (choices.can_accept) {
        names = std::move(names).push_back("accept");
    }
    if (choices.can_roll_back) {
        names = std::move(names).push_back("roll_back");
    }
    return Object{
        {"attempts", attempts},
        {"conflicts", conflicts_in(feedback)},
        {"failed_calls", table::array_or_empty(value::find_member(&feedback, "failed_calls"))},
        {"notice", chinese ? "这一回合的叙述与系统状态不符，已被拦下；一切保持回合前的样子。"
                           : "What was told did not fit the state and was withheld; "
                             "everything is as it was before the turn."},
        {"choices", std::move(names)}};
}

Value conflict_report(const Value& feedback, Language language) {
    Array conflicts = conflicts_in(feedback);
    if (conflicts.empty()) {
        return {};
    }
    return Object{
        {"conflicts", std::move(conflicts)},
        {"notice", language == Language::kChinese
                       ? "叙述中有与系统状态不符之处；以系统状态为准。"
                       : "Some of what was told does not fit the state; the state holds."}};
}

}  // namespace arbiter::turn
