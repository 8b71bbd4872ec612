// Goal: what the engine promises across batches: a command that was seen is not run again, the same
// log gives the same hash, and a timer only ever removes what it was set on.
// Method: random lists whose elements can be told apart, and a plain list of what must expire.
#include <gtest/gtest.h>

#include <set>

#include "engine/bin.h"
#include "engine/engine.h"
#include "engine/initvar.h"
#include "engine/internal/structure_rules.h"
#include "proposal/shape.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter {
namespace {

using engine::Context;
using engine::Outcome;
using engine::Policy;
using engine::State;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::Status;
using tests::Random;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

Proposal made(Instruction what) {
    Proposal proposal;
    proposal.verb = "test";
    proposal.what = std::move(what);
    proposal::check_shape(proposal);
    return proposal;
}

Instruction tavern(Op op, Path path) {
    Instruction what = proposal::instruction_of(Dialect::kTavern, op);
    what.path = {"character", "saveData"};
    what.path.insert(what.path.end(), path.begin(), path.end());
    return what;
}

// One of the operations that change places in lists.
Instruction on_lists(Random& random, std::int64_t& next_id) {
    const auto index = [&] { return static_cast<std::int64_t>(random.below(5)); };
    const Path list = {random.chance(50) ? "l" : "m"};
    const auto fresh = [&] {
        return Object{{"id", ++next_id}, {"part", Object{{"id", ++next_id}}}};
    };
    Path element = list;
    element.emplace_back(index());
    switch (random.below(9)) {
        case 0:
        case 1: {
            Instruction what = tavern(Op::kPush, list);
            what.value = fresh();
            if (random.chance(50)) {
                what.options = what.options.set("position", "head");
            }
            if (random.chance(20)) {
                what.options = what.options.set("limit", 4);
            }
            return what;
        }
        case 2: {
            Instruction what = tavern(Op::kDelete, element);
            if (random.chance(50)) {
                what.options = Object{{"softDelete", true}};
            }
            return what;
        }
        case 3: {
            Instruction what = tavern(Op::kPull, list);
            what.options =
                Object{{"where", Object{{"id", Object{{">=", index() * 4}}}}}, {"count", 1}};
            return what;
        }
        case 4: {
            Instruction what = tavern(Op::kSplice, list);
            what.value = Object{{"start", index()},
                                {"deleteCount", random.chance(50) ? 1 : 0},
                                {"items", Array{fresh()}}};
            return what;
        }
        case 5: {
            Instruction what = tavern(random.chance(50) ? Op::kMove : Op::kCopy, element);
            what.overwrites = true;
            what.from = {"character", "saveData", random.chance(50) ? "l" : "m", index()};
            // A copy could not be told from what it was copied from.
            what.op = Op::kMove;
            return what;
        }
        case 6: {
            Instruction what = tavern(Op::kInsert, list);
            what.key = Value(index());
            what.value = fresh();
            return what;
        }
        case 7: {
            // A new element or part, with an end.
            Path place = element;
            if (random.chance(50)) {
                place.emplace_back("part");
            }
            Instruction what = tavern(Op::kSet, place);
            what.creates = false;
            what.value = Object{{"id", ++next_id}};
            what.options = Object{{"ttl", static_cast<std::int64_t>(1 + random.below(50))},
                                  {"softDelete", random.chance(30)}};
            return what;
        }
        default:
            return tavern(Op::kPop, list);
    }
}

// Every id below a value.
void gather(const Value& value, std::set<std::int64_t>& ids) {
    if (value.is_array()) {
        for (const Value& element : value.as_array()) {
            gather(element, ids);
        }
    } else if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            if (key == "id" && member.is_int()) {
                ids.insert(member.as_int());
            }
            gather(member, ids);
        }
    }
}

