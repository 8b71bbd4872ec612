// Goal: every transcript in tests/turns/engine and tests/turns/rules ends as it says, and four
// things hold for all of them: verdicts correspond to proposals one to one, what is not applied
// changes nothing, what is closed to the model stays as it was, and the audit records lead back to
// where the turn began.
#include "tests/support/turns.h"
#include "proposal/codec.h"
#include "tests/support/judging.h"
#include "turn/replay.h"
#include "value/hash.h"

namespace arbiter {
namespace {

using engine::Verdict;
using proposal::Status;
using value::Value;

// Invariants of any reply on any state.
void expect_order(const transcript::Step& step, const std::string& where) {
    const engine::State& before = step.before;
    const turn::Attempt& attempt = step.turn.finished.attempt;
    const reader::Reading& reading = attempt.reading;
    const engine::Outcome& outcome = attempt.outcome;
    const engine::Context& context = step.begun.context;
    ASSERT_EQ(outcome.verdicts.size(), reading.proposals.size()) << where;
    // Encoding keeps every field of a proposal, with and without the reply it came from.
    for (const std::string& reply : {reading.text, std::string()}) {
        EXPECT_EQ(proposal::decode(proposal::encode(reading.proposals, reply), reply),
                  base::Result<std::vector<proposal::Proposal>>(reading.proposals))
            << where;
    }
    bool changed = false;
    for (const Verdict& verdict : outcome.verdicts) {
        changed = changed || verdict.status == Status::kApplied;
        EXPECT_TRUE(verdict.status == Status::kApplied || verdict.changes.empty()) << where;
    }
    if (!changed && outcome.expired.empty() && attempt.effects.empty()) {
        EXPECT_TRUE(same_bytes(outcome.state.document, before.document)) << where;
    }
    // Nothing but the actions changed the document; their records lead back.
    const auto replayed = turn::apply_actions(before.document, attempt.actions);
    ASSERT_TRUE(replayed) << where;
    EXPECT_TRUE(same_bytes(*replayed, outcome.state.document)) << where;
    const auto undone = engine::undo(outcome.state.document, tests::audit_of(attempt, context));
    ASSERT_TRUE(undone) << where;
    EXPECT_TRUE(same_bytes(*undone, before.document)) << where;
    // Paths that are closed to the model are unchanged.
    for (const engine::ClosedPath& closed : step.begun.rules->profile.policy.closed) {
        const Value* was = value::find(before.document, closed.path);
        const Value* is = value::find(outcome.state.document, closed.path);
        ASSERT_NE(was, nullptr) << where;
        EXPECT_TRUE(context.actor != engine::Actor::kModel ||
                    (is != nullptr && same_bytes(*was, *is)))
            << where;
    }
    // The same again from what a record keeps gives the same bytes.
    const turn::Finished again =
        turn::replay(before, reading.proposals, step.begun.rules,
                     {context, reading.text, step.turn.finished.meta, step.turn.usage,
                      step.turn.story_tokens, step.turn.failed_calls});
    EXPECT_TRUE(same_bytes(again.attempt.candidate().document, outcome.state.document)) << where;
    EXPECT_TRUE(same_bytes(again.attempt.candidate().meta, outcome.state.meta)) << where;
}

std::size_t expect_turns(const std::string& folder) {
    return tests::each_turn(folder, [](const transcript::Turn& turn, const std::string& where,
                                       const std::string& beside) {
        EXPECT_TRUE(turn.has("after") || turn.has("changed") || turn.has("said")) << where;
        tests::expect_as_it_says(turn, where, beside,
                                 [&](const transcript::Step& step) { expect_order(step, where); });
    });
}

TEST(EngineTurns, EndAsTheySay) {
    EXPECT_GT(expect_turns("engine"), 200U);
}

TEST(ProtocolTurns, EndAsTheySay) {
    EXPECT_GT(expect_turns("protocol"), 10U);
}

TEST(TableTurns, EndAsTheySay) {
    EXPECT_GT(expect_turns("table"), 10U);
}

TEST(RulesTurns, EndAsTheySay) {
    EXPECT_GT(expect_turns("rules"), 140U);
}

}  // namespace
}  // namespace arbiter
