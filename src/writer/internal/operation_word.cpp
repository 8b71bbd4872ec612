#include "writer/internal/operation_word.h"

namespace arbiter::writer::internal {

std::string_view word_for(proposal::Dialect dialect, const proposal::Instruction& instruction,
                          std::string_view verb) {
    if (verb.starts_with("_.")) {
        verb.remove_prefix(2);
    }
    const proposal::Verb* kept = proposal::find_verb(dialect, verb);
    if (kept != nullptr && kept->op == instruction.op &&
        kept->arithmetic == instruction.arithmetic) {
        return kept->word;
    }
    const proposal::Verb* found = nullptr;
    for (const proposal::Verb& row : proposal::verbs()) {
        if (row.dialect != dialect || row.op != instruction.op) {
            continue;
        }
        if (row.arithmetic == instruction.arithmetic) {
            return row.word;
        }
        found = found == nullptr ? &row : found;
    }
    return found != nullptr ? found->word : "";
}

}  // namespace arbiter::writer::internal
