#include "prompt/scene.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"
#include "expr/coercion.h"
#include "prompt/render.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/map.h"
#include "text/join.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {

using base::Language;
using table::text_in;
using value::Array;
using value::Object;
using value::Value;

namespace {

// A text on one line: it must not forge another one.
std::string flat(std::string_view text) {
    std::string line(text);
    std::ranges::replace(line, '\n', ' ');
    std::ranges::replace(line, '\r', ' ');
    return line;
}
std::string flat_in(const Value* container, std::string_view key) {
    return flat(text_in(container, key));
}

// A list longer than this is counted at its end.
constexpr std::size_t kListedMax = 24;

class Teller {
  public:
    Teller(const Value& document, Language language)
        : document_(document), chinese_(language == Language::kChinese) {}

    [[nodiscard]] std::string member(std::string_view id, const Value& card) const {
        std::string line = introduced(id, card);
        const std::string state = condition(card);
        line += state.empty() ? "" : stop() + state;
        if (const std::string_view area = text_in(&card, "area_id");
            !area.empty() && area != here()) {
            const Value* place = table::find_area(document_, area);
            line += stop() + say({"At ", "在"}) + named(text_in(place, "name"), area);
        }
        add_list(line, {"Carries", "携带"}, items(value::find_member(&card, "items")));
        add_list(line, {"Skills", "技能"}, skills(card));
        add_list(line, {"Attributes", "属性"}, attributes(card));
        const std::string background = flat_in(&card, "background");
        line += background.empty() ? stop_at_end(line) : stop() + background;
        return line + extras(card);
    }

    // In one clause, for a character who is merely present.
    [[nodiscard]] std::string present(std::string_view id, const Value& card) const {
        std::string text = introduced(id, card);
        const std::string state = condition(card);
        text += state.empty() ? "" : say({" (", "（"}) + state + say({")", "）"});
        add_list(text, {"Carries", "携带"}, items(value::find_member(&card, "items")));
        return text;
    }

    [[nodiscard]] std::string named(std::string_view name, std::string_view id) const {
        const std::string bracket = "[" + flat(id) + "]";
        return name.empty() || name == id ? bracket : flat(name) + " " + bracket;
    }

    // lantern [lamp], 3 × arrow [arrow]
    [[nodiscard]] std::vector<std::string> items(const Value* held) const {
        std::vector<std::string> all;
        for (const auto& [id, item] : table::object_or_empty(held)) {
            const Value& what = expr::undescribed(item);
            std::string name(what.is_string() ? what.as_string() : text_in(&what, "name"));
            const Value* count = what.is_object() ? what.as_object().find("count") : &what;
            const auto number =
                count != nullptr && count->is_int() ? std::optional(count->as_int()) : std::nullopt;
            if (number == 0) {
                continue;
            }
            all.push_back((number.value_or(1) == 1 ? "" : std::to_string(*number) + " × ") +
                          named(name, id));
        }
        return all;
    }

    void add_list(std::string& line, base::TextView head, std::vector<std::string> all) const {
        if (all.empty()) {
            return;
        }
        const std::size_t count = all.size();
        all.resize(std::min(count, kListedMax));
        line += stop() + say(head) + say({": ", "："}) + text::join(all, chinese_ ? "、" : ", ");
        if (count > all.size()) {
            line += " … +" + std::to_string(count - all.size());
        }
    }

    // The members of a place or character that have no words of their own, as indented lines.
    [[nodiscard]] static std::string free_members(const Value& owner,
                                                  std::span<const std::string_view> known) {
        Object rest;
        for (const auto& [key, value] : table::object_or_empty(&owner)) {
            const bool is_empty = value.is_null() ||
                                  (value.is_string() && value.as_string().empty()) ||
                                  (value.is_array() && value.as_array().empty()) ||
                                  (value.is_object() && value.as_object().empty());
            if (!is_empty && std::ranges::find(known, key.view()) == known.end()) {
                rest = std::move(rest).set(key, value);
            }
        }
        if (rest.empty()) {
            return "";
        }
        constexpr std::size_t kBytesMax = 2000;
        StateView view;
        view.bytes = kBytesMax;
        std::string text = "\n  " + render_value(rest, view);
        for (std::size_t at = text.find('\n', 1); at != std::string::npos;
             at = text.find('\n', at + 1)) {
            text.insert(at + 1, "  ");
        }
        return text;
    }

