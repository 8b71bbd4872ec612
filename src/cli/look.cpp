#include "cli/look.h"

#include "base/text.h"
#include "prompt/scene.h"
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

}  // namespace

std::string look_words(const Value& document, base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    std::string text = prompt::scene_text(document, language, nullptr);
    // The scene of a prompt leaves out the party, which has a block of its own there.
    const std::string_view actor = table::active_actor(document);
    const std::string_view here = text_in(table::find_character(document, actor), "area_id");
    std::string companions;
    for (const Value& member : table::array_or_empty(
             table::find_in_campaign(document, {"selected", "party_character_ids"}))) {
        const std::string_view id = member.is_string() ? member.as_string() : std::string_view();
        const Value* who = table::find_character(document, id);
        if (who != nullptr && id != actor && text_in(who, "area_id") == here) {
            companions += (companions.empty() ? "" : (chinese ? "、" : ", ")) + named(who, id);
        }
    }
    if (!companions.empty()) {
        text += (text.empty() || text.ends_with('\n') ? "" : "\n");
        text += (chinese ? "与你同行：" : "With you: ") + companions + "\n";
    }
    return text;
}

std::string map_words(const Value& document, base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    const std::string_view here =
        text_in(table::find_character(document, table::active_actor(document)), "area_id");
    const value::Object& paths = object_or_empty(table::find_in_campaign(document, {"paths"}));
    std::string text;
    for (const auto& [id, area] : object_or_empty(table::find_in_campaign(document, {"areas"}))) {
        text += (id.view() == here ? "* " : "  ") + named(&area, id.view());
        const std::string lock = table::lock_words(&area, document, language);
        text += lock.empty() ? "" : (chinese ? "（" : " (") + lock + (chinese ? "）" : ")");
        std::string ways;
        for (const auto& [path_id, path] : paths) {
            for (const std::string_view end : {"from", "to"}) {
                const std::string_view other = text_in(&path, end);
                if (other != id.view() && table::joins(path, id.view(), other)) {
                    ways += (ways.empty() ? "" : (chinese ? "、" : ", ")) +
                            named(table::find_area(document, other), other);
                    const std::string shut = table::lock_words(&path, document, language);
                    ways +=
                        shut.empty() ? "" : (chinese ? "（" : " (") + shut + (chinese ? "）" : ")");
                }
            }
        }
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
    std::string text = named(who, id) + (language == base::Language::kChinese ? "：" : ": ");
    bool is_first = true;
    for (const auto& [item_id, item] : object_or_empty(value::find_member(who, "items"))) {
        const auto count = table::int_in(&item, "count").value_or(1);
        if (count <= 0) {
            continue;
        }
        text += (is_first                               ? ""
                 : language == base::Language::kChinese ? "、"
                                                        : ", ") +
                named(&item, item_id.view()) + (count == 1 ? "" : " ×" + std::to_string(count));
        is_first = false;
    }
    text += is_first ? (language == base::Language::kChinese ? "什么也没有" : "nothing") : "";
    return text + "\n";
}

}  // namespace arbiter::cli
