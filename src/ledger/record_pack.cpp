#include "ledger/record_pack.h"

#include "base/limits.h"
#include "ledger/record_dictionary.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;

namespace {

// The bytes: the length of the packed replay part and the format in four bytes, little-endian; the
// packed replay part; the packed details part.
constexpr std::size_t kHeaderBytes = 4;
// A length is below base::kRecordBytesMax, so its two highest bits are free: 0 is format 1, 2 is
// format 2, 3 is format 3.
constexpr int kFormatShift = 30;
constexpr std::uint32_t kFormatMask = std::uint32_t{3} << kFormatShift;
static_assert(base::kRecordBytesMax < std::uint32_t{1} << kFormatShift);

struct Parts {
    int format = 1;
    std::string_view replay;
    std::string_view details;
};

Result<Parts> parts_of(std::string_view bytes) {
    std::uint32_t header = 0;
    for (std::size_t i = 0; i < kHeaderBytes && i < bytes.size(); ++i) {
        header |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    }
    const std::size_t length = header & ~kFormatMask;
    const std::uint32_t marked = header >> kFormatShift;
    if (marked == 1 || bytes.size() < kHeaderBytes || length > bytes.size() - kHeaderBytes) {
        return base::fail(ErrorCode::kCorrupt, {"a turn", "it is truncated"});
    }
    return Parts{marked == 0 ? 1 : static_cast<int>(marked), bytes.substr(kHeaderBytes, length),
                 bytes.substr(kHeaderBytes + length)};
}

Result<std::string> unpack_replay(const Parts& parts) {
    return unpack(parts.replay, base::kRecordBytesMax, replay_dictionary(parts.format));
}

// The details repeat much of the replay part, which is therefore part of their dictionary.
std::string details_words(int format, std::string_view replay_part) {
    return std::string(details_dictionary(format)) + std::string(replay_part);
}

}  // namespace

std::string pack_record(const EncodedRecord& encoded) {
    const int format = record_format(encoded.replay_part);
    std::string bytes(kHeaderBytes, '\0');
    append_packed(bytes, encoded.replay_part, replay_dictionary(format), Repetition::kSome);
    const std::uint32_t header =
        static_cast<std::uint32_t>(bytes.size() - kHeaderBytes) |
        (format == 1 ? 0 : static_cast<std::uint32_t>(format) << kFormatShift);
    for (std::size_t i = 0; i < kHeaderBytes; ++i) {
        bytes[i] = static_cast<char>(header >> (8 * i) & 0xFF);
    }
    append_packed(bytes, encoded.details_part, details_words(format, encoded.replay_part),
                  Repetition::kMost);
    bytes.shrink_to_fit();
    return bytes;
}

Result<std::string> unpack_replay_part(std::string_view bytes) {
    const auto parts = parts_of(bytes);
    return parts ? unpack_replay(*parts) : std::unexpected(parts.error());
}

Result<EncodedRecord> unpack_record(std::string_view bytes) {
    const auto parts = parts_of(bytes);
    auto replay = parts ? unpack_replay(*parts) : std::unexpected(parts.error());
    auto details = replay ? unpack(parts->details, base::kRecordBytesMax,
                                   details_words(parts->format, *replay))
                          : std::unexpected(replay.error());
    if (!details) {
        return std::unexpected(std::move(details).error());
    }
    return EncodedRecord{*std::move(replay), *std::move(details)};
}

}  // namespace arbiter::ledger
