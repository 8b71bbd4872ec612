// Goal: the routes of spec/HTTP.md behave as it says, called through the table of routes.
#include <gtest/gtest.h>

#include <filesystem>

#include "proposal/operations.h"
#include "tests/server/api_client.h"

namespace arbiter::server {
namespace {

using value::Object;
using value::Value;

using Api = ApiTest;

TEST_F(Api, CreatesACampaignFromFields) {
    const Answer made = post("/api/v1/campaigns", R"({"id": "a", "name": "雾港", "profile": "json",
        "state": {"hp": 10}, "settings": {"user.name": "Rook"}})");
    ASSERT_EQ(made.status, 201) << made.text;
    EXPECT_EQ(made.word("id"), "a");
    EXPECT_EQ(made.word("name"), "雾港");
    EXPECT_EQ(made.word("profile"), "json");
    EXPECT_EQ(made.header("Location"), "/api/v1/campaigns/a");
    EXPECT_EQ(get("/api/v1/campaigns/a").word("head"), made.word("head"));
    const Answer settings = get("/api/v1/campaigns/a/settings");
    EXPECT_EQ(*settings.at("settings").as_object().find("user.name"), Value("Rook"));
    const Answer again = post("/api/v1/campaigns", R"({"id": "a"})");
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(again.code(), "campaign_exists");
}

TEST_F(Api, CreatesTheDemoAsOftenAsAsked) {
    const Answer first = post("/api/v1/campaigns", R"({"table": "demo"})");
    const Answer second = post("/api/v1/campaigns", R"({"table": "demo"})");
    ASSERT_EQ(first.status, 201) << first.text;
    ASSERT_EQ(second.status, 201) << second.text;
    EXPECT_NE(first.word("id"), second.word("id"));
    const Answer party = get("/api/v1/campaigns/" + first.word("id") + "/party");
    EXPECT_FALSE(party.at("party").as_array().empty());
}

TEST_F(Api, NamesAllMistakesOfATemplate) {
    const Answer made =
        post("/api/v1/campaigns", R"({"table": {"titel": "x", "party": ["nobody"]}})");
    EXPECT_EQ(made.status, 422) << made.text;
    const Value* details = value::find_member(&made.at("error"), "details");
    const Value* mistakes = value::find_member(details, "mistakes");
    ASSERT_NE(mistakes, nullptr) << made.text;
    EXPECT_GE(mistakes->as_array().size(), 2U);
    EXPECT_TRUE(get("/api/v1/campaigns").at("campaigns").as_array().empty());
}

// A profile is a name: a request must not make the server read a file.
TEST_F(Api, ReadsNoFilesForARequest) {
    const Answer made = post("/api/v1/campaigns", R"({"profile": "/etc/passwd"})");
    EXPECT_EQ(made.status, 400);
    EXPECT_EQ(made.code(), "bad_parameter");
}

TEST_F(Api, CreatesACampaignFromAnUploadedCard) {
    const std::string card = R"({"spec": "chara_card_v2", "spec_version": "2.0", "data": {
        "name": "Mei", "description": "A guide.", "first_mes": "Welcome to the mountain."}})";
    net::Request request =
        request_of("POST", "/api/v1/campaigns",
                   "--x\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\nmei\r\n"
                   "--x\r\nContent-Disposition: form-data; name=\"settings\"\r\n\r\n"
                   "{\"user.name\": \"Rook\"}\r\n"
                   "--x\r\nContent-Disposition: form-data; name=\"card\"; "
                   "filename=\"mei.json\"\r\n"
                   "Content-Type: application/json\r\n\r\n" +
                       card + "\r\n--x--\r\n");
    request.headers.set("content-type", "multipart/form-data; boundary=x");
    const Answer made = send(request);
    ASSERT_EQ(made.status, 201) << made.text;
    EXPECT_EQ(made.word("id"), "mei");
    EXPECT_EQ(made.word("name"), "Mei");
    EXPECT_EQ(made.word("greeting"), "Welcome to the mountain.");
    const Answer greetings = get("/api/v1/campaigns/mei/greetings");
    EXPECT_EQ(greetings.at("greetings").as_array().size(), 1U);
    EXPECT_EQ(post("/api/v1/campaigns", R"({"card": {"no": "card"}})").status, 422);
}

