// Goal: whatever document, rulebooks, tools and replies come together, a committed turn is the same
// turn live, replayed and applied from the reply at hand, byte for byte; its actions lead from the
// document before to the one after, and the records of its audit lead back.
// Method: random campaigns of a few turns, each played by the simulated driver.
// proves: X-20, S1-18
#include "config/embedded.h"
#include "config/profiles.h"
#include "config/protocols.h"
#include "prompt/language.h"
#include "tests/rules/worlds.h"
#include "tests/support/random.h"
#include "tests/turn/driver.h"
#include "value/hash.h"

namespace arbiter {
namespace {

using engine::State;
using proposal::Proposal;
using tests::Driver;
using tests::Random;
using turn::Status;
using value::Object;
using value::Value;

const std::vector<std::string> kPeople = {"hero", "mage", "char_003", "阿青", "ghost"};
const std::vector<std::string> kPlaces = {"gate", "hall", "vault", "isle", "area_01"};

std::string json_text(std::string_view text) {
    return value::print_json(Value(text));
}

// Tool calls of every kind, most of them sensible.
std::pair<std::string, std::string> some_call(Random& random) {
    const std::string who = json_text(random.pick(kPeople));
    const std::string where = json_text(random.pick(kPlaces));
    const std::string n = std::to_string(static_cast<int>(random.below(9)) - 5);
    switch (random.below(9)) {
        case 0:
        case 1:
            return {"move", "{\"actor_id\":" + who + ",\"to_area_id\":" + where + "}"};
        case 2:
        case 3:
            return {"hp_delta",
                    "{\"target_character_id\":" + who + ",\"delta\":" + n + ",\"cause\":\"x\"}"};
        case 4:
            return {"roll", R"({"dice":"3d6","purpose":"x"})"};
        case 5:
            return {"item_transfer",
                    "{\"from_id\":" + who + ",\"to_id\":\"mage\"," + "\"item_id\":\"coin\"}"};
        case 6:
            return {"character_generate", "{\"name\":\"n" + n + "\"}"};
        case 7:
            return {"time_advance", "{\"to\":\"t" + n + "\",\"event\":\"x\"}"};
        default:
            return {random.chance(50) ? "map_generate" : "summon", R"({"size":4})"};
    }
}

class Replies {
  public:
    explicit Replies(Random& random) : random_(random), commands_(random) {}

    std::string text(const Value& document) {
        std::string all = commands_.narrative();
        for (std::size_t i = random_.below(5); i > 0; --i) {
            all += "\n" + part(document);
        }
        return random_.chance(5) ? all.substr(0, random_.below(all.size() + 1)) : all;
    }
    std::vector<prompt::NativeToolCall> calls() {
        std::vector<prompt::NativeToolCall> made;
        while (random_.chance(25)) {
            auto [tool, args] = some_call(random_);
            made.push_back(tests::native("n" + std::to_string(random_.below(6)), tool,
                                         random_.chance(5) ? args.substr(1) : args));
        }
        return made;
    }
    // Commands that no dialect needs to be able to say, some with calls in one transaction.
    std::vector<Proposal> proposals(const Value& document) {
        std::vector<Proposal> made;
        std::uint32_t batch = 100;
        bool transaction = false;
        for (std::size_t i = random_.below(6); i > 0; --i) {
            if (random_.chance(50)) {
                ++batch;
                transaction = random_.chance(30);
            }
            if (random_.chance(25)) {
                auto [tool, args] = some_call(random_);
                made.push_back(tests::call_of(tool, args, "h" + std::to_string(i)));
            } else {
                made.push_back(random_.chance(10) ? commands_.time() : commands_.next(document));
                if (auto* what = std::get_if<proposal::Instruction>(&made.back().what);
                    what != nullptr && random_.chance(25)) {
                    what->options =
                        Object{{"ttl", static_cast<std::int64_t>(1 + random_.below(9))}};
                }
            }
            made.back().batch = batch;
            made.back().transaction = transaction;
        }
        return made;
    }
    std::string narrative() { return commands_.narrative(); }

