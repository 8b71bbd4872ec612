#include "conflict/internal/names.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "text/ascii.h"
#include "text/case_fold.h"
#include "text/split.h"
#include "text/utf8.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Meaning::Kind;
using Form = Meaning::Form;

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<std::uint8_t>(c) < 0x80; });
}

// The byte offsets of the characters of a text, and its size.
std::vector<std::size_t> starts_of(std::string_view text) {
    std::vector<std::size_t> starts;
    std::size_t at = 0;
    while (at < text.size()) {
        starts.push_back(at);
        at += std::max<std::size_t>(1, text::decode(text.substr(at)).size);
    }
    starts.push_back(text.size());
    return starts;
}

std::string plural_of(std::string_view name) {
    std::string plural(name);
    if (name.ends_with("s") || name.ends_with("x") || name.ends_with("ch") ||
        name.ends_with("sh")) {
        return plural + "es";
    }
    if (name.ends_with("y") && name.size() > 1 &&
        std::string_view("aeiou").find(name[name.size() - 2]) == std::string_view::npos) {
        plural.back() = 'i';
        return plural + "es";
    }
    return plural + "s";
}

// The noun that the other words of an English name describe: vial of "vial of ink".
std::string head_noun(std::string_view name) {
    const std::string_view before = name.substr(0, std::min(name.find(" of "), name.size()));
    const std::size_t space = before.rfind(' ');
    return text::fold_case(space == std::string_view::npos ? before : before.substr(space + 1));
}

// The last word of a title or job of several: 所长, ranger. Empty if it has only one.
std::string_view head_of_role(std::string_view role) {
    if (is_ascii(role)) {
        const std::string_view before = role.substr(0, std::min(role.find(" of "), role.size()));
        const std::size_t space = before.rfind(' ');
        return space == std::string_view::npos ? std::string_view() : before.substr(space + 1);
    }
    const auto starts = starts_of(role);
    return starts.size() < 5 ? std::string_view() : role.substr(starts[starts.size() - 3]);
}

std::string_view without_article(std::string_view name) {
    for (const std::string_view article : {"the ", "The ", "a ", "an "}) {
        if (name.starts_with(article)) {
            return name.substr(article.size());
        }
    }
    return name;
}

}  // namespace

void Names::add(std::string_view name, Meaning meaning) {
    if (name.size() < 2) {
        return;
    }
    const std::uint32_t id = phrases_.add(text::fold_case(name));
    if (id >= meanings_.size()) {
        meanings_.resize(id + 1);
        capital_.resize(id + 1, true);
    }
    // A proper noun of an alphabet is written with a capital; a place, job or item need not be.
    const bool proper = meaning.kind == Kind::kCharacter && meaning.form != Form::kEpithet &&
                        name[0] >= 'A' && name[0] <= 'Z';
    capital_[id] = capital_[id] && proper;
    std::vector<Meaning>& all = meanings_[id];
    if (std::ranges::find(all, meaning) == all.end()) {
        all.insert(std::ranges::upper_bound(all, meaning.form, {}, &Meaning::form), meaning);
    }
}

std::uint32_t Names::text_index(std::string_view name) {
    texts_.emplace_back(name);
    return static_cast<std::uint32_t>(texts_.size() - 1);
}

void Names::add_character(const Truth& truth, std::uint32_t index, const Lexicon& lexicon) {
    const Character& who = truth.characters[index];
    const auto mean = [&](Form form) { return Meaning{Kind::kCharacter, form, index}; };
    add(who.name, mean(Form::kFull));
    if (is_ascii(who.name)) {
        const auto parts = text::split(who.name, " ");
        for (const std::string_view part : parts) {
            const bool honor = lexicon.has(text::fold_case(part), Word::kHonorBefore);
            if (parts.size() > 1 && part.size() > 1 && part[0] >= 'A' && part[0] <= 'Z') {
                add(part, mean(honor ? Form::kEpithet : Form::kPart));
            }
        }
    } else if (who.name.find("·") != std::string::npos) {
        std::string_view rest = who.name;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find("·"), rest.size());
            if (end > 3) {
                add(rest.substr(0, end), mean(Form::kPart));
            }
            rest.remove_prefix(std::min(end + std::string_view("·").size(), rest.size()));
        }
    } else {
        const auto starts = starts_of(who.name);
        const std::size_t count = starts.size() - 1;
        const bool two =
            count >= 3 && lexicon.has(who.name.substr(0, starts[2]), Word::kSurnameTwo);
        const std::size_t surname = two ? 2 : 1;
        if (count >= 2 && count <= 4) {
            add(who.name.substr(0, starts[surname]), mean(two ? Form::kPart : Form::kSurname));
        }
        // 老崔 is 崔师傅.
        if (count == 2 && lexicon.has(who.name.substr(0, starts[1]), Word::kHonorBefore)) {
            add(who.name.substr(starts[1]), mean(Form::kSurname));
        }
        if (count - surname >= 2 && count <= 4) {
            add(who.name.substr(starts[surname]), mean(Form::kPart));
        }
    }
    // A transliterated name often is the id: c_aiwen is Aiwen.
    for (const std::string_view part : text::split(who.id, "_-. ")) {
        if (part.size() >= 2 && is_ascii(part) && text::is_letter(part[0]) && !is_ascii(who.name) &&
            part != "npc" && part != "pc") {
            std::string capital(part);
            capital[0] = static_cast<char>(capital[0] & ~0x20);
            add(capital, mean(Form::kPart));
        }
    }
}