std::set<std::int64_t> living(const State& state) {
    std::set<std::int64_t> ids;
    for (const std::string_view list : {"l", "m"}) {
        if (const Value* found = value::find(state.document, {"character", "saveData", list})) {
            gather(*found, ids);
        }
    }
    return ids;
}

// proves: A0-13
TEST(EnginePromises, TimersHitOnlyWhatTheyWereSetOn) {
    std::size_t expired = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random(seed * 31337);
        std::int64_t next_id = 0;
        State state = {
            Object{{"character", Object{{"saveData", Object{{"l", Array()}, {"m", Array()}}}}}},
            {}};
        std::set<std::int64_t> ends;  // ids that were set with an end
        Context context;
        context.actor = engine::Actor::kPlayer;
        for (int step = 0; step < 40; ++step) {
            context.batch_id = "s" + std::to_string(step);
            const auto binned = engine::list_bin(state.document, Policy().recycle_bin);
            const auto back = !binned.empty() && random.chance(10)
                                  ? engine::propose_restore(state.document, Policy().recycle_bin,
                                                            random.pick(binned).id)
                                  : std::nullopt;
            const Proposal proposal = back ? *back : made(on_lists(random, next_id));
            const Instruction& what = *proposal.instruction();
            const std::set<std::int64_t> before = living(state);
            const Outcome outcome = engine::apply(state, {&proposal, 1}, Policy(), context);
            for (const engine::Expired& each : outcome.expired) {
                const Value* id = each.value.as_object().find("id");
                ASSERT_TRUE(id != nullptr && ends.contains(id->as_int()))
                    << "seed " << seed << " step " << step << ": " << print_json(each.value);
                ++expired;
            }
            state = outcome.state;
            if (what.op == Op::kSet && outcome.verdicts[0].status == Status::kApplied) {
                ends.insert(what.value->as_object().find("id")->as_int());
            }
            if (back && outcome.verdicts[0].status == Status::kApplied) {
                // A restored node stays.
                std::set<std::int64_t> ids;
                gather(*outcome.verdicts[0].after, ids);
                for (const std::int64_t id : ids) {
                    ends.erase(id);
                }
            }
            context.now += static_cast<engine::Instant>(random.below(4000));
        }
        // In the end nothing is left that had one.
        context.now += 1'000'000;
        context.batch_id = "end";
        state = engine::apply(state, {}, Policy(), context).state;
        EXPECT_FALSE(state.meta.contains("timers"));
        for (const std::int64_t id : living(state)) {
            EXPECT_FALSE(ends.contains(id)) << "seed " << seed << " id " << id << "\n"
                                            << print_json(state.document);
        }
    }
    EXPECT_GT(expired, 1000U);
}

// proves: S0-16, A0-10
TEST(EnginePromises, WhatWasSeenIsNotRunAgain) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Random random(seed * 65537);
        std::int64_t next_id = 0;
        State state = {Object{{"character", Object{{"saveData", Object{{"l", Array{1}}}}}}}, {}};
        Context context;
        std::vector<Proposal> seen;
        for (int step = 0; step < 20; ++step) {
            context.batch_id = "s" + std::to_string(step);
            Instruction what = on_lists(random, next_id);
            what.options = what.options.erase("ttl").set("idempotencyKey",
                                                         std::string_view(std::to_string(step)));
            const Proposal proposal = made(std::move(what));
            const Outcome outcome = engine::apply(state, {&proposal, 1}, Policy(), context);
            state = outcome.state;
            if (outcome.verdicts[0].status == Status::kApplied) {
                seen.push_back(proposal);
            }
            if (!seen.empty()) {
                const Outcome again =
                    engine::apply(state, {&random.pick(seen), 1}, Policy(), context);
                ASSERT_EQ(again.verdicts[0].status, Status::kDuplicate) << "seed " << seed;
                ASSERT_EQ(again.state, state) << "seed " << seed;
            }
        }
    }
}

