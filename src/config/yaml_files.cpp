#include "config/yaml_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/limits.h"
#include "config/files.h"

namespace arbiter::config {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorCode;

bool is_yaml_file(const fs::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

FileDiagnostics about(std::string file, Error error) {
    return {std::move(file), {}, {std::move(error)}};
}

}  // namespace

YamlFiles find_yaml_files(const std::string& folder) {
    YamlFiles found;
    std::error_code wrong;
    if (fs::is_regular_file(folder, wrong)) {
        found.files.push_back(folder);  // a file that is named counts whatever its extension
        return found;
    }
    fs::recursive_directory_iterator at(folder, wrong);
    if (wrong) {
        found.diagnostics.push_back(
            about(folder, Error(ErrorCode::kFileUnreadable, {folder, wrong.message()})));
        return found;
    }
    const auto too_much = [&] {
        found.diagnostics.push_back(
            about(folder,
                  Error(ErrorCode::kProtocolFiles, {folder, std::to_string(base::kProtocolsMax)})));
    };
    std::size_t seen = 0;
    for (const fs::recursive_directory_iterator end; at != end; at.increment(wrong)) {
        if (wrong || ++seen > 4 * base::kProtocolsMax ||
            found.files.size() == base::kProtocolsMax) {
            too_much();
            break;
        }
        const fs::path& path = at->path();
        if (static_cast<std::size_t>(at.depth()) >= base::kProtocolDepthMax) {
            at.disable_recursion_pending();
        }
        if (at->is_symlink(wrong)) {
            // The target of a link inside the folder is found by itself.
            if ((is_yaml_file(path) || at->is_directory(wrong)) && !is_inside(path, folder)) {
                found.diagnostics.push_back(
                    about(path.string(), Error(ErrorCode::kProtocolOutside, {path.string()})));
            }
            continue;
        }
        if (!is_yaml_file(path) || at->is_directory(wrong)) {
            continue;
        }
        if (!at->is_regular_file(wrong)) {
            // Reading a pipe would block, reading a device may have effects.
            found.diagnostics.push_back(
                about(path.string(),
                      Error(ErrorCode::kFileUnreadable, {path.string(), std::strerror(ENOTSUP)})));
            continue;
        }
        found.files.push_back(path.string());
    }
    std::ranges::sort(found.files);
    return found;
}

}  // namespace arbiter::config
