// Any document, reply and profile as a turn: it is judged, its actions lead from the document
// before to the one after, the records of its audit lead back, and a replay gives the same bytes.
//
// The first byte chooses the profile, the second the actor and the rulebook. A line feed ends the
// state, which is JSON (anything else stands for a small campaign); the rest is the reply.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "config/embedded.h"
#include "config/protocols.h"
#include "config/rulebooks.h"
#include "proposal/codec.h"
#include "tests/support/judging.h"
#include "turn/replay.h"
#include "turn/turn.h"
#include "value/hash.h"
#include "value/json.h"

using namespace arbiter;
using value::Value;

namespace {

constexpr std::string_view kCampaign = R"({"gold":3,"hp":7,"date":"03月05日","campaign":{"id":"c",
    "seed":7,"turn":2,"areas":{"a":{"name":"a"},"b":{"name":"b"}},
    "paths":{"p":{"from":"a","to":"b"}},
    "characters":{"hero":{"name":"h","hp":{"current":7,"max":9},"area_id":"a","items":{}}},
    "selected":{"party_character_ids":["hero"],"active_actor_id":"hero"},
    "authority":[{"path":"hp","tool":"hp_delta","character":"hero"}],
    "tools":{"allow":["move","hp_delta","roll","time_advance","item_transfer","map_generate",
    "character_generate"],"disabled":{},"repeats":{}}}})";

const std::vector<turn::BaseRules>& all_rules() {
    static const std::vector<turn::BaseRules> kAll = [] {
        std::vector<turn::BaseRules> all;
        for (const config::EmbeddedFile& each : config::built_in_profiles()) {
            auto world = config::load_world(each.name);
            CHECK(world.has_value());
            turn::BaseRules base;
            base.profile = world->profile;
            base.books = world->books;
            all.push_back(std::move(base));
        }
        return all;
    }();
    return kAll;
}

bool same(const engine::State& a, const engine::State& b) {
    return value::same_bytes(a.document, b.document) &&
           value::same_bytes(Value(a.meta), Value(b.meta));
}

void check_turn(const engine::State& before, const turn::Begun& begun,
                const turn::Finished& finished, std::string_view raw) {
    const turn::Attempt& attempt = finished.attempt;
    const Value& after = attempt.candidate().document;
    CHECK(attempt.outcome.verdicts.size() == attempt.reading.proposals.size());
    const auto forward = turn::apply_actions(before.document, attempt.actions);
    CHECK(forward && value::same_bytes(*forward, after));
    const auto back = engine::undo(after, tests::audit_of(attempt, begun.context));
    CHECK(back && value::same_bytes(*back, before.document));
    const auto stored = proposal::decode(proposal::encode(attempt.reading.proposals, raw), raw);
    CHECK(stored.has_value());
    turn::ReplayInputs inputs;
    inputs.context = begun.context;
    inputs.shown = attempt.reading.text;
    inputs.meta = finished.meta;
    inputs.story_tokens = turn::story_tokens("", attempt.reading.text, begun.settings);
    inputs.failed_calls = attempt.failed_calls;
    const turn::Finished again = turn::replay(before, *stored, begun.rules, inputs);
    CHECK(same(again.attempt.candidate(), attempt.candidate()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const std::string_view input(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t end = std::min(input.find('\n'), input.size());
    const std::string_view reply = input.substr(std::min(end + 1, input.size()));
    auto document = value::parse_json(input.substr(0, end));
    static const Value kSmall = value::parse_json(kCampaign).value();
    static const auto kLibrary = config::Protocols().library();
    engine::State state{document ? *std::move(document) : kSmall, {}};

    turn::BaseRules base = all_rules()[data[0] % all_rules().size()];
    if ((data[1] & 0x10) != 0) {
        base.profile.of_model = reader::Dialects::all();
        base.profile.policy.tavern_root.clear();
    }
    if ((data[1] & 0x20) != 0) {
        base.books.clear();
    }
    constexpr engine::Actor kActors[] = {engine::Actor::kModel, engine::Actor::kModel,
                                         engine::Actor::kPlayer, engine::Actor::kSystem};
    const engine::Actor actor = kActors[data[1] % 4];
    turn::RulesCache cache(std::move(base), base::Language::kEnglish);
    // Twice: the second turn begins with what the first one left.
    for (std::int64_t number = 1; number <= 2; ++number) {
        const turn::Input asked{
            state, "", number, {number * 100'000, actor, "t" + std::to_string(number)}};
        const auto begun = turn::begin(asked, cache, *kLibrary);
        if (!begun) {
            return 0;
        }
        reader::Reading reading = reader::read(reply, begun->rules->reading(actor));
        turn::Ending ending;
        ending.library = kLibrary.get();
        const turn::Finished finished =
            turn::apply_reply(*begun, std::move(reading), ending, base::Language::kEnglish);
        check_turn(state, *begun, finished, reply);
        state = finished.attempt.candidate();
    }
    return 0;
}
