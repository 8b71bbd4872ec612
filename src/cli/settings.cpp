// The command settings.
#include "cli/settings.h"

#include "campaign/globals.h"
#include "campaign/registry_json.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "text/join.h"
#include "value/fields.h"
#include "value/json.h"

namespace arbiter::cli {

using base::ErrorCode;
using value::Object;
using value::Value;

namespace {

Value value_of(std::string_view word) {
    if (word == "default") {
        return {};
    }
    auto parsed = value::parse_json(word);
    return parsed ? *std::move(parsed) : Value(word);
}

std::unexpected<base::Error> unknown(std::string_view key,
                                     const table::SettingsRegistry& registry) {
    std::vector<std::string_view> keys;
    for (const table::SettingDefinition& each : registry.all()) {
        keys.push_back(each.key);
    }
    return std::unexpected(value::unknown_key(key, keys));
}

// All definitions, each with its value in effect.
Exit list_settings(const Call& call, const Object& effective,
                   const table::SettingsRegistry& registry) {
    if (call.has("--json")) {
        print_json(call.console, campaign::settings_json(registry, effective));
        return Exit::kDone;
    }
    std::string out;
    for (const table::SettingDefinition& each : registry.all()) {
        out += describe_setting(each, *effective.find(each.key), call.console.language);
    }
    call.console.print(out);
    return Exit::kDone;
}

// The settings of all campaigns of a store are kept in its library.
Exit set_globals(const Call& call, const Object& patch, const table::SettingsRegistry& registry,
                 engine::Instant now) {
    const auto store = open_store(call, ledger::Access::kCreate);
    if (!store) {
        return store.error();
    }
    const auto values = campaign::patch_globals(**store, patch, registry, now);
    if (!values) {
        return trouble(call.console, values.error());
    }
    call.console.print(settings_lines(patch, registry.effective({}, *values).values));
    return Exit::kDone;
}

}  // namespace

base::Result<Object> parse_settings(std::span<const std::string> words,
                                    const table::SettingsRegistry& registry) {
    Object patch;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string key = words[i];
        std::optional<std::string> text;
        if (const std::size_t sign = key.find('='); sign != std::string::npos) {
            text = key.substr(sign + 1);
            key.resize(sign);
        }
        if (registry.find(key) == nullptr) {
            return unknown(key, registry);
        }
        if (!text) {
            if (++i == words.size()) {
                return base::fail(ErrorCode::kMissingArgument, {key + " VALUE"});
            }
            text = words[i];
        }
        patch = std::move(patch).set(std::string_view(key), value_of(*text));
    }
    if (patch.size() == 1 && (*patch.begin()).value == Value(true)) {
        return registry.switch_on((*patch.begin()).key);
    }
    return patch;
}

std::string settings_lines(const Object& patch, const Object& effective) {
    std::string out;
    for (const auto& [key, written] : patch) {
        const Value* holds = effective.find(key.view());
        out += std::string(key.view()) + " = " +
               value::print_json(holds != nullptr ? *holds : written) + "\n";
    }
    return out;
}

std::string describe_setting(const table::SettingDefinition& definition, const Value& value,
                             base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    const table::Validation& bounds = definition.validation;
    std::string takes(bounds.words.in(language));
    if (!bounds.allowed.empty()) {
        takes += (chinese ? "：" : ": ") + text::join(bounds.allowed, " | ");
    }
    std::string out = definition.key + " = " + value::print_json(value) + "\n\t" +
                      std::string(definition.ui_hint.in(language)) + "\n\t";
    out += std::string(name(definition.type)) + (chinese ? "；" : "; ") + takes +
           (chinese ? "；默认 " : "; default ") + value::print_json(definition.fallback) +
           (chinese ? "；范围 " : "; scope ") + std::string(name(definition.scope)) +
           (chinese ? "；影响 " : "; effects ") + text::join(definition.effect_tags, ", ") + "\n";
    return out;
}

Exit run_settings(const Call& call) {
    const Console& console = call.console;
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    const std::span<const std::string> words =
        std::span(call.arguments).subspan(call.arguments.empty() ? 0 : 1);
    const auto registries = table::shipped_registries();
    const table::SettingsRegistry& registry = registries->settings;
    const bool in_campaign = call.has("--campaign") || call.has("--store");
    if (action == "list" && (!in_campaign || call.has("--global"))) {
        return list_settings(call, registry.effective({}, {}).values, registry);
    }
    if (action != "list" && action != "get" && action != "set") {
        return trouble(console, base::Error(ErrorCode::kBadOptionValue,
                                            {"settings", action, "list, get, set"}));
    }
    if (action != "list" && words.empty()) {
        return trouble(console, base::Error(ErrorCode::kMissingArgument, {"KEY"}));
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    Object patch;
    if (action == "set") {
        auto parsed = parse_settings(words, registry);
        if (!parsed) {
            return trouble(console, parsed.error());
        }
        patch = *std::move(parsed);
        if (call.has("--global")) {
            return set_globals(call, patch, registry, *now);
        }
    }
    auto playing =
        open_session(call, action == "set" ? ledger::Access::kWrite : ledger::Access::kRead);
    if (!playing) {
        return playing.error();
    }
    campaign::Session& session = *playing->session;
    if (action == "list") {
        return list_settings(call, session.settings(), registry);
    }
    if (action == "set") {
        if (const auto done = session.patch_settings(patch, *now); !done) {
            return trouble(console, done.error());
        }
        console.print(settings_lines(patch, session.settings()));
        return Exit::kDone;
    }
    for (const std::string& key : words) {
        const table::SettingDefinition* found = registry.find(key);
        if (found == nullptr) {
            return trouble(console, unknown(key, registry).error());
        }
        console.print(describe_setting(*found, *session.settings().find(key), console.language));
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
