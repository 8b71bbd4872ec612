// Goal: the bytes that the reader jumps to are found wherever they stand.
// Method: random texts of every length, against the same question asked byte by byte.
#include "reader/internal/byte_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "reader/internal/glyph.h"
#include "tests/support/random.h"

namespace arbiter::reader::internal {
namespace {

constexpr auto kPieces = std::to_array<std::string_view>(
    {"到别则", "a story", "。",   "（",       "(",  "<",  "`",   "~",  "{",
     "[",      "]",       "“",    "”",        "「", "\"", "'",   "\\", "\n",
     "-",      "中文",    "\x88", "\xBC\x88", " ",  "_.", "set", "*.", "a_long_name_of_a_call",
     "Z@[z{"});

std::string random_text(tests::Random& random) {
    std::string text;
    const std::size_t size = random.below(100);
    while (text.size() < size) {
        text +=
            random.chance(70) ? kPieces[random.below(2)] : kPieces[random.below(kPieces.size())];
    }
    return text;
}

template <typename IsHit>
std::size_t slow_find(std::string_view text, std::size_t at, IsHit is_hit) {
    while (at < text.size() && !is_hit(at)) {
        ++at;
    }
    return at;
}

TEST(Special, AgreesWithASlowSearch) {
    tests::Random random(11);
    for (int round = 0; round < 20'000; ++round) {
        const std::string text = random_text(random);
        const std::string_view view = text;
        const std::size_t from = random.below(text.size() + 1);
        ASSERT_EQ(find_block_start(text, from),
                  slow_find(view, from,
                            [&](std::size_t at) {
                                return std::string_view("<`~{[(").find(text[at]) !=
                                           std::string_view::npos ||
                                       (at >= 2 && view.substr(at - 2, 3) == "（");
                            }))
            << text;
        ASSERT_EQ(find_quote_mark(text),
                  slow_find(view, 0,
                            [&](std::size_t at) {
                                return std::string_view("\n\"`<-/*\xE2\xE3").find(text[at]) !=
                                       std::string_view::npos;
                            }))
            << text;
        const NameRun run = name_run_at_end(text);
        const std::string_view name = view.substr(text.size() - run.size);
        const auto is_name = [](char c) {
            return is_letter(c) || c == '_' || c == '.' || c == '*';
        };
        ASSERT_TRUE(std::ranges::all_of(name, is_name)) << text;
        ASSERT_TRUE(run.size == text.size() || run.size == kNameRunMax ||
                    !is_name(text[text.size() - run.size - 1]))
            << text;
        ASSERT_EQ(run.has_marks, name.contains('.') || name.contains('*')) << text;
        for (const char quote : {'"', '\'', '`'}) {
            ASSERT_EQ(find_string_mark(text, from, quote), slow_find(view, from,
                                                                     [&](std::size_t at) {
                                                                         return text[at] == quote ||
                                                                                text[at] == '\\' ||
                                                                                text[at] == '\n';
                                                                     }))
                << text;
        }
    }
}

}  // namespace
}  // namespace arbiter::reader::internal
