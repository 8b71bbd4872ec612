#include "rules/internal/clock_phase.h"

#include <utility>
#include <vector>

#include "rules/internal/day_limits.h"
#include "rules/internal/stock_phase.h"
#include "rules/limit.h"

namespace arbiter::rules::internal {

using calendar::DateTexts;
using expr::Known;
using value::Bindings;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kLastDate = "last_date";  // before one that cannot be read
constexpr std::string_view kLastTime = "last_time";  // likewise
constexpr std::string_view kUndated = "undated";     // the date is still that of the blueprint

std::string text_member(const Object& of, std::string_view key) {
    const Value* found = of.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

Object kept_date(const DateTexts& date) {
    return {{"era", std::string_view(date.era)}, {"date", std::string_view(date.date)}};
}

DateTexts date_in(const Object& kept) {
    return {text_member(kept, "era"), text_member(kept, "date"), ""};
}

}  // namespace

ClockPhase::ClockPhase(ReactionContext& context)
    : context_(context),
      paid_(context),
      clock_seen_(context.turn.before.document),
      daily_seen_(context.turn.before.document) {
    if (!context.book.clock || context.known) {
        return;
    }
    const std::string blueprint = text_at(context.book.blueprint, context.book.clock->date);
    if (!blueprint.empty() && blueprint == texts(daily_seen_).date) {
        context_.remember(kUndated, true);
    }
}

StoryDate ClockPhase::date() const {
    return {*context_.book.clock, *context_.book.calendars};
}
DateTexts ClockPhase::texts(const Value& document) const {
    return date().texts(document);
}
std::optional<calendar::Date> ClockPhase::parse(const DateTexts& texts) const {
    return date().parse(texts);
}

ClockPhase::Moment ClockPhase::moment(const Value& document) const {
    return {texts(document), text_at(document, context_.book.clock->time)};
}

ClockPhase::Moment ClockPhase::last_moment(const Moment& now) {
    const calendar::Calendars& calendars = *context_.book.calendars;
    const Moment seen = moment(clock_seen_);
    const Object kept = context_.recalled(kLastTime);
    const bool had_time = calendars.parse_time(seen.time).has_value();
    if (calendars.parse_time(now.time)) {
        context_.forget(kLastTime);
    } else if (seen.time != now.time && (had_time || !now.time.empty())) {
        if (had_time) {
            context_.remember(kLastTime,
                              kept_date(seen.date).set("time", std::string_view(seen.time)));
        }
        warn(proposal::Warning::kDateUnreadable, [this](const Path& path) {
            return touches(value::pattern_of(context_.book.clock->time), path);
        });
    }
    return had_time || kept.empty() ? seen : Moment{date_in(kept), text_member(kept, "time")};
}

bool ClockPhase::is_past_midnight(const Moment& was, const Moment& is) const {
    const calendar::Calendars& calendars = *context_.book.calendars;
    const auto before = calendars.parse_time(was.time);
    const auto after = calendars.parse_time(is.time);
    // The first stated hour sets the scene, as the first date does.
    const bool is_first = context_.memory.contains(kUndated) &&
                          was.time == text_at(context_.book.blueprint, context_.book.clock->time);
    return before && after && !is_first && calendar::is_earlier(*after, *before) &&
           (was.date == is.date || date().days(was.date, is.date) == 0);
}

// A clock that went back on the same day means the next day.
void ClockPhase::pass_midnight() {
    if (!context_.book.clock || !context_.book.clock->midnight) {
        return;
    }
    const Clock& clock = *context_.book.clock;
    const Moment now = moment(context_.document());
    if (is_past_midnight(last_moment(now), now)) {
        const auto today = parse(now.date);
        const auto tomorrow = today ? context_.book.calendars->plus_days(*today, 1) : std::nullopt;
        const auto text =
            tomorrow ? context_.book.calendars->print(*tomorrow, now.date) : std::nullopt;
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
    if (weekday.empty() || weekday != text_at(seen, place) || context_.is_written(place)) {
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
    const DateTexts was = texts(daily_seen_);
    const DateTexts is = texts(context_.document());
    const Value seen = std::exchange(daily_seen_, context_.document());
    if (was == is) {
        return {};
    }
    const DayStep step = step_to(was, is);
    if (step.days && !step.is_first) {
        paid_.step(*step.days);
        move_weekday(seen, *step.days);
        if (*step.days < 0) {
            warn_of_date(proposal::Warning::kTimeBackwards);
        }
    }
    return step;
}

DayStep ClockPhase::step_to(const DateTexts& was, const DateTexts& is) {
    const Object kept = context_.recalled(kLastDate);
    const bool was_readable = parse(was).has_value();
    if (!parse(is)) {
        if (was_readable) {
            context_.remember(kLastDate, kept_date(was));
        }
        if (was_readable || !kept.empty() || !is.date.empty()) {
            warn_of_date(proposal::Warning::kDateUnreadable);
        }
        return {};
    }
    context_.forget(kLastDate);
    const DateTexts before = texts(context_.turn.before.document);
    const DateTexts after = texts(context_.turn.outcome.state.document);
    const bool is_first = (was.date.empty() && kept.empty()) ||
                          (before != after && context_.memory.contains(kUndated));
    if (before.date != after.date) {
        context_.forget(kUndated);
    }
    const bool has_start = was_readable || !kept.empty();
    const auto days =
        has_start ? date().days(was_readable ? was : date_in(kept), is) : std::nullopt;
    if (!days || is_first) {
        paid_.reset();
    }
    if (has_start && !days && !is_first) {
        warn_of_date(proposal::Warning::kDateUnreadable);  // it is a date of another calendar
    }
    return {days, is_first};
}

void ClockPhase::pass_days(const DayStep& step) {
    if (!step.days || *step.days <= 0 || step.is_first) {
        return;
    }
    for (const Daily& rule : context_.book.daily) {
        std::vector<std::pair<Path, Value>> fresh;
        visit_matches(rule.each, context_.document(),
                      [&](const Path& each, const Bindings& bindings, const Value& it) {
                          const std::int64_t days = paid_.due(each);
                          auto variables = variables_of(bindings);
                          variables.push_back({"it", it});
                          variables.push_back({"days", Value(days)});
                          const Known value =
                              days > 0 ? context_.evaluate(rule.to, variables) : std::nullopt;
                          const auto place = value::bound_path(rule.place, bindings);
                          if (value && place && !context_.is_written(each)) {
                              fresh.emplace_back(*place, *value);
                          }
                          return true;
                      });
        for (const auto& [path, value] : fresh) {
            context_.put(rule.id, path, value);
        }
    }
    pass_stocks(context_, paid_);
    daily_seen_ = context_.document();
}

template <typename About>
void ClockPhase::warn(proposal::Warning warning, About is_about) {
    for (engine::Verdict& verdict : context_.turn.outcome.verdicts) {
        if (verdict.status == proposal::Status::kApplied && !verdict.changes.empty() &&
            is_about(verdict.path)) {
            verdict.warnings.add(warning);
        }
    }
}

void ClockPhase::warn_of_date(proposal::Warning warning) {
    warn(warning, [this](const Path& path) { return date().is_near(path); });
}

void ClockPhase::end_turn() {
    if (!context_.book.clock) {
        return;
    }
    if (paid_.is_behind()) {
        for (const Daily& rule : context_.book.daily) {
            visit_matches(rule.each, context_.document(),
                          [&](const Path& each, const Bindings&, const Value&) {
                              if (context_.is_written(each)) {
                                  paid_.restate(each);
                              }
                              return true;
                          });
        }
        restate_stocks(context_, paid_);
    }
    paid_.save();
    if (!context_.book.daily_limits.empty()) {
        DayLimits(context_.book)
            .keep(context_.memory, {context_.turn.before, context_.meta(), context_.document()});
    }
}

}  // namespace arbiter::rules::internal
