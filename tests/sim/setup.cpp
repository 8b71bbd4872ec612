#include "tests/sim/setup.h"

#include <map>

#include "base/check.h"
#include "campaign/greeting.h"
#include "card/parse.h"
#include "config/embedded.h"
#include "rules/blueprint.h"
#include "tests/rules/worlds.h"
#include "value/json.h"

namespace arbiter::sim {

using tests::Random;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kTable = R"json({
    "id": "c1", "title": "雾港", "seed": 7,
    "world": {"id": "w1", "name": "雾港", "background": "一座被雾封住的港城"},
    "rules": {"magic": "forbidden"},
    "map": {"id": "m1",
        "areas": {"gate": {"name": "城门"}, "hall": {"name": "大厅", "items": {"lamp": {"name": "灯", "count": 2}}},
                  "vault": {"name": "金库", "lock": {"unlock_when": "campaign.characters.hero.items.key.count > 0"}},
                  "isle": {"name": "孤岛"}},
        "paths": {"p1": {"from": "gate", "to": "hall"}, "p2": {"from": "hall", "to": "vault"},
                  "p3": {"from": "gate", "to": "vault", "lock": true}}},
    "characters": {
        "hero": {"name": "阿青", "title": "剑客", "job": "剑士", "race": "人类",
                 "hp": {"current": 10, "max": 12}, "skills": [{"name": "白刃", "level": 3}],
                 "attributes": {"力量": 4, "strength": 3}, "area_id": "gate",
                 "items": {"coin": {"name": "铜钱", "count": 5}}},
        "mage": {"name": "白露", "hp": {"current": 6, "max": 6}, "area_id": "gate",
                 "items": {"key": {"name": "钥匙", "count": 1}}},
        "guard": {"name": "Rowan", "hp": {"current": 20, "max": 20}, "area_id": "hall"}},
    "party": ["hero", "mage"], "active_actor": "hero",
    "dialog_types": {"duel": {"extends": "action", "title": {"en": "Duel", "zh": "决斗"},
        "instruction": {"en": "Resolve one exchange of blows.", "zh": "只裁定一个回合的交锋。"},
        "tools": ["roll", "hp_delta"]}},
    "tools": ["move", "hp_delta", "map_generate", "character_generate", "item_transfer", "roll", "time_advance",
              "heal", "set_condition"]
})json";

constexpr std::string_view kOwnTool = R"yaml(
name: ignite
agent_text: {en: Sets an area on fire with oil., zh: 用灯油点燃一个区域。}
human_text: {en: Burns everybody in one area., zh: 区域内所有人受到火焰伤害。}
args:
  area_id: {type: area, about: {en: where, zh: 哪个区域}}
  oil: {type: integer, min: 1, max: 9, about: {en: how much, zh: 用多少}}
reasons:
  not_enough_oil: {en: "Only {0} oil is left.", zh: "灯油只剩 {0} 份。"}
let:
  stock: 灯油 ?? 0
  fire: {roll: 1d6}
conditions:
  - holds: $stock >= $oil
    reason: not_enough_oil
    details: [$stock]
    about: {en: There is enough oil., zh: 灯油足够。}
effect:
  - add: campaign.characters.$who.hp.current
    by: 0 - $fire
    if: campaign.characters.$who.area_id == $area_id
  - set: 灯油
    to: $stock - $oil
check:
  - 灯油 == $stock - $oil
result:
  fire: $fire
)yaml";

