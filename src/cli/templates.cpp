#include "cli/templates.h"

#include "base/limits.h"
#include "campaign/demo.h"
#include "cli/ledger.h"
#include "cli/lint.h"
#include "cli/profiles.h"
#include "cli/tools.h"

namespace arbiter::cli {

using base::ErrorCode;

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
    auto text = read_file(console, file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(trouble(console, text.error()));
    }
    auto loaded = config::load_table(file, *std::move(text), own);
    if (!loaded) {
        for (const config::FileDiagnostics& each : loaded.error()) {
            report(console, each);
        }
        return std::unexpected(Exit::kTrouble);
    }
    return *std::move(loaded);
}

namespace {

Exit run_table(const Call& call) {
    const Console& console = call.console;
    const std::string& action = call.arguments[0];
    if (action != "lint") {
        return trouble(console, base::Error(ErrorCode::kBadOptionValue, {"table", action, "lint"}));
    }
    std::vector<config::NamedText> own;
    if (call.has("--tools")) {
        auto tools = tools_of(call);
        if (!tools) {
            return tools.error();
        }
        own = *std::move(tools);
    }
    return lint_files(call, {base::kYamlBytesMax}, [&](std::span<const config::SourceText> texts) {
        return config::lint_tables(texts, own);
    });
}

constexpr Argument kArguments[] = {
    {"ACTION", true, {"lint", "lint"}, false, "lint"},
    {"FILE",
     false,
     {"templates (YAML or JSON) and folders; - reads standard input",
      "模板文件（YAML 或 JSON）和文件夹；- 表示标准输入"},
     true},
};
constexpr Option kOptions[] = {
    {"--tools",
     "FILE",
     {"tools of your own that the templates name, a file or a folder",
      "模板用到的自定义工具，文件或文件夹"}},
    {"--json", "", {"print JSON", "输出 JSON"}},
};
constexpr Example kExamples[] = {
    {"arbiter table lint table.yaml", {"every mistake with its line", "逐行指出问题"}},
    {"arbiter campaign new --table table.yaml",
     {"a campaign that begins from it", "用它开始一个战役"}},
};
constexpr Command kCommands[] = {
    {"table",
     {"templates of tables: map, characters, goal, tools", "跑团模板：地图、角色、目标、工具"},
     {"A template is a YAML file that a campaign begins from: its map, characters, goal, settings\n"
      "and tools. lint names every mistake with its line, also in the tool files that it lists\n"
      "(exit code 1). docs/table.md explains the format.",
      "模板是战役开始时所用的 YAML 文件：地图、角色、目标、设置与工具。lint 逐行指出问题，\n"
      "模板列出的工具文件也一并检查（有问题时退出码为 1）。格式见 docs/table.md。"},
     kArguments,
     kOptions,
     kExamples,
     run_table},
};

}  // namespace

std::span<const Command> table_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
