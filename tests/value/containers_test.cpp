// Goal: Array and Object behave as plain copies of a std::vector would, and no version ever sees
// the changes of another.
// Method: random edit sequences on our container and on a reference model side by side, comparing
// contents and order after every step; every version is kept and compared again at the end.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/random.h"
#include "value/array.h"
#include "value/internal/pair_walk.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using tests::Random;

using Model = std::vector<std::pair<std::string, std::int64_t>>;

Model::iterator model_find(Model& model, const std::string& key) {
    return std::ranges::find(model, key, &Model::value_type::first);
}

void expect_same(const Object& object, const Model& model) {
    ASSERT_EQ(object.size(), model.size());
    std::size_t i = 0;
    for (const auto& [key, value] : object) {
        ASSERT_EQ(key.view(), model[i].first);
        ASSERT_EQ(value.as_int(), model[i].second);
        ++i;
    }
}

void expect_lookups(const Object& object, const Model& model) {
    for (std::size_t i = 0; i < model.size(); ++i) {
        ASSERT_EQ(object.position_of(model[i].first), i);
        ASSERT_EQ(object.find(model[i].first)->as_int(), model[i].second);
        ASSERT_EQ(object.at(i).key.view(), model[i].first);
    }
    ASSERT_EQ(object.find("no such key"), nullptr);
    ASSERT_EQ(object.find("no such key, and a long one at that"), nullptr);
}

// One random step on both; sometimes as a copy, sometimes in place.
void step(Random& random, Object& object, Model& model, const std::vector<std::string>& keys,
          unsigned grow_percent) {
    const std::string& key = random.pick(keys);
    const auto there = model_find(model, key);
    const auto value = static_cast<std::int64_t>(random.next());
    const bool in_place = random.chance(50);
    if (there == model.end() && random.chance(30)) {
        const std::size_t position = random.below(model.size() + 1);
        object = in_place ? std::move(object).insert(position, std::string_view(key), value)
                          : object.insert(position, std::string_view(key), value);
        model.insert(model.begin() + static_cast<std::ptrdiff_t>(position), {key, value});
    } else if (random.chance(grow_percent)) {
        object = in_place ? std::move(object).set(std::string_view(key), value)
                          : object.set(std::string_view(key), value);
        if (there != model.end()) {
            there->second = value;
        } else {
            model.emplace_back(key, value);
        }
    } else {
        object = in_place ? std::move(object).erase(key) : object.erase(key);
        if (there != model.end()) {
            model.erase(there);
        }
    }
}

void run_objects(std::uint64_t seed, std::size_t steps, std::size_t key_count) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<std::string> keys = tests::hostile_keys();
    for (std::size_t i = keys.size(); i < key_count; ++i) {
        keys.push_back((i % 2 == 0 ? "k" : "钥匙的名字很长很长") + std::to_string(i));
    }
    keys.resize(key_count);
    Object object;
    Model model;
    std::vector<std::pair<Object, Model>> versions;
    for (std::size_t i = 0; i < steps; ++i) {
        // Phases of growth and of shrinking, so that both forms and the way between are met.
        step(random, object, model, keys, (i / (steps / 4 + 1)) % 2 == 0 ? 75 : 30);
        if (::testing::Test::HasFatalFailure()) {
            return;
        }
        if (random.chance(20)) {
            versions.emplace_back(object, model);
        }
        if (i % 64 == 0) {
            expect_same(object, model);
            expect_lookups(object, model);
        }
    }
    for (const auto& [old_object, old_model] : versions) {
        expect_same(old_object, old_model);
    }
    expect_lookups(object, model);
}

TEST(Object, BehavesAsAnOrderedListOfMembersWhenSmall) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        run_objects(seed, 150, 20);
    }
}

TEST(Object, BehavesAsAnOrderedListOfMembersAroundTheBorderOfItsTwoForms) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        run_objects(1000 + seed, 300, 60);
    }
}

TEST(Object, BehavesAsAnOrderedListOfMembersWhenLarge) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        run_objects(2000 + seed, 3000, 2000);
    }
}

// Order ids run out when members keep being put at one spot; the object must renumber itself.
TEST(Object, TakesManyInsertionsAtOnePlace) {
    Object object;
    Model model;
    for (int i = 0; i < 40; ++i) {
        const std::string key = "start" + std::to_string(i);
        object = std::move(object).set(std::string_view(key), i);
        model.emplace_back(key, i);
    }
    for (int i = 0; i < 500; ++i) {
        const std::string key = "middle" + std::to_string(i);
        object = std::move(object).insert(20, std::string_view(key), i);
        model.insert(model.begin() + 20, {key, i});
    }
    expect_same(object, model);
    expect_lookups(object, model);
}

