// Upstream: the model server that an installation uses, and the file that names it.
//
//   url: http://127.0.0.1:8080/v1
//   model: qwen3
//   key_env: MY_KEY        # the variable with the key; or, in a file of mode 0600, key: …
//   tools: true            # native tool calls; false: the prompt explains tools as text
//   stream: true
//   usage: true            # ask for token counts in streams
//   ca_file: ca.pem        # certificates to trust instead of those of the system
//   timeouts: {connect: 10, first_byte: 120, idle: 60, total: 1800}   # seconds
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>

#include "base/error.h"
#include "base/secret.h"
#include "config/diagnostics.h"
#include "net/client.h"

namespace arbiter::openai {

using base::Secret;

struct Upstream {
    net::Url url;
    std::string address = {};  // the URL as it was written
    std::string model = {};    // empty: the server chooses
    std::string key_env = {};  // the variable that holds the key; empty: none
    Secret key = {};           // empty: none is sent
    bool takes_tools = true;
    bool is_streamed = true;
    bool asks_for_usage = true;
    net::ClientOptions connection = {};
};

// The URL of an upstream, and its address: without a trailing slash. A path that ends in
// /chat/completions is cut: people copy it from examples.
base::Result<Upstream> make_upstream(std::string_view url);

// Takes the key from a variable of the environment. Fails with kBadOptionValue if it is not set, or
// is not a key.
base::Result<Secret> key_from_environment(const std::string& variable);
// A typed key, without blanks around it. Fails if it cannot be in a header.
base::Result<Secret> parse_key(std::string_view text);

// $XDG_CONFIG_HOME/arbiter/upstream.yaml, or the same below ~/.config; empty without a home.
std::string default_upstream_file();

// Options of a command. The file counts where no URL is given; its key is sent to no other URL.
struct UpstreamOptions {
    std::optional<std::string> url = {};
    std::optional<std::string> model = {};
    std::optional<std::string> key_env = {};
    std::optional<std::string> file = {};  // absent: the default one, which need not exist
};
// The chosen upstream; nothing if neither options nor file name one.
std::expected<std::optional<Upstream>, config::FileDiagnostics> choose_upstream(
    const UpstreamOptions& options);

// Reads a file. The key of `key_env` is taken from the environment.
std::expected<Upstream, config::FileDiagnostics> load_upstream(const std::string& file);
// Replaces a file atomically. Only the owner may read it (0600); missing folders are created
// (0700). The key is written if it does not come from the environment.
base::Result<> save_upstream(const std::string& file, const Upstream& upstream);

}  // namespace arbiter::openai
