// Turns under the shipped rulebook, from the reply to the records: what the world's own rules cost.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "bench/cases.h"
#include "config/rulebooks.h"
#include "engine/describe.h"
#include "reader/reader.h"
#include "rules/blueprint.h"
#include "turn/turn.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::bench {
namespace {

using engine::State;
using value::Object;
using value::Value;

// As in bench/replies.mjs.
constexpr std::string_view kSeparator = "\f\n";

std::vector<std::string_view> split(std::string_view rest, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(separator), rest.size());
        parts.push_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + separator.size(), rest.size()));
    }
    return parts;
}

// Everything of a campaign that is played under the memory dialect's profile.
class World {
  public:
    explicit World(const Value& document) {
        auto world = config::load_world("memory");
        CHECK(world && world->books.size() == 1);
        turn::BaseRules base;
        base.profile = world->profile;
        base.books = world->books;
        state.document = rules::with_blueprint(document, world->books[0]->blueprint);
        value::seal(state.document);
        cache_.emplace(std::move(base), base::Language::kEnglish);
    }

    struct Turned {
        turn::Attempt attempt;
        std::vector<Value> records;
    };
    // From the reply to the records.
    Turned turn(std::string_view reply) { return turn(reply, &memories_); }
    // With nothing kept from turn to turn.
    Turned turn_anew(std::string_view reply) { return turn(reply, nullptr); }
    turn::Attempt play(std::span<const proposal::Proposal> proposals, std::string_view narrative) {
        reader::Reading reading;
        reading.text = narrative;
        reading.proposals.assign(proposals.begin(), proposals.end());
        return turn::judge(begin(), std::move(reading), &memories_);
    }
    [[nodiscard]] std::vector<proposal::Proposal> read(std::string_view reply) {
        return reader::read(reply, begin().rules->reading(kModel)).proposals;
    }

    State state;  // what turns begin with

  private:
    static constexpr engine::Actor kModel = engine::Actor::kModel;

    Turned turn(std::string_view reply, rules::Memories* memories) {
        const turn::Begun begun = begin();
        turn::Finished finished =
            turn::apply_reply(begun, reader::read(reply, begun.rules->reading(kModel)), {},
                              base::Language::kEnglish, memories);
        Turned turned{std::move(finished.attempt), {}};
        turned.records = engine::audit_records(turned.attempt.reading.proposals,
                                               turned.attempt.outcome, begun.context);
        for (const rules::Effect& effect : turned.attempt.effects) {
            turned.records.push_back(
                rules::audit_record(effect, turned.records.size(), begun.context));
        }
        return turned;
    }

    turn::Begun begin() {
        static const protocol::Library kNone = protocol::Library::make({});
        auto begun = turn::begin({state, "", 1000, {1'767'225'600'000, kModel, "turn_1000"}},
                                 *cache_, kNone);
        CHECK(begun.has_value());
        return *std::move(begun);
    }

    std::optional<turn::RulesCache> cache_;
    rules::Memories memories_;
};

// ---- turns with commands

// Some turns before the first that is measured, so that the rules know the campaign.
constexpr std::size_t kTurnsBefore = 5;

Answer measure_turn(const Request& request) {
    const std::vector<std::string_view> replies = split(request.replies->text, kSeparator);
    World world(request.document->root);
    for (std::size_t i = 0; i < kTurnsBefore; ++i) {
        world.state = world.turn(replies[i]).attempt.outcome.state;
    }
    std::size_t number = kTurnsBefore;
    return {measure(request.target_ms, [&] {
        keep(world.turn(replies[number]));
        number = number + 1 < replies.size() ? number + 1 : kTurnsBefore;
    })};
}

// All turns one after the other; what is kept between them changes nothing.
std::string check_turn(const Request& request) {
    World world(request.document->root);
    std::size_t effects = 0;
    for (const std::string_view reply : split(request.replies->text, kSeparator)) {
        const World::Turned anew = world.turn_anew(reply);
        World::Turned turned = world.turn(reply);
        for (const engine::Verdict& verdict : turned.attempt.outcome.verdicts) {
            CHECK(verdict.status == proposal::Status::kApplied);
        }
        CHECK(turned.attempt.settled && turned.attempt.outcome.state == anew.attempt.outcome.state);
        effects += turned.attempt.effects.size();
        world.state = std::move(turned.attempt.outcome.state);
    }
    CHECK(effects > 0);
    return value::print_json(world.state.document);
}

