// Goal: which protocols hold follows from the requests alone, whatever order files were found in;
// protocols that lose are named. Properties over shuffled libraries stand at the end.
#include "protocol/library.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/limits.h"
#include "protocol/describe.h"
#include "tests/protocol/support.h"
#include "tests/support/random.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::protocol {
namespace {

using tests::Files;
using tests::library_of;
using tests::order;
using tests::resolved;
using tests::simple;
using tests::warnings;

// proves: S4-32, S4-33, S4-22, S4-29, A4-1
TEST(Library, TextsStandInOneOrder) {
    const Library library =
        library_of({simple("low", "", "injection: {priority: 10}\n"), simple("z"), simple("a"),
                    simple("high", "", "injection: {priority: 900}\n")});
    // By priority, then as they were activated.
    EXPECT_EQ(order(resolved(library, {"high", "z", "a", "low"})), "low z a high");
    EXPECT_EQ(order(resolved(library, {"a", "z", "a", "high", "low", "z"})), "low a z high");
    const Resolved found = resolved(library, {"high", "z"});
    ASSERT_EQ(found.instructions.size(), 2U);
    EXPECT_EQ(found.instructions[1].id, "high");
    EXPECT_EQ(found.instructions[1].text, "text of high");
    EXPECT_EQ(found.instructions[1].priority, 900);
    EXPECT_TRUE(found.warnings.empty());
}

// proves: S4-35
TEST(Library, TextsGoWhereTheyBelong) {
    const Library library =
        library_of({simple("a", "", "injection: {target: post_history}\n"), simple("b")});
    const Resolved found = resolved(library, {"a", "b"});
    EXPECT_EQ(found.instructions[0].target, Target::kAfterHistory);
    EXPECT_EQ(found.instructions[1].target, Target::kSystemEnd);
}

// proves: S4-17, S4-34, S4-33, S4-4
TEST(Library, DependenciesComeFirstAndOnce) {
    const Library library = library_of({simple("top", "dependencies: [middle, base]"),
                                        simple("middle", "dependencies: [base]"), simple("base"),
                                        simple("other", "dependencies: [base]"), simple("alone")});
    const Resolved found = resolved(library, {"other", "top", "base"});
    EXPECT_EQ(order(found), "base other middle top");
    EXPECT_EQ(found.active[2].why, (ActivationReason{ActivationReason::Kind::kNeeded, "top"}));
    EXPECT_EQ(found.active[0].why.kind, ActivationReason::Kind::kConfigured);  // also requested
    EXPECT_EQ(explain(found.active[2].why, base::Language::kEnglish), "top needs it");
    EXPECT_EQ(explain(found.active[2].why, base::Language::kChinese), "top 依赖它");
}

// proves: S4-34, S4-26
TEST(Library, WhatIsMissingIsToldAndTheRestHolds) {
    const Library library =
        library_of({simple("a", "dependencies: [gone]"), simple("b", "dependencies: [a]"),
                    simple("c"), simple("pinned", "dependencies: [c@^2]")});
    const Resolved found = resolved(library, {"b", "c", "love", "no such thing", "pinned"});
    EXPECT_EQ(order(found), "c");
    EXPECT_EQ(warnings(found.warnings),
              "protocol_unknown [love] [a, b, c, pinned]; "
              "protocol_reference [\"no such thing\"]; "
              "protocol_needs [a@1.0.0] [gone]; protocol_without [b@1.0.0] [a]; "
              "protocol_needs [pinned@1.0.0] [c@^2]");
    EXPECT_EQ(warnings({resolved(library, {"pined"}).warnings}),
              "protocol_unknown [pined] [pinned]");
    const auto checked = library.check();
    ASSERT_EQ(checked.size(), 2U);
    EXPECT_EQ(checked[0].file, "a.yaml");
    EXPECT_EQ(value::print_path(checked[0].diagnostic.path, value::PathSyntax::kDotted),
              "meta.dependencies[0]");
}

// proves: S4-34
TEST(Library, CirclesAreNamedAndBroken) {
    const Library library =
        library_of({simple("a", "dependencies: [b]"), simple("b", "dependencies: [c]"),
                    simple("c", "dependencies: [a]"), simple("d", "dependencies: [b]")});
    for (const char* from : {"a", "b", "c", "d"}) {
        const Resolved found = resolved(library, {from});
        EXPECT_EQ(warnings(found.warnings), "protocol_cycle [a → b → c → a]") << from;
        EXPECT_EQ(found.active.size(), from[0] == 'd' ? 4U : 3U);
    }
    ASSERT_EQ(library.check().size(), 1U);
    EXPECT_EQ(library.check()[0].diagnostic.error.code, base::ErrorCode::kProtocolCycle);
}

TEST(Library, AWayHasAnEnd) {
    const auto chain = [](std::size_t length) {
        Files files;
        for (std::size_t i = 0; i < length; ++i) {
            files.push_back(
                simple("p" + std::to_string(i),
                       i + 1 < length ? "dependencies: [p" + std::to_string(i + 1) + "]" : ""));
        }
        return library_of(files);
    };
    for (const std::size_t length : {base::kProtocolDepthMax - 1, base::kProtocolDepthMax}) {
        const Resolved found = resolved(chain(length), {"p0"});
        EXPECT_EQ(found.active.size(), length);
        EXPECT_TRUE(found.warnings.empty());
    }
    const Resolved over = resolved(chain(base::kProtocolDepthMax + 1), {"p0"});
    EXPECT_TRUE(over.active.empty());
    EXPECT_EQ(over.warnings[0].code, base::ErrorCode::kTooDeep);
    EXPECT_TRUE(chain(300).check().empty());
}

// proves: S4-51
TEST(Library, TheHighestVersionThatWillDo) {
    const auto version = [](const std::string& id, const std::string& number,
                            const std::string& more = "") {
        auto file = simple(id, "version: \"" + number + "\"" + more);
        file.first = id + number + ".yaml";
        return file;
    };
    const Library library =
        library_of({version("a", "1.0.0"), version("a", "1.4.0"), version("a", "2.0.0"),
                    version("a", "3.0.0-beta"), version("old", "1.0.0", ", dependencies: [a@^1]"),
                    version("new", "1.0.0", ", dependencies: [a]")});
    const auto used = [&](const std::vector<std::string>& ids) {
        const Resolved found = resolved(library, ids);
        std::string out = print(found.active[0].protocol->version);
        return out + (found.warnings.empty() ? "" : " ! " + warnings(found.warnings));
    };
    EXPECT_EQ(used({"a"}), "2.0.0");
    EXPECT_EQ(used({"a@^1"}), "1.4.0");
    EXPECT_EQ(used({"a@1.0.0"}), "1.0.0");
    EXPECT_EQ(used({"a@3.0.0-beta"}), "3.0.0-beta");
    // Both can be pleased.
    EXPECT_EQ(used({"a", "old"}), "1.4.0");
    EXPECT_EQ(used({"new", "old"}), "1.4.0");
    // A pin of the card goes before what another protocol wants, and that is said.
    EXPECT_EQ(used({"a@2", "old"}), "2.0.0 ! protocol_pins [old@1.0.0] [a@^1] [a@2.0.0]");
    EXPECT_EQ(warnings(resolved(library, {"a@^5"}).warnings),
              "protocol_unknown [a@^5] [a@3.0.0-beta, a@2.0.0, a@1.4.0, a@1.0.0]");
    EXPECT_EQ(library.versions("a").size(), 4U);
}

// proves: S4-12
TEST(Library, DuplicatesNameBothFiles) {
    auto first = simple("a");
    auto second = simple("a", "name: other");
    first.first = "x/one.yaml";
    second.first = "x/two.yaml";
    for (const Files& files : {Files{first, second}, Files{second, first}}) {
        const Library library = library_of(files);
        ASSERT_EQ(library.duplicates().size(), 1U);
        EXPECT_EQ(library.duplicates()[0].file, "x/two.yaml");
        EXPECT_EQ(warnings({library.duplicates()[0].diagnostic.error}),
                  "protocol_duplicate [a@1.0.0] [x/one.yaml]");
        EXPECT_EQ(library.rows().size(), 1U);
        EXPECT_EQ(library.rows()[0].file, "x/one.yaml");
    }
}

// proves: S4-36, S4-38, A4-1
TEST(Library, OneMeaningForATag) {
    const auto hint = [](const std::string& behavior, const std::string& priority) {
        return "parser_hints: {root_tag: live, behavior: " + behavior +
               "}\ninjection: {priority: " + priority + "}\n";
    };
    const Library library = library_of(
        {simple("a", "", hint("display", "300")), simple("b", "", hint("ignore", "50")),
         simple("c", "", hint("execute_script", "50")), simple("same", "", hint("display", "10"))});
    const Resolved found = resolved(library, {"c", "a", "b"});
    ASSERT_EQ(found.hints.size(), 1U);
    EXPECT_EQ(found.hints[0].meaning, reader::TagMeaning::kDisplay);
    EXPECT_EQ(warnings(found.warnings), "protocol_tag_taken [live] [a@1.0.0] [c@1.0.0, b@1.0.0]");
    // Of equal priority, the later one.
    EXPECT_EQ(resolved(library, {"c", "b"}).hints[0].meaning, reader::TagMeaning::kIgnore);
    EXPECT_EQ(resolved(library, {"b", "c"}).hints[0].meaning, reader::TagMeaning::kExecute);
    // Equal definitions do not conflict.
    EXPECT_EQ(warnings(resolved(library, {"a", "same"}).warnings), "");
}

// proves: S4-37, S4-38
TEST(Library, OneModeAtATime) {
    const Library library =
        library_of({simple("m1", "type: override"), simple("m2", "type: override"),
                    simple("m3", "schema_type: mode", "injection: {priority: 150}\n"),
                    simple("m4", "type: override, dependencies: [only4]"), simple("only4")});
    EXPECT_EQ(order(resolved(library, {"m1", "m2"})), "m2");
    EXPECT_EQ(warnings(resolved(library, {"m1", "m2"}).warnings),
              "protocol_one_mode [m1@1.0.0] [m2@1.0.0]");
    EXPECT_EQ(order(resolved(library, {"m2", "m1"})), "m1");
    // The strongest, whatever the order; what only a loser brought goes with it.
    for (const auto& ids :
         {std::vector<std::string>{"m3", "m4", "m1"}, std::vector<std::string>{"m4", "m3", "m1"}}) {
        EXPECT_EQ(order(resolved(library, ids)), "m1");
    }
    EXPECT_EQ(warnings(resolved(library, {"m3", "m4", "m1"}).warnings),
              "protocol_one_mode [m4@1.0.0, m3@1.0.0] [m1@1.0.0]");
}

// proves: A4-3
TEST(Library, OverridesReplaceAndModesMaySilence) {
    const std::string hint_a = "parser_hints: {root_tag: a}\n";
    const Library library = library_of(
        {simple("a", "", hint_a), simple("user_of_a", "dependencies: [a]"),
         simple("grid", "type: override, replaces: a"),
         simple("grid2", "type: override, replaces: a"),
         simple("core", "schema_type: core", "parser_hints: {root_tag: c}\n"), simple("plain"),
         simple("kept", "", "parser_hints: {root_tag: k}\n"),
         simple("same", "", "parser_hints: {root_tag: LIVE, behavior: display_component}\n"),
         simple("live", "type: override, keep: [kept]",
                "parser_hints: {root_tag: live, behavior: display_component}\n")});
    // A replaced protocol is removed; its replacement satisfies its dependents.
    const Resolved replaced = resolved(library, {"user_of_a", "grid"});
    EXPECT_EQ(order(replaced), "user_of_a grid");
    EXPECT_EQ(warnings(replaced.warnings), "protocol_replaced [a@1.0.0] [grid@1.0.0]");
    EXPECT_EQ(order(resolved(library, {"a", "grid", "grid2"})), "grid2");
    // By default all stay, and the mode's text is last.
    const std::vector<std::string> all = {"live", "a",    "core",     "plain",
                                          "kept", "same", "user_of_a"};
    EXPECT_EQ(order(resolved(library, all)), "a core plain kept same user_of_a live");
    // Otherwise what brings other tags is silent, unless it is core, kept, or needed by what stays.
    const Resolved silent =
        resolved(library, {"live", "core", "plain", "kept", "same", "a"}, {.modes_silence = true});
    EXPECT_EQ(order(silent), "core plain kept same live");
    EXPECT_EQ(warnings(silent.warnings), "protocol_silenced [a@1.0.0] [live@1.0.0]");
    // An override beside a mode is worth a word.
    EXPECT_EQ(warnings(resolved(library, {"live", "grid"}).warnings),
              "protocol_overrides [live@1.0.0, grid@1.0.0]");
}

TEST(Library, ConflictsAreSettled) {
    const Library library = library_of({simple("weak", "conflicts_with: [strong]"),
                                        simple("needs_weak", "dependencies: [weak]"),
                                        simple("strong", "", "injection: {priority: 200}\n")});
    const Resolved found = resolved(library, {"strong", "needs_weak"});
    EXPECT_EQ(order(found), "strong");
    EXPECT_EQ(warnings(found.warnings),
              "protocol_conflict [weak@1.0.0] [strong@1.0.0]; "
              "protocol_without [needs_weak@1.0.0] [weak@1.0.0]");
}

// proves: S4-27
TEST(Library, AnUnknownRequestDoesNotKeepTheOthersAway) {
    const std::vector<ProtocolRequest> requests = {
        {"love_system_simple", {ActivationReason::Kind::kCard, {}}}, {"nobody"}, {"a b"}};
    const Resolved found = tests::shipped().resolve(requests);
    EXPECT_EQ(order(found), "variable_update_base love_system_simple");
    ASSERT_EQ(found.warnings.size(), 2U);
    EXPECT_EQ(found.warnings[0].code, base::ErrorCode::kProtocolUnknown);
    EXPECT_EQ(warnings({found.warnings[1]}), "protocol_reference [\"a b\"]");
}

TEST(Library, ALongReferenceIsCutBetweenCharacters) {
    std::string reference = "x";
    for (std::size_t i = 0; i < base::kDetailBytesMax; ++i) {
        reference += "中";
    }
    for (const std::string& each : {reference, "a b" + reference}) {
        const Resolved found =
            library_of({simple("a")}).resolve(std::vector{ProtocolRequest{each}});
        ASSERT_EQ(found.warnings.size(), 1U);
        EXPECT_EQ(text::find_invalid(found.warnings[0].arguments[0]), std::string::npos);
    }
}

// Random libraries with all that can go wrong, in any order of files: the same bytes.
// proves: S4-32, S4-38, S4-9
TEST(LibraryLaws, TheOrderOfFilesDoesNotMatter) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        tests::Random random(seed);
        const std::size_t count = 2 + random.below(12);
        const auto name = [&] { return "p" + std::to_string(random.below(count + 1)); };
        Files files;
        for (std::size_t i = 0; i < count; ++i) {
            const std::string id = "p" + std::to_string(random.below(count));
            std::string meta = "version: \"" + std::to_string(1 + random.below(2)) + ".0.0\"";
            const auto some = [&](const char* key, unsigned percent) {
                const std::string other = name();
                if (random.chance(percent) && other != id) {
                    meta += std::string(", ") + key + ": [" + other +
                            (random.chance(20) ? "@^1" : "") + "]";
                }
            };
            some("dependencies", 60);
            some("requires", 30);
            some("conflicts_with", 15);
            some("replaces", 10);
            meta += random.chance(20) ? ", type: override" : "";
            std::string rest = "injection: {priority: " + std::to_string(random.below(3)) + "}\n";
            if (random.chance(50)) {
                rest += "parser_hints: {root_tag: t" + std::to_string(random.below(3)) +
                        ", behavior: " + (random.chance(50) ? "display" : "ignore") + "}\n";
            }
            auto file = simple(id, meta, rest);
            file.first = "f" + std::to_string(i) + ".yaml";
            files.push_back(std::move(file));
        }
        std::vector<std::string> requests;
        for (std::size_t i = 0; i < 4; ++i) {
            requests.push_back(name());
        }
        const ResolveOptions options{.modes_silence = random.chance(50)};
        const auto bytes = [&](const Files& some) {
            const Library library = library_of(some);
            std::string out = value::print_json(
                to_value(resolved(library, requests, options), base::Language::kEnglish));
            for (const auto& each : library.check()) {
                out += each.file + base::explain(each.diagnostic.error, base::Language::kChinese);
            }
            return out + std::to_string(library.duplicates().size());
        };
        const std::string first = bytes(files);
        for (int round = 0; round < 3; ++round) {
            for (std::size_t i = files.size(); i > 1; --i) {
                std::swap(files[i - 1], files[random.below(i)]);
            }
            ASSERT_EQ(bytes(files), first) << "seed " << seed;
        }
        // Whatever holds, what it needs holds before it, or was replaced.
        const Library library = library_of(files);
        const Resolved found = resolved(library, requests, options);
        std::vector<std::string> ids;
        for (const auto& active : found.active) {
            ids.push_back(active.protocol->id);
        }
        std::vector<std::string> once = ids;
        std::ranges::sort(once);
        ASSERT_TRUE(std::ranges::adjacent_find(once) == once.end()) << "seed " << seed;
    }
}

}  // namespace
}  // namespace arbiter::protocol
