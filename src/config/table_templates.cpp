#include "config/table_templates.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/limits.h"
#include "config/files.h"
#include "config/tools.h"
#include "prompt/plan.h"
#include "table/template.h"
#include "table/tool_data.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::config {
namespace {

using base::Error;
using base::ErrorCode;
using value::Value;

// Collects the tools of a template, and the mistakes that are found on the way.
class ToolList {
  public:
    explicit ToolList(const ParsedYaml& read) : made{read.value, {}}, read_(read) {
        const Value* listed = value::find_member(&read.value, "tools");
        if (listed == nullptr || !listed->is_array()) {
            return;
        }
        value::Array names;
        for (std::size_t i = 0; i < listed->as_array().size(); ++i) {
            const Value& entry = listed->as_array()[i];
            const value::Path path = {"tools", static_cast<std::int64_t>(i)};
            const bool is_own =
                entry.is_object() || (entry.is_string() && is_file(entry.as_string()));
            auto tool = !is_own             ? std::nullopt
                        : entry.is_object() ? registration(entry, path)
                                            : file_of(entry.as_string(), path);
            names = std::move(names).push_back(tool ? Value(std::string_view(tool->name)) : entry);
            if (tool) {
                made.tools.push_back(*std::move(tool));
            } else if (is_own) {
                unusable.push_back(path);
            }
        }
        made.value = value::Object(made.value.as_object()).set("tools", std::move(names));
    }

    TableTemplate made;
    value::Diagnostics diagnostics;      // in the template
    std::vector<FileDiagnostics> files;  // in the files of tools
    std::vector<value::Path> unusable;   // entries whose mistakes are among these

  private:
    std::optional<NamedText> file_of(std::string_view name, const value::Path& path) {
        auto file = resolve_reference(std::filesystem::path(read_.file).parent_path(), name);
        if (!file) {
            diagnostics.push_back({path, false, std::move(file.error())});
            return std::nullopt;
        }
        auto loaded = load_tools({*file});
        if (loaded) {
            return std::move((*loaded)[0]);
        }
        for (FileDiagnostics& wrong : loaded.error()) {
            if (wrong.text.empty()) {  // it cannot be read: the mistake is the name
                diagnostics.push_back({path, false, std::move(wrong.errors[0])});
            } else {
                files.push_back(std::move(wrong));
            }
        }
        return std::nullopt;
    }

    // A whole registration in the list.
    std::optional<NamedText> registration(const Value& written, const value::Path& path) {
        auto tool = table::compile_tool(written);
        value::Diagnostics wrong;
        if (!tool) {
            wrong = std::move(tool.error());
        } else if (table::shipped_registries()->tools.find(tool->name) != nullptr) {
            wrong.push_back({{"name"}, false, Error(ErrorCode::kToolTwice, {tool->name})});
        }
        if (wrong.empty()) {
            return NamedText{TextKind::kTool, tool->name,
                             value::print_json(written, value::JsonStyle::kPretty)};
        }
        for (value::Diagnostic& each : wrong) {
            each.path.insert(each.path.begin(), path.begin(), path.end());
            diagnostics.push_back(std::move(each));
        }
        return std::nullopt;
    }

    const ParsedYaml& read_;
};

}  // namespace

value::Diagnostics check_table(const Value& written, const table::Registries& registries) {
    value::Diagnostics diagnostics = table::check_template(written, registries, {});
    std::ranges::move(prompt::check_plans(written), std::back_inserter(diagnostics));
    return diagnostics;
}

std::expected<TableTemplate, FileDiagnostics> table_template(const ParsedYaml& read) {
    ToolList list(read);
    std::ranges::move(prompt::check_plans(read.value), std::back_inserter(list.diagnostics));
    if (!list.diagnostics.empty()) {
        return std::unexpected(diagnostics_of(read, list.diagnostics));
    }
    if (!list.files.empty()) {
        return std::unexpected(std::move(list.files[0]));
    }
    return std::move(list.made);
}

std::expected<TableTemplate, std::vector<FileDiagnostics>> load_table(
    std::string file, std::string text, std::span<const NamedText> own) {
    auto read = parse_yaml(file, text);
    if (!read) {
        return std::unexpected(std::vector{
            FileDiagnostics{std::move(file), std::move(text), {std::move(read.error())}}});
    }
    ToolList list(*read);
    std::vector<FileDiagnostics> wrong = std::move(list.files);
    std::vector<NamedText> tools(own.begin(), own.end());
    tools.insert(tools.end(), list.made.tools.begin(), list.made.tools.end());
    auto registries = registries_with(tools);
    if (!registries) {
        wrong.push_back(std::move(registries.error()));
        registries = built_in_registries();
    }
    value::Diagnostics diagnostics = std::move(list.diagnostics);
    for (value::Diagnostic& each : check_table(list.made.value, **registries)) {
        // One mistake, one message: an entry without a usable tool has been reported.
        if (std::ranges::find(list.unusable, each.path) == list.unusable.end()) {
            diagnostics.push_back(std::move(each));
        }
    }
    if (!diagnostics.empty()) {
        wrong.insert(wrong.begin(), diagnostics_of(*read, diagnostics));
    }
    if (!wrong.empty()) {
        return std::unexpected(std::move(wrong));
    }
    return std::move(list.made);
}

Lint lint_tables(std::span<const SourceText> sources, std::span<const NamedText> own) {
    Lint lint;
    for (const SourceText& source : sources) {
        if (auto loaded = load_table(source.file, source.text, own); !loaded) {
            std::ranges::move(loaded.error(), std::back_inserter(lint.diagnostics));
        }
    }
    return lint;
}

}  // namespace arbiter::config
