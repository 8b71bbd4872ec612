// Goal: the OpenAPI document is complete, and real answers of every route are what it says.
#include "server/openapi.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "server/schema.h"
#include "server/schemas.h"
#include "tests/server/scenario.h"

namespace arbiter::server {
namespace {

using value::Object;
using value::Value;

class OpenApi : public Scenario {
  protected:
    // The schema that the served document gives for an answer of this status.
    const Value* schema_of(const Route& route, int status) {
        const Value* operation = value::find_member(
            value::find_member(value::find_member(&document, "paths"), route.pattern),
            route.method == "GET"      ? "get"
            : route.method == "POST"   ? "post"
            : route.method == "PATCH"  ? "patch"
            : route.method == "DELETE" ? "delete"
                                       : "?");
        const Value* responses = value::find_member(operation, "responses");
        const Value* response = value::find_member(responses, std::to_string(status));
        response = response != nullptr ? response : value::find_member(responses, "default");
        const Value* content = value::find_member(response, "content");
        return value::find_member(value::find_member(content, "application/json"), "schema");
    }
    void check(const Step& step) {
        const Route& route = route_of(step);
        net::Request request = request_of(step.method, step.target, step.body);
        const Answer answer = send(request);
        ASSERT_EQ(answer.status, step.status) << step.target << "\n" << answer.text;
        if (answer.status < 300) {
            EXPECT_EQ(answer.status, route.status) << step.target;
        }
        const Value* schema = schema_of(route, answer.status);
        if (schema == nullptr) {
            EXPECT_EQ(answer.header("Content-Type"), route.answer_type) << step.target;
            return;
        }
        EXPECT_EQ(answer.header("Content-Type"), "application/json") << step.target;
        const auto fits = check_schema(answer.json, *schema);
        EXPECT_TRUE(fits) << step.target << ": "
                          << base::explain(fits.error(), base::Language::kEnglish) << "\n"
                          << answer.text.substr(0, 2000);
    }

    Value document = get("/api/v1/openapi.json").json;
};

TEST_F(OpenApi, DescribesRealAnswers) {
    for (const Step& step : reads()) {
        check(step);
    }
    for (const Step& step : writes()) {
        check(step);
    }
    check({"PATCH", "/api/v1/campaigns/s/characters/hero", R"({"area": "hall"})"});
    const std::string archive = get("/api/v1/campaigns/g/export").text;
    check({"DELETE", "/api/v1/campaigns/g", "", 204});
    check({"POST", "/api/v1/import", archive, 201});
    check({"POST", "/api/v1/backup", "{}", 422});  // this server has no data folder
    check({"GET", "/api/v1/campaigns/none", "", 404});
    check({"POST", "/api/v1/campaigns/s/rollback", "{}", 400});
}

TEST_F(OpenApi, HasEveryRouteOnce) {
    EXPECT_EQ(*value::find_member(&document, "openapi"), Value("3.1.0"));
    std::set<std::string> ids;
    std::size_t operations = 0;
    for (const auto& [path, methods] : value::find_member(&document, "paths")->as_object()) {
        for (const auto& [method, operation] : methods.as_object()) {
            ++operations;
            ids.insert(std::string(value::find_member(&operation, "operationId")->as_string()));
            EXPECT_NE(value::find_member(&operation, "x-scope"), nullptr);
        }
    }
    EXPECT_EQ(operations, routes().size());
    EXPECT_EQ(ids.size(), operations);
}

// Every schema of the document is used, and every reference leads to one.
TEST_F(OpenApi, HasNoLooseSchemas) {
    const std::string text = value::print_json(document);
    for (const auto& [name, schema] : schemas()) {
        const std::string reference = "\"#/components/schemas/" + std::string(name.view()) + "\"";
        EXPECT_NE(text.find(reference), std::string::npos) << name.view() << " is not used";
    }
    constexpr std::string_view kStart = "\"#/components/schemas/";
    for (std::size_t at = text.find(kStart); at != std::string::npos;
         at = text.find(kStart, at + 1)) {
        const std::size_t begin = at + kStart.size();
        const std::string name = text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(schemas().contains(name)) << name;
    }
}

}  // namespace
}  // namespace arbiter::server
