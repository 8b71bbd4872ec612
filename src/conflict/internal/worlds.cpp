#include "conflict/internal/worlds.h"

#include <algorithm>
#include <optional>

#include "text/case_fold.h"
#include "text/utf8.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (const Meaning* area = at_.meaning(i, Meaning::Kind::kArea)) {
                areas_.emplace_back(i, area->index);
            }
        }
        read_rules();
        read_paths();
        read_destroyed();
        read_new_area();
        read_renamed();
    }

  private:
    std::optional<std::size_t> find(Word word, std::size_t from) const {
        for (std::size_t i = from; i < clause_.end; ++i) {
            if (at_.token(i).is(word) && !at_.token(i).is(Word::kPlain)) {
                return i;
            }
        }
        return std::nullopt;
    }
    std::optional<std::size_t> find(Word word) const { return find(word, clause_.begin); }

    // True if a tracked person is named before a token.
    bool has_person(std::size_t before) const {
        return std::ranges::any_of(at_.people.in(index_), [&](const Mention& each) {
            return each.form != Mention::Form::kStranger && each.form != Mention::Form::kEpithet &&
                   each.token < before;
        });
    }

    void world(Type type, std::size_t from, std::size_t to, const std::string& target,
               bool contradicted, int confidence, bool denial = false) {
        Claim made;
        made.type = type;
        made.clause = index_;
        made.from = from;
        made.to = to;
        made.confidence = confidence;
        made.is_denial = denial;
        made.found = at_.prose.folded.substr(at_.token(from).begin,
                                             at_.token(to - 1).end - at_.token(from).begin);
        Verdict verdict;
        verdict.is_contradicted = contradicted;
        observe_world(at_, made, target, verdict);
    }

    // Characters (or words) that a clause shares with a rule.
    std::size_t overlap(const std::string& rule) const {
        const std::string folded = text::fold_case(rule);
        std::size_t shared = 0;
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text.size() >= 4 && folded.find(text) != std::string::npos) {
                ++shared;
            }
        }
        const std::string_view clause =
            std::string_view(at_.prose.folded)
                .substr(at_.token(clause_.begin).begin,
                        at_.token(clause_.end - 1).end - at_.token(clause_.begin).begin);
        std::size_t at = 0;
        while (at < clause.size()) {
            const std::size_t size = std::max<std::size_t>(1, text::decode(clause.substr(at)).size);
            if (size == 3 && at + 6 <= clause.size() &&
                folded.find(clause.substr(at, 6)) != std::string::npos) {
                ++shared;
            }
            at += size;
        }
        return shared;
    }

    std::size_t best_overlap() const {
        std::size_t best = 0;
        for (const std::string& rule : at_.truth.rules) {
            best = std::max(best, overlap(rule));
        }
        return best;
    }

    void read_rules() {
        const bool settled = at_.settled.has_rule;
        const auto noun = find(Word::kRuleNoun);
        const auto change = find(Word::kRuleChange);
        if (noun && change && *noun != *change && !has_person(clause_.end)) {
            world(Type::kRules, std::min(*noun, *change), std::max(*noun, *change) + 1, {},
                  !settled, 85);
            return;
        }
        auto now = find(Word::kFromNow);
        // 自此，……: the words may stand alone before the comma.
        if (!now && index_ > 0 && at_.prose.clauses[index_ - 1].sentence == clause_.sentence) {
            const Clause& last = at_.prose.clauses[index_ - 1];
            for (std::size_t i = last.begin; i < last.end; ++i) {
                if (at_.token(i).is(Word::kFromNow) && last.end - last.begin <= 4) {
                    now = clause_.begin;
                }
            }
        }
        // "Raising the dead now costs nothing": only with the words of a rule.
        bool weak = false;
        for (std::size_t i = clause_.begin; !now && i < clause_.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "now" || text == "is now" || text == "如今" || text == "现在") {
                now = i;
                weak = true;
            }
        }
        const auto norm = find(Word::kNorm);
        if (!now || !norm || has_person(*norm)) {
            return;
        }
        const std::size_t shared = best_overlap();
        if ((find(Word::kGeneric) && !weak) || shared >= 2) {
            world(Type::kRules, std::min(*now, *norm), clause_.end, {}, !settled,
                  shared >= 2 ? 90 : 80, true);
        }
    }

    bool connected(std::uint32_t a, std::uint32_t b) const {
        const Area& from = at_.truth.areas[a];
        const Area& to = at_.truth.areas[b];
        return std::ranges::find(from.connects, to.id) != from.connects.end() ||
               std::ranges::find(to.connects, from.id) != to.connects.end();
    }

    bool is_joining(std::size_t i) const {
        const std::string_view text = at_.prose.text(at_.token(i));
        return text.find("link") != std::string_view::npos ||
               text.find("connect") != std::string_view::npos ||
               text.find("连") != std::string_view::npos || text.starts_with("直通") ||
               text.find("directly into") != std::string_view::npos;
    }

    void read_paths() {
        std::vector<std::uint32_t> different;
        for (const auto& [token, area] : areas_) {
            if (std::ranges::find(different, area) == different.end()) {
                different.push_back(area);
            }
        }
        if (different.size() != 2) {
            return;
        }
        const auto noun = find(Word::kPathNoun);
        const auto cut = find(Word::kPathCut);
        const auto open = find(Word::kPathOpen);
        const bool joined = connected(different[0], different[1]);
        const std::size_t first = areas_.front().first;
        const std::size_t last = areas_.back().first;
        const std::string_view how = cut ? at_.prose.text(at_.token(*cut)) : std::string_view();
        const bool parted = how.starts_with("no longer") || how.starts_with("nobody") ||
                            how.starts_with("no one") ||
                            how.find("不再") != std::string_view::npos ||
                            how.find("不复") != std::string_view::npos;
        if (cut && (noun || parted)) {
            const std::size_t other = noun.value_or(*cut);
            world(Type::kMap, std::min({first, other, *cut}), std::max({last, other, *cut}) + 1, {},
                  joined, 85, at_.token(*cut).is(Word::kNegation) || parted);
        } else if (open && (noun || is_joining(*open))) {
            const std::size_t other = noun.value_or(*open);
            world(Type::kMap, std::min({first, other, *open}), std::max({last, other, *open}) + 1,
                  {}, !joined, noun ? 80 : 75);
        }
    }

    // 闸门没了: only right behind the place; the words say much else elsewhere.
    bool is_bare_loss(std::size_t i) const {
        const std::string_view text = at_.prose.text(at_.token(i));
        return text == "没了" || text == "没有了" || text == "永远没了" || text == "不见了" ||
               text == "再也没有了";
    }

    void read_destroyed() {
        auto word = find(Word::kDestroyed);
        while (word && is_bare_loss(*word) && !is_after_area(*word)) {
            word = find(Word::kDestroyed, *word + 1);
        }
        if (!word || areas_.empty()) {
            return;
        }
        // The place itself is the subject: nothing owned by it, no preposition before it.
        for (const auto& [token, area] : areas_) {
            if (token > *word || (token + 1 < clause_.end && at_.token(token + 1).is(Word::kOf))) {
                continue;
            }
            if (token > clause_.begin) {
                const Token& last = at_.token(token - 1);
                const std::string_view text = at_.prose.text(last);
                if (last.is(Word::kToward) || last.is(Word::kArrive) || last.is(Word::kBeAt) ||
                    last.is(Word::kLeave) || text == "在" || text == "in" || text == "at" ||
                    text == "on") {
                    continue;
                }
            }
            std::size_t filler = 0;
            bool free = true;
            for (std::size_t i = token + 1; i < *word; ++i) {
                const Token& each = at_.token(i);
                filler += each.kind == Kind::kText ? each.end - each.begin : 0;
                free = free && !each.is(Word::kOutside) && !each.is(Word::kPathNoun);
            }
            if (!free || filler > 24 || has_person(clause_.end)) {
                continue;
            }
            world(Type::kMap, token, *word + 1, at_.truth.areas[area].id, true, 85,
                  is_bare_loss(*word));
            return;
        }
    }

    bool is_after_area(std::size_t word) const {
        return std::ranges::any_of(areas_,
                                   [&](const auto& each) { return each.first + 1 == word; });
    }

    void read_new_area() {
        for (auto word = find(Word::kNewArea); word; word = find(Word::kNewArea, *word + 1)) {
            if (is_clear_new_area(*word)) {
                // After a settled change the new area is on the map, and has a name.
                const bool known = at_.settled.has_map && !names_no_area();
                if (!known) {
                    world(Type::kMap, *word, std::min(*word + 5, clause_.end), {}, true, 75, true);
                }
                return;
            }
        }
    }

    // True if the sentence puts the name of a new place in quotation marks, and no area has it.
    bool names_no_area() const {
        bool quoted = false;
        const Sentence& sentence = at_.prose.sentences[clause_.sentence];
        for (std::size_t i = sentence.begin; i < sentence.end; ++i) {
            const Clause& each = at_.prose.clauses[i];
            quoted = quoted || each.is_quoted;
            for (std::size_t token = each.begin; token < each.end; ++token) {
                if (at_.meaning(token, Meaning::Kind::kArea) != nullptr) {
                    return false;
                }
            }
        }
        return quoted;
    }

    bool is_clear_new_area(std::size_t word) const {
        const std::string_view text = at_.prose.text(at_.token(word));
        return text.find("区域") != std::string_view::npos ||
               text.find("地图") != std::string_view::npos ||
               text.find("地点") != std::string_view::npos ||
               text.find("map") != std::string_view::npos ||
               text.find("area") != std::string_view::npos ||
               text.find("location") != std::string_view::npos ||
               text.find("凭空") != std::string_view::npos ||
               text.find("拔地而起") != std::string_view::npos ||
               text.find("多出一座") != std::string_view::npos ||
               text.find("多了一座") != std::string_view::npos ||
               text.find("exist") != std::string_view::npos ||
               text.find("there before") != std::string_view::npos;
    }

    void read_renamed() {
        const auto word = find(Word::kRename);
        if (!word || areas_.empty() || areas_.front().first > *word || at_.settled.has_map) {
            return;
        }
        world(Type::kMap, areas_.front().first, std::min(*word + 4, clause_.end),
              at_.truth.areas[areas_.front().second].id, true, 80, true);
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
    std::vector<std::pair<std::size_t, std::uint32_t>> areas_;  // token, area
};

}  // namespace

void find_worlds(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
