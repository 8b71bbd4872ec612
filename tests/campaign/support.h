// A small campaign with a map, two characters and a narrator from a script.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "campaign/create.h"
#include "campaign/replay.h"
#include "campaign/session.h"
#include "campaign/view.h"
#include "config/rulebooks.h"
#include "ledger/store/memory.h"
#include "model/scripted.h"
#include "table/layout.h"
#include "tests/prompt/flat.h"
#include "value/json.h"

namespace arbiter::campaign {

inline const char* const kTemplate = R"json({
    "id": "c", "title": "雾港", "seed": 7,
    "world": {"id": "w", "name": "雾港", "background": "一座被雾封住的港城"},
    "map": {"id": "m",
        "areas": {"gate": {"name": "城门"}, "hall": {"name": "大厅", "items": {"lamp": {"name": "灯", "count": 2}}},
                  "vault": {"name": "金库", "lock": {"unlock_when": "campaign.characters.hero.items.key.count > 0"}}},
        "paths": {"p1": {"from": "gate", "to": "hall"}, "p2": {"from": "hall", "to": "vault"}}},
    "characters": {
        "hero": {"name": "阿青", "hp": {"current": 10, "max": 12}, "attributes": {"力量": 4},
                 "skills": [{"name": "白刃", "level": 3}], "area_id": "gate",
                 "items": {"coin": {"name": "铜钱", "count": 5}}},
        "mage": {"name": "白露", "hp": {"current": 6, "max": 6}, "area_id": "gate",
                 "items": {"key": {"name": "钥匙", "count": 1}}}},
    "party": ["hero", "mage"], "active_actor": "hero",
    "settings": {"rollback.max_checkpoints": 3},
    "tools": ["move", "hp_delta", "map_generate", "character_generate", "item_transfer", "roll", "time_advance"]
})json";

inline std::string tool(std::string_view name, std::string_view args, std::string_view id = "c1") {
    return R"(<tool_call>{"tool":")" + std::string(name) + R"(","args":)" + std::string(args) +
           R"(,"id":")" + std::string(id) + R"("}</tool_call>)";
}

inline std::size_t tools_in(const turn::TurnResult& result) {
    return static_cast<std::size_t>(
        std::ranges::count(result.attempt.actions, turn::Action::Kind::kTool, &turn::Action::kind));
}

class Fixture : public testing::Test {
  protected:
    void begin(std::string_view written = kTemplate, std::string_view profile = "auto",
               std::vector<protocol::ProtocolRequest> protocols = {}) {
        CampaignSetup setup;
        setup.id = "c";
        setup.name = "c";
        setup.now = 1000;
        setup.world = config::load_world(profile).value();
        setup.protocols = std::move(protocols);
        setup.table = written.empty() ? value::Value() : value::parse_json(written).value();
        std::vector<base::Error> warnings;
        const auto created = create_campaign(*store, std::move(setup), options(), warnings);
        ASSERT_TRUE(created) << base::explain(created.error(), base::Language::kEnglish);
        open();
    }
    void open() { session = Session::open(*store, "c", options()).value(); }
    static SessionOptions options() { return SessionOptions{config::Protocols()}; }

    static model::Scripted script(const std::string& yaml) {
        auto parsed = model::parse_script("script.yaml", yaml);
        EXPECT_TRUE(parsed.has_value());
        return model::Scripted(*std::move(parsed));
    }
    // A model that says one thing and then nothing more.
    static model::Scripted says(const std::vector<std::string>& replies) {
        model::Script lines;
        for (const std::string& reply : replies) {
            model::Line line;
            line.times = 1;
            model::Answer answer;
            answer.say = reply;
            line.answers.push_back(std::move(answer));
            lines.lines.push_back(std::move(line));
        }
        return model::Scripted(std::move(lines));
    }
    turn::TurnResult turn(const std::string& said, const std::vector<std::string>& replies) {
        model::Scripted model = says(replies);
        return turn(said, model);
    }
    turn::TurnResult turn(const std::string& said, model::Model& model) {
        auto turned = session->turn(request(said, now()), model);
        EXPECT_TRUE(turned) << base::explain(turned.error(), base::Language::kEnglish);
        return turned ? *std::move(turned) : turn::TurnResult();
    }
    static turn::TurnRequest request(const std::string& said, engine::Instant now = 0) {
        turn::TurnRequest request;
        request.said = said;
        request.now = now;
        return request;
    }
    [[nodiscard]] std::string at(std::string_view path) const {
        const value::Value document = session->campaign().state().document;
        const value::Value* found =
            value::find(document, value::parse_path(path, value::PathSyntax::kDotted).value());
        return found != nullptr ? value::print_json(*found) : "-";
    }
    [[nodiscard]] engine::Instant now() { return 1000 + 1000 * ++clock_; }
    void expect_replays() const {
        const ledger::Campaign campaign = session->campaign();
        const auto report =
            ledger::rebuild(campaign, replay_step(campaign), {}, reread_step(campaign));
        ASSERT_TRUE(report) << base::explain(report.error(), base::Language::kEnglish);
        for (const ledger::TurnDefect& finding : report->defects) {
            ADD_FAILURE() << finding.number << ": " << finding.message;
        }
        EXPECT_TRUE(ledger::verify(campaign)->defects.empty());
    }

    std::unique_ptr<ledger::Store> store = ledger::make_memory_store();
    std::unique_ptr<Session> session;

  private:
    engine::Instant clock_ = 0;
};

}  // namespace arbiter::campaign
