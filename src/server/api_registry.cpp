#include "server/api_registry.h"

#include "campaign/registry_json.h"
#include "config/embedded.h"
#include "config/profiles.h"
#include "config/tools.h"
#include "protocol/describe.h"
#include "server/api_support.h"
#include "value/array.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

net::Response get_tools(Host& host, const ApiCall& call) {
    (void)host;
    const auto registries = config::built_in_registries();
    Array tools;
    for (const table::Tool& each : registries->tools.all()) {
        tools = std::move(tools).push_back(
            campaign::tool_json(*registries, each, nullptr, call.language));
    }
    return public_response(200, Object{{"tools", std::move(tools)}});
}

net::Response get_settings(Host& host, const ApiCall&) {
    const table::SettingsRegistry& registry = config::built_in_registries()->settings;
    const Object effective = registry.effective({}, host.options().session.globals).values;
    return public_response(200,
                           Object{{"settings", effective},
                                  {"definitions", campaign::settings_json(registry, effective)}});
}

net::Response get_protocols(Host& host, const ApiCall& call) {
    Array protocols;
    const auto library = host.options().session.protocols.library();
    for (const protocol::Library::Row& row : library->rows()) {
        protocols = std::move(protocols).push_back(to_value(*row.protocol, call.language));
    }
    return public_response(200, Object{{"protocols", std::move(protocols)}});
}

net::Response get_protocol(Host& host, const ApiCall& call) {
    const config::Protocols& protocols = host.options().session.protocols;
    const auto library = protocols.library();
    const auto reference = protocol::parse_reference(call.path("protocol"));
    const protocol::Library::Row* row = reference ? library->find(*reference) : nullptr;
    if (row == nullptr) {
        net::Response response = error_response(library->unknown(call.path("protocol")));
        response.status = 404;
        return response;
    }
    const std::string* text = protocols.text_of(row->file);
    return public_response(200,
                           to_value(*row->protocol, call.language)
                               .as_object()
                               .set("instruction", row->protocol->instruction.in(call.language))
                               .set("text", text_value(text != nullptr ? *text : std::string())));
}

net::Response get_profiles(Host& host, const ApiCall&) {
    (void)host;
    Array profiles;
    for (const config::EmbeddedFile& each : config::built_in_profiles()) {
        const auto profile = config::load_profile(each.name);
        if (profile) {
            profiles = std::move(profiles).push_back(
                Object{{"name", each.name},
                       {"summary", text_value(profile->summary.english)},
                       {"summary_zh", text_value(profile->summary.chinese)}});
        }
    }
    return public_response(200, Object{{"profiles", std::move(profiles)}});
}

constexpr Route row(std::string_view pattern, std::string_view summary, Handler handler,
                    std::string_view answer) {
    return {.method = "GET",
            .pattern = pattern,
            .scope = Scope::kRead,
            .runs = Runs::kRead,
            .summary = summary,
            .handler = handler,
            .answer = answer};
}

constexpr Route kRoutes[] = {
    row("/api/v1/tools", "The tools that are part of the program", get_tools, "Tools"),
    row("/api/v1/settings", "The definitions of all settings", get_settings, "SettingDefinitions"),
    row("/api/v1/protocols", "The library of protocols", get_protocols, "Protocols"),
    row("/api/v1/protocols/{protocol}", "One protocol with its text", get_protocol, "Protocol"),
    row("/api/v1/profiles", "The profiles that are part of the program", get_profiles, "Profiles"),
};

}  // namespace

std::span<const Route> registry_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
