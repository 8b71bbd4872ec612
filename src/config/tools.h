// Loads tools of data (table/tool_data.h): the embedded ones of data/tools, and those of the user,
// one tool in a file.
//
// Registries are compiled once and shared; a campaign keeps the texts of its tools by digest.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "config/source_files.h"
#include "config/text_resolver.h"
#include "config/yaml.h"
#include "table/registries.h"
#include "value/value.h"

namespace arbiter::config {

// The registries with the tools of Arbiter, in C++ and of data. One shared instance.
std::shared_ptr<const table::Registries> built_in_registries();

// The same with these tools on top; texts of other kinds are ignored. One of them may replace a
// built-in tool of data.
std::expected<std::shared_ptr<const table::Registries>, FileDiagnostics> registries_with(
    std::span<const NamedText> texts);

// The text and name of each tool in some files and folders. Fails with the mistakes of all files.
std::expected<std::vector<NamedText>, std::vector<FileDiagnostics>> load_tools(
    const std::vector<std::string>& files_or_folders);

// The template with these tools on its list of allowed ones.
value::Value allow_tools(value::Value table, std::span<const NamedText> tools);

// The texts of the tools that a document allows and that are built in as data; a campaign keeps
// them beside its own.
std::vector<NamedText> built_in_tools_of(const value::Value& document);

// All mistakes in some files, and between them.
Lint lint_tools(std::span<const SourceText> sources);

}  // namespace arbiter::config
