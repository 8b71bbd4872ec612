// Goal: no reply, however broken or hostile, takes more than linear time, more memory than the
// named limits, or loses what is cut without a word. Method: count what the reader does instead of
// measuring time: the work is bounded if the same hostile text, twice as long, gives its answer in
// the same (generous) number of bytes held back. The texts here run in milliseconds when reading is
// linear and in minutes when it is not, so a test that hangs has failed. Limits are tested on both
// sides of their border. proves: S3-25, S4-47, A3-3
#include <gtest/gtest.h>

#include <algorithm>

#include "base/limits.h"
#include "reader/reader.h"
#include "tests/support/trace.h"
#include "value/json.h"

namespace arbiter::reader {
namespace {

using proposal::Code;
using proposal::Notice;

std::string repeat(std::string_view text, std::size_t times) {
    std::string out;
    out.reserve(text.size() * times);
    for (std::size_t i = 0; i < times; ++i) {
        out += text;
    }
    return out;
}

bool has_notice(const Reading& reading, Notice::Kind what) {
    return std::ranges::any_of(reading.notices,
                               [what](const Notice& notice) { return notice.kind == what; });
}
bool has_code(const Reading& reading, Code code) {
    return std::ranges::any_of(reading.proposals, [code](const proposal::Proposal& each) {
        return !each.problems.empty() && each.problems[0].code == code;
    });
}

// The last command of a reply is found behind any number of broken fragments of this kind.
TEST(Limits, HostileTextsAreReadInLinearTime) {
    const std::string_view pieces[] = {"_.set(",
                                       "_.set('",
                                       "memory('",
                                       "[",
                                       "{",
                                       "[{",
                                       "{\"a\":",
                                       "{\"value\":",
                                       "{\"op\":",
                                       "[{\"op\":",
                                       "\"",
                                       "“",
                                       "`",
                                       "```",
                                       "```json\n",
                                       "<",
                                       "</",
                                       "<think",
                                       "<thinkin ",
                                       "<!--",
                                       "<analysis>",
                                       "<variable_update",
                                       "<JSONPatch>",
                                       "'",
                                       "\\",
                                       "(",
                                       "（",
                                       "*.",
                                       "_.",
                                       "\n> ",
                                       "\n//",
                                       " \n",
                                       "　",
                                       "{\"a\":\"\\",
                                       "{\"a\":\"b\" ",
                                       "delete('a', '",
                                       "_.set('a' \"b\" ",
                                       "[[SET, a, ",
                                       "~~~",
                                       "{'a': 'b' ",
                                       "_.set('a', 1) ",
                                       "{“a”：“b”，",
                                       "{\"a\":1 // \n",
                                       "</think>",
                                       "set_status(",
                                       "<!--_.set(",
                                       "/* {",
                                       "<code>_.set(",
                                       "\n\n    {",
                                       "《_.set(",
                                       "<|channel|>",
                                       "<|channel|>analysis<|message|>",
                                       "【思考】",
                                       "【/思考】",
                                       "｛",
                                       "_.set('a', '\n_.set('b', 1);\n",
                                       "{\"op\":\"\n\n文",
                                       "{\"op\":1\n\n文\n",
                                       "<variable_update>\n\n文",
                                       "_.set(\\\"",
                                       "{\"a\":[{\"op\":",
                                       "“</think>",
                                       "「_.set('a',1);",
                                       "《_.set('a',1);"};
    for (const std::string_view piece : pieces) {
        const std::string text = repeat(piece, (1U << 20) / piece.size());
        const Reading reading = read(text);
        EXPECT_LE(reading.text.size(), 3 * text.size() + 3) << piece;
        EXPECT_LE(reading.notices.size(), base::kNoticesMax + 3) << piece;
        // In tiny pieces too, though of a shorter text: each feed has a price of its own.
        const std::string_view some = std::string_view(text).substr(0, 64 << 10);
        Collector collector;
        for (std::size_t at = 0; at < some.size(); at += 5) {
            collector.feed(some.substr(at, 5));
        }
        EXPECT_LE(collector.finish().text.size(), 3 * some.size() + 3) << piece;
    }
}

// Also inside a block that is never closed.
TEST(Limits, UnclosedCallsInABlockAreReadInLinearTime) {
    for (const std::string_view piece : {"_.set(x\n", "memory([SET, a, 1]\n"}) {
        for (const std::string_view tag : {"<UpdateVariable>", "<updateMemory>"}) {
            const Reading reading =
                read(std::string(tag) + repeat(piece, (1U << 20) / piece.size()));
            EXPECT_LE(reading.proposals.size(), base::kProposalsMax + 1) << tag << piece;
        }
    }
}

TEST(Limits, CommandsBehindWreckageAreFound) {
    for (const std::string_view piece :
         {"[", "{ ", "“", "'", "（", "{\"a\": ", "<b>", "` ", "他说：\"好", "[1, 2, "}) {
        const std::string text =
            repeat(piece, 3000) + "\n\n<variable_update>[[SET, a, 1]]" + "</variable_update>";
        const Reading reading = read(text);
        ASSERT_EQ(reading.proposals.size(), 1U) << piece;
        EXPECT_TRUE(reading.proposals[0].problems.empty());
    }
}

TEST(Limits, ThreeThousandOpenCallsLoseNoLaterOne) {
    const Reading reading = read(repeat("_.set(", 3000) + "\n_.set('y', 9);\n");
    ASSERT_FALSE(reading.proposals.empty());
    EXPECT_EQ(describe(reading.proposals.back()), "set ~y = 9");
}

// A sink that only counts, and knows how much was held back at most.
class Counting final : public Sink {
  public:
    void text(std::string_view text) override { shown += text.size(); }
    void withdraw() override { shown = 0; }
    void thinking(std::string_view text) override { thought += text.size(); }
    void candidate(proposal::Proposal&& proposal) override {
        proposals.push_back(std::move(proposal));
    }
    void notice(Notice notice) override { notices.push_back(std::move(notice)); }
    void lost(std::size_t, std::string_view) override {}
    std::size_t shown = 0;
    std::size_t thought = 0;
    std::vector<proposal::Proposal> proposals;
    std::vector<Notice> notices;
};

TEST(Limits, AHundredMegabytesBehindAnOpenTagAreCutWithAWord) {
    const std::string piece = repeat("他走进了集市。", 1 << 14);
    Counting sink;
    Reader reader;
    reader.feed("开始。\n<variable_update>\n[[SET, a, 1]]\n", sink);
    for (std::size_t fed = 0; fed < (std::size_t{100} << 20); fed += piece.size()) {
        reader.feed(piece, sink);
    }
    reader.finish(sink);
    EXPECT_EQ(sink.shown, std::string_view("开始。").size());
    ASSERT_EQ(sink.proposals.size(), 1U);
    EXPECT_EQ(sink.proposals[0].problems.at(0).code, Code::kTooLarge);
    ASSERT_EQ(sink.notices.size(), 2U);
    EXPECT_EQ(sink.notices[0].kind, Notice::Kind::kUnclosed);
    EXPECT_EQ(sink.notices[1].kind, Notice::Kind::kCut);
}

TEST(Limits, ThinkingOfAnyLengthStreams) {
    Counting sink;
    Reader reader;
    reader.feed("<think>", sink);
    const std::string piece = repeat("hmm, ", 1 << 12);
    for (int i = 0; i < 1000; ++i) {
        reader.feed(piece, sink);
    }
    EXPECT_GE(sink.thought, piece.size() * 999);
    reader.feed("</think>Done.", sink);
    reader.finish(sink);
    EXPECT_EQ(sink.shown, 5U);
}

TEST(Limits, ABlockMayBeAsLargeAsItsLimit) {
    const auto block = [](std::size_t content) {
        const std::string tail = "[[SET, a, 1]]";
        return "<variable_update>" + std::string(content - tail.size(), ' ') + tail +
               "</variable_update>";
    };
    EXPECT_TRUE(read(block(base::kBlockBytesMax)).proposals.at(0).problems.empty());
    EXPECT_TRUE(has_code(read(block(base::kBlockBytesMax + 1)), Code::kTooLarge));
}

TEST(Limits, ACallMayBeAsLargeAsItsLimit) {
    const auto call = [](std::size_t inside) {
        return "_.set('a', '" + std::string(inside - 8, 'x') + "');";
    };
    EXPECT_TRUE(read(call(base::kCallBytesMax)).proposals.at(0).problems.empty());
    const Reading longer = read(call(base::kCallBytesMax + 1));
    EXPECT_TRUE(has_code(longer, Code::kTooLarge));
    EXPECT_TRUE(has_notice(longer, Notice::Kind::kCut));
}

TEST(Limits, AJsonCommandBeyondTheLimitIsRefusedAndWhatFollowsIsRead) {
    const Reading reading =
        read("{\"op\":\"assign\",\"path\":[\"a\"],\"value\":\"" +
             std::string(base::kBlockBytesMax, 'x') + "\"}\n\n{\"op\":\"pop\",\"path\":[\"b\"]}");
    ASSERT_EQ(reading.proposals.size(), 2U);
    EXPECT_EQ(reading.proposals[0].problems.at(0).code, Code::kTooLarge);
    EXPECT_TRUE(reading.proposals[1].problems.empty());
}

TEST(Limits, UndecidedJsonIsShownBeforeLong) {
    Counting sink;
    Reader reader;
    reader.feed("{\"名字\": \"" + repeat("很长", 2000), sink);
    EXPECT_GT(sink.shown, 0U) << "a value that is no command must not hide the story";
}

TEST(Limits, PathsAndValuesThatAreTooDeepAreRefused) {
    const auto instruction = [](std::size_t segments) {
        std::string path = "\"s\"";
        for (std::size_t i = 1; i < segments; ++i) {
            path += ",\"s\"";
        }
        return "{\"op\":\"assign\",\"path\":[" + path + "],\"value\":1}";
    };
    EXPECT_TRUE(read(instruction(base::kProposalPathMax)).proposals.at(0).problems.empty());
    EXPECT_TRUE(has_code(read(instruction(base::kProposalPathMax + 1)), Code::kTooDeep));
    const std::string deep =
        "{\"op\":\"assign\",\"path\":[\"a\"],\"value\":" + std::string(20'000, '[') +
        std::string(20'000, ']') + "}";
    EXPECT_TRUE(has_code(read(deep), Code::kTooDeep));
}

TEST(Limits, ProposalsAreCounted) {
    const Reading reading = read(repeat("_.add('a', 1);\n", base::kProposalsMax + 5));
    EXPECT_EQ(reading.proposals.size(), base::kProposalsMax);
    ASSERT_FALSE(reading.notices.empty());
    EXPECT_EQ(reading.notices.back().kind, Notice::Kind::kCut);
    EXPECT_EQ(reading.notices.back().about, "5");
}

TEST(Limits, BrokenUtf8BecomesReplacementCharacters) {
    const Reading reading = read("a\xFF\xC3(b\xE4\xB8");
    EXPECT_EQ(reading.text, "a\uFFFD\uFFFD(b\uFFFD");
    EXPECT_TRUE(has_notice(reading, Notice::Kind::kBadUtf8));
    EXPECT_EQ(read("_.set('a', '\xE4\xB8\xAD\xFF');").proposals.at(0).instruction()->value,
              value::Value("中\uFFFD"));
}

// While a block is open nothing of it is shown; what is story is shown at once.
TEST(Stream, ShowsNarrativeAtOnceAndBlocksNever) {
    Counting sink;
    Reader reader;
    reader.feed("他说：“走吧。”然后", sink);
    EXPECT_EQ(sink.shown, std::string_view("他说：“走吧。”然后").size());
    const std::size_t before = sink.shown;
    for (const char c : std::string_view("_.set('a', 1);//x\n")) {
        reader.feed(std::string_view(&c, 1), sink);
        EXPECT_EQ(sink.shown, before);
    }
    reader.feed("离开", sink);
    EXPECT_EQ(sink.shown, before + std::string_view("\n离开").size());
    EXPECT_EQ(sink.proposals.size(), 1U);
}

}  // namespace
}  // namespace arbiter::reader
