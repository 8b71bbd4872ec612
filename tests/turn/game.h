// A small campaign for tests: two characters, four areas, every tool.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "table/campaign.h"
#include "table/goal.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/map.h"
#include "table/milestone.h"
#include "tests/support/judging.h"
#include "turn/feedback.h"
#include "turn/finish.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::tests {

inline value::Value json(std::string_view text) {
    return value::parse_json(text).value();
}

inline const char* const kWritten = R"json({
    "id": "c1", "title": "雾港", "seed": 7,
    "world": {"id": "w1", "name": "雾港", "background": "一座被雾封住的港城"},
    "rules": {"magic": "forbidden"},
    "map": {"id": "m1",
        "areas": {"gate": {"name": "城门"}, "hall": {"name": "大厅", "items": {"lamp": {"name": "灯", "count": 2}}},
                  "vault": {"name": "金库", "lock": {"unlock_when": "campaign.characters.hero.items.key.count > 0"}},
                  "isle": {"name": "孤岛"}},
        "paths": {"p1": {"from": "gate", "to": "hall"},
                  "p2": {"from": "hall", "to": "vault"},
                  "p3": {"from": "gate", "to": "vault", "lock": true}}},
    "characters": {
        "hero": {"name": "阿青", "title": "剑客", "background": "寻找失踪的师父", "job": "剑士", "race": "人类",
                 "hp": {"current": 10, "max": 12}, "skills": [{"name": "白刃", "level": 3}, {"name": "潜行"}],
                 "attributes": {"strength": 4, "dexterity": 3, "intelligence": 2, "力量": 4},
                 "status": {"alive_state": "alive", "flags": ["lucky"]}, "area_id": "gate",
                 "items": {"coin": {"name": "铜钱", "count": 5}}, "portrait": "a.png"},
        "mage": {"name": "白露", "hp": {"current": 6, "max": 6}, "area_id": "gate"}},
    "party": ["hero", "mage"], "active_actor": "hero",
    "tools": ["move", "hp_delta", "map_generate", "character_generate", "item_transfer", "roll", "time_advance"]
})json";

inline proposal::Proposal call_of(std::string_view tool, std::string_view args,
                                  std::string_view id = "call_001", std::string_view reason = "") {
    proposal::Proposal made;
    made.dialect = proposal::Dialect::kTool;
    made.verb = tool;
    made.what = proposal::ToolCall{id, tool, json(args), reason};
    return made;
}

inline proposal::Proposal command(proposal::Op op, std::string_view path, value::Value value) {
    proposal::Proposal made;
    made.dialect = proposal::Dialect::kJson;
    proposal::Instruction what = proposal::instruction_of(made.dialect, op);
    what.op = op;
    what.mount = proposal::Mount::kRoot;
    what.path = value::parse_path(path, value::PathSyntax::kDotted).value();
    what.value = std::move(value);
    what.creates = true;
    made.what = std::move(what);
    return made;
}

class Game {
  public:
    explicit Game(std::string_view changes = "{}", std::string_view beside = "{}") {
        value::Object written = json(kWritten).as_object();
        // Named, for g++ 12 lets go of a temporary before the first round.
        const value::Value changed = json(changes);
        for (const auto& [key, member] : changed.as_object()) {
            written = std::move(written).set(key, member);
        }
        auto begun = table::begin_campaign(json(beside), written, *registries, {}, 1000);
        EXPECT_TRUE(begun.has_value());
        state.document = begun.value_or(value::Value());
        reset();
    }

    // Makes the rules anew from the members below and the document.
    void reset() {
        turn::BaseRules base;
        base.books = books;
        base.registries = registries;
        base.globals = globals;
        rules = turn::make_rules(std::move(base), protocol::Resolved(), state.document).value();
    }
    [[nodiscard]] value::Object settings() const { return rules.settings(state); }
    [[nodiscard]] engine::Context context(engine::Actor actor = engine::Actor::kModel) const {
        return {now, actor, "b" + std::to_string(now)};
    }
    void tries(std::vector<proposal::Proposal> proposals,
               engine::Actor actor = engine::Actor::kModel) {
        for (std::size_t i = 0; i < proposals.size(); ++i) {
            if (proposals[i].batch == 0) {
                proposals[i].batch = static_cast<std::uint32_t>(i) + 1000;
            }
        }
        attempt = judge(state, proposals, "", rules, context(actor));
    }
    // Accepts what was tried.
    void accept(std::int64_t tokens = 0) {
        turn::Ending ending;
        ending.usage.tokens = tokens;
        ending.story_tokens = tokens;
        ending.before = state.document;
        ending.failed_calls = attempt.failed_calls;
        finished = turn::finish(attempt, rules, settings(), context(), ending);
        actions.insert(actions.end(), finished.attempt.actions.begin(),
                       finished.attempt.actions.end());
        state = finished.attempt.candidate();
        now += 1000;
    }
    void plays(std::vector<proposal::Proposal> proposals, std::int64_t tokens = 0) {
        tries(std::move(proposals));
        accept(tokens);
    }
    void does(const base::Result<table::Step>& step) {
        ASSERT_TRUE(step.has_value()) << base::explain(step.error(), base::Language::kEnglish);
        state.document = step->document;
        const auto changes = value::diff_from_value(*step->action.find("changes"));
        ASSERT_TRUE(changes.has_value());
        actions.push_back({turn::Action::Kind::kCommand, 0, step->action, *changes});
        now += 1000;
    }
    void sets(std::string_view patch) {
        does(table::patch_settings(state, json(patch).as_object(), *registries, globals, now));
    }
    // The reasons of the failed calls, with E for errors.
    [[nodiscard]] std::string failures() const {
        std::string all;
        for (const turn::FailedCall& failed : attempt.failed_calls) {
            const bool error = failed.status == turn::FailedCall::Status::kError;
            all +=
                (all.empty() ? "" : " ") + std::string(error ? "E:" : "") + failed.refusal.reason;
        }
        return all;
    }
    // In the candidate.
    [[nodiscard]] std::string at(std::string_view path) const {
        return in(attempt.candidate().document, path);
    }
    [[nodiscard]] static std::string in(const value::Value& document, std::string_view path) {
        const value::Value* found =
            value::find(document, value::parse_path(path, value::PathSyntax::kDotted).value());
        return found != nullptr ? value::print_json(*found) : "-";
    }
    // The members of an action for the turn log.
    [[nodiscard]] value::Value about(std::size_t action) const {
        return attempt.actions.at(action).about;
    }
    // The result of the last tool that was executed.
    [[nodiscard]] value::Value result() const {
        value::Value last;
        for (const turn::Action& action : attempt.actions) {
            if (const value::Value* found = action.about.find("result")) {
                last = *found;
            }
        }
        return last;
    }

    std::shared_ptr<const table::Registries> registries = table::shipped_registries();
    turn::Books books;
    value::Object globals;
    turn::Rules rules;
    engine::State state;
    turn::Attempt attempt;
    turn::Finished finished;
    std::vector<turn::Action> actions;  // of all turns
    engine::Instant now = 2000;
};

// Everything that actions hold, to compare two lists of them.
inline std::string print(std::span<const turn::Action> actions) {
    std::string all;
    for (const turn::Action& action : actions) {
        all += std::to_string(static_cast<int>(action.kind)) + " " + std::to_string(action.source) +
               " " + value::print_json(action.about) + " " +
               value::print_json(value::diff_to_value(action.changes)) + "\n";
    }
    return all;
}

}  // namespace arbiter::tests
