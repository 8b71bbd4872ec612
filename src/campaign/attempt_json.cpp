#include "campaign/attempt_json.h"

#include <algorithm>
#include <numeric>

#include "proposal/advice.h"
#include "proposal/operations.h"
#include "text/join.h"
#include "value/object.h"

namespace arbiter::campaign {

using engine::Verdict;
using reader::Reading;
using value::Array;
using value::Object;
using value::Value;

namespace {

Value result_value(const Verdict& verdict) {
    Object out;
    out = std::move(out).set("op", verdict.op ? Value(name(*verdict.op)) : Value());
    out = std::move(out).set("path", value::path_to_value(verdict.path));
    out = std::move(out).set("status", name(verdict.status));
    const bool coded = verdict.problem && verdict.status != proposal::Status::kRolledBack;
    if (coded) {
        out = std::move(out).set("code", name(verdict.problem->code));
    }
    if (verdict.value) {
        out = std::move(out).set("value", *verdict.value);
    }
    Array warnings;
    for (const proposal::Warning warning : verdict.warnings.list()) {
        warnings = std::move(warnings).push_back(name(warning));
    }
    if (!warnings.empty()) {
        out = std::move(out).set("warnings", std::move(warnings));
    }
    return out;
}

}  // namespace

Array results_json(const turn::Attempt& attempt) {
    Array results;
    for (const Verdict& verdict : attempt.outcome.verdicts) {
        results = std::move(results).push_back(result_value(verdict));
    }
    return results;
}

namespace {

// Why a proposal was refused; empty if it was not.
std::string reason_of(const turn::Attempt& attempt, std::size_t index,
                      const table::ToolRegistry& tools, base::Language language) {
    const Verdict& verdict = attempt.outcome.verdicts[index];
    const auto failed = std::ranges::find(attempt.failed_calls, index, &turn::FailedCall::proposal);
    if (failed != attempt.failed_calls.end()) {
        return table::explain_reason(tools, failed->tool, failed->refusal, language);
    }
    const auto& proposals = attempt.reading.proposals;
    if (index < proposals.size() && !proposals[index].problems.empty() &&
        verdict.status == proposal::Status::kRejected) {
        return text::join(proposals[index].problems,
                          language == base::Language::kChinese ? "" : " ",
                          [&](const proposal::Problem& problem) {
                              return proposal::explain(proposals[index], problem, language);
                          });
    }
    const bool is_told = verdict.problem && verdict.status != proposal::Status::kRolledBack;
    return is_told ? explain(*verdict.problem, language) : std::string();
}

}  // namespace

Array explained_results_json(const turn::Attempt& attempt, const table::ToolRegistry& tools) {
    Array results;
    for (std::size_t i = 0; i < attempt.outcome.verdicts.size(); ++i) {
        const Value plain = result_value(attempt.outcome.verdicts[i]);
        Object result = plain.as_object();
        const std::string english = reason_of(attempt, i, tools, base::Language::kEnglish);
        if (!english.empty()) {
            const std::string chinese = reason_of(attempt, i, tools, base::Language::kChinese);
            result = std::move(result)
                         .set("message", std::string_view(english))
                         .set("message_zh", std::string_view(chinese));
        }
        results = std::move(results).push_back(std::move(result));
    }
    return results;
}

Array events_json(const turn::Attempt& attempt) {
    const Reading& reading = attempt.reading;
    const engine::Outcome& outcome = attempt.outcome;
    std::vector<std::pair<std::size_t, Value>> events;
    for (const engine::Event& event : outcome.events) {
        events.emplace_back(reading.proposals[event.proposal].span.begin,
                            Object{{"event", "callback"},
                                   {"name", std::string_view(event.name)},
                                   {"args", event.arguments}});
    }
    for (const proposal::Component& component : reading.components) {
        events.emplace_back(component.span.begin,
                            Object{{"event", "component"},
                                   {"tag", std::string_view(component.tag)},
                                   {"content", std::string_view(component.content)}});
    }
    for (const Reading::Lost& lost : reading.lost) {
        events.emplace_back(lost.proposal.span.begin,
                            Object{{"event", "ignored"}, {"reason", std::string_view(lost.why)}});
    }
    for (const proposal::Notice& notice : reading.notices) {
        using enum proposal::Notice::Kind;
        if (notice.kind == kInspect) {
            Object event = {{"event", "inspect"}, {"key", std::string_view(notice.about)}};
            const auto path = value::parse_path(notice.about, value::PathSyntax::kDotted);
            const Value* found = path ? value::find(outcome.state.document, *path) : nullptr;
            event = std::move(event).set("found", found != nullptr);
            if (found != nullptr) {
                event = std::move(event).set("value", *found);
            }
            events.emplace_back(notice.span.begin, std::move(event));
        } else if (notice.kind == kUseProtocol || notice.kind == kEndProtocol) {
            events.emplace_back(notice.span.begin, Object{{"event", name(notice.kind)},
                                                          {"id", std::string_view(notice.about)}});
        } else if (notice.kind == kIgnored) {
            events.emplace_back(
                notice.span.begin,
                Object{{"event", "ignored"}, {"reason", std::string_view(notice.about)}});
        }
    }
    std::vector<std::size_t> order(events.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(events[i].first, i); });
    Array list;
    for (const std::size_t i : order) {
        list = std::move(list).push_back(std::move(events[i].second));
    }
    return list;
}

