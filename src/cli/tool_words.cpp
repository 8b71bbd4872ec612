#include "cli/tool_words.h"

#include <optional>
#include <string_view>

#include "base/text.h"
#include "cli/documents.h"
#include "table/layout.h"
#include "table/life.h"
#include "text/join.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::cli {
namespace {

using table::int_in;
using table::text_in;
using value::Value;

class Words {
  public:
    Words(const Value& result, const Value& document, base::Language language)
        : result_(result), document_(document), language_(language) {}

    // The sentence of the first kind of result that this is.
    [[nodiscard]] std::string in_words(std::string_view tool) const {
        if (has("to_area_id") && has("actor_id")) {
            return name_of("actor_id") + " → " + name_of("to_area_id");
        }
        if (has("target_character_id") && has("old") && has("new")) {
            return name_of("target_character_id") + " HP " + number("old") + " → " + number("new") +
                   in_brackets("cause");
        }
        if (has("target_character_id") && has("old_state") && has("alive_state")) {
            return condition();
        }
        if (has("item_id") && has("from_id") && has("to_id")) {
            const auto count = int_in(&result_, "count").value_or(1);
            return name_of("from_id") + " → " + name_of("to_id") + say({": ", "："}) + item() +
                   (count == 1 ? "" : " ×" + std::to_string(count));
        }
        if (has("rolls")) {
            return dice();
        }
        if (has("from") && has("to")) {
            return shown("from") + " → " + shown("to") + in_brackets("event");
        }
        return members().empty() ? std::string(tool)
                                 : std::string(tool) + say({": ", "："}) + members();
    }

  private:
    [[nodiscard]] std::string say(const base::TextView& text) const {
        return std::string(text.in(language_));
    }
    // The result of a tool of data, whose author named the members: "dish ginger tea, left 22".
    [[nodiscard]] std::string members() const {
        std::string line;
        for (const auto& [key, member] : table::object_or_empty(&result_)) {
            line += (line.empty() ? "" : say({", ", "，"})) + std::string(key.view()) + " " +
                    shown(key.view());
        }
        return line;
    }
    [[nodiscard]] bool has(std::string_view key) const {
        return value::find_member(&result_, key) != nullptr;
    }
    [[nodiscard]] std::string number(std::string_view key) const {
        const auto found = int_in(&result_, key);
        return found ? std::to_string(*found) : shown(key);
    }
    [[nodiscard]] std::string shown(std::string_view key) const {
        const Value* found = value::find_member(&result_, key);
        return found == nullptr     ? std::string()
               : found->is_string() ? std::string(found->as_string())
                                    : brief(*found);
    }
    [[nodiscard]] std::string in_brackets(std::string_view key) const {
        const std::string text = shown(key);
        return text.empty() ? text : say({" (", "（"}) + text + say({")", "）"});
    }
    // Of a character or an area; the id if it has no name.
    [[nodiscard]] std::string name_of(std::string_view key) const {
        const std::string id(text_in(&result_, key));
        for (const Value* found :
             {table::find_character(document_, id), table::find_area(document_, id)}) {
            if (const std::string_view name = text_in(found, "name"); !name.empty()) {
                return std::string(name);
            }
        }
        return id;
    }
    // The item's name, from its present owner.
    [[nodiscard]] std::string item() const {
        const std::string id(text_in(&result_, "item_id"));
        for (const std::string_view whose : {"to_id", "from_id"}) {
            const std::string holder(text_in(&result_, whose));
            for (const Value* each :
                 {table::find_character(document_, holder), table::find_area(document_, holder)}) {
                const Value* kept = each != nullptr
                                        ? value::find_member(value::find_member(each, "items"), id)
                                        : nullptr;
                if (const std::string_view name = text_in(kept, "name"); !name.empty()) {
                    return std::string(name);
                }
            }
        }
        return id;
    }
    // Mei: downed → dead (a fall), or the flags: Mei: poisoned (a bite)
    [[nodiscard]] std::string condition() const {
        const std::string before(text_in(&result_, "old_state"));
        const std::string after(text_in(&result_, "alive_state"));
        std::string line = name_of("target_character_id") + say({": ", "："});
        if (before != after) {
            line += table::state_words(before).in(language_);
            line += " → ";
            line += table::state_words(after).in(language_);
        } else {
            const value::Array& flags =
                table::array_or_empty(value::find_member(&result_, "flags"));
            line += flags.empty()
                        ? say({"no flags", "没有标记"})
                        : text::join(flags, say({", ", "、"}), [](const Value& flag) {
                              return flag.is_string() ? std::string(flag.as_string()) : brief(flag);
                          });
        }
        return line + in_brackets("cause");
    }
    // 2d6+3 = 9 (1, 5) — success
    [[nodiscard]] std::string dice() const {
        std::string rolls;
        for (const Value& each : table::array_or_empty(value::find_member(&result_, "rolls"))) {
            rolls += (rolls.empty() ? "" : ", ") + brief(each);
        }
        const bool is_pool = has("pool");
        std::string line = shown(is_pool ? "pool" : "dice") + " = " +
                           number(is_pool ? "successes" : "total") + say({" (", "（"}) + rolls +
                           say({")", "）"});
        if (const Value* success = value::find_member(&result_, "is_success");
            success != nullptr && success->is_bool()) {
            line +=
                success->as_bool() ? say({" — success", "——成功"}) : say({" — failure", "——失败"});
        }
        const std::string purpose = shown("purpose");
        return purpose.empty() ? line : purpose + say({": ", "："}) + line;
    }

    const Value& result_;
    const Value& document_;
    base::Language language_;
};

}  // namespace

std::string tool_words(const Value& action, const Value& document, base::Language language) {
    const std::string_view tool = text_in(&action, "tool");
    const Value* result = value::find_member(&action, "result");
    return result == nullptr ? std::string(tool)
                             : Words(*result, document, language).in_words(tool);
}

}  // namespace arbiter::cli
