#include "rules/internal/story_date.h"

#include <algorithm>

#include "rules/internal/context.h"
#include "text/ascii.h"

namespace arbiter::rules::internal {

using calendar::DateTexts;
using value::Path;

namespace {

bool touches_path(const Path& place, const Path& path) {
    return !place.empty() && touches(value::pattern_of(place), path);
}

bool is_blank(std::string_view text) {
    return std::ranges::all_of(text, text::is_blank);
}

}  // namespace

DateTexts StoryDate::texts(const value::Value& document) const {
    std::string date = text_at(document, clock_.date);
    for (const Path& place : clock_.elsewhere) {
        if (!date.empty()) {
            break;
        }
        if (std::string found = text_at(document, place); !found.empty()) {
            return {"", std::move(found), ""};
        }
    }
    return {text_at(document, clock_.era), std::move(date), ""};
}

std::optional<calendar::Date> StoryDate::parse(const DateTexts& texts) const {
    return calendars_.parse(texts, clock_.calendar);
}

std::optional<std::int64_t> StoryDate::days(const DateTexts& from, const DateTexts& to) const {
    auto start = parse(from);
    auto end = parse(to);
    if (!start || !end) {
        return std::nullopt;
    }
    if (start->year.has_value() != end->year.has_value()) {
        for (calendar::Date* date : {&*start, &*end}) {
            date->year.reset();
            date->era.clear();
        }
    }
    return calendars_.days_between(*start, *end);
}

bool StoryDate::advance(DayMark& mark, const DateTexts& now) const {
    if (is_blank(now.date) || mark.date == now) {
        return false;
    }
    const bool was_readable = parse(mark.date).has_value();
    if (!parse(now)) {
        if (was_readable) {
            return false;
        }
        const bool is_other = !is_blank(mark.date.date);
        mark = {now, 0};
        return is_other;
    }
    const auto passed = was_readable ? days(mark.date, now) : std::nullopt;
    if (!passed) {
        mark = {now, 0};
        return false;
    }
    if (*passed == 0) {
        return false;
    }
    const std::int64_t behind = mark.behind - *passed;
    mark = {now, std::max<std::int64_t>(behind, 0)};
    return behind < 0;
}

bool StoryDate::is_near(const Path& path) const {
    return touches_path(clock_.date, path) || touches_path(clock_.era, path) ||
           std::ranges::any_of(clock_.elsewhere,
                               [&](const Path& place) { return touches_path(place, path); });
}

}  // namespace arbiter::rules::internal
