// ServerOptions: all options of a server, from its file and its command line.
//
//   listen: 0.0.0.0:7777
//   store: postgres://arbiter@db.example/arbiter
//   upstream: {url: "http://127.0.0.1:8080/v1", model: qwen3, api_key_env: MODEL_KEY}
//   tls: {certificate: /etc/arbiter/chain.pem, key: /etc/arbiter/key.pem}
//   allow_hosts: [play.example.org]
//   limits: {streams_per_token: 8}
//
// Secrets are never written here: a key is named by the variable that holds it. docs/server.md
// lists all keys.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "server/log.h"
#include "server/rate_limits.h"

namespace arbiter::server {

struct ServerLimits {
    RateLimitOptions rates = {};
    // Each connection costs a file descriptor and its buffers.
    std::size_t connections = 10'000;
    std::size_t open_campaigns = 4'096;
    std::size_t jobs_per_campaign = 16;  // that wait
    std::size_t drain_seconds = 10;      // for running turns, when the server is stopped
    friend bool operator==(const ServerLimits&, const ServerLimits&) = default;
};

// Texts are as they were written; those of a file have been checked. Empty: not given.
struct ServerOptions {
    std::string listen = {};
    std::string store = {};
    struct Upstream {
        std::string url = {};
        std::string model = {};
        std::string api_key_env = {};
        friend bool operator==(const Upstream&, const Upstream&) = default;
    };
    Upstream upstream = {};
    std::string upstream_file = {};  // of `arbiter connect`
    bool has_demo = false;           // the demo campaign is created
    std::string script = {};
    std::string protocols = {};
    std::string data = {};  // the folder for backups
    struct Tls {
        std::string certificate = {};
        std::string key = {};
        friend bool operator==(const Tls&, const Tls&) = default;
    };
    std::optional<Tls> tls = {};
    std::vector<std::string> allow_hosts = {};
    std::vector<std::string> allow_origins = {};
    std::vector<std::string> trusted_proxies = {};
    ServerLimits limits = {};
    LogLevel log_level = LogLevel::kInfo;
    std::optional<LogForm> log_form = {};  // none: text on a terminal, else JSON
    friend bool operator==(const ServerOptions&, const ServerOptions&) = default;
};

// `file` is for messages. An empty text gives the defaults. Diagnostics come without the text of
// the file: a key that was written into it by mistake must not be shown with its line.
std::expected<ServerOptions, config::FileDiagnostics> parse_server_options(std::string file,
                                                                           std::string text);
std::expected<ServerOptions, config::FileDiagnostics> load_server_options(const std::string& file);

}  // namespace arbiter::server
