#include "conflict/internal/quantities.h"

#include <algorithm>
#include <string>

#include "conflict/internal/amounts.h"
#include "conflict/internal/quantity_words.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Tokens between a number and the word for what it counts.
constexpr std::size_t kNear = 8;

// The rules for one clause.
class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        const bool is_named = clause_.has_name || clause_.has_any({Word::kHp, Word::kDamage});
        for (std::size_t i = clause_.begin; is_named && i < clause_.end; ++i) {
            if (auto quantity = quantity_at(at_, i)) {
                quantities_.push_back(*std::move(quantity));
            }
        }
        if (quantities_.empty()) {
            inherit();
            if (quantities_.empty()) {
                read_alone();
                read_readout();
                return;
            }
        }
        bool counted = false;
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (at_.token(i).kind == Kind::kNumber) {
                counted = read_number(i) || counted;
            }
        }
        if (!counted && !has_price(clause_.end)) {
            read_words();
        }
    }

  private:
    bool has_price(std::size_t to) const {
        for (std::size_t i = clause_.begin; i < to; ++i) {
            if (at_.token(i).is(Word::kPrice)) {
                return true;
            }
        }
        return false;
    }

    // 气血大跌，只剩3点: the quantity of the clause before.
    void inherit() {
        if (index_ == 0 || at_.prose.clauses[index_ - 1].sentence != clause_.sentence) {
            return;
        }
        bool wanted = false;
        for (std::size_t i = clause_.begin; i < clause_.end && i < clause_.begin + 3; ++i) {
            const Token& token = at_.token(i);
            const bool value = token.is(Word::kBecome) || token.is(Word::kRemain);
            wanted = wanted ||
                     (value && static_cast<std::uint8_t>(at_.prose.folded[token.begin]) >= 0x80);
        }
        wanted = wanted || at_.token(clause_.begin).kind == Kind::kNumber;
        // 甲折了十二点气血，乙折了十点
        for (std::size_t i = clause_.begin; i + 2 < clause_.end && i < clause_.begin + 5; ++i) {
            const Token& verb = at_.token(i);
            wanted = wanted ||
                     ((verb.is(Word::kLose) || verb.is(Word::kGain)) &&
                      at_.token(i + 1).kind == Kind::kNumber && at_.token(i + 2).is(Word::kPoints));
        }
        const Clause& last = at_.prose.clauses[index_ - 1];
        for (std::size_t i = last.begin; wanted && i < last.end; ++i) {
            if (auto quantity = quantity_at(at_, i); quantity) {
                quantity->is_damage = false;
                quantity->token = clause_.begin;
                quantities_ = {*quantity};
                inherited_ = true;
            }
        }
    }

    // Words that name the quantity themselves: 满血, unharmed.
    void read_alone() {
        const bool is_about = clause_.has_any({Word::kFull, Word::kUnhurt});
        for (std::size_t i = clause_.begin; is_about && i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const std::string_view text = at_.prose.text(token);
            if (token.is(Word::kFull) && (text.find("血") != std::string_view::npos ||
                                          text.find("heal") != std::string_view::npos)) {
                claim_full({i, true, false, {}}, i, i + 1);
            }
            if (token.is(Word::kUnhurt)) {
                claim_unhurt({i, true, false, {}}, i, i + 1);
            }
        }
    }

    const Quantity* quantity_of(std::size_t number) const {
        // "HP 34/40", "HP: 34"
        for (const Quantity& each : quantities_) {
            if (each.token + 1 == number ||
                (each.token + 2 == number && at_.token(each.token + 1).kind == Kind::kMark)) {
                return &each;
            }
        }
        // "6 points of damage", 九点生命值
        const Quantity* best = nullptr;
        for (const Quantity& each : quantities_) {
            const std::size_t distance =
                each.token > number ? each.token - number : number - each.token;
            if (distance > kNear) {
                continue;
            }
            if (each.token > number && distance <= 4 && is_thin(number + 1, each.token)) {
                return &each;
            }
            if (each.token <= number && !each.is_damage && is_free(each.token + 1, number)) {
                best = &each;
            }
        }
        return best;
    }
    // Only units and particles.
    bool is_thin(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            const Token& token = at_.token(i);
            if (!token.is(Word::kPoints) && !token.is(Word::kAdverb) && !token.is(Word::kOf) &&
                !token.is(Word::kMaximum) && !token.is_mark('/') && token.kind != Kind::kNumber &&
                (token.kind != Kind::kText || token.end - token.begin > 9)) {
                return false;
            }
        }
        return true;
    }
    // Nothing that turns to another thing.
    bool is_free(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            const Token& token = at_.token(i);
            // "two points of health and one good shirt"
            if (token.is(Word::kAnd) && token.kind == Kind::kWord) {
                return false;
            }
            if (at_.meaning(i, Meaning::Kind::kArea) != nullptr ||
                at_.meaning(i, Meaning::Kind::kItem) != nullptr || token.is(Word::kMoney) ||
                token.is(Word::kObtain)) {
                const bool change = token.is(Word::kGain) || token.is(Word::kLose);
                if (!change) {
                    return false;
                }
            }
            if (token.kind == Kind::kText && token.end - token.begin > 18) {
                return false;
            }
        }
        return true;
    }

    bool read_number(std::size_t number) {
        const Quantity* quantity = quantity_of(number);
        if (quantity == nullptr) {
            return false;
        }
        const Token& token = at_.token(number);
        const Token* next = number + 1 < clause_.end ? &at_.token(number + 1) : nullptr;
        const Token* last = number > clause_.begin ? &at_.token(number - 1) : nullptr;
        // The maximum of 8/20.
        if (last != nullptr && last->is_mark('/')) {
            return false;
        }
        // "A → B" and "从A到B": B counts.
        if (next != nullptr && (next->is_mark(U'→') || next->is_mark('>') ||
                                (next->is_mark('-') && number + 2 < clause_.end &&
                                 (at_.token(number + 2).is_mark('>') ||
                                  at_.token(number + 2).kind == Kind::kNumber)))) {
            return true;
        }
        // 三滴血 is blood, 三点血 is not.
        if (at_.prose.text(at_.token(quantity->token)) == "血" && !inherited_ &&
            (next == nullptr || (at_.prose.text(*next) != "点" && at_.prose.text(*next) != "格" &&
                                 at_.prose.text(*next) != "管"))) {
            return false;
        }
        if (next != nullptr && next->kind == Kind::kText && is_other_unit(at_.prose.text(*next))) {
            return false;
        }
        if (last != nullptr &&
            (at_.prose.text(*last) == "从" || at_.prose.text(*last) == "from" ||
             at_.prose.text(*last) == "由") &&
            has_later_number(number)) {
            return true;
        }
        // "31 of 40"
        if (next != nullptr && at_.prose.text(*next) == "of" && number + 2 < clause_.end &&
            at_.token(number + 2).kind == Kind::kNumber) {
            claim_value(*quantity, std::min(number, quantity->token), number + 3, token.number,
                        at_.token(number + 2).number);
            return true;
        }
        if (last != nullptr && at_.prose.text(*last) == "of" && number > clause_.begin + 1 &&
            at_.token(number - 2).kind == Kind::kNumber) {
            return false;
        }
        const bool maximum = is_about_maximum(number, *quantity);
        std::size_t from = inherited_ ? number : std::min(number, quantity->token);
        std::size_t to = std::max(number, quantity->token) + 1;
        if (next != nullptr && next->is_mark('/') && number + 2 < clause_.end &&
            at_.token(number + 2).kind == Kind::kNumber) {
            to = std::max(to, number + 3);
            claim_value(*quantity, from, to, token.number, at_.token(number + 2).number);
            return true;
        }
        if (last != nullptr && (last->is_mark('+') || last->is_mark('-')) && token.divisor == 0) {
            const bool gain = last->is_mark('+');
            from = std::min(from, number - 1);
            claim_delta(*quantity, from, to, gain ? token.number : -token.number, maximum);
            return true;
        }
        if (last != nullptr && (last->is_mark(U'→') || last->is_mark('>'))) {
            claim_value(*quantity, from, to, token.number, std::nullopt);
            return true;
        }
        const auto verb = verb_of(number, *quantity);
        if (token.number == 1 && at_.mood.is_negated(index_, clause_.end)) {
            return false;
        }
        if (!verb) {
            if (token.divisor == 0 && is_unit(number, *quantity) && !inherited_) {
                claim_amount(*quantity, from, to, token.number);
                return true;
            }
            if (token.divisor == 0 && quantity->token < number &&
                (number - quantity->token <= 2 || inherited_) && !quantity->is_damage) {
                claim_value(*quantity, from, to, token.number, std::nullopt);
                return true;
            }
            return false;
        }
        from = std::min(from, *verb);
        to = std::max(to, *verb + 1);
        const Token& word = at_.token(*verb);
        const bool change = word.is(Word::kLose) || word.is(Word::kGain);
        if (token.divisor != 0) {
            claim_fraction(*quantity, from, to, token.number, token.divisor, change,
                           word.is(Word::kLose));
            return true;
        }
        if (maximum && !change) {
            claim_maximum(*quantity, from, to, token.number);
        } else if (change && (!word.is(Word::kBecome) || quantity->is_damage)) {
            claim_delta(*quantity, from, to,
                        word.is(Word::kLose) || quantity->is_damage ? -token.number : token.number,
                        maximum);
        } else if (!quantity->is_damage) {
            claim_value(*quantity, from, to, token.number, std::nullopt);
        }
        return true;
    }

    bool has_later_number(std::size_t number) const {
        for (std::size_t i = number + 1; i < clause_.end; ++i) {
            if (at_.token(i).kind == Kind::kNumber) {
                return true;
            }
        }
        return false;
    }

    bool is_about_maximum(std::size_t number, const Quantity& quantity) const {
        const std::size_t from = std::min(number, quantity.token);
        const std::size_t to = std::min(std::max(number, quantity.token) + 2, clause_.end);
        for (std::size_t i = from > clause_.begin ? from - 1 : from; i < to; ++i) {
            if (at_.token(i).is(Word::kMaximum)) {
                return true;
            }
        }
        return false;
    }

    // The word that says what happens to the quantity: the nearest before the number.
    std::optional<std::size_t> verb_of(std::size_t number, const Quantity& quantity) const {
        const auto is_verb = [](const Token& token) {
            return token.is(Word::kLose) || token.is(Word::kGain) || token.is(Word::kBecome) ||
                   token.is(Word::kRemain);
        };
        // "two hit points the poorer"
        for (std::size_t i = quantity.token; i < clause_.end && i < quantity.token + 3; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "poorer" || text == "lighter" || text == "richer") {
                return i;
            }
        }
        for (std::size_t i = number; i-- > clause_.begin;) {
            const Token& token = at_.token(i);
            if (token.kind == Kind::kNumber && at_.prose.text(at_.token(i)) != "一") {
                break;
            }
            if (is_verb(token)) {
                return i;
            }
        }
        // "8 HP left", 8点生命没了
        for (std::size_t i = std::max(number, quantity.token) + 1; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (token.kind == Kind::kNumber) {
                break;
            }
            if (is_verb(token)) {
                return i;
            }
        }
        return std::nullopt;
    }

    // Whose quantity: named inside the phrase, or the one before it.
    Subject holder(std::size_t from, std::size_t to) const {
        bool dealt = false;
        std::size_t verb = from;
        for (std::size_t i = from; i < to; ++i) {
            const std::string_view text = at_.prose.text(at_.token(i));
            if (text == "造成" || text.starts_with("deal") || text.starts_with("inflict") ||
                text == "does") {
                dealt = true;
                verb = i;
            }
        }
        const std::vector<Mention>& mentions = at_.people.in(index_);
        if (dealt) {
            Subject nobody;
            nobody.is_stranger = true;
            const bool named = std::ranges::any_of(mentions, [&](const Mention& each) {
                return (each.is_object && each.token != verb) ||
                       (each.token > verb && each.token < to);
            });
            if (!named) {
                return nobody;
            }
            for (const Mention& each : mentions) {
                if (each.is_object && each.token < verb) {
                    return at_.people.before(index_, each.end);
                }
            }
            return at_.people.affected(index_, verb, to);
        }
        for (const Mention& each : mentions) {
            if (each.token > from && each.token < to && !each.is_agent) {
                return at_.people.affected(index_, from, to);
            }
        }
        Subject subject = at_.people.holder(index_, from);
        if (!subject.is_known() && clause_.is_panel) {
            subject = at_.people.topic(index_, true);
        }
        return subject;
    }

    Claim claim(const Quantity& quantity, std::size_t from, std::size_t to) const {
        Claim made;
        made.type = quantity.is_hp ? Type::kHp : Type::kOther;
        made.clause = index_;
        made.from = from;
        made.to = to;
        made.subject = holder(from, to);
        return made;
    }

    void claim_value(const Quantity& quantity, std::size_t from, std::size_t to, std::int64_t value,
                     std::optional<std::int64_t> max) {
        Claim made = claim(quantity, from, to);
        made.is_value = true;
        made.found = std::to_string(value) + (max ? "/" + std::to_string(*max) : std::string());
        made.judge = [this, quantity, value, max](std::uint32_t who) {
            return judge_value(at_, quantity, who, value, max);
        };
        observe(at_, made);
    }

    // "N points" of the quantity with a verb that is not known: a change or a value.
    bool is_unit(std::size_t number, const Quantity& quantity) const {
        return number + 1 < clause_.end && at_.token(number + 1).is(Word::kPoints) &&
               (number > clause_.begin || quantity.token + 1 < clause_.end);
    }
    void claim_amount(const Quantity& quantity, std::size_t from, std::size_t to,
                      std::int64_t amount) {
        if (has_price(to)) {
            return;
        }
        Claim made = claim(quantity, from, to);
        made.found = std::to_string(amount);
        made.confidence = 75;
        made.judge = [this, quantity, amount](std::uint32_t who) {
            Verdict verdict = judge_value(at_, quantity, who, amount, std::nullopt);
            verdict.is_contradicted =
                verdict.is_contradicted &&
                judge_delta(at_, quantity, who, amount, false).is_contradicted &&
                judge_delta(at_, quantity, who, -amount, false).is_contradicted &&
                judge_maximum(at_, quantity, who, amount).is_contradicted;
            verdict.is_settled = !verdict.is_contradicted && !verdict.is_none;
            return verdict;
        };
        observe(at_, made);
    }

    // 12/20 or "40 out of 40" where the second number is the maximum of the person.
    void read_readout() {
        for (std::size_t i = clause_.begin; clause_.has_number && i + 2 < clause_.end; ++i) {
            const std::string_view between = at_.prose.text(at_.token(i + 1));
            std::size_t second = i + 2;
            if (between == "out" && i + 3 < clause_.end) {
                second = i + 3;
            } else if (between != "of" && between != "out of" && !at_.token(i + 1).is_mark('/')) {
                continue;
            }
            if (at_.token(i).kind != Kind::kNumber || at_.token(second).kind != Kind::kNumber) {
                continue;
            }
            const std::int64_t value = at_.token(i).number;
            const std::int64_t max = at_.token(second).number;
            Claim made = claim({i, true, false, {}}, i, second + 1);
            made.is_value = true;
            made.confidence = 80;
            made.found = std::to_string(value) + "/" + std::to_string(max);
            made.judge = [this, value, max](std::uint32_t who) {
                const Character& character = at_.truth.characters[who];
                Verdict verdict = judge_value(at_, {}, who, value, max);
                verdict.is_none = verdict.is_none || character.hp->max != max;
                for (const auto& [name, amount] : character.resources) {
                    verdict.is_none = verdict.is_none || amount.max == max;
                }
                return verdict;
            };
            observe(at_, made);
            return;
        }
    }

    void claim_maximum(const Quantity& quantity, std::size_t from, std::size_t to,
                       std::int64_t value) {
        Claim made = claim(quantity, from, to);
        made.is_value = true;
        made.found = "max " + std::to_string(value);
        made.judge = [this, quantity, value](std::uint32_t who) {
            return judge_maximum(at_, quantity, who, value);
        };
        observe(at_, made);
    }

    void claim_delta(const Quantity& quantity, std::size_t from, std::size_t to, std::int64_t delta,
                     bool maximum) {
        if (delta == 0) {
            return;
        }
        if (has_price(to)) {
            return;
        }
        Claim made = claim(quantity, from, to);
        made.found = (delta > 0 ? "+" : "") + std::to_string(delta);
        made.judge = [this, quantity, delta, maximum](std::uint32_t who) {
            return judge_delta(at_, quantity, who, delta, maximum);
        };
        observe(at_, made);
    }

    void claim_fraction(const Quantity& quantity, std::size_t from, std::size_t to,
                        std::int64_t part, std::int64_t whole, bool change, bool loss) {
        if (whole <= 0) {
            return;
        }
        Claim made = claim(quantity, from, to);
        made.confidence = 85;
        made.found = std::string(change ? (loss ? "-" : "+") : "") + std::to_string(part) + "/" +
                     std::to_string(whole);
        made.judge = [this, quantity, part, whole, change, loss](std::uint32_t who) {
            return judge_fraction(at_, quantity, who, {part, whole, change, loss});
        };
        observe(at_, made);
    }

    void claim_full(const Quantity& quantity, std::size_t from, std::size_t to) {
        Claim made = claim(quantity, from, to);
        made.found = "full";
        made.confidence = 90;
        made.judge = [this, quantity](std::uint32_t who) { return judge_full(at_, quantity, who); };
        observe(at_, made);
    }

    // A settled loss that the text denies.
    void claim_unhurt(const Quantity& quantity, std::size_t from, std::size_t to) {
        Claim made = claim(quantity, from, to);
        made.found = "no loss";
        made.is_denial = true;
        made.confidence = 85;
        made.judge = [this, quantity](std::uint32_t who) {
            return judge_unhurt(at_, quantity, who);
        };
        observe(at_, made);
    }

    // Claims without a number: 回满, 归零, 掉了一半, 掉血, 没有掉血.
    void read_words() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            const Quantity& quantity = nearest(i);
            const std::size_t from = std::min(i, quantity.token);
            const std::size_t to = std::max(i, quantity.token) + 1;
            if (token.is(Word::kUnhurt)) {
                claim_unhurt({i, true, false, {}}, i, i + 1);
                return;
            }
            if (to - from > 6 || quantity.is_damage) {
                continue;
            }
            if (token.is(Word::kFull)) {
                claim_full(quantity, from, to);
                return;
            }
            if (token.is(Word::kZero)) {
                claim_value(quantity, from, to, 0, std::nullopt);
                return;
            }
            const bool change = token.is(Word::kLose) || token.is(Word::kGain);
            if (token.is(Word::kLose) && at_.mood.is_negated(index_, to)) {
                claim_unhurt(quantity, from, to);
                return;
            }
            if (token.is(Word::kHalf)) {
                bool loss = false;
                bool gain = false;
                for (std::size_t j = clause_.begin; j < clause_.end; ++j) {
                    loss = loss || at_.token(j).is(Word::kLose);
                    gain = gain || at_.token(j).is(Word::kGain);
                }
                const std::string_view text = at_.prose.text(token);
                std::int64_t whole = 2;
                if (text.find("quarter") != std::string_view::npos) {
                    whole = 4;
                } else if (text.find("third") != std::string_view::npos) {
                    whole = 3;
                }
                const std::int64_t part =
                    text.starts_with("two") || text.starts_with("three") ? whole - 1 : 1;
                claim_fraction(quantity, from, to, part, whole, loss || gain, loss);
                return;
            }
            const std::string_view named = at_.prose.text(at_.token(quantity.token));
            const bool bare = named == "血" || named == "生命";
            if (change && to - from <= 3 && is_clear_change(at_.prose.text(token)) &&
                (!bare || at_.prose.text(token).starts_with("掉"))) {
                claim_plain(quantity, from, to, token.is(Word::kLose));
                return;
            }
        }
    }

    const Quantity& nearest(std::size_t i) const {
        const Quantity* best = &quantities_.front();
        for (const Quantity& each : quantities_) {
            const auto distance = [&](std::size_t to) { return i > to ? i - to : to - i; };
            if (distance(each.token) < distance(best->token)) {
                best = &each;
            }
        }
        return *best;
    }

    void claim_plain(const Quantity& quantity, std::size_t from, std::size_t to, bool loss) {
        Claim made = claim(quantity, from, to);
        made.found = loss ? "loss" : "gain";
        made.confidence = 75;
        made.judge = [this, quantity, loss](std::uint32_t who) {
            return judge_direction(at_, quantity, who, loss);
        };
        observe(at_, made);
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
    std::vector<Quantity> quantities_;
    bool inherited_ = false;
};

}  // namespace

void find_quantities(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
