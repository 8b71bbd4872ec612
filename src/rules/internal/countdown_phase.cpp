#include "rules/internal/countdown_phase.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "value/object.h"

namespace arbiter::rules::internal {

using value::Object;
using value::Value;

namespace {

constexpr std::string_view kTerms = "countdowns";

// The number at a path; 7 for "7天".
std::optional<double> number_at(const Value& document, const value::Path& path) {
    const Value* found = value::find(document, path);
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    if (value == nullptr) {
        return std::nullopt;
    }
    return value->is_string() ? expr::first_number(value->as_string()) : expr::number_of(*value);
}

}  // namespace

CountdownPhase::CountdownPhase(ReactionContext& context, const ClockPhase& clock)
    : context_(context), clock_(clock), seen_(context.turn.before.document) {}

void CountdownPhase::run(const DayStep& step) {
    if (!context_.book.clock || context_.book.countdowns.empty()) {
        return;
    }
    terms_ = context_.recalled(kTerms);
    const bool had_terms = !terms_.empty();
    for (const Countdown& rule : context_.book.countdowns) {
        count(rule, step);
    }
    if (had_terms || !terms_.empty()) {
        context_.remember(kTerms, std::move(terms_));
    }
    seen_ = context_.document();
    is_first_round_ = false;
}

void CountdownPhase::count(const Countdown& rule, const DayStep& step) {
    const auto limit = number_at(context_.document(), rule.limit);
    const calendar::DateTexts now = clock_.texts(context_.document());
    if (!limit || now.date.empty()) {
        return;
    }
    const bool is_set = (is_first_round_ && context_.is_written(rule.limit)) ||
                        number_at(seen_, rule.limit) != limit;
    std::optional<Term> term;
    if (is_set) {
        term = Term{now.era, now.date, 0, false};
    } else {
        term = recall(rule);
        term = term ? term : adopt(rule, *limit);
        if (!term) {
            return;
        }
        if (step.is_first) {
            term->era = now.era;
            term->start = now.date;
        } else {
            term->days += step.days.value_or(0);
        }
    }
    const auto passed = static_cast<double>(std::max<std::int64_t>(term->days, 0));
    term->is_over = term->is_over || (*limit > 0 && passed >= *limit);
    // A date that is a number stays one.
    const Value* date = context_.at(context_.book.clock->date);
    const bool is_today = date != nullptr && term->start == now.date;
    context_.put(rule.id, rule.start,
                 is_today ? expr::undescribed(*date) : Value(std::string_view(term->start)),
                 ReactionContext::Creates::kInContainer);
    const double rest = term->is_over ? 0 : std::max(0.0, *limit - passed);
    if (const auto left = expr::number_value(rest)) {
        context_.put(rule.id, rule.left, *left, ReactionContext::Creates::kInContainer);
    }
    Object kept = {{"start", std::string_view(term->start)}, {"days", term->days}};
    if (!term->era.empty()) {
        kept = std::move(kept).set("era", std::string_view(term->era));
    }
    if (term->is_over) {
        kept = std::move(kept).set("over", true);
    }
    terms_ = std::move(terms_).set(value::Str(rule.id), std::move(kept));
}

std::optional<CountdownPhase::Term> CountdownPhase::recall(const Countdown& rule) const {
    const Value* found = terms_.find(rule.id);
    if (found == nullptr || !found->is_object()) {
        return std::nullopt;
    }
    const auto text = [found](std::string_view key) {
        const Value* member = found->as_object().find(key);
        return member != nullptr && member->is_string() ? std::string(member->as_string()) : "";
    };
    const Value* days = found->as_object().find("days");
    Term term{text("era"), text("start"), days != nullptr && days->is_int() ? days->as_int() : 0,
              found->as_object().contains("over")};
    // Another start was put there since.
    if (text_at(context_.document(), rule.start) != term.start) {
        return std::nullopt;
    }
    return term;
}

std::optional<CountdownPhase::Term> CountdownPhase::adopt(const Countdown& rule,
                                                          double limit) const {
    calendar::DateTexts date = clock_.texts(seen_);
    if (!clock_.parse(date)) {
        date = clock_.texts(context_.document());
    }
    Term term{date.era, text_at(context_.document(), rule.start), 0, false};
    if (!term.start.empty()) {
        term.days = days_since(term.start, date);
        return term;
    }
    if (limit <= 0) {
        return std::nullopt;
    }
    term.start = date.date;
    // The remainder in the save determines when it started.
    const auto left = number_at(context_.document(), rule.left);
    const auto today = clock_.parse(date);
    const double passed = left ? std::floor(limit - *left) : 0;
    if (left && *left > 0 && passed > 0 && today) {
        const auto days = static_cast<std::int64_t>(std::min(passed, 1e9));
        const auto begun = context_.book.calendars->plus_days(*today, -days);
        const auto text = begun ? context_.book.calendars->print(*begun, date) : std::nullopt;
        if (text) {
            term.start = text->date;
            term.era = text->era;
            term.days = days;
        }
    }
    return term;
}

std::int64_t CountdownPhase::days_since(const std::string& start,
                                        const calendar::DateTexts& date) const {
    const auto between = [&](const std::string& era) -> std::optional<std::int64_t> {
        const auto from = clock_.parse({era, start, ""});
        const auto to = clock_.parse({era, date.date, ""});
        return from && to ? context_.book.calendars->days_between(*from, *to) : std::nullopt;
    };
    const auto days = between(date.era);
    // A start that is behind the date of its year was in an earlier year.
    const auto without_year = !days || *days < 0 ? between("") : std::nullopt;
    return std::max<std::int64_t>(without_year.value_or(days.value_or(0)), 0);
}

}  // namespace arbiter::rules::internal