TEST_F(Api, ListsDeletesAndRenames) {
    create("a");
    create("b");
    ASSERT_EQ(propose("a", reply("hp", "9")).status, 200);
    const Answer listed = get("/api/v1/campaigns");
    ASSERT_EQ(listed.at("campaigns").as_array().size(), 2U);
    const Value first = listed.at("campaigns").as_array()[0];
    EXPECT_EQ(*value::find_member(&first, "turns"), Value(1));
    EXPECT_EQ(*value::find_member(&first, "updated"), Value("2026-01-01T00:00:00.000Z"))
        << listed.text;
    EXPECT_EQ(send(request_of("PATCH", "/api/v1/campaigns/b", R"({"name": "B"})")).word("name"),
              "B");
    EXPECT_EQ(get("/api/v1/campaigns/b").word("name"), "B");
    EXPECT_EQ(send(request_of("DELETE", "/api/v1/campaigns/a")).status, 204);
    EXPECT_EQ(get("/api/v1/campaigns/a").status, 404);
    EXPECT_EQ(send(request_of("DELETE", "/api/v1/campaigns/a")).code(), "campaign_unknown");
    EXPECT_EQ(get("/api/v1/campaigns/library").status, 404);
}

TEST_F(Api, ShowsTheStateWholeByPathAndAtATurn) {
    create("a");
    const Answer before = get("/api/v1/campaigns/a/state");
    EXPECT_EQ(*value::find_member(&before.at("document"), "hp"), Value(10));
    EXPECT_EQ(before.header("ETag"), "\"" + before.word("hash") + "\"");
    ASSERT_EQ(propose("a", reply("hp", "9")).status, 200);
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(9));
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/items/0").at("value"), Value("rope"));
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp&turn=" + before.word("turn")).at("value"),
              Value(10));
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/mana").status, 404);
    EXPECT_EQ(get("/api/v1/campaigns/a/state?turn=77").code(), "turn_unknown");

    net::Request again = request_of("GET", "/api/v1/campaigns/a/state");
    again.headers.set("if-none-match", get("/api/v1/campaigns/a/state").header("ETag"));
    EXPECT_EQ(send(again).status, 304);
    again.headers.set("if-none-match", before.header("ETag"));
    EXPECT_EQ(send(again).status, 200);
}

TEST_F(Api, ProposesAndTellsWhatBecameOfEachCommand) {
    create("a");
    const Answer done = propose("a", reply("hp", "9") + reply("__proto__", "1"));
    ASSERT_EQ(done.status, 200) << done.text;
    EXPECT_EQ(done.word("turn"), done.word("head"));
    const value::Array results = done.at("results").as_array();
    ASSERT_EQ(results.size(), 2U) << done.text;
    EXPECT_EQ(*value::find_member(&results[0], "status"), Value("applied"));
    EXPECT_EQ(*value::find_member(&results[1], "status"), Value("rejected"));
    EXPECT_EQ(done.at("refused"), Value(true));
    EXPECT_TRUE(done.word("text").starts_with("Well.")) << done.text;
    EXPECT_EQ(value::print_json(done.at("changes")), R"([{"path":"/hp","before":10,"after":9}])");
}

// The form in which answers show instructions, on the same path as the commands of a text.
TEST_F(Api, TakesCommandsInTheirCanonicalForm) {
    create("a");
    const Answer done = post("/api/v1/campaigns/a/propose", R"({"actor": "user", "commands": [
        {"op": "set", "path": ["hp"], "value": 9, "reason": "by hand"},
        {"op": "increment", "path": ["hp"], "value": 2, "arithmetic": "*"},
        {"op": "set", "path": ["a", "constructor"], "value": 1},
        {"op": "move", "path": ["gone"]}]})");
    ASSERT_EQ(done.status, 200) << done.text;
    const value::Array results = done.at("results").as_array();
    ASSERT_EQ(results.size(), 4U) << done.text;
    EXPECT_EQ(*value::find_member(&results[0], "status"), Value("applied"));
    EXPECT_EQ(*value::find_member(&results[1], "status"), Value("applied"));
    EXPECT_EQ(*value::find_member(&results[2], "code"), Value("security_risk"));
    EXPECT_EQ(*value::find_member(&results[3], "code"), Value("bad_path"));
    EXPECT_NE(value::find_member(&results[3], "message_zh"), nullptr) << done.text;
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(18));
    const Answer audit = get("/api/v1/campaigns/a/audit?path=/hp");
    const Value& record = audit.at("records").as_array()[0];
    EXPECT_EQ(*value::find_member(&record, "actor"), Value("user")) << audit.text;
    EXPECT_EQ(*value::find_member(&record, "reason"), Value("by hand")) << audit.text;
    // Undone like any turn.
    EXPECT_EQ(post("/api/v1/campaigns/a/rollback", R"({"to": "head~1"})").status, 200);
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(10));
}

