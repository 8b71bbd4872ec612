// Goal: what was kept stays usable: beside damage, in another store, thinned out, read again; and
// what campaigns share is kept like a campaign.
#include <sqlite3.h>

#include <map>

#include "ledger/archive.h"
#include "ledger/keyframes.h"
#include "ledger/library.h"
#include "ledger/record_pack.h"
#include "proposal/codec.h"
#include "tests/ledger/support.h"
#include "value/hash.h"

namespace arbiter::ledger {
namespace {

Campaign played(Store& store, int turns) {
    Campaign campaign = Campaign::begin(store, beginning("c")).value();
    tests::Random random(17);
    for (int i = 0; i < turns; ++i) {
        EXPECT_TRUE(say(campaign, some_reply(random)));
    }
    return campaign;
}

// G5, F6: the damage is named, everything before it can be had, and the story goes on from there.
TEST(Keeping, BeforeADamagedTurnAllIsWell) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    TurnId bad;
    std::vector<TurnId> line;
    {
        const auto store = open_store("sqlite:" + file).value();
        const Campaign campaign = played(*store, 30);
        line = campaign.line_to(campaign.head()).value();
        bad = line[20];
    }
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "UPDATE turns SET bytes = zeroblob(length(bytes)) WHERE number = 20",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(db);

    const auto store = open_store("sqlite:" + file).value();
    Campaign campaign = Campaign::open_without_state(*store, "c").value();
    EXPECT_EQ(campaign.number(), 30);
    const CheckReport report = verify(campaign).value();
    ASSERT_FALSE(report.defects.empty());
    EXPECT_EQ(report.defects[0].turn, bad);
    EXPECT_EQ(report.defects[0].number, 20);
    EXPECT_FALSE(campaign.record(bad));
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_TRUE(campaign.state_at(line[i]));
    }
    ASSERT_TRUE(campaign.rollback(line[19]));
    EXPECT_TRUE(say(campaign, "从这里继续。"));
    EXPECT_EQ(campaign.number(), 20);
}

// F6: a file that was cut off is not taken for a whole one.
TEST(Keeping, AFileThatWasCutOffIsSeen) {
    const Folder folder;
    const std::string file = folder.file("a.db");
    {
        const auto store = open_store("sqlite:" + file).value();
        played(*store, 60);
    }
    const auto size = std::filesystem::file_size(file);
    for (const std::uintmax_t left : {size - 4096, size / 2, std::uintmax_t{5000}}) {
        const std::string copy = folder.file("copy.db");
        std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(copy, left);
        const auto store = open_store("sqlite:" + copy);
        const auto wrong = store ? (*store)->check() : std::unexpected(store.error());
        EXPECT_TRUE(!wrong || !wrong->empty()) << left;
    }
}

TEST(Keeping, ACampaignIsCopiedWhole) {
    const auto from = make_memory_store();
    Campaign campaign = played(*from, 430);
    ASSERT_TRUE(campaign.checkpoint("营地", 5, 0));
    ASSERT_TRUE(campaign.rollback(campaign.find("250").value()));
    ASSERT_TRUE(say(campaign, "另一条路。"));
    ASSERT_TRUE(campaign.rollback(campaign.find("7").value()));
    const Folder folder;
    const auto to = open_store("sqlite:" + folder.file("a.db")).value();
    // Interrupted at first.
    EXPECT_FALSE(
        copy_campaign(campaign, *to, [](std::size_t done, std::size_t) { return done < 300; }));
    EXPECT_FALSE(Campaign::open(*to, "c"));
    EXPECT_TRUE(copy_campaign(campaign, *to).value());
    EXPECT_FALSE(copy_campaign(campaign, *to).value());
    Campaign copy = Campaign::open(*to, "c").value();
    EXPECT_EQ(copy.row(), campaign.row());
    EXPECT_EQ(copy.turns().value(), campaign.turns().value());
    EXPECT_EQ(copy.checkpoints().value(), campaign.checkpoints().value());
    EXPECT_TRUE(verify(copy)->defects.empty());
    ASSERT_TRUE(copy.undo());
    // Another story under the same name is not touched.
    EXPECT_EQ(copy_campaign(campaign, *to).error().code, base::ErrorCode::kCampaignExists);
}

