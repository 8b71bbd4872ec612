// Goal: a record stores each change and each command once and loses nothing; records of all formats
// are read into the same structure; nothing is stored that does not read back.
#include "ledger/record_pack.h"

#include "engine/describe.h"
#include "ledger/changes_text.h"
#include "ledger/stored_audit.h"
#include "tests/ledger/support.h"
#include "tests/support/random.h"

namespace arbiter::ledger {
namespace {

std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return bytes;
}

Record sample() {
    Record record;
    record.campaign = "c";
    record.parent = sha256("parent");
    record.number = 7;
    record.actor = engine::Actor::kModel;
    record.time = 1'767'225'600'000;
    record.batch = "7-abc";
    record.shown = "门开了。";
    record.rules = {{"profile auto", "00"}};
    record.globals = {{"turn.max_retries", 1}};
    record.usage = {1024, 2};
    record.failed_calls = {{"move", "k", "locked", false}, {"fly", "", "unknown_tool", true}};
    record.host = {{{"protocols", value::Object{{"live", true}}}}, {{"spent", value::Value()}}};
    record.state = std::string(32, 'a');
    record.steps = {{{value::Change::Kind::kReplace, {"a"}, 0, 1, 2}},
                    {},
                    {{value::Change::Kind::kAdd, {"b"}, 1, {}, "x"}}};
    record.meta = {{value::Change::Kind::kRemove, {"m"}, 0, 5, {}}};
    record.said = "我推开门";
    record.raw = "门开了。_.set('a', 2);";
    record.audit = {
        value::Object{
            {"opId", "7-0"}, {"actor", "AI"}, {"key", "a"}, {"op", "set"}, {"dialect", "mvu"}},
        value::Object{{"opId", "7-1"}, {"actor", "AI"}, {"dialect", "tool"}},
        value::Object{{"opId", "7-r0"}, {"actor", "system"}, {"reason", "table.close"}}};
    record.actions = {{0, {}}, {1, {{"kind", "tool"}, {"tool", "roll"}}}, {2, {}}};
    record.actor_id = "hero";
    record.settings_revision = 3;
    record.trace = {value::Object{{"raw", "x"}}};
    return record;
}

TEST(Record, ReadsBack) {
    const EncodedRecord encoded = print_record(sample());
    EXPECT_EQ(record_format(encoded.replay_part), 3);
    const auto parsed = parse_record(encoded);
    ASSERT_TRUE(parsed);
    const EncodedRecord again = print_record(*parsed);
    EXPECT_EQ(again.replay_part, encoded.replay_part);
    EXPECT_EQ(again.details_part, encoded.details_part);
    EXPECT_EQ(parsed->usage, sample().usage);
    EXPECT_EQ(parsed->failed_calls, sample().failed_calls);
    EXPECT_EQ(parsed->actor_id, "hero");
    const auto unpacked = unpack_record(pack_record(encoded));
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(unpacked->replay_part, encoded.replay_part);
    EXPECT_EQ(unpacked->details_part, encoded.details_part);
    // Without the details, and without the changes.
    EXPECT_EQ(parse_replay_part(encoded.replay_part)->steps.size(), 3U);
    EXPECT_TRUE(parse_replay_part(encoded.replay_part)->audit.empty());
    EXPECT_TRUE(parse_replay_inputs(encoded.replay_part)->steps.empty());
    EXPECT_EQ(parse_replay_inputs(encoded.replay_part)->globals.size(), 1U);
    const auto story = parse_record(encoded, false);
    ASSERT_TRUE(story);
    EXPECT_TRUE(story->steps.empty());
    EXPECT_EQ(story->said, parsed->said);
    EXPECT_EQ(story->actions.size(), 3U);
}

// Changes are written directly, and read through the form of value/diff.h.
TEST(Record, WritesChangesAsTheirDiffPrints) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        tests::Random random(seed);
        const value::Value before = tests::random_value(random, 3, 8);
        const value::Diff changes = value::diff(before, tests::random_value(random, 3, 8));
        std::string text;
        append_changes(text, changes);
        ASSERT_EQ(text, value::print_json(value::diff_to_value(changes)));
    }
}

TEST(Record, JoinsAuditAndTurnLogWithTheirSteps) {
    const Record record = sample();
    const std::string change = R"([{"kind":"replace","path":["a"],"before":1,"after":2}])";
    const std::string addition = R"([{"kind":"add","path":["b"],"position":1,"after":"x"}])";
    EXPECT_EQ(value::print_json(applied_actions(record)),
              R"([{"kind":"command","actor":"AI","op":"set","path":["a"],"changes":)" + change +
                  "}," +
                  R"({"kind":"tool","tool":"roll","changes":[]},{"kind":"close","changes":)" +
                  addition + "}]");
    const value::Array audit = audit_records(record);
    EXPECT_EQ(value::print_json(*audit[0].as_object().find("changes")), change);
    EXPECT_FALSE(audit[1].as_object().contains("changes"));
    EXPECT_EQ(value::print_json(*audit[2].as_object().find("changes")), addition);
}