TEST_F(Api, RefusesCommandsThatAreNotInstructions) {
    create("a");
    const auto code = [&](std::string_view body) {
        return post("/api/v1/campaigns/a/propose", std::string(body)).code();
    };
    EXPECT_EQ(code(R"({})"), "field_missing");
    EXPECT_EQ(code(R"({"commands": [{"op": "assign", "path": ["hp"]}]})"), "bad_parameter");
    EXPECT_EQ(code(R"({"commands": [{"op": "set", "path": "hp", "value": 1}]})"), "field_type");
    EXPECT_EQ(code(R"({"commands": [{"op": "set", "path": ["hp"], "vaule": 1}]})"),
              "unknown_field");
    EXPECT_EQ(store->turn_count("a").value(), 1U);
}

// The schema lists the operations that the reader of commands knows.
TEST_F(Api, KnowsEveryOperationAsACommand) {
    create("a");
    for (const proposal::Operation& each : proposal::operations()) {
        const Object command = {{"op", each.name},
                                {"path", value::Array{"list"}},
                                {"from", value::Array{"hp"}},
                                {"value", value::Array{1}}};
        const Answer judged =
            post("/api/v1/campaigns/a/propose",
                 json_of({{"commands", value::Array{command}}, {"dry_run", true}}));
        if (each.op == proposal::Op::kRestore) {
            EXPECT_EQ(judged.code(), "bad_parameter");
            continue;
        }
        ASSERT_EQ(judged.status, 200) << each.name << judged.text;
        const Value& result = judged.at("results").as_array()[0];
        EXPECT_TRUE(value::find_member(&result, "op")->is_string()) << judged.text;
    }
}

TEST_F(Api, MarksPlacesWithTheRuleThatSaysSo) {
    ASSERT_EQ(post("/api/v1/campaigns", R"({"id": "a", "table": "demo"})").status, 201);
    ASSERT_EQ(post("/api/v1/campaigns/a/propose", R"({"actor": "user", "commands": [
        {"op": "set", "path": ["seal"], "value": {"_is_protected": true, "n": 1}},
        {"op": "set", "path": ["secret"], "value": {"_filter": true, "_showInEJS": false, "n": {"_is_protected": true}}}
        ]})")
                  .status,
              200);
    const Answer rules = get("/api/v1/campaigns/a/rules");
    ASSERT_EQ(rules.status, 200) << rules.text;
    const auto mark = [&](std::string_view path) {
        std::string found;
        for (const Value& each : rules.at("marks").as_array()) {
            if (*value::find_member(&each, "path") == Value(path)) {
                const Value* rule = value::find_member(&each, "rule");
                found += std::string(value::find_member(&each, "mark")->as_string()) + " " +
                         (rule != nullptr ? std::string(rule->as_string()) : "") + ";";
            }
        }
        return found;
    };
    EXPECT_EQ(mark("/seal"), "protected _is_protected;");
    EXPECT_EQ(mark("/secret"), "hidden _filter;");
    EXPECT_EQ(mark("/secret/n"), "");
    EXPECT_EQ(mark("/campaign"), "protected ;");
    EXPECT_EQ(mark("/campaign/characters/ali/hp/current"), "protected hp_delta;");
}

TEST_F(Api, JudgesWithoutStoring) {
    create("a");
    const std::string head = get("/api/v1/campaigns/a").word("head");
    const Answer tried = propose("a", reply("hp", "1"), {{"dry_run", true}});
    ASSERT_EQ(tried.status, 200) << tried.text;
    EXPECT_EQ(value::find_member(&tried.json, "turn"), nullptr);
    EXPECT_EQ(tried.word("status"), "judged");
    EXPECT_EQ(value::print_json(tried.at("changes")), R"([{"path":"/hp","before":10,"after":1}])");
    EXPECT_EQ(get("/api/v1/campaigns/a").word("head"), head);
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(10));
    EXPECT_EQ(store->turn_count("a").value(), 1U);
}