// A keyframe takes the bytes of its document: those of larger ones are rarer.
TEST(Keeping, KeyframesOfALargeDocumentAreRarer) {
    const auto keyframes_of = [](const std::string& text) {
        const auto store = make_memory_store();
        NewCampaign begin = beginning("c");
        begin.state.document = begin.state.document.as_object().set("书", std::string_view(text));
        Campaign campaign = Campaign::begin(*store, begin).value();
        for (int i = 0; i < 256; ++i) {
            EXPECT_TRUE(say(campaign, "一步。"));
        }
        return store->keyframes("c")->size();
    };
    EXPECT_EQ(keyframes_of(""), 17U);                          // every 16th turn
    EXPECT_EQ(keyframes_of(std::string(200'000, 'x')), 5U);    // every 64th
    EXPECT_EQ(keyframes_of(std::string(3'000'000, 'x')), 2U);  // every 256th
}

TEST(Keeping, ThinningDropsOnlyShortCuts) {
    const auto store = make_memory_store();
    Campaign campaign = played(*store, 640);
    ASSERT_TRUE(campaign.rollback(campaign.find("400").value()));
    ASSERT_TRUE(campaign.checkpoint("桥头", 5, 0));
    ASSERT_TRUE(campaign.undo());
    const auto line = campaign.line_to(campaign.head()).value();
    std::vector<std::string> hashes;
    for (const TurnId& id : line) {
        hashes.push_back(hash_of(campaign.state_at(id).value()));
    }
    // 0, 16, 32, … 640: of these 0 and 512 stay as the first in 500 turns, 400 by its checkpoint,
    // and 544 to 640 as recent.
    EXPECT_EQ(store->keyframes("c")->size(), 41U);
    EXPECT_EQ(thin(campaign, {.recent = 100, .every = 500}).value(), 31U);
    EXPECT_EQ(store->keyframes("c")->size(), 10U);
    EXPECT_EQ(thin(campaign, {.recent = 100, .every = 500}).value(), 0U);
    for (std::size_t i = 0; i < line.size(); i += 37) {
        EXPECT_EQ(hash_of(campaign.state_at(line[i]).value()), hashes[i]);
    }
    EXPECT_TRUE(verify(campaign)->defects.empty());
}

// Branches have keyframes at numbers of their own, and each keeps its own.
TEST(Keeping, ThinningKeepsShortCutsOfEachBranch) {
    const auto store = make_memory_store();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    const auto walk = [&](int turns) {
        for (int i = 0; i < turns; ++i) {
            ASSERT_TRUE(say(campaign, "一步。"));
        }
    };
    walk(160);
    ASSERT_TRUE(campaign.rollback(campaign.find("90").value()));
    ASSERT_TRUE(say(campaign, "memory('global_set.背包.书', '{\"num\":1,\"文\":\"" +
                                  std::string(200'000, 'x') + "\"}');"));
    ASSERT_GT(value::weigh(campaign.state().document), 200'000U);
    walk(110);
    // 0, 16, … 160, and on the branch, whose document is large, 128 and 192.
    EXPECT_EQ(store->keyframes("c")->size(), 13U);
    // 0, 112 as the first above 100, and 128 of the branch.
    EXPECT_EQ(thin(campaign, {.recent = 0, .every = 100}).value(), 10U);
    EXPECT_EQ(store->keyframes("c")->size(), 3U);
    EXPECT_TRUE(verify(campaign)->defects.empty());
}

// proves: S0-89, S0-91, S0-92, A0-26
TEST(Keeping, TheAuditExplainsEveryCommand) {
    const auto store = make_memory_store();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    ASSERT_TRUE(say(campaign,
                    "set_attribute('属性段.生理属性.力量.基础', 12);\n"
                    "set_attribute('衍生属性段.先攻', 99);"));
    const auto all = audit(campaign, {}).value();
    std::map<std::string, int> seen;
    for (const AuditEntry& entry : all) {
        const value::Object& record = entry.record.as_object();
        for (const char* key : {"opId", "time", "actor", "action", "key", "status"}) {
            EXPECT_TRUE(record.contains(key)) << key;
        }
        const std::string status(record.find("status")->as_string());
        ++seen[std::string(record.find("actor")->as_string()) + " " + status];
        if (status == "applied") {
            EXPECT_TRUE(record.contains("after"));
        } else {
            EXPECT_TRUE(record.contains("code"));
        }
    }
    EXPECT_EQ(seen["AI applied"], 1);
    EXPECT_EQ(seen["AI rejected"], 1);
    EXPECT_GT(seen["system applied"], 0);
}

// A newer reader's differences are reported and do not change the stored turns.
TEST(Keeping, RepliesCanBeReadAgain) {
    const auto store = make_memory_store();
    const Campaign campaign = played(*store, 40);
    const auto as_it_was = [](const engine::State&, const Record& turn) {
        const auto options = profile::reading(world().profile, turn.actor);
        return TurnCommands{{}, reader::read(turn.raw, options).proposals};
    };
    EXPECT_TRUE(rebuild(campaign, step_under(world_rules()), {}, as_it_was)->defects.empty());
    const auto deaf = [](const engine::State&, const Record&) { return TurnCommands(); };
    const CheckReport report = rebuild(campaign, step_under(world_rules()), {}, deaf).value();
    EXPECT_GT(report.defects.size(), 20U);
    EXPECT_EQ(report.defects[0].message, "read again, the reply has other commands");
    EXPECT_EQ(report.defects[0].about, "1 → 0");
    const auto hears_the_player = [&](const engine::State& before, const Record& turn) {
        return TurnCommands{as_it_was(before, turn).reply, as_it_was(before, turn).reply};
    };
    const CheckReport heard =
        rebuild(campaign, step_under(world_rules()), {}, hears_the_player).value();
    EXPECT_GT(heard.defects.size(), 20U);
    EXPECT_EQ(heard.defects[0].message, "read again, the player's words have other commands");
    EXPECT_EQ(heard.defects[0].about, "0 → 1");
}

// proves: S2-67: the state that the history leads to, whatever the stored states say.
TEST(Keeping, TheHistoryLeadsToAStateOfItsOwn) {
    const auto store = make_memory_store();
    Campaign campaign = played(*store, 40);
    const Replayer as_it_was{step_under(world_rules())};
    EXPECT_EQ(hash_of(**replayed_state(campaign, as_it_was)), hash_of(campaign.state()));
    // A step that counts turns: every turn continues from the one before it.
    const Replayer counting{[](const engine::State& before, const Record&, const TurnCommands&) {
        const value::Value* count = before.meta.find("count");
        engine::State after = before;
        after.meta = after.meta.set("count", count != nullptr ? count->as_int() + 1 : 1);
        return base::Result<engine::State>(after);
    }};
    EXPECT_EQ(*(*replayed_state(campaign, counting))->meta.find("count"), value::Value(40));
    // An edit stays what it was, also on top of other states.
    engine::State edited = campaign.state();
    edited.meta = edited.meta.set("mark", "edited");
    ASSERT_TRUE(campaign.edit(edited, 1'767'225'700'000, "by hand"));
    const auto after = replayed_state(campaign, counting);
    EXPECT_EQ(*(*after)->meta.find("mark"), value::Value("edited"));
    EXPECT_EQ(*(*after)->meta.find("count"), value::Value(40));
    EXPECT_FALSE(replayed_state(campaign, counting, [](std::size_t, std::size_t) {
                     return false;
                 })->has_value());
}

// S1-13, S1-35: shared by all campaigns of a store, in the same ledger.
TEST(Keeping, TheLibraryIsADocumentLikeAnyOther) {
    const Folder folder;
    const std::string url = "sqlite:" + folder.file("a.db");
    {
        const auto store = open_store(url).value();
        NewCampaign begin;
        begin.id = kLibraryId;
        Campaign library = Campaign::begin(*store, begin).value();
        engine::State after = library.state();
        after.document = value::Object{{"settings", value::Object{{"language", "zh"}}}};
        ASSERT_TRUE(library.edit(after, 2, "settings"));
    }
    const auto store = open_store(url).value();
    const Campaign library = Campaign::open(*store, kLibraryId).value();
    EXPECT_EQ(library.number(), 1);
    EXPECT_EQ(value::print_json(library.state().document), R"({"settings":{"language":"zh"}})");
    EXPECT_TRUE(verify(library)->defects.empty());
}

// A turn as the first release kept it. If this fails, no campaign of before can be read: the words
// that records are packed against, or how they are packed, have changed.
TEST(Keeping, WhatWasKeptLongAgoIsReadable) {
    constexpr std::string_view kTurn =
        "980000000128b52ffd6038006d0400b286171dd0a5030090fd70db2a2de02ac42c70644a29611db9a54c49a6"
        "d71c102080d2fc9d6f1af11d15a541b80b3d51fae3afdeca6b8b3f9bb850ac0cb6f7a55f5ed7eb95cadd2991"
        "6d7060075288d28c24c00a0282811d483312567736139d0e0f00792b33b404eaf722f90bc67e69002a07d0d3"
        "045ec43af595804962a4432246c001679942823c488908020128b52ffd20a32502001402e68891e68e5f2e73"
        "65742827e997a82ee5bc80272c20293b2f2f61622d307d5d7d0b007684c2155ce0ac78a8b02400b4218f16ac"
        "df70e82a036436806d82462d4410";
    std::string bytes;
    for (std::size_t i = 0; i < kTurn.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(kTurn.substr(i, 2)), nullptr, 16));
    }
    const auto written = unpack_record(bytes);
    ASSERT_TRUE(written);
    const auto record = parse_record(*written);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->said, "我推开门");
    EXPECT_EQ(record->raw, "门开了。_.set('门.开', true);//推");
    EXPECT_EQ(record->audit.size(), 1U);
    const auto proposals = proposal::decode(record->proposals, record->raw);
    ASSERT_TRUE(proposals);
    EXPECT_EQ((*proposals)[0].raw, "_.set('门.开', true);//推");
    EXPECT_EQ(sha256(written->replay_part).hex(),
              "c1feb1289e90b65dd90c0590acf47f3aa839c20707b0ebcfd2d834c4b3585098");
}

// However many threads play a campaign again, and wherever they begin, they tell the same.
TEST(Keeping, OnSeveralThreadsTheReportIsTheSame) {
    const auto memory = make_memory_store();
    const Campaign campaign = played(*memory, 2'500);
    const Folder folder;
    const auto file = open_store("sqlite:" + folder.file("a.db")).value();
    ASSERT_TRUE(copy_campaign(campaign, *file));
    const Campaign copy = Campaign::open(*file, "c").value();
    const auto under = [](const turn::Rules& rules) {
        return [rules] { return Replayer{step_under(rules)}; };
    };
    const turn::Rules others = tests::rules_of({});
    const CheckReport one = rebuild(campaign, step_under(world_rules())).value();
    const CheckReport differing = rebuild(campaign, step_under(others)).value();
    EXPECT_TRUE(one.defects.empty());
    EXPECT_GT(differing.defects.size(), 100U);
    for (const Campaign& each : {campaign, copy}) {
        for (const std::size_t threads : {2U, 7U}) {
            const CheckReport many = rebuild(each, under(world_rules()), {}, threads).value();
            EXPECT_EQ(many.turns, 2'501U);
            EXPECT_EQ(many.commands, one.commands);
            EXPECT_TRUE(many.defects.empty());
            const CheckReport other = rebuild(each, under(others), {}, threads).value();
            ASSERT_EQ(other.defects.size(), differing.defects.size());
            for (std::size_t i = 0; i < other.defects.size(); ++i) {
                EXPECT_EQ(other.defects[i].turn, differing.defects[i].turn);
                EXPECT_EQ(other.defects[i].message, differing.defects[i].message);
            }
        }
    }
    // The caller can stop it.
    const CheckReport stopped =
        rebuild(
            campaign, under(world_rules()), [](std::size_t, std::size_t) { return false; }, 1)
            .value();
    EXPECT_TRUE(stopped.is_stopped);
    EXPECT_LT(stopped.turns, 2'501U);
}

}  // namespace
}  // namespace arbiter::ledger
