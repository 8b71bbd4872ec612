// Campaigns for tests: a small world, replies that change it, and stores of every kind.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/rulebooks.h"
#include "ledger/history.h"
#include "ledger/rebuild.h"
#include "ledger/store/memory.h"
#include "reader/reader.h"
#include "rules/blueprint.h"
#include "tests/support/judging.h"
#include "tests/support/random.h"
#include "value/json.h"

namespace arbiter::ledger {

// A folder that is gone when the test is.
class Folder {
  public:
    Folder() {
        static int made = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("arbiter-" + std::to_string(getpid()) + "-" + std::to_string(made++));
        std::filesystem::create_directory(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const std::string& name) const {
        return (path_ / name).string();
    }

  private:
    std::filesystem::path path_;
};

inline const config::World& world() {
    static const config::World kWorld = config::load_world("memory").value();
    return kWorld;
}

// The rules of the world above.
inline const turn::Rules& world_rules() {
    static const turn::Rules kRules = tests::rules_of(world().profile.policy, world().books);
    return kRules;
}

inline value::Object rules_named() {
    value::Object rules;
    for (const config::NamedText& source : world().sources) {
        rules = std::move(rules).set(value::Str(source.name),
                                     std::string_view(sha256(source.text).hex()));
    }
    return rules;
}

inline NewCampaign beginning(const std::string& id) {
    NewCampaign begin;
    begin.id = id;
    begin.name = "灰原";
    begin.state.document = rules::with_blueprint(value::Object(), world().books.at(0)->blueprint);
    begin.time = 1'767'225'600'000;
    begin.rules = rules_named();
    for (const config::NamedText& source : world().sources) {
        begin.texts.push_back({sha256(source.text), pack(source.text)});
    }
    return begin;
}

// Plays a reply; it is not kept yet.
inline PreparedTurn prepare(const Campaign& campaign, const std::string& reply) {
    NewTurn said;
    said.context = {campaign.state().meta.empty() ? 1 : campaign.number() * 1000 + 1,
                    engine::Actor::kModel, campaign.next_batch()};
    said.raw = reply;
    const reader::Reading reading =
        reader::read(reply, profile::reading(world().profile, said.context.actor));
    said.shown = reading.text;
    const turn::Attempt attempt = tests::judge(campaign.state(), reading.proposals, reading.text,
                                               world_rules(), said.context);
    said.proposals = attempt.reading.proposals;
    said.outcome = &attempt.outcome;
    said.effects = attempt.effects;
    said.actions = attempt.actions;
    said.rules = rules_named();
    return campaign.prepare(said).value();
}

// Plays a reply and keeps it.
inline base::Result<TurnId> say(Campaign& campaign, const std::string& reply) {
    PreparedTurn prepared = prepare(campaign, reply);
    const TurnId id = prepared.id;
    if (auto kept = campaign.store().commit(prepared.commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    campaign.accept(std::move(prepared));
    return id;
}

inline std::string some_reply(tests::Random& random) {
    static const std::vector<std::string> kNames = {"老铁匠", "猎户", "线人", "村长"};
    const std::string name = random.pick(kNames);
    const std::string number = std::to_string(random.below(20));
    switch (random.below(8)) {
        case 0:
            return name + "来了。\nmemory('world_set.npc', '" + name + "', '{\"好感度\":" + number +
                   ", \"_filter\": true}');";
        case 1:
            return "memory('global_set.背包.火把', '{\"num\":" + number + "}');";
        case 2:
            return "set_attribute('属性段.生理属性.力量.基础', " + number + ");";
        case 3:
            return "set_status('日期', '0" + std::to_string(1 + random.below(9)) + "月1" +
                   std::to_string(random.below(10)) + "日');";
        case 4:
            return "memory('summary.small', '" + name + "', '第" + number + "件事');";
        case 5:
            return "delete('world_set.npc', '" + name + "');";
        case 6:
            return "set_attribute('衍生属性段.先攻', 99);\n夜深了，" + name + "睡了。";
        default:
            return "一路无话，" + name + "走在前面。";
    }
}

// Judges turns again under the same rules, whatever they name.
inline ReplayStep step_under(const turn::Rules& rules) {
    return [rules](const engine::State& before, const Record& turn,
                   const TurnCommands& commands) -> base::Result<engine::State> {
        const engine::Context context{turn.time, turn.actor, turn.batch};
        return tests::judge(before, commands.reply, turn.shown, rules, context).outcome.state;
    };
}

}  // namespace arbiter::ledger