  private:
    std::string part(const Value& document) {
        const value::Path path = commands_.place(document);
        const std::string value = value::print_json(commands_.thing(2));
        const std::string keys = value::print_json(value::path_to_value(path));
        const std::string dotted = value::print_path(path, value::PathSyntax::kDotted);
        switch (random_.below(10)) {
            case 0:
            case 1:
            case 2: {
                const auto [tool, args] = some_call(random_);
                return tests::tag(tool, args, "c" + std::to_string(random_.below(9)));
            }
            case 3:
                return R"({"op":"assign","path":)" + keys + ",\"value\":" + value + "}";
            case 4:
                return R"({"op":"delete","path":)" + keys + "}";
            case 5:
                return "_.set('" + dotted + "', " + value + ");";
            case 6:
                return "_.add('" + dotted + "', " + std::to_string(random_.below(9)) + ");";
            case 7:
                return "<JSONPatch>[{\"op\":\"replace\",\"path\":" +
                       json_text(value::print_path(path, value::PathSyntax::kPointer)) +
                       ",\"value\":" + value + "}]</JSONPatch>";
            case 8:
                return random_.chance(50)
                           ? "{\"op\":\"increment\",\"path\":[\"campaign\",\"characters\","
                             "\"hero\",\"hp\",\"current\"],\"value\":-2}"
                           : "<think>hm</think><use_protocol id=\"love_system_simple\"/>";
            default:
                return commands_.narrative();
        }
    }

