// Goal: every line of the log is one JSON object with the agreed members, no sender can forge one,
// and no secret has a way into it (S12 of the security list).
#include "server/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <concepts>
#include <csignal>
#include <ostream>
#include <thread>

#include "base/secret.h"
#include "value/json.h"

namespace arbiter::server {
namespace {

using base::Secret;
using std::chrono::microseconds;

template <typename T>
concept Printable = requires(std::ostream& out, const T& value) { out << value; };

// A secret cannot be passed by accident to anything that prints.
static_assert(!Printable<Secret>);
static_assert(!std::convertible_to<Secret, std::string_view>);
static_assert(!std::convertible_to<Secret, std::string>);
static_assert(!std::constructible_from<value::Value, Secret>);

class Logs : public testing::Test {
  protected:
    Log::Write writer() {
        return [this](std::string_view line) { lines_.emplace_back(line); };
    }
    static engine::Instant now() { return 1'700'000'000'123; }
    std::vector<std::string> lines_;
};

TEST_F(Logs, ARequestIsOneObject) {
    Log log({.form = LogForm::kJson}, writer(), now);
    log.request({.id = "r1",
                 .peer = "192.0.2.1",
                 .method = "POST",
                 .route = "/api/v1/campaigns/{id}/turns",
                 .campaign = "c",
                 .token = "phone",
                 .status = 200,
                 .took = microseconds(12'345),
                 .bytes_in = 10,
                 .bytes_out = 20});
    EXPECT_EQ(lines_.at(0),
              R"({"time":"2023-11-14T22:13:20.123Z","level":"info","event":"request",)"
              R"("request":"r1","peer":"192.0.2.1","method":"POST",)"
              R"("route":"/api/v1/campaigns/{id}/turns","campaign":"c","token":"phone",)"
              R"("status":200,"ms":12.345,"bytes_in":10,"bytes_out":20})"
              "\n");
    log.request({.id = "r2",
                 .peer = "::1",
                 .method = "GET",
                 .route = {},
                 .campaign = {},
                 .token = {},
                 .status = 503,
                 .code = "no_model"});
    EXPECT_EQ(lines_.at(1),
              R"({"time":"2023-11-14T22:13:20.123Z","level":"error","event":"request",)"
              R"("request":"r2","peer":"::1","method":"GET","route":"none","status":503,)"
              R"("code":"no_model","ms":0})"
              "\n");
}

TEST_F(Logs, ATurnTellsItsCost) {
    Log log({.form = LogForm::kJson}, writer(), now);
    log.turn({.request = "r1",
              .campaign = "c",
              .turn = "abc",
              .status = "committed",
              .calls = 2,
              .tokens = 900,
              .attempts = 1,
              .took = microseconds(1000)});
    const value::Value line = value::parse_json(lines_.at(0)).value();
    EXPECT_EQ(line.as_object().find("tokens")->as_int(), 900);
    EXPECT_EQ(line.as_object().find("calls")->as_int(), 2);
    EXPECT_EQ(line.as_object().find("status")->as_string(), "committed");
}

TEST_F(Logs, TextsCannotForgeLinesOrActOnATerminal) {
    const std::string nasty =
        "x\n{\"level\":\"error\"}\r\x1b[2J\x07 status=200 \"\xff\xc2\x9b\u202e";
    for (const LogForm form : {LogForm::kJson, LogForm::kText}) {
        lines_.clear();
        Log log({.form = form}, writer(), now);
        log.request({.id = nasty,
                     .peer = nasty,
                     .method = nasty,
                     .route = nasty,
                     .campaign = nasty,
                     .token = nasty,
                     .code = nasty});
        log.event(LogLevel::kInfo, "listening", {{"address", std::string_view(nasty)}});
        log.error("store_failed", base::Error(base::ErrorCode::kStoreFailed, {nasty, nasty}));
        ASSERT_EQ(lines_.size(), 3U);
        for (const std::string& line : lines_) {
            EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
            EXPECT_TRUE(std::ranges::none_of(line.substr(0, line.size() - 1), [](char c) {
                return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
            })) << line;
            EXPECT_EQ(line.find("\xc2\x9b"), std::string::npos);
            EXPECT_EQ(line.find("\u202e"), std::string::npos);
            EXPECT_TRUE(form == LogForm::kText || value::parse_json(line)) << line;
        }
        // A blank inside a text does not begin a field: the text is quoted.
        EXPECT_TRUE(form == LogForm::kJson || lines_[0].find(" request=\"x") != std::string::npos);
    }
}

TEST_F(Logs, LevelsAreFiltered) {
    Log log({.form = LogForm::kText, .level = LogLevel::kWarning}, writer(), now);
    log.event(LogLevel::kInfo, "quiet");
    log.event(LogLevel::kWarning, "loud", {{"n", std::int64_t{3}}, {"who", "a b"}});
    ASSERT_EQ(lines_.size(), 1U);
    EXPECT_EQ(lines_[0], "2023-11-14T22:13:20.123Z warning loud n=3 who=\"a b\"\n");
}

class Pipe {
  public:
    Pipe() { EXPECT_EQ(pipe(ends), 0); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        close(ends[0]);
        close(ends[1]);
    }
    std::string read_some() const {
        char buffer[65536];
        const ssize_t got = ::read(ends[0], buffer, sizeof buffer);
        return {buffer, got > 0 ? static_cast<std::size_t>(got) : 0};
    }
    int ends[2] = {-1, -1};
};

std::string line(int number) {
    return std::to_string(number) + std::string(90, '.') + "\n";
}

TEST(LogSinks, WriteEveryLineInOrder) {
    const Pipe pipe;
    std::string wanted;
    std::string read;
    {
        LogSink sink(pipe.ends[1]);
        for (int i = 0; i < 3'000; ++i) {
            sink.write(line(i));
            wanted += line(i);
        }
        while (read.size() < wanted.size() / 2) {
            read += pipe.read_some();
        }
        std::thread reader([&] {
            while (read.size() < wanted.size()) {
                read += pipe.read_some();
            }
        });
        reader.join();
    }
    EXPECT_EQ(read, wanted);
}

// A program that starts the server and never reads its log.
TEST(LogSinks, DoNotWaitForAReader) {
    const Pipe pipe;
    std::string read;
    std::size_t kept = 0;
    {
        LogSink sink(pipe.ends[1], 10'000);
        for (int i = 0; i < 20'000; ++i) {
            sink.write(line(i));  // two megabytes; a pipe holds 64 KB
        }
        while (read.find("log_dropped") == std::string::npos) {
            read += pipe.read_some();
            sink.write("more\n");
        }
    }
    EXPECT_NE(read.find("\"lines\":"), std::string::npos);
    for (int i = 0; read.starts_with(line(i)); ++i) {
        read.erase(0, line(i).size());
        ++kept;
    }
    EXPECT_GT(kept, 100U);
    // And at the end, too: nothing reads the rest.
    LogSink last(pipe.ends[1]);
    for (int i = 0; i < 2'000; ++i) {
        last.write(line(i));
    }
}

TEST(LogSinks, SurviveAReaderThatIsGone) {
    std::signal(SIGPIPE, SIG_IGN);
    Pipe pipe;
    close(pipe.ends[0]);
    pipe.ends[0] = -1;
    LogSink sink(pipe.ends[1]);
    for (int i = 0; i < 100; ++i) {
        sink.write(line(i));
    }
}

TEST(Secrets, CompareAndAreCopied) {
    const Secret one("a secret longer than a short string");
    Secret two = one;
    EXPECT_TRUE(one == two);
    EXPECT_FALSE(one == Secret("a secret longer than a short strinG"));
    EXPECT_FALSE(one == Secret("a"));
    EXPECT_FALSE(one.empty());
    const Secret three = std::move(two);
    EXPECT_EQ(three.reveal(), one.reveal());
}

}  // namespace
}  // namespace arbiter::server
