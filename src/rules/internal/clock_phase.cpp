#include "rules/internal/clock_phase.h"

#include <utility>
#include <vector>

#include "engine/numbers.h"
#include "rules/internal/stock_phase.h"
#include "rules/limit.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

namespace {

constexpr std::string_view kLastDate = "last_date";  // of a date that cannot be read
constexpr std::string_view kUndated = "undated";     // the date is still that of the blueprint

}  // namespace

ClockPhase::ClockPhase(ReactionContext& context)
    : context_(context),
      clock_seen_(context.turn.before.document),
      daily_seen_(context.turn.before.document) {
    if (!context.book.clock || context.known || context.is_first_edition()) {
        return;
    }
    const std::string blueprint = text_at(context.book.blueprint, context.book.clock->date);
    if (!blueprint.empty() && blueprint == texts(daily_seen_).date) {
        context_.remember(kUndated, true);
    }
}

calendar::DateTexts ClockPhase::texts(const Value& document) const {
    return {text_at(document, context_.book.clock->era),
            text_at(document, context_.book.clock->date), ""};
}
std::optional<calendar::Date> ClockPhase::parse(const calendar::DateTexts& texts) const {
    return context_.book.calendars->parse(texts, context_.book.clock->calendar);
}

// A clock that went back on the same day means the next day.
void ClockPhase::pass_midnight() {
    if (!context_.book.clock || !context_.book.clock->midnight) {
        return;
    }
    const Clock& clock = *context_.book.clock;
    const auto was = context_.book.calendars->parse_time(text_at(clock_seen_, clock.time));
    const auto is = context_.book.calendars->parse_time(text_at(context_.document(), clock.time));
    const calendar::DateTexts written = texts(context_.document());
    const bool same_day = texts(clock_seen_) == written;
    // The first hour that is told sets the scene, as the first date does.
    const bool is_first =
        context_.memory.contains(kUndated) &&
        text_at(clock_seen_, clock.time) == text_at(context_.book.blueprint, clock.time);
    // A part of the day (黄昏) is too vague to count by.
    if (was && is && !was->phase && !is->phase && same_day && !is_first &&
        is->minute < was->minute) {
        const auto today = parse(written);
        const auto tomorrow = today ? context_.book.calendars->plus_days(*today, 1) : std::nullopt;
        const auto text =
            tomorrow ? context_.book.calendars->print(*tomorrow, written) : std::nullopt;
        if (text) {
            context_.put("time", clock.date, std::string_view(text->date));
            if (!clock.era.empty() && !text->era.empty()) {
                context_.put("time", clock.era, std::string_view(text->era));
            }
            move_weekday(clock_seen_, 1);
        }
    }
    clock_seen_ = context_.document();
}

// A weekday that changed already, or that a command wrote, stays.
void ClockPhase::move_weekday(const Value& seen, std::int64_t days) {
    const Path& place = context_.book.clock->weekday;
    const std::string weekday = text_at(context_.document(), place);
    if (weekday.empty() || weekday != text_at(seen, place) ||
        (!context_.is_first_edition() && context_.is_written(place))) {
        return;
    }
    if (const auto text = context_.book.calendars->weekday_plus(weekday, days)) {
        context_.put("time", place, std::string_view(*text));
    }
}

DayStep ClockPhase::count_days() {
    if (!context_.book.clock) {
        return {};
    }
    const calendar::DateTexts was = texts(daily_seen_);
    const calendar::DateTexts is = texts(context_.document());
    const Value seen = std::exchange(daily_seen_, context_.document());
    if (was == is) {
        return {};
    }
    const DayStep step = step_to(was, is);
    if (step.days && !step.is_first) {
        if (!context_.is_first_edition()) {
            move_weekday(seen, *step.days);
        }
        if (*step.days < 0) {
            warn(proposal::Warning::kTimeBackwards);
        }
    }
    return step;
}

