// Goal: no reply makes the reader crash, hang, or depend on how the bytes came; and of a
// well-formed reply no command is lost, nothing quoted or thought is executed, and no byte of a
// block is shown. Method: replies thrown together from fragments of everything (also broken UTF-8),
// read whole, in single bytes and in random pieces, all events compared; and replies built from
// good pieces whose commands and narrative are known. proves: S4-47, X-13
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "tests/support/random.h"
#include "tests/support/trace.h"
#include "text/utf8.h"

namespace arbiter::reader {
namespace {

using tests::Random;
using tests::trace;

const std::vector<std::string> kFragments = {
    // calls
    "_.set('a.b', 1);", "_.set(", "_.add('x', -5);//r", "_.set('a', \"半", "')", "');", "_.", "_",
    "memory('p', 'k', '{\"n\":1}');", "memory(", "*.memory('p','k','v')", "delete('p', 'all');",
    "set_status('a', 1)", "set_attribute", "game.", "*.", ") ;", "）；", "（", "_.set（‘a’，5）；",
    // JSON
    "{\"op\":\"assign\",\"path\":[\"a\"],\"value\":1}", "{\"op\":", "{", "}", "[", "]", "[{", "}]",
    "{\"action\":\"set\",\"key\":\"character.saveData.a\",\"value\":1}", "{\"text\":\"一\",",
    "\"tavern_commands\":[", "{\"tool_calls\":[{\"tool\":\"t\",\"args\":{}}]}",
    "\"value\":", "{“op”：“get”，“path”：［“a”］｝", "{a:", "\\", "\\\"", "{\"set\":[",
    // tags
    "<UpdateVariable>", "</UpdateVariable>", "<variable_update>", "</variable_update>", "<think>",
    "</think>", "<analysis>", "</analysis>", "<JSONPatch>", "</json_patch>", "<updateMemory>",
    "</updateMemory>", "<live>", "</live>", "<memo>", "</memo>", "<scene>", "</scene>", "<do>",
    "</do>", "<use_protocol id=\"x\"/>", "<use_protocol>", "<tool_call>", "</tool_call>", "<", "</",
    "<th", "<up", "<b>", "<variable_edit><path>a</path><value>+=1</value></variable_edit>",
    "<filament_output>", "[SET, a, 1]", "[[ADD, 甲.乙, +2],",
    "[{\"op\":\"remove\",\"path\":\"/a\"}]",
    // quotes, fences, comments
    "\"", "'", "`", "``", "```", "```json\n", "\n```\n", "```json", "~~~", "```python\n", "“", "”",
    "「", "」", "『", "』", "\n> ", "\n// ", "<!--", "-->", "/*", "*/", "//", "/", "\n- ",
    // text
    "一", "他说：", "text ", " ", "  ", "\n", "\n\n", "\r\n", "\t", "\u3000", "\uFEFF", "😀", "，",
    "；", "5", "-", "*", ".", ",", ";", ":", "op", "null",
    // broken UTF-8
    "\xFF", "\xC3", "\xE4\xB8", "\xF0\x9F\x98", "\x80", "\xED\xA0\x80", std::string(1, '\0')};

Options random_options(Random& random) {
    Options options;
    if (random.chance(50)) {
        options.dialects = {};
        for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
            if (random.chance(40)) {
                options.dialects.add(static_cast<proposal::Dialect>(i));
            }
        }
    }
    options.hybrid_both = random.chance(20);
    options.show_thinking = random.chance(20);
    if (random.chance(50)) {
        options.hints = {{"live", TagMeaning::kComponent},
                         {"memo", TagMeaning::kIgnore},
                         {"scene", TagMeaning::kDisplay},
                         {"do", TagMeaning::kExecute}};
    }
    return options;
}

std::vector<std::size_t> random_cuts(Random& random, std::size_t size) {
    std::vector<std::size_t> cuts;
    for (std::size_t n = random.below(8) + 1; n > 0; --n) {
        cuts.push_back(random.below(size + 1));
    }
    std::ranges::sort(cuts);
    return cuts;
}

std::vector<std::size_t> every_byte(std::size_t size) {
    std::vector<std::size_t> cuts;
    for (std::size_t at = 1; at < size; ++at) {
        cuts.push_back(at);
    }
    return cuts;
}

// More than the reader keeps in mind at once.
std::string long_narrative(Random& random) {
    const std::vector<std::string> words = {"天亮了，", "他说：“走吧。”", "\n",    "\n\n", "“",
                                            " \"a\" ",  "「好」",         "It's ", "`x` ", "> ",
                                            "\n> ",     "(y) ",           "[z] "};
    std::string text;
    const std::size_t size = 12'000 + random.below(12'000);
    const std::string often = random.pick(words);
    while (text.size() < size) {
        text += random.chance(70) ? often : random.pick(words);
    }
    return text;
}

