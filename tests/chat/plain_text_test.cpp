// Goal: texts as matching sees them. Method: random texts of the characters that matter, compared
// with a reading of them byte by byte, and sketches with all shingles of a text.
#include "chat/plain_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "chat/likeness.h"

namespace arbiter::chat {
namespace {

using Random = std::mt19937;

std::string random_text(Random& random, std::size_t pieces) {
    constexpr std::array<std::string_view, 14> kPieces = {
        "Rook: ",   "雨",           "：",           "a",        "harbour", " ",   "\n", "\t",
        "\xC2\xA0", "\xE3\x80\x80", "\xE3\x80\x82", "\xC2\xA1", ". ",      "\xE3"};
    std::string text;
    for (std::size_t i = 0; i < pieces; ++i) {
        text += kPieces[random() % kPieces.size()];
    }
    return text;
}

bool is_space(std::string_view character) {
    return std::string_view(" \n\t\r\v\f").contains(character) || character == "\xC2\xA0" ||
           character == "\xE3\x80\x80";
}

std::string without_space(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        std::size_t blank = 0;
        for (std::size_t size = 1; size <= 3; ++size) {
            blank = blank == 0 && is_space(text.substr(0, size)) ? size : blank;
        }
        if (blank == 0) {
            plain += text[0];
        }
        text.remove_prefix(std::max<std::size_t>(blank, 1));
    }
    return plain;
}

TEST(PlainTextTest, LeavesOutWhiteSpaceAndKnowsItsLines) {
    Random random(7);
    for (int i = 0; i < 2000; ++i) {
        const std::string text = random_text(random, random() % 60);
        const PlainText plain(text);
        ASSERT_EQ(plain.bytes(), without_space(text)) << text;
        for (std::size_t line = 0; line < plain.lines().size(); ++line) {
            const PlainText::Line& at = plain.lines()[line];
            const std::string_view source = std::string_view(text).substr(at.source);
            const std::size_t end = std::min(source.find('\n'), source.size());
            ASSERT_EQ(plain.bytes().substr(at.begin, plain.line_end(line) - at.begin),
                      without_space(source.substr(0, end)))
                << text;
            // Of a line that has nothing behind the name, all is words.
            const std::string words = without_space(source.substr(
                std::min(speaker_bytes(source), end), end - std::min(speaker_bytes(source), end)));
            const std::size_t size = words.empty() ? plain.line_end(line) - at.begin : words.size();
            ASSERT_EQ(plain.line_end(line) - at.words, size) << text;
        }
    }
}

TEST(PlainTextTest, EqualPartsHaveEqualKeys) {
    Random random(11);
    for (int i = 0; i < 500; ++i) {
        const std::string text = random_text(random, 1 + random() % 200);
        const PlainText plain(text);
        const std::size_t begin = random() % (plain.size() + 1);
        const std::size_t end = begin + random() % (plain.size() - begin + 1);
        const std::string_view part = plain.bytes().substr(begin, end - begin);
        // A part may begin or end inside of a character, and is white space by itself then.
        if (without_space(part) == part) {
            ASSERT_EQ(plain.key(begin, end), PlainText(part).key());
            ASSERT_EQ(plain.key(begin, end).size, part.size());
        }
    }
    EXPECT_NE(PlainText("the harbour").key(), PlainText("the harbours").key());
    EXPECT_NE(PlainText("ab").key(), PlainText("ba").key());
}

std::set<std::string> shingles(std::string_view plain) {
    std::set<std::string> all;
    for (std::size_t i = 0; i + Sketch::kShingleBytes <= plain.size(); ++i) {
        all.emplace(plain.substr(i, Sketch::kShingleBytes));
    }
    return all;
}

double true_likeness(std::string_view left, std::string_view right) {
    const std::set<std::string> a = shingles(left);
    const std::set<std::string> b = shingles(right);
    const auto common =
        std::ranges::count_if(a, [&](const std::string& each) { return b.contains(each); });
    return static_cast<double>(common) /
           (static_cast<double>(a.size() + b.size()) - static_cast<double>(common));
}

std::string letters(Random& random, std::size_t size) {
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += static_cast<char>('a' + random() % 26);
    }
    return text;
}

TEST(SketchTest, IsExactForShortTextsAndCloseForLongOnes) {
    Random random(13);
    for (int i = 0; i < 200; ++i) {
        const bool is_long = i % 2 == 0;
        const std::size_t size = is_long ? 2000 + random() % 4000 : 6 + random() % 50;
        const std::string left = letters(random, size);
        std::string right = left;
        const std::size_t at = random() % size;
        right.replace(at, random() % (size - at + 1), letters(random, random() % (size / 2 + 1)));
        right.resize(std::max(right.size(), Sketch::kShingleBytes), 'x');
        const double found = Sketch(left).likeness(Sketch(right));
        ASSERT_NEAR(found, true_likeness(left, right), is_long ? 0.2 : 1e-9);
        ASSERT_EQ(Sketch(left).likeness(Sketch(left)), 1);
    }
}

TEST(SketchTest, RepeatedTextIsLikeItself) {
    std::string once = "the rain falls on the harbour";
    std::string often;
    for (int i = 0; i < 300; ++i) {
        often += once;
    }
    EXPECT_EQ(Sketch(often).likeness(Sketch(often + once)), 1);
    EXPECT_EQ(Sketch("ab").likeness(Sketch("ab")), 1);
    EXPECT_EQ(Sketch("ab").likeness(Sketch("ac")), 0);
    EXPECT_EQ(Sketch("").likeness(Sketch("")), 0);
}

}  // namespace
}  // namespace arbiter::chat
