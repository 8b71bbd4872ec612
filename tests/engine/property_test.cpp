// Goal: what the engine promises holds for random instructions of every kind on random documents:
// what is not applied leaves nothing behind, a failed transaction was never there, records lead
// back, the same gives the same, and what does not meet can be swapped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/bin.h"
#include "engine/describe.h"
#include "engine/engine.h"
#include "engine/initvar.h"
#include "proposal/operations.h"
#include "proposal/shape.h"
#include "tests/support/random.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter {
namespace {

using engine::Context;
using engine::Outcome;
using engine::Policy;
using engine::State;
using engine::Verdict;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::Status;
using tests::Random;
using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

constexpr auto kDotted = value::PathSyntax::kDotted;

// Names come from a small set, so that commands meet.
const std::vector<std::string> kNames = {"a", "b", "名", "l", "0", "a.b", "__version", "回收站"};

Value scalar(Random& random) {
    switch (random.below(9)) {
        case 0:
            return nullptr;
        case 1:
            return random.chance(50);
        case 2:
            return static_cast<std::int64_t>(random.next());
        case 3:
            return 1e308;
        case 4:
            return static_cast<double>(random.below(1000)) / 8;
        case 5:
            return "12";
        case 6:
            return std::string_view(random.pick(tests::hostile_keys()));
        default:
            return static_cast<std::int64_t>(random.below(5));
    }
}

Value thing(Random& random, std::size_t depth) {
    if (depth == 0 || random.chance(35)) {
        return scalar(random);
    }
    if (random.chance(20)) {
        return Array{scalar(random), "说明"};
    }
    if (random.chance(40)) {
        Array list;
        for (std::size_t i = random.below(4); i > 0; --i) {
            list = std::move(list).push_back(thing(random, depth - 1));
        }
        return list;
    }
    Object object;
    for (std::size_t i = random.below(4); i > 0; --i) {
        object = std::move(object).set(value::Str(random.pick(kNames)), thing(random, depth - 1));
    }
    if (random.chance(10)) {
        object = std::move(object).set("_is_protected", true);
    }
    return object;
}

Segment segment(Random& random) {
    if (random.chance(15)) {
        return static_cast<std::int64_t>(random.below(6)) - 2;
    }
    return std::string_view(random.chance(8) ? random.pick(tests::hostile_keys())
                                             : random.pick(kNames));
}

Object options(Random& random) {
    Object result;
    const auto put = [&](std::string_view name, Value value) {
        result = std::move(result).set(name, std::move(value));
    };
    for (std::size_t i = random.below(4); i > 0; --i) {
        switch (random.below(22)) {
            case 0:
                put("ifMissing", random.chance(80));
                break;
            case 1:
                put("ifExists", random.chance(80));
                break;
            case 2:
                put("ifEquals", scalar(random));
                break;
            case 3:
                put("ifVersion", static_cast<std::int64_t>(random.below(3)));
                break;
            case 4:
                put("mergeStrategy", random.chance(50) ? "deep" : "shallow");
                break;
            case 5:
                put("uniqueBy", random.chance(50) ? Value("a") : Value(Array{"a", "b"}));
                break;
            case 6:
                put("dedupe", true);
                break;
            case 7:
                put("position", random.chance(50) ? "head" : "tail");
                break;
            case 8:
                put("limit", static_cast<std::int64_t>(random.below(4)));
                break;
            case 9:
                put("where", random.chance(30) ? Value(Object{{"*", true}})
                             : random.chance(50)
                                 ? Value(Object{{"包含", "a"}})
                                 : Value(Object{{"正则", random.chance(90) ? "^a|b" : "("}}));
                break;
            case 10:
                put("count", static_cast<std::int64_t>(random.below(3)));
                break;
            case 11:
                put("softDelete", true);
                break;
            case 12:
                put("recycleBinKey", random.chance(80) ? "character.saveData.l" : "__proto__");
                break;
            case 13:
                put("cascade", random.chance(50));
                break;
            case 14:
                put("allowMissing", true);
                break;
            case 15:
                put("ttl", random.chance(80) ? Value(5) : Value(-1));
                break;
            case 16:
                put("expiresAt", "2020-01-01T00:00:00Z");
                break;
            case 17:
                put("expect", Object{{"exists", random.chance(70)}});
                break;
            case 18:
                put("idempotencyKey", std::string_view(random.pick(kNames)));
                break;
            case 19:
                put("onConflict", random.chance(50) ? "replace" : "merge");
                break;
            case 20:
                put("versionScope", "ancestors");
                break;
            default:
                put(random.chance(50) ? "unheard" : "ttl", "of");
        }
    }
    return result;
}

Proposal command(Random& random, const Path& below) {
    Proposal made;
    made.dialect = static_cast<Dialect>(random.below(static_cast<std::size_t>(Dialect::kTool)));
    made.verb = "test";
    const auto op = static_cast<Op>(random.below(static_cast<std::size_t>(Op::kCount)));
    Instruction what = proposal::instruction_of(made.dialect, op);
    what.op = op;
    what.mount = proposal::Mount::kRoot;
    what.arithmetic = static_cast<proposal::Arithmetic>(random.below(4));
    what.creates = random.chance(70);
    what.all = random.chance(5);
    what.path = below;
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
        what.path.push_back(segment(random));
    }
    what.from = below;
    what.from.push_back(segment(random));
    if (random.chance(90)) {
        what.value =
            op == Op::kSplice
                ? Value(Object{{"start", scalar(random)}, {"items", Array{thing(random, 1)}}})
            : op == Op::kIncrement ? scalar(random)
                                   : thing(random, 3);
    }
    if (op == Op::kCallback) {
        what.path = {"ring"};
    }
    if (op == Op::kRestore) {
        what.path.resize(below.size() + 1, "a");
    }
    if (random.chance(20)) {
        what.old = scalar(random);
    }
    if ((op == Op::kInsert || op == Op::kDelete) && random.chance(50)) {
        what.key = random.chance(50) ? Value(std::string_view(random.pick(kNames)))
                                     : Value(static_cast<std::int64_t>(random.below(4)) - 1);
    }
    what.options = options(random);
    if (op == Op::kDelete && random.chance(40)) {
        what.options = what.options.set("softDelete", true);
    }
    made.what = std::move(what);
    proposal::check_shape(made);
    return made;
}

