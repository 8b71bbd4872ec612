// What the passing of time does.
#include "rules/internal/reactor.h"
#include "rules/limit.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Array;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

// ---- time

calendar::DateTexts Reactor::texts(const Value& document) const {
    return {text_at(document, book_.clock->era), text_at(document, book_.clock->date), ""};
}
std::optional<calendar::Date> Reactor::date(const Value& document) const {
    return book_.calendars->parse(texts(document), book_.clock->calendar);
}

// A clock that went back on the same day: it is the next day.
void Reactor::midnight(Value& seen) {
    if (!book_.clock || !book_.clock->midnight) {
        return;
    }
    const Clock& clock = *book_.clock;
    const auto was = book_.calendars->parse_time(text_at(seen, clock.time));
    const auto is = book_.calendars->parse_time(text_at(document(), clock.time));
    const bool same_day = texts(seen) == texts(document());
    // A part of the day (黄昏) is too vague to count by.
    if (was && is && !was->phase && !is->phase && same_day && is->minute < was->minute) {
        const auto today = date(document());
        const auto tomorrow = today ? book_.calendars->plus_days(*today, 1) : std::nullopt;
        const auto text =
            tomorrow ? book_.calendars->print(*tomorrow, texts(document())) : std::nullopt;
        if (text) {
            put("time", clock.date, std::string_view(text->date), false);
            if (!clock.era.empty() && !text->era.empty()) {
                put("time", clock.era, std::string_view(text->era), false);
            }
            next_weekday(seen, 1);
        }
    }
    seen = document();
}
void Reactor::next_weekday(const Value& seen, std::int64_t days) {
    const Path& place = book_.clock->weekday;
    const std::string weekday = text_at(document(), place);
    if (!weekday.empty() && weekday == text_at(seen, place)) {
        if (const auto text = book_.calendars->weekday_plus(weekday, days)) {
            put("time", place, std::string_view(*text), false);
        }
    }
}

void Reactor::pass_days(Value& seen) {
    if (!book_.clock) {
        return;
    }
    const calendar::DateTexts was = texts(seen);
    const calendar::DateTexts is = texts(document());
    const Value old = std::exchange(seen, document());
    if (was == is || was.date.empty()) {
        return;
    }
    const auto from = date(old);
    const auto to = date(document());
    const auto days = from && to ? book_.calendars->days_between(*from, *to) : std::nullopt;
    if (!days || *days < 0) {
        warn_of_time();
        return;
    }
    if (*days == 0) {
        return;  // the same day in other words
    }
    for (const Daily& rule : book_.daily) {
        std::vector<std::pair<Path, Value>> fresh;
        visit_matches(rule.each, document(),
                      [&](const Path&, const Bindings& bindings, const Value& it) {
                          auto variables = variables_of(bindings);
                          variables.push_back({"it", it});
                          variables.push_back({"days", Value(*days)});
                          const Known value = evaluate(rule.to, variables);
                          const auto place = value::bound_path(rule.place, bindings);
                          if (value && place) {
                              fresh.emplace_back(*place, *value);
                          }
                          return true;
                      });
        for (const auto& [path, value] : fresh) {
            put(rule.id, path, value, false);
        }
    }
    seen = document();
}
// Said where the date was set.
void Reactor::warn_of_time() {
    for (engine::Verdict& verdict : turn_.outcome.verdicts) {
        Bindings none;
        const Pattern place = value::pattern_of(book_.clock->date);
        if (verdict.status == proposal::Status::kApplied && touches(place, verdict.path) &&
            !verdict.changes.empty()) {
            verdict.warnings.add(proposal::Warning::kTimeBackwards);
        }
    }
}

// ---- limits of a day

// The value that each limited place had when the day began.
void Reactor::keep_day() {
    if (book_.daily_limits.empty() || !book_.clock) {
        return;
    }
    const auto day_of = [&](const Value& document) {
        const calendar::DateTexts all = texts(document);
        return all.era.empty() ? all.date : all.era + " " + all.date;
    };
    // Without a date no days are told apart, and a limit of a day would hold for ever: then it is
    // one of a turn.
    if (texts(document()).date.empty()) {
        if (memory_.contains("day")) {
            remember("day", "");
            remember("day_values", Object());
        }
        return;
    }
    const std::string today = day_of(document());
    const bool same_day = day_of(turn_.before.document) == today;
    const Value* day = memory_.find("day");
    const bool goes_on = day != nullptr && day->is_string() && day->as_string() == today;
    Object values = goes_on ? recalled("day_values") : Object();
    const auto places = value::touched_places(value::diff(turn_.before.document, document()));
    for (const Pattern& pattern : book_.daily_limits) {
        for (const Path& place : places) {
            visit_near(pattern, document(), place,
                       [&](const Path& path, const Bindings&, const Value& now) {
                           const value::Str key(printed(path));
                           const Value* before = value::find(turn_.before.document, path);
                           if (!values.contains(key)) {
                               values = std::move(values).set(
                                   key, same_day && before != nullptr ? *before : now);
                           }
                           return true;
                       });
        }
    }
    remember("day", std::string_view(today));
    remember("day_values", std::move(values));
}

}  // namespace arbiter::rules::internal
