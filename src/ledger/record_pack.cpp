#include "ledger/record_pack.h"

#include <array>
#include <optional>

#include "base/limits.h"
#include "ledger/record_codec.h"
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

// The first byte of a packed part: as it is, or by ledger/record_codec.h. Parts that earlier
// versions packed have the first bytes of pack().
constexpr char kPlain = 0;
constexpr char kCoded = 2;

constexpr std::size_t kFormats = 3;

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

// The words of both parts, with those of the replay part nearer to it.
const std::string& words_of(int format) {
    static const auto kWords = [] {
        std::array<std::string, kFormats> words;
        for (int each = 1; each <= static_cast<int>(kFormats); ++each) {
            words[static_cast<std::size_t>(each - 1)] =
                std::string(details_dictionary(each)) + std::string(replay_dictionary(each));
        }
        return words;
    }();
    return kWords[static_cast<std::size_t>(format - 1)];
}

RecordEncoder& encoder_of(int format) {
    thread_local std::array<std::optional<RecordEncoder>, kFormats> encoders;
    auto& encoder = encoders[static_cast<std::size_t>(format - 1)];
    if (!encoder) {
        encoder.emplace(words_of(format));
    }
    return *encoder;
}

void append_part(std::string& bytes, RecordEncoder& encoder, std::string_view text) {
    const std::size_t before = bytes.size();
    bytes += kCoded;
    encoder.append(bytes, text);
    if (bytes.size() - before > text.size()) {
        bytes.resize(before);
        bytes += kPlain;
        bytes += text;
    }
}

bool is_coded(std::string_view part) {
    return part.starts_with(kCoded);
}

Result<std::string> unpack_replay(const Parts& parts) {
    return is_coded(parts.replay)
               ? decode_text(parts.replay.substr(1), words_of(parts.format), base::kRecordBytesMax)
               : unpack(parts.replay, base::kRecordBytesMax, replay_dictionary(parts.format));
}

// The details repeat much of the replay part.
Result<std::string> unpack_details(const Parts& parts, std::string_view replay_part) {
    if (is_coded(parts.details)) {
        return decode_text(parts.details.substr(1),
                           words_of(parts.format) + std::string(replay_part),
                           base::kRecordBytesMax);
    }
    // Earlier versions used zstd.
    return unpack(parts.details, base::kRecordBytesMax,
                  std::string(details_dictionary(parts.format)) + std::string(replay_part));
}

}  // namespace

std::string pack_record(const EncodedRecord& encoded) {
    const int format = record_format(encoded.replay_part);
    RecordEncoder& encoder = encoder_of(format);
    encoder.restart();
    std::string bytes(kHeaderBytes, '\0');
    append_part(bytes, encoder, encoded.replay_part);
    const std::uint32_t header =
        static_cast<std::uint32_t>(bytes.size() - kHeaderBytes) |
        (format == 1 ? 0 : static_cast<std::uint32_t>(format) << kFormatShift);
    for (std::size_t i = 0; i < kHeaderBytes; ++i) {
        bytes[i] = static_cast<char>(header >> (8 * i) & 0xFF);
    }
    append_part(bytes, encoder, encoded.details_part);
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
    auto details = replay ? unpack_details(*parts, *replay) : std::unexpected(replay.error());
    if (!details) {
        return std::unexpected(std::move(details).error());
    }
    return EncodedRecord{*std::move(replay), *std::move(details)};
}

}  // namespace arbiter::ledger
