#include "config/tools.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "config/embedded.h"
#include "config/recent.h"
#include "table/campaign.h"
#include "table/layout.h"
#include "table/tool_data.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::config {
namespace {

using base::Error;
using base::ErrorCode;
using value::Value;

std::expected<table::Tool, FileDiagnostics> compile(const ParsedYaml& read) {
    auto tool = table::compile_tool(read.value);
    if (!tool) {
        return std::unexpected(diagnostics_of(read, tool.error()));
    }
    // Only a tool of data may be replaced.
    if (table::shipped_registries()->tools.find(tool->name) != nullptr) {
        return std::unexpected(
            diagnostics_of(read, {{{"name"}, false, Error(ErrorCode::kToolTwice, {tool->name})}}));
    }
    return *std::move(tool);
}

std::expected<table::Tool, FileDiagnostics> compile(std::string file, std::string text) {
    static RecentTexts<table::Tool> compiled;
    if (auto known = compiled.find(text)) {
        return *std::move(known);
    }
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(
            FileDiagnostics{std::move(file), std::move(text), {std::move(read.error())}});
    }
    auto tool = compile(*read);
    if (tool) {
        compiled.add(std::move(text), *tool);
    }
    return tool;
}

// Collects the tools of a user, and the mistakes of their files.
class Loading {
  public:
    void add(const SourceText& source) {
        auto tool = compile(source.file, source.text);
        if (!tool) {
            diagnostics.push_back(std::move(tool.error()));
            return;
        }
        if (std::ranges::find(tools, tool->name, &NamedText::name) != tools.end()) {
            note(source.file, Error(ErrorCode::kToolTwice, {tool->name}));
            return;
        }
        if (tools.size() == base::kToolsMax) {
            note(source.file,
                 Error(ErrorCode::kProtocolFiles, {source.file, std::to_string(base::kToolsMax)}));
            return;
        }
        tools.push_back({TextKind::kTool, tool->name, source.text});
    }

    std::vector<NamedText> tools;
    std::vector<FileDiagnostics> diagnostics;

  private:
    void note(std::string file, Error error) {
        diagnostics.push_back({std::move(file), {}, {std::move(error)}});
    }
};

}  // namespace

std::shared_ptr<const table::Registries> built_in_registries() {
    static const std::shared_ptr<const table::Registries> kBuiltIn = [] {
        auto made = registries_with({});
        CHECK(made.has_value());
        return *made;
    }();
    return kBuiltIn;
}

std::expected<std::shared_ptr<const table::Registries>, FileDiagnostics> registries_with(
    std::span<const NamedText> texts) {
    auto made = std::make_shared<table::Registries>(*table::shipped_registries());
    const auto add = [&](std::string file, std::string text) -> std::optional<FileDiagnostics> {
        auto tool = compile(std::move(file), std::move(text));
        if (!tool) {
            return std::move(tool.error());
        }
        if (auto added = made->tools.add(*std::move(tool)); !added) {
            return FileDiagnostics{"arbiter", {}, {std::move(added.error())}};
        }
        return std::nullopt;
    };
    const auto is_tool = [](const NamedText& text) { return text.kind == TextKind::kTool; };
    for (const EmbeddedFile& each : built_in_tools()) {
        const bool is_replaced = std::ranges::any_of(
            texts, [&](const NamedText& text) { return is_tool(text) && text.name == each.name; });
        if (!is_replaced) {
            if (auto wrong = add(std::string(each.name), std::string(each.text))) {
                return std::unexpected(*std::move(wrong));
            }
        }
    }
    for (const NamedText& text : texts) {
        if (is_tool(text)) {
            if (auto wrong = add(text.name, text.text)) {
                return std::unexpected(*std::move(wrong));
            }
        }
    }
    return made;
}

std::expected<std::vector<NamedText>, std::vector<FileDiagnostics>> load_tools(
    const std::vector<std::string>& files_or_folders) {
    Sources sources;
    for (const std::string& each : files_or_folders) {
        add_sources(sources, each, base::kToolFileBytesMax);
    }
    Loading loading;
    loading.diagnostics = std::move(sources.diagnostics);
    for (const SourceText& source : sources.texts) {
        loading.add(source);
    }
    if (!loading.diagnostics.empty()) {
        return std::unexpected(std::move(loading.diagnostics));
    }
    return std::move(loading.tools);
}

Value allow_tools(Value table, std::span<const NamedText> tools) {
    if (!table.is_object() || tools.empty()) {
        return table;
    }
    const Value* listed = value::find_member(&table, "tools");
    if (listed != nullptr && !listed->is_array()) {
        return table;  // begin_campaign() reports the mistake
    }
    value::Array names = listed != nullptr ? listed->as_array() : table::usual_tools();
    for (const NamedText& tool : tools) {
        if (!table::holds_text(names, tool.name)) {
            names = std::move(names).push_back(std::string_view(tool.name));
        }
    }
    return value::Object(table.as_object()).set("tools", std::move(names));
}

std::vector<NamedText> built_in_tools_of(const Value& document) {
    std::vector<NamedText> texts;
    const value::Array& allowed =
        table::array_or_empty(table::find_in_campaign(document, {"tools", "allow"}));
    for (const EmbeddedFile& each : built_in_tools()) {
        if (table::holds_text(allowed, each.name)) {
            texts.push_back({TextKind::kTool, std::string(each.name), std::string(each.text)});
        }
    }
    return texts;
}

Lint lint_tools(std::span<const SourceText> sources) {
    Loading loading;
    for (const SourceText& source : sources) {
        loading.add(source);
    }
    return {std::move(loading.diagnostics)};
}

}  // namespace arbiter::config