TEST_F(Api, CarriesOutARequestWithAKeyOnce) {
    create("a");
    const Object key = {{"idempotency_key", "k1"}};
    const Answer first = propose("a", reply("hp", "9"), key);
    const Answer second = propose("a", reply("hp", "9"), key);
    EXPECT_EQ(first.text, second.text);
    EXPECT_EQ(second.header("Idempotent-Replayed"), "true");
    EXPECT_EQ(propose("a", reply("hp", "8"), key).code(), "key_reused");
    EXPECT_EQ(propose("a", reply("hp", "8"), key).status, 409);
    EXPECT_EQ(store->turn_count("a").value(), 2U);
    // Of another server, which has only the store.
    Host other(*store, options());
    const net::Request again =
        request_of("POST", "/api/v1/campaigns/a/propose",
                   json_of(Object(key).set("text", std::string_view(reply("hp", "9")))));
    const auto match = match_route(again.method, again.path);
    const net::Response response = respond(other, *match, again, {{Scope::kAdmin}, "r2", kNow});
    EXPECT_NE(response.body.find("\"already_stored\":true"), std::string::npos) << response.body;
    EXPECT_EQ(store->turn_count("a").value(), 2U);

    const std::string new_one = R"({"name": "n", "idempotency_key": "k2"})";
    const std::string id = post("/api/v1/campaigns", new_one).word("id");
    EXPECT_EQ(post("/api/v1/campaigns", new_one).word("id"), id);
    const net::Request created = request_of("POST", "/api/v1/campaigns", new_one);
    const net::Response elsewhere =
        respond(other, *match_route("POST", created.path), created, {{Scope::kAdmin}, "r3", kNow});
    EXPECT_EQ(elsewhere.status, 201);
    EXPECT_NE(elsewhere.body.find("\"id\":\"" + id + "\""), std::string::npos);
    EXPECT_EQ(post("/api/v1/campaigns/a/undo", R"({"idempotency_key": ""})").code(),
              "bad_turn_key");
}

TEST_F(Api, ChangesOnlyTheStateThatTheClientSaw) {
    create("a");
    const std::string seen = get("/api/v1/campaigns/a/state").header("ETag");
    net::Request request = request_of("POST", "/api/v1/campaigns/a/propose",
                                      json_of({{"text", std::string_view(reply("hp", "9"))}}));
    request.headers.set("if-match", seen);
    EXPECT_EQ(send(request).status, 200);
    const Answer late = send(request);
    EXPECT_EQ(late.status, 412);
    EXPECT_EQ(late.code(), "state_changed");
    net::Request patch =
        request_of("PATCH", "/api/v1/campaigns/a/settings", R"({"turn.max_retries": 1})");
    patch.headers.set("if-match", seen);
    EXPECT_EQ(send(patch).status, 412);
    patch.headers.set("if-match", "*");
    EXPECT_EQ(send(patch).status, 200);
}

TEST_F(Api, ListsHistoryInPages) {
    create("a");
    for (int hp = 9; hp > 4; --hp) {
        ASSERT_EQ(propose("a", reply("hp", std::to_string(hp))).status, 200);
    }
    ASSERT_EQ(post("/api/v1/campaigns/a/checkpoints", R"({"label": "camp"})").status, 201);
    const auto numbers = [](const Answer& answer) {
        std::string all;
        for (const Value& turn : answer.at("turns").as_array()) {
            all += value::print_json(*value::find_member(&turn, "number")) + " ";
        }
        return all;
    };
    const Answer all = get("/api/v1/campaigns/a/history");
    EXPECT_EQ(numbers(all), "0 1 2 3 4 5 ");
    const Value last = all.at("turns").as_array()[5];
    EXPECT_EQ(*value::find_member(&last, "label"), Value("camp"));
    EXPECT_EQ(*value::find_member(&last, "actor"), Value("ai"));
    EXPECT_EQ(*value::find_member(&last, "shown"), Value("Well.")) << all.text;
    const Answer newest = get("/api/v1/campaigns/a/history?limit=2");
    EXPECT_EQ(numbers(newest), "4 5 ");
    const Value oldest = newest.at("turns").as_array()[0];
    const std::string before(value::find_member(&oldest, "id")->as_string());
    EXPECT_EQ(numbers(get("/api/v1/campaigns/a/history?limit=2&before=" + before)), "2 3 ");
    EXPECT_EQ(get("/api/v1/campaigns/a/history?limit=0").code(), "bad_parameter");
    EXPECT_EQ(get("/api/v1/campaigns/a/history?limit=x").code(), "bad_parameter");
    EXPECT_EQ(get("/api/v1/campaigns/a/history?size=2").code(), "unknown_field");
}

