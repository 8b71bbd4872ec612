// Explanations of a check: sentence by sentence, the words that were recognised and the claims.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "conflict/check.h"

namespace arbiter::conflict {

// A recognised name, number or word of the lexicon.
struct KnownWord {
    std::size_t begin = 0;
    std::size_t end = 0;
    // "character:mo_qing", "area:inn", "item:金币", "number:3", or categories of the lexicon.
    std::vector<std::string> meanings;
};

struct ExplainedSentence {
    std::size_t begin = 0;  // of the narration
    std::size_t end = 0;
    bool is_quoted = false;  // all of it
    bool is_question = false;
    bool is_option = false;
    std::vector<KnownWord> words;
    std::vector<Observation> claims;
};

// The same check as check_text(), by sentence. Sentences without any known word are included.
std::vector<ExplainedSentence> explain_text(const Input& input);

}  // namespace arbiter::conflict