Path root_of_most(Random& random) {
    return random.chance(85) ? Path{"character", "saveData"} : Path{};
}

// A way into the document, as far as it goes.
Path some_place(Random& random, const Value& document) {
    Path path = {"character", "saveData"};
    const Value* at = value::find(document, path);
    do {
        if (at != nullptr && at->is_object() && !at->as_object().empty()) {
            path.emplace_back(at->as_object().at(random.below(at->as_object().size())).key);
        } else if (at != nullptr && at->is_array() && !at->as_array().empty()) {
            path.emplace_back(static_cast<std::int64_t>(random.below(at->as_array().size())));
        } else {
            break;
        }
        at = value::find(document, path);
    } while (random.chance(50));
    return path;
}

// Now and then, what is in the bin is put back.
Proposal command_on(Random& random, const State& state, const Policy& policy) {
    const auto binned = engine::list_bin(state.document, policy.recycle_bin);
    if (!binned.empty() && random.chance(30)) {
        const engine::BinRecord& one = random.pick(binned);
        if (auto made = engine::propose_restore(
                state.document, policy.recycle_bin,
                random.chance(50) ? one.id : value::print_path(one.place, kDotted))) {
            return *made;
        }
    }
    Proposal made = command(random, root_of_most(random));
    if (random.chance(20)) {
        // Something that is there goes into the bin, now or when its time is over.
        Instruction what = proposal::instruction_of(made.dialect, Op::kDelete);
        what.mount = proposal::Mount::kRoot;
        what.path = some_place(random, state.document);
        what.options = Object{{"softDelete", true}};
        if (random.chance(30)) {
            what.op = Op::kSet;
            what.value = thing(random, 2);
            what.options = what.options.set("ttl", 1);
        }
        made.what = std::move(what);
        made.problems.clear();
        made.warnings = {};
        proposal::check_shape(made);
    }
    return made;
}

// Some have rules for their structure.
State some_state(Random& random) {
    Value document =
        Object{{"character", Object{{"saveData", thing(random, 4)}, {"other", thing(random, 3)}}}};
    return random.chance(25) ? engine::take_structure(std::move(document))
                             : State{std::move(document), {}};
}

bool all_finite(const Value& value) {
    if (value.is_array()) {
        return std::ranges::all_of(value.as_array(), all_finite);
    }
    if (value.is_object()) {
        return std::ranges::all_of(value.as_object(), [](const value::Member& member) {
            return all_finite(member.value);
        });
    }
    return !value.is_number() || std::isfinite(value.as_double());
}

