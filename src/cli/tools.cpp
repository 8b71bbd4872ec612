#include "cli/tools.h"

#include <algorithm>

#include "base/limits.h"
#include "campaign/registry_json.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/lint.h"
#include "cli/profiles.h"
#include "config/embedded.h"
#include "table/layout.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using table::Tool;
using value::Array;
using value::Value;

// The registered tools, and the document of the campaign whose they are.
struct Registered {
    std::shared_ptr<const table::Registries> registries;
    std::vector<config::NamedText> texts;  // of the tools of data that the user named
    std::optional<Value> document;         // without --campaign: none
};

std::expected<Registered, Exit> registered(const Call& call) {
    Registered made{config::built_in_registries(), {}, {}};
    if (call.has("--campaign") || call.has("--store")) {
        const auto playing = open_session(call, ledger::Access::kRead);
        if (!playing) {
            return std::unexpected(playing.error());
        }
        made.registries = playing->session->registries();
        made.document = playing->session->campaign().state().document;
    }
    if (call.has("--tools")) {
        auto tools = tools_of(call);
        if (!tools) {
            return std::unexpected(tools.error());
        }
        auto all = config::registries_with(*tools);
        if (!all) {
            report(call.console, all.error());
            return std::unexpected(Exit::kTrouble);
        }
        made.registries = *std::move(all);
        made.texts = *std::move(tools);
    }
    return made;
}

// "allowed", "disabled until turn_0004" or "not allowed", in a campaign.
std::string standing(const Console& console, const Value& document, const Tool& tool) {
    const Array& allowed =
        table::array_or_empty(table::find_in_campaign(document, {"tools", "allow"}));
    if (!table::holds_text(allowed, tool.name)) {
        return std::string(console.say({"not allowed", "未启用"}));
    }
    if (const auto until = table::disabled_until(document, tool.name)) {
        const std::string words[] = {table::turn_name(*until)};
        return base::format_message(console.say({"disabled until {0}", "停用至 {0}"}), words);
    }
    return std::string(console.say({"allowed", "已启用"}));
}

// The first sentence of a text.
std::string_view purpose(std::string_view text) {
    for (const std::string_view mark : {"。", ". "}) {
        if (const std::size_t end = text.find(mark); end != std::string_view::npos) {
            return text.substr(0, end + (mark == ". " ? 1 : mark.size()));
        }
    }
    return text;
}

std::string padded(std::string_view text, std::size_t width) {
    const std::size_t length = text::count(text);
    return std::string(text) + std::string(std::max(width, length + 2) - length, ' ');
}

Value tool_value(const Registered& all, const Tool& tool, base::Language language) {
    return campaign::tool_json(*all.registries, tool, all.document ? &*all.document : nullptr,
                               language);
}

Exit list_tools(const Call& call) {
    const auto all = registered(call);
    if (!all) {
        return all.error();
    }
    const Console& console = call.console;
    Array listed;
    std::string out;
    for (const Tool& tool : all->registries->tools.all()) {
        listed = std::move(listed).push_back(tool_value(*all, tool, console.language));
        out += console.painted(padded(tool.name, 20), Color::kCyan) +
               std::string(purpose(tool.for_agents.in(console.language))) + "\n";
        const std::string words[] = {
            text::join(campaign::dialog_types_of(*all->registries, tool), ", ")};
        out += std::string(20, ' ') +
               console.painted(
                   base::format_message(console.say({"offered in: {0}", "适用：{0}"}), words) +
                       (all->document ? "  (" + standing(console, *all->document, tool) + ")" : ""),
                   Color::kDim) +
               "\n";
    }
    if (call.has("--json")) {
        print_json(console, std::move(listed));
    } else {
        console.print(out);
    }
    return Exit::kDone;
}

// The file of a tool of data; nullptr for one in C++.
const std::string* source_of(const Registered& all, std::string_view name, std::string& built_in) {
    const auto own = std::ranges::find(all.texts, name, &config::NamedText::name);
    if (own != all.texts.end()) {
        return &own->text;
    }
    const auto found =
        std::ranges::find(config::built_in_tools(), name, &config::EmbeddedFile::name);
    if (found == config::built_in_tools().end()) {
        return nullptr;
    }
    built_in = found->text;
    return &built_in;
}

