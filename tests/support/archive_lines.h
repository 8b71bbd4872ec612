// The lines of an archive that is in memory.
#pragma once

#include <memory>
#include <string>

#include "ledger/archive.h"

namespace arbiter::tests {

inline ledger::ArchiveLines lines_of(std::string text) {
    return [rest = std::move(text)]() mutable -> base::Result<std::optional<ledger::ArchiveLine>> {
        if (rest.empty()) {
            return std::nullopt;
        }
        const std::size_t end = rest.find('\n');
        ledger::ArchiveLine line{rest.substr(0, end), end != std::string::npos};
        rest.erase(0, line.is_whole ? end + 1 : rest.size());
        return line;
    };
}

}  // namespace arbiter::tests
