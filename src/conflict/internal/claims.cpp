#include "conflict/internal/claims.h"

#include <algorithm>

namespace arbiter::conflict::internal {
namespace {

Observation observation_of(const Context& at, const Claim& claim) {
    Observation seen;
    seen.type = claim.type;
    seen.begin = at.prose.tokens[claim.from].begin;
    seen.end = at.prose.tokens[claim.to - 1].end;
    seen.found = claim.found;
    seen.reading =
        at.mood.of(claim.clause, std::max(claim.from, claim.core), claim.to, claim.is_value);
    if (claim.is_denial && seen.reading == Reading::kNegated) {
        seen.reading = Reading::kContradicted;
    }
    return seen;
}

}  // namespace

void observe(const Context& at, const Claim& claim) {
    const Subject& subject = claim.subject;
    if (!subject.is_known()) {
        return;
    }
    Observation seen = observation_of(at, claim);
    seen.confidence = std::min(claim.confidence, subject.confidence);
    const std::vector<std::uint32_t> who = subject.is_all ? at.people.party() : subject.who;
    std::vector<std::uint32_t> wrong;
    std::size_t applies = 0;
    for (const std::uint32_t each : who) {
        const Verdict verdict = claim.judge(each);
        if (verdict.is_none) {
            continue;
        }
        ++applies;
        if (verdict.is_contradicted) {
            wrong.push_back(each);
            seen.expected = verdict.expected;
        }
    }
    if (applies == 0) {
        return;
    }
    // A pronoun may mean another character of whom the claim is true.
    const bool doubtful =
        !wrong.empty() && std::ranges::any_of(subject.doubt, [&](std::uint32_t other) {
            const Verdict verdict = claim.judge(other);
            return !verdict.is_none && !verdict.is_contradicted && verdict.is_settled;
        });
    if (seen.reading == Reading::kContradicted) {
        if (wrong.empty()) {
            seen.reading = Reading::kSupported;
        } else if (doubtful) {
            seen.reading = Reading::kUnclear;
        }
    }
    const bool all = subject.is_all && wrong.size() == applies && applies > 1;
    for (const std::uint32_t each : seen.reading == Reading::kContradicted ? wrong : who) {
        if (!all) {
            seen.targets.push_back(at.truth.characters[each].id);
        }
    }
    at.observations.push_back(std::move(seen));
}

void observe_world(const Context& at, const Claim& claim, const std::string& target,
                   const Verdict& verdict) {
    Observation seen = observation_of(at, claim);
    seen.confidence = claim.confidence;
    seen.expected = verdict.expected;
    if (seen.reading == Reading::kContradicted && !verdict.is_contradicted) {
        seen.reading = Reading::kSupported;
    }
    if (!target.empty()) {
        seen.targets.push_back(target);
    }
    at.observations.push_back(std::move(seen));
}

}  // namespace arbiter::conflict::internal