TEST_F(Api, RollsBackUndoesAndBranches) {
    create("a");
    propose("a", reply("hp", "9"));
    const std::string second = propose("a", reply("hp", "8")).word("head");
    const Answer back = post("/api/v1/campaigns/a/rollback", R"({"to": "1"})");
    ASSERT_EQ(back.status, 200) << back.text;
    EXPECT_EQ(back.at("can_undo"), Value(true));
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(9));
    EXPECT_EQ(get("/api/v1/campaigns/a/history").word("undo"), second);
    EXPECT_EQ(post("/api/v1/campaigns/a/undo").word("head"), second);
    EXPECT_EQ(post("/api/v1/campaigns/a/undo").code(), "nothing_to_undo");
    post("/api/v1/campaigns/a/rollback", R"({"to": "1"})");
    propose("a", reply("hp", "7"));
    EXPECT_EQ(get("/api/v1/campaigns/a/branches").at("branches").as_array().size(), 2U);
    EXPECT_EQ(get("/api/v1/campaigns/a/history?all=true").at("turns").as_array().size(), 4U);
    EXPECT_EQ(post("/api/v1/campaigns/a/branch", R"({"to": ")" + second + R"("})").word("head"),
              second);
    EXPECT_EQ(get("/api/v1/campaigns/a/state?path=/hp").at("value"), Value(8));
    EXPECT_EQ(post("/api/v1/campaigns/a/rollback", R"({"to": "nowhere"})").code(), "turn_unknown");
}

TEST_F(Api, ExplainsThePast) {
    create("a");
    const std::string first = propose("a", reply("hp", "9")).word("turn");
    propose("a", reply("mana", "3"));
    const Answer turn = get("/api/v1/campaigns/a/turns/" + first);
    ASSERT_EQ(turn.status, 200) << turn.text;
    EXPECT_EQ(turn.word("turn_id"), "turn_0001");
    EXPECT_EQ(turn.at("verdicts").as_array().size(), 1U);
    EXPECT_EQ(value::print_json(turn.at("changes")), R"([{"path":"/hp","before":10,"after":9}])");
    EXPECT_NE(turn.word("raw").find("assign"), std::string::npos);
    EXPECT_EQ(get("/api/v1/campaigns/a/turns/99").code(), "turn_unknown");
    EXPECT_EQ(value::print_json(get("/api/v1/campaigns/a/diff?from=0&to=2").at("changes")),
              R"([{"path":"/mana","after":3},{"path":"/hp","before":10,"after":9}])");
    EXPECT_EQ(get("/api/v1/campaigns/a/audit").at("records").as_array().size(), 2U);
    EXPECT_EQ(get("/api/v1/campaigns/a/audit?path=/hp&actor=ai&status=applied")
                  .at("records")
                  .as_array()
                  .size(),
              1U);
    EXPECT_EQ(get("/api/v1/campaigns/a/audit?actor=user").at("records").as_array().size(), 0U);
    EXPECT_EQ(get("/api/v1/campaigns/a/audit?from=yesterday").code(), "bad_parameter");
    const Answer blame = get("/api/v1/campaigns/a/blame?path=/hp");
    const value::Array records = blame.at("records").as_array();
    ASSERT_FALSE(records.empty());
    EXPECT_EQ(*value::find_member(&records[records.size() - 1], "turn"),
              Value(std::string_view(first)));
    EXPECT_EQ(get("/api/v1/campaigns/a/blame").code(), "field_missing");
}

TEST_F(Api, PatchesSettingsWhollyOrNotAtAll) {
    create("a");
    const auto patch = [&](const std::string& body) {
        return send(request_of("PATCH", "/api/v1/campaigns/a/settings", body));
    };
    const Answer before = get("/api/v1/campaigns/a/settings");
    EXPECT_EQ(before.at("revision"), Value(0));
    EXPECT_EQ(patch(R"({"turn.max_retries": 1, "turn.mode": "sideways"})").status, 422);
    EXPECT_EQ(patch(R"({"turn.max_retries": 1, "no.such": 1})").code(), "unknown_field");
    EXPECT_EQ(get("/api/v1/campaigns/a/settings").text, before.text);
    const Answer after = patch(R"({"turn.max_retries": 1, "user.name": "Rook"})");
    ASSERT_EQ(after.status, 200) << after.text;
    EXPECT_EQ(*after.at("settings").as_object().find("turn.max_retries"), Value(1));
    EXPECT_EQ(after.at("revision"), Value(1));
    EXPECT_FALSE(after.at("definitions").as_array().empty());
    EXPECT_EQ(post("/api/v1/campaigns/a/type", R"({"type": "rules"})").status, 200);
}

