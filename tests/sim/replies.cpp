#include "tests/sim/replies.h"

#include "tests/sim/setup.h"
#include "value/json.h"
#include "writer/writer.h"

namespace arbiter::sim {

using value::Object;
using value::Value;

namespace {

const std::vector<std::string> kPeople = {"hero", "mage", "guard", "阿青", "ghost"};
const std::vector<std::string> kPlaces = {"gate", "hall", "vault", "isle", "area_1"};
const std::vector<std::string> kWords = {"amber", "bridge", "candle", "ember",  "forest", "garnet",
                                         "ivory", "kettle", "north",  "pebble", "quiet",  "river",
                                         "雨",    "灯塔",   "脚步",   "雾",     "石阶",   "海风"};

// A node doubled beyond the weight that a document may have, and taken away again.
std::string doubled() {
    std::string all = R"(<JSONPatch>[{"op":"add","path":"/倍","value":{"x":[1,2,3]}})";
    for (int i = 0; i < 24; ++i) {
        all += R"(,{"op":"copy","from":"/倍","path":"/倍/)" + std::to_string(i) + "\"}";
    }
    return all + R"(,{"op":"remove","path":"/倍"}]</JSONPatch>)";
}

std::string json_text(std::string_view text) {
    return value::print_json(Value(text));
}

}  // namespace

std::string Replies::id(std::string_view prefix) {
    return std::string(prefix) + std::to_string(random_.below(1000));
}

std::size_t Replies::few() {
    if (random_.chance(20)) {
        return 2 + random_.below(4);
    }
    return random_.chance(70) ? 1 : 0;
}

Replies::Call Replies::call() {
    const std::string who = json_text(random_.pick(kPeople));
    const std::string where = json_text(random_.pick(kPlaces));
    const std::string n = std::to_string(static_cast<int>(random_.below(9)) - 5);
    switch (random_.below(14)) {
        case 0:
        case 1:
            return {"move", "{\"actor_id\":" + who + ",\"to_area_id\":" + where +
                                (random_.chance(20) ? ",\"path_id\":\"p2\"" : "") +
                                (random_.chance(20) ? ",\"from_area_id\":\"gate\"" : "") + "}"};
        case 2:
        case 3:
            return {"hp_delta",
                    "{\"target_character_id\":" + who + ",\"delta\":" + n + ",\"cause\":\"x\"}"};
        case 4: {
            static const std::vector<std::string> kRolls = {
                R"({"dice":"3d6","purpose":"x"})",
                R"({"dice":"0d0","purpose":"x"})",
                R"({"pool":"力量;白刃","character_id":"hero","difficulty":2,"purpose":"x"})",
                R"({"pool":"运气","purpose":"x"})",
                R"({"purpose":"x"})",
                R"({"dice":"1d6","pool":"力量","purpose":"x"})"};
            return {"roll", random_.pick(kRolls)};
        }
        case 5:
        case 6: {
            static const std::vector<std::string> kItems = {"coin", "key", "lamp", "nothing"};
            const std::string to = random_.chance(50) ? who : json_text(random_.pick(kPlaces));
            return {"item_transfer", "{\"from_id\":" + json_text(random_.pick(kPeople)) +
                                         ",\"to_id\":" + to +
                                         ",\"item_id\":" + json_text(random_.pick(kItems)) +
                                         (random_.chance(50) ? ",\"count\":" + n : "") + "}"};
        }
        case 7:
            return {"character_generate",
                    "{\"name\":\"n" + n + "\"" +
                        (random_.chance(30) ? ",\"area_id\":" + where : std::string()) +
                        (random_.chance(20) ? ",\"attributes\":{\"力量\":" + n + "}" : "") + "}"};
        case 8: {
            static const std::vector<std::string> kTimes = {
                R"({"to":"开阳历 230 年 3 月 初六 日出","event":"天亮了"})",
                R"({"to":"开阳历 229 年 3 月 初六 日出","event":"天亮了"})",
                R"({"days":2,"event":"x"})", R"({"to":"某日","event":"x"})", R"({"event":"x"})"};
            return {"time_advance", random_.pick(kTimes)};
        }
        case 9:
            return {"map_generate", "{\"size\":" + n + ",\"seed\":3}"};
        case 10:
            return {"heal",
                    "{\"target_character_id\":" + who + ",\"amount\":" + n + ",\"cause\":\"x\"}"};
        case 11: {
            static const std::vector<std::string> kStates = {"alive", "downed", "unconscious",
                                                             "alive", "alive",  "dead"};
            static const std::vector<std::string> kFlags = {"poisoned", "blessed", "tired"};
            return {"set_condition",
                    "{\"target_character_id\":" + who +
                        (random_.chance(50) ? ",\"alive_state\":" + json_text(random_.pick(kStates))
                                            : ",\"add_flag\":" + json_text(random_.pick(kFlags))) +
                        (random_.chance(90) ? ",\"cause\":\"x\"}" : "}")};
        }
        case 12:
            return {"ignite", "{\"area_id\":" + where + ",\"oil\":" + n + "}"};
        default:
            return {random_.chance(50) ? "summon" : "move", R"({"size":4})"};
    }
}

