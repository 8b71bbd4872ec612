#include "card/internal/zip.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "card/internal/zlib.h"

namespace arbiter::card::internal {
namespace {

using Status = ZipFile::Status;

constexpr std::string_view kLocalMark = "PK\x03\x04";
constexpr std::string_view kEntryMark = "PK\x01\x02";
constexpr std::string_view kEndMark = "PK\x05\x06";
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;
constexpr std::size_t kCommentBytesMax = 65'535;  // behind the end record, by the format
constexpr std::uint32_t kStored = 0;
constexpr std::uint32_t kDeflated = 8;
constexpr std::uint32_t kEncrypted = 1;  // a bit of the flags

// A number of `size` bytes, the lowest first. The caller has checked that they are there.
std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint32_t number = 0;
    for (std::size_t i = size; i-- > 0;) {
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return number;
}

// The offset of the record that ends the archive.
std::optional<std::size_t> find_end(std::string_view bytes) {
    if (bytes.size() < kEndBytes) {
        return std::nullopt;
    }
    const std::size_t last = bytes.size() - kEndBytes;
    const std::size_t at = bytes.rfind(kEndMark, last);
    return at == std::string_view::npos || last - at > kCommentBytesMax ? std::nullopt
                                                                        : std::optional(at);
}

// The bytes of an entry of the directory, unpacked.
ZipFile unpack(std::string_view bytes, std::string_view entry, std::size_t bytes_max) {
    const std::uint32_t flags = number_at(entry, 8, 2);
    const std::uint32_t method = number_at(entry, 10, 2);
    const std::uint32_t checksum = number_at(entry, 16, 4);
    const std::size_t packed_size = number_at(entry, 20, 4);
    const std::size_t at = number_at(entry, 42, 4);
    if ((flags & kEncrypted) != 0 || at > bytes.size() || bytes.size() - at < kLocalBytes ||
        bytes.substr(at, kLocalMark.size()) != kLocalMark) {
        return {};
    }
    const std::size_t begin =
        at + kLocalBytes + number_at(bytes, at + 26, 2) + number_at(bytes, at + 28, 2);
    if (begin > bytes.size() || bytes.size() - begin < packed_size) {
        return {};
    }
    const std::string_view packed = bytes.substr(begin, packed_size);
    ZipFile file;
    if (method == kStored) {
        if (packed.size() > bytes_max) {
            return {Status::kTooLong};
        }
        file.content = packed;
    } else if (method == kDeflated) {
        const std::size_t ratio_max =
            std::max<std::size_t>(packed.size(), 1) * base::kInflateRatioMax;
        Inflated inflated = inflate_raw(packed, std::min(bytes_max, ratio_max));
        if (inflated.status != Inflated::Status::kDone) {
            return {inflated.status == Inflated::Status::kTooLong ? Status::kTooLong
                                                                  : Status::kBroken};
        }
        file.content = std::move(inflated.text);
    } else {
        return {};
    }
    file.status = crc32_of(file.content) == checksum ? Status::kDone : Status::kBroken;
    return file;
}

}  // namespace

bool is_zip(std::string_view bytes) noexcept {
    return bytes.starts_with(kLocalMark);
}

ZipFile read_zip_file(std::string_view bytes, std::string_view name, std::size_t bytes_max) {
    const auto end = find_end(bytes);
    if (!end) {
        return {};
    }
    const std::size_t count = number_at(bytes, *end + 10, 2);
    std::size_t at = number_at(bytes, *end + 16, 4);
    for (std::size_t i = 0; i < count; ++i) {
        if (at > *end || *end - at < kEntryBytes ||
            bytes.substr(at, kEntryMark.size()) != kEntryMark) {
            return {};
        }
        const std::size_t name_size = number_at(bytes, at + 28, 2);
        const std::size_t size =
            kEntryBytes + name_size + number_at(bytes, at + 30, 2) + number_at(bytes, at + 32, 2);
        if (*end - at < size) {
            return {};
        }
        const std::string_view entry = bytes.substr(at, size);
        if (entry.substr(kEntryBytes, name_size) == name) {
            return unpack(bytes, entry, bytes_max);
        }
        at += size;
    }
    return {Status::kAbsent};
}

}  // namespace arbiter::card::internal