    Random& random_;
    tests::Commands commands_;
};

const std::vector<profile::Profile>& profiles() {
    static const std::vector<profile::Profile> kAll = [] {
        std::vector<profile::Profile> all;
        for (const config::EmbeddedFile& each : config::built_in_profiles()) {
            all.push_back(config::load_profile(each.name).value());
        }
        return all;
    }();
    return kAll;
}

// A campaign with or without a table, rulebooks and a known world.
Driver some_campaign(Random& random) {
    static const turn::Books kBooks = {tests::book_of(tests::kBook),
                                       tests::book_of(tests::kOtherBook)};
    static const auto kLibrary = config::Protocols().library();
    turn::BaseRules base;
    base.profile = random.pick(profiles());
    if (random.chance(60)) {
        base.profile.of_model = reader::Dialects::all();
        base.profile.policy.tavern_root.clear();
        base.profile.policy.locks_structure = false;
    }
    const bool world = random.chance(70);
    if (world) {
        base.books = kBooks;
    }
    Value document = world ? tests::json(tests::kWorld)
                           : Value(Object{{"a", tests::random_value(random, 4, 4)},
                                          {"gold", 3},
                                          {"list", value::Array{1, 2}}});
    if (random.chance(70)) {
        Object written = tests::json(tests::kWritten).as_object();
        if (random.chance(50)) {
            document = document.as_object().set("角色", Object{{"气血", 10}});
            written = std::move(written).set(
                "authority",
                tests::json(
                    R"([{"path":"角色.气血","tool":"hp_delta","character":"hero"},{"path":"gold"}])"));
        }
        document = table::begin_campaign(document, written, *base.registries, {}, 1000).value();
    }
    return {State{document, {}}, std::move(base), *kLibrary};
}

State reloaded(const State& state) {
    return {tests::json(value::print_json(state.document)),
            tests::json(value::print_json(Value(state.meta))).as_object()};
}

void expect_same(const turn::Finished& again, const Driver::Kept& kept, const std::string& where) {
    const turn::Attempt& live = kept.turn.finished.attempt;
    const State& other = again.attempt.candidate();
    const State& state = live.candidate();
    ASSERT_TRUE(value::same_bytes(other.document, state.document) &&
                value::same_bytes(Value(other.meta), Value(state.meta)))
        << where << " "
        << value::print_json(value::diff_to_value(value::diff(state.document, other.document)))
        << value::print_json(
               value::diff_to_value(value::diff(Value(state.meta), Value(other.meta))));
    ASSERT_EQ(again.attempt.actions.size(), live.actions.size()) << where;
    for (std::size_t i = 0; i < live.actions.size(); ++i) {
        ASSERT_EQ(again.attempt.actions[i].kind, live.actions[i].kind) << where;
        ASSERT_EQ(again.attempt.actions[i].source, live.actions[i].source) << where;
        ASSERT_EQ(again.attempt.actions[i].about, live.actions[i].about) << where;
    }
    ASSERT_EQ(again.attempt.effects.size(), live.effects.size()) << where;
    ASSERT_EQ(again.attempt.failed_calls.size(), live.failed_calls.size()) << where;
}

// Invariants of every committed turn.
void expect_sound(const Driver::Kept& kept, const std::string& where) {
    const turn::Attempt& attempt = kept.turn.finished.attempt;
    const Value& before = kept.before.document;
    const Value& after = attempt.candidate().document;
    ASSERT_EQ(attempt.outcome.verdicts.size(), attempt.reading.proposals.size()) << where;
    ASSERT_TRUE(attempt.settled) << where;
    expect_same(tests::replay(kept), kept, where);
    Driver::Kept stored = kept;
    stored.before = reloaded(kept.before);
    expect_same(tests::replay(stored), kept, where + " (from a file)");
    const auto forward = turn::apply_actions(before, attempt.actions);
    ASSERT_TRUE(forward.has_value()) << where;
    ASSERT_TRUE(value::same_bytes(*forward, after)) << where;
    const auto back = engine::undo(after, tests::audit_of(attempt, kept.begun.context));
    ASSERT_TRUE(back.has_value()) << where;
    ASSERT_TRUE(value::same_bytes(*back, before)) << where;
}

// The same reply, judged as `arbiter apply` judges it.
turn::Finished applied(Driver& driver, const Driver::Kept& kept, reader::Reading reading) {
    const auto begun =
        turn::begin({kept.before, kept.turn.said, kept.begun.number, kept.begun.context},
                    driver.cache(), driver.library());
    turn::Ending ending;
    ending.usage = kept.turn.usage;
    ending.story_tokens = kept.turn.story_tokens;
    ending.uncommitted = kept.uncommitted;
    ending.library = &driver.library();
    return turn::apply_reply(begun.value(), std::move(reading), std::move(ending),
                             prompt::prompt_language(begun->state.document, begun->settings,
                                                     kept.turn.said, base::Language::kEnglish));
}

struct Seen {
    std::size_t commands = 0;
    std::size_t tools = 0;
    std::size_t expired = 0;
    std::size_t effects = 0;
    std::size_t rounds = 0;
    std::size_t retries = 0;
    std::size_t dropped = 0;
    std::size_t switched = 0;
    std::size_t rolled_back = 0;