    [[nodiscard]] std::string_view here() const {
        return text_in(table::find_character(document_, table::active_actor(document_)), "area_id");
    }
    [[nodiscard]] std::string say(base::TextView text) const {
        return std::string(chinese_ ? text.chinese : text.english);
    }
    [[nodiscard]] std::string stop() const { return chinese_ ? "。" : ". "; }
    // A full stop, unless the text has one.
    [[nodiscard]] std::string stop_at_end(std::string_view text) const {
        for (const std::string_view mark : {".", "!", "?", "…", "。", "！", "？", "”", "\""}) {
            if (text.ends_with(mark)) {
                return "";
            }
        }
        return chinese_ ? "。" : ".";
    }

  private:
    // Ali [ali], the ferryman's daughter, human courier
    [[nodiscard]] std::string introduced(std::string_view id, const Value& card) const {
        std::string line = named(text_in(&card, "name"), id);
        const std::string title = flat_in(&card, "title");
        line += title.empty() ? "" : comma() + title;
        const std::string race = flat_in(&card, "race");
        const std::string job = flat_in(&card, "job");
        // 人类信使, but human courier, also in a Chinese prompt.
        const bool is_apart = !race.empty() && !job.empty() &&
                              (!chinese_ || static_cast<unsigned char>(race.back()) < 0x80);
        const std::string both = race + (is_apart ? " " : "") + job;
        return line + (both.empty() ? "" : comma() + both);
    }

    // HP 10/12, down, poisoned
    [[nodiscard]] std::string condition(const Value& card) const {
        std::vector<std::string> all;
        if (const auto hp = table::hp_of(&card)) {
            all.push_back("HP " + std::to_string(hp->current) + "/" + std::to_string(hp->max));
        }
        if (const std::string_view state = table::alive_state(&card);
            state != table::alive::kAlive) {
            all.push_back(state_word(state));
        }
        const Value* flags = value::find_member(value::find_member(&card, "status"), "flags");
        for (const Value& flag : table::array_or_empty(flags)) {
            if (flag.is_string()) {
                all.push_back(flat(flag.as_string()));
            }
        }
        return text::join(all, chinese_ ? "，" : ", ");
    }
    [[nodiscard]] std::string state_word(std::string_view state) const {
        return flat(table::state_words(state).in(chinese_ ? base::Language::kChinese
                                                          : base::Language::kEnglish));
    }

    [[nodiscard]] static std::vector<std::string> skills(const Value& card) {
        std::vector<std::string> all;
        for (const Value& skill : table::array_or_empty(value::find_member(&card, "skills"))) {
            const auto level = table::int_in(&skill, "level");
            all.push_back(flat_in(&skill, "name") + (level ? " " + std::to_string(*level) : ""));
        }
        return all;
    }
    [[nodiscard]] static std::vector<std::string> attributes(const Value& card) {
        std::vector<std::string> all;
        for (const auto& [name, value] :
             table::object_or_empty(value::find_member(&card, "attributes"))) {
            const Value& number = expr::undescribed(value);
            if (!number.is_container()) {
                all.push_back(
                    flat(name.view()) + " " +
                    (number.is_string() ? flat(number.as_string()) : value::print_json(number)));
            }
        }
        return all;
    }
    [[nodiscard]] static std::string extras(const Value& card) {
        constexpr std::array<std::string_view, 12> kKnown = {
            "character_id", "name",   "title",      "background", "job",     "race",
            "hp",           "skills", "attributes", "status",     "area_id", "items"};
        return free_members(card, kKnown);
    }
    [[nodiscard]] std::string comma() const { return chinese_ ? "，" : ", "; }

    const Value& document_;
    bool chinese_;
};

// The ids of the paths that touch an area.
std::vector<std::string> paths_at(const Value& paths, std::string_view area, Cache* cache) {
    if (cache != nullptr) {
        return cache->paths_at(paths, area);
    }
    Cache none;
    return none.paths_at(paths, area);
}

void add_exits(std::string& text, const Value& document, std::string_view here,
               const Teller& teller, Language language, Cache* cache) {
    const Value* paths = table::find_in_campaign(document, {"paths"});
    if (paths == nullptr) {
        return;
    }
    std::string exits;
    for (const std::string& id : paths_at(*paths, here, cache)) {
        const Value& path = *value::find_member(paths, id);
        const std::string_view from = text_in(&path, "from");
        const std::string_view to = from == here ? text_in(&path, "to") : from;
        const Value* area = table::find_area(document, to);
        if (!table::joins(path, here, to) || area == nullptr) {
            continue;
        }
        exits += "\n- " + teller.named(text_in(area, "name"), to) + teller.say({", by ", "，经 "}) +
                 teller.named(text_in(&path, "name"), id);
        std::string lock = table::lock_words(&path, document, language);
        if (lock.empty()) {
            lock = table::lock_words(area, document, language);
        }
        exits += lock.empty() ? "" : teller.say({", ", "，"}) + lock;
        const std::string about = flat_in(area, "description");
        if (!about.empty()) {
            exits += (lock.empty() ? teller.say({": ", "："}) : teller.say({". ", "。"})) + about;
        }
    }
    if (!exits.empty()) {
        text += "\n" + teller.say({"Exits:", "出口："}) + exits;
    }
}

void add_people(std::string& text, const Value& document, std::string_view here,
                const Teller& teller) {
    std::vector<std::string> people;
    for (const auto& [id, card] :
         table::object_or_empty(table::find_in_campaign(document, {"characters"}))) {
        if (text_in(&card, "area_id") == here && !table::holds_text(table::party(document), id)) {
            people.push_back(teller.present(id, card));
            if (people.size() == kListedMax) {
                break;
            }
        }
    }
    if (!people.empty()) {
        text += "\n" + teller.say({"Also here: ", "在场："}) +
                text::join(people, teller.say({"; ", "；"}));
    }
}

}  // namespace

