#include "openai/upstream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "text/ascii.h"
#include "value/fields.h"
#include "value/json.h"

namespace arbiter::openai {
namespace {

using base::Error;
using base::ErrorCode;
using config::FileDiagnostics;

// Bytes of a key: signed tokens of vendors have about two thousand.
constexpr std::size_t kKeyBytesMax = std::size_t{8} << 10;
// Seconds of a timeout: a day.
constexpr std::int64_t kTimeoutMax = 86'400;

void read_timeouts(value::Fields& fields, net::ClientOptions& options) {
    auto timeouts = fields.object("timeouts");
    if (!timeouts) {
        return;
    }
    const auto take = [&](std::string_view key, std::chrono::milliseconds& time) {
        if (const auto seconds = timeouts->whole(key, 1, kTimeoutMax)) {
            time = std::chrono::seconds(*seconds);
        }
    };
    take("connect", options.connect);
    take("first_byte", options.first_byte);
    take("idle", options.idle);
    take("total", options.total);
    timeouts->finish();
}

Upstream read_upstream(value::Fields& fields) {
    Upstream upstream;
    if (const auto url = fields.text("url", value::Presence::kRequired)) {
        if (auto made = make_upstream(*url)) {
            upstream = *std::move(made);
        } else {
            fields.error("url", std::move(made).error());
        }
    }
    upstream.model = fields.text_or_number("model").value_or("");
    if (const auto variable = fields.text("key_env")) {
        upstream.key_env = *variable;
        if (auto key = key_from_environment(*variable)) {
            upstream.key = *std::move(key);
        } else {
            fields.error("key_env", std::move(key).error());
        }
    }
    if (const auto written = fields.text_or_number("key")) {
        if (auto key = parse_key(*written)) {
            upstream.key = upstream.key_env.empty() ? *std::move(key) : upstream.key;
        } else {
            fields.error("key", std::move(key).error());
        }
    }
    upstream.takes_tools = fields.flag("tools").value_or(upstream.takes_tools);
    upstream.is_streamed = fields.flag("stream").value_or(upstream.is_streamed);
    upstream.asks_for_usage = fields.flag("usage").value_or(upstream.asks_for_usage);
    upstream.connection.ca_file = fields.text("ca_file").value_or("");
    read_timeouts(fields, upstream.connection);
    return upstream;
}

FileDiagnostics failed(Error error) {
    return {"arbiter", "", {std::move(error)}};
}

void append_line(std::string& out, std::string_view key, std::string_view text) {
    out += key;
    out += ": ";
    value::append_json_string(out, text);
    out += '\n';
}

std::string print_upstream(const Upstream& upstream) {
    std::string out = "# Written by `arbiter connect`; docs/models.md describes the keys.\n";
    append_line(out, "url", upstream.address);
    if (!upstream.model.empty()) {
        append_line(out, "model", upstream.model);
    }
    if (!upstream.key_env.empty()) {
        append_line(out, "key_env", upstream.key_env);
    } else if (!upstream.key.empty()) {
        append_line(out, "key", upstream.key.reveal());
    }
    const auto flag = [&](std::string_view key, bool is_on) {
        if (!is_on) {
            out += std::string(key) + ": false\n";
        }
    };
    flag("tools", upstream.takes_tools);
    flag("stream", upstream.is_streamed);
    flag("usage", upstream.asks_for_usage);
    if (!upstream.connection.ca_file.empty()) {
        append_line(out, "ca_file", upstream.connection.ca_file);
    }
    const net::ClientOptions usual;
    const net::ClientOptions& own = upstream.connection;
    if (own.connect != usual.connect || own.first_byte != usual.first_byte ||
        own.idle != usual.idle || own.total != usual.total) {
        const auto seconds = [](std::chrono::milliseconds time) {
            return std::to_string(std::chrono::ceil<std::chrono::seconds>(time).count());
        };
        out += "timeouts: {connect: " + seconds(own.connect) +
               ", first_byte: " + seconds(own.first_byte) + ", idle: " + seconds(own.idle) +
               ", total: " + seconds(own.total) + "}\n";
    }
    return out;
}

base::Result<> write_private(const std::string& file, std::string_view text) {
    const std::string beside = file + ".new";
    std::filesystem::remove(beside);
    const int made = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made < 0) {
        return base::fail(ErrorCode::kFileUnwritable, {file, std::strerror(errno)});
    }
    int error = 0;
    while (!text.empty() && error == 0) {
        const ssize_t written = ::write(made, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            error = errno;
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    if (error == 0 && ::fsync(made) != 0) {
        error = errno;
    }
    ::close(made);
    if (error == 0 && ::rename(beside.c_str(), file.c_str()) != 0) {
        error = errno;
    }
    if (error != 0) {
        ::unlink(beside.c_str());
        return base::fail(ErrorCode::kFileUnwritable, {file, std::strerror(error)});
    }
    return {};
}

// Creates the missing folders of a path, for the owner only.
base::Result<> make_folders(const std::filesystem::path& folder) {
    if (folder.empty() || std::filesystem::is_directory(folder)) {
        return {};
    }
    if (auto made = make_folders(folder.parent_path()); !made) {
        return made;
    }
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
        return base::fail(ErrorCode::kFileUnwritable, {folder.string(), std::strerror(errno)});
    }
    return {};
}

}  // namespace

base::Result<Upstream> make_upstream(std::string_view url) {
    std::string address(url);
    for (const std::string_view end : {"/", "/chat/completions", "/"}) {
        while (address.ends_with(end)) {
            address.resize(address.size() - end.size());
        }
    }
    auto parsed = net::parse_url(address);
    if (!parsed) {
        return std::unexpected(std::move(parsed).error());
    }
    Upstream upstream;
    upstream.url = *std::move(parsed);
    upstream.address = std::move(address);
    return upstream;
}

base::Result<Secret> parse_key(std::string_view text) {
    while (!text.empty() && text::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && text::is_blank(text.back())) {
        text.remove_suffix(1);
    }
    const bool is_key = !text.empty() && text.size() <= kKeyBytesMax &&
                        std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
    if (!is_key) {
        // The text itself is not quoted.
        return base::fail(ErrorCode::kBadOptionValue,
                          {"key", "***", "a key of printable ASCII characters"});
    }
    return Secret(std::string(text));
}

base::Result<Secret> key_from_environment(const std::string& variable) {
    const char* text = variable.empty() ? nullptr : std::getenv(variable.c_str());
    if (text == nullptr || *text == '\0') {
        return base::fail(
            ErrorCode::kBadOptionValue,
            {"--api-key-env", variable, "the name of an environment variable that is set"});
    }
    return parse_key(text);
}

std::string default_upstream_file() {
    constexpr std::string_view kFile = "arbiter/upstream.yaml";
    // As the XDG specification says, relative paths are ignored.
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/') {
        return (std::filesystem::path(folder) / kFile).string();
    }
    const char* home = std::getenv("HOME");
    return home != nullptr && *home != '\0'
               ? (std::filesystem::path(home) / ".config" / kFile).string()
               : "";
}