TEST_F(Api, ShowsThePromptWithReasons) {
    create("a");
    const Answer prompt = get("/api/v1/campaigns/a/prompt?said=I%20look+around");
    ASSERT_EQ(prompt.status, 200) << prompt.text;
    EXPECT_NE(prompt.text.find("I look around"), std::string::npos);
    EXPECT_FALSE(prompt.at("blocks").as_array().empty());
    EXPECT_TRUE(prompt.at("tokens").is_int());
    EXPECT_NE(get("/api/v1/campaigns/a/prompt?type=nonsense").status, 200);
}

TEST_F(Api, ExportsAndImportsTheWholeCampaign) {
    create("a");
    propose("a", reply("hp", "9"));
    const Answer archive = get("/api/v1/campaigns/a/export");
    ASSERT_EQ(archive.status, 200);
    EXPECT_EQ(archive.header("Content-Type"), "application/x-ndjson");
    net::Request request = request_of("POST", "/api/v1/import", archive.text);
    request.headers.set("content-type", "application/x-ndjson");
    EXPECT_EQ(send(request).code(), "campaign_exists");
    const std::string head = get("/api/v1/campaigns/a").word("head");
    send(request_of("DELETE", "/api/v1/campaigns/a"));
    const Answer imported = send(request);
    ASSERT_EQ(imported.status, 201) << imported.text;
    EXPECT_EQ(imported.word("id"), "a");
    EXPECT_EQ(imported.word("head"), head);
    send(request_of("DELETE", "/api/v1/campaigns/a"));
    request.body.resize(request.body.size() / 2);
    EXPECT_NE(send(request).status, 201);
    EXPECT_EQ(get("/api/v1/campaigns/a").status, 404);
    create("b");
    const Answer story = get("/api/v1/campaigns/b/export?format=story");
    EXPECT_EQ(story.status, 200);
}

TEST_F(Api, ChangesTheTable) {
    const std::string id = post("/api/v1/campaigns", R"({"table": "demo"})").word("id");
    const std::string at = "/api/v1/campaigns/" + id;
    const Answer characters = get(at + "/characters");
    ASSERT_GE(characters.at("characters").as_object().size(), 2U) << characters.text;
    const std::string actor = characters.word("actor");
    std::string other;
    for (const Value& each : characters.at("party").as_array()) {
        other = each.as_string() != actor ? std::string(each.as_string()) : other;
    }
    ASSERT_FALSE(other.empty());
    const std::string name = json_of({{"character", std::string_view(other)}});
    EXPECT_EQ(post(at + "/party/actor", name).status, 200);
    EXPECT_EQ(get(at + "/party").word("actor"), other);
    EXPECT_NE(post(at + "/party/leave", name).status, 200);  // the actor stays
    post(at + "/party/actor", json_of({{"character", std::string_view(actor)}}));
    EXPECT_EQ(post(at + "/party/leave", name).status, 200);
    EXPECT_EQ(post(at + "/party/join", name).status, 200);
    EXPECT_EQ(post(at + "/party/join", R"({"character": "nobody"})").code(), "not_found");
    EXPECT_EQ(get(at + "/characters/" + other).word("id"), other);
    EXPECT_EQ(get(at + "/characters/nobody").status, 404);
    EXPECT_EQ(send(request_of("PATCH", at + "/characters/" + other, R"({"hp": 1})")).status, 200);
    EXPECT_NE(get(at + "/characters/" + other).text.find("\"current\":1"), std::string::npos);

    EXPECT_EQ(post(at + "/tools/deny", R"({"tools": ["roll"]})").status, 200);
    EXPECT_EQ(get(at + "/tools").text.find("\"roll\"]"), std::string::npos);
    const Answer allowed = post(at + "/tools/allow", R"({"tools": ["roll"]})");
    EXPECT_NE(value::print_json(allowed.at("allowed")).find("\"roll\""), std::string::npos);
    EXPECT_NE(post(at + "/tools/allow", R"({"tools": ["no_such"]})").status, 200);
    EXPECT_TRUE(post(at + "/tools/disable", R"({"tool": "roll", "turns": 3})")
                    .at("disabled_until")
                    .is_int());
    EXPECT_EQ(post(at + "/tools/enable", R"({"tool": "roll"})").status, 200);
    EXPECT_EQ(post(at + "/tools/disable", R"({"tool": "roll", "turns": 0})").code(),
              "bad_parameter");
    EXPECT_EQ(post(at + "/end", R"({"reason": "given_up"})").status, 200);
    EXPECT_EQ(get(at + "/goal").word("ended"), "given_up");
}

