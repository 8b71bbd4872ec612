// Goal: the regex scripts of a card replace as SillyTavern does, and no script makes a text grow
// without bound or takes long. tests/turns/card/regex.turn shows them in play.
#include "card/regex_script.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "card/parse.h"

namespace arbiter::card {
namespace {

Card card_with(std::string_view scripts) {
    auto card =
        parse_card(R"({"name":"x","extensions":{"regex_scripts":)" + std::string(scripts) + "}}");
    EXPECT_TRUE(card) << scripts;
    return card ? *std::move(card) : Card();
}

std::string expand(std::string_view text) {
    std::string out(text);
    if (const std::size_t at = out.find("{{user}}"); at != std::string::npos) {
        out.replace(at, 8, "a.b");
    }
    return out;
}

std::string replaced(std::string_view script, std::string_view text,
                     const ReplacedText& what = {Side::kDisplay, Speaker::kCharacter, 0}) {
    return Replacements(card_with("[" + std::string(script) + "]"), expand).apply(text, what);
}

TEST(RegexScript, ReplacesAsSillyTavernDoes) {
    struct Row {
        std::string_view script;
        std::string_view text;
        std::string_view made;
    };
    const Row rows[] = {
        {R"({"findRegex":"/a/g","replaceString":"b","placement":[2]})", "aXa", "bXb"},
        {R"({"findRegex":"/a/","replaceString":"b","placement":[2]})", "aXa", "bXa"},
        {R"({"findRegex":"a+","replaceString":"[{{MATCH}}]","placement":[2]})", "xaay", "x[aa]y"},
        {R"({"findRegex":"/(\\d)(\\d)?/g","replaceString":"<$2|$1|$9>","placement":[2]})", "12 3",
         "<2|1|> <|3|>"},
        {R"({"findRegex":"/(?<n>\\w+)=/g","replaceString":"$<n>:$<m>","placement":[2]})", "hp=5",
         "hp:5"},
        {R"({"findRegex":"/\\*(.+?)\\*/gs","replaceString":"$1","trimStrings":["!"],"placement":[2]})",
         "*a!\nb*!", "a\nb!"},
        {R"({"findRegex":"/{{user}}/g","replaceString":"U","substituteRegex":2,"placement":[2]})",
         "a.b axb", "U axb"},
        {R"({"findRegex":"/{{user}}/g","replaceString":"U","substituteRegex":1,"placement":[2]})",
         "a.b axb", "U U"},
        {R"({"findRegex":"/x/g","replaceString":"{{user}}$$","placement":[2]})", "x", "a.b$$"},
        {R"({"findRegex":"/x/gi","replaceString":"<b class='q'>$0</b><br>y","placement":[2]})", "X",
         "X\ny"},
        {R"({"findRegex":"/x/g","replaceString":"<status>$0</status>","placement":[2]})", "x",
         "<status>x</status>"},
        {R"({"findRegex":"/<bar>.*?<\\/bar>/g","replaceString":"<STYLE>p{}</STYLE>","placement":[2]})",
         "<bar>1</bar>text", "text"},
        {R"({"findRegex":"/^[\\s\\S]*$/","replaceString":"```html\n$0```","placement":[2]})",
         "the story", "the story"},
        {R"({"findRegex":"/a/g","replaceString":"b","placement":[1]})", "a", "a"},
        {R"({"findRegex":"/a/g","replaceString":"b","placement":[2],"promptOnly":true})", "a", "a"},
        {R"({"findRegex":"/a/g","replaceString":"b","placement":[2],"disabled":true})", "a", "a"},
        {R"({"findRegex":"/a/gy","replaceString":"b","placement":[2]})", "a", "a"},
        {R"({"findRegex":"","replaceString":"b","placement":[2]})", "a", "a"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(replaced(row.script, row.text), row.made) << row.script;
    }
}

// Patterns with lookahead around blocks that the reader hides are common in MVU's cards.
TEST(RegexScript, ReportsTheFateOfEachScript) {
    const Card card = card_with(
        R"([{"findRegex":"/<update(?:variable)?>(?:(?!x).*$|.*<\\/update>)/gsi","placement":[2]},
            {"findRegex":"/a(?!b)/","placement":[2]},
            {"findRegex":"/a/g","replaceString":"<p>$0</p>","placement":[2],"promptOnly":true},
            {"findRegex":"/a/g","replaceString":"<p>$0</p>","placement":[2]},
            {"findRegex":"/a/g","placement":[1]},
            {"findRegex":"/a/g","placement":[5]},
            {"findRegex":"/a/g"}])");
    std::string fates;
    for (const ImportNote& note : regex_notes(card)) {
        EXPECT_TRUE(note.reason.is_complete());
        fates += std::string(name(note.fate)) + " ";
    }
    EXPECT_EQ(fates, "changed ignored applied changed applied ignored ignored ");
}

TEST(RegexScript, DepthsAndSides) {
    const std::string_view script =
        R"({"findRegex":"/a/g","replaceString":"b","placement":[1,2],"minDepth":1,"maxDepth":2})";
    for (std::size_t depth = 0; depth < 4; ++depth) {
        for (const Side side : {Side::kDisplay, Side::kPrompt}) {
            for (const Speaker speaker : {Speaker::kUser, Speaker::kCharacter}) {
                EXPECT_EQ(replaced(script, "a", {side, speaker, depth}),
                          depth == 1 || depth == 2 ? "b" : "a");
            }
        }
    }
    // A page is not sent to the model.
    EXPECT_EQ(replaced(R"({"findRegex":"/a/","replaceString":"<script>","placement":[2]})", "ab",
                       {Side::kPrompt, Speaker::kCharacter, 0}),
              "ab");
}

TEST(RegexScript, IsBounded) {
    const std::string many(150'000, 'a');
    EXPECT_LE(
        replaced(R"({"findRegex":"/a/g","replaceString":"$0$0$0$0$0$0$0$0","placement":[2]})", many)
            .size(),
        base::kReplacedBytesMax);
    std::string fold = R"({"findRegex":"/.+/s","replaceString":")";
    for (int i = 0; i < 1000; ++i) {
        fold += "$0";
    }
    EXPECT_EQ(replaced(fold + R"(","placement":[2]})", many), many);
    std::string tags;
    for (int i = 0; i < 10'000; ++i) {
        tags += "<b<!--";
    }
    (void)replaced(R"({"findRegex":"/.+/s","replaceString":"<i>$0</i>","placement":[2]})", tags);
    std::string scripts;
    for (std::size_t i = 0; i <= base::kCardRegexesMax; ++i) {
        scripts += scripts.empty() ? "[" : ",";
        scripts += R"({"findRegex":"/$/","replaceString":"x","placement":[2]})";
    }
    const Card card = card_with(scripts + "]");
    EXPECT_EQ(Replacements(card, expand).apply("", {Side::kDisplay, Speaker::kCharacter, 0}).size(),
              base::kCardRegexesMax);
    const auto notes = regex_notes(card);
    EXPECT_EQ(notes.front().fate, ImportNote::Fate::kApplied);
    EXPECT_EQ(notes.back().fate, ImportNote::Fate::kIgnored);
}

}  // namespace
}  // namespace arbiter::card
