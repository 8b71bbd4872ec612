// Goal: the page of metrics is valid for Prometheus, complete before the first request, and no
// sender can add lines or series to it.
#include "server/metrics.h"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <sstream>
#include <thread>

namespace arbiter::server {
namespace {

using std::chrono::milliseconds;

// The samples by name and labels; fails the test on a line that is not of the format.
std::map<std::string, double> samples_of(const std::string& page) {
    static const std::regex kSample(
        R"(([a-z_]+(?:\{(?:[a-z]+="(?:[^"\\\n]|\\["\\n])*",?)*\})?) (\+Inf|NaN|[-+0-9.e]+))");
    static const std::regex kComment(R"(# (HELP|TYPE) ([a-z_]+) (.+))");
    std::map<std::string, double> samples;
    std::map<std::string, std::string> types;
    std::istringstream lines(page);
    EXPECT_TRUE(page.ends_with('\n'));
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_match(line, match, kComment)) {
            if (match[1] == "TYPE") {
                EXPECT_TRUE(types.emplace(match[2], match[3]).second) << line;
            }
        } else if (std::regex_match(line, match, kSample)) {
            EXPECT_TRUE(samples.emplace(match[1], std::stod(match[2])).second) << line;
        } else {
            ADD_FAILURE() << "not of the format: " << line;
        }
    }
    return samples;
}

TEST(Metrics, ArePrintedForPrometheus) {
    Metrics metrics;
    const auto empty = samples_of(metrics.print());
    EXPECT_EQ(empty.at("arbiter_connections"), 0);
    EXPECT_GT(empty.at("process_resident_memory_bytes"), 1'000'000);
    EXPECT_GE(empty.at("process_open_fds"), 3);
    EXPECT_GT(empty.at("process_start_time_seconds"), 1'700'000'000);

    metrics.request("/api/v1/campaigns/{id}", "GET", 200, milliseconds(3));
    metrics.request("/api/v1/campaigns/{id}", "GET", 200, milliseconds(5));
    metrics.request("/api/v1/campaigns/{id}", "POST", 404, milliseconds(70'000));
    metrics.request("", "BREW", 405, milliseconds(0));
    metrics.turns.at({"committed"}).add();
    metrics.model_tokens.at({"prompt"}).add(1234);
    metrics.turn_seconds.observe(milliseconds(1));
    metrics.sessions.set(7);
    metrics.viewers.add(2);
    metrics.viewers.add(-1);
    const auto now = samples_of(metrics.print());
    const std::string labels = "{route=\"/api/v1/campaigns/{id}\"";
    EXPECT_EQ(now.at("arbiter_http_requests_total" + labels + ",method=\"GET\",status=\"200\"}"),
              2);
    EXPECT_EQ(now.at("arbiter_http_requests_total" + labels + ",method=\"POST\",status=\"404\"}"),
              1);
    EXPECT_EQ(now.at("arbiter_http_requests_total{route=\"none\",method=\"other\",status=\"405\"}"),
              1);
    // Buckets count all below their bound, and a bound belongs to its bucket.
    const auto bucket = [&](const char* bound) {
        return now.at("arbiter_http_request_seconds_bucket" + labels + ",le=\"" + bound + "\"}");
    };
    EXPECT_EQ(bucket("0.0025"), 0);
    EXPECT_EQ(bucket("0.005"), 2);
    EXPECT_EQ(bucket("60"), 2);
    EXPECT_EQ(bucket("+Inf"), 3);
    EXPECT_EQ(now.at("arbiter_http_request_seconds_count" + labels + "}"), 3);
    EXPECT_NEAR(now.at("arbiter_http_request_seconds_sum" + labels + "}"), 70.008, 1e-9);
    EXPECT_EQ(now.at("arbiter_turns_total{status=\"committed\"}"), 1);
    EXPECT_EQ(now.at("arbiter_model_tokens_total{kind=\"prompt\"}"), 1234);
    EXPECT_EQ(now.at("arbiter_turn_seconds_bucket{le=\"0.001\"}"), 1);
    EXPECT_EQ(now.at("arbiter_open_sessions"), 7);
    EXPECT_EQ(now.at("arbiter_viewers"), 1);
}

TEST(Metrics, LabelsCannotForgeLines) {
    Metrics metrics;
    metrics.refused.at({"a\"} 1\nforged_total 5\n\\ \x1b[31m"}).add();
    const auto samples = samples_of(metrics.print());
    EXPECT_FALSE(samples.contains("forged_total"));
    EXPECT_EQ(samples.at(R"(arbiter_http_refused_total{code="a\"} 1\nforged_total 5\n\\ ?[31m"})"),
              1);
}

TEST(Metrics, SeriesAreBounded) {
    Metrics metrics;
    for (int i = 0; i < 10'000; ++i) {
        metrics.refused.at({std::to_string(i)}).add();
    }
    std::size_t series = 0;
    std::uint64_t total = 0;
    metrics.refused.visit([&](std::string_view, const Counter& counter) {
        ++series;
        total += counter.value();
    });
    EXPECT_EQ(series, Family<Counter>::kSeriesMax + 1);
    EXPECT_EQ(total, 10'000U);
    Metrics methods;
    for (int i = 0; i < 10'000; ++i) {
        methods.request("", "M" + std::to_string(i), 400, milliseconds(1));
    }
    EXPECT_EQ(
        samples_of(methods.print())
            .at("arbiter_http_requests_total{route=\"none\",method=\"other\",status=\"400\"}"),
        10'000);
}

TEST(Metrics, ManyThreadsLoseNoCount) {
    Metrics metrics;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            for (int k = 0; k < 2'000; ++k) {
                metrics.request("/a", "GET", 200 + k % 3, milliseconds(1));
            }
        });
    }
    for (std::thread& each : threads) {
        each.join();
    }
    EXPECT_EQ(samples_of(metrics.print()).at("arbiter_http_request_seconds_count{route=\"/a\"}"),
              8'000);
}

}  // namespace
}  // namespace arbiter::server
