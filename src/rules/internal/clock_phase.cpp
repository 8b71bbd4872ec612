#include "rules/internal/clock_phase.h"

#include <utility>
#include <vector>

#include "engine/numbers.h"
#include "rules/limit.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

calendar::DateTexts ClockPhase::texts(const Value& document) const {
    return {text_at(document, context_.book.clock->era),
            text_at(document, context_.book.clock->date), ""};
}
std::optional<calendar::Date> ClockPhase::date(const Value& document) const {
    return context_.book.calendars->parse(texts(document), context_.book.clock->calendar);
}

// A clock that went back on the same day means the next day.
void ClockPhase::pass_midnight() {
    if (!context_.book.clock || !context_.book.clock->midnight) {
        return;
    }
    const Clock& clock = *context_.book.clock;
    const auto was = context_.book.calendars->parse_time(text_at(clock_seen_, clock.time));
    const auto is = context_.book.calendars->parse_time(text_at(context_.document(), clock.time));
    const bool same_day = texts(clock_seen_) == texts(context_.document());
    // A part of the day (黄昏) is too vague to count by.
    if (was && is && !was->phase && !is->phase && same_day && is->minute < was->minute) {
        const auto today = date(context_.document());
        const auto tomorrow = today ? context_.book.calendars->plus_days(*today, 1) : std::nullopt;
        const auto text =
            tomorrow ? context_.book.calendars->print(*tomorrow, texts(context_.document()))
                     : std::nullopt;
        if (text) {
            context_.put("time", clock.date, std::string_view(text->date), false);
            if (!clock.era.empty() && !text->era.empty()) {
                context_.put("time", clock.era, std::string_view(text->era), false);
            }
            next_weekday(clock_seen_, 1);
        }
    }
    clock_seen_ = context_.document();
}
void ClockPhase::next_weekday(const Value& seen, std::int64_t days) {
    const Path& place = context_.book.clock->weekday;
    const std::string weekday = text_at(context_.document(), place);
    if (!weekday.empty() && weekday == text_at(seen, place)) {
        if (const auto text = context_.book.calendars->weekday_plus(weekday, days)) {
            context_.put("time", place, std::string_view(*text), false);
        }
    }
}

void ClockPhase::pass_days() {
    if (!context_.book.clock) {
        return;
    }
    const calendar::DateTexts was = texts(daily_seen_);
    const calendar::DateTexts is = texts(context_.document());
    const Value old = std::exchange(daily_seen_, context_.document());
    if (was == is || was.date.empty()) {
        return;
    }
    const auto from = date(old);
    const auto to = date(context_.document());
    const auto days = from && to ? context_.book.calendars->days_between(*from, *to) : std::nullopt;
    if (!days || *days < 0) {
        warn_of_time();
        return;
    }
    if (*days == 0) {
        return;  // the same day in other words
    }
    for (const Daily& rule : context_.book.daily) {
        std::vector<std::pair<Path, Value>> fresh;
        visit_matches(rule.each, context_.document(),
                      [&](const Path&, const Bindings& bindings, const Value& it) {
                          auto variables = variables_of(bindings);
                          variables.push_back({"it", it});
                          variables.push_back({"days", Value(*days)});
                          const Known value = context_.evaluate(rule.to, variables);
                          const auto place = value::bound_path(rule.place, bindings);
                          if (value && place) {
                              fresh.emplace_back(*place, *value);
                          }
                          return true;
                      });
        for (const auto& [path, value] : fresh) {
            context_.put(rule.id, path, value, false);
        }
    }
    daily_seen_ = context_.document();
}
// Adds the warning to the command that set the date.
void ClockPhase::warn_of_time() {
    for (engine::Verdict& verdict : context_.turn.outcome.verdicts) {
        const Pattern place = value::pattern_of(context_.book.clock->date);
        if (verdict.status == proposal::Status::kApplied && touches(place, verdict.path) &&
            !verdict.changes.empty()) {
            verdict.warnings.add(proposal::Warning::kTimeBackwards);
        }
    }
}

// ---- limits of a day

// Keeps the value that each limited place had when the day began.
void ClockPhase::keep_day() {
    if (context_.book.daily_limits.empty() || !context_.book.clock) {
        return;
    }
    const auto day_of = [&](const Value& document) {
        const calendar::DateTexts all = texts(document);
        return all.era.empty() ? all.date : all.era + " " + all.date;
    };
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
