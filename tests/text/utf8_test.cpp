// Goal: UTF-8 is decoded, checked, repaired and ordered as the standards say.
// Method: every code point once, every kind of broken sequence, and a byte-wise reference.
#include "text/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

namespace arbiter::text {
namespace {

TEST(Utf8, EveryCodePointSurvives) {
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        if (code >= 0xD800 && code < 0xE000) {
            continue;
        }
        std::string bytes;
        append(bytes, code);
        const Decoded decoded = decode(bytes);
        ASSERT_TRUE(decoded.valid) << static_cast<std::uint32_t>(code);
        ASSERT_TRUE(decoded.code_point == code);
        ASSERT_EQ(decoded.size, bytes.size());
        ASSERT_TRUE(is_valid(bytes));
    }
}

TEST(Utf8, WhatCannotBeEncodedBecomesAReplacement) {
    for (const char32_t code : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}}) {
        std::string bytes;
        append(bytes, code);
        EXPECT_EQ(bytes, "\xEF\xBF\xBD");
    }
}

TEST(Utf8, BrokenSequencesAreFoundAndRepaired) {
    struct Case {
        std::string bytes;
        std::size_t at;
        std::string repaired;
    };
    const std::string bad = "\xEF\xBF\xBD";
    const std::vector<Case> cases = {
        {"ab\xFF"
         "c",
         2, "ab" + bad + "c"},
        {"\xC0\x80", 0, bad + bad},                      // overlong
        {"\xED\xA0\x80", 0, bad + bad + bad},            // surrogate
        {"\xF4\x90\x80\x80", 0, bad + bad + bad + bad},  // beyond U+10FFFF
        {"中\xE4\xB8", 3, "中" + bad},                   // cut off
        {"12345678\x80", 8, "12345678" + bad},           // after a clean block
        {"\xE4\xB8"
         "a",
         0, bad + "a"},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(find_invalid(c.bytes), c.at);
        EXPECT_EQ(repair(c.bytes), c.repaired);
        EXPECT_TRUE(is_valid(repair(c.bytes)));
    }
    EXPECT_EQ(find_invalid(""), std::string_view::npos);
}

// Long texts are looked at in blocks; wherever the break lies, it is the one that decode() finds.
TEST(Utf8, BreaksInLongTextsAreThoseOfDecode) {
    constexpr auto kPieces = std::to_array<std::string_view>(
        {"中文的文字，很长。", "plain letters and so on", "а", "é", "\u0800", "\uD7FF", "\uE000",
         "한글", "ไทย", "😀", "\n", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE4\xB8", "\x80", "\xFF",
         "\xF4\x90\x80\x80"});
    std::mt19937 random(7);
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        const std::size_t good = round % 4 == 0 ? kPieces.size() : 11;
        while (text.size() < random() % 120) {
            text += kPieces[random() % good];
        }
        std::size_t broken = 0;
        while (broken < text.size() && decode(std::string_view(text).substr(broken)).valid) {
            broken += decode(std::string_view(text).substr(broken)).size;
        }
        ASSERT_EQ(find_invalid(text), broken < text.size() ? broken : std::string_view::npos)
            << text;
    }
}

TEST(Utf8, OrderIsThatOfUtf16) {
    // U+10000 is D800 DC00 in UTF-16, which sorts before U+E000 although its bytes sort after.
    const std::vector<std::string_view> sorted = {"",  "a",  "ab",           "b",           "中",
                                                  "𐀀", "😀", "\xEE\x80\x80", "\xEF\xBF\xBD"};
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t j = 0; j < sorted.size(); ++j) {
            const int expected = i < j ? -1 : i > j ? 1 : 0;
            EXPECT_EQ(compare_utf16(sorted[i], sorted[j]), expected) << i << ' ' << j;
        }
    }
}

TEST(Utf8, CountsCharacters) {
    EXPECT_EQ(count(""), 0U);
    EXPECT_EQ(count("气血 a😀"), 5U);
}

}  // namespace
}  // namespace arbiter::text
