#include "conflict/internal/items.h"

#include <algorithm>
#include <optional>

#include "conflict/internal/belongings.h"
#include "conflict/internal/gains.h"
#include "conflict/internal/item_words.h"
#include "conflict/internal/stowing.h"
#include "conflict/internal/transfers.h"
#include "text/ascii.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        bool named = false;
        for (std::size_t i = clause_.begin; clause_.has_name && i < clause_.end; ++i) {
            if (const Meaning* meaning = at_.meaning(i, Meaning::Kind::kItem)) {
                named = true;
                const std::string& name = at_.names.text(meaning->index);
                const std::size_t before = at_.observations.size();
                read_item(i, name);
                if (at_.observations.size() == before) {
                    read_transfer(at_, index_, i, name);
                }
            }
        }
        if (!named && !read_inherited()) {
            if (clause_.has_any({Word::kObtain, Word::kGiveAway})) {
                read_unlisted();
            }
            read_stowed(at_, index_);
            read_gain(at_, index_);
        }
    }

  private:
    bool is_han(std::size_t i) const {
        return static_cast<std::uint8_t>(at_.prose.folded[at_.token(i).begin]) >= 0x80;
    }

    // The number that counts the item: 三枚金币, 3 flares, 金币×3, 金币剩三枚.
    std::optional<std::size_t> number_near(std::size_t item) const {
        for (std::size_t i = item; i-- > clause_.begin && i + 4 > item;) {
            if (at_.token(i).kind == Kind::kNumber || at_.token(i).number > 0) {
                return i;
            }
        }
        for (std::size_t i = item + 1; i < clause_.end && i < item + 5; ++i) {
            // "a bottle in four swallows"
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "in" || text == "for" || text == "at" || text == "by") {
                break;
            }
            if (at_.token(i).kind == Kind::kNumber || at_.token(i).number > 0) {
                return i;
            }
        }
        return std::nullopt;
    }

    // The count that a panel shows behind an item: 充电宝：5, 电池组 ×2, 金币：98 → 78.
    std::optional<std::size_t> panel_number(std::size_t item) const {
        std::size_t end = clause_.end;
        std::size_t i = item + 1;
        while (i < end && at_.token(i).kind == Kind::kMark && !at_.token(i).is_mark('+') &&
               !at_.token(i).is_mark('-')) {
            ++i;
        }
        if (i == end && i > item + 1 && at_.token(i - 1).is_mark(U':') &&
            index_ + 1 < at_.prose.clauses.size()) {
            end = at_.prose.clauses[index_ + 1].end;
        }
        if (i < end && i < item + 3 &&
            (at_.prose.text(at_.token(i)) == "×" || at_.prose.text(at_.token(i)) == "x")) {
            ++i;
        }
        if (i >= end || at_.token(i).kind != Kind::kNumber) {
            return std::nullopt;
        }
        while (i + 2 < end && (at_.token(i + 1).is_mark(U'→') || at_.token(i + 1).is_mark('>')) &&
               at_.token(i + 2).kind == Kind::kNumber) {
            i += 2;
        }
        return i;
    }

    // "Five keys.": a sentence that is a count and nothing else.
    bool is_fragment(std::size_t item) const {
        const Sentence& sentence = at_.prose.sentences[clause_.sentence];
        if (sentence.end - sentence.begin != 1 || clause_.is_quoted) {
            return false;
        }
        bool number = false;
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            number = number || (i < item && (token.kind == Kind::kNumber || token.number > 0));
            const bool classifier =
                token.kind == Kind::kText && token.end - token.begin <= 3 && i < item && number;
            if (i != item && token.kind != Kind::kNumber && token.kind != Kind::kMark &&
                !token.is(Word::kAdverb) && !token.is(Word::kSomeone) && !classifier &&
                !token.is(Word::kMoney)) {
                return false;
            }
        }
        return number;
    }

    bool has_purse() const {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (names_purse(at_.prose.text(at_.token(i)))) {
                return true;
            }
        }
        return false;
    }

    // The item that the clauses before name last.
    std::string last_item() const {
        for (std::size_t i = index_, steps = 0; i-- > 0 && steps < 4; ++steps) {
            const Clause& clause = at_.prose.clauses[i];
            for (std::size_t token = clause.end; token-- > clause.begin && !clause.is_quoted;) {
                if (const Meaning* meaning = at_.meaning(token, Meaning::Kind::kItem)) {
                    return at_.names.text(meaning->index);
                }
            }
        }
        return {};
    }

    // 数铜板，只有二十个; "That makes two left": the thing was named before.
    bool read_inherited() {
        if (!clause_.has_any({Word::kCountOf, Word::kBecome})) {
            return false;
        }
        for (std::size_t i = clause_.begin; i + 1 < clause_.end; ++i) {
            const Token& word = at_.token(i);
            const std::string_view text = at_.prose.text(word);
            if (!word.is(Word::kCountOf) && !(word.is(Word::kBecome) && has_purse())) {
                continue;
            }
            const std::size_t number = i + 1;
            if (at_.token(number).kind != Kind::kNumber && at_.token(number).number == 0) {
                continue;
            }
            if (text == "with" || text == "only" || text == "还有" || text == "共") {
                bool counted = text == "还有" || text == "共";
                for (std::size_t j = number + 1; j < clause_.end; ++j) {
                    counted = counted || at_.prose.text(at_.token(j)) == "left";
                }
                if (!counted) {
                    continue;
                }
            }
            std::string unit;
            bool bare = number + 1 >= clause_.end;
            if (!bare) {
                const Token& next = at_.token(number + 1);
                unit = std::string(at_.prose.text(next));
                const bool last =
                    number + 2 >= clause_.end || at_.token(number + 2).kind == Kind::kMark;
                bare = next.kind == Kind::kMark || unit == "left" || unit == "now" ||
                       unit == "remaining" || (last && is_classifier(unit));
            }
            if (!bare) {
                continue;
            }
            const bool purse = has_purse() || unit == "两" || unit == "元" || unit == "文";
            const std::string named = purse ? std::string() : last_item();
            if (named.empty() && !purse && unit != "发") {
                continue;
            }
            claim_inherited(i, number, named, purse);
            return true;
        }
        return false;
    }

    void claim_inherited(std::size_t from, std::size_t number, const std::string& named,
                         bool is_money) {
        const std::int64_t count = at_.token(number).number;
        Claim made;
        made.type = Type::kInventory;
        made.clause = index_;
        made.from = from;
        made.to = number + 1;
        made.subject = holder(from);
        made.confidence = 75;
        made.found = std::to_string(count) + " " + named;
        made.judge = [this, named, count, is_money](std::uint32_t who) {
            const Character& character = at_.truth.characters[who];
            std::vector<std::string> names;
            for (const auto& [name, amount] : character.inventory) {
                const bool shot =
                    name.find("弹") != std::string::npos || name.find("箭") != std::string::npos;
                if (named.empty() ? (is_money ? is_money_name(name) : shot) : name == named) {
                    names.push_back(name);
                }
            }
            if (names.size() != 1) {
                Verdict verdict;
                verdict.is_none = true;
                return verdict;
            }
            return judge_thing(at_, who, {names.front(), 0, count});
        };
        observe(at_, made);
    }

    // Whose things: the subject, or else the one whom the sentence names as receiving them.
    Subject holder(std::size_t from) const {
        Subject subject = owner(from);
        if (subject.is_known()) {
            return subject;
        }
        for (std::size_t i = index_; i-- > at_.prose.sentences[clause_.sentence].begin;) {
            for (const Mention& mention : at_.people.in(i)) {
                if (mention.form == Mention::Form::kYou && !at_.prose.clauses[i].is_quoted &&
                    mention.who != kNobody) {
                    subject = {};
                    subject.who.push_back(mention.who);
                    subject.confidence = 75;
                    return subject;
                }
            }
        }
        return subject;
    }

    // 只剩一指长: a measure of the thing, not a count.
    bool is_measure(std::size_t number) const {
        if (number + 1 >= clause_.end) {
            return false;
        }
        const std::string_view text = at_.prose.text(at_.token(number + 1));
        for (const std::string_view unit : {"指", "寸", "尺", "丈", "米", "厘米", "分钟", "秒",
                                            "里", "成", "半", "inch", "feet", "minute", "second"}) {
            if (text.starts_with(unit)) {
                return true;
            }
        }
        return false;
    }

    // 一根蜡烛也没有了, no flares left
    bool is_none_left(std::size_t item) const {
        for (std::size_t i = item + 1; i < clause_.end && i < item + 4; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "也没有了" || text == "都没有了" || text == "都不剩" || text == "不剩" ||
                text == "也不剩" || text == "都没了" || text == "也没了") {
                return true;
            }
            if ((text == "left" || text == "remaining") && item > clause_.begin &&
                at_.prose.text(at_.token(item - 1)) == "no") {
                return true;
            }
        }
        return false;
    }

    // Verbs that say a change only with more around them: hand (to whom?), 掏出 (how much?).
    bool is_framed(std::size_t item, std::size_t verb) const {
        const std::string_view text = at_.prose.text(at_.token(verb));
        return text == "hand" || text == "hands" || text == "handed" ||
               ((text == "掏出" || text == "摸出") && !number_near(item));
    }

    std::optional<std::size_t> word_near(std::size_t item, Word word) const {
        // "one hand on her radio": a noun.
        const auto is = [&](std::size_t i) {
            return at_.token(i).is(word) &&
                   (word == Word::kCountOf || (is_verb(at_, index_, i) && !is_framed(item, i)));
        };
        for (std::size_t i = item; i-- > clause_.begin && i + 7 > item;) {
            if (is(i)) {
                return i;
            }
        }
        for (std::size_t i = item + 1; i < clause_.end && i < item + 7; ++i) {
            if (is(i)) {
                return i;
            }
        }
        return std::nullopt;
    }

    void read_item(std::size_t item, const std::string& name) {
        const auto shown = panel_number(item);
        // 报价：回春丹一枚 is not a panel: panels have figures.
        const bool panel = clause_.is_panel ||
                           (shown && text::is_digit(at_.prose.folded[at_.token(*shown).begin]) &&
                            (clause_.after_colon || *shown >= clause_.end));
        if (shown && panel && !word_near(item, Word::kObtain) &&
            !word_near(item, Word::kGiveAway)) {
            const bool gained = clause_.after_colon && has_before_colon(Word::kObtain);
            const bool lost = clause_.after_colon && has_before_colon(Word::kGiveAway);
            const std::int64_t count = at_.token(*shown).number;
            if (gained || lost) {
                claim(item, item, std::min(*shown + 1, clause_.end), name, gained ? count : -count,
                      std::nullopt);
            } else {
                claim(item, item, std::min(*shown + 1, clause_.end), name, 0, count);
            }
            return;
        }
        auto number = number_near(item);
        if (number && is_measure(*number)) {
            number = std::nullopt;
        }
        // 灵石 +100, potion -1
        if (number && *number == item + 2 &&
            (at_.token(item + 1).is_mark('+') || at_.token(item + 1).is_mark('-'))) {
            const std::int64_t change = at_.token(*number).number;
            claim(item, item, *number + 1, name,
                  at_.token(item + 1).is_mark('+') ? change : -change, std::nullopt);
            return;
        }
        if (is_none_left(item)) {
            claim(item, number && *number < item ? *number : item, std::min(item + 3, clause_.end),
                  name, 0, 0);
            return;
        }
        const auto obtain = word_near(item, Word::kObtain);
        const auto give = word_near(item, Word::kGiveAway);
        const auto count = word_near(item, Word::kCountOf);
        if (number && is_fragment(item)) {
            claim(item, *number, item + 1, name, 0, at_.token(*number).number);
            return;
        }
        if (count && number && !obtain && !give) {
            claim(item, std::min({*count, *number, item}), std::max({*count, *number, item}) + 1,
                  name, 0, at_.token(*number).number);
            return;
        }
        if (give && (!obtain || !is_strong_obtain(*obtain))) {
            const std::int64_t lost = number ? at_.token(*number).number : 0;
            claim(item, std::min(*give, item), std::max(*give, item) + 1, name,
                  lost > 0 ? -lost : -1, std::nullopt, !number);
            return;
        }
        if (obtain) {
            const std::int64_t got = number ? at_.token(*number).number : 0;
            claim(item, std::min(*obtain, item), std::max(*obtain, item) + 1, name,
                  got > 0 ? got : 1, std::nullopt, !number, is_strong_obtain(*obtain));
        }
    }

    bool has_before_colon(Word word) const {
        if (index_ == 0) {
            return false;
        }
        const Clause& last = at_.prose.clauses[index_ - 1];
        for (std::size_t i = last.begin; i < last.end; ++i) {
            if (at_.token(i).is(word)) {
                return true;
            }
        }
        return false;
    }

    bool is_strong_obtain(std::size_t i) const {
        return is_clear_gain(at_.prose.text(at_.token(i)));
    }

    Subject owner(std::size_t from) const {
        const std::vector<Mention>& mentions = at_.people.in(index_);
        for (std::size_t i = 0; i < mentions.size(); ++i) {
            const Mention& mention = mentions[i];
            // "her mother sells": the mother, not she.
            const bool relation = mention.is_owner && i + 1 < mentions.size() &&
                                  mentions[i + 1].token <= mention.end + 1;
            if (mention.token < from && !mention.is_agent && !mention.is_object && !relation) {
                return at_.people.before(index_, mention.end);
            }
        }
        // "The whistle is gone": the thing is the subject, its owner the topic.
        Subject subject = at_.people.holder(index_, from);
        if (mentions.empty() && subject.is_stranger) {
            subject = at_.people.topic(index_, true);
        }
        return subject;
    }

    bool is_receiving(std::size_t verb) const {
        const std::string_view text = at_.prose.text(at_.token(verb));
        return text.starts_with("落进") || text.starts_with("落入") || text.starts_with("塞进") ||
               text.starts_with("滑进");
    }

    // `delta` 0: a count. `is_vague`: no number was given.
    void claim(std::size_t item, std::size_t from, std::size_t to, const std::string& name,
               std::int64_t delta, std::optional<std::int64_t> count, bool is_vague = false,
               bool is_strong = true) {
        Claim made;
        made.type = Type::kInventory;
        made.clause = index_;
        made.from = from;
        made.to = to;
        made.subject = count ? holder(from) : owner(from);
        // "leaves her with six bullets"
        for (const Mention& mention : at_.people.in(index_)) {
            if (count && mention.token > from && mention.token < item && !mention.is_agent &&
                mention.who != kNobody) {
                made.subject = at_.people.affected(index_, from, mention.end + 1);
            }
        }
        // 落进你掌心, "to your name": the owner is named inside or behind the phrase.
        for (const Mention& mention : at_.people.in(index_)) {
            const bool inside = mention.token == to && delta > 0 && is_receiving(to - 1);
            if (inside && mention.who != kNobody) {
                made.subject = at_.people.affected(index_, from, mention.end + 1);
            }
        }
        if (at_.prose.text(at_.token(to - 1)) == "to your name" && at_.people.actor() != kNobody) {
            made.subject = {};
            made.subject.who.push_back(at_.people.actor());
            made.subject.confidence = 90;
        }
        made.confidence = is_vague ? 75 : 85;
        made.is_denial = count == 0;
        made.found = count ? std::to_string(*count) + " " + name
                           : (delta > 0 ? "+" : "") + std::to_string(delta) + " " + name;
        const ThingClaim thing{name, delta, count, is_vague, is_strong};
        made.judge = [this, thing](std::uint32_t who) { return judge_thing(at_, who, thing); };
        observe(at_, made);
    }

    // Money, or a thing that no inventory lists, with a clear verb.
    void read_unlisted() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const bool obtain = token.is(Word::kObtain) && is_strong_obtain(i);
            if (!obtain && !token.is(Word::kGiveAway)) {
                continue;
            }
            std::optional<std::size_t> number;
            std::optional<std::size_t> money;
            bool other = false;
            for (std::size_t j = clause_.begin; j < clause_.end; ++j) {
                const Token& each = at_.token(j);
                if (each.kind == Kind::kNumber) {
                    number = j;
                }
                if (each.is(Word::kMoney) && number) {
                    money = j;
                }
                other = other || each.is(Word::kHp) || each.is(Word::kDamage) ||
                        each.is(Word::kPrice) || each.is(Word::kSkillNoun) ||
                        at_.meaning(j, Meaning::Kind::kResource) != nullptr ||
                        at_.meaning(j, Meaning::Kind::kAttribute) != nullptr;
            }
            if (other || !money || !number || *money < *number || *money - *number > 3) {
                continue;
            }
            const std::int64_t amount = at_.token(*number).number;
            Claim made;
            made.type = Type::kInventory;
            made.clause = index_;
            made.from = std::min(i, *number);
            made.to = std::max(i, *money) + 1;
            made.subject = owner(i);
            made.confidence = 75;
            made.found = (obtain ? "+" : "-") + std::to_string(amount);
            made.judge = [this, obtain, amount](std::uint32_t who) {
                Verdict verdict;
                if (!at_.truth.characters[who].has_inventory) {
                    verdict.is_none = true;
                    return verdict;
                }
                std::vector<std::int64_t> deltas;
                for (const auto& [item, change] : at_.settled.by_character[who].items) {
                    deltas.push_back(change);
                }
                verdict.is_contradicted = !is_sum_of(deltas, obtain ? amount : -amount);
                verdict.is_settled = !verdict.is_contradicted;
                return verdict;
            };
            observe(at_, made);
            return;
        }
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

void find_items(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
