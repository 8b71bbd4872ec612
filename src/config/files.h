// Files, read whole. An error names the file and the system's reason.
#pragma once

#include <cstdio>
#include <string>

#include "base/error.h"

namespace arbiter::config {

// Refuses what is larger than `bytes_max`, and folders.
base::Result<std::string> read_file(const std::string& name, std::size_t bytes_max);
// What is left of an open stream; `name` is for the error.
base::Result<std::string> read_stream(std::FILE* stream, const std::string& name,
                                      std::size_t bytes_max);

}  // namespace arbiter::config