std::string party_text(const Value& document, Language language, std::size_t room) {
    const Teller teller(document, language);
    std::string text;
    std::size_t left_out = 0;
    for (const Value& id : table::party(document)) {
        const Value* card =
            id.is_string() ? table::find_character(document, id.as_string()) : nullptr;
        if (card == nullptr) {
            continue;
        }
        if (text.size() > room) {
            ++left_out;
            continue;
        }
        text += (text.empty() ? "- " : "\n- ") + teller.member(id.as_string(), *card);
    }
    return left_out == 0 ? text : text + "\n# … " + std::to_string(left_out);
}

std::string scene_text(const Value& document, Language language, Cache* cache) {
    const Teller teller(document, language);
    const std::string_view here = teller.here();
    const Value* area = here.empty() ? nullptr : table::find_area(document, here);
    if (area == nullptr) {
        return "";
    }
    std::string text = teller.named(text_in(area, "name"), here);
    const std::string about = flat_in(area, "description");
    text += about.empty() ? "" : teller.say({": ", "："}) + about;
    constexpr std::array<std::string_view, 4> kKnown = {"name", "description", "items", "lock"};
    text += Teller::free_members(*area, kKnown);
    const auto things = teller.items(value::find_member(area, "items"));
    if (!things.empty()) {
        text += "\n" + teller.say({"Lying here: ", "此处有："}) +
                text::join(things, teller.say({", ", "、"}));
    }
    add_people(text, document, here, teller);
    add_exits(text, document, here, teller, language, cache);
    return text;
}

std::string actor_line(const Value& document, Language language) {
    const std::string_view id = table::active_actor(document);
    const Value* card = table::find_character(document, id);
    if (card == nullptr) {
        return "";
    }
    const Teller teller(document, language);
    return teller.say({"Acting: ", "当前行动者："}) + teller.named(text_in(card, "name"), id) +
           teller.say({".", "。"});
}

std::string dice_text(const Value& document, Language language) {
    const Teller teller(document, language);
    const Array& rolls = table::array_or_empty(table::find_in_campaign(document, {"rolls"}));
    const std::int64_t turn = table::turn_number(document);
    std::size_t first = rolls.size();
    while (first > 0 && turn > 0 && table::int_in(&rolls[first - 1], "turn") == turn) {
        --first;
    }
    std::string text;
    for (std::size_t i = first; i < rolls.size(); ++i) {
        const Value& roll = rolls[i];
        const std::string_view who = text_in(&roll, "character_id");
        const std::string_view name = text_in(table::find_character(document, who), "name");
        const auto total = table::int_in(&roll, "total");
        const auto successes = table::int_in(&roll, "successes");
        text += (text.empty() ? "- " : "\n- ") + flat(name.empty() ? who : name) +
                teller.say({" rolled ", "掷 "}) + flat_in(&roll, total ? "dice" : "pool");
        if (total) {
            text += " = " + std::to_string(*total);
        } else if (successes) {
            text += teller.say({": successes ", "：成功数 "}) + std::to_string(*successes);
        }
        if (const auto difficulty = table::int_in(&roll, "difficulty")) {
            const Value* success = value::find_member(&roll, "is_success");
            const bool won = success != nullptr && success->is_bool() && success->as_bool();
            text +=
                teller.say({" against ", "，难度 "}) + std::to_string(*difficulty) +
                (won ? teller.say({", success", "，成功"}) : teller.say({", failure", "，失败"}));
        }
        const std::string purpose = flat_in(&roll, "purpose");
        text += purpose.empty() ? "" : teller.say({" (", "（"}) + purpose + teller.say({")", "）"});
    }
    return text;
}

}  // namespace arbiter::prompt
