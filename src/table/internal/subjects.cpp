#include "table/internal/subjects.h"

#include <algorithm>
#include <array>

#include "table/internal/write.h"
#include "table/layout.h"
#include "table/map.h"

namespace arbiter::table::internal {

using value::Object;
using value::Value;

namespace {

// Entries of a list in a message; more would hide what the message says.
constexpr std::size_t kListedMax = 16;

std::string named(std::string_view id, const Value& of) {
    const std::string_view name = text_in(&of, "name");
    std::string text = truncated_id(id);
    if (!name.empty() && name != id) {
        text += " (" + truncated_id(name) + ")";
    }
    return text;
}

std::string listed(const Object& all) {
    std::string text;
    std::size_t count = 0;
    for (const auto& [id, each] : all) {
        if (count == kListedMax) {
            return text + " …";
        }
        text += (count++ == 0 ? "" : ", ") + named(id, each);
    }
    return text.empty() ? "-" : text;
}

}  // namespace

std::string all_characters(const Value& document) {
    return listed(object_or_empty(find_in_campaign(document, {"characters"})));
}

std::string all_areas(const Value& document) {
    return listed(object_or_empty(find_in_campaign(document, {"areas"})));
}

base::Text ways_from(const Value& document, std::string_view area) {
    const Object& areas = object_or_empty(find_in_campaign(document, {"areas"}));
    base::Text text;
    std::size_t count = 0;
    for (const auto& [id, path] : object_or_empty(find_in_campaign(document, {"paths"}))) {
        const std::string_view from = text_in(&path, "from");
        const std::string_view to = from == area ? text_in(&path, "to") : from;
        const Value* there = areas.find(to);
        if (there == nullptr || !joins(path, area, to)) {
            continue;
        }
        if (count == kListedMax) {
            text.english += " …";
            text.chinese += " …";
            break;
        }
        const bool locked = is_locked(&path, document) || is_locked(there, document);
        const std::string name = (count++ == 0 ? "" : ", ") + named(to, *there);
        text.english += name + (locked ? " [locked]" : "");
        text.chinese += name + (locked ? "［锁着］" : "");
    }
    if (count == 0 && areas.contains(area)) {
        return {"nowhere", "无"};
    }
    if (count == 0) {
        const std::string all = all_areas(document);
        return {all, all};
    }
    return text;
}

Reason unknown_character() {
    return {"unknown_character",
            {"There is no character {0}. Available: {1}.", "没有角色 {0}。可用：{1}。"}};
}

Reason unknown_area() {
    return {"unknown_area", {"There is no area {0}. Available: {1}.", "没有区域 {0}。可用：{1}。"}};
}

Condition character_exists(std::string name) {
    return {
        Condition::Stage::kState,
        "unknown_character",
        {"The character is one of the campaign's.", "该角色属于本战役。"},
        [name = std::move(name)](const ToolContext& at) -> std::optional<Details> {
            if (!at.args.contains(name) || find_character(at.document, arg(at, name)) != nullptr) {
                return std::nullopt;
            }
            return Details{truncated_id(arg(at, name)), all_characters(at.document)};
        }};
}

Condition area_exists(std::string name) {
    return {Condition::Stage::kState,
            "unknown_area",
            {"The area is one of the campaign's.", "该区域属于本战役。"},
            [name = std::move(name)](const ToolContext& at) -> std::optional<Details> {
                if (!at.args.contains(name) || find_area(at.document, arg(at, name)) != nullptr) {
                    return std::nullopt;
                }
                return Details{truncated_id(arg(at, name)), all_areas(at.document)};
            }};
}

}  // namespace arbiter::table::internal
