#include "table/internal/tools_play.h"

#include <algorithm>

#include "expr/formula.h"
#include "table/internal/write.h"
#include "value/array.h"

namespace arbiter::table::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// A character or an area that holds items.
struct Holder {
    const Value* value = nullptr;
    std::string_view kind;  // "characters" or "areas"
    std::string_view area;  // the area that it is in
};

Holder holder_of(const Value& document, std::string_view id) {
    if (const Value* character = find_character(document, id)) {
        return {character, "characters", text_in(character, "area_id")};
    }
    if (const Value* area = find_area(document, id)) {
        return {area, "areas", id};
    }
    return {};
}

std::int64_t held(const Holder& holder, std::string_view item) {
    const auto count =
        int_in(value::find_member(value::find_member(holder.value, "items"), item), "count");
    return std::clamp<std::int64_t>(count.value_or(0), 0, base::kToolNumberMax);
}

std::expected<Effect, Refusal> do_transfer(const ToolContext& at, Random&) {
    const std::string_view from_id = arg(at, "from_id");
    const std::string_view to_id = arg(at, "to_id");
    const std::string_view item = arg(at, "item_id");
    const std::int64_t count = number_arg(at, "count").value_or(1);
    const Holder from = holder_of(at.document, from_id);
    const Holder to = holder_of(at.document, to_id);
    if (from_id == to_id) {
        return refuse("same_holder", {truncated_id(from_id)});
    }
    if (from.area != to.area) {
        return refuse("apart", {truncated_id(from_id), truncated_id(to_id)});
    }
    const std::int64_t had = held(from, item);
    const std::int64_t has = held(to, item);
    if (had < count) {
        return refuse("not_enough",
                      {truncated_id(from_id), std::to_string(had), truncated_id(item)});
    }
    if (has > base::kToolNumberMax - count) {
        return refuse("too_much", {truncated_id(to_id)});
    }
    const Path source = campaign_path({from.kind, from_id, "items", item});
    const Path target = campaign_path({to.kind, to_id, "items", item});
    Object row = object_or_empty(value::find_member(value::find_member(from.value, "items"), item));
    Effect made;
    made.instructions.push_back(had == count ? remove_at(source)
                                             : set_at(source, row.set("count", had - count)));
    if (const Value* there = value::find_member(value::find_member(to.value, "items"), item)) {
        row = object_or_empty(there);
    }
    made.instructions.push_back(set_at(target, std::move(row).set("count", has + count)));
    made.result =
        Object{{"from_id", text(from_id)}, {"to_id", text(to_id)},     {"item_id", text(item)},
               {"count", count},           {"from_left", had - count}, {"to_has", has + count}};
    return made;
}

std::optional<Mismatch> check_transfer(const EffectCheck& seen) {
    const std::string_view item = text_in(&seen.result, "item_id");
    for (const auto& [whose, expected] :
         {std::pair{"from_id", "from_left"}, std::pair{"to_id", "to_has"}}) {
        const std::string id(text_in(&seen.result, whose));
        const std::int64_t now = held(holder_of(seen.after, id), item);
        if (now != int_in(&seen.result, expected)) {
            return Mismatch{id + ".items." + std::string(item), *int_in(&seen.result, expected),
                            now};
        }
    }
    return std::nullopt;
}

Condition holder_exists(std::string name) {
    return {Condition::Stage::kState,
            "unknown_holder",
            {"Both are characters or areas of the campaign.", "双方均为本战役的角色或区域。"},
            [name](const ToolContext& at) -> std::optional<Details> {
                if (holder_of(at.document, arg(at, name)).value != nullptr) {
                    return std::nullopt;
                }
                return Details{truncated_id(arg(at, name))};
            }};
}

// Entries of the timeline that are searched for a date.
constexpr std::size_t kTimelineSearched = 100;

// The last date that can be read: the clock's, or that of the timeline.
std::string last_date(const ToolContext& at, std::string_view present) {
    if (at.calendars == nullptr) {
        return {};
    }
    if (at.calendars->parse(present)) {
        return std::string(present);
    }
    const Array& entries = array_or_empty(value::find(at.document, at.timeline));
    const std::size_t end = entries.size() - std::min(entries.size(), kTimelineSearched);
    for (std::size_t i = entries.size(); i > end; --i) {
        const std::string_view date = text_in(&entries[i - 1], "时间");
        if (at.calendars->parse(date)) {
            return std::string(date);
        }
    }
    return {};
}

