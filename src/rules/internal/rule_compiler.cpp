#include "rules/internal/rule_compiler.h"

#include <algorithm>

namespace arbiter::rules::internal {

using base::Error;
using base::ErrorCode;
using value::Pattern;
using value::PatternStep;

void RuleCompiler::summarize(std::string kind, std::vector<Pattern> writes,
                             std::vector<Pattern> reads, std::string text) {
    book_.summaries.push_back(
        {id_, std::move(kind), std::move(writes), std::move(reads), std::move(text)});
}

const expr::Vocabulary& RuleCompiler::words(const Pattern& pattern,
                                            std::initializer_list<std::string_view> more) {
    words_.variables.assign(more.begin(), more.end());
    for (const PatternStep& step : pattern) {
        if (step.kind == PatternStep::Kind::kOpen && !step.name.view().empty()) {
            words_.variables.emplace_back(step.name.view());
        }
    }
    return words_;
}

void RuleCompiler::check_bound(value::Fields& fields, std::string_view key, const Pattern& place,
                               const Pattern& known) {
    const auto is_bound = [&known](std::string_view name) {
        return !name.empty() && std::ranges::any_of(known, [name](const PatternStep& step) {
            return step.name.view() == name;
        });
    };
    for (const PatternStep& step : place) {
        if (step.kind != PatternStep::Kind::kPlain && !is_bound(step.name.view())) {
            fields.error(key, Error(ErrorCode::kFormulaVariable,
                                    {std::string(step.name.view()), value::print_pattern(known)}));
        }
    }
}

}  // namespace arbiter::rules::internal