// Texts of every length around the sizes at which strings change how they are stored.
TEST(Record, PacksTextsOfEveryLength) {
    for (std::size_t length = 0; length < 140; ++length) {
        const std::string text = std::string(length, 'a') + "b";
        EXPECT_EQ(unpack(pack(text), 1000).value(), text);
    }
}

// A single byte changed in a part is seen.
TEST(Record, BelongsTogether) {
    const EncodedRecord encoded = print_record(sample());
    EncodedRecord other = encoded;
    other.details_part = R"({"said":"x"})";
    EXPECT_FALSE(parse_record(other));
    for (const std::string_view text : {"", "{}", "[]", "\n", "{}\n{}", R"({"v":2})", R"({"v":3}
{})"}) {
        EXPECT_FALSE(parse_replay_part(text)) << text;
    }
    // Actions must refer to audit records and steps that exist.
    Record record = sample();
    record.steps.resize(2);
    EXPECT_FALSE(parse_record(print_record(record)));
    record = sample();
    record.actions[0].audit = 3;
    EXPECT_FALSE(parse_record(print_record(record)));
}

// A turn as the first version of format 2 stored it. If this fails, no campaign of before can be
// read: the dictionaries, or how records are packed, have changed.
TEST(Record, OfFormat2StaysReadable) {
    constexpr std::string_view kTurn =
        "310100800128b52ffd60130235090052cd2b27b0271d700d0cd5812d5047f63ca1a93572d9dee45e2c259912"
        "45066093294929a54c6f5289efc40d41c31807727813cd79ee39bdb77fa66895d377de5a67763e54686de3d5"
        "5dd55da9df9b3dfa6a52e8f9f5dad678c142398ac5805992e571a03c40d28c92245f341cde50409621807806"
        "0ee378ec1e84884302c343a401624121a27903121b4b295b36feaf970a55d9528cf9bdbcdffe1c53681de5e2"
        "72f412ea6a7eb710252bd6e65842b9bc0329203002231a1308f3015f5ca4103b70d2eaec61e8807ce6b343eb"
        "f05c85c4c0008a59ee447d03e08e1280670a1df1d040060866f070192f8efef48b9bcc8520bc68757e8c3982"
        "de66e03bc412c12ce27c1d1174b12018ebdc110dd82e67f6c74e466f035a565d3da03ef16a9f33a8c0b41368"
        "050128b52ffd605a009d03008402e68891e68ee997a85f282761272c2032293b372d3061372d31725b313268"
        "65726f332c78227d5d7d1aa0404dd51c10ae90400c3f0bc98c3451e55f04f5430aa91b6072466560c641843d"
        "5f89505c16071f2a64372262470ccacbaed224f0182880d876529e9a6584739ad4d72338a6a82a";
    const auto encoded = unpack_record(from_hex(kTurn));
    ASSERT_TRUE(encoded);
    const auto record = parse_record(*encoded);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->said, "我推开门");
    EXPECT_EQ(record->steps.size(), 3U);
    EXPECT_EQ(applied_actions(*record).size(), 3U);
    EXPECT_EQ(sha256(encoded->replay_part).brief(), "c518832215");
}

