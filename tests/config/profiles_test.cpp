// Goal: the profiles that come with Arbiter are sound, and a file that is not says where and what
// would have worked.
// proves: A0-25
#include "config/profiles.h"
#include "config/embedded.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/limits.h"
#include "base/messages.h"

namespace arbiter::config {
namespace {

using proposal::Dialect;
using reader::Dialects;

// "house.yaml:3:5: There is …", one line for each error.
std::string diagnostics(std::string text, std::string file = "house.yaml") {
    const auto profile = load_profile_text(std::move(file), std::move(text));
    if (profile) {
        return "";
    }
    std::string lines;
    for (const base::Error& error : profile.error().errors) {
        EXPECT_FALSE(base::explain(error, base::Language::kChinese).empty());
        lines += profile.error().file;
        if (error.place) {
            lines +=
                ":" + std::to_string(error.place->line) + ":" + std::to_string(error.place->column);
        }
        lines += ": " + base::explain(error, base::Language::kEnglish) + "\n";
    }
    return lines;
}

TEST(Profiles, ThoseThatComeWithArbiterAreSound) {
    EXPECT_GT(built_in_profiles().size(), 10U);
    for (const EmbeddedFile& each : built_in_profiles()) {
        const auto profile = load_profile(each.name);
        ASSERT_TRUE(profile) << each.name
                             << diagnostics(std::string(each.text), std::string(each.name));
        EXPECT_EQ(profile->name, each.name);
        EXPECT_FALSE(profile->summary.english.empty()) << each.name;
        EXPECT_FALSE(profile->summary.chinese.empty()) << each.name;
        EXPECT_NE(profile->summary.english, profile->summary.chinese) << each.name;
        EXPECT_FALSE(profile->of_model.empty()) << each.name;
    }
}

TEST(Profiles, ReadTheDialectsThatTheyAreNamedAfter) {
    using enum Dialect;
    const auto reads = [](std::string_view name) {
        const auto profile = load_profile(name);
        EXPECT_TRUE(profile) << name;
        return profile ? std::pair(profile->of_model, profile->of_player)
                       : std::pair(Dialects(), Dialects());
    };
    EXPECT_EQ(reads("tavern"), std::pair(Dialects{kTavern}, Dialects{kTavern}));
    EXPECT_EQ(reads("memory"), std::pair(Dialects{kMemory}, Dialects{kMemory}));
    EXPECT_EQ(reads("json"), std::pair(Dialects({kJson, kMvu}), Dialects()));
    EXPECT_EQ(reads("filament"), std::pair(Dialects{kFilament}, Dialects()));
    EXPECT_EQ(reads("mvu"), std::pair(Dialects({kMvu, kPatch}), Dialects()));
    EXPECT_EQ(reads("auto"), std::pair(Dialects::all(), Dialects{kMemory}));
}

TEST(Profiles, AVariantKeepsWhatItDoesNotChange) {
    const auto strict = load_profile("tavern-strict");
    ASSERT_TRUE(strict);
    EXPECT_EQ(strict->extends, "tavern");
    EXPECT_EQ(strict->of_model, Dialects{Dialect::kTavern});
    EXPECT_EQ(strict->policy.tavern_root, (value::Path{"character", "saveData"}));
    EXPECT_EQ(strict->policy.coercion, engine::Coercion::kRefuse);
    EXPECT_TRUE(strict->policy.needs_parents);
    EXPECT_TRUE(strict->policy.warns_placeholders);
    const auto legacy = load_profile("tavern-legacy");
    ASSERT_TRUE(legacy);
    EXPECT_FALSE(legacy->policy.features.has("update"));
    EXPECT_FALSE(legacy->policy.features.has("ttl"));
}

TEST(Profiles, FaultsHaveTheirLines) {
    EXPECT_EQ(diagnostics("name: house\n"
                          "extends: tavern\n"
                          "polcy:\n"
                          "  old_check: off\n"
                          "policy:\n"
                          "  old_chek: off\n"
                          "  old_check: sometimes\n"
                          "  strict_set: yes\n"
                          "  marks_max: -1\n"
                          "  closed:\n"
                          "    - campaign\n"
                          "    - {path: a.b, to: [modell]}\n"
                          "  colour: red\n"
                          "reads:\n"
                          "  model: [tavern, klingon]\n"
                          "tags:\n"
                          "  live: shout\n"
                          "features:\n"
                          "  updat: false\n"
                          "  ensure: off\n"),
              "house.yaml:3:1: There is no key polcy here. Did you mean policy?\n"
              "house.yaml:6:3: There is no key old_chek here. Did you mean old_check?\n"
              "house.yaml:7:14: old_check takes off | warn | strict, not \"sometimes\".\n"
              "house.yaml:8:15: strict_set takes true | false, not \"yes\".\n"
              "house.yaml:9:14: marks_max takes 0 … 1000000, not -1.\n"
              "house.yaml:12:24: closed takes a list of paths, or of {path: …, to: [model, "
              "player]}, not \"modell\".\n"
              "house.yaml:13:3: There is no key colour here. Available: tavern_root, recycle_bin, "
              "old_check, coercion, parents, reason, on_conflict, delete_as_null, strict_set, "
              "set_creates, locks_structure, locks_top, closed, marks_max.\n"
              "house.yaml:15:19: model takes a list of tavern, json, mvu, patch, memory, "
              "filament, tool, not \"klingon\".\n"
              "house.yaml:17:9: tags takes {tag: execute | ignore | display | component}, not "
              "\"shout\".\n"
              "house.yaml:19:3: There is no key updat here. Did you mean update?\n"
              "house.yaml:20:11: ensure takes true | false, not \"off\".\n");
    EXPECT_EQ(diagnostics("- a\n"), "house.yaml:1:1: profile takes {key: value}, not […].\n");
    EXPECT_EQ(diagnostics(""), "house.yaml:1:1: profile takes {key: value}, not null.\n");
    EXPECT_EQ(diagnostics("policy: 5\n"), "house.yaml:1:9: policy takes {key: value}, not 5.\n");
    EXPECT_EQ(
        diagnostics("a: 1\na: 2\n"),
        "house.yaml:2:1: The key a is repeated; the first one is on line 1. Remove one of them.\n");
}

TEST(Profiles, ExtendsWhatThereIs) {
    const std::string misspelled = diagnostics("name: house\nextends: tavrn\n");
    EXPECT_TRUE(
        misspelled.starts_with("house.yaml:2:10: There is no profile tavrn. Available: auto"))
        << misspelled;
    EXPECT_TRUE(misspelled.ends_with(" Did you mean tavern?\n")) << misspelled;
    // The other mistakes of the file are found too.
    const std::string both = diagnostics("extends: tavrn\npolcy: {reason: optional}\n");
    EXPECT_TRUE(both.contains(":1:10: ")) << both;
    EXPECT_TRUE(both.contains("Did you mean policy?")) << both;
    EXPECT_EQ(diagnostics("extends: nosuch.yaml\n"),
              "house.yaml:1:10: There is no file nosuch.yaml.\n");
    EXPECT_FALSE(load_profile("nosuch"));
    EXPECT_FALSE(load_profile("nosuch.yaml"));
}

TEST(Profiles, FilesExtendFilesBesideThem) {
    const auto folder = std::filesystem::path(testing::TempDir()) / "arbiter_profiles_test";
    std::filesystem::create_directories(folder);
    const auto write = [&](const char* name, std::string_view text) {
        std::ofstream(folder / name) << text;
    };
    write("house.yaml", "extends: tavern\npolicy: {marks_max: 7}\n");
    write("guest.yaml", "extends: house.yaml\ntags: {live: component}\nfeatures: {ttl: false}\n");
    const auto guest = load_profile((folder / "guest.yaml").string());
    ASSERT_TRUE(guest);
    EXPECT_EQ(guest->name, "guest");
    EXPECT_EQ(guest->policy.marks_max, 7U);
    EXPECT_EQ(guest->of_model, Dialects{Dialect::kTavern});
    ASSERT_EQ(guest->tags.size(), 1U);
    EXPECT_EQ(guest->tags[0].tag, "live");
    EXPECT_FALSE(guest->policy.features.has("ttl"));

    write("a.yaml", "extends: b.yaml\n");
    write("b.yaml", "extends: a.yaml\n");
    const auto loop = load_profile((folder / "a.yaml").string());
    ASSERT_FALSE(loop);
    EXPECT_EQ(loop.error().errors[0].code, base::ErrorCode::kProfileExtends);
    write("bad.yaml", "policy: {x: 1}\n");
    write("over.yaml", "extends: bad.yaml\n");
    const auto over = load_profile((folder / "over.yaml").string());
    ASSERT_FALSE(over);
    EXPECT_TRUE(over.error().file.ends_with("bad.yaml"));
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace arbiter::config