void expect_same_in_pieces(const std::string& reply, const Options& options, Random& random,
                           std::uint64_t seed) {
    const std::string whole = trace(reply, options, std::array<std::size_t, 0>{});
    ASSERT_EQ(trace(reply, options, every_byte(reply.size())), whole)
        << "seed " << seed << ", in single bytes: " << reply;
    ASSERT_EQ(trace(reply, options, random_cuts(random, reply.size())), whole)
        << "seed " << seed << ", in pieces: " << reply;
}

TEST(Stream, FragmentsAreReadTheSameInAnyPieces) {
    for (std::uint64_t seed = 1; seed <= 2500; ++seed) {
        Random random(seed);
        const Options options = random_options(random);
        std::string reply;
        for (std::size_t n = random.below(24) + 1; n > 0; --n) {
            reply += random.pick(kFragments);
            if (random.chance(1) && random.chance(10)) {
                reply += long_narrative(random);
            }
        }
        expect_same_in_pieces(reply, options, random, seed);
        if (HasFatalFailure()) {
            return;
        }
        const Reading reading = read(reply, options);
        ASSERT_TRUE(text::is_valid(reading.text)) << "seed " << seed;
        std::size_t before = 0;
        for (const proposal::Proposal& each : reading.proposals) {
            ASSERT_LE(before, each.span.begin) << "seed " << seed << ": " << reply;
            ASSERT_LE(each.span.begin, each.span.end) << "seed " << seed << ": " << reply;
            before = each.span.begin;
        }
    }
}

// The pieces that a collector returns while the reply streams in, and the rest of the text at the
// end, are the visible text of the same reply read whole, unless the collector withdraws what it
// returned; so are the proposals and notices.
TEST(Collector, ReturnsTheVisibleTextWhileItReads) {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        Random random(seed);
        const Options options = random_options(random);
        std::string reply;
        for (std::size_t n = random.below(24) + 1; n > 0; --n) {
            reply += random.pick(kFragments);
        }
        Collector collector(options);
        std::string shown;
        std::size_t at = 0;
        for (const std::size_t cut : random_cuts(random, reply.size())) {
            const std::string_view piece =
                collector.feed(std::string_view(reply).substr(at, cut - at));
            shown = collector.withdrew() ? std::string(piece) : shown.append(piece);
            at = cut;
            ASSERT_EQ(collector.text(), shown) << "seed " << seed << ": " << reply;
        }
        const std::string_view last = collector.feed(std::string_view(reply).substr(at));
        shown = collector.withdrew() ? std::string(last) : shown.append(last);
        const Reading streamed = collector.finish();
        ASSERT_TRUE(collector.withdrew() || streamed.text.starts_with(shown))
            << "seed " << seed << ": " << reply;
        const Reading whole = read(reply, options);
        ASSERT_EQ(streamed.text, whole.text) << "seed " << seed << ": " << reply;
        ASSERT_EQ(streamed.thinking, whole.thinking) << "seed " << seed << ": " << reply;
        ASSERT_EQ(streamed.proposals.size(), whole.proposals.size()) << "seed " << seed;
        for (std::size_t i = 0; i < whole.proposals.size(); ++i) {
            ASSERT_EQ(describe(streamed.proposals[i]), describe(whole.proposals[i]))
                << "seed " << seed << ": " << reply;
        }
        ASSERT_EQ(streamed.lost.size(), whole.lost.size()) << "seed " << seed;
        ASSERT_EQ(streamed.notices.size(), whole.notices.size()) << "seed " << seed;
    }
}

