// Narration: the visible text of an attempt, compared with the state that the attempt leads to; and
// the ways to repair it sentence by sentence, so that a good reply is not dropped for one wrong
// line.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "conflict/finding.h"
#include "conflict/name_cache.h"
#include "turn/attempt.h"
#include "turn/begun.h"
#include "value/path.h"

namespace arbiter::turn {

// Contradictions of the text and of the declared claims, as far as the settings ask for them. None
// without a table. The names are those of the campaign's RulesCache.
std::vector<conflict::Finding> narration_findings(const Attempt& attempt, const Begun& begun,
                                                  conflict::NameCache& names);

// Of a finding: the path of the state that it contradicts, and a sentence about it.
value::Path path_of(const conflict::Finding& finding);
std::string mismatch_of(const conflict::Finding& finding, const value::Value& document,
                        base::Language language);

// A sentence of the narrative that holds findings.
struct WrongSentence {
    std::string text;
    std::size_t occurrence = 0;         // how often the same text is before it
    std::vector<std::size_t> findings;  // indexes
};
// In the order of the text, each once. Findings of declared claims have none.
std::vector<WrongSentence> wrong_sentences(std::string_view narrative,
                                           std::span<const conflict::Finding> findings);

// Whether every finding is in a sentence that is in the replies unchanged.
bool can_mend(std::span<const std::string> replies, std::string_view narrative,
              std::span<const conflict::Finding> findings);

// The request for other words in place of the sentences; the answer has one numbered line for each.
std::string mending_request(std::span<const WrongSentence> sentences,
                            std::span<const conflict::Finding> findings,
                            const value::Value& document, base::Language language);
// The sentences of such an answer, by number; an empty one is to be cut. Nothing if the answer has
// none: then it is a reply of its own.
std::optional<std::vector<std::optional<std::string>>> mended_sentences(std::string_view answer,
                                                                        std::size_t count);

// The replies with other sentences in place of those; one without a replacement stays.
std::vector<std::string> with_sentences(std::vector<std::string> replies,
                                        std::span<const WrongSentence> sentences,
                                        std::span<const std::optional<std::string>> replacements);

// The sentence in place of one that was cut.
base::Text cut_notice();

}  // namespace arbiter::turn
