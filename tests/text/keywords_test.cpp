// Goal: a set finds exactly the keywords that a plain search for each would find, whatever was
// added and removed before and however the keywords were made to collide; names have the parts
// that a reader would look for.
// Method: a plain model (a map and string::find) beside the set, over random changes on alphabets
// so small that everything shares its beginnings; sets that are made to be slow; a table of names.
// proves: A2-17
#include "text/keywords.h"
#include "text/keyword_parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "tests/support/random.h"
#include "text/internal/suffix_order.h"
#include "text/utf8.h"

namespace arbiter::text {
namespace {

using tests::Random;
using Ids = std::vector<Keywords::Id>;

class Model {
  public:
    bool add(const std::string& keyword, Keywords::Id id) {
        return !keyword.empty() && ids_[keyword].insert(id).second;
    }
    bool remove(const std::string& keyword, Keywords::Id id) {
        const auto found = ids_.find(keyword);
        if (found == ids_.end() || found->second.erase(id) == 0) {
            return false;
        }
        if (found->second.empty()) {
            ids_.erase(found);
        }
        return true;
    }
    [[nodiscard]] Ids find(const std::string& text) const {
        std::set<Keywords::Id> found;
        for (const auto& [keyword, ids] : ids_) {
            if (text.find(keyword) != std::string::npos) {
                found.insert(ids.begin(), ids.end());
            }
        }
        return {found.begin(), found.end()};
    }
    [[nodiscard]] std::size_t size() const { return ids_.size(); }

  private:
    std::map<std::string, std::set<Keywords::Id>> ids_;
};

std::string random_text(Random& random, const std::vector<std::string>& alphabet, std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) {
        text += random.pick(alphabet);
    }
    return text;
}

const std::vector<std::vector<std::string>>& alphabets() {
    static const std::vector<std::vector<std::string>> all = {
        {"a", "b"},
        {"a"},
        {"张", "三", "李"},
        {"张", "a", "é", "😀", std::string(1, '\0')},
        {"甲", "乙", "丙", "丁", "戊", "己", "庚", "辛", "x", "y", "z"},
    };
    return all;
}

TEST(Keywords, FindsWhatAPlainSearchFinds) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const std::vector<std::string>& alphabet = alphabets()[seed % alphabets().size()];
        const std::size_t longest = random.chance(30) ? 40 : 6;
        Keywords set;
        Model model;
        std::vector<std::string> known = {""};
        for (std::size_t step = 0; step < 400; ++step) {
            // Later there is more to take out than to put in.
            const bool again = random.chance(step < 250 ? 30 : 90);
            const std::string keyword =
                again ? random.pick(known) : random_text(random, alphabet, random.below(longest));
            const Keywords::Id id = random.below(5) == 0 ? random.below(3) : random.below(1000);
            if (random.chance(again ? 30 : 80)) {
                known.push_back(keyword);
                ASSERT_EQ(set.add(keyword, id), model.add(keyword, id)) << keyword;
            } else {
                // An id that is probably there.
                const Ids there = model.find(keyword);
                const Keywords::Id old = there.empty() ? id : random.pick(there);
                ASSERT_EQ(set.remove(keyword, old), model.remove(keyword, old)) << keyword;
            }
            ASSERT_EQ(set.size(), model.size());
            // Up to several of the blocks in which a text is passed over.
            const std::size_t size = random.below(random.chance(20) ? 150 : 30);
            const std::string text = random_text(random, alphabet, size);
            ASSERT_EQ(set.find(text), model.find(text)) << text;
        }
        const std::string text = random_text(random, alphabet, 3000);
        EXPECT_EQ(set.find(text), model.find(text));
    }
}

