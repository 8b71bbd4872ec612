#include "config/internal/png.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "base/limits.h"

namespace arbiter::config::internal {
namespace {

using base::ErrorCode;

constexpr std::string_view kSignature = "\x89PNG\r\n\x1A\n";
constexpr std::size_t kHeaderBytes = 13;
constexpr std::size_t kFrameBytes = 12;  // length, type and checksum around the content
constexpr std::size_t kKeywordMax = 79;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        number = number << 8U | static_cast<unsigned char>(bytes[at + i]);
    }
    return number;
}

// Names of chunks stand in messages: letters only.
std::string shown(std::string_view type) {
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    return std::ranges::all_of(type, is_letter) ? std::string(type) : "?";
}

std::uint32_t checksum(std::string_view bytes) {
    // No chunk is longer than a file may be, which fits.
    return static_cast<std::uint32_t>(
        crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

bool is_text(std::string_view type) {
    return type == "tEXt" || type == "zTXt" || type == "iTXt";
}

// What stands before the next zero, and takes both away; nothing where there is no zero.
std::optional<std::string_view> take_word(std::string_view& rest) {
    const std::size_t zero = rest.find('\0');
    if (zero == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view word = rest.substr(0, zero);
    rest.remove_prefix(zero + 1);
    return word;
}

base::Result<std::string> inflate_text(std::string_view packed, std::string_view type) {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) {
        return base::fail(ErrorCode::kPngTextBroken, {shown(type)});
    }
    const auto closer = [](z_stream* open) { inflateEnd(open); };
    const std::unique_ptr<z_stream, decltype(closer)> closed(&stream, closer);
    // The library takes bytes that it does not change by a pointer that could.
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    const std::size_t most =
        std::min(base::kInflatedBytesMax, packed.size() * base::kInflateRatioMax);
    std::string text;
    std::string block(std::size_t{64} << 10, '\0');
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef*>(block.data());
        stream.avail_out = static_cast<uInt>(block.size());
        status = inflate(&stream, Z_NO_FLUSH);
        const std::size_t got = block.size() - stream.avail_out;
        if (text.size() + got > most) {
            return base::fail(ErrorCode::kPngBomb,
                              {shown(type), std::to_string(base::kInflatedBytesMax),
                               std::to_string(base::kInflateRatioMax)});
        }
        text.append(block, 0, got);
    }
    if (status != Z_STREAM_END) {
        return base::fail(ErrorCode::kPngTextBroken, {shown(type)});
    }
    return text;
}

}  // namespace

bool is_png(std::string_view bytes) noexcept {
    return bytes.starts_with(kSignature);
}

base::Result<std::vector<PngText>> read_png_texts(std::string_view bytes) {
    if (bytes.size() > base::kPngBytesMax) {
        return base::fail(ErrorCode::kTextTooLong,
                          {std::to_string(bytes.size()), std::to_string(base::kPngBytesMax)});
    }
    std::vector<PngText> texts;
    bool first = true;
    for (std::size_t at = kSignature.size();;) {
        if (at > bytes.size() || bytes.size() - at < kFrameBytes) {
            return base::fail(ErrorCode::kPngTruncated, {first ? "IHDR" : "IEND"});
        }
        const std::size_t length = number_at(bytes, at);
        const std::string_view type = bytes.substr(at + 4, 4);
        if (first && (type != "IHDR" || length != kHeaderBytes)) {
            return base::fail(ErrorCode::kPngHeader);
        }
        first = false;
        if (length > bytes.size() - at - kFrameBytes) {
            return base::fail(ErrorCode::kPngTruncated, {shown(type)});
        }
        if (is_text(type) && length > base::kPngTextBytesMax) {
            return base::fail(
                ErrorCode::kPngChunkTooLong,
                {shown(type), std::to_string(length), std::to_string(base::kPngTextBytesMax)});
        }
        if (checksum(bytes.substr(at + 4, 4 + length)) != number_at(bytes, at + 8 + length)) {
            return base::fail(ErrorCode::kPngDamaged, {shown(type)});
        }
        if (type == "IEND") {
            return texts;
        }
        if (is_text(type)) {
            std::string_view rest = bytes.substr(at + 8, length);
            const auto keyword = take_word(rest);
            if (!keyword || keyword->empty() || keyword->size() > kKeywordMax) {
                return base::fail(ErrorCode::kPngTextBroken, {shown(type)});
            }
            texts.push_back({type, *keyword, rest});
        }
        at += kFrameBytes + length;
    }
}

base::Result<std::string> unpack_png_text(const PngText& chunk) {
    const auto broken = [&] { return base::fail(ErrorCode::kPngTextBroken, {shown(chunk.type)}); };
    std::string_view rest = chunk.rest;
    bool packed = false;
    if (chunk.type == "zTXt") {
        if (!rest.starts_with('\0')) {
            return broken();
        }
        rest.remove_prefix(1);
        packed = true;
    } else if (chunk.type == "iTXt") {
        if (rest.size() < 2 || (rest[0] != 0 && (rest[0] != 1 || rest[1] != 0))) {
            return broken();
        }
        packed = rest[0] == 1;
        rest.remove_prefix(2);
        // The language, and the keyword in it.
        if (!take_word(rest) || !take_word(rest)) {
            return broken();
        }
    }
    return packed ? inflate_text(rest, chunk.type) : base::Result<std::string>(rest);
}

}  // namespace arbiter::config::internal