DayStep ClockPhase::step_to(const calendar::DateTexts& was, const calendar::DateTexts& is) {
    const Object last = context_.recalled(kLastDate);
    const auto member = [&last](std::string_view key) {
        const Value* found = last.find(key);
        return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
    };
    auto from = parse(was);
    const auto to = parse(is);
    if (!to) {
        if (from && !context_.is_first_edition()) {
            context_.remember(kLastDate, Object{{"era", std::string_view(was.era)},
                                                {"date", std::string_view(was.date)}});
        }
        if (!is.date.empty()) {
            warn(proposal::Warning::kDateUnreadable);
        }
        return {};
    }
    if (!from) {
        from = parse({member("era"), member("date"), ""});
    }
    context_.forget(kLastDate);
    const calendar::DateTexts before = texts(context_.turn.before.document);
    const calendar::DateTexts after = texts(context_.turn.outcome.state.document);
    const bool is_first =
        was.date.empty() || (before != after && context_.memory.contains(kUndated));
    if (before.date != after.date) {
        context_.forget(kUndated);
    }
    auto days = from ? context_.book.calendars->days_between(*from, *to) : std::nullopt;
    // A year that is told for the first time, or no more.
    if (from && !days && from->year.has_value() != to->year.has_value() &&
        !context_.is_first_edition()) {
        const auto start = parse({"", was.date, ""});
        const auto end = parse({"", is.date, ""});
        days = start && end ? context_.book.calendars->days_between(*start, *end) : std::nullopt;
    }
    if (from && !days && !is_first) {
        warn(proposal::Warning::kDateUnreadable);  // it is a date of another calendar
    }
    return {days, is_first};
}

void ClockPhase::pass_days(const DayStep& step) {
    if (!step.days || *step.days <= 0 || step.is_first) {
        return;
    }
    for (const Daily& rule : context_.book.daily) {
        std::vector<std::pair<Path, Value>> fresh;
        visit_matches(
            rule.each, context_.document(),
            [&](const Path& each, const Bindings& bindings, const Value& it) {
                auto variables = variables_of(bindings);
                variables.push_back({"it", it});
                variables.push_back({"days", Value(*step.days)});
                const Known value = context_.evaluate(rule.to, variables);
                const auto place = value::bound_path(rule.place, bindings);
                if (value && place && (context_.is_first_edition() || !context_.is_written(each))) {
                    fresh.emplace_back(*place, *value);
                }
                return true;
            });
        for (const auto& [path, value] : fresh) {
            context_.put(rule.id, path, value);
        }
    }
    pass_stocks(context_, *step.days);
    daily_seen_ = context_.document();
}

// Adds a warning to the commands that set the date.
void ClockPhase::warn(proposal::Warning warning) {
    const Clock& clock = *context_.book.clock;
    for (engine::Verdict& verdict : context_.turn.outcome.verdicts) {
        const bool about_date =
            touches(value::pattern_of(clock.date), verdict.path) ||
            (!clock.era.empty() && touches(value::pattern_of(clock.era), verdict.path));
        if (verdict.status == proposal::Status::kApplied && about_date &&
            !verdict.changes.empty()) {
            verdict.warnings.add(warning);
        }
    }
}

// ---- limits of a day

std::string ClockPhase::day_of(const Value& document) const {
    const calendar::DateTexts all = texts(document);
    return all.era.empty() ? all.date : all.era + " " + all.date;
}

// Keeps the value that each limited place had when the day began.
void ClockPhase::keep_day() {
    if (context_.book.daily_limits.empty() || !context_.book.clock) {
        return;
    }
    // Without a date, a limit per day would hold forever: it then holds per turn.
    if (texts(context_.document()).date.empty()) {
        if (context_.memory.contains("day")) {
            context_.remember("day", "");
            context_.remember("day_values", Object());
        }
        return;
    }
    const std::string today = day_of(context_.document());
    const bool same_day = day_of(context_.turn.before.document) == today;
    const Value* day = context_.memory.find("day");
    const bool goes_on = day != nullptr && day->is_string() && day->as_string() == today;
    Object values = goes_on ? context_.recalled("day_values") : Object();
    const Value& before = context_.turn.before.document;
    const auto places = value::touched_places(value::diff(before, context_.document()));
    const auto keep = [&](const DailyLimit& limit, const Path& path, const Value* now) {
        const value::Str key(printed(path));
        if (values.contains(key) || (!same_day && now == nullptr)) {
            return;
        }
        const Value* was = value::find(before, path);
        if (!same_day) {
            values = std::move(values).set(key, *now);
        } else if (was != nullptr && engine::limited_number(was)) {
            values = std::move(values).set(key, *was);
        } else {
            const Value known = values;
            const auto first = number_of_day(&known, context_.turn.before, context_.meta(), path);
            values = std::move(values).set(
                key, expr::number_value(first.value_or(limit.start)).value_or(Value()));
        }
    };
    for (const DailyLimit& limit : context_.book.daily_limits) {
        for (const Path& place : places) {
            visit_near(limit.place, context_.document(), place,
                       [&](const Path& path, const Bindings&, const Value& now) {
                           keep(limit, path, &now);
                           return true;
                       });
            visit_near(limit.place, before, place,
                       [&](const Path& path, const Bindings&, const Value&) {
                           keep(limit, path, nullptr);
                           return true;
                       });
        }
    }
    context_.remember("day", std::string_view(today));
    context_.remember("day_values", std::move(values));
}

}  // namespace arbiter::rules::internal
