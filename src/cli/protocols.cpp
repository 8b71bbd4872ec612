#include "cli/protocols.h"

#include <algorithm>

#include "base/limits.h"
#include "cli/documents.h"
#include "cli/lint.h"
#include "cli/profiles.h"
#include "config/protocols.h"
#include "protocol/describe.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using config::Protocols;
using protocol::Library;
using protocol::Protocol;
using protocol::Reference;
using value::Array;
using value::Object;
using value::Value;

// Loads the library with the named folder. Reports the files that had to be skipped.
Protocols load(const Call& call) {
    std::vector<std::string> folders;
    if (call.has("--folder")) {
        folders.emplace_back(call.value("--folder", ""));
    }
    Protocols protocols(std::move(folders));
    for (const config::FileDiagnostics& each : protocols.diagnostics()) {
        report(call.console, each);
    }
    return protocols;
}

Exit list_protocols(const Call& call) {
    const Console& console = call.console;
    const Protocols protocols = load(call);
    if (call.has("--json")) {
        Array all;
        for (const Library::Row& row : protocols.library()->rows()) {
            all = std::move(all).push_back(to_value(*row.protocol, console.language));
        }
        print_json(console, std::move(all));
        return Exit::kDone;
    }
    std::string out;
    for (const Library::Row& row : protocols.library()->rows()) {
        const Protocol& protocol = *row.protocol;
        const std::string full = full_name(protocol);
        const std::size_t width = text::count(full);
        out += console.painted(full, Color::kCyan) +
               std::string(std::max<std::size_t>(30, width + 2) - width, ' ') +
               std::string(name(protocol.type)) +
               std::string(11 - name(protocol.type).size(), ' ') +
               std::string(protocol.name.in(console.language)) + "\n";
    }
    console.print(out);
    return Exit::kDone;
}

const Library::Row* row_of(const Console& console, const Library& library,
                           const std::string& text) {
    const auto reference = protocol::parse_reference(text);
    const Library::Row* row = reference ? library.find(*reference) : nullptr;
    if (row == nullptr) {
        report(console, library.unknown(text), "arbiter", {});
    }
    return row;
}

Exit show_protocol(const Call& call, const std::string& text) {
    const Protocols protocols = load(call);
    const Library::Row* row = row_of(call.console, *protocols.library(), text);
    if (row == nullptr) {
        return Exit::kTrouble;
    }
    if (call.has("--json")) {
        const Protocol& protocol = *row->protocol;
        Object shown = to_value(protocol, call.console.language).as_object();
        shown = std::move(shown).set("file", std::string_view(row->file));
        const std::string_view instruction = protocol.instruction.in(call.console.language);
        shown = std::move(shown).set("instruction", std::string_view(instruction));
        print_json(call.console, std::move(shown));
        return Exit::kDone;
    }
    call.console.print_data(*protocols.text_of(row->file));
    return Exit::kDone;
}

struct Edge {
    std::string from;
    std::string to;
    std::string_view kind;
};

std::vector<Edge> edges_of(const Library& library) {
    std::vector<Edge> edges;
    for (const Library::Row& row : library.rows()) {
        const Protocol& protocol = *row.protocol;
        const auto add = [&](const std::vector<Reference>& references, std::string_view kind) {
            for (const Reference& reference : references) {
                const Library::Row* to = library.find(reference);
                edges.push_back({full_name(protocol),
                                 to != nullptr ? full_name(*to->protocol) : print(reference),
                                 kind});
            }
        };
        add(protocol.dependencies, "needs");
        add(protocol.conflicts, "conflicts");
        add(protocol.replaces, "replaces");
    }
    return edges;
}

Exit draw(const Call& call) {
    const Protocols protocols = load(call);
    const Library& library = *protocols.library();
    const std::vector<Edge> edges = edges_of(library);
    if (call.has("--json")) {
        Array nodes;
        for (const Library::Row& row : library.rows()) {
            nodes = std::move(nodes).push_back(std::string_view(full_name(*row.protocol)));
        }
        Array lines;
        for (const Edge& edge : edges) {
            lines = std::move(lines).push_back(Object{{"from", std::string_view(edge.from)},
                                                      {"to", std::string_view(edge.to)},
                                                      {"kind", edge.kind}});
        }
        print_json(call.console, Object{{"nodes", std::move(nodes)}, {"edges", std::move(lines)}});
        return Exit::kDone;
    }
    // Mermaid restricts node ids, so protocol names become labels.
    std::vector<std::string> names;
    std::string out = "graph TD\n";
    const auto declare = [&](const std::string& full) {
        if (std::ranges::find(names, full) == names.end()) {
            out += "    n" + std::to_string(names.size()) + "[\"" + full + "\"]\n";
            names.push_back(full);
        }
    };
    for (const Library::Row& row : library.rows()) {
        declare(full_name(*row.protocol));
    }
    for (const Edge& edge : edges) {
        declare(edge.to);
    }
    const auto node = [&](const std::string& full) {
        return "n" + std::to_string(std::ranges::find(names, full) - names.begin());
    };
    for (const Edge& edge : edges) {
        out += "    " + node(edge.from) +
               (edge.kind == "needs" ? " --> " : " -.->|" + std::string(edge.kind) + "| ") +
               node(edge.to) + "\n";
    }
    call.console.print(out);
    return Exit::kDone;
}

