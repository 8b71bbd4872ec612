#include "server/options.h"

#include <algorithm>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "net/address.h"
#include "server/access.h"
#include "text/ascii.h"
#include "value/fields.h"

namespace arbiter::server {

using value::Fields;

namespace {

constexpr value::Choice<LogLevel> kLevels[] = {{"debug", LogLevel::kDebug},
                                               {"info", LogLevel::kInfo},
                                               {"warning", LogLevel::kWarning},
                                               {"error", LogLevel::kError}};
constexpr value::Choice<LogForm> kForms[] = {{"json", LogForm::kJson}, {"text", LogForm::kText}};

void read_text(Fields& fields, std::string_view key, std::string& into) {
    if (auto text = fields.text(key)) {
        into = *std::move(text);
    }
}
void read_count(Fields& fields, std::string_view key, std::size_t max, std::size_t& into) {
    into = fields.count(key, max).value_or(into);
}

bool is_variable_name(std::string_view text) {
    const auto fits = [](char c) { return text::is_letter(c) || text::is_digit(c) || c == '_'; };
    return text.empty() || (!text::is_digit(text[0]) && std::ranges::all_of(text, fits));
}

void read_upstream(Fields& fields, ServerOptions::Upstream& upstream) {
    auto inner = fields.object("upstream");
    if (!inner) {
        return;
    }
    upstream.url = inner->text("url", value::Presence::kRequired).value_or("");
    read_text(*inner, "model", upstream.model);
    read_text(*inner, "api_key_env", upstream.api_key_env);
    if (!is_variable_name(upstream.api_key_env)) {
        // Not quoted: it may be the key itself.
        inner->error("api_key_env",
                     base::Error(base::ErrorCode::kBadField, {"api_key_env", "MODEL_KEY", "…"}));
    }
    if (!upstream.url.empty()) {
        if (auto url = net::parse_url(upstream.url); !url) {
            inner->error("url", std::move(url).error());
        }
    }
    inner->finish();
}

void read_tls(Fields& fields, std::optional<ServerOptions::Tls>& tls) {
    if (auto inner = fields.object("tls")) {
        tls = {inner->text("certificate", value::Presence::kRequired).value_or(""),
               inner->text("key", value::Presence::kRequired).value_or("")};
        inner->finish();
    }
}

// A list whose elements Access must be able to read.
void read_names(Fields& fields, std::string_view key,
                std::vector<std::string> AccessOptions::* member, std::vector<std::string>& into) {
    for (auto& [text, path] : fields.texts(key)) {
        AccessOptions options;
        options.*member = {text};
        if (const auto read = Access::make(options, nullptr, nullptr); !read) {
            fields.error_at(std::move(path), read.error());
        } else {
            into.push_back(std::move(text));
        }
    }
}

void read_rate(Fields& fields, std::string_view key, Rate& rate) {
    constexpr std::size_t kMax = 1'000'000;
    if (auto inner = fields.object(key)) {
        if (const auto rate_read = inner->count("per_second", kMax)) {
            rate.per_second = static_cast<double>(*rate_read);
        }
        if (const auto burst = inner->count("burst", kMax)) {
            rate.burst = static_cast<double>(*burst);
        }
        inner->finish();
    }
}

void read_limits(Fields& fields, ServerLimits& limits) {
    auto inner = fields.object("limits");
    if (!inner) {
        return;
    }
    read_rate(*inner, "requests_per_address", limits.rates.address);
    read_rate(*inner, "requests_per_token", limits.rates.token);
    read_count(*inner, "streams_per_token", 100'000, limits.rates.streams_per_token);
    read_count(*inner, "connections", 1'000'000, limits.connections);
    read_count(*inner, "open_campaigns", 1'000'000, limits.open_campaigns);
    read_count(*inner, "jobs_per_campaign", 10'000, limits.jobs_per_campaign);
    read_count(*inner, "drain_seconds", 3'600, limits.drain_seconds);
    inner->finish();
}

ServerOptions read_options(Fields& fields) {
    ServerOptions options;
    read_text(fields, "listen", options.listen);
    if (!options.listen.empty()) {
        if (auto address = net::parse_address(options.listen); !address) {
            fields.error("listen", std::move(address).error());
        }
    }
    read_text(fields, "store", options.store);
    read_upstream(fields, options.upstream);
    read_text(fields, "upstream_file", options.upstream_file);
    read_text(fields, "script", options.script);
    options.has_demo = fields.flag("demo").value_or(false);
    read_text(fields, "protocols", options.protocols);
    read_text(fields, "data", options.data);
    read_tls(fields, options.tls);
    read_names(fields, "allow_hosts", &AccessOptions::allow_hosts, options.allow_hosts);
    read_names(fields, "allow_origins", &AccessOptions::allow_origins, options.allow_origins);
    read_names(fields, "trusted_proxies", &AccessOptions::trusted_proxies, options.trusted_proxies);
    read_limits(fields, options.limits);
    if (auto log = fields.object("log")) {
        options.log_level = log->one_of("level", kLevels).value_or(options.log_level);
        options.log_form = log->one_of("form", kForms);
        log->finish();
    }
    fields.finish();
    return options;
}

}  // namespace

std::expected<ServerOptions, config::FileDiagnostics> parse_server_options(std::string file,
                                                                           std::string text) {
    const auto parsed = config::parse_yaml(file, text);
    if (!parsed) {
        return std::unexpected(config::FileDiagnostics{std::move(file), {}, {parsed.error()}});
    }
    if (parsed->value.is_null()) {
        return ServerOptions();
    }
    value::Diagnostics diagnostics;
    Fields fields(parsed->value, {}, diagnostics, {.null_is_absent = true});
    ServerOptions options = read_options(fields);
    if (!diagnostics.empty()) {
        auto all = config::diagnostics_of(*parsed, diagnostics);
        all.text.clear();
        return std::unexpected(std::move(all));
    }
    return options;
}

std::expected<ServerOptions, config::FileDiagnostics> load_server_options(const std::string& file) {
    auto text = config::read_file(file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(config::FileDiagnostics{file, {}, {std::move(text).error()}});
    }
    return parse_server_options(file, *std::move(text));
}

}  // namespace arbiter::server
