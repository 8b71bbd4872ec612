// Reads whole files. An error names the file and the reason of the system.
#pragma once

#include <cstdio>
#include <string>

#include "base/error.h"

namespace arbiter::config {

// Fails for a folder and for a file larger than `bytes_max`.
base::Result<std::string> read_file(const std::string& name, std::size_t bytes_max);
// The rest of an open stream; `name` is for the error.
base::Result<std::string> read_stream(std::FILE* stream, const std::string& name,
                                      std::size_t bytes_max);

}  // namespace arbiter::config