Object without_marks(const Object& meta) {
    return meta.erase("idempotency");
}

Policy some_policy(Random& random) {
    Policy policy;
    policy.old_check = static_cast<engine::OldCheck>(random.below(3));
    policy.delete_as_null = random.chance(20);
    policy.strict_set = random.chance(20);
    policy.locks_structure = random.chance(25);
    return policy;
}

// proves: S0-66, S0-88, S0-90, S0-93, S0-106, S3-46, X-20
TEST(EngineProperties, OneByOne) {
    std::size_t applied = 0;
    std::size_t restored = 0;
    for (std::uint64_t seed = 1; seed <= 1200; ++seed) {
        Random random(seed);
        State state = some_state(random);
        const Policy policy = some_policy(random);
        Context context;
        for (int step = 0; step < 12; ++step) {
            context.batch_id = "p" + std::to_string(step);
            context.actor = random.chance(50) ? engine::Actor::kPlayer : engine::Actor::kModel;
            const Proposal proposal = command_on(random, state, policy);
            const std::string about = "seed " + std::to_string(seed) + " step " +
                                      std::to_string(step) + "\n" +
                                      value::print_json(state.document);
            const Outcome outcome = engine::apply(state, {&proposal, 1}, policy, context);
            ASSERT_EQ(outcome.verdicts.size(), 1U);
            const Verdict& verdict = outcome.verdicts[0];
            const std::string line = describe(verdict) + "\n" + about;
            EXPECT_EQ(verdict.problem.has_value(), verdict.status == Status::kFailed ||
                                                       verdict.status == Status::kRejected ||
                                                       verdict.status == Status::kSkipped)
                << line;
            ASSERT_TRUE(all_finite(outcome.state.document)) << line;
            const auto records = engine::audit_records({&proposal, 1}, outcome, context);
            const auto undone = engine::undo(outcome.state.document, records);
            ASSERT_TRUE(undone) << line;
            ASSERT_TRUE(same_bytes(*undone, state.document)) << line;
            restored += verdict.op == Op::kRestore && verdict.status == Status::kApplied ? 1 : 0;
            if (verdict.status != Status::kApplied && outcome.expired.empty()) {
                ASSERT_TRUE(same_bytes(outcome.state.document, state.document)) << line;
                EXPECT_EQ(value::fingerprint_of(outcome.state.document).loose,
                          value::fingerprint_of(state.document).loose);
                EXPECT_TRUE(verdict.changes.empty()) << line;
                const bool marks =
                    verdict.status == Status::kSkipped || verdict.status == Status::kDuplicate;
                EXPECT_EQ(marks ? without_marks(outcome.state.meta) : outcome.state.meta,
                          marks ? without_marks(state.meta) : state.meta)
                    << line;
                EXPECT_TRUE(outcome.events.empty()) << line;
            }
            if (outcome.expired.empty()) {
                // However the engine came to know it.
                EXPECT_EQ(verdict.changes, value::diff(state.document, outcome.state.document))
                    << line;
            }
            applied += verdict.status == Status::kApplied ? 1 : 0;
            state = outcome.state;
            context.now += static_cast<engine::Instant>(random.below(3000));
        }
    }
    EXPECT_GT(applied, 100U);
    EXPECT_GT(restored, 10U);
}

// proves: S0-86, X-7
TEST(EngineProperties, FailedTransactionWasNeverThere) {
    std::size_t failed = 0;
    std::ptrdiff_t restored = 0;
    for (std::uint64_t seed = 1; seed <= 8000; ++seed) {
        Random random(seed * 7919);
        const State state = some_state(random);
        std::vector<Proposal> batch;
        for (std::size_t i = 2 + random.below(6); i > 0; --i) {
            batch.push_back(command(random, root_of_most(random)));
            batch.back().transaction = random.chance(50);
        }
        batch.back().transaction = true;
        Context context;
        context.actor = engine::Actor::kPlayer;
        context.batch_id = "x";
        const Outcome outcome = engine::apply(state, batch, Policy(), context);
        ASSERT_EQ(outcome.verdicts.size(), batch.size());
        const auto at_fault = std::ranges::count_if(outcome.verdicts, [](const Verdict& verdict) {
            return verdict.status == Status::kFailed || verdict.status == Status::kRejected;
        });
        ASSERT_LE(at_fault, 1) << "seed " << seed;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            EXPECT_EQ(outcome.verdicts[i].id, "x-" + std::to_string(i)) << "seed " << seed;
        }
        if (at_fault == 0) {
            continue;
        }
        ++failed;
        restored += std::ranges::count_if(outcome.verdicts, [](const Verdict& verdict) {
            return verdict.op == Op::kRestore && verdict.status == Status::kRolledBack;
        });
        EXPECT_EQ(outcome.state, state) << "seed " << seed;
        EXPECT_TRUE(same_bytes(outcome.state.document, state.document)) << "seed " << seed;
        EXPECT_TRUE(outcome.events.empty()) << "seed " << seed;
        for (const Verdict& verdict : outcome.verdicts) {
            EXPECT_NE(verdict.status, Status::kApplied) << "seed " << seed;
            EXPECT_TRUE(verdict.changes.empty()) << "seed " << seed;
        }
    }
    EXPECT_GT(failed, 100U);
    EXPECT_GT(restored, 10);
}