// ---- what is shown

// As many as the rulebook looks at.
constexpr std::size_t kReplies = 5;

// The keywords of the file as people who are shown while somebody speaks of them, and its text as
// the last replies. All but the last reply are played.
struct Scene {
    std::vector<std::string_view> names;
    World world;
    std::string_view last;
};

Value people(const std::vector<std::string_view>& names) {
    Object people;
    for (const std::string_view name : names) {
        people = std::move(people).set(name, Object{{"_filter", true}});
    }
    return Object{{"assa_data", Object{{"global_set", Object{{"npc", people}}}}}};
}

Scene scene_of(const Document& document) {
    const std::size_t middle = document.text.find("\n\n");
    CHECK(middle != std::string::npos);
    const std::string_view text = document.text;
    std::vector<std::string_view> names = split(text.substr(0, middle), "\n");
    World world(people(names));
    Scene scene{std::move(names), std::move(world), text.substr(middle + 2)};
    constexpr std::string_view kStop = "。";  // no name goes over it
    for (std::size_t left = kReplies; left > 1; --left) {
        const std::size_t end = scene.last.find(kStop, scene.last.size() / left) + kStop.size();
        scene.world.state = scene.world.play({}, scene.last.substr(0, end)).outcome.state;
        scene.last.remove_prefix(end);
    }
    return scene;
}

std::string shown_in(const Scene& scene, const State& state) {
    const Value* all = value::find(state.document, {"assa_data", "global_set", "npc"});
    std::vector<Value> shown;
    for (std::size_t i = 0; i < scene.names.size(); ++i) {
        const Value* node = all->as_object().find(scene.names[i]);
        const Value* yes = node->as_object().find("_showInEJS");
        if (yes != nullptr && yes->as_bool()) {
            shown.emplace_back(static_cast<std::int64_t>(i));
        }
    }
    return value::print_json(value::Array(shown));
}

Answer measure_shown(const Request& request) {
    Scene scene = scene_of(*request.document);
    return {measure(request.target_ms, [&] { keep(scene.world.play({}, scene.last)); })};
}
std::string check_shown(const Request& request) {
    Scene scene = scene_of(*request.document);
    return shown_in(scene, scene.world.play({}, scene.last).outcome.state);
}

// A command that brings a person of whom nobody speaks.
std::vector<proposal::Proposal> newcomer(Scene& scene, std::size_t number) {
    auto proposals =
        scene.world.read("<updateMemory>\nmemory('global_set.npc', '无名来客" +
                         std::to_string(number) + "', {\"_filter\": true})\n" + "</updateMemory>");
    CHECK(proposals.size() == 1);
    return proposals;
}
Answer measure_shown_change(const Request& request) {
    Scene scene = scene_of(*request.document);
    const auto one = newcomer(scene, 1);
    const auto other = newcomer(scene, 2);
    bool turn = false;
    return {measure(request.target_ms, [&] {
        turn = !turn;
        keep(scene.world.play(turn ? one : other, scene.last));
    })};
}
std::string check_shown_change(const Request& request) {
    Scene scene = scene_of(*request.document);
    scene.world.play(newcomer(scene, 1), scene.last);
    const turn::Attempt played = scene.world.play(newcomer(scene, 2), scene.last);
    CHECK(played.outcome.verdicts[0].status == proposal::Status::kApplied);
    return shown_in(scene, played.outcome.state);
}

constexpr Case kCases[] = {
    {"world_turn", measure_turn, check_turn},
    {"shown", measure_shown, check_shown},
    {"shown_change", measure_shown_change, check_shown_change},
};

}  // namespace

std::span<const Case> rules_cases() {
    return kCases;
}

}  // namespace arbiter::bench
