#include "cli/demo.h"

#include "base/limits.h"
#include "campaign/create.h"
#include "cli/profiles.h"
#include "config/diagnostics.h"
#include "config/embedded.h"
#include "config/text_resolver.h"
#include "config/yaml.h"
#include "table/template.h"
#include "value/json.h"

namespace arbiter::cli {

using value::Object;
using value::Value;

std::expected<Demo, Exit> load_demo(const Console& console) {
    const std::string_view language = console.language == base::Language::kChinese ? "zh" : "en";
    for (const config::EmbeddedFile& each : config::built_in_demos()) {
        if (each.name != language) {
            continue;
        }
        const std::string file = "demo/" + std::string(each.name) + ".yaml";
        const auto written = config::parse_yaml(file, std::string(each.text));
        if (!written || !written->value.is_object()) {
            break;
        }
        const Object& parts = written->value.as_object();
        // parse_script() expects a separate document, as in a script file.
        auto script = model::parse_script(
            file, value::print_json(parts.contains("script") ? *parts.find("script") : Value()));
        if (!script) {
            report(console, script.error());
            return std::unexpected(Exit::kTrouble);
        }
        const Value* greeting = parts.find("greeting");
        return Demo{parts.contains("table") ? *parts.find("table") : Value(),
                    greeting != nullptr && greeting->is_string()
                        ? std::string(greeting->as_string())
                        : std::string(),
                    *std::move(script)};
    }
    return std::unexpected(
        trouble(console, base::Error(base::ErrorCode::kFileUnreadable, {"demo", "YAML"})));
}

std::expected<std::unique_ptr<campaign::Session>, Exit> begin_demo(const Call& call,
                                                                   ledger::Store& store,
                                                                   const Demo& demo,
                                                                   engine::Instant now) {
    const Console& console = call.console;
    auto world = config::load_world("auto");
    if (!world) {
        report(console, world.error());
        return std::unexpected(Exit::kTrouble);
    }
    campaign::SessionOptions options = session_options_of(call, store);
    campaign::CampaignSetup setup;
    setup.id = "demo";
    setup.name = "demo";
    setup.now = now;
    setup.world = *std::move(world);
    setup.state.document = Object();
    setup.table = demo.table;
    std::vector<base::Error> warnings;
    const auto begun = campaign::create_campaign(store, std::move(setup), options, warnings);
    if (!begun && begun.error().code != base::ErrorCode::kCampaignExists) {
        return std::unexpected(trouble(console, begun.error()));
    }
    auto session = campaign::Session::open(store, "demo", std::move(options));
    if (!session) {
        return std::unexpected(trouble(console, session.error()));
    }
    if (begun) {
        turn::SuppliedReply greeting;
        greeting.text = demo.greeting;
        greeting.actor = engine::Actor::kSystem;
        greeting.now = now;
        if (const auto greeted = (*session)->apply(greeting); !greeted) {
            return std::unexpected(trouble(console, greeted.error()));
        }
    }
    return *std::move(session);
}

std::expected<config::TableTemplate, Exit> load_template(const Console& console,
                                                         const std::string& file,
                                                         std::span<const config::NamedText> own) {
    if (file == "demo") {
        auto demo = load_demo(console);
        if (!demo) {
            return std::unexpected(demo.error());
        }
        return config::TableTemplate{demo->table, {}};
    }
    const auto text = read_file(console, file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(trouble(console, text.error()));
    }
    auto written = config::parse_yaml(file, *text);
    if (!written) {
        report(console, written.error(), file, *text);
        return std::unexpected(Exit::kTrouble);
    }
    auto made = config::table_template(*written);
    if (!made) {
        report(console, made.error());
        return std::unexpected(Exit::kTrouble);
    }
    std::vector<config::NamedText> tools(own.begin(), own.end());
    tools.insert(tools.end(), made->tools.begin(), made->tools.end());
    const auto registries = config::registries_with(tools);
    if (!registries) {
        report(console, registries.error());
        return std::unexpected(Exit::kTrouble);
    }
    if (const auto mistakes = table::check_template(made->value, **registries, {});
        !mistakes.empty()) {
        report(console, config::diagnostics_of(*written, mistakes));
        return std::unexpected(Exit::kTrouble);
    }
    return *std::move(made);
}

}  // namespace arbiter::cli
