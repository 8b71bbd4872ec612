// Finds the YAML files of a folder of the user.
//
// Folders are searched recursively for .yaml and .yml. Links that lead out of a folder are not
// followed, and only regular files are listed.
#pragma once

#include <string>
#include <vector>

#include "config/diagnostics.h"

namespace arbiter::config {

struct YamlFiles {
    std::vector<std::string> files;  // sorted
    std::vector<FileDiagnostics> diagnostics;
};
// A file that is named counts whatever its extension. At most base::kProtocolsMax files.
YamlFiles find_yaml_files(const std::string& file_or_folder);

}  // namespace arbiter::config
