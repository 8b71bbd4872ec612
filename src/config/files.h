// Reads whole files, and resolves the names by which files refer to each other. An error names the
// file and the reason of the system.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

namespace arbiter::config {

struct FileCloser {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, FileCloser>;

// Opens a file for reading. Fails for a folder, and with kFileSpecial for a FIFO or a device, which
// may block or have no end. /dev/null and open descriptors (/dev/stdin, /dev/fd/3) are read.
base::Result<OpenFile> open_file(const std::string& name);

// Fails like open_file(), and for a file larger than `bytes_max`.
base::Result<std::string> read_file(const std::string& name, std::size_t bytes_max);
// The rest of an open stream; `name` is for the error.
base::Result<std::string> read_stream(std::FILE* stream, const std::string& name,
                                      std::size_t bytes_max);

// True if a path, with all links followed, is inside a folder. Both must exist.
bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder);

// The path of a file or folder that a file in `folder` names ("": the current folder). Files come
// from strangers: fails with kFileOutside for a path with "..", and for one that leads out of the
// folder, absolute or by a link. The result need not exist.
base::Result<std::string> resolve_reference(const std::filesystem::path& folder,
                                            std::string_view reference);

}  // namespace arbiter::config