// proves: A0-3
TEST(EnginePromises, PatternsHaveAnEnd) {
    const auto pull = [](std::size_t bytes) {
        const std::string text(bytes, 'a');
        const State state = {
            Object{
                {"character", Object{{"saveData", Object{{"l", Array{std::string_view(text)}}}}}}},
            {}};
        Instruction what = tavern(Op::kPull, {"l"});
        what.options = Object{{"where", Object{{"正则", "(a?){500}b"}}}};
        const Proposal proposal = made(std::move(what));
        const Outcome outcome = engine::apply(state, {&proposal, 1}, Policy(), Context());
        EXPECT_EQ(outcome.state, state);
        return outcome.verdicts[0];
    };
    EXPECT_EQ(pull(1000).status, Status::kApplied);
    const engine::Verdict stopped = pull(1'000'000);
    EXPECT_EQ(stopped.status, Status::kRejected);
    ASSERT_TRUE(stopped.problem);
    EXPECT_EQ(stopped.problem->code, proposal::Code::kTooLarge);
    EXPECT_FALSE(stopped.value);
}

// Rules that follow what changed are the rules that would be made of the whole.
TEST(EnginePromises, RulesFollowWhatChanged) {
    const auto thing = [](Random& random, auto&& self, int depth) -> Value {
        if (depth == 0 || random.chance(20)) {
            return static_cast<std::int64_t>(random.below(3));
        }
        if (random.chance(30)) {
            Array list;
            for (std::size_t i = random.below(3); i > 0; --i) {
                list = std::move(list).push_back(self(random, self, depth - 1));
            }
            return random.chance(30) ? list.push_back("$__META_EXTENSIBLE__$") : list;
        }
        Object object;
        for (std::size_t i = random.below(4); i > 0; --i) {
            object = std::move(object).set(
                value::Str(std::string(1, static_cast<char>('a' + random.below(4)))),
                self(random, self, depth - 1));
        }
        return random.chance(30)
                   ? object.set("$meta", Object{{"extensible", true},
                                                {"recursiveExtensible", random.chance(20)}})
                   : object;
    };
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        Random random(seed * 17);
        State state = engine::take_structure(Object{{"stat_data", thing(random, thing, 4)}});
        for (int step = 0; step < 5; ++step) {
            value::Editor editor(state.document);
            Path path = {"stat_data"};
            for (std::size_t i = random.below(4); i > 0; --i) {
                path.emplace_back(std::string(1, static_cast<char>('a' + random.below(4))));
            }
            const Value fresh = engine::internal::without_rules(thing(random, thing, 2));
            if (random.chance(30) ? !editor.erase(path) : !editor.set(path, fresh)) {
                continue;
            }
            const Value after = std::move(editor).take();
            Object followed = state.meta;
            Object whole = state.meta;
            engine::internal::follow_structure(followed, state.document, after);
            engine::internal::follow_structure(whole, Value(), after);
            ASSERT_EQ(followed, whole) << "seed " << seed << "\n" << print_json(after);
            state = {after, followed};
        }
    }
}

// proves: X-20
TEST(EnginePromises, TheSameLogGivesTheSameHash) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const auto play = [seed] {
            Random random(seed * 7);
            std::int64_t next_id = 0;
            State state = {Object{{"character", Object{{"saveData", Object{{"l", Array()}}}}}}, {}};
            Context context;
            for (int step = 0; step < 30; ++step) {
                context.batch_id = std::to_string(step);
                context.now += 700;
                const Proposal proposal = made(on_lists(random, next_id));
                state = engine::apply(state, {&proposal, 1}, Policy(), context).state;
            }
            return state;
        };
        const State one = play();
        const State two = play();
        EXPECT_EQ(value::fingerprint_of(one.document).exact,
                  value::fingerprint_of(two.document).exact);
        EXPECT_EQ(value::fingerprint_of(Value(one.meta)).exact,
                  value::fingerprint_of(Value(two.meta)).exact);
    }
}

}  // namespace
}  // namespace arbiter