TEST(Keywords, BordersOfKeywordsAndTexts) {
    Keywords set;
    EXPECT_EQ(set.find("abc"), Ids{});
    EXPECT_FALSE(set.add("", 1));
    EXPECT_FALSE(set.add("\x80", 1));
    EXPECT_FALSE(set.remove("", 1));
    EXPECT_FALSE(set.remove("nobody", 1));
    // Every size of a keyword at every place of texts of every size.
    const std::string whole = "abcdefghijklmnopqrstuvwxyz0123456789";
    for (std::size_t size = 1; size < 20; ++size) {
        for (std::size_t at = 0; at + size <= whole.size(); ++at) {
            Keywords one;
            EXPECT_TRUE(one.add(whole.substr(at, size), 7));
            EXPECT_FALSE(one.add(whole.substr(at, size), 7));
            EXPECT_EQ(one.find(whole), Ids{7});
            EXPECT_EQ(one.find(whole.substr(0, at + size)), Ids{7});
            EXPECT_EQ(one.find(whole.substr(0, at + size - 1)), Ids{});
            EXPECT_EQ(one.find(whole.substr(at)), Ids{7});
            EXPECT_EQ(one.find(whole.substr(at + 1)), Ids{});
        }
    }
}

TEST(Keywords, ZerosAtTheEndAreNoText) {
    Keywords set;
    set.add(std::string("ab\0", 3), 1);
    set.add(std::string("abcdef\0\0", 8), 2);
    EXPECT_EQ(set.find("ab"), Ids{});
    EXPECT_EQ(set.find("xxabcdef"), Ids{});
    EXPECT_EQ(set.find(std::string("ab\0", 3)), Ids{1});
    EXPECT_EQ(set.find(std::string("abcdef\0\0", 8)), Ids{2});
}

TEST(Keywords, SubstringsCountAndCaseMatters) {
    Keywords set;
    set.add("线人", 1);
    set.add("John", 2);
    set.add("人", 3);
    EXPECT_EQ(set.find("那个神秘的线人来了"), (Ids{1, 3}));
    EXPECT_EQ(set.find("Johnson"), Ids{2});
    EXPECT_EQ(set.find("john"), Ids{});
}

TEST(Keywords, AnIdOfSeveralKeywordsIsFoundOnce) {
    Keywords set;
    set.add("张三", 9);
    set.add("线人", 9);
    set.add("线人", 5);
    EXPECT_EQ(set.find("张三是线人"), (Ids{5, 9}));
    EXPECT_TRUE(set.remove("线人", 9));
    EXPECT_EQ(set.find("线人"), Ids{5});
    EXPECT_TRUE(set.remove("线人", 5));
    EXPECT_FALSE(set.remove("线人", 5));
    EXPECT_EQ(set.find("张三是线人"), Ids{9});
    EXPECT_EQ(set.size(), 1U);
}

TEST(Keywords, ACopyIsASetOfItsOwn) {
    Keywords set;
    set.add("张三", 1);
    Keywords copy = set;
    copy.remove("张三", 1);
    copy.add("李四", 2);
    EXPECT_EQ(set.find("张三李四"), Ids{1});
    EXPECT_EQ(copy.find("张三李四"), Ids{2});
}

