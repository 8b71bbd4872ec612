// Goal: requests that no handler should see are refused in the one documented shape, and every
// route is denied below its scope.
#include "server/routes.h"

#include <gtest/gtest.h>

#include <set>

#include "server/schema.h"
#include "server/schemas.h"
#include "tests/server/api_client.h"

namespace arbiter::server {
namespace {

using value::Object;
using value::Value;

class Routes : public ApiTest {
  protected:
    void expect_error(const Answer& answer, int status, std::string_view code) {
        EXPECT_EQ(answer.status, status) << answer.text;
        EXPECT_EQ(answer.code(), code) << answer.text;
        const auto fits = check_named(answer.json, "Error");
        EXPECT_TRUE(fits) << answer.text;
        const Value* chinese = value::find_member(&answer.at("error"), "message_zh");
        EXPECT_NE(*chinese, *value::find_member(&answer.at("error"), "message"));
    }
};

TEST_F(Routes, RefusesWhatIsNotARoute) {
    expect_error(get("/api/v1/nothing"), 404, "route_unknown");
    expect_error(get("/api/v1/campaigns/"), 404, "route_unknown");
    expect_error(get("/api/v1/campaigns/%zz"), 400, "url_malformed");
    const Answer wrong = send(request_of("PUT", "/api/v1/campaigns"));
    expect_error(wrong, 405, "method_not_allowed");
    EXPECT_EQ(wrong.header("Allow"), "GET, HEAD, POST");
    EXPECT_EQ(send(request_of("HEAD", "/api/v1/campaigns")).status, 200);
}

TEST_F(Routes, RefusesBodiesThatItDoesNotUnderstand) {
    create("a");
    const std::string target = "/api/v1/campaigns/a/rollback";
    expect_error(post(target, R"({"to": "1", "dry": true})"), 400, "unknown_field");
    expect_error(post(target, R"({})"), 400, "field_missing");
    expect_error(post(target, R"({"to": [1]})"), 400, "field_type");
    EXPECT_EQ(post(target, R"({"to": 0})").status, 200);
    expect_error(post(target, R"([1])"), 400, "field_type");
    expect_error(post(target, R"({"to": )"), 400, "json_unclosed");
    net::Request request = request_of("POST", target, R"({"to": "0"})");
    request.headers.set("content-type", "text/plain");
    expect_error(send(request), 415, "media_type_refused");
    request.headers.erase("content-type");
    expect_error(send(request), 415, "media_type_refused");
    request.headers.set("content-type", "Application/JSON; charset=utf-8");
    EXPECT_EQ(send(request).status, 200);
    expect_error(post("/api/v1/campaigns", R"({"nmae": "x"})"), 400, "unknown_field");
    expect_error(post("/api/v1/campaigns", R"({"id": "Not An Id"})"), 422, "campaign_id");
    expect_error(get("/api/v1/campaigns?page=2"), 400, "unknown_field");
}

TEST_F(Routes, ReadsFormsStrictly) {
    net::Request request =
        request_of("POST", "/api/v1/campaigns", "--x\r\nno header\r\n\r\n1\r\n--x--");
    request.headers.set("content-type", "multipart/form-data; boundary=x");
    expect_error(send(request), 400, "http_malformed");
    request.body = "--x\r\nContent-Disposition: form-data; name=\"id\"\r\n\r\na\r\n";  // no end
    expect_error(send(request), 400, "http_malformed");
    request.body =
        "--x\r\nContent-Disposition: form-data; name=\"secret\"; filename=\"f\"\r\n\r\na\r\n--x--";
    expect_error(send(request), 400, "unknown_field");
    request.headers.set("content-type", "multipart/form-data");
    expect_error(send(request), 400, "http_malformed");
}

// Every route at every scope: denied below its own, and never another error before.
TEST_F(Routes, AreDeniedBelowTheirScope) {
    create("a");
    for (const Route& route : routes()) {
        std::string path(route.pattern);
        for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{')) {
            path.replace(at, path.find('}') - at + 1, "a");
        }
        const auto match = match_route(route.method, path);
        ASSERT_TRUE(match) << route.pattern;
        ASSERT_EQ(match->route->pattern, route.pattern);
        for (const Scope scope : {Scope::kNone, Scope::kRead, Scope::kPlay, Scope::kAdmin}) {
            const auto allowed = check_scope(*match, {scope});
            EXPECT_EQ(allowed.has_value(), scope >= route.scope)
                << route.method << " " << route.pattern << " " << name(scope);
            if (!allowed && route.runs != Runs::kExchange) {
                const Answer answer = send(request_of(route.method, path), {scope});
                expect_error(answer, 403, "scope_missing");
            }
        }
    }
}

// A token that is granted other campaigns must not learn whether this one exists.
TEST_F(Routes, HideCampaignsThatATokenMustNotSee) {
    create("a");
    create("b");
    const Principal stranger{Scope::kPlay, {"b"}, "t"};
    for (const Route& route : routes()) {
        if (!route.has_campaign() || route.runs == Runs::kExchange) {
            continue;
        }
        std::string with(route.pattern);
        with.replace(with.find("{id}"), 4, "a");
        for (std::size_t at = with.find('{'); at != std::string::npos; at = with.find('{')) {
            with.replace(at, with.find('}') - at + 1, "x");
        }
        const Answer answer = send(request_of(route.method, with), stranger);
        expect_error(answer, 404, "campaign_unknown");
        std::string without = with;
        without.replace(route.pattern.find("{id}"), 1, "q");
        EXPECT_EQ(send(request_of(route.method, without), stranger).status, 404);
    }
    const Answer listed = send(request_of("GET", "/api/v1/campaigns"), stranger);
    EXPECT_EQ(listed.at("campaigns").as_array().size(), 1U);
}

TEST(Schemas, NameOnlyWhatExists) {
    std::set<std::string> used;
    for (const Route& route : routes()) {
        for (const std::string_view name : {route.request, route.answer}) {
            EXPECT_TRUE(name.empty() || schemas().contains(name)) << name;
        }
        EXPECT_TRUE((route.handler != nullptr) != (route.exchange != nullptr)) << route.pattern;
        EXPECT_EQ(route.body == RequestBody::kJson || route.body == RequestBody::kJsonOrForm,
                  !route.request.empty())
            << route.pattern;
    }
}

TEST(Schemas, FindTheFirstMistake) {
    const auto error = [](std::string_view json, std::string_view schema) {
        const auto done =
            check_schema(value::parse_json(json).value(), value::parse_json(schema).value());
        return done ? "" : base::explain(done.error(), base::Language::kEnglish);
    };
    const std::string_view schema =
        R"({"type": "object", "required": ["a"], "additionalProperties": false,
        "properties": {"a": {"type": ["integer", "null"], "minimum": 1, "maximum": 3},
                       "b": {"type": "array", "items": {"type": "string", "maxLength": 2}, "maxItems": 2},
                       "c": {"anyOf": [{"type": "object"}, {"enum": ["x"]}]}}})";
    EXPECT_EQ(error(R"({"a": 1, "b": ["x"], "c": "x"})", schema), "");
    EXPECT_EQ(error(R"({"a": null, "c": {}})", schema), "");
    EXPECT_NE(error(R"({"b": []})", schema).find("a"), std::string::npos);
    EXPECT_NE(error(R"({"a": 4})", schema), "");
    EXPECT_NE(error(R"({"a": 1.5})", schema), "");
    EXPECT_NE(error(R"({"a": 1, "b": ["x", 1]})", schema).find("b.1"), std::string::npos);
    EXPECT_NE(error(R"({"a": 1, "b": ["long"]})", schema).find("b.0"), std::string::npos);
    EXPECT_NE(error(R"({"a": 1, "b": ["x", "y", "z"]})", schema), "");
    EXPECT_NE(error(R"({"a": 1, "c": "y"})", schema), "");
    EXPECT_NE(error(R"({"a": 1, "d": 1})", schema).find("a, b, c"), std::string::npos);
}

}  // namespace
}  // namespace arbiter::server
