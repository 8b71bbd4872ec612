#include "conflict/internal/lives.h"

#include <algorithm>
#include "table/layout.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;
namespace alive = table::alive;

bool is_downed(std::string_view state) {
    return state == alive::kDowned || state == alive::kUnconscious;
}

class Reader {
  public:
    Reader(const Context& at, std::size_t index)
        : at_(at), index_(index), clause_(at.prose.clauses[index]) {}

    void read() {
        for (std::size_t i = clause_.begin; i < clause_.end; ++i) {
            const Token& token = at_.token(i);
            if (token.is(Word::kPlain) || token.kind != Kind::kWord) {
                continue;
            }
            if (token.is(Word::kCorpse)) {
                read_corpse(i);
            } else if (token.is(Word::kDie) && !is_attribute(i)) {
                read_death(i);
            }
            if (token.is(Word::kDown) && !is_attribute(i)) {
                claim(i, at_.people.before(index_, i), alive::kDowned, 85);
            }
            if (token.is(Word::kRestrain) && !is_attribute(i)) {
                claim(i, patient(i), alive::kRestrained, 85);
            }
            if (token.is(Word::kRevive)) {
                read_revival(i);
            }
        }
        read_acting();
    }

  private:
    // 死亡的气息, dead leaves: describes something else.
    bool is_attribute(std::size_t i) const {
        if (i + 1 >= clause_.end) {
            return false;
        }
        const Token& next = at_.token(i + 1);
        const std::string_view text = at_.prose.text(at_.token(i));
        if (next.is(Word::kOf) && at_.prose.text(next) == "的") {
            return !text.ends_with("了");
        }
        return text == "dead" && next.kind == Kind::kText;
    }

    // The victim of a transitive verb, or the subject of an intransitive one.
    Subject patient(std::size_t verb) const {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token == verb + 1 && !mention.is_owner) {
                return at_.people.affected(index_, verb, mention.end);
            }
            if (mention.token > clause_.begin && mention.token < verb) {
                const std::string_view last = at_.prose.text(at_.token(mention.token - 1));
                if (last == "把" || last == "将") {
                    return at_.people.before(index_, mention.end);
                }
            }
        }
        return at_.people.before(index_, verb);
    }

    void read_corpse(std::size_t i) {
        const std::string_view text = at_.prose.text(at_.token(i));
        if (text == "body" || text == "remains" || text == "残骸") {
            return;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            const bool owns = mention.end == i || (mention.end + 1 == i && mention.is_owner);
            if (owns && mention.who != kNobody) {
                Subject subject = at_.people.before(index_, i);
                subject.is_owner = false;
                claim(i, subject, alive::kDead, 85);
            }
        }
    }

    void read_death(std::size_t i) {
        const std::string_view text = at_.prose.text(at_.token(i));
        const bool kills = text.starts_with("kill") || text.starts_with("杀") ||
                           text.starts_with("击杀") || text == "击毙" || text == "处死";
        if (!kills) {
            claim(i, at_.people.before(index_, i), alive::kDead, 90);
            return;
        }
        if (text.ends_with("you") && at_.people.actor() != kNobody) {
            Subject subject;
            subject.who.push_back(at_.people.actor());
            subject.confidence = 85;
            claim(i, subject, alive::kDead, 85);
            return;
        }
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.token == i + 1 && !mention.is_owner) {
                claim(i, at_.people.affected(index_, i, mention.end), alive::kDead, 90);
                return;
            }
        }
    }

    void read_revival(std::size_t i) {
        const Subject subject = at_.people.before(index_, i);
        Claim made = start(i, subject, 85);
        made.found = alive::kAlive;
        made.judge = [this](std::uint32_t who) {
            const std::string& state = at_.truth.characters[who].alive_state;
            Verdict verdict;
            verdict.expected = state;
            verdict.is_contradicted = state != alive::kAlive;
            verdict.is_none = state == alive::kAlive;
            return verdict;
        };
        observe(at_, made);
    }

    // A dead character speaks, walks, smiles.
    void read_acting() {
        for (const Mention& mention : at_.people.in(index_)) {
            if (mention.who == kNobody || mention.is_owner || mention.is_agent ||
                mention.is_object ||
                at_.truth.characters[mention.who].alive_state != alive::kDead) {
                continue;
            }
            for (std::size_t i = mention.end; i < clause_.end; ++i) {
                const Token& token = at_.token(i);
                if (token.is(Word::kAct) || token.is(Word::kArrive) || token.is(Word::kFollowIn)) {
                    claim_acting(mention, i);
                    return;
                }
                const bool filler =
                    token.is(Word::kAdverb) || token.is(Word::kBody) || token.kind == Kind::kText;
                if (!filler || i > mention.end + 4) {
                    break;
                }
            }
        }
    }

    void claim_acting(const Mention& mention, std::size_t verb) {
        Claim made = start(verb, at_.people.before(index_, mention.end), 85);
        made.from = mention.token;
        made.found = "acts";
        made.judge = [this](std::uint32_t who) {
            Verdict verdict;
            verdict.expected = at_.truth.characters[who].alive_state;
            verdict.is_contradicted = verdict.expected == alive::kDead;
            return verdict;
        };
        observe(at_, made);
    }

    Claim start(std::size_t word, const Subject& subject, int confidence) const {
        Claim made;
        made.type = Type::kAliveState;
        made.clause = index_;
        made.from = word;
        made.to = word + 1;
        made.subject = subject;
        // An omitted subject belongs to its own sentence.
        made.confidence = subject.is_distant || subject.is_owner ? 60 : confidence;
        // "stops breathing" and 没了气息 contain their own negation.
        made.is_denial = at_.token(word).is(Word::kNegation);
        return made;
    }

    void claim(std::size_t word, const Subject& subject, std::string_view state, int confidence) {
        Claim made = start(word, subject, confidence);
        made.found = state;
        made.judge = [this, state](std::uint32_t who) {
            const std::string& truth = at_.truth.characters[who].alive_state;
            Verdict verdict;
            verdict.expected = truth;
            if (state == alive::kDowned) {
                verdict.is_contradicted = !is_downed(truth) && truth != alive::kDead;
            } else {
                verdict.is_contradicted = truth != state;
            }
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

void find_lives(const Context& at) {
    for (std::size_t i = 0; i < at.prose.clauses.size(); ++i) {
        Reader(at, i).read();
    }
}

}  // namespace arbiter::conflict::internal
