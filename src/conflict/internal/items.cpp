#include "conflict/internal/items.h"

#include <algorithm>
#include <optional>

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

std::int64_t count_of(const Character& who, std::string_view item) {
    for (const auto& [name, count] : who.inventory) {
        if (name == item) {
            return count;
        }
    }
    return 0;
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        bool named = false;
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (const Meaning* meaning = at_.meaning(i, Meaning::Kind::kItem)) {
                named = true;
                read_item(i, at_.names.text(meaning->index));
            }
        }
        if (!named) {
            read_unlisted();
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
            if (at_.token(i).kind == Kind::kNumber || at_.token(i).number > 0) {
                return i;
            }
        }
        return std::nullopt;
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

    std::optional<std::size_t> word_near(std::size_t item, Word word) const {
        for (std::size_t i = item; i-- > clause_.begin && i + 7 > item;) {
            if (at_.token(i).is(word)) {
                return i;
            }
        }
        for (std::size_t i = item + 1; i < clause_.end && i < item + 7; ++i) {
            if (at_.token(i).is(word)) {
                return i;
            }
        }
        return std::nullopt;
    }

    void read_item(std::size_t item, const std::string& name) {
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

    bool is_strong_obtain(std::size_t i) const {
        const std::string_view text = at_.prose.text(at_.token(i));
        for (const std::string_view strong : {"获得",
                                              "获得了",
                                              "得到",
                                              "得到了",
                                              "收入囊中",
                                              "收进囊中",
                                              "入手",
                                              "到手",
                                              "捡到",
                                              "捡到了",
                                              "买下",
                                              "买到了",
                                              "买了",
                                              "购得",
                                              "搜出了",
                                              "搜到了",
                                              "缴获",
                                              "缴获了",
                                              "赢得",
                                              "赢得了",
                                              "赢了",
                                              "赚了",
                                              "赚到",
                                              "领取了",
                                              "领到了",
                                              "夺得",
                                              "抢到了",
                                              "偷到了",
                                              "到账",
                                              "入账",
                                              "进账",
                                              "收进背包",
                                              "放进背包",
                                              "放入背包",
                                              "装进背包",
                                              "塞进背包",
                                              "加入背包",
                                              "进了背包",
                                              "收入怀中",
                                              "揣进怀里",
                                              "揣进了怀里",
                                              "换来了",
                                              "换到了",
                                              "挖到了",
                                              "采到了",
                                              "obtain",
                                              "obtains",
                                              "obtained",
                                              "acquires",
                                              "acquired",
                                              "gains",
                                              "gained",
                                              "gain",
                                              "receives",
                                              "received",
                                              "receive",
                                              "pockets",
                                              "pocketed",
                                              "earns",
                                              "earned",
                                              "loots",
                                              "looted",
                                              "buys",
                                              "bought",
                                              "added to your inventory",
                                              "added to his inventory",
                                              "added to her inventory",
                                              "added to the inventory",
                                              "to your inventory",
                                              "into your pack",
                                              "into your bag",
                                              "into his pack",
                                              "into her pack",
                                              "into his bag",
                                              "into her bag",
                                              "wins",
                                              "won"}) {
            if (text == strong) {
                return true;
            }
        }
        return false;
    }

    Subject owner(std::size_t from) const {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token < from && !mention.is_agent && !mention.is_object) {
                return at_.people.before(index_, mention.end);
            }
        }
        return at_.people.holder(index_, from);
    }

    // `delta` 0: a count. `is_vague`: no number was given.
    void claim(std::size_t item, std::size_t from, std::size_t to, const std::string& name,
               std::int64_t delta, std::optional<std::int64_t> count, bool is_vague = false,
               bool is_strong = true) {
        (void)item;
        Claim made;
        made.type = Type::kInventory;
        made.clause = index_;
        made.from = from;
        made.to = to;
        made.subject = owner(from);
        made.confidence = is_vague ? 75 : 85;
        made.is_denial = count == 0;
        made.found = count ? std::to_string(*count) + " " + name
                           : (delta > 0 ? "+" : "") + std::to_string(delta) + " " + name;
        made.judge = [this, name, delta, count, is_vague, is_strong](std::uint32_t who) {
            return judge(who, name, delta, count, is_vague, is_strong);
        };
        observe(at_, made);
    }

    Verdict judge(std::uint32_t who, const std::string& name, std::int64_t delta,
                  std::optional<std::int64_t> count, bool is_vague, bool is_strong) const {
        const Character& character = at_.truth.characters[who];
        Verdict verdict;
        if (!character.has_inventory) {
            verdict.is_none = true;
            return verdict;
        }
        const std::int64_t now = count_of(character, name);
        verdict.expected = std::to_string(now) + " " + name;
        if (count) {
            verdict.is_contradicted = now != *count;
            verdict.is_settled = !verdict.is_contradicted;
            return verdict;
        }
        std::vector<std::int64_t> deltas;
        for (const auto& [item, change] : at_.settled.by_character[who].items) {
            if (item == name) {
                deltas.push_back(change);
            }
        }
        if (is_vague) {
            const bool settled = std::ranges::any_of(
                deltas, [&](std::int64_t each) { return (each < 0) == (delta < 0); });
            // Using or holding a thing one has is no gain; losing what one has not is no loss.
            const bool idle = delta < 0 ? now == 0 : now > 0 && !is_strong;
            verdict.is_none = idle && !settled;
            verdict.is_contradicted = !settled;
            verdict.is_settled = settled;
            return verdict;
        }
        verdict.is_contradicted = !is_sum_of(deltas, delta);
        verdict.is_settled = !verdict.is_contradicted;
        return verdict;
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
