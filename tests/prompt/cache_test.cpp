// Goal: a cache changes the cost of a prompt and nothing else.
// Method: random documents are edited again and again; each prompt is built with the cache of the
// turns before and without a cache, and both must be equal in text, tokens and reasons.
#include "prompt/cache.h"

#include <gtest/gtest.h>

#include "prompt/assemble.h"
#include "prompt/explain.h"
#include "table/registries.h"
#include "tests/support/random.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {
namespace {

using tests::Random;
using value::Array;
using value::Object;
using value::Value;

Value thing(Random& random, int depth) {
    switch (random.below(depth > 0 ? 8 : 4)) {
        case 0:
            return static_cast<std::int64_t>(random.below(2000));
        case 1:
            return Value("他在雨夜里独自赶路，远处传来断断续续的钟声。");
        case 2:
            return Array{static_cast<std::int64_t>(random.below(9)), "说明"};
        case 3:
            return Value(random.chance(50) ? "short" : "- looks: like a line\n");
        case 4:
        case 5: {
            Array list;
            for (std::size_t i = random.below(12); i > 0; --i) {
                list = std::move(list).push_back(thing(random, depth - 1));
            }
            return list;
        }
        default: {
            Object object;
            for (std::size_t i = random.below(random.chance(20) ? 60 : 8); i > 0; --i) {
                object = std::move(object).set(value::Str("k" + std::to_string(random.below(90))),
                                               thing(random, depth - 1));
            }
            if (random.chance(10)) {
                object = std::move(object).set("_showInEJS", Value(false));
            }
            return object;
        }
    }
}

// Replaces a value somewhere in the document, or adds a member.
Value edited(const Value& document, Random& random) {
    value::Path path;
    const Value* at = &document;
    while (at->is_object() && !at->as_object().empty() && (path.empty() || random.chance(70))) {
        const value::Member member = at->as_object().at(random.below(at->as_object().size()));
        path.emplace_back(member.key);
        at = value::find(document, path);
    }
    if (at->is_object() && random.chance(30)) {
        path.emplace_back(value::Str("new" + std::to_string(random.below(5))));
    }
    value::Editor editor(document);
    EXPECT_TRUE(editor.set(path, thing(random, 2)));
    return std::move(editor).take();
}

// Only the newest members of a large collection are shown; edits are mostly of older ones.
TEST(Cache, ChangesNoPromptOfALargeCollection) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Random random(seed);
        Object people;
        for (int i = 0; i < 120; ++i) {
            people = std::move(people).set(
                value::Str("p" + std::to_string(i)),
                Object{{"name", "他"}, {"hp", i}, {"bag", Object{{"sword", thing(random, 1)}}}});
        }
        Value document = Object{{"people", people}};
        Plan plan = plan_of(table::shipped_registries()->dialogs.all()[0]);
        plan.context_tokens = 400 + random.below(3000);
        Cache cache;
        for (int turn = 0; turn < 30; ++turn) {
            AssemblyInputs inputs{document, plan};
            const Assembly plain = assemble(inputs);
            inputs.cache = &cache;
            const Assembly cached = assemble(inputs);
            ASSERT_EQ(plain.messages, cached.messages) << seed << " " << turn;
            ASSERT_EQ(plain.tokens, cached.tokens) << seed << " " << turn;
            ASSERT_EQ(explained(plain), explained(cached)) << seed << " " << turn;
            const value::Str key("p" + std::to_string(random.below(random.chance(50) ? 120 : 20)));
            value::Editor editor(document);
            if (random.chance(5)) {
                EXPECT_TRUE(editor.set({"people", "_showInEJS"}, Value(random.chance(50))));
            } else if (random.chance(10)) {
                EXPECT_TRUE(editor.set({"people", key}, thing(random, 2)));
            } else {
                // An earlier edit may have made the person a scalar.
                (void)editor.set({"people", key, "hp"}, thing(random, 1));
            }
            document = std::move(editor).take();
        }
    }
}

TEST(Cache, ChangesNoPrompt) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Random random(seed);
        Object roots;
        for (const char* root : {"stat_data", "world", "people", "log"}) {
            roots = std::move(roots).set(root, thing(random, 4));
        }
        roots = std::move(roots).set("odd", tests::random_value(random, 4, 12));
        Value document = roots;
        Plan plan = plan_of(table::shipped_registries()->dialogs.all()[0]);
        Cache cache;
        for (int turn = 0; turn < 15; ++turn) {
            if (turn % 5 == 0) {
                plan.context_tokens = random.chance(20) ? 0 : 300 + random.below(3000);
                plan.state.descriptions = static_cast<StateView::Descriptions>(random.below(3));
                plan.state.depth = random.chance(20) ? 3 : 0;
            }
            AssemblyInputs inputs{document, plan};
            const Assembly plain = assemble(inputs);
            inputs.cache = &cache;
            const Assembly cached = assemble(inputs);
            ASSERT_EQ(plain.messages, cached.messages) << seed << " " << turn;
            ASSERT_EQ(plain.tokens, cached.tokens) << seed << " " << turn;
            ASSERT_EQ(explained(plain), explained(cached)) << seed << " " << turn;
            document = edited(document, random);
        }
    }
}

}  // namespace
}  // namespace arbiter::prompt
