#include "conflict/internal/stowing.h"

#include <algorithm>
#include <string_view>

#include "conflict/internal/belongings.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

bool is_any(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

bool is_han(const Context& at, std::size_t token) {
    return static_cast<std::uint8_t>(at.prose.folded[at.token(token).begin]) >= 0x80;
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        if (clause_.has(Word::kConsume) || !clause_.has_any({Word::kStow, Word::kArrive})) {
            return;
        }
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            if (!is_stowing(at_, index_, i)) {
                continue;
            }
            const auto container = own_container(at_, index_, i);
            const Subject subject = at_.people.before(index_, i);
            if (!container) {
                continue;
            }
            const bool fine =
                is_han(at_, i) ? has_new_object(i) : has_article_object(i, *container);
            if (!fine) {
                continue;
            }
            Claim made;
            made.type = Type::kInventory;
            made.clause = index_;
            made.from = i;
            made.to = *container + 1;
            made.confidence = 72;
            made.subject = keeper_of_container(at_, index_, i, *container, subject);
            made.found = "+1";
            made.judge = [this](std::uint32_t who) { return judge_unlisted_gain(at_, who); };
            observe(at_, made);
            return;
        }
    }

  private:
    std::string_view text(std::size_t i) const { return at_.prose.text(at_.token(i)); }

    // "the scalpel goes into your coat", "You slip a ring into your pocket": an article, no body.
    bool has_article_object(std::size_t verb, std::size_t container) const {
        const auto is_new = [&](std::size_t from, std::size_t to) {
            bool article = false;
            for (std::size_t i = from; i < to; ++i) {
                const Token& token = at_.token(i);
                if (token.is(Word::kBody) || token.is(Word::kHand) || token.is(Word::kPerson) ||
                    token.is(Word::kYou) || token.is(Word::kHe) || token.is(Word::kShe)) {
                    return false;
                }
                article = article || is_any(text(i), {"the", "a", "an", "that", "another"});
            }
            return article;
        };
        std::size_t into = verb + 1;
        while (into < container && !is_any(text(into), {"into", "in", "inside", "around"})) {
            ++into;
        }
        if (is_any(text(verb), {"goes", "went", "disappears", "vanishes", "finds its way"}) ||
            text(verb).ends_with(" into")) {
            return is_new(clause_.begin, verb) ||
                   (verb > clause_.begin + 2 && text(verb - 3) == "and" && is_new(verb - 3, verb));
        }
        return into > verb + 1 && is_new(verb + 1, into);
    }

    // 把那柄短匕别进腰间: a thing with 把 and a measure or a demonstrative.
    bool has_new_object(std::size_t verb) const {
        // 翻出一把手电，塞进工具袋: the thing is named before the comma.
        if (verb == clause_.begin && index_ > 0 &&
            at_.prose.clauses[index_ - 1].sentence == clause_.sentence &&
            !at_.prose.clauses[index_ - 1].is_quoted) {
            const Clause& last = at_.prose.clauses[index_ - 1];
            bool taken = false;
            for (std::size_t i = last.begin; i < last.end; ++i) {
                const Token& token = at_.token(i);
                taken = taken || token.is(Word::kTake) || token.is(Word::kObtain);
                if (taken && (token.kind == Kind::kNumber || token.number > 0)) {
                    return true;
                }
                if (at_.meaning(i, Meaning::Kind::kItem) != nullptr) {
                    return false;
                }
            }
        }
        for (std::size_t i = clause_.begin; i < verb; ++i) {
            if (!is_any(text(i), {"把", "将"}) || i + 1 >= verb) {
                continue;
            }
            for (std::size_t j = i + 1; j < verb; ++j) {
                const Token& token = at_.token(j);
                if (token.is(Word::kBody) || token.is(Word::kHand) || token.is(Word::kYou) ||
                    token.is(Word::kSelf)) {
                    return false;
                }
            }
            const std::string_view next = text(i + 1);
            return at_.token(i + 1).kind == Kind::kNumber || at_.token(i + 1).number > 0 ||
                   next.starts_with("那") || next.starts_with("这") || next.starts_with("一");
        }
        return false;
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

bool is_verb(const Context& at, std::size_t clause, std::size_t token) {
    const auto text = [&](std::size_t i) { return at.prose.text(at.token(i)); };
    if (is_han(at, token) || token == at.prose.clauses[clause].begin) {
        return true;
    }
    return !is_any(text(token - 1), {"the", "a", "an", "his", "her", "your", "its", "their", "this",
                                     "that", "of", "no", "own", "'s", "every", "each"}) &&
           at.token(token - 1).kind != Kind::kNumber;
}

bool is_stowing(const Context& at, std::size_t clause, std::size_t token) {
    const std::string_view text = at.prose.text(at.token(token));
    const bool enters = at.token(token).is(Word::kArrive) && text.ends_with(" into");
    return (at.token(token).is(Word::kStow) && is_verb(at, clause, token)) || enters;
}

std::optional<std::size_t> own_container(const Context& at, std::size_t clause, std::size_t verb) {
    const Clause& in = at.prose.clauses[clause];
    const bool han = is_han(at, verb);
    bool into = han || at.prose.text(at.token(verb)).ends_with(" into");
    for (std::size_t i = verb + 1; i < in.end && i < verb + 9; ++i) {
        const std::string_view word = at.prose.text(at.token(i));
        if (word == "back" || word == "回") {
            return std::nullopt;
        }
        into = into || is_any(word, {"into", "in", "inside", "under", "on", "onto", "around",
                                     "round", "through"});
        if (at.token(i).is(Word::kContainer) && into) {
            return i;
        }
        if (han && i > verb + 3) {
            break;
        }
    }
    return std::nullopt;
}

Subject keeper_of_container(const Context& at, std::size_t clause, std::size_t verb,
                            std::size_t container, const Subject& subject) {
    for (const Mention& mention : at.people.in(clause)) {
        if (mention.token > verb && mention.end <= container && mention.end + 3 >= container) {
            Subject keeper;
            if (mention.who != kNobody) {
                keeper.who.push_back(mention.who);
                keeper.confidence = 80;
            }
            return keeper;
        }
    }
    return subject;
}

void read_stowed(const Context& at, std::size_t clause) {
    Reader(at, clause).read();
}

}  // namespace arbiter::conflict::internal