// Two greetings; each also tries to write the table, by a path below the card's variables and by
// one from the root. The second has variables of its own.
constexpr std::string_view kCard = R"json({"spec": "chara_card_v2", "spec_version": "2.0", "data": {
    "name": "老灶", "description": "酒馆老板。", "personality": "", "scenario": "",
    "first_mes": "老灶擦着杯子。\n_.set('好感.白露', 4);\n_.set('campaign.settings', {'turn.mode': 'live'});\n{\"op\":\"assign\",\"path\":[\"campaign\",\"settings\"],\"value\":{\"values\":{\"turn.mode\":\"live\"}}}",
    "alternate_greetings": ["<initvar>\n好感: {白露: 9}\n</initvar>雨停了。\n_.set('campaign.goal', null);\n{\"op\":\"assign\",\"path\":[\"campaign\",\"characters\"],\"value\":{}}"],
    "mes_example": "", "creator_notes": "", "system_prompt": "", "post_history_instructions": "",
    "tags": [], "creator": "", "character_version": "1",
    "character_book": {"name": "酒馆", "entries": [
        {"id": 0, "keys": [], "comment": "[initvar]", "enabled": false, "insertion_order": 1, "extensions": {},
         "content": "气血: [10, 当前]\n好感: {白露: 3, $meta: {extensible: false}}\n名单: [甲]\n"},
        {"id": 1, "keys": ["灯塔"], "comment": "灯塔", "enabled": true, "insertion_order": 2, "extensions": {},
         "content": "灯塔早已熄灭。"}]},
    "extensions": {}}})json";

std::string word(Random& random) {
    std::string made;
    for (int i = 0; i < 16; ++i) {
        made += static_cast<char>('a' + random.below(26));
    }
    return made;
}

// Compiled once for each profile: a campaign of its own would cost more than its turns.
const config::World& world_of(const std::string& profile, bool has_book) {
    static std::map<std::pair<std::string, bool>, config::World> worlds;
    const auto found = worlds.find({profile, has_book});
    if (found != worlds.end()) {
        return found->second;
    }
    auto loaded = has_book ? config::load_world(profile, value::parse_json(tests::kBook).value())
                           : config::load_world(profile);
    CHECK(loaded.has_value());
    return worlds.emplace(std::pair(profile, has_book), *std::move(loaded)).first->second;
}

Value table_of(Random& random, Secrets& secrets) {
    Object table = value::parse_json(kTable)->as_object();
    if (random.chance(80)) {
        secrets.goal = word(random);
        const std::string text = "找到 " + secrets.goal + " 并把它带回灯塔";
        table = std::move(table).set(
            "goal", Object{{"ultimate_goal_text", std::string_view(text)}, {"is_hidden", true}});
    }
    if (random.chance(30)) {
        table = std::move(table).set(
            "authority",
            value::parse_json(
                R"([{"path":"角色.气血","tool":"hp_delta","character":"hero"},{"path":"声望"}])")
                .value());
    }
    Object settings;
    if (random.chance(30)) {
        settings =
            std::move(settings).set("turn.mode", random.chance(50) ? "live" : "resolve_first");
    }
    if (random.chance(20)) {
        settings = std::move(settings).set("spend.turn_calls_max", 2);
    }
    if (random.chance(40)) {
        settings = std::move(settings).set("rules.map_replace", true);
    }
    if (random.chance(4)) {
        settings = std::move(settings).set("rollback.max_checkpoints", 0);
    }
    if (random.chance(20)) {
        static const std::vector<std::string> kDialogs = {"action", "rules", "free_chat", "duel"};
        settings =
            std::move(settings).set(table::kDialogSetting, std::string_view(random.pick(kDialogs)));
    }
    if (random.chance(30)) {
        settings = std::move(settings)
                       .set("milestone.policy", "by_summary_version")
                       .set("milestone.threshold", 1)
                       .set("summary.every_turns", 1);
    }
    return std::move(table).set("settings", settings);
}

// The variables of the card, its rules for their structure, and its greeting.
void add_card(SimulatedCampaign& made) {
    static const card::Card kParsed = *card::parse_card(kCard);
    campaign::CampaignSetup& setup = made.setup;
    setup.card = kParsed;
    made.start = *config::initial_state(
        kParsed, campaign::start_options(setup.id, 0, "User", setup.card_options));
    engine::State begun;
    config::begin_with(made.start, setup.world.profile.policy, begun);
    setup.state.document = setup.state.document.as_object().set(
        "stat_data", *begun.document.as_object().find("stat_data"));
    setup.state.meta = begun.meta;
}

}  // namespace

