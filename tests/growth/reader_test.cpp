// Goal: no text makes the reader slow. Method: a generator repeats every pair, and with
// ARBITER_FULL every triple, of the tokens that begin, end or break something in a reply; the work
// is counted for n, 2n, 4n and 8n.
#include <gtest/gtest.h>

#include <vector>

#include "reader/reader.h"
#include "tests/growth/growth.h"
#include "tests/support/random.h"

namespace arbiter::tests {
namespace {

constexpr std::string_view kTokens[] = {"<think>",
                                        "</think>",
                                        "<UpdateVariable>",
                                        "</UpdateVariable>",
                                        "<JSONPatch>",
                                        "</JSONPatch>",
                                        "<variable_update>",
                                        "<tool_call>",
                                        "</tool_call>",
                                        "<use_protocol id=\"a\"/>",
                                        "<!--",
                                        "-->",
                                        "<updateMemory>",
                                        "<t",
                                        "“",
                                        "”",
                                        "「",
                                        "『",
                                        "\"",
                                        "'",
                                        "`",
                                        "```",
                                        "```json\n",
                                        "\n",
                                        "\n\n",
                                        "_.set(",
                                        "_.set('a',1);",
                                        "_.insert('a',{b:",
                                        "memory(",
                                        "memory(\"a\")",
                                        "[SET, a, 1]",
                                        "{\"op\":\"assign\",\"path\":[\"a\"],\"value\":1}",
                                        "{\"op\":",
                                        "[{\"action\":\"set\",",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "(",
                                        ")",
                                        "\\",
                                        ",",
                                        "1",
                                        "a",
                                        " ",
                                        "（",
                                        "\xFF",
                                        "//",
                                        "/*",
                                        "*/",
                                        "> "};

// Texts are held back for up to 64 KiB (base/limits.h), which takes two larger inputs to leave
// behind.
constexpr int kTries = 3;

Operation reading_of(std::string piece, bool in_block, reader::Options options = {}) {
    return [piece, in_block, options](std::size_t size) {
        std::string text = in_block ? "<UpdateVariable>\n" : "";
        for (std::size_t i = 0; i < size; ++i) {
            text += piece;
        }
        return [text, options] { static_cast<void>(reader::read(text, options)); };
    };
}

TEST(ReaderGrowth, OfPairs) {
    // A seventh of the pairs in a normal run, always the same.
    std::size_t number = 0;
    for (const std::string_view first : kTokens) {
        for (const std::string_view second : kTokens) {
            if (!is_full() && number++ % 7 != 0) {
                continue;
            }
            const std::string piece = std::string(first) + std::string(second);
            expect_linear("outside: " + piece, 150, reading_of(piece, false), kTries);
            if (is_full() || number % 4 == 0) {
                expect_linear("in a block: " + piece, 150, reading_of(piece, true), kTries);
            }
            if (HasFailure()) {
                return;
            }
        }
    }
}

TEST(ReaderGrowth, OfTriples) {
    Random random(18);
    // By a clock each takes several runs: more of them would take an hour under a sanitizer.
    const std::size_t count = !is_full() ? 60 : counts_exactly() ? 20'000 : 4'000;
    for (std::size_t i = 0; i < count; ++i) {
        std::string piece;
        for (int part = 0; part < 3; ++part) {
            piece += kTokens[random.below(std::size(kTokens))];
        }
        expect_linear("outside: " + piece, 150, reading_of(piece, false), kTries);
        expect_linear("in a block: " + piece, 150, reading_of(piece, true), kTries);
        if (HasFailure()) {
            return;
        }
    }
}

}  // namespace
}  // namespace arbiter::tests
