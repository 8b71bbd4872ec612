#include "card/import_note.h"

#include <algorithm>
#include <array>

#include "card/card_text.h"
#include "value/array.h"

namespace arbiter::card {

using value::Value;
using Fate = ImportNote::Fate;

namespace {

// Keys of `extensions` that are read, or that mean nothing outside of the program that wrote them.
constexpr auto kKnownExtensions = std::to_array<std::string_view>(
    {"regex_scripts", "tavern_helper", "TavernHelper_scripts",
     "TavernHelper_characterScriptVariables", "world", "depth_prompt", "configuration", "protocols",
     "enabled_schemas", "talkativeness", "fav", "chub", "pygmalion_id", "sd_character_prompt"});

bool is_empty(const Value& value) {
    return value.is_null() || (value.is_string() && value.as_string().empty()) ||
           (value.is_array() && value.as_array().empty()) ||
           (value.is_object() && value.as_object().empty());
}

// True if it is in the replacement of a regex script, which has a note of its own.
bool is_of_regex(const Card& card, std::string_view name) {
    return std::ranges::any_of(card.scripts, [&](const CardScript& each) {
        return each.kind == CardScript::Kind::kRegex && each.name == name;
    });
}

}  // namespace

std::string_view name(Fate fate) noexcept {
    switch (fate) {
        case Fate::kApplied:
            return "applied";
        case Fate::kChanged:
            return "changed";
        case Fate::kIgnored:
            return "ignored";
    }
    return "";
}

std::vector<ImportNote> script_notes(const Card& card) {
    std::vector<ImportNote> notes;
    for (const CardScript& script : card.scripts) {
        ImportNote note{Fate::kIgnored, {}, script.name, {}};
        switch (script.kind) {
            case CardScript::Kind::kHelper:
                note.code = "script";
                note.reason = {"JavaScript of the tavern helper is never run",
                               "酒馆助手的 JavaScript 脚本从不运行"};
                if (script.loads_mvu) {
                    note.fate = Fate::kChanged;
                    note.reason = {"not run: the variables of MVU are kept without it",
                                   "不运行：没有它，MVU 变量也照常维护"};
                }
                break;
            case CardScript::Kind::kSchema:
                continue;  // card/zod.h reports on it
            case CardScript::Kind::kHtml:
                if (is_of_regex(card, script.name)) {
                    continue;
                }
                note.code = "html";
                note.reason = {"<script> elements are never run", "<script> 元素从不运行"};
                break;
            case CardScript::Kind::kTemplate:  // prompt/template_notes.h
                continue;
            case CardScript::Kind::kRegex:
                continue;  // card/regex_script.h
        }
        notes.push_back(std::move(note));
    }
    return notes;
}

namespace {

// Files beside the text of a card of version 3. "ccdefault:" stands for the picture of the card.
bool has_own_assets(const Card& card) {
    const Value* data = value::find_member(&card.whole, "data");
    const Value* assets = value::find_member(data, "assets");
    if (assets == nullptr || !assets->is_array()) {
        return false;
    }
    return std::ranges::any_of(assets->as_array(), [](const Value& asset) {
        const Value* uri = value::find_member(&asset, "uri");
        return uri != nullptr && *uri != Value("ccdefault:");
    });
}

}  // namespace

std::vector<ImportNote> field_notes(const Card& card) {
    std::vector<ImportNote> notes;
    for (const auto& [key, written] : card.extensions) {
        if (std::ranges::find(kKnownExtensions, key.view()) == kKnownExtensions.end() &&
            !is_empty(written)) {
            notes.push_back({Fate::kIgnored,
                             "extension",
                             "extensions." + std::string(key.view()),
                             {"this extension is not known here", "不认识这个扩展字段"}});
        }
    }
    if (!card.linked_world.empty()) {
        notes.push_back(
            {Fate::kIgnored,
             "linked_world",
             card.linked_world,
             {"the card only names this lorebook; its variables can be given with --initvar FILE",
              "卡内只有这本世界书的名称；其中的变量可用 --initvar FILE 提供"}});
    }
    if (!card.group_greetings.empty()) {
        notes.push_back({Fate::kIgnored,
                         "field",
                         "group_only_greetings",
                         {"group chats are not played", "不支持群聊"}});
    }
    if (has_own_assets(card)) {
        notes.push_back({Fate::kIgnored,
                         "field",
                         "assets",
                         {"pictures, sounds and other files of the card are not shown",
                          "不显示卡内附带的图片、声音等文件"}});
    }
    return notes;
}

}  // namespace arbiter::card
