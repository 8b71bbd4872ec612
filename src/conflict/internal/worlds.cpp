#include "conflict/internal/worlds.h"

#include <algorithm>
#include <optional>
#include <string_view>

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
        for (std::size_t i = clause_.begin; clause_.has_name && i < clause_.end; ++i) {
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
        if (!clause_.has(word)) {
            return std::nullopt;
        }
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

    // Characters (or words) that a clause shares with a rule, in small letters.
    std::size_t overlap(const std::string& rule, const Clause& clause) const {
        std::size_t shared = 0;
        for (std::size_t i = clause.begin; i < clause.end; ++i) {
            const Token& token = at_.token(i);
            const std::string_view text = at_.prose.text(token);
            if (text.size() < 4 || is_grammar(text) || static_cast<std::uint8_t>(text[0]) >= 0x80) {
                continue;
            }
            // banked, banking
            const std::string_view stem = text.substr(0, std::max<std::size_t>(4, text.size() - 3));
            const std::size_t found = rule.find(stem);
            if (found != std::string::npos) {
                ++shared;
            }
        }
        const std::string_view written =
            std::string_view(at_.prose.folded)
                .substr(at_.token(clause.begin).begin,
                        at_.token(clause.end - 1).end - at_.token(clause.begin).begin);
        std::size_t at = 0;
        while (at < written.size()) {
            const std::size_t size =
                std::max<std::size_t>(1, text::decode(written.substr(at)).size);
            if (size == 3 && at + 6 <= written.size() &&
                rule.find(written.substr(at, 6)) != std::string::npos) {
                ++shared;
            }
            at += size;
        }
        return shared;
    }
    static bool is_grammar(std::string_view text) {
        for (const std::string_view each :
             {"that",  "this",  "with",  "from", "they",   "them",  "their", "there",
              "than",  "then",  "when",  "what", "will",   "have",  "been",  "only",
              "must",  "never", "every", "into", "before", "after", "while", "where",
              "which", "your",  "more",  "over", "here",   "once"}) {
            if (text == each) {
                return true;
            }
        }
        return false;
    }

    struct Shared {
        std::size_t count = 0;
        bool is_ban = false;  // the rule forbids or limits
    };
    // With the rule that the sentence up to this clause shares most with.
    Shared shared_with_rules() const {
        Shared best;
        for (const std::string& rule : at_.truth.rules) {
            const std::string folded = text::fold_case(rule);
            std::size_t count = 0;
            for (std::size_t i = at_.prose.sentences[clause_.sentence].begin; i <= index_; ++i) {
                if (!at_.prose.clauses[i].is_quoted) {
                    count += overlap(folded, at_.prose.clauses[i]);
                }
            }
            if (count > best.count) {
                best = {count, is_ban(folded)};
            }
        }
        return best;
    }
    static bool is_ban(std::string_view rule) {
        for (const std::string_view each :
             {"不得", "禁止", "不可",    "不许",   "不准",   "不能",    "只能",
              "必须", "最多", "严禁",    "须",     "no ",    "not",     "never",
              "only", "must", "may not", "cannot", "forbid", "at most", "nobody"}) {
            if (rule.find(each) != std::string_view::npos) {
                return true;
            }
        }
        return false;
    }

    bool has_in(const Clause& clause, Word word) const {
        for (std::size_t i = clause.begin; i < clause.end; ++i) {
            if (at_.token(i).is(word) && !at_.token(i).is(Word::kPlain)) {
                return true;
            }
        }
        return false;
    }
    // The clause before in the same sentence, if it is not quoted speech.
    const Clause* clause_before() const {
        if (index_ == 0 || at_.prose.clauses[index_ - 1].sentence != clause_.sentence ||
            at_.prose.clauses[index_ - 1].is_quoted) {
            return nullptr;
        }
        return &at_.prose.clauses[index_ - 1];
    }

    void read_rules() {
        const bool settled = at_.settled.has_rule;
        const auto noun = find(Word::kRuleNoun);
        const auto change = find(Word::kRuleChange);
        if (noun && change && *noun != *change && !has_person(clause_.end)) {
            world(Type::kRules, std::min(*noun, *change), std::max(*noun, *change) + 1, {},
                  !settled, 85, at_.token(*change).is(Word::kNegation));
            return;
        }
        if (change && !noun && read_rule_named_before(*change)) {
            return;
        }
        if (!read_law()) {
            read_rule_denied(change);
        }
    }

    // 老规矩，从这一刻起不作数了: the rule ends the clause before.
    bool read_rule_named_before(std::size_t change) {
        const Clause* last = clause_before();
        if (last == nullptr || !at_.token(last->end - 1).is(Word::kRuleNoun) ||
            has_person(clause_.end)) {
            return false;
        }
        const Shared shared = shared_with_rules();
        if (shared.count < 2 && !find(Word::kFromNow)) {
            return false;
        }
        world(Type::kRules, change, change + 1, {}, !at_.settled.has_rule, 80,
              at_.token(change).is(Word::kNegation));
        return true;
    }

    // The word that says "from now on", in this clause or alone before its comma.
    std::optional<std::size_t> now_word(bool& weak) const {
        if (const auto now = find(Word::kFromNow)) {
            return now;
        }
        if (const Clause* last = clause_before();
            last != nullptr && has_in(*last, Word::kFromNow) && last->end - last->begin <= 5) {
            return clause_.begin;
        }
        // "From this winter on", 从今冬第一场雪起
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            for (std::size_t j = i + 2; text == "from" && j < clause_.end && j < i + 6; ++j) {
                const std::string_view end = at_.prose.text(at_.token(j));
                if ((end == "on" || end == "onward" || end == "onwards" || end == "forth" ||
                     end == "forward") &&
                    (at_.prose.text(at_.token(i + 1)) == "this" ||
                     at_.prose.text(at_.token(i + 1)) == "that")) {
                    return i;
                }
            }
            for (std::size_t j = i + 1;
                 (text == "从" || text == "自" || text == "打") && j < clause_.end && j < i + 6;
                 ++j) {
                const std::string_view end = at_.prose.text(at_.token(j));
                if (end.ends_with("起") || end.ends_with("开始")) {
                    return i;
                }
            }
        }
        // "Raising the dead now costs nothing": only with the words of a rule.
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "now" || text == "is now" || text == "如今" || text == "现在" ||
                text.ends_with("now")) {
                weak = true;
                return i;
            }
        }
        return std::nullopt;
    }

    // "From tonight anyone may …": a law for everyone, or about a rule in force.
    bool read_law() {
        const auto norm = find(Word::kNorm);
        if (!norm && !find(Word::kGeneric)) {
            return false;
        }
        bool weak = false;
        const auto now = now_word(weak);
        if (!now || has_person(norm.value_or(clause_.end))) {
            return false;
        }
        bool generic = false;
        const Sentence& sentence = at_.prose.sentences[clause_.sentence];
        for (std::size_t i = sentence.begin; i < sentence.end; ++i) {
            const Clause& each = at_.prose.clauses[i];
            generic = generic || (!each.is_quoted && has_in(each, Word::kGeneric));
        }
        const std::size_t shared = shared_with_rules().count;
        if ((generic && norm && !weak) || shared >= 2) {
            const std::size_t from = norm ? std::min(*now, *norm) : *now;
            world(Type::kRules, std::min(from, clause_.end - 1), clause_.end, {},
                  !at_.settled.has_rule, shared >= 2 ? 90 : 80, true);
            return true;
        }
        return false;
    }

    // A rule in force that the text calls ended or reverses.
    void read_rule_denied(std::optional<std::size_t> change) {
        const auto norm = find(Word::kNorm);
        const bool ruin = change && at_.token(*change).is(Word::kDestroyed) && !areas_.empty();
        if ((!change && !norm) || ruin || has_person(clause_.end)) {
            return;
        }
        const Shared shared = shared_with_rules();
        if (shared.count < 2) {
            return;
        }
        const bool turned = is_turned();
        if (change && shared.count >= (turned ? 2U : 3U)) {
            world(Type::kRules, *change, *change + 1, {}, !at_.settled.has_rule, 80,
                  at_.token(*change).is(Word::kNegation));
            return;
        }
        const bool free = norm && !at_.mood.is_negated(index_, *norm);
        if (free && shared.is_ban && turned) {
            world(Type::kRules, *norm, clause_.end, {}, !at_.settled.has_rule, 75, true);
        }
    }
    // 可以转借了, "any more": things are not as they were.
    bool is_turned() const {
        std::size_t last = clause_.end;
        while (last > clause_.begin + 1 && at_.token(last - 1).kind == Kind::kMark) {
            --last;
        }
        const std::string_view text = at_.prose.text(at_.token(last - 1));
        return text.ends_with("了") || text == "now" || text == "any more" || text == "anymore" ||
               find(Word::kNoLonger) || find(Word::kFromNow);
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
        if (different.size() == 1 && read_path_from_before(different.front())) {
            return;
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

    // 戏台底下多了一条暗道，直通长乐街: the path and its other end are before the comma.
    bool read_path_from_before(std::uint32_t area) {
        const Clause* last = clause_before();
        const auto open = find(Word::kPathOpen);
        if (last == nullptr || !open || !has_in(*last, Word::kPathNoun) ||
            has_person(clause_.end)) {
            return false;
        }
        for (std::size_t i = last->begin; i < last->end; ++i) {
            const Meaning* other = at_.meaning(i, Meaning::Kind::kArea);
            if (other != nullptr && other->index != area) {
                world(Type::kMap, *open, areas_.front().first + 1, {},
                      !connected(area, other->index), 78);
                return true;
            }
        }
        return false;
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
