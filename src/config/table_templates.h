// Templates of tables (table/template.h) from files, with the tools that they bring: the list
// `tools` of a template may also contain files, relative to the template, and whole registrations.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "config/source_files.h"
#include "config/text_resolver.h"
#include "config/yaml.h"
#include "table/registries.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::config {

// All mistakes of a template: those of table::check_template() and those in the plans of its dialog
// types.
value::Diagnostics check_table(const value::Value& written, const table::Registries& registries);

struct TableTemplate {
    value::Value value;  // files and registrations are replaced by the names of their tools
    std::vector<NamedText> tools;
};

// Collects the tools and checks the plans; the rest of the template is checked by
// table::begin_campaign(). Fails with the first file that has mistakes.
std::expected<TableTemplate, FileDiagnostics> table_template(const ParsedYaml& read);

// Parses and checks a template that may also name the tools `own`. Fails with all mistakes: those
// of the template first, then those of the tool files.
std::expected<TableTemplate, std::vector<FileDiagnostics>> load_table(
    std::string file, std::string text, std::span<const NamedText> own);

// All mistakes of some files.
Lint lint_tables(std::span<const SourceText> sources, std::span<const NamedText> own);

}  // namespace arbiter::config