// Verdict i belongs to proposal i; a batch is its commands one after the other; twice is the same.
TEST(EngineProperties, ABatchIsItsCommands) {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        Random random(seed * 104729);
        const State state = some_state(random);
        std::vector<Proposal> batch;
        for (std::size_t i = 1 + random.below(6); i > 0; --i) {
            batch.push_back(command(random, root_of_most(random)));
            batch.back().batch = static_cast<std::uint32_t>(batch.size());
            // A record in the bin has the id of its command, which is another one alone.
            auto& what = std::get<Instruction>(batch.back().what);
            what.options = what.options.erase("softDelete");
        }
        Context context;
        context.actor = engine::Actor::kPlayer;
        context.batch_id = "b";
        // Nothing runs out within the batch.
        context.now = -10'000'000'000'000;
        const Outcome whole = engine::apply(state, batch, Policy(), context);
        const Outcome again = engine::apply(state, batch, Policy(), context);
        ASSERT_EQ(whole.verdicts.size(), batch.size());
        EXPECT_TRUE(same_bytes(whole.state.document, again.state.document)) << "seed " << seed;
        EXPECT_TRUE(same_bytes(Value(whole.state.meta), Value(again.state.meta)));
        State state_so_far = state;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Outcome one = engine::apply(state_so_far, {&batch[i], 1}, Policy(), context);
            EXPECT_EQ(describe(one.verdicts[0]), describe(whole.verdicts[i])) << "seed " << seed;
            EXPECT_EQ(describe(again.verdicts[i]), describe(whole.verdicts[i]));
            state_so_far = one.state;
        }
        const auto records = engine::audit_records(batch, whole, context);
        const auto undone = engine::undo(whole.state.document, records);
        ASSERT_TRUE(undone) << "seed " << seed;
        EXPECT_TRUE(same_bytes(*undone, state.document)) << "seed " << seed;
    }
}

TEST(EngineProperties, DisjointCommandsCommute) {
    for (std::uint64_t seed = 1; seed <= 12000; ++seed) {
        Random random(seed * 15485863);
        Policy policy;
        policy.recycle_bin = {"character", "saveData", "bin"};
        const State state = {
            Object{{"character", Object{{"saveData", Object{{"p", thing(random, 3)},
                                                            {"q", thing(random, 3)}}}}}},
            {}};
        Proposal left = command(random, {"character", "saveData", "p", "a"});
        Proposal right = command(random, {"character", "saveData", "q", "a"});
        // The bin is one place for all, and a version one place for a whole object.
        const auto alone = [](const Proposal& proposal) {
            const Instruction& what = *proposal.instruction();
            return !what.options.contains("softDelete") && what.op != Op::kCallback;
        };
        if (!alone(left) || !alone(right)) {
            continue;
        }
        Context context;
        context.now = -10'000'000'000'000;
        context.batch_id = "c";
        left.batch = 1;
        right.batch = 2;
        const std::vector<Proposal> one = {left, right};
        const std::vector<Proposal> other = {right, left};
        const Outcome a = engine::apply(state, one, policy, context);
        const Outcome b = engine::apply(state, other, policy, context);
        EXPECT_EQ(a.state.document, b.state.document) << "seed " << seed << "\n"
                                                      << describe(a.verdicts[0]) << "\n"
                                                      << describe(a.verdicts[1]) << "\n"
                                                      << value::print_json(state.document);
        EXPECT_EQ(a.verdicts[0].status, b.verdicts[1].status) << "seed " << seed;
        EXPECT_EQ(a.verdicts[1].status, b.verdicts[0].status) << "seed " << seed;
    }
}

}  // namespace
}  // namespace arbiter
