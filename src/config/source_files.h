// Finds and reads the files that a user names: files, and folders, which are searched recursively
// for files with certain extensions.
//
// Links that lead out of a folder are not followed, and only regular files of a folder are listed.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"

namespace arbiter::config {

inline constexpr std::string_view kYamlExtensions[] = {".yaml", ".yml"};

struct FoundFiles {
    std::vector<std::string> files;  // sorted
    std::vector<FileDiagnostics> diagnostics;
};
// A file that is named counts whatever its extension. At most base::kProtocolsMax files.
FoundFiles find_files(const std::string& file_or_folder,
                      std::span<const std::string_view> extensions = kYamlExtensions);

struct SourceText {
    std::string file;
    std::string text;
};
struct Sources {
    std::vector<SourceText> texts;             // each file once, in the order of the names
    std::size_t files = 0;                     // with those that cannot be read
    std::vector<FileDiagnostics> diagnostics;  // files and folders that cannot be read
    std::set<std::string> paths;               // normalised, of all files
};
// Reads the files of `file_or_folder`, and adds them. A folder without files is a diagnostic.
void add_sources(Sources& sources, const std::string& file_or_folder, std::size_t bytes_max,
                 std::span<const std::string_view> extensions = kYamlExtensions);

}  // namespace arbiter::config
