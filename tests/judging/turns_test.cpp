// Goal: every transcript in tests/turns/engine ends as it says, and three things hold for all of
// them: verdicts correspond to proposals one to one, what is not applied changes nothing, what is
// closed to the model stays as it was, and the audit records lead back to where the turn began.
#include <gtest/gtest.h>

#include "config/profiles.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "engine/initvar.h"
#include "reader/reader.h"
#include "tests/support/turn_file.h"
#include "value/hash.h"

namespace arbiter {
namespace {

using engine::Actor;
using engine::State;
using engine::Verdict;
using proposal::Status;
using tests::Turn;
using value::Value;

// The profile that a turn names, with what it changes.
profile::Profile profile_of(const Turn& turn) {
    const auto loaded = config::load_profile(turn.setting("profile", "auto"));
    EXPECT_TRUE(loaded) << turn.title;
    profile::Profile profile = loaded.value_or(profile::Profile());
    engine::Policy& policy = profile.policy;
    profile.hybrid_both = profile.hybrid_both || turn.setting("hybrid") == "both";
    for (const auto& [key, value] : turn.settings) {
        if (key == "old_check") {
            policy.old_check = value == "strict" ? engine::OldCheck::kStrict
                               : value == "off"  ? engine::OldCheck::kOff
                                                 : engine::OldCheck::kWarn;
        } else if (key == "delete_as_null") {
            policy.delete_as_null = value == "yes";
        } else if (key == "strict_set") {
            policy.strict_set = value == "yes";
        } else if (key == "structure") {
            policy.locks_structure = value == "initvar";
        } else if (key == "closed") {
            policy.closed.push_back({*value::parse_path(value, value::PathSyntax::kDotted), false});
        } else if (key == "off") {
            const auto feature = engine::find_feature(value);
            EXPECT_TRUE(feature) << turn.title;
            policy.features.turn(feature.value_or(0), false);
        }
    }
    return profile;
}

// Plays all replies of a turn; the sections that follow a reply are about it.
void play(Turn& turn) {
    const profile::Profile profile = profile_of(turn);
    const engine::Policy& policy = profile.policy;
    engine::Context context;
    context.now = engine::parse_instant(turn.setting("now", "2026-01-01T00:00:00Z")).value_or(0);
    State state;
    std::vector<std::pair<std::string, std::string>> played;
    std::size_t number = 0;
    for (const auto& [name, text] : turn.sections) {
        if (name == "state") {
            const auto document = value::parse_json(text);
            ASSERT_TRUE(document) << turn.title;
            state =
                policy.locks_structure ? engine::take_structure(*document) : State{*document, {}};
            played.emplace_back(name, text);
        } else if (name == "now") {
            context.now = engine::parse_instant(text).value_or(0);
            played.emplace_back(name, text);
        }
        if (!name.starts_with("reply")) {
            continue;
        }
        played.emplace_back(name, text);
        context.actor = name == "reply (user)"     ? Actor::kPlayer
                        : name == "reply (system)" ? Actor::kSystem
                                                   : Actor::kModel;
        context.batch_id = "t" + std::to_string(++number);
        const reader::Reading reading =
            reader::read(text, profile::reading(profile, context.actor));
        const State before = state;
        const engine::Outcome outcome = engine::apply(state, reading.proposals, policy, context);
        ASSERT_EQ(outcome.verdicts.size(), reading.proposals.size()) << turn.title;
        std::string verdicts;
        std::vector<Value> records;
        bool changed = false;
        for (std::size_t i = 0; i < outcome.verdicts.size(); ++i) {
            const Verdict& verdict = outcome.verdicts[i];
            verdicts += (verdicts.empty() ? "" : "\n") + describe(verdict);
            records.push_back(engine::audit_record(reading.proposals[i], verdict, context));
            changed = changed || verdict.status == Status::kApplied;
            EXPECT_TRUE(verdict.status == Status::kApplied || verdict.changes.empty());
        }
        if (!changed && outcome.expired.empty()) {
            EXPECT_TRUE(same_bytes(outcome.state.document, before.document)) << turn.title;
        }
        if (outcome.expired.empty()) {
            const auto undone = engine::undo(outcome.state.document, records);
            ASSERT_TRUE(undone) << turn.title;
            EXPECT_TRUE(same_bytes(*undone, before.document)) << turn.title;
        }
        // What is closed to the model is as it was.
        for (const engine::ClosedPath& closed : policy.closed) {
            const Value* was = value::find(before.document, closed.path);
            const Value* is = value::find(outcome.state.document, closed.path);
            ASSERT_NE(was, nullptr) << turn.title;
            EXPECT_TRUE(context.actor != Actor::kModel || (is != nullptr && same_bytes(*was, *is)))
                << turn.title;
        }
        // The same again from the same state gives the same bytes.
        EXPECT_EQ(engine::apply(before, reading.proposals, policy, context).state, outcome.state);
        state = outcome.state;
        std::string events;
        for (const engine::Event& event : outcome.events) {
            events += (events.empty() ? "" : "\n") + event.name + " " +
                      value::print_json(Value(event.arguments));
        }
        std::string expired;
        for (const engine::Expired& each : outcome.expired) {
            expired += (expired.empty() ? "" : "\n") +
                       value::print_path(each.path, value::PathSyntax::kDotted);
        }
        played.emplace_back("verdicts", verdicts);
        played.emplace_back("events", events);
        played.emplace_back("expired", expired);
    }
    played.emplace_back("after", value::print_json(state.document));
    turn.sections = std::move(played);
}

std::string as_text(const Turn& turn) {
    std::string text;
    for (const auto& [name, section] : turn.sections) {
        if (!section.empty() || name.starts_with("reply")) {
            text += "-- " + name + "\n" + section + "\n";
        }
    }
    return text;
}

TEST(EngineTurns, EndAsTheySay) {
    const auto folder =
        std::filesystem::path(ARBITER_TEST_DATA).parent_path().parent_path() / "turns" / "engine";
    std::size_t count = 0;
    for (const auto& path : tests::turn_files(folder)) {
        tests::TurnFile file = tests::load_turns(path);
        for (Turn& turn : file.turns) {
            Turn now = turn;
            play(now);
            ++count;
            if (!tests::is_update()) {
                EXPECT_EQ(as_text(now), as_text(turn))
                    << path.filename() << ":" << turn.line << ": " << turn.title;
            }
            turn = now;
        }
        if (tests::is_update()) {
            tests::save_turns(file);
        }
    }
    EXPECT_GT(count, 1U);
}

}  // namespace
}  // namespace arbiter
