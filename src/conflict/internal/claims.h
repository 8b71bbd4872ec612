// Claims: assertions that the rules recognise, judged against the state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "conflict/finding.h"
#include "conflict/internal/mood.h"
#include "conflict/internal/people.h"
#include "conflict/internal/settled.h"

namespace arbiter::conflict::internal {

// Everything the rules look at.
struct Context {
    const Truth& truth;
    const SettledChanges& settled;
    const Prose& prose;
    const Names& names;
    const People& people;
    const Mood& mood;
    std::vector<Observation>& observations;

    [[nodiscard]] const Token& token(std::size_t at) const { return prose.tokens[at]; }
    // The character, area, … that a token names; nullptr if it names none.
    [[nodiscard]] const Meaning* meaning(std::size_t at, Meaning::Kind kind) const {
        const Token& token = prose.tokens[at];
        return token.kind == Token::Kind::kName ? names.find(token.name, kind) : nullptr;
    }
};

struct Verdict {
    bool is_contradicted = false;
    std::string expected;
    // Borne out by something specific: a settled change, an exact value.
    bool is_settled = false;
    // The claim does not apply to this character at all.
    bool is_none = false;
};

struct Claim {
    Type type = Type::kHp;
    std::size_t clause = 0;
    std::size_t from = 0;  // tokens
    std::size_t to = 0;
    std::size_t core = 0;  // the verb: words before it say whether it is asserted; default: from
    Subject subject;
    std::string found;
    int confidence = 95;     // of the wording; the subject may lower it
    bool is_value = false;   // a read-out
    bool is_denial = false;  // the claim itself is a negation
    std::function<Verdict(std::uint32_t who)> judge;
};
// Judges a claim and adds its observations.
void observe(const Context& at, const Claim& claim);
// The same for claims about no character. `target` may be empty.
void observe_world(const Context& at, const Claim& claim, const std::string& target,
                   const Verdict& verdict);

}  // namespace arbiter::conflict::internal