std::vector<prompt::NativeToolCall> Replies::calls() {
    std::vector<prompt::NativeToolCall> made;
    while (made.size() < 4 && random_.chance(25)) {
        auto [tool, args] = call();
        made.push_back({id("n"), tool, random_.chance(5) ? args.substr(1) : args});
    }
    return made;
}

std::vector<proposal::Proposal> Replies::proposals(bool has_timers) {
    std::vector<proposal::Proposal> made;
    std::uint32_t batch = 100;
    bool transaction = false;
    for (std::size_t i = few(); i > 0; --i) {
        if (random_.chance(50)) {
            ++batch;
            transaction = random_.chance(30);
        }
        if (random_.chance(25)) {
            auto [tool, args] = call();
            proposal::Proposal each;
            each.dialect = proposal::Dialect::kTool;
            each.verb = tool;
            each.what = proposal::ToolCall{value::Str(id("h")),
                                           value::Str(tool),
                                           value::parse_json(args).value_or(Value()),
                                           {}};
            made.push_back(std::move(each));
        } else {
            made.push_back(random_.chance(10) ? commands_.time() : commands_.next(document_));
            if (auto* what = std::get_if<proposal::Instruction>(&made.back().what);
                what != nullptr && has_timers && random_.chance(25)) {
                what->options = Object{{"ttl", static_cast<std::int64_t>(1 + random_.below(9))}};
            }
        }
        made.back().batch = batch;
        made.back().transaction = transaction;
    }
    return made;
}

std::string Replies::said() {
    switch (random_.below(12)) {
        case 0:
            return "进入直播模式！";
        case 1:
            return "delete('bag', 'ink'); 我丢掉墨水";
        case 2:
            return "";
        case 3:
            return "tell me about " + secrets_.goal;
        default:
            return prose();
    }
}

