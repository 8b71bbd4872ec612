// A host with a store in memory, and requests to its routes on the path of production: match,
// scope, call, handler.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "config/protocols.h"
#include "ledger/store/memory.h"
#include "server/errors.h"
#include "server/host.h"
#include "server/routes.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::server {

inline constexpr engine::Instant kNow = 1'767'225'600'000;  // 2026-01-01T00:00:00Z

class ApiTest : public testing::Test {
  protected:
    struct Answer {
        int status = 0;
        net::Headers headers;
        std::string text;
        value::Value json;

        [[nodiscard]] const value::Value& at(std::string_view key) const {
            const value::Value* found = value::find_member(&json, key);
            EXPECT_NE(found, nullptr) << key << " in " << text;
            static const value::Value kNone;
            return found != nullptr ? *found : kNone;
        }
        [[nodiscard]] std::string word(std::string_view key) const {
            const value::Value& found = at(key);
            return found.is_string() ? std::string(found.as_string()) : "";
        }
        [[nodiscard]] std::string code() const {
            const value::Value* error = value::find_member(&json, "error");
            const value::Value* code = value::find_member(error, "code");
            return code != nullptr ? std::string(code->as_string()) : "";
        }
        [[nodiscard]] std::string header(std::string_view name) const {
            const std::string* found = headers.find(name);
            return found != nullptr ? *found : "";
        }
    };

    static HostOptions options() {
        HostOptions options{campaign::SessionOptions{config::Protocols()}};
        options.workers = 2;
        return options;
    }
    static net::Request request_of(std::string_view method, std::string_view target,
                                   std::string body = {}) {
        net::Request request;
        request.method = method;
        const std::size_t mark = std::min(target.find('?'), target.size());
        request.path = target.substr(0, mark);
        request.query = target.substr(std::min(mark + 1, target.size()));
        request.body = std::move(body);
        if (!request.body.empty()) {
            request.headers.set("content-type", "application/json");
        }
        return request;
    }
    Answer send(const net::Request& request, const Principal& principal = {Scope::kAdmin}) {
        const auto match = match_route(request.method, request.path);
        const net::Response response = match
                                           ? respond(host, *match, request, {principal, "r1", kNow})
                                           : error_response(match.error());
        Answer answer{response.status, response.headers, response.body, {}};
        if (auto parsed = value::parse_json(response.body)) {
            answer.json = *std::move(parsed);
        }
        return answer;
    }
    Answer get(std::string_view target) { return send(request_of("GET", target)); }
    Answer post(std::string_view target, std::string_view body = "{}") {
        return send(request_of("POST", target, std::string(body)));
    }
    // A campaign with a small document.
    void create(const std::string& id,
                std::string_view state = R"({"hp": 10, "items": ["rope"]})") {
        const Answer made =
            post("/api/v1/campaigns", R"({"id": ")" + id + R"(", "profile": "json", "state": )" +
                                          std::string(state) + "}");
        ASSERT_EQ(made.status, 201) << made.text;
    }
    static std::string json_of(const value::Object& body) {
        return value::print_json(value::Value(body));
    }
    // A reply that sets the member of the document.
    static std::string reply(std::string_view member, std::string_view value) {
        return "Well.\n```json\n[{\"op\": \"assign\", \"path\": [\"" + std::string(member) +
               "\"], \"value\": " + std::string(value) + "}]\n```\n";
    }
    Answer propose(const std::string& id, const std::string& text, value::Object more = {}) {
        return post("/api/v1/campaigns/" + id + "/propose",
                    json_of(std::move(more).set("text", std::string_view(text))));
    }

    std::unique_ptr<ledger::Store> store = ledger::open_store("memory:").value();
    Host host{*store, options()};
};

}  // namespace arbiter::server
