// Pictures with cards in them, made by hand: a PNG of one pixel with whatever chunks a test wants.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace arbiter::tests {

// The checksum bit by bit, as the standard has it; the product asks a library.
inline std::uint32_t crc_of(std::string_view bytes) {
    std::uint32_t crc = 0xFFFFFFFFU;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 1U) != 0 ? crc >> 1U ^ 0xEDB88320U : crc >> 1U;
        }
    }
    return ~crc;
}

inline std::string number(std::uint32_t value) {
    std::string bytes;
    for (unsigned shift = 32; shift > 0; shift -= 8) {
        bytes.push_back(static_cast<char>(value >> (shift - 8) & 0xFFU));
    }
    return bytes;
}

inline std::string chunk(std::string_view type, std::string_view content) {
    const std::string body = std::string(type) + std::string(content);
    return number(static_cast<std::uint32_t>(content.size())) + body + number(crc_of(body));
}

inline std::string packed(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string bytes(size, '\0');
    compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
              reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), 9);
    bytes.resize(size);
    return bytes;
}

inline std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t three = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            three = three << 8U |
                    (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
        }
        for (std::size_t k = 0; k < 4; ++k) {
            out += i + k > bytes.size() ? '=' : kDigits[three >> (18 - 6 * k) & 63U];
        }
    }
    return out;
}

inline constexpr std::string_view kPngSignature = "\x89PNG\r\n\x1A\n";

inline std::string text_chunk(std::string_view keyword, std::string_view text) {
    return chunk("tEXt", std::string(keyword) + '\0' + std::string(text));
}
inline std::string packed_chunk(std::string_view keyword, std::string_view text) {
    return chunk("zTXt", std::string(keyword) + std::string(2, '\0') + packed(text));
}
inline std::string international_chunk(std::string_view keyword, std::string_view text, bool pack) {
    return chunk("iTXt", std::string(keyword) + '\0' + (pack ? '\1' : '\0') + '\0' + "zh" + '\0' +
                             "卡" + '\0' + (pack ? packed(text) : std::string(text)));
}

// One grey pixel, with these chunks before it.
inline std::string png(std::string_view chunks) {
    const std::string header = number(1) + number(1) + std::string("\x08\x00\x00\x00\x00", 5);
    return std::string(kPngSignature) + chunk("IHDR", header) + std::string(chunks) +
           chunk("IDAT", packed(std::string(2, '\0'))) + chunk("IEND", "");
}

}  // namespace arbiter::tests