SimulatedCampaign some_campaign(std::string id, Random& random, Coverage& coverage) {
    static const std::vector<std::string> kProfiles = [] {
        std::vector<std::string> all;
        for (const config::EmbeddedFile& each : config::built_in_profiles()) {
            all.emplace_back(each.name);
        }
        return all;
    }();
    SimulatedCampaign made;
    const bool has_card = random.chance(20);
    // The structure of a card's variables is locked under the profiles of MVU.
    const std::string profile = has_card && random.chance(50) ? "mvu-strict"
                                : random.chance(40)           ? "auto"
                                                              : random.pick(kProfiles);
    coverage.count("profile", profile);
    made.has_table = random.chance(60);
    // A client of a card shows its greeting first, which these do not.
    made.has_chat = !has_card && random.chance(15);
    made.has_book = random.chance(40);
    made.setup.id = std::move(id);
    made.setup.name = "雾港";
    made.setup.now = 1'767'225'600'000;
    made.setup.world = world_of(profile, made.has_book);
    Object document = value::parse_json(tests::kWorld)->as_object();
    if (profile.starts_with("memory")) {
        document = rules::with_blueprint(Value(document), made.setup.world.books.at(0)->blueprint)
                       .as_object();
    }
    if (profile.starts_with("tavern") || random.chance(20)) {
        document = std::move(document).set(
            "character",
            value::parse_json(
                R"({"saveData":{"hp":10,"金币":50,"背包":{"剑":1},"任务":[],"日志":["到了"],"v":{"_v":1,"x":1}}})")
                .value());
    }
    if (profile.starts_with("mvu") || random.chance(20)) {
        document = std::move(document).set(
            "stat_data",
            value::parse_json(
                R"({"气血":[10,"当前"],"好感":{"白露":3,"$meta":{"extensible":false}},"名单":["甲"]})")
                .value());
    }
    if (random.chance(70)) {
        made.secrets.hidden = word(random);
        document = std::move(document).set(kHiddenKey,
                                           Object{{"_filter", true},
                                                  {"_showInEJS", false},
                                                  {"内容", std::string_view(made.secrets.hidden)}});
    }
    document = std::move(document)
                   .set("角色", Object{{"气血", 10}})
                   .set("声望", 1)
                   .set("灯油", 5)
                   .set("护符", Object{{"_is_protected", true}, {"n", 1}});
    made.setup.state.document = std::move(document);
    if (made.has_table) {
        made.setup.table = table_of(random, made.secrets);
        if (random.chance(20)) {
            made.setup.tools.push_back({config::TextKind::kTool, "ignite", std::string(kOwnTool)});
        }
    }
    if (random.chance(40)) {
        made.globals = {
            {"milestone.threshold", 2}, {"rules.roll_sides", 6}, {"rules.party_moves", true}};
    }
    if (random.chance(75)) {
        // A turn that is repeated until its retries are used up takes as long as three others.
        made.globals = std::move(made.globals)
                           .set("turn.max_retries", static_cast<std::int64_t>(random.below(2)))
                           .set("conflict.max_retries", static_cast<std::int64_t>(random.below(2)));
    }
    if (random.chance(25)) {
        made.setup.protocols.push_back({"love_system_simple", {}});
    }
    if (random.chance(25)) {
        made.setup.protocols.push_back({"claims", {}});
    }
    if (has_card) {
        add_card(made);
    }
    return made;
}

campaign::SessionOptions session_options(const SimulatedCampaign& made, Random& random) {
    static const config::Protocols kProtocols;
    campaign::SessionOptions options{kProtocols};
    options.language = random.chance(50) ? base::Language::kChinese : base::Language::kEnglish;
    // Small, so that a session that lost its history does not read much of it again.
    options.context_tokens = random.chance(95) ? 300 : 3000;
    options.globals = made.globals;
    return options;
}

}  // namespace arbiter::sim