// The same for the first version of format 3.
TEST(Record, OfFormat3StaysReadable) {
    constexpr std::string_view kTurn =
        "500200c00128b52ffd607e042d1200d6db5733706bd201046d5a55c52fe81fcc1b80480514e441245ad19d"
        "9a59abc5de8a972629a56c795535ce9632c92465225fbeff77030e50004c00430015eea539894112249407"
        "079e0b1914f420d038c00789088b46818b0c0924930c070f840805b26003e4a2c23ab1a5faad757c5fcfdb"
        "8c198470fbd3520b465717597ff3e5deeb758ea1d2d6eaa063ab5ee99b5984eaf9b733cf74cde90f9362f5"
        "1a31c9195d4306935b32b61e9b7f535a4fc8fe7ae9c2ab2b914c26589830c05051d0e08950e151abcb6a66"
        "1044458381f1508068400b4210a1440c04eb5fbef5f4c5c5dafa27b6eaa2aa6dbfdcdebad9723d6e9a8bdb"
        "3a6dbd2e57af94884116110f1f2052381ac7370eb420c8aa60aa4dea51958accdfdafeb614735f6ff24ec3"
        "719ca6d25a6c2d6b330635310a700c907008b4380f0a874d057a2c0e3e31e1001cf4ffdaadcd8f2bdbfd45"
        "55cc9cb2fb76e596f99297728f692af7ff77ffca9583ac5a0755a8b1960423330a8a5a502a0c0720424288"
        "32743d128072204eb32c8420434640cc90a52d2cd73b31cd4e0d28bf64623e850e47dea72488bfff581030"
        "1c72a90c81e0baddee30f424139eeb5d6f11e286bcddf84c47f6a293054ebaaa799a8491123ed892ff89bb"
        "7d66d084567ffc9615af22c7c8afb1d281c594300a0ee103c17d0197eb3f0cc742865811189b74635a6b48"
        "32512d5b52ab9c21cbad6a0d2e3e854cc00ba2f018e0ee16cc7a18c6e9f6aa5bd3ba07a3ba7efd9087c80d"
        "95ebbf03e417b322830748ceff7ea21ee43b0cfef5f35b5f109fc98000d82adc2678f920010128b52ffd60"
        "ee00ad0500d4035c6e28272e6e7063272c20277b5c5c223a337d27293b2e2e6e756d5c2727293b302c312c"
        "2d32313937302d30312d30315430303a2e3030312e2e5b5d7d29201012015166c6ee01abe0804b9ae0a405"
        "acf60fb00ade59451c770ea1b50c9305b079a1bc1630dde6a0f3dd7d7e58866219f988fa146047cd122214"
        "ac6cb4cd1d5ea4a11595603eb586b3743737432d11ee3450eaa24e07288c4f851a0cd66d3f37b7e22cc26d"
        "805378630b068501f93e384b3420";
    const auto encoded = unpack_record(from_hex(kTurn));
    ASSERT_TRUE(encoded);
    EXPECT_EQ(sha256(encoded->replay_part).brief(), "19161b42c5");
    const auto record = parse_record(*encoded);
    ASSERT_TRUE(record);
    EXPECT_EQ(value::print_json(record->audit[0]), "0");
    const value::Array audit = audit_records(*record);
    ASSERT_EQ(audit.size(), 3U);
    EXPECT_EQ(value::print_json(audit[1]),
              R"({"opId":"1-428bdb1791-1","time":"1970-01-01T00:00:00.001Z","actor":"AI",)"
              R"("action":"memory","key":"assa_data.global_set.背包.火把","status":"applied",)"
              R"("op":"merge","after":{"num":5},"dialect":"memory","span":[76,124],)"
              R"("changes":[{"kind":"add","path":["assa_data","global_set","背包","火把"],)"
              R"("position":0,"after":{"num":5}}]})");
    EXPECT_EQ(*audit[2].as_object().find("code"), value::Value("not_found"));
    EXPECT_EQ(applied_actions(*record).size(), 2U);
}

// The audit of a stored turn undoes it.
TEST(Record, TheAuditUndoesTheTurn) {
    const auto store = make_memory_store();
    Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    tests::Random random(3);
    for (int i = 0; i < 200; ++i) {
        const value::Value before = campaign.state().document;
        ASSERT_TRUE(say(campaign, some_reply(random)));
        const Record record = campaign.record(campaign.head()).value();
        std::vector<value::Value> applied;
        for (const value::Value& each : audit_records(record)) {
            applied.push_back(each);
        }
        const auto undone = engine::undo(campaign.state().document, applied);
        ASSERT_TRUE(undone) << i;
        EXPECT_EQ(*undone, before) << i;
        EXPECT_EQ(applied_actions(record).size(), record.steps.size());
        for (const value::Value& each : record.audit) {
            EXPECT_EQ(value::find_member(&each, "changes"), nullptr) << i;
        }
    }
}

// The audit of random replies, stored without what follows from its proposals and steps, is the
// audit of the engine and the rules again, member by member in the same order.
TEST(Record, TheAuditIsRestored) {
    engine::State state = beginning("c").state;
    tests::Random random(5);
    std::size_t short_entries = 0;
    for (int turn_number = 0; turn_number < 300; ++turn_number) {
        SCOPED_TRACE(turn_number);
        NewTurn turn;
        turn.context = {1'767'225'600'000 + turn_number, engine::Actor::kModel, "7-abc"};
        turn.raw = some_reply(random) + "\n" + some_reply(random);
        const reader::Reading reading =
            reader::read(turn.raw, profile::reading(world().profile, turn.context.actor));
        const turn::Attempt attempt =
            tests::judge(state, reading.proposals, reading.text, world_rules(), turn.context);
        turn.proposals = attempt.reading.proposals;
        turn.outcome = &attempt.outcome;
        turn.effects = attempt.effects;
        turn.actions = attempt.actions;
        Record record = encode_turn(turn).value();
        record.campaign = "c";
        record.state = std::string(32, 'a');
        const Record stored = parse_record(print_record(record)).value();
        std::vector<value::Value> expected =
            engine::audit_records(turn.proposals, attempt.outcome, turn.context);
        for (std::size_t i = 0; i < attempt.effects.size(); ++i) {
            expected.push_back(rules::audit_record(attempt.effects[i], i, turn.context));
        }
        const std::vector<value::Value> restored = restore_audit(stored);
        ASSERT_EQ(restored.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const auto print = [](const value::Value& each) {
                return value::print_json(value::Object(each.as_object()).erase("changes"));
            };
            ASSERT_EQ(print(restored[i]), print(expected[i])) << i;
            short_entries += stored.audit[i].is_object() ? 0 : 1;
        }
        state = attempt.outcome.state;
    }
    EXPECT_GT(short_entries, 300U);
}