// Whether the second date is before the first; nothing if that is unknown.
std::optional<bool> goes_back(const calendar::Calendars& calendars, calendar::Date from,
                              calendar::Date to) {
    if (from.year.has_value() != to.year.has_value()) {
        for (calendar::Date* date : {&from, &to}) {
            date->year.reset();
            date->era.clear();
        }
    }
    const auto days = calendars.days_between(from, to);
    if (days == 0 && from.minute && to.minute) {
        return calendar::is_earlier({*to.minute, to.phase}, {*from.minute, from.phase});
    }
    return days ? std::optional(*days < 0) : std::nullopt;
}

std::expected<Effect, Refusal> do_time(const ToolContext& at, Random&) {
    const Value* kept = value::find(at.document, at.clock);
    const Value now = kept != nullptr ? expr::undescribed(*kept) : Value();
    const std::string_view present = now.is_string() ? now.as_string() : std::string_view();
    const auto days = number_arg(at, "days");
    if (days.has_value() == at.args.contains("to")) {
        return refuse("to_or_days");
    }
    const std::string last = last_date(at, present);
    const std::string example = last.empty() ? "3月9日" : last;
    const auto date = last.empty() ? std::nullopt : at.calendars->parse(last);
    std::string next(arg(at, "to"));
    if (days) {
        if (present.empty() && !date) {
            return refuse("no_date", {example});
        }
        const auto later = date ? at.calendars->plus_days(*date, *days) : std::nullopt;
        const auto printed = later ? at.calendars->print(*later, last) : std::nullopt;
        if (!printed) {
            return refuse("date_unreadable", {truncated_id(present), truncated_id(example)});
        }
        next = *printed;
    } else {
        const auto then = at.calendars != nullptr ? at.calendars->parse(next) : std::nullopt;
        // A story without a calendar may state its time in its own words, but not by a day that
        // does not exist.
        const bool is_free = !date && (at.calendars == nullptr || !at.calendars->has_form(next));
        if (next.empty() || (!then && !is_free)) {
            return refuse("date_unreadable", {truncated_id(next), truncated_id(example)});
        }
        // Dates that cannot be compared (different eras) are accepted.
        if (date && then && goes_back(*at.calendars, *date, *then).value_or(false)) {
            return refuse("time_backwards", {truncated_id(last), truncated_id(next)});
        }
    }
    const Value entry =
        Object{{"时间", text(next)}, {"事件", text(arg(at, "event"))}, {"原因", text(at.reason)}};
    const Value* line = value::find(at.document, at.timeline);
    if (line != nullptr && !line->is_array()) {
        return refuse("no_timeline", {value::print_path(at.timeline, value::PathSyntax::kDotted)});
    }
    Effect made;
    made.instructions.push_back(set_at(at.clock, text(next)));
    made.instructions.push_back(line != nullptr ? push_at(at.timeline, entry)
                                                : set_at(at.timeline, Array{entry}));
    made.result = Object{{"from", now},
                         {"to", text(next)},
                         {"event", text(arg(at, "event"))},
                         {"clock", value::path_to_value(at.clock)},
                         {"timeline", value::path_to_value(at.timeline)}};
    return made;
}

std::optional<Mismatch> check_time(const EffectCheck& seen) {
    const Path clock =
        value::path_from_value(*value::find_member(&seen.result, "clock")).value_or(Path());
    const Path line =
        value::path_from_value(*value::find_member(&seen.result, "timeline")).value_or(Path());
    const Value* now = value::find(seen.after, clock);
    const Value* expected = value::find_member(&seen.result, "to");
    if (now == nullptr || expr::undescribed(*now) != *expected) {
        return Mismatch{value::print_path(clock, value::PathSyntax::kDotted), *expected,
                        now != nullptr ? *now : Value()};
    }
    const Array& entries = array_or_empty(value::find(seen.after, line));
    const auto was = array_or_empty(value::find(seen.before, line)).size();
    const bool told =
        entries.size() == was + 1 && text_in(&entries[was], "时间") == expected->as_string();
    if (!told) {
        return Mismatch{value::print_path(line, value::PathSyntax::kDotted),
                        static_cast<std::int64_t>(was + 1),
                        static_cast<std::int64_t>(entries.size())};
    }
    return std::nullopt;
}

}  // namespace