    void count(const Driver::Kept& kept) {
        for (const turn::Action& action : kept.turn.finished.attempt.actions) {
            commands += action.kind == turn::Action::Kind::kCommand ? 1U : 0U;
            tools += action.kind == turn::Action::Kind::kTool ? 1U : 0U;
            expired += action.kind == turn::Action::Kind::kExpire ? 1U : 0U;
            effects += action.kind == turn::Action::Kind::kRule ? 1U : 0U;
        }
        for (const engine::Verdict& verdict : kept.turn.finished.attempt.outcome.verdicts) {
            rolled_back += verdict.status == proposal::Status::kRolledBack ? 1U : 0U;
        }
        rounds += kept.turn.rounds.empty() ? 0U : 1U;
        retries += kept.turn.trace.empty() ? 0U : 1U;
        switched += kept.turn.finished.meta.before.empty() ? 0U : 1U;
    }
};

void play_supplied(Driver& driver, Replies& replies, Random& random, const std::string& where) {
    const State before = driver.state;
    turn::SuppliedReply reply;
    reply.text = replies.text(before.document);
    reply.said = random.chance(20) ? "进入直播模式！" : replies.narrative();
    reply.actor = random.chance(80)   ? engine::Actor::kModel
                  : random.chance(80) ? engine::Actor::kPlayer
                                      : engine::Actor::kSystem;
    reply.tool_calls = replies.calls();
    reply.proposals = replies.proposals(before.document);
    const turn::TurnResult result = driver.apply(reply);
    ASSERT_EQ(result.status, Status::kCommitted) << where;
    ASSERT_TRUE(driver.kept.has_value()) << where;
    reader::Reading reading =
        reader::read(reply.text, driver.kept->begun.rules->reading(reply.actor));
    reading.proposals.insert(reading.proposals.end(), reply.proposals.begin(),
                             reply.proposals.end());
    const std::uint32_t batch = reading.proposals.empty() ? 0 : reading.proposals.back().batch + 1;
    for (Proposal& call : turn::proposals_of(reply.tool_calls, batch)) {
        reading.proposals.push_back(std::move(call));
    }
    expect_same(applied(driver, *driver.kept, std::move(reading)), *driver.kept,
                where + " (applied)");
}

void play_asked(Driver& driver, Replies& replies, Random& random, const std::string& where,
                Seen& seen) {
    const State before = driver.state;
    std::vector<tests::Answer> answers;
    for (std::size_t i = random.below(5); i > 0; --i) {
        answers.push_back({replies.text(before.document), replies.calls()});
    }
    answers.push_back({replies.narrative()});
    driver.piece = random.below(40);
    const auto mode = random.chance(50) ? turn::Mode::kLive : turn::Mode::kGuarded;
    const turn::TurnResult result = driver.turn(
        random.chance(20) ? "进入直播模式！" : replies.narrative(), std::move(answers), mode);
    if (!driver.kept) {
        ASSERT_NE(result.status, Status::kCommitted) << where;
        ASSERT_TRUE(driver.shown.empty() || mode == turn::Mode::kLive) << where;
        ASSERT_EQ(driver.state, before) << where;
        ++seen.dropped;
        return;
    }
    ASSERT_EQ(result.status, Status::kCommitted) << where;
    ASSERT_EQ(driver.shown, result.shown.str()) << where;
    ASSERT_EQ(result.shown.str(), driver.kept->turn.finished.attempt.reading.text) << where;
    if (driver.kept->turn.rounds.empty() && driver.kept->turn.trace.empty()) {
        expect_same(applied(driver, *driver.kept, driver.kept->turn.finished.attempt.reading),
                    *driver.kept, where + " (applied)");
    }
}

TEST(TurnProperties, LiveIsReplayIsApplyAndTheAuditLeadsBack) {
    Seen seen;
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        Random random(seed);
        Replies replies(random);
        Driver driver = some_campaign(random);
        for (int number = 0; number < 6; ++number) {
            const std::string where =
                "seed " + std::to_string(seed) + " turn " + std::to_string(number);
            if (random.chance(50)) {
                play_supplied(driver, replies, random, where);
            } else {
                play_asked(driver, replies, random, where, seen);
            }
            if (driver.kept) {
                expect_sound(*driver.kept, where);
                seen.count(*driver.kept);
            }
            if (HasFatalFailure()) {
                return;
            }
            if (random.chance(30)) {
                driver.now += 20'000;
            }
        }
    }
    EXPECT_GT(seen.commands, 1000U);
    EXPECT_GT(seen.tools, 200U);
    EXPECT_GT(seen.expired, 20U);
    EXPECT_GT(seen.effects, 1000U);
    EXPECT_GT(seen.rounds, 20U);
    EXPECT_GT(seen.retries, 20U);
    EXPECT_GT(seen.dropped, 10U);
    EXPECT_GT(seen.switched, 20U);
    EXPECT_GT(seen.rolled_back, 20U);
}

}  // namespace
}  // namespace arbiter
