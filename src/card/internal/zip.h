// One file of a zip archive, by its name: CHARX cards are such archives. Pure; any bytes give a
// result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter::card::internal {

bool is_zip(std::string_view bytes) noexcept;

struct ZipFile {
    enum class Status : std::uint8_t {
        kDone,
        kAbsent,  // the archive has no such file
        kBroken,  // damaged, encrypted, or packed in a way that cards do not use
        kTooLong  // more than the allowed bytes, or a bomb
    };
    Status status = Status::kBroken;
    std::string content = {};  // only for kDone
};
// Reads the directory at the end of the archive; the checksum is verified. Names are compared as
// they are written.
ZipFile read_zip_file(std::string_view bytes, std::string_view name, std::size_t bytes_max);

}  // namespace arbiter::card::internal