// Sets that are made to be slow: without the second way of searching, some of these take minutes.
TEST(Keywords, TenThousandThatShareALongBeginning) {
    const std::string shared(1000, 'a');
    Keywords set;
    for (Keywords::Id id = 0; id < 10'000; ++id) {
        set.add(shared + std::to_string(id), id);
    }
    EXPECT_EQ(set.find(std::string(20'000, 'a')), Ids{});
    // A number has its beginnings in it.
    EXPECT_EQ(set.find(std::string(20'000, 'a') + "1234"), (Ids{1, 12, 123, 1234}));
    for (Keywords::Id id = 0; id < 10'000; ++id) {
        EXPECT_TRUE(set.remove(shared + std::to_string(id), id));
    }
    EXPECT_EQ(set.size(), 0U);
    EXPECT_EQ(set.find(std::string(20'000, 'a') + "1234"), Ids{});
}

TEST(Keywords, EveryLengthOfTheSameLetter) {
    Keywords set;
    Ids all;
    for (Keywords::Id size = 1; size <= 2000; ++size) {
        set.add(std::string(size, 'a'), size);
        set.add(std::string(size, 'a') + "b", 10'000 + size);
        all.push_back(size);
    }
    EXPECT_EQ(set.find(std::string(16'000, 'a')), all);
    EXPECT_EQ(set.find(std::string(3, 'a') + "b"), (Ids{1, 2, 3, 10'001, 10'002, 10'003}));
    all.push_back(10'001);
    EXPECT_EQ(set.find("ab" + std::string(600'000, 'a')), all);
}

TEST(Keywords, KeywordsOfTenKilobytesInATextThatRepeats) {
    Keywords set;
    const std::string large(10'000, 'a');
    set.add(large, 1);
    set.add(large + "b", 2);
    set.add("b" + large, 3);
    set.add("啊", 4);
    EXPECT_EQ(set.find(std::string(9'999, 'a')), Ids{});
    EXPECT_EQ(set.find(std::string(300'000, 'a')), Ids{1});
    // Over the border of two pieces of text.
    EXPECT_EQ(set.find(std::string(262'000, 'a') + "b" + std::string(300'000, 'a')),
              (Ids{1, 2, 3}));
}

TEST(Keywords, EveryCharacterIsAKeyword) {
    Keywords set;
    std::string text;
    Ids all;
    for (char32_t code = 0x4E00; code < 0x6000; ++code) {
        std::string character;
        append(character, code);
        set.add(character, code);
        text += character;
        all.push_back(code);
    }
    EXPECT_EQ(set.find(text), all);
}

TEST(SuffixOrder, ContainsWhatTheTextContains) {
    Random random(1);
    for (std::size_t round = 0; round < 200; ++round) {
        const std::vector<std::string>& alphabet = alphabets()[round % alphabets().size()];
        const std::string text = random_text(random, alphabet, random.below(300));
        const internal::SuffixOrder suffixes(text);
        for (std::size_t i = 0; i < 50; ++i) {
            const std::string wanted = random_text(random, alphabet, random.below(8));
            EXPECT_EQ(suffixes.contains(wanted), text.find(wanted) != std::string::npos);
        }
    }
}

TEST(KeywordParts, AreWhatAReaderWouldLookFor) {
    struct Case {
        std::string_view name;
        std::vector<std::string_view> parts;
    };
    const std::vector<Case> cases = {
        {"", {}},
        {"张三", {"张三"}},
        {"张三（线人）", {"张三", "线人"}},
        {"张三(线人)", {"张三", "线人"}},
        {"约翰·史密斯", {"约翰", "史密斯"}},
        {"ジョン・スミス", {"ジョン", "スミス"}},
        {"John O'Neil", {"John", "Neil"}},
        {"X", {}},
        {"龙", {"龙"}},
        {"龙-X-3号", {"龙", "3号"}},
        {"A龙", {"A龙"}},
        {"R2-D2", {"R2", "D2"}},
        {"snake_case", {"snake", "case"}},
        {"神秘的 线人", {"神秘的", "线人"}},
        {"神秘的　线人", {"神秘的", "线人"}},
        {"「月」《夜》【雪】", {"月", "夜", "雪"}},
        {"佐々木〇ー", {"佐々木〇ー"}},
        {"김철수！", {"김철수"}},
        {"𠀀𪜀", {"𠀀𪜀"}},
        {"𠀀", {"𠀀"}},
        {"é", {}},
        {"Éva Ærø", {"Éva", "Ærø"}},
        {"Иван—Ы", {"Иван"}},
        {"１２ Ａ", {"１２"}},
        {"❤️小雪😀👨‍👩‍👧", {"小雪"}},
        {"…！？", {}},
        {"张\xFF三", {"张", "三"}},
        {"张三\xE4", {"张三"}},
    };
    for (const Case& c : cases) {
        EXPECT_EQ(keyword_parts(c.name), c.parts) << c.name;
    }
}

}  // namespace
}  // namespace arbiter::text
