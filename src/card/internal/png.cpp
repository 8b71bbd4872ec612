#include "card/internal/png.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/limits.h"
#include "card/internal/zlib.h"

namespace arbiter::card::internal {
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

// A chunk type for messages, which must not contain control characters.
std::string printable(std::string_view type) {
    const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
    return std::ranges::all_of(type, is_letter) ? std::string(type) : "?";
}

bool is_text(std::string_view type) {
    return type == "tEXt" || type == "zTXt" || type == "iTXt";
}

// Takes the text before the next zero byte, and the zero; nothing if there is none.
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
    const std::size_t bytes_max =
        std::min(base::kInflatedBytesMax, packed.size() * base::kInflateRatioMax);
    Inflated inflated = inflate_zlib(packed, bytes_max);
    switch (inflated.status) {
        case Inflated::Status::kDone:
            return std::move(inflated.text);
        case Inflated::Status::kBroken:
            return base::fail(ErrorCode::kPngTextBroken, {printable(type)});
        case Inflated::Status::kTooLong:
            return base::fail(ErrorCode::kPngBomb,
                              {printable(type), std::to_string(base::kInflatedBytesMax),
                               std::to_string(base::kInflateRatioMax)});
    }
    return base::fail(ErrorCode::kPngTextBroken, {printable(type)});
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
            return base::fail(ErrorCode::kPngTruncated, {printable(type)});
        }
        if (is_text(type) && length > base::kPngTextBytesMax) {
            return base::fail(
                ErrorCode::kPngChunkTooLong,
                {printable(type), std::to_string(length), std::to_string(base::kPngTextBytesMax)});
        }
        if (crc32_of(bytes.substr(at + 4, 4 + length)) != number_at(bytes, at + 8 + length)) {
            return base::fail(ErrorCode::kPngDamaged, {printable(type)});
        }
        if (type == "IEND") {
            return texts;
        }
        if (is_text(type)) {
            std::string_view rest = bytes.substr(at + 8, length);
            const auto keyword = take_word(rest);
            if (!keyword || keyword->empty() || keyword->size() > kKeywordMax) {
                return base::fail(ErrorCode::kPngTextBroken, {printable(type)});
            }
            texts.push_back({type, *keyword, rest});
        }
        at += kFrameBytes + length;
    }
}

base::Result<std::string> unpack_png_text(const PngText& chunk) {
    const auto broken = [&] {
        return base::fail(ErrorCode::kPngTextBroken, {printable(chunk.type)});
    };
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
        // The language tag and the translated keyword.
        if (!take_word(rest) || !take_word(rest)) {
            return broken();
        }
    }
    return packed ? inflate_text(rest, chunk.type) : base::Result<std::string>(rest);
}

}  // namespace arbiter::card::internal
