#include "rules/internal/day_limits.h"

#include <set>

#include "engine/numbers.h"
#include "rules/internal/context.h"
#include "rules/limit.h"
#include "value/diff.h"

namespace arbiter::rules::internal {

using calendar::DateTexts;
using value::Bindings;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kDay = "day";
constexpr std::string_view kDayValues = "day_values";

std::string text_member(const Object& of, std::string_view key) {
    const Value* found = of.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

Object object_member(const Object& of, std::string_view key) {
    const Value* found = of.find(key);
    return found != nullptr && found->is_object() ? found->as_object() : Object();
}

void store(Object& memory, const DayMark& mark, Object values) {
    Object day = {{"date", std::string_view(mark.date.date)}};
    if (!mark.date.era.empty()) {
        day = std::move(day).set("era", std::string_view(mark.date.era));
    }
    if (mark.behind > 0) {
        day = std::move(day).set("behind", mark.behind);
    }
    memory = std::move(memory)
                 .set(value::Str(kDay), std::move(day))
                 .set(value::Str(kDayValues), std::move(values));
}

// Calls `visit` once for each limited place that the turn has changed so far.
template <typename Visit>
void visit_changed(const std::vector<DailyLimit>& limits, const DayLimits::Turn& turn,
                   Visit visit) {
    const Value& before = turn.start.document;
    std::set<std::string> seen;
    const auto places = value::touched_places(value::diff(before, turn.document));
    for (const DailyLimit& limit : limits) {
        const auto each = [&](const Path& path, const Bindings&, const Value&) {
            if (std::string key = printed(path); seen.insert(key).second) {
                visit(limit, path, value::Str(key));
            }
            return true;
        };
        for (const Path& place : places) {
            visit_near(limit.place, turn.document, place, each);
            visit_near(limit.place, before, place, each);
        }
    }
}

Value number_or_null(double number) {
    return expr::number_value(number).value_or(Value());
}

}  // namespace

DayMark DayLimits::recall(const Object& memory, const Turn& turn) const {
    const Value* day = memory.find(kDay);
    if (day != nullptr && day->is_object()) {
        const Object& kept = day->as_object();
        const Value* behind = kept.find("behind");
        return {{text_member(kept, "era"), text_member(kept, "date"), ""},
                behind != nullptr && behind->is_int() ? behind->as_int() : 0};
    }
    // The first versions kept one text.
    if (std::string text = text_member(memory, kDay); !text.empty()) {
        return {{"", std::move(text), ""}, 0};
    }
    return {StoryDate(clock_, *calendars_).texts(turn.start.document), 0};
}

bool DayLimits::follow(Object& memory, const Turn& turn) const {
    const StoryDate date(clock_, *calendars_);
    DayMark mark = recall(memory, turn);
    const DayMark old = mark;
    const bool is_new_day = date.advance(mark, date.texts(turn.document));
    if (!is_new_day) {
        if (mark.date == old.date) {
            return false;
        }
        store(memory, mark, object_member(memory, kDayValues));
        return true;
    }
    Object values;
    visit_changed(limits_, turn, [&](const DailyLimit&, const Path& path, const value::Str& key) {
        auto now = engine::limited_number(value::find(turn.document, path));
        now = now ? now : engine::lost_number(turn.meta, path);
        if (now) {
            values = std::move(values).set(key, number_or_null(*now));
        }
    });
    store(memory, mark, std::move(values));
    return true;
}

void DayLimits::keep(Object& memory, const Turn& turn) const {
    follow(memory, turn);
    const DayMark mark = recall(memory, turn);
    // Without a date, a limit per day would hold forever: it then holds per turn.
    if (mark.date.date.empty()) {
        memory = std::move(memory).erase(kDay).erase(kDayValues);
        return;
    }
    Object values = object_member(memory, kDayValues);
    visit_changed(
        limits_, turn, [&](const DailyLimit& limit, const Path& path, const value::Str& key) {
            if (values.contains(key)) {
                return;
            }
            const Value known = values;
            const auto first = number_of_day(&known, turn.start, turn.meta, path);
            values = std::move(values).set(key, number_or_null(first.value_or(limit.start)));
        });
    store(memory, mark, std::move(values));
}

DayCheck::DayCheck(const Rulebook& book)
    : days_(book), book_(book.name), place_(value::pattern_of(book.clock->date)) {}

void DayCheck::follow(Object& meta, const engine::State& start, const Value& document) const {
    const Object all = object_member(meta, kRulesKey);
    Object memory = object_member(all, book_);
    if (days_.follow(memory, {start, meta, document})) {
        meta = std::move(meta).set(value::Str(kRulesKey),
                                   all.set(value::Str(book_), std::move(memory)));
    }
}

}  // namespace arbiter::rules::internal
