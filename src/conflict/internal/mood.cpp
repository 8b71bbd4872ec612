#include "conflict/internal/mood.h"

namespace arbiter::conflict::internal {
namespace {

using Kind = Token::Kind;

}  // namespace

Mood::Mood(const Prose& prose) : prose_(prose), carried_(prose.clauses.size()) {
    Reading mode = Reading::kContradicted;
    std::uint32_t paragraph = 0;
    for (std::size_t i = 0; i < prose.clauses.size(); ++i) {
        const Clause& clause = prose.clauses[i];
        const std::uint32_t here = prose.sentences[clause.sentence].paragraph;
        if (here != paragraph) {
            mode = Reading::kContradicted;
            paragraph = here;
        }
        if (!clause.is_quoted && clause.has_any({Word::kWake, Word::kTrance, Word::kRecall})) {
            for (std::size_t at = clause.begin; at < clause.end; ++at) {
                const Token& token = prose.tokens[at];
                if (token.is(Word::kWake)) {
                    mode = Reading::kContradicted;
                } else if (token.is(Word::kTrance)) {
                    mode = Reading::kUnreal;
                } else if (token.is(Word::kRecall)) {
                    mode = Reading::kRemembered;
                }
            }
        }
        carried_[i] = clause.is_panel ? Reading::kContradicted : mode;
    }
}

bool Mood::is_negated(std::size_t clause, std::size_t to) const {
    for (std::size_t at = prose_.clauses[clause].begin; at < to; ++at) {
        if (prose_.tokens[at].is(Word::kNegation)) {
            return true;
        }
    }
    return false;
}

Reading Mood::of_clause(std::size_t clause, std::size_t from, std::size_t to) const {
    for (std::size_t at = prose_.clauses[clause].begin; at < to; ++at) {
        const Token& token = prose_.tokens[at];
        if (token.is(Word::kNegation)) {
            return Reading::kNegated;
        }
        if (at >= from) {
            continue;
        }
        if (token.is(Word::kNearMiss)) {
            return Reading::kNearMiss;
        }
        if (token.is(Word::kSimile)) {
            return Reading::kCompared;
        }
        if (token.is(Word::kModal) || token.is(Word::kAttempt)) {
            return Reading::kPossible;
        }
    }
    return Reading::kContradicted;
}

Reading Mood::of_sentence(std::size_t clause, std::size_t from, std::size_t to) const {
    const Clause& own = prose_.clauses[clause];
    Reading reading = Reading::kContradicted;
    for (std::size_t i = prose_.sentences[own.sentence].begin; i <= clause; ++i) {
        const Clause& each = prose_.clauses[i];
        if (each.is_quoted) {
            // The quotation is what was said.
            if (reading == Reading::kReported) {
                reading = Reading::kContradicted;
            }
            continue;
        }
        const bool after_quote = i > 0 && prose_.clauses[i - 1].is_quoted;
        for (std::size_t at = each.begin; at < each.end && at < to; ++at) {
            const Token& token = prose_.tokens[at];
            if (token.is(Word::kCondition)) {
                return Reading::kConditional;
            }
            if (token.is(Word::kMemory) || token.is(Word::kRecall)) {
                return Reading::kRemembered;
            }
            if (token.is(Word::kUnreal) || token.is(Word::kTrance)) {
                return Reading::kUnreal;
            }
            if (at >= from) {
                continue;
            }
            if (token.is(Word::kReport) && !after_quote) {
                reading = Reading::kReported;
            } else if (token.is(Word::kPlan)) {
                reading = Reading::kPlanned;
            }
        }
    }
    return reading;
}

// True if the part before the colon makes the rest speech: 有人摇摇头：死了.
bool Mood::is_spoken(std::size_t clause) const {
    const Sentence& sentence = prose_.sentences[prose_.clauses[clause].sentence];
    for (std::size_t i = sentence.begin; i < clause; ++i) {
        const Clause& each = prose_.clauses[i];
        if (each.after_colon) {
            break;
        }
        const bool last = prose_.tokens[each.end - 1].is_mark(U':');
        for (std::size_t at = each.begin; at < each.end; ++at) {
            const Token& token = prose_.tokens[at];
            if (token.is(Word::kReport) || token.is(Word::kPlan)) {
                return true;
            }
            if (last && (token.is(Word::kPerson) || token.is(Word::kAct))) {
                return true;
            }
        }
    }
    return false;
}

Reading Mood::of(std::size_t clause, std::size_t from, std::size_t to, bool is_value) const {
    const Clause& in = prose_.clauses[clause];
    const Sentence& sentence = prose_.sentences[in.sentence];
    if (in.is_quoted) {
        return Reading::kQuoted;
    }
    if (sentence.is_option) {
        return Reading::kOption;
    }
    if (in.is_panel) {
        return of_clause(clause, from, to) == Reading::kNegated ? Reading::kNegated
                                                                : Reading::kContradicted;
    }
    if (sentence.is_question) {
        return Reading::kQuestion;
    }
    if (const Reading reading = of_sentence(clause, from, to); reading != Reading::kContradicted) {
        return reading;
    }
    if (const Reading reading = of_clause(clause, from, to); reading != Reading::kContradicted) {
        return reading;
    }
    if (in.after_colon && !is_value && is_spoken(clause)) {
        return Reading::kReported;
    }
    return carried_[clause];
}

}  // namespace arbiter::conflict::internal
