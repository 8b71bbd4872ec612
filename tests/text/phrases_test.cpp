// Phrases: the longest phrase at each place of a text, compared with a search of all phrases.
#include "text/phrases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace arbiter::text {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

std::optional<Phrases::Match> naive(const std::vector<std::string>& phrases, std::string_view text,
                                    std::size_t at) {
    std::optional<Phrases::Match> longest;
    if (at > 0 && is_word(text[at - 1]) && is_word(text[at])) {
        return longest;
    }
    const std::string_view rest = text.substr(at);
    for (std::uint32_t id = 0; id < phrases.size(); ++id) {
        const std::size_t size = phrases[id].size();
        const bool cut = rest.starts_with(phrases[id]) && size < rest.size() &&
                         is_word(rest[size - 1]) && is_word(rest[size]);
        if (rest.starts_with(phrases[id]) && !cut && (!longest || size > longest->size)) {
            longest = Phrases::Match{id, size};
        }
    }
    return longest;
}

TEST(Phrases, FindsTheLongestAtEveryPlace) {
    constexpr auto kPieces =
        std::to_array<std::string_view>({"a", "b", "ab", " ", "'", "死", "死了", "没", "é", "😀"});
    std::mt19937 random(20);
    const auto text_of = [&](std::size_t pieces) {
        std::string text;
        for (std::size_t i = 0; i < pieces; ++i) {
            text += kPieces[random() % kPieces.size()];
        }
        return text;
    };
    for (int round = 0; round < 300; ++round) {
        Phrases phrases;
        std::vector<std::string> all;
        for (int i = 0; i < 40; ++i) {
            const std::string phrase = text_of(1 + random() % 5);
            const auto known = std::ranges::find(all, phrase);
            const auto id = static_cast<std::uint32_t>(known - all.begin());
            if (known == all.end()) {
                all.push_back(phrase);
            }
            ASSERT_EQ(phrases.add(phrase), id);
        }
        const std::string text = text_of(60);
        for (std::size_t at = 0; at < text.size(); ++at) {
            if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80) {
                continue;
            }
            const auto found = phrases.longest_at(text, at);
            const auto wanted = naive(all, text, at);
            ASSERT_EQ(found.has_value(), wanted.has_value()) << text << " at " << at;
            if (found) {
                EXPECT_EQ(found->id, wanted->id) << text << " at " << at;
                EXPECT_EQ(found->size, wanted->size);
            }
        }
    }
}

TEST(Phrases, DoNotCutWords) {
    Phrases phrases;
    const std::uint32_t hp = phrases.add("hp");
    EXPECT_FALSE(phrases.longest_at("hpx", 0));
    EXPECT_FALSE(phrases.longest_at("xhp", 1));
    ASSERT_TRUE(phrases.longest_at("你hp变", 3));
    EXPECT_EQ(phrases.longest_at("你hp变", 3)->id, hp);
}

}  // namespace
}  // namespace arbiter::text
