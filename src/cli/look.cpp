#include "cli/look.h"

#include "base/text.h"
#include "table/layout.h"
#include "table/map.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::cli {
namespace {

using table::object_or_empty;
using table::text_in;
using value::Value;

std::string named(const Value* thing, std::string_view id) {
    const std::string_view name = text_in(thing, "name");
    return std::string(name.empty() ? id : name);
}

void append(std::string& list, std::string_view word, base::Language language) {
    if (!list.empty()) {
        list += language == base::Language::kChinese ? "、" : ", ";
    }
    list += word;
}

std::string in_brackets(std::string_view text, base::Language language) {
    if (text.empty()) {
        return "";
    }
    return language == base::Language::kChinese ? "（" + std::string(text) + "）"
                                                : " (" + std::string(text) + ")";
}

// "Old Dock, Cellar (locked)": the areas that paths lead to from an area. `shows_areas`: with the
// locks of these areas beside those of the paths.
std::string ways_from(const Value& document, std::string_view area, bool shows_areas,
                      base::Language language) {
    std::string ways;
    for (const auto& [path_id, path] :
         object_or_empty(table::find_in_campaign(document, {"paths"}))) {
        for (const std::string_view end : {"from", "to"}) {
            const std::string_view other = text_in(&path, end);
            if (other == area || !table::joins(path, area, other)) {
                continue;
            }
            const Value* there = table::find_area(document, other);
            std::string lock = table::lock_words(&path, document, language);
            if (lock.empty() && shows_areas) {
                lock = table::lock_words(there, document, language);
            }
            append(ways, named(there, other) + in_brackets(lock, language), language);
        }
    }
    return ways;
}

// "lantern, arrow ×3": the items of a character or an area.
std::string items_of(const Value* owner, base::Language language) {
    std::string items;
    for (const auto& [id, item] : object_or_empty(value::find_member(owner, "items"))) {
        const auto count = table::int_in(&item, "count").value_or(1);
        if (count > 0) {
            append(items,
                   named(&item, id.view()) + (count == 1 ? "" : " ×" + std::to_string(count)),
                   language);
        }
    }
    return items;
}

std::string_view area_of_actor(const Value& document) {
    return text_in(table::find_character(document, table::active_actor(document)), "area_id");
}

}  // namespace

std::string look_words(const Value& document, base::Language language) {
    const std::string_view here = area_of_actor(document);
    const Value* area = here.empty() ? nullptr : table::find_area(document, here);
    if (area == nullptr) {
        return "";
    }
    std::string companions;
    std::string others;
    for (const auto& [id, who] :
         object_or_empty(table::find_in_campaign(document, {"characters"}))) {
        if (id.view() != table::active_actor(document) && text_in(&who, "area_id") == here) {
            const bool is_companion = table::holds_text(table::party(document), id.view());
            append(is_companion ? companions : others, named(&who, id.view()), language);
        }
    }
    const auto line = [&](base::TextView heading, const std::string& words) {
        return words.empty() ? "" : std::string(heading.in(language)) + words + "\n";
    };
    const std::string about(text_in(area, "description"));
    return named(area, here) + line({": ", "："}, about) + (about.empty() ? "\n" : "") +
           line({"Lying here: ", "此处有："}, items_of(area, language)) +
           line({"Also here: ", "在场："}, others) +
           line({"With you: ", "与你同行："}, companions) +
           line({"Exits: ", "出口："}, ways_from(document, here, true, language));
}

std::string map_words(const Value& document, base::Language language) {
    const std::string_view here = area_of_actor(document);
    std::string text;
    for (const auto& [id, area] : object_or_empty(table::find_in_campaign(document, {"areas"}))) {
        text += (id.view() == here ? "* " : "  ") + named(&area, id.view()) +
                in_brackets(table::lock_words(&area, document, language), language);
        const std::string ways = ways_from(document, id.view(), false, language);
        text += ways.empty() ? "\n" : " → " + ways + "\n";
    }
    return text;
}

std::string item_words(const Value& document, std::string_view character, base::Language language) {
    const std::string id(character.empty() ? table::active_actor(document) : character);
    const Value* who = table::find_character(document, id);
    if (who == nullptr) {
        return "";
    }
    const bool chinese = language == base::Language::kChinese;
    const std::string items = items_of(who, language);
    return named(who, id) + (chinese ? "：" : ": ") +
           (!items.empty() ? items
            : chinese      ? "什么也没有"
                           : "nothing") +
           "\n";
}

}  // namespace arbiter::cli
