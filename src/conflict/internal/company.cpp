#include "conflict/internal/company.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

// Tokens between the verb and the word for "beside".
constexpr std::size_t kReach = 9;

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        for (const Mention& other : at_.people.in(index_)) {
            if (other.who == kNobody || other.form == Mention::Form::kAll) {
                continue;
            }
            const bool han =
                static_cast<std::uint8_t>(at_.prose.folded[at_.token(other.token).begin]) >= 0x80;
            const auto verb = han ? verb_han(other) : verb_latin(other);
            if (verb != kNone && !has_distance(verb)) {
                claim(other, verb);
                return;
            }
        }
    }

  private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::string_view text(std::size_t i) const { return at_.prose.text(at_.token(i)); }

    // 站在你身后, 走到你跟前, 坐在你的椅子上
    std::size_t verb_han(const Mention& other) const {
        std::size_t after = other.end;
        if (after < clause_.end && at_.token(after).is(Word::kOf)) {
            ++after;
        }
        if (after >= clause_.end || other.token == clause_.begin) {
            return kNone;
        }
        const bool owned = after > other.end;
        const Token& place = at_.token(after);
        const bool side =
            owned && place.kind == Kind::kText &&
            std::ranges::any_of(std::to_array<std::string_view>({"边", "旁", "侧"}),
                                [&](std::string_view end) { return text(after).ends_with(end); });
        if (!place.is(owned ? Word::kFurniture : Word::kBeside) && !place.is(Word::kBeside) &&
            !side) {
            return kNone;
        }
        // 你身后的门: something else is there.
        if (after + 1 < clause_.end && at_.token(after + 1).is(Word::kOf)) {
            return kNone;
        }
        const std::size_t verb = other.token - 1;
        const std::string_view word = text(verb);
        for (const std::string_view end : {"在", "到", "在了", "到了", "于"}) {
            if (word.ends_with(end)) {
                return verb;
            }
        }
        return kNone;
    }

    // "is crouched beside you", "drops onto the bench beside you", "waiting in your chair"
    std::size_t verb_latin(const Mention& other) const {
        if (other.token <= clause_.begin) {
            return kNone;
        }
        std::size_t before = other.token - 1;
        if (text(before) == "the" && before > clause_.begin) {
            --before;
        }
        bool beside = at_.token(before).is(Word::kBeside) && !other.is_owner;
        if (other.is_owner && other.end < clause_.end &&
            at_.token(other.end).is(Word::kFurniture)) {
            const std::string_view word = text(before);
            beside = word == "in" || word == "on" || word == "at" || word == "by" ||
                     word == "beside" || word == "onto" || word == "into";
        }
        if (!beside) {
            return kNone;
        }
        while (before-- > clause_.begin && before + kReach > other.token) {
            const Token& token = at_.token(before);
            const std::string_view word = text(before);
            if (token.is(Word::kMotion) || token.is(Word::kPosture) || token.is(Word::kArrive) ||
                token.is(Word::kBeAt) || word == "is" || word == "are" || word == "'s") {
                return before;
            }
            if (token.kind == Kind::kMark) {
                break;
            }
        }
        return kNone;
    }

    // A screen, a voice, a ghost: not the person itself.
    bool has_distance(std::size_t verb) const {
        for (std::size_t i = clause_.begin; i < verb; ++i) {
            const Token& token = at_.token(i);
            if (token.is(Word::kPerceive) || token.is(Word::kThing)) {
                return true;
            }
        }
        return false;
    }

    void claim(const Mention& other, std::size_t verb) {
        Subject subject = at_.people.before(index_, verb);
        if (!subject.is_known() || subject.is_all || subject.is_owner || subject.is_distant ||
            std::ranges::find(subject.who, other.who) != subject.who.end()) {
            return;
        }
        const std::uint32_t beside = other.who;
        Claim made;
        made.type = Type::kPosition;
        made.clause = index_;
        made.from = verb;
        made.to = std::min(other.end + 1, clause_.end);
        made.subject = subject;
        made.confidence = 76;
        made.found = at_.truth.characters[beside].area_id;
        made.judge = [this, beside](std::uint32_t who) {
            const std::string& here = at_.truth.characters[beside].area_id;
            const Character& character = at_.truth.characters[who];
            const auto passed = [&](std::uint32_t each, const std::string& area) {
                const auto& places = at_.settled.by_character[each].places;
                return std::ranges::find(places, area) != places.end();
            };
            Verdict verdict;
            verdict.expected = character.area_id;
            verdict.is_none = here.empty() || character.area_id.empty();
            verdict.is_contradicted = character.area_id != here && !passed(who, here) &&
                                      !passed(beside, character.area_id);
            verdict.is_settled = !verdict.is_contradicted;
            return verdict;
        };
        observe(at_, made);
    }

    const Context& at_;
    std::size_t index_;
    const Clause& clause_;
};

}  // namespace

void find_company(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