Exit resolve(const Call& call, const std::vector<std::string>& references) {
    const Console& console = call.console;
    const Protocols protocols = load(call);
    std::vector<protocol::ProtocolRequest> requests;
    for (const std::string& reference : references) {
        requests.push_back({reference, {}});
    }
    const protocol::Resolved resolved =
        protocols.library()->resolve(requests, {.language = console.language});
    const Exit exit = resolved.warnings.empty() ? Exit::kDone : Exit::kNo;
    if (call.has("--json")) {
        print_json(console, to_value(resolved, console.language));
        return exit;
    }
    for (const base::Error& warning : resolved.warnings) {
        report(console, warning, "arbiter", {});
    }
    std::string out;
    for (const auto* texts : {&resolved.instructions, &resolved.examples}) {
        for (const protocol::Injection& each : *texts) {
            out += console.painted("== " + each.id + "@" + each.version, Color::kCyan) + "  " +
                   std::string(injection_name(each.target)) + " " + std::to_string(each.priority) +
                   "  " + explain(each.why, console.language) + "\n" + each.text +
                   (each.text.ends_with('\n') ? "" : "\n");
        }
    }
    for (const reader::TagHint& hint : resolved.hints) {
        out += console.painted("<" + hint.tag + ">", Color::kYellow) + " ";
    }
    out += resolved.hints.empty() ? "" : "\n";
    for (const auto& book : resolved.constraints) {
        for (const rules::RuleSummary& rule : book->summaries) {
            out += rule.text + "\n";
        }
    }
    console.print(out);
    return exit;
}

Exit run_protocol(const Call& call) {
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    const std::vector<std::string> rest(call.arguments.begin() + (call.arguments.empty() ? 0 : 1),
                                        call.arguments.end());
    const auto wrong = [&](base::Error error) {
        report(call.console, error, "arbiter", {});
        return Exit::kTrouble;
    };
    if (action == "list" || action == "graph") {
        if (!rest.empty()) {
            return wrong(base::Error(ErrorCode::kTooManyArguments, {rest[0]}));
        }
        return action == "list" ? list_protocols(call) : draw(call);
    }
    if (action != "show" && action != "lint" && action != "resolve") {
        return wrong(base::Error(ErrorCode::kBadOptionValue,
                                 {"ACTION", action, "list, show, lint, graph, resolve"}));
    }
    if (action == "lint") {
        return lint_files(call, {base::kProtocolBytesMax}, config::lint_protocols);
    }
    if (rest.empty()) {
        return wrong(base::Error(ErrorCode::kMissingArgument, {"ID"}));
    }
    if (action == "resolve") {
        return resolve(call, rest);
    }
    return rest.size() > 1 ? wrong(base::Error(ErrorCode::kTooManyArguments, {rest[1]}))
                           : show_protocol(call, rest[0]);
}

constexpr Argument kArguments[] = {
    {"ACTION",
     false,
     {"list (default), show, lint, graph or resolve",
      "list（可省略）、show、lint、graph 或 resolve"},
     false,
     "list|show|lint|graph|resolve"},
    {"WHAT",
     false,
     {"show, resolve: ids, also pinned (id@^1); lint: files and folders",
      "show、resolve：id，可固定版本（id@^1）；lint：文件和文件夹"},
     true},
};
constexpr Option kOptions[] = {
    {"--folder",
     "DIR",
     {"protocols of your own, on top of ours", "自己的协议文件夹，叠加在自带协议之上"}},
    {"--json", "", {"print JSON", "输出 JSON"}},
};
constexpr Example kExamples[] = {
    {"arbiter protocol show love_system_simple > mine.yaml",
     {"a starting point for your own", "作为自己协议的起点"}},
    {"arbiter protocol lint mine.yaml", {"every mistake, and how to fix it", "逐处指出问题和改法"}},
    {"arbiter protocol resolve love_system_simple",
     {"what it brings into a prompt, and why", "它会给提示词带来什么，以及原因"}},
};
constexpr Command kCommands[] = {
    {"protocol",
     {"protocols: prompt rules, tags and limits shared by cards",
      "协议：多张角色卡共用的提示词规则、标签与限制"},
     {"A protocol is a YAML file: what a model is told, what its tags mean, what commands must "
      "keep\n"
      "to. lint names every mistake with its line and how to fix it (exit code 1); resolve shows\n"
      "what follows when some are active; graph prints who needs whom (Mermaid).\n"
      "docs/protocols.md explains the format.",
      "协议是一个 YAML 文件：告诉模型什么、标签有何含义、指令须遵守什么。lint 逐行指出问题和改法\n"
      "（有问题时退出码为 1）；resolve 显示启用某些协议后的结果；graph 输出依赖关系（Mermaid）。\n"
      "格式见 docs/protocols.md。"},
     kArguments,
     kOptions,
     kExamples,
     run_protocol},
};

}  // namespace

std::span<const Command> protocol_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
