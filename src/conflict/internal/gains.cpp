#include "conflict/internal/gains.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "conflict/internal/belongings.h"
#include "conflict/internal/item_words.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Measures of solid things.
constexpr auto kMeasures = std::to_array<std::string_view>(
    {"把", "柄", "枚", "张", "封", "块", "瓶", "颗", "支", "根", "件",
     "本", "卷", "盒", "袋", "串", "副", "顶", "双", "面", "盏", "粒",
     "锭", "株", "套", "壶", "坛", "匹", "杆", "枝", "包", "箱"});
// Got by these, a thing changes hands for certain.
constexpr auto kGets = std::to_array<std::string_view>(
    {"pocket", "pockets", "pocketed", "obtain", "obtains", "obtained", "acquire", "acquires",
     "acquired", "loot", "loots", "buy", "buys", "purchase", "purchases"});
// Bought, but not carried away.
constexpr auto kTreats = std::to_array<std::string_view>(
    {"drink", "drinks", "round",  "time",   "moment", "meal",    "beer",
     "ale",   "coffee", "ticket", "second", "minute", "seconds", "minutes",
     "few",   "little", "story",  "lie",    "taste",  "sense"});

bool is_one_of(std::string_view text, auto& words) {
    return std::ranges::find(words, text) != words.end();
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (!token.is(Word::kObtain) && (is_han(i) || !is_one_of(text(i), kGets))) {
                continue;
            }
            if (is_other() || !(is_han(i) ? is_got_han(i) : is_got_latin(i))) {
                continue;
            }
            claim(i);
            return;
        }
    }

  private:
    std::string_view text(std::size_t i) const { return at_.prose.text(at_.token(i)); }
    bool is_han(std::size_t i) const { return static_cast<std::uint8_t>(text(i)[0]) >= 0x80; }

    // Skills, titles, health and resources are other claims.
    bool is_other() const {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (token.is(Word::kHp) || token.is(Word::kDamage) || token.is(Word::kPrice) ||
                token.is(Word::kSkillNoun) || token.is(Word::kTitleNoun) ||
                token.is(Word::kPoints) || token.is(Word::kMoney) ||
                at_.meaning(i, Meaning::Kind::kItem) != nullptr ||
                at_.meaning(i, Meaning::Kind::kResource) != nullptr ||
                at_.meaning(i, Meaning::Kind::kSkill) != nullptr ||
                at_.meaning(i, Meaning::Kind::kAttribute) != nullptr) {
                return true;
            }
        }
        return false;
    }

    // 得了一封密信, 【获得：铜钥匙×1】
    bool is_got_han(std::size_t verb) const {
        if (clause_.is_panel) {
            return is_clear_gain(text(verb)) && verb + 1 < clause_.end;
        }
        for (std::size_t i = verb + 1; i + 1 < clause_.end && i < verb + 3; ++i) {
            const Token& token = at_.token(i);
            const bool number = token.kind == Kind::kNumber || token.number > 0;
            if (number && at_.token(i + 1).begin == token.end) {
                return std::ranges::any_of(kMeasures, [&](std::string_view measure) {
                    return text(i + 1).starts_with(measure) &&
                           (text(i + 1).size() > measure.size() || i + 2 < clause_.end);
                });
            }
        }
        return false;
    }

    // "You pocket a brass key", "A wolf pelt is yours now"
    bool is_got_latin(std::size_t verb) const {
        if (text(verb).ends_with("yours now") || text(verb).ends_with("yours")) {
            return verb > clause_.begin + 1 && is_article(clause_.begin);
        }
        if (!is_one_of(text(verb), kGets) || verb + 2 >= clause_.end || !is_article(verb + 1)) {
            return false;
        }
        for (std::size_t i = verb + 2; i < clause_.end && i < verb + 5; ++i) {
            if (is_one_of(text(i), kTreats)) {
                return false;
            }
        }
        return true;
    }
    bool is_article(std::size_t i) const {
        return text(i) == "a" || text(i) == "an" || text(i) == "the" || text(i) == "another" ||
               at_.token(i).kind == Kind::kNumber;
    }

    void claim(std::size_t verb) {
        Claim made;
        made.type = Type::kInventory;
        made.clause = index_;
        made.from = text(verb).ends_with("yours now") || text(verb).ends_with("yours")
                        ? clause_.begin
                        : verb;
        made.to = std::min(verb + 4, clause_.end);
        made.core = verb;
        made.subject = at_.people.holder(index_, verb);
        if (text(verb).find("yours") != std::string_view::npos && at_.people.actor() != kNobody) {
            made.subject = {};
            made.subject.who.push_back(at_.people.actor());
            made.subject.confidence = 80;
        }
        made.confidence = 74;
        made.found = "+1";
        made.judge = [this](std::uint32_t who) { return judge_unlisted_gain(at_, who); };
        observe(at_, made);
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

void read_gain(const Context& at, std::size_t clause) {
    Reader(at, clause).read();
}

}  // namespace arbiter::conflict::internal