void Names::add_areas(const Truth& truth) {
    std::map<std::string, std::vector<std::uint32_t>> parts;
    for (std::uint32_t i = 0; i < truth.areas.size(); ++i) {
        const std::string_view name = without_article(truth.areas[i].name);
        add(name, {Kind::kArea, Form::kFull, i});
        if (is_ascii(name)) {
            const auto words = text::split(name, " ");
            if (words.size() > 1) {
                parts[text::fold_case(words.back())].push_back(i);
                // Saint Orlen's of "Saint Orlen's Chapel".
                const auto last = static_cast<std::size_t>(words.back().data() - name.data()) - 1;
                if (words.size() > 2 || name.substr(0, last).ends_with("'s")) {
                    parts[text::fold_case(name.substr(0, last))].push_back(i);
                }
                if (words.size() > 2) {
                    const auto tail = static_cast<std::size_t>(words[1].data() - name.data());
                    parts[text::fold_case(name.substr(tail))].push_back(i);
                }
            }
            continue;
        }
        // 酒馆 of 渡鸦酒馆.
        const auto starts = starts_of(name);
        for (std::size_t from = 1; from + 2 < starts.size(); ++from) {
            parts[std::string(name.substr(starts[from]))].push_back(i);
        }
    }
    for (const auto& [part, areas] : parts) {
        const bool whole = std::ranges::any_of(truth.areas, [&](const Area& area) {
            return text::fold_case(without_article(area.name)) == part;
        });
        if (areas.size() == 1 && !whole) {
            add(part, {Kind::kArea, Form::kPart, areas.front()});
        }
    }
}

Names::Names(const Truth& truth, const Lexicon& lexicon) {
    std::map<std::string_view, std::vector<std::uint32_t>> epithets;
    std::map<std::string, std::vector<std::uint32_t>> heads;  // whistle of "silver whistle"
    // 所长 of 市场所长, ranger of "park ranger"
    std::map<std::string, std::vector<std::pair<std::uint32_t, std::string_view>>> ranks;
    for (std::uint32_t i = 0; i < truth.characters.size(); ++i) {
        add_character(truth, i, lexicon);
        const Character& who = truth.characters[i];
        for (const std::string_view text :
             {without_article(who.title), without_article(who.job), without_article(who.race)}) {
            if (text.size() > (is_ascii(text) ? 2U : 3U)) {
                epithets[text].push_back(i);
            }
        }
        for (const std::string_view text :
             {std::string_view(who.title), std::string_view(who.job)}) {
            const std::string_view rank = head_of_role(text);
            if (!rank.empty()) {
                auto& known = ranks[text::fold_case(rank)];
                known.emplace_back(i, text);
            }
        }
        for (const auto& [name, count] : who.inventory) {
            const Meaning item{Kind::kItem, Form::kFull, text_index(name)};
            add(name, item);
            // 蜡烛 of 红蜡烛, and plurals.
            if (is_ascii(name)) {
                add(plural_of(name), item);
                const std::string head = head_noun(name);
                heads[head].push_back(item.index);
            } else if (const auto starts = starts_of(name); starts.size() > 3) {
                add(name.substr(starts[starts.size() - 3]), {Kind::kItem, Form::kPart, item.index});
            }
        }
        for (const auto& [name, amount] : who.resources) {
            add(name, {Kind::kResource, Form::kFull, text_index(name)});
        }
        for (const Skill& skill : who.skills) {
            add(skill.name, {Kind::kSkill, Form::kFull, text_index(skill.name)});
        }
        for (const auto& [name, number] : who.attributes) {
            add(name, {Kind::kAttribute, Form::kFull, text_index(name)});
        }
    }
    for (const auto& [head, items] : heads) {
        const bool same = std::ranges::all_of(
            items, [&](std::uint32_t each) { return texts_[each] == texts_[items.front()]; });
        if (same && head.size() > 2 && head != text::fold_case(texts_[items.front()])) {
            add(head, {Kind::kItem, Form::kPart, items.front()});
            add(plural_of(head), {Kind::kItem, Form::kPart, items.front()});
        }
    }
    for (const auto& [text, who] : epithets) {
        add(text, {Kind::kRole, Form::kFull, text_index(text)});
        const bool human =
            text == "人" || text == "人类" || text == "人族" || text::fold_case(text) == "human";
        if (who.size() == 1 && !human) {
            add(text, {Kind::kCharacter, Form::kEpithet, who.front()});
        }
    }
    for (const auto& [rank, whose] : ranks) {
        const bool one = std::ranges::all_of(
            whose, [&](const auto& each) { return each.first == whose.front().first; });
        const bool whole = std::ranges::any_of(
            epithets, [&](const auto& each) { return text::fold_case(each.first) == rank; });
        if (one && !whole) {
            add(rank, {Kind::kRole, Form::kPart, text_index(whose.front().second)});
            add(rank, {Kind::kCharacter, Form::kEpithet, whose.front().first});
        }
    }
    add_areas(truth);
}

const Meaning* Names::find(std::uint32_t id, Meaning::Kind kind) const {
    const auto found = std::ranges::find(meanings_[id], kind, &Meaning::kind);
    return found == meanings_[id].end() ? nullptr : &*found;
}

}  // namespace arbiter::conflict::internal
