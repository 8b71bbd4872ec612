// Goal: a transcript is read as it is written and written as it was read; what is broken in it is
// named with its place, in both languages; what is expected and did not come is found.
// proves: X-17
#include "transcript/transcript.h"

#include <gtest/gtest.h>

#include "base/messages.h"
#include "transcript/play.h"

namespace arbiter::transcript {
namespace {

using base::ErrorCode;

constexpr std::string_view kPlain =
    "# what a card does\n"
    "== she smiles\n"
    "profile: mvu\n"
    "-- state\n"
    "{\"好感\":1}\n"
    "-- reply\n"
    "她笑了。\n"
    "_.add('好感', 2);\n"
    "-- verdicts\n"
    "applied increment 好感: 1 → 3\n"
    "-- after\n"
    "{\"好感\":3}\n"
    "==\n\n";

// The error of a text, with its line.
std::pair<ErrorCode, std::size_t> broken(std::string_view text) {
    const auto parsed = parse(text);
    std::optional<base::Error> error;
    if (!parsed) {
        error = parsed.error();
    } else {
        for (const Turn& turn : parsed->turns) {
            if (const auto played = play(turn); !played) {
                error = played.error();
            }
        }
    }
    if (!error) {
        return {ErrorCode::kCount, 0};
    }
    EXPECT_NE(base::explain(*error, base::Language::kEnglish),
              base::explain(*error, base::Language::kChinese));
    return {error->code, error->place ? error->place->line : 0};
}

TEST(Transcript, IsPrintedAsItWasRead) {
    const auto parsed = parse(kPlain);
    ASSERT_TRUE(parsed);
    ASSERT_EQ(parsed->turns.size(), 1U);
    const Turn& turn = parsed->turns[0];
    EXPECT_EQ(turn.title, "she smiles");
    EXPECT_EQ(turn.settings[0].value, "mvu");
    EXPECT_EQ(turn.sections[1].text, "她笑了。\n_.add('好感', 2);");
    EXPECT_EQ(turn.sections[1].place.line, 6U);
    EXPECT_EQ(print(*parsed), kPlain);
    const auto played = play(turn);
    ASSERT_TRUE(played);
    EXPECT_TRUE(played->mismatches.empty());
}

TEST(Transcript, TextThatLooksLikeAHeadingIsWrittenAsJson) {
    for (const std::string text : {"-- verdicts\nx", "a\n==", "== b", "a\r\nb", "-- ", ""}) {
        Transcript transcript;
        transcript.turns.push_back({"t", {}, {{"reply", "x"}, {"shown", "y"}}});
        transcript.turns[0].sections[1].say(text);
        const auto again = parse(print(transcript));
        ASSERT_TRUE(again) << text;
        ASSERT_EQ(again->turns.size(), 1U) << text;
        if (!text.empty()) {
            EXPECT_EQ(*again->turns[0].sections.at(1).content(), text);
        }
    }
    Section user{"reply (user)", "x"};
    user.say("==");
    EXPECT_EQ(user.heading, "reply (user json)");
    EXPECT_TRUE(user.is("user") && user.is("json") && !user.is("use"));
}

TEST(Transcript, WhatIsBrokenIsNamedWithItsLine) {
    using enum ErrorCode;
    using Place = std::pair<ErrorCode, std::size_t>;
    EXPECT_EQ(broken(""), Place(kTurnNone, 0));
    EXPECT_EQ(broken("# only\n"), Place(kTurnNone, 0));
    EXPECT_EQ(broken("hello\n"), Place(kTurnStray, 1));
    EXPECT_EQ(broken("== a\nwhat is this\n-- reply\nx\n==\n"), Place(kTurnStray, 2));
    EXPECT_EQ(broken("== a\n-- reply\nx\n==\n\nafter it\n"), Place(kTurnStray, 6));
    EXPECT_EQ(broken("== a\n-- reply\nx\n==\n== b\n-- state\n{}\n==\n"), Place(kTurnNoReply, 5));
    EXPECT_EQ(broken("== a\n== b\n"), Place(kTurnNoReply, 1));
    EXPECT_EQ(broken("== a\n-- shown\nx\n-- reply\nx\n"), Place(kTurnOrder, 2));
    EXPECT_EQ(broken("== a\n-- reply\nx\n-- verdict\n"), Place(kTurnSection, 4));
    EXPECT_EQ(broken("== a\n-- reply (god)\nx\n"), Place(kTurnSection, 2));
    EXPECT_EQ(broken("== a\n-- state (user)\nx\n"), Place(kTurnSection, 2));
    EXPECT_EQ(broken("== a\nprofil: mvu\n-- reply\nx\n"), Place(kTurnSetting, 2));
    EXPECT_EQ(broken("== a\nplayer: yes\nprofile: muv\n-- reply\nx\n"), Place(kBadOptionValue, 3));
    EXPECT_EQ(broken("== a\nclosed: a..b\n-- reply\nx\n"), Place(kBadOptionValue, 2));
    EXPECT_EQ(broken("== a\nhint: live\n-- reply\nx\n"), Place(kBadOptionValue, 2));
    EXPECT_EQ(broken("== a\n-- now\nsoon\n-- reply\nx\n"), Place(kBadOptionValue, 2));
    EXPECT_EQ(broken("== a\n-- state\n{\n \"气血\": 090}\n-- reply\nx\n"),
              Place(kJsonBadNumber, 4));
    EXPECT_EQ(broken("== a\n-- reply (json)\n[1]\n"), Place(kTurnNotString, 2));
    EXPECT_EQ(broken("== a\n-- reply (json)\n\"x\n"), Place(kJsonUnclosed, 3));
    EXPECT_EQ(broken("== a\n-- reply\nx\n-- shown (json)\nx\n"), Place(kJsonBadLiteral, 5));
    EXPECT_EQ(broken("\xEF\xBB\xBF== a\n\n# c\n\n-- reply\nx"), Place(kCount, 0));
}

TEST(Transcript, WhatDidNotComeIsFoundAndWrittenAnew) {
    const auto parsed = parse(
        "== two replies\n"
        "profile: json\n"
        "-- reply\n"
        "{\"op\":\"assign\",\"path\":[\"a\"],\"value\":1}\n"
        "-- verdicts\n"
        "applied set a: - → 2\n"
        "-- after\n"
        "{ \"a\": 1 }\n"
        "-- reply\n"
        "Hello.\n"
        "{\"op\":\"assign\",\"path\":[\"b\"],\"value\":1}\n"
        "-- shown\n"
        "Hi.\n"
        "==\n");
    ASSERT_TRUE(parsed);
    const auto played = play(parsed->turns[0]);
    ASSERT_TRUE(played);
    ASSERT_EQ(played->mismatches.size(), 3U);
    EXPECT_EQ(played->mismatches[0].section, "verdicts");
    EXPECT_EQ(played->mismatches[0].got, "applied set a: - → 1");
    EXPECT_EQ(played->mismatches[1].section, "shown");
    EXPECT_EQ(played->mismatches[2].expected, "");
    EXPECT_EQ(played->mismatches[2].place.line, 9U);
    const auto again = play(played->turn);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->mismatches.empty());
    // How the author laid the document out stays.
    EXPECT_EQ(again->turn.sections[2].text, "{ \"a\": 1 }");
}

TEST(Transcript, ANewTurnGetsItsVerdictsAndTheDocument) {
    const auto parsed = parse("== new\n-- reply\n_.set('a', 1, 2);\n==\n");
    const auto played = play(parsed->turns[0]);
    ASSERT_TRUE(played);
    EXPECT_EQ(played->mismatches.size(), 2U);
    EXPECT_TRUE(played->turn.has("verdicts") && played->turn.has("after"));
    EXPECT_FALSE(played->turn.has("shown"));
    EXPECT_TRUE(play(played->turn)->mismatches.empty());
}

}  // namespace
}  // namespace arbiter::transcript