Exit show_tool(const Call& call, const std::string& name) {
    const auto all = registered(call);
    if (!all) {
        return all.error();
    }
    const Console& console = call.console;
    const table::ToolRegistry& tools = all->registries->tools;
    const Tool* tool = tools.find(name);
    if (tool == nullptr) {
        return trouble(console, campaign::unknown_tool(tools, name));
    }
    if (call.has("--source")) {
        std::string built_in;
        const std::string* text = source_of(*all, name, built_in);
        if (text == nullptr) {
            return trouble(console, base::Error(ErrorCode::kToolNoSource, {name}));
        }
        console.print_data(*text);
        return Exit::kDone;
    }
    if (call.has("--json")) {
        print_json(console, tool_value(*all, *tool, console.language));
        return Exit::kDone;
    }
    const Tool* const one[] = {tool};
    console.print(table::people_document(one, console.language) + "\n" +
                  table::agent_document(one, console.language));
    return Exit::kDone;
}

}  // namespace

std::expected<std::vector<config::NamedText>, Exit> tools_of(const Call& call) {
    auto loaded = config::load_tools({std::string(call.value("--tools", ""))});
    if (!loaded) {
        for (const config::FileDiagnostics& each : loaded.error()) {
            report(call.console, each);
        }
        return std::unexpected(Exit::kTrouble);
    }
    return *std::move(loaded);
}

namespace {

Exit run_tools(const Call& call) {
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    const std::vector<std::string> rest(call.arguments.begin() + (call.arguments.empty() ? 0 : 1),
                                        call.arguments.end());
    if (action == "list") {
        return list_tools(call);
    }
    if (action == "lint") {
        return lint_files(call, {base::kToolFileBytesMax}, config::lint_tools);
    }
    if (action == "show") {
        if (rest.size() == 1) {
            return show_tool(call, rest[0]);
        }
        const auto all = registered(call);
        if (all) {
            call.console.print(
                table::people_document(all->registries->tools, call.console.language));
        }
        return all ? Exit::kDone : all.error();
    }
    return trouble(call.console,
                   base::Error(ErrorCode::kBadOptionValue, {"tools", action, "list, show, lint"}));
}

constexpr Argument kArguments[] = {
    {"ACTION",
     false,
     {"list (the default), show or lint", "list（默认）、show 或 lint"},
     false,
     "list|show|lint"},
    {"WHAT",
     false,
     {"show: a tool, all by default; lint: files and folders",
      "show：工具名，默认全部；lint：文件和文件夹"},
     true},
};
constexpr Option kOptions[] = {
    {"--tools", "FILE", {"tools of your own, a file or a folder", "自定义工具的文件或文件夹"}},
    {"--store", "URL", {"list, show: the tools of a saved campaign", "list、show：存档战役的工具"}},
    {"--campaign", "ID", {"which campaign; default: the only one", "哪个战役；只有一个时可省略"}},
    {"--source", "", {"show: the YAML of a tool of data", "show：输出数据工具的 YAML"}},
    {"--json", "", {"print JSON", "输出 JSON"}},
};
constexpr Example kExamples[] = {
    {"arbiter tools show heal", {"what it does and refuses", "它做什么、拒绝什么"}},
    {"arbiter tools show heal --source > mine.yaml",
     {"a start for a tool of your own", "作为自定义工具的起点"}},
    {"arbiter tools lint mine.yaml", {"every mistake with its line", "逐行指出问题"}},
    {"arbiter campaign new 雾港 --table demo --tools mine.yaml",
     {"a campaign that has it", "在新战役中启用"}},
};
constexpr Command kCommands[] = {
    {"tools",
     {"tools: what a model may ask the table to do", "工具：模型可以请求跑团桌面做的事"},
     {"A tool is registered with its arguments, conditions, reasons for a refusal, effect, check "
      "and\n"
      "two texts, for models and for people. Some are built in; others are YAML files of your "
      "own,\n"
      "given to campaign new --tools or listed in its template. lint names every mistake with its\n"
      "line (exit code 1). docs/tools.md explains the format.",
      "工具登记了参数、条件、拒绝原因、效果、检查，以及分别写给模型和人的说明。有些是内置的，\n"
      "也可以用 YAML 自己编写，通过 campaign new --tools 或模板中的 tools 加入战役。lint "
      "逐行指出问题\n"
      "（有问题时退出码为 1）。格式见 docs/tools.md。"},
     kArguments,
     kOptions,
     kExamples,
     run_tools},
};

}  // namespace

std::span<const Command> tool_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