TEST(Collector, HoldsBackTextThatMayBecomeACommand) {
    Collector collector;
    EXPECT_EQ(collector.feed("他说"), "他说");
    EXPECT_EQ(collector.feed("。_.se"), "。");
    EXPECT_EQ(collector.feed("t('a', 1"), "");
    EXPECT_EQ(collector.feed(");\n走"), "\n走");
    EXPECT_EQ(collector.feed("。_.s"), "。");
    const std::size_t shown = collector.text().size();
    const Reading reading = collector.finish();
    EXPECT_EQ(reading.text.substr(shown), "_.s");
    EXPECT_EQ(reading.proposals.size(), 1U);
}

// One character again and again, and a few of them in turn: no depth, no run is too much, and the
// time stays linear (a quadratic reader would need minutes here).
TEST(Stream, RunsOfOneFragmentAreRead) {
    for (const std::string& fragment : kFragments) {
        std::string reply;
        while (reply.size() < 20'000) {
            reply += fragment;
        }
        const Options options;
        const std::string whole = trace(reply, options, std::array<std::size_t, 0>{});
        const std::array<std::size_t, 3> cuts = {1, 4097, 16'400};
        ASSERT_EQ(trace(reply, options, cuts), whole) << fragment;
    }
}

// Text before a block affects it, even if it was fed long before.
TEST(Stream, WhatCameLongAgoStillCounts) {
    const std::vector<std::string> ends = {
        "_.set('a', \"半",          "memory('p', 'k', 'v');",
        "*.memory('p', 'k', 'v')",  "<UpdateVariable>_.set('a', 1);</UpdateVariable>",
        "```\n_.set('a', 1);\n```", "{\"op\":\"get\",\"path\":[\"a\"]}",
        "_.set('a', 1)\n"};
    Random random(3);
    for (const std::string& end : ends) {
        for (const std::string before :
             {"x", "一", "\n", "\n  ", " ", "\"", "“", "`", "> ", "- "}) {
            for (const std::string filler : {"x", "“"}) {
                std::string reply;
                while (reply.size() < 17'000) {
                    reply += filler;
                }
                reply += before + end;
                const Options options;
                const std::string whole = trace(reply, options, std::array<std::size_t, 0>{});
                const std::size_t last = reply.size() - end.size();
                for (const std::size_t cut : {last, last + 1, last + 3, last - 1}) {
                    ASSERT_EQ(trace(reply, options, std::array{cut}), whole) << before << end;
                }
            }
        }
    }
}

// A piece of a good reply: its text, the commands it brings, and what the player sees of it.
struct Piece {
    std::string text;
    std::string proposal;  // "" for none
    std::string shown;
};

std::string number(Random& random) {
    return std::to_string(random.below(1000));
}

// Strings that would be commands if they were not strings.
const std::vector<std::string> kBait = {"_.set(`bad`, 1);",
                                        "memory(`bad`, `bad`, `bad`);",
                                        "<variable_update>[SET, bad, 1]",
                                        "```json",
                                        "</UpdateVariable>, x",
                                        "{ op : bad }",
                                        "“bad”",
                                        "// bad",
                                        "<think>",
                                        "<!-- bad -->"};

Piece good_piece(Random& random) {
    const std::string n = number(random);
    const std::string bait = random.pick(kBait);
    switch (random.below(9)) {
        case 0:
            return {"_.set('good', " + n + ");", "set ~good = " + n, ""};
        case 1:
            return {"_.set('good', \"" + bait + n + "\");", "set ~good = \"" + bait + n + "\"", ""};
        case 2:
            return {"```json\n{\"op\":\"assign\",\"path\":[\"good\"],\"value\":\"" + bait + n +
                        "\"}\n```",
                    "set good = \"" + bait + n + "\"", ""};
        case 3:
            return {"{\"action\":\"set\",\"key\":\"character.saveData.good\",\"value\":" + n + "}",
                    "set character.saveData.good = " + n, ""};
        case 4:
            return {"memory('good', 'k', '" + n + "');", "set assa_data.good.k = \"" + n + "\"",
                    ""};
        case 5:
            return {"<variable_update>\n<analysis>[SET, bad, 1]</analysis>\n[SET, good, " + n +
                        "]\n</variable_update>",
                    "set good = " + n, ""};
        case 6:
            return {"<UpdateVariable>\n_.set('good', " + n + ");//r\n</UpdateVariable>",
                    "set ~good = " + n + " because \"r\"", ""};
        case 7:
            return {"<JSONPatch>[{\"op\":\"replace\",\"path\":\"/good\",\"value\":" + n +
                        "}]</JSONPatch>",
                    "set ~good = " + n, ""};
        default:
            return {"<tool_call>{\"tool\":\"good\",\"args\":{\"n\":" + n + "}}</tool_call>",
                    "tool good {\"n\":" + n + "}", ""};
    }
}

Piece other_piece(Random& random) {
    const std::string call = random.chance(50) ? "_.set('bad', 1);" : "memory('bad', 'k', 'v');";
    const std::string block = random.chance(50)
                                  ? "<UpdateVariable>_.set('bad', 1);</UpdateVariable>"
                                  : "{\"op\":\"get\",\"path\":[\"bad\"]}";
    const std::string inner = random.chance(50) ? call : block;
    const auto same = [](const std::string& text) { return Piece{text, "", text}; };
    switch (random.below(11)) {
        case 0:
            return {"<think>\n" + inner + "\n</think>", "", ""};
        case 1:
            return {"<thinking>" + inner + "</thinking>", "", ""};
        case 2:
            return same("他说“" + inner + "”。");
        case 3:
            return same("写 `" + inner + "` 吧。");
        case 4:
            return same("> " + inner);
        case 5:
            return same("```python\n" + inner + "\n```");
        case 6:
            return same("「" + call + "」");
        case 7:
            return same("It's [5] {x} (y) <b>z</b> 3 < 5.");
        case 8:
            return same("```json\n{\"hp\": " + number(random) + "}\n```");
        case 9:
            return same("- 一\n- 二");
        default:
            return same("天亮了" + number(random) + "。");
    }
}

TEST(Stream, GoodRepliesLoseNothing) {
    Options options;
    options.hybrid_both = true;
    for (std::uint64_t seed = 1; seed <= 800; ++seed) {
        Random random(seed);
        std::string reply;
        std::vector<std::string> proposals;
        std::string shown;
        for (std::size_t n = random.below(10) + 1; n > 0; --n) {
            const Piece piece = random.chance(55) ? good_piece(random) : other_piece(random);
            reply += (reply.empty() ? "" : "\n\n") + piece.text;
            if (!piece.proposal.empty()) {
                proposals.push_back(piece.proposal);
            }
            if (!piece.shown.empty()) {
                shown += (shown.empty() ? "" : "\n\n") + piece.shown;
            }
        }
        const Reading reading = read(reply, options);
        std::vector<std::string> found;
        for (const proposal::Proposal& each : reading.proposals) {
            found.push_back(describe(each));
        }
        ASSERT_EQ(found, proposals) << "seed " << seed << ": " << reply;
        ASSERT_EQ(reading.text, shown) << "seed " << seed << ": " << reply;
        expect_same_in_pieces(reply, options, random, seed);
        if (HasFatalFailure()) {
            return;
        }
    }
}

}  // namespace
}  // namespace arbiter::reader