using ArrayModel = std::vector<std::int64_t>;

void expect_same(const Array& array, const ArrayModel& model) {
    ASSERT_EQ(array.size(), model.size());
    std::size_t i = 0;
    for (const Value& value : array) {
        ASSERT_EQ(value.as_int(), model[i]);
        ++i;
    }
    ASSERT_EQ(i, model.size());
}

void run_arrays(std::uint64_t seed, std::size_t steps) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Array array;
    ArrayModel model;
    std::vector<std::pair<Array, ArrayModel>> versions;
    for (std::size_t i = 0; i < steps; ++i) {
        const bool grow = random.chance((i / (steps / 4 + 1)) % 2 == 0 ? 75 : 30);
        const bool in_place = random.chance(50);
        const auto value = static_cast<std::int64_t>(random.next());
        if (model.empty() || (grow && random.chance(70))) {
            // Ends are the usual places, and have their own code.
            const std::size_t position = random.chance(30)   ? 0
                                         : random.chance(50) ? model.size()
                                                             : random.below(model.size() + 1);
            array =
                in_place ? std::move(array).insert(position, value) : array.insert(position, value);
            model.insert(model.begin() + static_cast<std::ptrdiff_t>(position), value);
        } else if (grow) {
            const std::size_t position = random.below(model.size());
            array = in_place ? std::move(array).set(position, value) : array.set(position, value);
            model[position] = value;
        } else {
            const std::size_t position = random.below(model.size());
            array = in_place ? std::move(array).erase(position) : array.erase(position);
            model.erase(model.begin() + static_cast<std::ptrdiff_t>(position));
        }
        if (random.chance(10)) {
            versions.emplace_back(array, model);
        }
        if (i % 32 == 0 && !model.empty()) {
            const std::size_t position = random.below(model.size());
            ASSERT_EQ(array[position].as_int(), model[position]);
        }
    }
    versions.emplace_back(array, model);
    for (const auto& [old_array, old_model] : versions) {
        expect_same(old_array, old_model);
    }
}

TEST(Array, BehavesAsAVectorWhenSmall) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        run_arrays(seed, 120);
    }
}

TEST(Array, BehavesAsAVectorWhenLarge) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        run_arrays(1000 + seed, 4000);
    }
}

// Insertions before the last element of one leaf after the other once made a tree as high as an
// attacker liked.
TEST(Array, StaysLowWhereverItGrows) {
    for (const int stride : {7, 8, 9, 63, 64, 65}) {
        Array array;
        for (int i = 0; i < 100; ++i) {
            array = std::move(array).push_back(i);
        }
        for (int i = 0; i < 100'000; ++i) {
            array = std::move(array).insert(
                static_cast<std::size_t>(i * stride) % (array.size() - 1), i);
        }
        // 4^8 leaves of at least four.
        const Value value = array;
        EXPECT_LE(internal::level_of(internal::tree_of(value)), 9U) << stride;
    }
}

TEST(Array, BuiltAtOnceIsTheSameAsBuiltOneByOne) {
    for (const std::size_t size : {0UL, 1UL, 23UL, 24UL, 25UL, 48UL, 49UL, 400UL, 10'000UL}) {
        std::vector<Value> items;
        Array pushed;
        for (std::size_t i = 0; i < size; ++i) {
            items.emplace_back(static_cast<std::int64_t>(i));
            pushed = std::move(pushed).push_back(static_cast<std::int64_t>(i));
        }
        const Array built{std::span<const Value>(items)};
        EXPECT_EQ(built, pushed) << size;
        EXPECT_EQ(built.size(), size);
    }
}

TEST(Value, KeepsItsVersionWhenACopyChanges) {
    const Object before = {{"角色", Object{{"气血", 100}}}, {"物品", Array{1, 2, 3}}};
    Object after = before;
    after = std::move(after).set("物品", Array{});
    EXPECT_EQ(before.find("物品")->as_array().size(), 3U);
    EXPECT_EQ(after.find("物品")->as_array().size(), 0U);
    EXPECT_TRUE(after.find("角色")->is_identical(*before.find("角色")));
}

TEST(Str, IsTheTextItWasMadeOf) {
    for (std::size_t size = 0; size < 40; ++size) {
        const std::string text(size, 'x');
        const Str str{std::string_view(text)};
        const Str copy = str;
        EXPECT_EQ(copy.view(), text);
        EXPECT_EQ(str, copy);
        EXPECT_EQ(str, Str(std::string_view(text)));
        EXPECT_FALSE(str == Str(std::string_view(text + "y")));
    }
}

}  // namespace
}  // namespace arbiter::value
