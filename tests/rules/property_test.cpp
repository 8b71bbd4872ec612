// Goal: whatever commands come, in whatever dialect, the rules keep their word: what is derived is
// never stale, ranges hold, nothing is touched that no rule names, and a turn that is played again,
// from memory or from a file, ends in the same bytes.
// Method: random commands on a small world with a rule of every kind, under two rulebooks that read
// each other's values.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/describe.h"
#include "engine/marks.h"
#include "rules/limit.h"
#include "rules/worlds.h"
#include "tests/rules/worlds.h"
#include "tests/support/judging.h"
#include "value/hash.h"

namespace arbiter {
namespace {

using engine::State;
using rules::Rulebook;
using tests::Commands;
using tests::Random;
using value::Bindings;
using value::Object;
using value::Path;
using value::Value;

engine::Policy anywhere() {
    engine::Policy policy;
    policy.tavern_root.clear();
    return policy;
}

struct World {
    std::vector<std::shared_ptr<const Rulebook>> books = {tests::book_of(tests::kBook),
                                                          tests::book_of(tests::kOtherBook)};
    turn::Rules rules = tests::rules_of(anywhere(), books);
};

// The whole world as one command, so that every place of it was looked at.
State begun(const World& world) {
    proposal::Proposal made;
    made.dialect = proposal::Dialect::kJson;
    proposal::Instruction what = proposal::instruction_of(made.dialect, proposal::Op::kMerge);
    what.mount = proposal::Mount::kRoot;
    what.value = value::parse_json(tests::kWorld).value();
    made.what = std::move(what);
    engine::Context context;
    context.actor = engine::Actor::kSystem;
    const auto played = tests::judge({Object(), {}}, {&made, 1}, "", world.rules, context);
    EXPECT_EQ(played.outcome.verdicts[0].status, proposal::Status::kApplied);
    return played.outcome.state;
}

void expect_derived(const Rulebook& book, const Value& document, const std::string& about) {
    for (const rules::Derived& rule : book.derived) {
        visit_matches(
            rule.place, document,
            [&](const Path& path, const Bindings& bindings, const Value& present) {
                const auto value = rule.formula.evaluate({document, rules::variables_of(bindings)});
                EXPECT_TRUE(!value || expr::undescribed(present) == *value)
                    << value::print_path(path, value::PathSyntax::kDotted) << " is "
                    << value::print_json(present) << ", not " << value::print_json(*value) << "\n"
                    << about;
                return true;
            });
    }
}

void expect_ranges(const Rulebook& book, const Value& document, const std::string& about) {
    for (const rules::Range& rule : book.ranges) {
        visit_matches(
            rule.place, document,
            [&](const Path& path, const Bindings& bindings, const Value& present) {
                const auto number = expr::number_of(expr::undescribed(present));
                const auto bound = [&](const std::optional<expr::Formula>& formula) {
                    const auto known =
                        formula ? formula->evaluate({document, rules::variables_of(bindings)})
                                : std::nullopt;
                    return known ? expr::number_of(*known) : std::nullopt;
                };
                const auto max = bound(rule.max);
                const auto min = bound(rule.min);
                const std::string where = value::print_path(path, value::PathSyntax::kDotted);
                EXPECT_TRUE(!number || !max || *number <= *max) << where << "\n" << about;
                EXPECT_TRUE(!number || !min || *number >= *min || (max && *max < *min))
                    << where << "\n"
                    << about;
                return true;
            });
    }
}

// Nothing is left that should have gone.
void expect_clean(const Rulebook& book, const Value& document, const std::string& about) {
    for (const rules::Cleanup& rule : book.cleanups) {
        visit_matches(
            rule.each, document, [&](const Path& path, const Bindings& bindings, const Value& it) {
                auto variables = rules::variables_of(bindings);
                variables.push_back({"it", it});
                EXPECT_TRUE(engine::has_protected(it) || !rule.when.holds({document, variables}))
                    << value::print_path(path, value::PathSyntax::kDotted) << "\n"
                    << about;
                return true;
            });
    }
}

// Every effect is at a place that its rule writes.
void expect_named(const World& world, const std::vector<rules::Effect>& effects,
                  const std::string& about) {
    for (const rules::Effect& effect : effects) {
        bool named = false;
        for (const auto& book : world.books) {
            for (const rules::RuleSummary& rule : book->summaries) {
                named = named || (rule.id == effect.rule &&
                                  std::ranges::any_of(rule.writes, [&](const auto& pattern) {
                                      Bindings bindings;
                                      return matches(pattern, effect.path, bindings);
                                  }));
            }
        }
        EXPECT_TRUE(named) << describe(effect) << "\n" << about;
        // And nowhere else.
        for (const value::Change& change : effect.changes) {
            const std::size_t shared = std::min(change.path.size(), effect.path.size());
            const auto end = effect.path.begin() + static_cast<std::ptrdiff_t>(shared);
            // A way to the place may have been made.
            EXPECT_TRUE(
                (shared == effect.path.size() || change.kind == value::Change::Kind::kAdd) &&
                std::equal(effect.path.begin(), end, change.path.begin()))
                << describe(effect);
        }
    }
}

State reloaded(const State& state) {
    return {value::parse_json(value::print_json(state.document)).value(),
            value::parse_json(value::print_json(Value(state.meta)))->as_object()};
}

// proves: S2-21, S2-33, S2-68, S2-81, X-20
TEST(RulesProperties, AnyCommands) {
    const World world;
    const State start = begun(world);
    std::size_t applied = 0;
    std::size_t effects = 0;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        Commands commands(random);
        rules::Memories memories;
        State state = start;
        for (int turn = 0; turn < 12; ++turn) {
            std::vector<proposal::Proposal> batch;
            for (std::size_t i = random.below(4); i > 0; --i) {
                batch.push_back(random.chance(12) ? commands.time()
                                                  : commands.next(state.document));
            }
            engine::Context context;
            context.batch_id = "t" + std::to_string(turn);
            context.actor = random.chance(80)   ? engine::Actor::kModel
                            : random.chance(80) ? engine::Actor::kPlayer
                                                : engine::Actor::kSystem;
            const std::string said = commands.narrative();
            const auto live = tests::judge(state, batch, said, world.rules, context, &memories);
            std::string about = "seed " + std::to_string(seed) + " turn " + std::to_string(turn) +
                                " " + value::print_json(state.document);
            for (const engine::Verdict& verdict : live.outcome.verdicts) {
                about += "\n" + describe(verdict);
                applied += verdict.status == proposal::Status::kApplied ? 1U : 0U;
            }
            for (const rules::Effect& effect : live.effects) {
                about += "\n" + describe(effect);
            }
            effects += live.effects.size();
            ASSERT_TRUE(live.settled) << about;
            for (const auto& book : world.books) {
                expect_derived(*book, live.outcome.state.document, about);
                expect_clean(*book, live.outcome.state.document, about);
                // The host's commands are not judged; the next turn of another actor is.
                if (context.actor != engine::Actor::kSystem) {
                    expect_ranges(*book, live.outcome.state.document, about);
                }
            }
            expect_named(world, live.effects, about);
            for (const State& from : {state, reloaded(state)}) {
                const auto again = tests::judge(from, batch, said, world.rules, context);
                ASSERT_TRUE(same_bytes(again.outcome.state.document, live.outcome.state.document))
                    << about;
                ASSERT_TRUE(
                    same_bytes(Value(again.outcome.state.meta), Value(live.outcome.state.meta)))
                    << about;
                ASSERT_EQ(again.effects.size(), live.effects.size()) << about;
            }
            if (HasFailure()) {
                return;
            }
            state = live.outcome.state;
        }
    }
    EXPECT_GT(applied, 2000U);
    EXPECT_GT(effects, 2000U);
}

// The memory of rulebooks is read from a file. A turn can be played with any content.
// proves: X-20
TEST(RulesProperties, AnyMemory) {
    const World world;
    const State start = begun(world);
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
        Random random(seed);
        Commands commands(random);
        Object meta = start.meta;
        const Value* all = meta.find(rules::kRulesKey);
        ASSERT_NE(all, nullptr);
        Object own = all->as_object().find("small")->as_object();
        for (std::size_t i = 1 + random.below(3); i > 0; --i) {
            const auto key = own.at(random.below(own.size())).key;
            own = own.set(
                key, random.chance(50) ? commands.thing(3) : tests::random_value(random, 3, 3));
        }
        meta = meta.set(rules::kRulesKey, all->as_object().set("small", own));
        meta = meta.set(rules::kWorldsKey, commands.thing(3));
        State state{start.document, meta};
        if (random.chance(10)) {
            state.meta = meta.set(rules::kRulesKey, commands.thing(2));
        }
        static_cast<void>(rules::backups(state.meta));
        static_cast<void>(rules::restore_world(state, "low"));
        for (int turn = 0; turn < 3; ++turn) {
            const proposal::Proposal one = commands.next(state.document);
            auto played = tests::judge(state, {&one, 1}, commands.narrative(), world.rules, {});
            state = std::move(played.outcome.state);
        }
    }
}

}  // namespace
}  // namespace arbiter
