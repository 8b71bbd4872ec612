#include "rules/internal/time_rules.h"

#include <algorithm>
#include <memory>

#include "expr/formula_field.h"
#include "rules/internal/stock_phase.h"
#include "text/join.h"
#include "text/nearest.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::rules::internal {

using base::Error;
using base::ErrorCode;
using expr::formula;
using value::Fields;
using value::Path;
using value::Pattern;
using value::Presence;
using value::Value;

void compile_calendars(RuleCompiler& compiler, Fields& book) {
    std::vector<Value> own;
    std::vector<Path> paths;
    for (const auto& [written, where] : book.list("calendars")) {
        own.push_back(written);
        paths.push_back(where);
    }
    if (own.empty()) {
        return;
    }
    auto extended = compiler.book().calendars->with(own);
    if (extended) {
        compiler.book().calendars =
            std::make_shared<const calendar::Calendars>(std::move(*extended));
        return;
    }
    value::Diagnostic wrong = std::move(extended.error());
    Path path = paths[std::min(wrong.document, paths.size() - 1)];
    path.insert(path.end(), wrong.path.begin(), wrong.path.end());
    compiler.diagnostics().push_back({std::move(path), wrong.at_key, std::move(wrong.error)});
}

void compile_clock(RuleCompiler& compiler, Fields& book) {
    const Value* written = book.take("time");
    if (written == nullptr) {
        return;
    }
    compiler.name_rule("time");
    Fields rule(*written, book.path_of("time"), compiler.diagnostics());
    Clock clock;
    const auto date = rule.path("date", Presence::kRequired);
    clock.date = date.value_or(Path());
    clock.time = rule.path("clock").value_or(Path());
    clock.era = rule.path("era").value_or(Path());
    clock.weekday = rule.path("weekday").value_or(Path());
    clock.calendar = rule.text("calendar").value_or("");
    clock.midnight = rule.flag("midnight").value_or(false);
    rule.finish();
    // A calendar of the book with a mistake in it has been reported.
    const Value* own = book.take("calendars");
    const bool is_own =
        own != nullptr && own->is_array() &&
        std::ranges::any_of(own->as_array(), [&](const Value& each) {
            const Value* name = value::find_member(&each, "name");
            return name != nullptr && *name == Value(std::string_view(clock.calendar));
        });
    std::vector<std::string_view> known;
    for (const calendar::CalendarTitle& title : compiler.book().calendars->titles()) {
        known.push_back(title.name);
    }
    if (!clock.calendar.empty() && !is_own &&
        std::ranges::find(known, clock.calendar) == known.end()) {
        const auto meant = text::nearest(clock.calendar, known);
        rule.error("calendar",
                   Error(ErrorCode::kUnknownCalendar,
                         {clock.calendar, meant ? std::string(*meant) : text::join(known)}));
    }
    if (!date) {
        return;
    }
    std::vector<Pattern> writes;
    for (const Path* place : {&clock.date, &clock.era, &clock.weekday}) {
        if (!place->empty()) {
            writes.push_back(value::pattern_of(*place));
        }
    }
    std::vector<Pattern> reads;
    if (!clock.time.empty()) {
        reads.push_back(value::pattern_of(clock.time));
    }
    compiler.summarize("time", std::move(writes), std::move(reads),
                       value::print_path(clock.date, value::PathSyntax::kDotted));
    compiler.book().clock = std::move(clock);
}

void compile_daily(RuleCompiler& compiler, Fields& rule) {
    auto each = rule.pattern("each", Presence::kRequired);
    auto place = rule.pattern("set");
    auto to = formula(rule, "to", compiler.words(each.value_or(Pattern()), {"it", "days"}),
                      Presence::kRequired);
    if (!each || !to) {
        return;
    }
    if (place) {
        compiler.check_bound(rule, "set", *place, *each);
    }
    Pattern target = place ? std::move(*place) : *each;
    compiler.summarize("daily", {target}, to->reads(),
                       value::print_pattern(target) + " = " + to->text());
    compiler.book().daily.push_back(
        {compiler.id(), std::move(*each), std::move(target), std::move(*to)});
}

void compile_stocks(RuleCompiler& compiler, Fields& rule) {
    Stocks stocks;
    stocks.id = compiler.id();
    auto below = rule.path("below", Presence::kRequired);
    stocks.key = rule.text("key").value_or(stocks.key);
    if (!below) {
        return;
    }
    stocks.below = std::move(*below);
    Pattern all = value::pattern_of(stocks.below);
    all.push_back({value::PatternStep::Kind::kBelow, value::Segment(""), {}});
    compiler.summarize("stocks", {all}, {},
                       value::print_pattern(all) + " " + stocks.key + " [\"3/d\", 100]");
    compiler.book().checks.push_back(std::make_shared<StockCheck>(stocks));
    compiler.book().stocks.push_back(std::move(stocks));
}

void compile_countdown(RuleCompiler& compiler, Fields& rule) {
    auto limit = rule.path("limit", Presence::kRequired);
    auto start = rule.path("start", Presence::kRequired);
    auto left = rule.path("left", Presence::kRequired);
    if (!limit || !start || !left) {
        return;
    }
    compiler.summarize("countdown", {value::pattern_of(*start), value::pattern_of(*left)},
                       {value::pattern_of(*limit)},
                       value::print_path(*left, value::PathSyntax::kDotted));
    compiler.book().read_only.push_back(value::pattern_of(*start));
    compiler.book().countdowns.push_back(
        {compiler.id(), std::move(*limit), std::move(*start), std::move(*left)});
}

}  // namespace arbiter::rules::internal
