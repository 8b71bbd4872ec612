// Goal: patterns find exactly the places of a document that are theirs, and near a change only
// those that the change can concern.
// Method: tables; random documents, where looking near a place is compared with looking everywhere.
#include "value/pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/random.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

Pattern pattern(std::string_view text) {
    return parse_pattern(text).value();
}
Path path(std::string_view text) {
    return parse_path(text, PathSyntax::kDotted).value();
}
std::string shown(const Path& where) {
    return print_path(where, PathSyntax::kDotted);
}

std::vector<std::string> all(std::string_view text, const Value& document) {
    std::vector<std::string> found;
    visit_matches(pattern(text), document, [&](const Path& where, const Bindings&, const Value&) {
        found.push_back(shown(where));
        return true;
    });
    return found;
}
std::vector<std::string> near(std::string_view text, const Value& document,
                              std::string_view place) {
    std::vector<std::string> found;
    visit_near(pattern(text), document, path(place),
               [&](const Path& where, const Bindings&, const Value&) {
                   found.push_back(shown(where));
                   return true;
               });
    return found;
}
using Texts = std::vector<std::string>;

TEST(Pattern, PrintsAsItWasWritten) {
    for (const std::string_view text : {"a.*.b", "a.$who.b", "a.**", "a[0].$x", "角色.$名.气血"}) {
        EXPECT_EQ(print_pattern(pattern(text)), text);
    }
    EXPECT_FALSE(parse_pattern("a.**.b"));
    EXPECT_FALSE(parse_pattern("a..b"));
}

TEST(Pattern, FindsItsPlaces) {
    const Value document =
        *parse_json(R"({"a":{"x":{"n":1},"y":{"n":2,"m":3},"z":4},"l":[{"n":5},{"n":6}]})");
    EXPECT_EQ(all("a.*.n", document), (Texts{"a.x.n", "a.y.n"}));
    EXPECT_EQ(all("a.$k", document), (Texts{"a.x", "a.y", "a.z"}));
    EXPECT_EQ(all("l.*.n", document), (Texts{"l[0].n", "l[1].n"}));
    EXPECT_EQ(all("a.y.**", document), (Texts{"a.y.n", "a.y.m"}));
    EXPECT_EQ(all("a.q", document), Texts{});
    EXPECT_EQ(all("l.1.n", document), Texts{"l[1].n"});
}

TEST(Pattern, TheSameNameIsTheSameMember) {
    const Value document = *parse_json(R"({"a":{"x":{"x":1,"y":2},"y":{"x":3}}})");
    EXPECT_EQ(all("a.$k.$k", document), Texts{"a.x.x"});
    Bindings bindings;
    EXPECT_TRUE(matches(pattern("a.$k.$j"), path("a.x.y"), bindings));
    EXPECT_EQ(find_binding(bindings, "j")->key(), "y");
    EXPECT_EQ(shown(*bound_path(pattern("b.$j.$k"), bindings)), "b.y.x");
    EXPECT_FALSE(bound_path(pattern("b.$other"), bindings));
    EXPECT_FALSE(bound_path(pattern("b.*"), bindings));
}

TEST(Pattern, LooksOnlyNearAPlace) {
    const Value document =
        *parse_json(R"({"a":{"x":{"n":{"deep":1}},"y":{"n":2}},"b":{"x":{"n":3}}})");
    EXPECT_EQ(near("a.*.n", document, "a.x.n.deep"), Texts{"a.x.n"});
    EXPECT_EQ(near("a.*.n", document, "a.y"), Texts{"a.y.n"});
    EXPECT_EQ(near("a.*.n", document, "a"), (Texts{"a.x.n", "a.y.n"}));
    EXPECT_EQ(near("a.*.n", document, "b"), Texts{});
    EXPECT_EQ(near("a.**", document, "a.x.n"), (Texts{"a.x", "a.x.n", "a.x.n.deep"}));
    EXPECT_EQ(near("a.*.n", document, "a.q.n"), Texts{});
}

TEST(Pattern, NearIsEverythingThatTouches) {
    tests::Random random(11);
    const std::string_view keys[] = {"a", "b", "c"};
    const std::string_view patterns[] = {"a.*.b", "*.$x.$x", "a.**", "$x.b", "a.b.c", "**", "*"};
    const auto make = [&](auto self, int depth) -> Value {
        if (depth == 0 || random.below(4) == 0) {
            return Value(static_cast<std::int64_t>(random.below(9)));
        }
        if (random.below(5) == 0) {
            Array list;
            for (std::size_t i = random.below(3); i > 0; --i) {
                list = std::move(list).push_back(self(self, depth - 1));
            }
            return list;
        }
        Object object;
        for (const std::string_view key : keys) {
            if (random.below(3) > 0) {
                object = std::move(object).set(Str(key), self(self, depth - 1));
            }
        }
        return object;
    };
    for (int round = 0; round < 300; ++round) {
        const Value document = make(make, 4);
        Texts places = {""};
        visit_matches(pattern("**"), document,
                      [&](const Path& where, const Bindings&, const Value&) {
                          places.push_back(shown(where));
                          return true;
                      });
        const std::string place = places[random.below(places.size())];
        for (const std::string_view text : patterns) {
            Texts expected;
            const Path at = path(place);
            for (const std::string& each : all(text, document)) {
                const Path other = path(each);
                const std::size_t common = std::min(at.size(), other.size());
                if (std::equal(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(common),
                               other.begin())) {
                    expected.push_back(each);
                    EXPECT_TRUE(touches(pattern(text), at)) << text << " " << place;
                }
            }
            Texts found = near(text, document, place);
            std::ranges::sort(found);
            std::ranges::sort(expected);
            EXPECT_EQ(found, expected)
                << text << " near " << place << " in " << print_json(document);
        }
    }
}

TEST(Pattern, TouchedPlacesOfALongerListAreTheList) {
    const Value before = *parse_json(R"({"a":{"b":1},"l":[1,2,3]})");
    const Value after = *parse_json(R"({"a":{"b":2},"l":[1,3],"c":5})");
    Texts places;
    for (const Path& place : touched_places(diff(before, after))) {
        places.push_back(shown(place));
    }
    std::ranges::sort(places);
    EXPECT_EQ(places, (Texts{"a.b", "c", "l"}));
}

}  // namespace
}  // namespace arbiter::value
