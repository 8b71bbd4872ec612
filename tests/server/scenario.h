// A campaign with a hidden goal, a hidden node and a secret in a raw reply, and requests that reach
// every route of the table on it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/server/api_client.h"

namespace arbiter::server {

// A request and its status at the scope of its route.
struct Step {
    std::string method;
    std::string target;
    std::string body = {};
    int status = 200;
};

inline constexpr std::string_view kGoalSecret = "Betray the lighthouse keeper before dawn";
inline constexpr std::string_view kNodeSecret = "vault-code-7719";
inline constexpr std::string_view kOldNodeSecret = "vault-code-0042";
inline constexpr std::string_view kCellarSecret = "cellar-depth-31";
inline constexpr std::string_view kRawSecret = "whisper-raw-5521";

// Looks into a hidden node and around it, and puts the rope into the recycle bin.
inline constexpr std::string_view kInspection = R"(```json
{"text": "A look around.",
 "tavern_inspect": [{"key": "character.saveData.cellar"}, {"key": "character.saveData.cellar.depth"},
                    {"key": "character.saveData"}],
 "tavern_commands": [{"action": "delete", "key": "character.saveData.rope",
                      "options": {"softDelete": true, "reason": "frayed"}}]}
```)";

class Scenario : public ApiTest {
  protected:
    void SetUp() override {
        const std::string table = R"("table": {"title": "Harbour", "seed": 7,
            "map": {"id": "m", "areas": {"gate": {"name": "Gate"}, "hall": {"name": "Hall"}},
                    "paths": {"p1": {"from": "gate", "to": "hall"}}},
            "characters": {"hero": {"name": "Ann", "hp": {"current": 10, "max": 12}, "area_id": "gate"},
                           "mage": {"name": "Bo", "hp": {"current": 6, "max": 6}, "area_id": "gate"}},
            "party": ["hero", "mage"], "active_actor": "hero", "tools": ["roll", "move"]})";
        const std::string card =
            R"("card": {"spec": "chara_card_v2", "spec_version": "2.0", "data": {
            "name": "Mei", "first_mes": "Welcome.", "alternate_greetings": ["Good evening."]}})";
        done(post("/api/v1/campaigns",
                  R"({"id": "s", "name": "Story", "profile": "auto", "state": {"coins": 3,
                      "vault": {"_filter": true, "_showInEJS": false, "code": ")" +
                      std::string(kOldNodeSecret) + R"(", "door": "oak"},
                      "lamp": {"oil": 2}, "character": {"saveData": {"rope": {"length": 20}, "cellar":
                          {"_filter": true, "_showInEJS": false, "depth": ")" +
                      std::string(kCellarSecret) + R"("}}}}, )" + table + "}"));
        done(post("/api/v1/campaigns", R"({"id": "g", )" + card + "}"));
        done(post("/api/v1/campaigns/s/goal", json_of({{"text", kGoalSecret}, {"hidden", true}})));
        const auto reply = [&](const std::string& commands) {
            return "<thinking>" + std::string(kRawSecret) +
                   "</thinking>\nThe story wants to: " + std::string(kGoalSecret) + ".\n```json\n" +
                   commands + "\n```\n";
        };
        // The player's own hand may write what the model cannot see.
        done(propose("s",
                     reply(R"([{"op": "assign", "path": ["vault", "code"], "value": ")" +
                           std::string(kNodeSecret) + R"("},
                                   {"op": "assign", "path": ["coins"], "value": 5}])"),
                     {{"said", "I count the coins."}}));
        done(propose("s", reply(R"([{"op": "assign", "path": ["vault", "code"], "old": "wrong",
                                    "value": "x"}, {"op": "assign", "path": ["coins"], "value": 4}])")));
        done(propose("s", std::string(kInspection)));
        done(post("/api/v1/campaigns/s/checkpoints", R"({"label": "camp"})"));
        campaign::WithheldTurn withheld;
        withheld.said = "I wonder: " + std::string(kGoalSecret) + "?";
        withheld.result.status = turn::Status::kReported;
        withheld.result.report = value::Object{{"attempts", 2}, {"notice", kGoalSecret}};
        withheld.result.attempt.reading.text = "The keeper sleeps.";
        host.keep_withheld("s", withheld);
    }

    static std::vector<Step> reads() {
        const std::string s = "/api/v1/campaigns/s";
        return {{"GET", "/api/v1/campaigns"},
                {"GET", s},
                {"GET", s + "/state"},
                {"GET", s + "/state?path=/vault"},
                {"GET", s + "/state?path=/vault/code"},
                {"GET", s + "/state?turn=1"},
                {"GET", s + "/state?turn=0&path=/vault"},
                {"GET", s + "/history"},
                {"GET", s + "/history?all=true&limit=3"},
                {"GET", s + "/turns/0"},
                {"GET", s + "/turns/1"},
                {"GET", s + "/turns/2"},
                {"GET", s + "/turns/head"},
                {"GET", s + "/diff?from=0"},
                {"GET", s + "/audit"},
                {"GET", s + "/audit?path=/vault"},
                {"GET", s + "/blame?path=/vault/code"},
                {"GET", s + "/blame?path=/vault"},
                {"GET", s + "/checkpoints"},
                {"GET", s + "/branches"},
                {"GET", s + "/settings"},
                {"GET", s + "/report"},
                {"GET", s + "/export"},
                {"GET", s + "/export?format=story"},
                {"GET", s + "/characters"},
                {"GET", s + "/characters/hero"},
                {"GET", s + "/party"},
                {"GET", s + "/tools"},
                {"GET", s + "/goal"},
                {"GET", s + "/protocols"},
                {"GET", s + "/bin"},
                {"GET", s + "/worlds"},
                {"GET", "/api/v1/campaigns/g/greetings"},
                {"GET", "/api/v1/tools"},
                {"GET", "/api/v1/settings"},
                {"GET", "/api/v1/protocols"},
                {"GET", "/api/v1/protocols/love_system_simple"},
                {"GET", "/api/v1/profiles"},
                {"GET", "/v1/models"},
                {"GET", "/models"},
                {"GET", "/c/s/v1/models"},
                {"GET", "/c/s/models"},
                {"GET", "/healthz"},
                {"GET", "/"},
                {"GET", "/assets/none.js", "", 404},
                {"GET", "/metrics"},
                {"GET", "/api/v1/openapi.json"}};
    }
    static std::vector<Step> writes() {
        const std::string s = "/api/v1/campaigns/s";
        return {
            {"GET", s + "/prompt?said=Well"},
            {"GET", s + "/prompt?said=Well&turn=1"},
            {"GET", s + "/rules"},
            {"POST", s + "/report", R"({"choice": "keep"})"},
            {"POST", s + "/propose", json_of({{"text", kInspection}, {"dry_run", true}})},
            {"POST", s + "/propose",
             R"({"actor": "user", "dry_run": true, "commands": [{"op": "get", "path": ["vault"]}]})"},
            {"POST", s + "/propose",
             json_of(
                 {{"text",
                   "```json\n"
                   "[{\"op\": \"assign\", \"path\": [\"vault\", \"door\"], \"value\": \"iron\"},"
                   "{\"op\": \"assign\", \"path\": [\"vault\", \"code\"], \"old\": \"no\", "
                   "\"value\": 1}]\n```"}})},
            {"POST", s + "/propose", R"({"text": "Done.", "actor": "user"})"},
            {"PATCH", s + "/settings", R"({"turn.max_retries": 1})"},
            {"PATCH", s + "/settings", R"({"turn.max_retries": "many"})", 422},
            {"POST", s + "/type", R"({"type": "rules"})"},
            {"POST", s + "/checkpoints", R"({"label": "later"})", 201},
            {"POST", s + "/rollback", R"({"to": "1"})"},
            {"POST", s + "/undo"},
            {"POST", s + "/branch", R"({"to": "2"})"},
            {"POST", s + "/branch", R"({"to": "later"})"},
            {"POST", s + "/party/actor", R"({"character": "mage"})"},
            {"POST", s + "/party/leave", R"({"character": "hero"})"},
            {"POST", s + "/party/join", R"({"character": "hero"})"},
            {"POST", s + "/tools/allow", R"({"tools": ["hp_delta"]})"},
            {"POST", s + "/tools/deny", R"({"tools": ["hp_delta"]})"},
            {"POST", s + "/tools/disable", R"({"tool": "roll", "turns": 2})"},
            {"POST", s + "/tools/enable", R"({"tool": "roll"})"},
            {"POST", s + "/protocols", R"({"use": "love_system_simple"})"},
            {"POST", s + "/protocols", R"({"end": "love_system_simple"})"},
            {"POST", s + "/restore", R"({"what": "character.saveData.rope"})"},
            {"POST", s + "/worlds/restore", R"({"world": "no such world"})", 404},
            {"POST", "/api/v1/campaigns/g/greeting", R"({"greeting": 1})"},
            {"PATCH", s, R"({"name": "Tale"})"},
            {"POST", s + "/goal", R"({"text": "Another goal for all of us"})", 409},
            {"POST", s + "/end", R"({"reason": "given_up"})"},
            {"POST", "/api/v1/campaigns", R"({"id": "t", "table": "demo"})", 201}};
    }
    // The route of a step.
    static const Route& route_of(const Step& step) {
        const net::Request request = request_of(step.method, step.target);
        const auto match = match_route(request.method, request.path);
        EXPECT_TRUE(match) << step.target;
        return *match->route;
    }

  private:
    static void done(const Answer& answer) { ASSERT_LT(answer.status, 300) << answer.text; }
};

}  // namespace arbiter::server
