#include "conflict/explain.h"

#include <algorithm>

#include "conflict/internal/analysis.h"

namespace arbiter::conflict {
namespace {

using internal::Meaning;
using internal::Token;

std::string meaning_of(const Meaning& meaning, const internal::Names& names, const Truth& truth) {
    switch (meaning.kind) {
        case Meaning::Kind::kCharacter:
            return "character:" + truth.characters[meaning.index].id;
        case Meaning::Kind::kArea:
            return "area:" + truth.areas[meaning.index].id;
        case Meaning::Kind::kItem:
            return "item:" + names.text(meaning.index);
        case Meaning::Kind::kResource:
            return "resource:" + names.text(meaning.index);
        case Meaning::Kind::kSkill:
            return "skill:" + names.text(meaning.index);
        case Meaning::Kind::kAttribute:
            return "attribute:" + names.text(meaning.index);
        case Meaning::Kind::kRole:
            return "role:" + names.text(meaning.index);
    }
    return {};
}

KnownWord known_word(const Token& token, const internal::Names& names, const Truth& truth) {
    KnownWord word{token.begin, token.end, {}};
    if (token.kind == Token::Kind::kName) {
        for (const Meaning& meaning : names.meanings(token.name)) {
            word.meanings.push_back(meaning_of(meaning, names, truth));
        }
    }
    if (token.kind == Token::Kind::kNumber) {
        word.meanings.push_back("number:" + std::to_string(token.number) +
                                (token.divisor != 0 ? "/" + std::to_string(token.divisor) : ""));
    }
    for (std::size_t i = 0; i < token.words.size(); ++i) {
        if (token.words.test(i)) {
            word.meanings.emplace_back(name(static_cast<Word>(i)));
        }
    }
    return word;
}

}  // namespace

std::vector<ExplainedSentence> explain_text(const Input& input) {
    internal::Analysis analysis(input);
    const internal::Prose& prose = analysis.prose();
    std::vector<ExplainedSentence> sentences;
    for (const internal::Sentence& each : prose.sentences) {
        ExplainedSentence sentence;
        const std::size_t first = prose.clauses[each.begin].begin;
        const std::size_t last = prose.clauses[each.end - 1].end;
        sentence.begin = prose.tokens[first].begin;
        sentence.end = prose.tokens[last - 1].end;
        sentence.is_question = each.is_question;
        sentence.is_option = each.is_option;
        sentence.is_quoted =
            std::all_of(prose.clauses.begin() + static_cast<std::ptrdiff_t>(each.begin),
                        prose.clauses.begin() + static_cast<std::ptrdiff_t>(each.end),
                        [](const internal::Clause& clause) { return clause.is_quoted; });
        for (std::size_t i = first; i < last; ++i) {
            KnownWord word = known_word(prose.tokens[i], analysis.names(), input.truth);
            if (!word.meanings.empty()) {
                sentence.words.push_back(std::move(word));
            }
        }
        for (const Observation& seen : analysis.observations()) {
            if (seen.begin >= sentence.begin && seen.begin < sentence.end) {
                sentence.claims.push_back(seen);
            }
        }
        sentences.push_back(std::move(sentence));
    }
    return sentences;
}

}  // namespace arbiter::conflict