// Entries that no turn of ours stores, in an import, give empty records.
TEST(Record, EntriesThatDoNotFitAreEmpty) {
    Record record = sample();
    record.proposals = {};
    record.audit = {0,
                    value::Array{9, value::Object{}},
                    "rule",
                    value::Array{1},
                    value::Value(),
                    value::Array{"rule", value::Object{{"key", "a[[["}}},
                    -1};
    record.actions = {};
    record.steps = {};
    for (const value::Value& each : audit_records(parse_record(print_record(record)).value())) {
        EXPECT_EQ(value::print_json(each), "{}");
    }
}

// Acceptance dos D1: the audit of a push does not store the list twice, and shows it all the same.
TEST(Record, LargeValuesOfTheAuditFollowFromTheSteps) {
    const auto store = make_memory_store();
    NewCampaign begin = beginning("c");
    value::Array list;
    for (int i = 0; i < 1000; ++i) {
        list = std::move(list).push_back("an entry of the list");
    }
    begin.state.document = value::Object{{"play_character_data", value::Object{{"list", list}}}};
    const Campaign campaign = Campaign::begin(*store, begin).value();
    const reader::Reading reading = reader::read(
        R"({"op":"push","path":["list"],"value":1}{"op":"push","path":["list"],"value":2})");
    ASSERT_EQ(reading.proposals.size(), 2U);
    NewTurn said;
    said.context = {1, engine::Actor::kModel, campaign.next_batch()};
    const value::Value before = value::Object{{"list", list}};
    const engine::State state{before, {}};
    const turn::Attempt attempt =
        tests::judge(state, reading.proposals, "", tests::rules_of(engine::Policy()), said.context);
    said.proposals = attempt.reading.proposals;
    said.outcome = &attempt.outcome;
    said.actions = attempt.actions;
    const Record record = encode_turn(said).value();
    EXPECT_LT(value::print_json(record.audit).size(), 1000U);
    const value::Array audit = audit_records(record, &before);
    ASSERT_EQ(audit.size(), 2U);
    const value::Array once = list.push_back(1);
    EXPECT_EQ(*audit[0].as_object().find("before"), value::Value(list));
    EXPECT_EQ(*audit[0].as_object().find("after"), value::Value(once));
    EXPECT_EQ(*audit[1].as_object().find("before"), value::Value(once));
    EXPECT_EQ(*audit[1].as_object().find("after"), value::Value(once.push_back(2)));
    EXPECT_FALSE(audit[1].as_object().contains(kLargeValues));
    // Without the document they are named.
    EXPECT_TRUE(audit_records(record)[0].as_object().contains(kLargeValues));
}

TEST(Record, IsNotStoredWhenItsStepsDoNotLeadToItsState) {
    const auto store = make_memory_store();
    const Campaign campaign = Campaign::begin(*store, beginning("c")).value();
    engine::Outcome outcome;
    outcome.state = campaign.state();
    outcome.state.document = value::Object{{"a", 1}};
    NewTurn turn;
    turn.context = {1, engine::Actor::kModel, campaign.next_batch()};
    turn.outcome = &outcome;
    EXPECT_EQ(campaign.prepare(turn).error().code, base::ErrorCode::kCorrupt);
    // Nor when an action refers to nothing.
    const turn::Action action = {turn::Action::Kind::kRule,
                                 0,
                                 {},
                                 value::diff(campaign.state().document, outcome.state.document)};
    turn.actions = {&action, 1};
    EXPECT_EQ(campaign.prepare(turn).error().code, base::ErrorCode::kCorrupt);
    const rules::Effect effect = {"rule", {}, {}, {}, action.changes};
    turn.effects = {&effect, 1};
    EXPECT_TRUE(campaign.prepare(turn));
}

}  // namespace
}  // namespace arbiter::ledger
