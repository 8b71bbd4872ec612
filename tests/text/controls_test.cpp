// Goal: no text acts on a terminal, and ordinary text stays as it is.
#include "text/controls.h"

#include <gtest/gtest.h>

namespace arbiter::text {
namespace {

TEST(Controls, AreShown) {
    EXPECT_EQ(show_controls("a\x1b]0;x\x07\x08"), "a␛]0;x␇␈");
    EXPECT_EQ(show_controls(std::string_view("\0\r", 2)), "␀␍");
    EXPECT_EQ(show_controls("a\r\nb\tc\n"), "a\nb\tc\n");
    EXPECT_EQ(show_controls("\x7f"), "\\u007f");
    EXPECT_EQ(show_controls("\u009b2J \u202e\u2066"), "\\u009b2J \\u202e\\u2066");
    // A C1 character of one byte is not UTF-8.
    EXPECT_EQ(show_controls("\x9b"
                            "2J"),
              "\uFFFD2J");
}

TEST(Controls, OtherTextStays) {
    for (const std::string_view text : {"她抬头：“……”", "👩‍👩‍👧 ❤️",
                                        "é ğ ﷽ \u200f\u00a0\u2028", "{\"a\": \"\\n\"}"}) {
        EXPECT_EQ(show_controls(text), text);
    }
}

TEST(Controls, LineBreaksAreShownOnOneLine) {
    EXPECT_EQ(show_controls("a\nb\tc\r\n", LineBreaks::kShown), "a␊b c␊");
}

}  // namespace
}  // namespace arbiter::text