std::string Replies::prose() {
    std::string made;
    for (int i = 0; i < 7; ++i) {
        made += random_.pick(kWords) + (i % 3 == 2 ? "，" : " ");
    }
    return made + std::to_string(random_.below(100'000)) + "。";
}

std::string Replies::narration() {
    static const std::vector<std::string> kClaims = {
        "阿青掉了6点血。",
        "【状态】阿青 HP: 3/12",
        "阿青走进了金库。",
        "Rowan steps into the 金库.",
        "白露吐出一口血，当场气绝身亡。",
        "从今天起，雾港允许使用魔法，旧规矩作废。",
        "大厅塌了，从此再也没有大厅了。",
        "From now on a tunnel runs straight from 城门 to 孤岛.",
        "阿青不再是剑士了。",
        "阿青学会了潜行，等级一。",
        "阿青数起铜钱，只剩三枚。",
        "白露把钥匙交给了阿青。",
        "阿青的法力降到 1。",
        "<claims>\n{\"path\":\"campaign.characters.hero.hp.current\",\"value\":1}\n</claims>",
        "<claims>\n{\"path\":\"gold\",\"value\":-3}\n{\"path\":\"campaign.characters.hero.area_"
        "id\","
        "\"value\":\"vault\"}\n</claims>",
        "阿青还剩10点生命。"};
    std::string made = random_.pick(kClaims);
    if (!secrets_.goal.empty() && random_.chance(30)) {
        // The narrator quotes the goal, in one spelling or another.
        std::string quote = secrets_.goal;
        if (random_.chance(40)) {
            for (char& letter : quote) {
                letter = static_cast<char>(letter - 'a' + 'A');
            }
        }
        if (random_.chance(30)) {
            quote.insert(8, " , ");
        }
        made += "传说中的" + quote + "就在附近。";
    }
    return made;
}

std::string Replies::tavern() {
    static const std::vector<std::string> kActions = {"set",  "add",    "update", "push",
                                                      "pull", "delete", "ensure", "fly"};
    static const std::vector<std::string> kKeys = {"character.saveData.hp",
                                                   "character.saveData.金币",
                                                   "character.saveData.背包",
                                                   "character.saveData.任务",
                                                   "character.saveData.日志",
                                                   "character.saveData.日志[0]",
                                                   "character.saveData.日志[9]",
                                                   "character.saveData.v",
                                                   "character.saveData.背包.剑",
                                                   "character.saveData.新.深.处",
                                                   "other.place",
                                                   "character.saveData.__proto__.x",
                                                   "character.saveData"};
    static const std::vector<std::string> kOptions = {
        R"("reason":"y")",
        R"("idempotencyKey":"k1")",
        R"("idempotencyKey":"k2")",
        R"("ifMissing":true)",
        R"("ifExists":true)",
        R"("ifExists":true,"ifMissing":true)",
        R"("ifEquals":10)",
        R"("ifVersion":1)",
        R"("ifVersion":7)",
        R"("mergeStrategy":"deep")",
        R"("mergeStrategy":"replace")",
        R"("uniqueBy":"id")",
        R"("dedupe":true)",
        R"("position":"head")",
        R"("limit":2)",
        R"("where":{"id":{">":0}})",
        R"("where":{"regex":"(a+)+$"})",
        R"("count":1)",
        R"("softDelete":true)",
        R"("cascade":false)",
        R"("allowMissing":true)",
        R"("onConflict":"merge")",
        R"("onConflict":"ignore")",
        R"("tags":["x"])",
        R"("ttl":5)",
        R"("expiresAt":"2026-01-02T00:00:00Z")",
        R"("ttl":5,"expiresAt":"2026-01-02T00:00:00Z")",
        R"("expect":{"exists":true})",
        R"("expect":{"equals":3})",
        R"("transaction":true)",
        R"("versionScope":"ancestors")",
        R"("colour":1)",
        R"("ttl":"soon")"};
    std::string options;
    while (random_.chance(40)) {
        options += (options.empty() ? "" : ",") + random_.pick(kOptions);
    }
    const auto one = [&] {
        return "{\"action\":" + json_text(random_.pick(kActions)) +
               ",\"key\":" + json_text(random_.pick(kKeys)) +
               (random_.chance(85) ? ",\"value\":" + value::print_json(commands_.thing(2)) : "") +
               (options.empty() ? "" : ",\"options\":{" + options + "}") + "}";
    };
    switch (random_.below(4)) {
        case 0:
            return one();
        case 1:
            return "```json\n[" + one() + "," + one() + "]\n```";
        case 2:
            return "{\"text\":\"雾散了\",\"transaction\":true,\"tavern_commands\":[" + one() + "," +
                   one() + "]}";
        default:
            return "[" + one() + ", 7, {\"key\":\"character.saveData.hp\"}]";
    }
}

std::string Replies::written() {
    std::vector<proposal::Proposal> some;
    for (std::size_t i = 1 + random_.below(3); i > 0; --i) {
        some.push_back(commands_.next(document_));
    }
    const auto form =
        static_cast<writer::Form>(random_.below(static_cast<std::size_t>(writer::Form::kDirect)));
    std::string all;
    for (const proposal::Proposal& each : some) {
        if (const auto one = writer::write(std::span(&each, 1), form)) {
            all += *one + "\n";
        }
    }
    return all;
}

// Replies that lead to what random ones rarely meet.
std::string Replies::rare() {
    static const std::vector<std::string> kRare = {
        "<story_summary>\n他们走了很远。\n勿忘：灯塔\n事实：雾 = 浓\n</story_summary>",
        "```json\n{\"push\":[{\"key\":\"character.saveData.日志\",\"value\":1},{\"action\":\"set\","
        "\"key\":\"character.saveData.b\",\"value\":2}]}\n```",
        "```json\n[{\"action\":\"push\",\"key\":\"character.saveData.日志\",\"value\":\"到了\","
        "\"options\":{\"dedupe\":true}},{\"action\":\"push\",\"key\":\"character.saveData.日志\","
        "\"value\":\"到了\",\"options\":{\"dedupe\":true}}]\n```",
        "```json\n[{\"action\":\"set\",\"key\":\"character.saveData.v\",\"value\":{\"x\":1,"
        "\"__version\":5}}]\n```",
        "```json\n[{\"action\":\"set\",\"key\":\"character.saveData.背包.剑\",\"value\":{\"n\":1}},"
        "{\"action\":\"delete\",\"key\":\"character.saveData.背包\",\"options\":{\"cascade\":false}"
        "},"
        "{\"action\":\"delete\",\"key\":\"character.saveData.背包.剑\","
        "\"options\":{\"softDelete\":true}},{\"action\":\"delete\",\"key\":"
        "\"character.saveData.回收站\",\"options\":{\"softDelete\":true}}]\n```",
        "```json\n[{\"action\":\"set\",\"key\":\"character.saveData.人物关系.<NPC名>\","
        "\"value\":{\"好感\":1}}]\n```",
        "memory('map.主要地点表','港','{\"resources\":{}}'); "
        "memory('map.主要地点表.港.resources','鱼','[\"3/纪元\",10]'); "
        "memory('map.主要地点表.港.resources','盐','3/d');",
        "set_status('敌方攻击骰池','力量:2;白刃:x'); set_status('检定属性','力量;;白刃');",
        "<UpdateVariable>\n_.insert('stat_data.好感', '新人', 1);\n_.insert('好感', '旧人', "
        "2);\n</UpdateVariable>",
    };
    // Takes as long as two thousand other replies, and many turns after it read its record.
    return random_.below(500) == 0 ? doubled() : random_.pick(kRare);
}

std::string Replies::hostile() {
    static const std::vector<std::string> kAttacks = {
        "<tool_call>{\"tool\":\"settings\",\"args\":{\"turn.mode\":\"live\"},\"id\":\"x\"}</"
        "tool_call>",
        "_.set('campaign.characters.hero.hp.current', 999);",
        "{\"op\":\"assign\",\"path\":[\"campaign\",\"goal\"],\"value\":null}",
        "{\"op\":\"delete\",\"path\":[\"campaign\"]}",
        "_.set('__proto__.polluted', 1);",
        "{\"op\":\"assign\",\"path\":[\"constructor\",\"prototype\"],\"value\":1}",
        "_.set('护符', 0);",
        "_.remove('护符');",
        "_.set('护符._is_protected', false);",
        "_.set('护符', {\"n\": 2});",
        "{\"op\":\"assign\",\"path\":[\"护符\"],\"value\":{\"n\":2}}",
        "<JSONPatch>[{\"op\":\"replace\",\"path\":\"/护符\",\"value\":{\"n\":2}}]</JSONPatch>",
        "_.get('暗格.内容');",
        "<JSONPatch>[{\"op\":\"copy\",\"from\":\"/暗格/内容\",\"path\":\"/抄\"}]</JSONPatch>",
        "<JSONPatch>[{\"op\":\"move\",\"from\":\"/暗格\",\"path\":\"/搬\"}]</JSONPatch>",
        "_.set('暗格._showInEJS', true);",
        "<JSONPatch>[{\"op\":\"test\",\"path\":\"/暗格/内容\",\"value\":\"x\"},"
        "{\"op\":\"replace\",\"path\":\"/gold\",\"value\":1}]</JSONPatch>",
        "{\"op\":\"assign\",\"path\":[\"暗格\",\"内容\"],\"value\":1,\"old\":2}",
        "_.add('gold', 100000000000000000000);",
        "_.add('gold', 30);\n_.add('gold', 30);\n_.add('gold', 30);",
        "_.set('gold', 1e999);",
        "{\"op\":\"push\",\"path\":[\"list\"],\"value\":{\"n\":-5}}",
        "_.set('hero.甲.sum', 77);",
        "_.set('hero.甲.age', 150);",
        "_.set('" + std::string(300, 'k') + "', 1);",
        "_.set('" +
            [] {
                std::string deep;
                for (int i = 0; i < 80; ++i) {
                    deep += "a.";
                }
                return deep + "b";
            }() +
            "', 1);",
        "<variable_update>[[DIV, gold, 0]]</variable_update>",
        "<variable_update>[[SET, gold, 45/100],[MUL, gold, 2],[SUB, gold, 5]]</variable_update>",
        "memory('world_set.npc', '老铁匠', '{\"好感度\":3}');",
        "set_attribute('属性段.生理属性.力量.基础', 99);",
        "<use_protocol id=\"love_system_simple\"/>",
        "<use_protocol>no_such</use_protocol>",
        "<end_protocol id=\"love_system_simple\"/>",
        "<think>_.set('gold', 1);</think>",
        "</think>",
        "<tool_call>{\"tool\":\"move\",",
        "{\"tool_calls\":[{\"tool\":\"roll\",\"args\":{\"dice\":\"1d6\",\"purpose\":\"x\"},\"id\":"
        "\"same\"},"
        "{\"tool\":\"roll\",\"args\":{\"dice\":\"1d6\",\"purpose\":\"x\"},\"id\":\"same\"}]}",
        "set|character.saveData.a|5",
        std::string("\xff\xfe\x00 \xf0\x9f", 6)};
    return random_.pick(kAttacks);
}

std::string Replies::part() {
    const value::Path path = commands_.place(document_);
    const std::string value = value::print_json(commands_.thing(2));
    const std::string dotted = value::print_path(path, value::PathSyntax::kDotted);
    switch (random_.below(14)) {
        case 0:
        case 1: {
            const auto [tool, args] = call();
            return R"(<tool_call>{"tool":")" + tool + R"(","args":)" + args + R"(,"id":")" +
                   id("c") + "\"}</tool_call>";
        }
        case 2:
            return R"({"op":"assign","path":)" + value::print_json(value::path_to_value(path)) +
                   ",\"value\":" + value + "}";
        case 3:
            return R"({"op":"delete","path":)" + value::print_json(value::path_to_value(path)) +
                   "}";
        case 4:
            return "_.set('" + dotted + "', " + value + ");//因为";
        case 5:
            return "_.add('" + dotted + "', " + std::to_string(random_.below(9)) + ");";
        case 6:
            return "<JSONPatch>[{\"op\":\"replace\",\"path\":" +
                   json_text(value::print_path(path, value::PathSyntax::kPointer)) +
                   ",\"value\":" + value + "}]</JSONPatch>";
        case 7:
            return tavern();
        case 8:
        case 9:
            return written();
        case 10:
        case 11:
            return hostile();
        case 12:
            return random_.chance(60) ? narration() : rare();
        default:
            return prose();
    }
}

std::string Replies::spoilt(std::string text) {
    switch (random_.below(6)) {
        case 0:
            return text.substr(0, random_.below(text.size() + 1));
        case 1:
            text.insert(random_.below(text.size() + 1), 1, static_cast<char>(random_.below(256)));
            return text;
        case 2:
            return "```\n" + text + "\n```";
        case 3:
            return "“" + text + "”";
        case 4:
            return text + text;
        default: {
            const std::size_t at = random_.below(text.size() + 1);
            return text.erase(at, random_.below(4));
        }
    }
}

// One number again and again, with other things between: calls and commands are judged apart, and
// the limits of a turn count all of them.
std::string Replies::insistent() {
    const std::string step = std::to_string(20 + random_.below(30));
    const std::string change =
        random_.chance(70) ? "\n_.add('gold', " + step + ");\n"
                           : "\n<variable_update>[[ADD, gold, " + step + "]]</variable_update>\n";
    std::string all = prose() + change;
    for (std::size_t i = 1 + random_.below(2); i > 0; --i) {
        const auto [tool, args] = call();
        all += random_.chance(60) ? R"(<tool_call>{"tool":")" + tool + R"(","args":)" + args +
                                        R"(,"id":")" + id("i") + "\"}</tool_call>"
                                  : part();
        all += change;
    }
    return all;
}

std::string Replies::text() {
    if (random_.chance(4)) {
        return insistent();
    }
    const std::size_t parts = few();
    // Some replies are commands only.
    std::string all = parts == 0 || random_.chance(35) ? prose() : "";
    for (std::size_t i = 0; i < parts; ++i) {
        all += "\n" + part();
    }
    return random_.chance(8) ? spoilt(std::move(all)) : all;
}

}  // namespace arbiter::sim
