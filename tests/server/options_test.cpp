// Goal: a file of options says everything the command line can, and every mistake in it is named
// with its line.
#include "server/options.h"

#include <gtest/gtest.h>

#include "base/explain.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;

TEST(ServerOptionsFile, SaysEverything) {
    const auto options = parse_server_options("serve.yaml", R"(
listen: "[::1]:7000"
store: sqlite:/var/lib/arbiter/arbiter.db
upstream: {url: "https://models.example/v1", model: qwen3, api_key_env: MODEL_KEY}
upstream_file: upstream.yaml
demo: true
script: narrator.yaml
protocols: /etc/arbiter/protocols
data: /var/lib/arbiter/backups
tls:
  certificate: chain.pem
  key: key.pem
allow_hosts: [play.example.org, 192.0.2.7]
allow_origins: https://app.example
trusted_proxies: [10.0.0.0/8]
limits:
  requests_per_address: {per_second: 5, burst: 9}
  requests_per_token: {per_second: 0}
  streams_per_token: 8
  connections: 100
  open_campaigns: 50
  jobs_per_campaign: 3
  drain_seconds: 20
log: {level: warning, form: json}
)");
    ASSERT_TRUE(options) << options.error().errors[0].arguments[0];
    ServerOptions wanted;
    wanted.listen = "[::1]:7000";
    wanted.store = "sqlite:/var/lib/arbiter/arbiter.db";
    wanted.upstream = {"https://models.example/v1", "qwen3", "MODEL_KEY"};
    wanted.upstream_file = "upstream.yaml";
    wanted.has_demo = true;
    wanted.script = "narrator.yaml";
    wanted.protocols = "/etc/arbiter/protocols";
    wanted.data = "/var/lib/arbiter/backups";
    wanted.tls = {"chain.pem", "key.pem"};
    wanted.allow_hosts = {"play.example.org", "192.0.2.7"};
    wanted.allow_origins = {"https://app.example"};
    wanted.trusted_proxies = {"10.0.0.0/8"};
    wanted.limits.rates.address = {5, 9};
    wanted.limits.rates.token.per_second = 0;
    wanted.limits.rates.streams_per_token = 8;
    wanted.limits.connections = 100;
    wanted.limits.open_campaigns = 50;
    wanted.limits.jobs_per_campaign = 3;
    wanted.limits.drain_seconds = 20;
    wanted.log_level = LogLevel::kWarning;
    wanted.log_form = LogForm::kJson;
    EXPECT_EQ(*options, wanted);
}

TEST(ServerOptionsFile, MayBeEmpty) {
    for (const char* text : {"", "# nothing\n", "upstream:\nlimits:\n", "{}"}) {
        EXPECT_EQ(parse_server_options("a", text), ServerOptions()) << text;
    }
}

struct Mistake {
    const char* text;
    ErrorCode code;
    std::size_t line;
};

TEST(ServerOptionsFile, MistakesAreNamedWithTheirLines) {
    const Mistake mistakes[] = {
        {"store: x\nlisen: 127.0.0.1:1\n", ErrorCode::kMisspelledKey, 2},
        {"colour: red\n", ErrorCode::kUnknownKey, 1},
        {"listen: everywhere\n", ErrorCode::kAddressMalformed, 1},
        {"upstream: {model: x}\n", ErrorCode::kMissingKey, 1},
        {"upstream:\n  url: ftp://x\n", ErrorCode::kUrlMalformed, 2},
        {"upstream:\n  url: http://x\n  api_key: CANARY\n", ErrorCode::kUnknownKey, 3},
        {"upstream:\n  url: http://x\n  api_key_env: sk-CANARY\n", ErrorCode::kBadField, 3},
        {"tls: {certificate: a}\n", ErrorCode::kMissingKey, 1},
        {"allow_hosts:\n- good.example\n- 'http://bad'\n", ErrorCode::kBadParameter, 3},
        {"allow_origins: ['*']\n", ErrorCode::kBadParameter, 1},
        {"trusted_proxies: [proxy.example]\n", ErrorCode::kBadParameter, 1},
        {"limits: {streams_per_token: -1}\n", ErrorCode::kBadField, 1},
        {"limits: {stream_per_token: 1}\n", ErrorCode::kMisspelledKey, 1},
        {"limits:\n  requests_per_token: {per_second: 1, bursts: 2}\n", ErrorCode::kMisspelledKey,
         2},
        {"log: {level: loud}\n", ErrorCode::kBadField, 1},
        {"[]\n", ErrorCode::kBadField, 1},
        {"store: [a]\n", ErrorCode::kBadField, 1}};
    for (const Mistake& each : mistakes) {
        const auto read = parse_server_options("a", each.text);
        ASSERT_FALSE(read) << each.text;
        ASSERT_EQ(read.error().errors.size(), 1U) << each.text;
        const base::Error& error = read.error().errors[0];
        EXPECT_EQ(base::name(error.code), base::name(each.code)) << each.text;
        ASSERT_TRUE(error.place) << each.text;
        EXPECT_EQ(error.place->line, each.line) << each.text;
        const std::string told = base::explain(error, base::Language::kEnglish);
        EXPECT_EQ(told.find("CANARY"), std::string::npos) << told;
        EXPECT_TRUE(read.error().text.empty());
    }
    EXPECT_EQ(parse_server_options("a", "a: 1\nb: 2\nc: 3\n").error().errors.size(), 3U);
    EXPECT_FALSE(parse_server_options("a", "listen: [\n"));
    EXPECT_FALSE(load_server_options("no such file.yaml"));
}

// The file that is shipped is a valid start.
TEST(ServerOptionsFile, TheSampleIsValid) {
    const auto sample = load_server_options("packaging/arbiter.yaml");
    ASSERT_TRUE(sample) << base::name(sample.error().errors[0].code);
    EXPECT_EQ(sample->listen, "127.0.0.1:7777");
}

}  // namespace
}  // namespace arbiter::server