Tool item_transfer_tool() {
    Tool tool;
    tool.name = "item_transfer";
    tool.parameters = {
        {"from_id", Parameter::Type::kText, true, {"character or area", "角色或区域"}},
        {"to_id", Parameter::Type::kText, true, {"to id", "接受方：角色或区域 id"}},
        {"item_id", Parameter::Type::kText, true, {"item id", "物品 id"}},
        {"count", Parameter::Type::kInteger, false, {"default 1", "缺省 1"}, 1}};
    tool.reasons = {
        ended_reason(),
        {"unknown_holder", {"There is no character or area {0}.", "没有角色或区域 {0}。"}},
        {"holder_cannot_act", {"{0} cannot act now.", "{0} 现在无法行动。"}},
        {"same_holder", {"{0} cannot give to itself.", "{0} 不能转给自己。"}},
        {"apart", {"{0} and {1} are not in one place.", "{0} 与 {1} 不在同一处。"}},
        {"not_enough", {"{0} has only {1} of {2}.", "{0} 只有 {1} 个 {2}。"}},
        {"too_much", {"{0} can hold no more.", "{0} 无法持有更多。"}}};
    tool.conditions = {campaign_open(),
                       holder_exists("from_id"),
                       holder_exists("to_id"),
                       {Condition::Stage::kState,
                        "holder_cannot_act",
                        {"A character who receives, while nobody gives, can act.",
                         "从区域拾取时，接受方处于可行动状态。"},
                        [](const ToolContext& at) -> std::optional<Details> {
                            const std::string_view to = arg(at, "to_id");
                            const bool picks =
                                holder_of(at.document, arg(at, "from_id")).kind == "areas" &&
                                find_character(at.document, to) != nullptr;
                            if (!picks || may_act(find_character(at.document, to))) {
                                return std::nullopt;
                            }
                            return Details{truncated_id(to)};
                        }}};
    tool.effect = do_transfer;
    tool.check = check_transfer;
    tool.for_agents = {"Hands an item over, picks it up or puts it down, within one area.",
                       "在同一处交付、拾取或放下物品。"};
    tool.for_people = {"Things change hands; none come from nowhere and none are lost.",
                       "物品只会易手，不会凭空出现或消失。"};
    return tool;
}

Tool time_advance_tool() {
    Tool tool;
    tool.name = "time_advance";
    tool.parameters = {
        {"to", Parameter::Type::kText, false, {"the new date and time", "新的时间"}},
        {"days",
         Parameter::Type::kInteger,
         false,
         {"or days that pass", "或经过的天数"},
         1,
         36'500},
        {"event", Parameter::Type::kText, true, {"what happened meanwhile", "期间发生的事"}}};
    tool.reasons = {
        ended_reason(),
        {"to_or_days", {"Give either to or days.", "to 与 days 必须且只能给一个。"}},
        {"no_date",
         {"There is no date yet, so days cannot be counted. Give to, such as {0}.",
          "还没有日期，无法按天数推算。请给出 to，如 {0}。"}},
        {"date_unreadable",
         {"The date \"{0}\" cannot be read, or there is no such day. Give to, written like {1}.",
          "日期“{0}”无法读懂，或没有这一天。请给出 to，写法如 {1}。"}},
        {"time_backwards", {"Time does not go back from {0} to {1}.", "时间不能从 {0} 倒回 {1}。"}},
        {"no_timeline", {"{0} is not a list.", "{0} 不是列表。"}}};
    tool.conditions = {campaign_open()};
    tool.effect = do_time;
    tool.check = check_time;
    tool.for_agents = {"Lets time pass and writes it into the timeline, both at once.",
                       "推进时间并记入时间轴。"};
    tool.for_people = {"The clock and the timeline always change together.",
                       "当前时间与时间轴总是一起变化。"};
    return tool;
}

}  // namespace arbiter::table::internal
