// The frame of the tests with hostile clients: a server with patient timeouts, and the proof after
// each test that every connection, exchange and file is gone and the server still answers.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <string>
#include <string_view>

#include "net/server.h"
#include "tests/net/network.h"

namespace arbiter::net {

inline constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
inline constexpr std::string_view kGetAndClose =
    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

// Short where a test waits for it to pass, long everywhere else.
inline ServerOptions patient() {
    return {.header_timeout = std::chrono::seconds(30),
            .body_timeout = std::chrono::seconds(30),
            .idle_timeout = std::chrono::seconds(30),
            .write_timeout = std::chrono::seconds(30)};
}

inline int status_of(std::string_view answer) {
    return answer.starts_with("HTTP/1.1 ") && answer.size() > 12
               ? std::stoi(std::string(answer.substr(9, 3)))
               : 0;
}

inline std::size_t count(std::string_view text, std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos;
         at = text.find(part, at + part.size())) {
        ++times;
    }
    return times;
}

class HostileClient : public testing::Test {
  protected:
    void start(ServerOptions options = patient(), Handler handler = echo) {
        server_.emplace(std::move(handler), std::move(options));
        // Both loops have opened their own files.
        for (std::size_t index = 0; index < server_->loops().size(); ++index) {
            server_->ask(kGetAndClose);
        }
        EXPECT_TRUE(server_->is_quiet());
        requests_ = server_->counts().requests;
        files_ = open_files();
    }
    // Every resource is freed, and the server still answers.
    void TearDown() override {
        EXPECT_TRUE(server_->is_quiet());
        EXPECT_TRUE(eventually([&] { return open_files() == files_; }));
        EXPECT_EQ(status_of(server_->ask(kGetAndClose)), 200);
        background_.join();
        server_.reset();
    }
    // The request is refused with this status, and the connection is closed.
    void expect_refused(std::string_view request, int status) {
        const std::string answer = server_->ask(request);
        EXPECT_EQ(status_of(answer), status) << testing::PrintToString(request);
        EXPECT_EQ(count(answer, "\r\nDate: "), 1u) << answer;
        EXPECT_TRUE(answer.contains("Connection: close\r\n")) << answer;
        EXPECT_EQ(requests(), 0u) << "the handler has seen it";
    }
    // That the handler has seen in this test.
    std::uint64_t requests() { return server_->counts().requests - requests_; }
    std::optional<RunningServer> server_;
    Background background_;
    std::size_t files_ = 0;
    std::uint64_t requests_ = 0;
    std::atomic<bool> is_gone_ = false;
    std::atomic<int> running_ = 0;
};

}  // namespace arbiter::net
