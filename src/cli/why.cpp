#include "cli/why.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/console.h"
#include "cli/documents.h"
#include "cli/tool_words.h"
#include "proposal/code.h"
#include "table/layout.h"
#include "turn/feedback.h"
#include "value/diff.h"

namespace arbiter::cli {
namespace {

using value::Value;

// The reason of a refused command, from its audit record.
std::string reason_of(const Value& record, base::Language language) {
    const std::string_view name = table::text_in(&record, "code");
    const auto rows = proposal::codes();
    const auto row = std::ranges::find(rows, name, &proposal::CodeRow::name);
    if (row == rows.end()) {
        return std::string(name);
    }
    proposal::Problem problem{row->code, {}};
    for (const Value& detail : table::array_or_empty(value::find_member(&record, "details"))) {
        problem.details.push_back(detail.is_string() ? std::string(detail.as_string())
                                                     : brief(detail));
    }
    return proposal::explain(problem, language);
}

}  // namespace

std::string why_words(const ledger::Record& record, const table::Redactor& redactor,
                      const engine::State& after, base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    const auto say = [&](const base::TextView& text) { return std::string(text.in(language)); };
    std::string refused;
    std::size_t attempt = 0;
    for (const Value& each : record.trace) {
        ++attempt;
        const Value* feedback = value::find_member(&each, "feedback");
        if (feedback == nullptr) {
            continue;
        }
        for (const std::string& line : turn::problem_lines(*feedback, language)) {
            refused += (chinese ? "第 " + std::to_string(attempt) + " 次回答被拒绝——"
                                : "Answer " + std::to_string(attempt) + " was refused: ") +
                       line + "\n";
        }
    }
    std::string changed;
    std::string refused_calls;  // by their codes
    for (const Value& each : ledger::audit_records(record)) {
        const Value shown = redactor.records(each).get();
        if (table::text_in(&shown, "status") == "applied") {
            continue;
        }
        if (shown.as_object().contains("tool")) {
            refused_calls += say({"Refused: ", "被拒绝："}) +
                             std::string(table::text_in(&shown, "tool")) + say({": ", "："}) +
                             std::string(table::text_in(&shown, "code")) + "\n";
            continue;
        }
        refused += say({"Refused: ", "被拒绝："}) +
                   on_one_line(std::string(table::text_in(&shown, "key"))) + say({": ", "："}) +
                   reason_of(shown, language) + "\n";
    }
    // The words of refused calls wait for the next request.
    const Value pending = turn::pending_feedback(after.meta);
    const Value* calls = value::find_member(&pending, "failed_calls");
    if (!refused_calls.empty() && calls == nullptr) {
        refused += refused_calls;
    } else if (!refused_calls.empty()) {
        const value::Object only_calls = {{"failed_calls", *calls}};
        for (const std::string& line : turn::problem_lines(only_calls, language)) {
            refused += say({"Refused: ", "被拒绝："}) + line + "\n";
        }
    }
    for (const Value& each : ledger::applied_actions(record)) {
        const Value shown = redactor.records(each).get();
        if (table::text_in(&shown, "kind") == "tool") {
            changed += on_one_line(tool_words(shown, after.document, language)) + "\n";
            continue;
        }
        const Value* diff = value::find_member(&shown, "changes");
        const auto changes =
            diff != nullptr ? value::diff_from_value(*diff) : base::Result<value::Diff>();
        if (!changes) {
            continue;
        }
        for (const value::Change& change : *changes) {
            if (table::is_bookkeeping(change.path) || redactor.hides(change.path)) {
                continue;
            }
            using Kind = value::Change::Kind;
            changed += value::print_path(change.path, value::PathSyntax::kDotted) + ": " +
                       (change.kind == Kind::kAdd ? "-" : brief(change.before)) + " → " +
                       (change.kind == Kind::kRemove ? "-" : brief(change.after)) + "\n";
        }
    }
    if (refused.empty() && changed.empty()) {
        return say({"Nothing was refused, and nothing has changed but the turn itself.\n",
                    "没有内容被拒绝；除回合数外没有变化。\n"});
    }
    return refused + (changed.empty() ? "" : say({"Changed:\n", "变化：\n"}) + changed);
}

}  // namespace arbiter::cli