namespace {

// Masks what a problem quotes of the document.
void mask_quotation(proposal::Problem& problem) {
    using enum proposal::Code;
    const bool quotes = problem.code == kExpectFailed || problem.code == kOldMismatch ||
                        problem.code == kTestFailed;
    if (quotes && problem.details.size() > 2) {
        problem.details[2] = "……";
    }
}

void mask(std::optional<value::Value>& value, const value::Path& path,
          const table::Redactor& redactor) {
    if (value) {
        value = redactor.value_at(path, *value).get();
    }
}

}  // namespace

void mask_hidden_values(turn::Attempt& attempt, const table::Redactor& redactor) {
    for (engine::Verdict& verdict : attempt.outcome.verdicts) {
        const bool is_hidden = redactor.hides(verdict.path);
        if (is_hidden) {
            verdict.before.reset();
            verdict.after.reset();
            verdict.value.reset();
            verdict.changes.clear();
        }
        if (is_hidden || redactor.covers(verdict.path)) {
            verdict.remarks.clear();
            if (verdict.problem) {
                mask_quotation(*verdict.problem);
            }
        }
        mask(verdict.before, verdict.path, redactor);
        mask(verdict.after, verdict.path, redactor);
        mask(verdict.value, verdict.path, redactor);
        for (value::Change& change : verdict.changes) {
            change = redactor.change(change);
        }
    }
    std::erase_if(attempt.reading.notices, [&](const proposal::Notice& notice) {
        const auto path = value::parse_path(notice.about, value::PathSyntax::kDotted);
        return notice.kind == proposal::Notice::Kind::kInspect && path && redactor.hides(*path);
    });
    std::erase_if(attempt.outcome.expired,
                  [&](const engine::Expired& expired) { return redactor.hides(expired.path); });
    for (rules::Effect& effect : attempt.effects) {
        if (redactor.hides(effect.path)) {
            effect.before.reset();
            effect.after.reset();
        }
        mask(effect.before, effect.path, redactor);
        mask(effect.after, effect.path, redactor);
    }
}

bool is_refused(const turn::Attempt& attempt) {
    return std::ranges::any_of(attempt.outcome.verdicts, [](const engine::Verdict& verdict) {
        return verdict.status == proposal::Status::kRejected ||
               verdict.status == proposal::Status::kFailed;
    });
}

}  // namespace arbiter::campaign
