#include "cli/templates.h"

#include "base/limits.h"
#include "campaign/demo.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "config/diagnostics.h"
#include "config/yaml.h"
#include "table/template.h"

namespace arbiter::cli {

std::expected<config::TableTemplate, Exit> load_template(const Console& console,
                                                         const std::string& file,
                                                         std::span<const config::NamedText> own) {
    if (file == "demo") {
        auto demo = campaign::load_demo(console.language);
        if (!demo) {
            report(console, demo.error());
            return std::unexpected(Exit::kTrouble);
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
