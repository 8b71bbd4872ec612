#include "text/tokens.h"

#include <array>

namespace arbiter::text {
namespace {

enum Class : std::uint8_t { kLetter, kDigit, kSpace, kLine, kSign, kFurther, kTwo, kThree, kFour };

constexpr std::array<Class, 256> classes() {
    std::array<Class, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        Class kind = kSign;
        if ((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z')) {
            kind = kLetter;
        } else if (byte >= '0' && byte <= '9') {
            kind = kDigit;
        } else if (byte == ' ' || byte == '\t') {
            kind = kSpace;
        } else if (byte == '\n' || byte == '\r') {
            kind = kLine;
        } else if (byte >= 0xF0) {
            kind = kFour;
        } else if (byte >= 0xE0) {
            kind = kThree;
        } else if (byte >= 0xC0) {
            kind = kTwo;
        } else if (byte >= 0x80) {
            kind = kFurther;
        }
        table[byte] = kind;
    }
    return table;
}
constexpr auto kClasses = classes();

constexpr std::uint64_t kToken = 1000;
constexpr std::size_t kLettersOfToken = 7;
constexpr std::size_t kDigitsOfToken = 3;
constexpr std::size_t kSignsOfToken = 4;

std::uint64_t tokens_of(std::size_t count, std::size_t each) noexcept {
    return kToken * ((count + each - 1) / each);
}

}  // namespace

std::uint64_t estimate_thousandths(std::string_view text, const TokenRates& rates) noexcept {
    const auto byte_at = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::size_t size = text.size();
    std::uint64_t sum = 0;
    std::uint64_t ascii = 0;  // whole tokens, so that scaling them does not round
    std::size_t at = 0;
    // Skips the run of one class and returns its length.
    const auto run = [&](Class kind) {
        const std::size_t begin = at;
        while (at < size && kClasses[byte_at(at)] == kind) {
            ++at;
        }
        return at - begin;
    };
    // Skips a character of up to `bytes` bytes. A truncated or stray sequence counts as a character
    // too, so that garbage is not free.
    const auto character = [&](std::size_t bytes) {
        ++at;
        for (std::size_t i = 1; i < bytes && at < size && kClasses[byte_at(at)] == kFurther; ++i) {
            ++at;
        }
    };
    while (at < size) {
        switch (kClasses[byte_at(at)]) {
            case kLetter:
                ascii += tokens_of(run(kLetter), kLettersOfToken);
                break;
            case kDigit:
                ascii += tokens_of(run(kDigit), kDigitsOfToken);
                break;
            case kSpace:
                ascii += run(kSpace) > 1 ? kToken : 0;
                break;
            case kLine:
                run(kLine);
                ascii += kToken;
                break;
            case kSign: {
                const char sign = text[at];
                const std::size_t begin = at;
                while (at < size && text[at] == sign) {
                    ++at;
                }
                ascii += tokens_of(at - begin, kSignsOfToken);
                break;
            }
            case kFurther:
                character(1);
                sum += kToken;
                break;
            case kTwo:
                character(2);
                sum += rates.letter;
                break;
            case kThree: {
                // Fast path: runs of complete Chinese characters.
                std::uint64_t count = 0;
                while (size - at >= 3 && byte_at(at) >= 0xE3 && byte_at(at) < 0xF0 &&
                       kClasses[byte_at(at + 1)] == kFurther &&
                       kClasses[byte_at(at + 2)] == kFurther) {
                    at += 3;
                    ++count;
                }
                sum += count * rates.cjk;
                if (count != 0) {
                    break;
                }
                // U+2000 to U+2FFF are symbols; below are alphabets whose letters are rarely tokens
                // of their own.
                const std::uint8_t lead = byte_at(at);
                character(3);
                sum += lead >= 0xE3 ? rates.cjk : kToken;
                break;
            }
            case kFour:
                character(4);
                sum += 2 * kToken;
                break;
        }
    }
    return sum + ascii / kToken * rates.ascii;
}

std::size_t estimate_tokens(std::string_view text, const TokenRates& rates) noexcept {
    return static_cast<std::size_t>((estimate_thousandths(text, rates) + kToken - 1) / kToken);
}

}  // namespace arbiter::text
