#include "config/diagnostics.h"

#include <map>

namespace arbiter::config {

void sort_by_position(std::vector<base::Error>& errors) {
    std::multimap<std::size_t, base::Error> sorted;
    for (base::Error& error : errors) {
        const std::size_t position = error.place ? error.place->offset + 1 : 0;
        sorted.emplace(position, std::move(error));
    }
    errors.clear();
    for (auto& [position, error] : sorted) {
        errors.push_back(std::move(error));
    }
}

FileDiagnostics diagnostics_of(const ParsedYaml& parsed, const value::Diagnostics& diagnostics) {
    FileDiagnostics found{parsed.file, parsed.text, {}};
    for (const value::Diagnostic& diagnostic : diagnostics) {
        found.errors.push_back(parsed.at(diagnostic));
    }
    sort_by_position(found.errors);
    return found;
}

}  // namespace arbiter::config