TEST_F(Api, SwitchesProtocols) {
    create("a");
    const Answer all = get("/api/v1/protocols");
    ASSERT_FALSE(all.at("protocols").as_array().empty());
    const Answer shown = get("/api/v1/protocols/love_system_simple");
    ASSERT_EQ(shown.status, 200) << shown.text;
    EXPECT_FALSE(shown.word("text").empty());
    EXPECT_EQ(get("/api/v1/protocols/no_such").status, 404);
    const Answer used = post("/api/v1/campaigns/a/protocols", R"({"use": "love_system_simple"})");
    ASSERT_EQ(used.status, 200) << used.text;
    EXPECT_EQ(get("/api/v1/campaigns/a/protocols").at("active").as_array().size(), 1U);
    EXPECT_EQ(post("/api/v1/campaigns/a/protocols", R"({"end": "love_system_simple"})").status,
              200);
    EXPECT_EQ(get("/api/v1/campaigns/a/protocols").at("active").as_array().size(), 0U);
    EXPECT_EQ(post("/api/v1/campaigns/a/protocols", R"({"use": "no_such"})").status, 422);
    EXPECT_EQ(post("/api/v1/campaigns/a/protocols").code(), "field_missing");
}

TEST_F(Api, LetsThePlayerDecideOnAWithheldTurn) {
    create("a");
    EXPECT_EQ(get("/api/v1/campaigns/a/report").code(), "nothing_withheld");
    EXPECT_EQ(post("/api/v1/campaigns/a/report", R"({"choice": "keep"})").status, 409);
    EXPECT_EQ(post("/api/v1/campaigns/a/report", R"({"choice": "dance"})").code(), "bad_parameter");
    campaign::WithheldTurn turn;
    turn.said = "I sleep.";
    turn.result.status = turn::Status::kReported;
    turn.result.report = Object{{"attempts", 2}};
    turn.result.attempt.reading.text = "You sleep.";
    ASSERT_TRUE(host.session("a"));
    host.keep_withheld("a", turn);
    EXPECT_EQ(get("/api/v1/campaigns/a/report").word("said"), "I sleep.");
    EXPECT_EQ(post("/api/v1/campaigns/a/report", R"({"choice": "edit"})").code(), "field_missing");
    const Answer done =
        post("/api/v1/campaigns/a/report", R"({"choice": "edit", "text": "You lie awake."})");
    ASSERT_EQ(done.status, 200) << done.text;
    EXPECT_EQ(done.word("status"), "committed");
    EXPECT_NE(get("/api/v1/campaigns/a/history").text.find("You lie awake."), std::string::npos);
}

TEST(ApiBackup, CopiesTheStoreIntoTheDataFolder) {
    const std::filesystem::path folder =
        std::filesystem::path(testing::TempDir()) / "arbiter-api-backup";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    {
        const auto store = ledger::open_store("sqlite:" + (folder / "s.db").string()).value();
        HostOptions options{campaign::SessionOptions{config::Protocols()}};
        options.workers = 1;
        options.data_folder = folder.string();
        Host host(*store, options);
        const auto send = [&](const std::string& body) {
            net::Request request;
            request.method = "POST";
            request.path = "/api/v1/backup";
            request.body = body;
            request.headers.set("content-type", "application/json");
            return respond(host, *match_route("POST", request.path), request,
                           {{Scope::kAdmin}, "r", kNow});
        };
        EXPECT_EQ(send("{}").status, 201);
        EXPECT_EQ(send(R"({"name": "mine"})").status, 201);
        EXPECT_TRUE(std::filesystem::exists(folder / "mine.db"));
        EXPECT_EQ(send(R"({"name": "../mine"})").status, 400);
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace arbiter::server
