#include "campaign/demo.h"

#include "campaign/create.h"
#include "config/embedded.h"
#include "config/yaml.h"
#include "value/json.h"

namespace arbiter::campaign {

using value::Object;
using value::Value;

std::expected<Demo, config::FileDiagnostics> load_demo(base::Language language) {
    const std::string_view wanted = language == base::Language::kChinese ? "zh" : "en";
    for (const config::EmbeddedFile& each : config::built_in_demos()) {
        if (each.name != wanted) {
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
            return std::unexpected(script.error());
        }
        const Value* greeting = parts.find("greeting");
        return Demo{parts.contains("table") ? *parts.find("table") : Value(),
                    greeting != nullptr && greeting->is_string()
                        ? std::string(greeting->as_string())
                        : std::string(),
                    *std::move(script)};
    }
    return std::unexpected(config::FileDiagnostics{
        "arbiter", {}, {base::Error(base::ErrorCode::kFileUnreadable, {"demo", "YAML"})}});
}

base::Result<std::unique_ptr<Session>> begin_demo(ledger::Store& store, const Demo& demo,
                                                  SessionOptions options, engine::Instant now) {
    auto world = config::load_world("auto");
    if (!world) {
        return std::unexpected(world.error().errors[0]);
    }
    CampaignSetup setup;
    setup.id = kDemoId;
    setup.name = kDemoId;
    setup.now = now;
    setup.world = *std::move(world);
    setup.state.document = Object();
    setup.table = demo.table;
    std::vector<base::Error> warnings;
    const auto begun = create_campaign(store, std::move(setup), options, warnings);
    if (!begun && begun.error().code != base::ErrorCode::kCampaignExists) {
        return std::unexpected(begun.error());
    }
    auto session = Session::open(store, kDemoId, std::move(options));
    if (session && begun) {
        turn::SuppliedReply greeting;
        greeting.text = demo.greeting;
        greeting.actor = engine::Actor::kSystem;
        greeting.now = now;
        if (const auto greeted = (*session)->apply(greeting); !greeted) {
            return std::unexpected(greeted.error());
        }
    }
    return session;
}

}  // namespace arbiter::campaign