std::expected<Upstream, FileDiagnostics> load_upstream(const std::string& file) {
    auto text = config::read_file(file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(failed(std::move(text).error()));
    }
    auto parsed = config::parse_yaml(file, *text);
    if (!parsed) {
        // Without its text: a line with the key would be printed.
        return std::unexpected(FileDiagnostics{file, "", {std::move(parsed).error()}});
    }
    value::Diagnostics diagnostics;
    value::Fields fields(parsed->value, {}, diagnostics);
    Upstream upstream = read_upstream(fields);
    fields.finish();
    if (!diagnostics.empty()) {
        FileDiagnostics found = config::diagnostics_of(*parsed, diagnostics);
        found.text.clear();
        return std::unexpected(std::move(found));
    }
    return upstream;
}

std::expected<std::optional<Upstream>, FileDiagnostics> choose_upstream(
    const UpstreamOptions& options) {
    std::optional<Upstream> upstream;
    if (options.url) {
        auto made = make_upstream(*options.url);
        if (!made) {
            return std::unexpected(failed(std::move(made).error()));
        }
        upstream = *std::move(made);
    } else {
        const std::string file = options.file.value_or(default_upstream_file());
        if (!options.file && (file.empty() || !std::filesystem::exists(file))) {
            return std::nullopt;
        }
        auto loaded = load_upstream(file);
        if (!loaded) {
            return std::unexpected(std::move(loaded).error());
        }
        upstream = *std::move(loaded);
    }
    if (options.model) {
        upstream->model = *options.model;
    }
    if (options.key_env) {
        auto key = key_from_environment(*options.key_env);
        if (!key) {
            return std::unexpected(failed(std::move(key).error()));
        }
        upstream->key_env = *options.key_env;
        upstream->key = *std::move(key);
    }
    return upstream;
}

base::Result<> save_upstream(const std::string& file, const Upstream& upstream) {
    if (file.empty()) {
        return base::fail(ErrorCode::kFileMissing, {"$XDG_CONFIG_HOME"});
    }
    if (auto made = make_folders(std::filesystem::path(file).parent_path()); !made) {
        return made;
    }
    return write_private(file, print_upstream(upstream));
}

}  // namespace arbiter::openai
