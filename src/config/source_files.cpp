#include "config/source_files.h"

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
using Extensions = std::span<const std::string_view>;

bool ends_in(const fs::path& path, Extensions extensions) {
    const std::string extension = path.extension().string();
    return std::ranges::find(extensions, std::string_view(extension)) != extensions.end();
}

FileDiagnostics about(std::string file, Error error) {
    return {std::move(file), {}, {std::move(error)}};
}

}  // namespace

FoundFiles find_files(const std::string& name, Extensions extensions) {
    FoundFiles found;
    std::error_code wrong;
    if (!fs::is_directory(name, wrong)) {
        found.files.push_back(name);
        return found;
    }
    fs::recursive_directory_iterator at(name, wrong);
    if (wrong) {
        found.diagnostics.push_back(
            about(name, Error(ErrorCode::kFileUnreadable, {name, wrong.message()})));
        return found;
    }
    const auto too_much = [&] {
        found.diagnostics.push_back(about(
            name, Error(ErrorCode::kProtocolFiles, {name, std::to_string(base::kProtocolsMax)})));
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
            if ((ends_in(path, extensions) || at->is_directory(wrong)) && !is_inside(path, name)) {
                found.diagnostics.push_back(
                    about(path.string(), Error(ErrorCode::kProtocolOutside, {path.string()})));
            }
            continue;
        }
        if (!ends_in(path, extensions) || at->is_directory(wrong)) {
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

void add_sources(Sources& sources, const std::string& name, std::size_t bytes_max,
                 Extensions extensions) {
    FoundFiles found = find_files(name, extensions);
    if (found.files.empty() && found.diagnostics.empty()) {
        std::string list;
        for (const std::string_view extension : extensions) {
            list += (list.empty() ? "" : ", ") + std::string(extension);
        }
        sources.diagnostics.push_back(
            about(name, Error(ErrorCode::kProtocolNone, {name, std::move(list)})));
    }
    std::ranges::move(found.diagnostics, std::back_inserter(sources.diagnostics));
    for (const std::string& file : found.files) {
        if (!sources.paths.insert(fs::path(file).lexically_normal().string()).second) {
            continue;
        }
        ++sources.files;
        auto text = read_file(file, bytes_max);
        if (text) {
            sources.texts.push_back({file, *std::move(text)});
        } else {
            sources.diagnostics.push_back(about(file, std::move(text.error())));
        }
    }
}

}  // namespace arbiter::config
