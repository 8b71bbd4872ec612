// Goal: the command line is read as written, help and completion are made from the same table, and
// every message exists in both languages.
#include "cli/commands.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/lines.h"
#include "tests/support/cli.h"

namespace arbiter::cli {
namespace {

using tests::Ran;
using tests::ran;

TEST(Cli, HelpNamesEveryCommandInBothLanguages) {
    for (const base::Language language : {base::Language::kEnglish, base::Language::kChinese}) {
        const Ran help = ran({"--help"}, "", language);
        EXPECT_EQ(help.code, 0);
        for (const Command& command : commands()) {
            EXPECT_TRUE(help.out.contains(command.name)) << command.name;
            EXPECT_TRUE(help.out.contains(command.summary.in(language))) << command.name;
            const Ran own = ran({std::string(command.name), "--help"}, "", language);
            EXPECT_EQ(own.code, 0);
            EXPECT_TRUE(own.out.contains(command.details.in(language)));
            for (const Option& option : command.options) {
                EXPECT_TRUE(own.out.contains(option.name)) << option.name;
                EXPECT_NE(option.help.english, option.help.chinese);
            }
            EXPECT_EQ(ran({"help", std::string(command.name)}, "", language).out, own.out);
        }
    }
}

TEST(Cli, CompletionKnowsEveryCommandAndOption) {
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        const Ran script = ran({"completion", shell});
        EXPECT_EQ(script.code, 0);
        for (const Command& command : commands()) {
            EXPECT_TRUE(script.out.contains(command.name)) << shell << ' ' << command.name;
            for (const Option& option : command.options) {
                EXPECT_TRUE(script.out.contains(option.name.substr(2))) << shell << option.name;
            }
        }
    }
    EXPECT_EQ(ran({"completion", "tcsh"}).code, 2);
}

TEST(Cli, WrongCallsAreExplained) {
    const Ran unknown = ran({"jsn"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_TRUE(unknown.err.contains("Did you mean json?")) << unknown.err;
    const Ran option = ran({"json", "--prety"});
    EXPECT_EQ(option.code, 2);
    EXPECT_TRUE(option.err.contains("--pretty")) << option.err;
    EXPECT_EQ(ran({"get"}).code, 2);
    EXPECT_TRUE(ran({"get", "x.json"}).err.contains("PATH is missing."));
    EXPECT_TRUE(ran({"get", "x.json"}, "", base::Language::kChinese).err.contains("缺少 PATH"));
    EXPECT_EQ(ran({"json", "a", "b"}).code, 2);
    EXPECT_EQ(ran({"json", "--lang"}).code, 2);
    EXPECT_EQ(ran({"json", "--lang", "fr"}).code, 2);
    EXPECT_TRUE(ran({"json", "--lang", "fr"}, "1").err.contains("fr is not a value of --lang"));
    EXPECT_TRUE(ran({"json", "--pretty=yes"}, "1").err.contains("takes no value"));
    EXPECT_EQ(ran({"--lang", "fr", "json"}, "1").code, 2);
    EXPECT_EQ(ran({"--lang"}).code, 2);
    EXPECT_EQ(ran({"--lang=zh", "--color", "always", "json"}, "1").code, 0);
    EXPECT_EQ(ran({"help", "--lang", "zh"}).code, 0);
    EXPECT_TRUE(ran({"--hlep"}).err.contains("--help"));
    EXPECT_EQ(ran({"diff", "-", "-"}, "1").code, 2);
    EXPECT_EQ(ran({"--nonsense"}).code, 2);
    EXPECT_EQ(ran({"--version"}).out, "arbiter " ARBITER_VERSION "\n");
}

TEST(Cli, JsonChecksAndPrints) {
    EXPECT_EQ(ran({"json"}, R"({"b":1,"a":[1.0,2]})").out, "{\"a\":[1,2],\"b\":1}\n");
    EXPECT_EQ(ran({"json", "--compact", "-"}, R"({"b":1, "a":2})").out, "{\"b\":1,\"a\":2}\n");
    EXPECT_EQ(ran({"json", "--pretty"}, "[1]").out, "[\n  1\n]\n");
    EXPECT_EQ(ran({"json", "--check"}, "[1]").out, "");
    const Ran broken = ran({"json"}, "{\n  \"气血\": 090\n}");
    EXPECT_EQ(broken.code, 1);
    EXPECT_EQ(broken.out, "");
    EXPECT_TRUE(broken.err.starts_with("<stdin>:2:9: error: 090 is not a JSON number."))
        << broken.err;
    EXPECT_TRUE(broken.err.contains("  2 |   \"气血\": 090\n    |           ^\n")) << broken.err;
    const Ran notice = ran({"json"}, R"({"a":1,"a":99999999999999999999})");
    EXPECT_EQ(notice.code, 0);
    EXPECT_TRUE(notice.err.contains("one key twice"));
    EXPECT_TRUE(notice.err.contains("<stdin>:1:12: warning: a whole number beyond 64 bits"));
    EXPECT_EQ(ran({"json", "no/such/file.json"}).code, 2);
    EXPECT_EQ(ran({"json", "."}).code, 2);
    EXPECT_EQ(ran({"json"}, "").code, 1);
}

TEST(Cli, LinesAreCompared) {
    using Lines = std::vector<Line>;
    EXPECT_EQ(compare_lines("", ""), Lines());
    EXPECT_EQ(compare_lines("a\nb\nc", "a\nx\nc"),
              (Lines{{' ', "a"}, {'-', "b"}, {'+', "x"}, {' ', "c"}}));
    EXPECT_EQ(compare_lines("a", ""), (Lines{{'-', "a"}}));
    EXPECT_EQ(compare_lines("", "a\nb"), (Lines{{'+', "a"}, {'+', "b"}}));
    // Too many to align: all of one, then all of the other.
    const std::string many(2000, '\n');
    EXPECT_EQ(compare_lines(many, many + "a").size(), 4001U);
}

TEST(Cli, CalendarUnderstandsAndCounts) {
    EXPECT_EQ(ran({"calendar", "开阳历 230 年 3 月 初六", "--plus", "30"}).out,
              "开阳历 230 年 4 月 初六\n");
    EXPECT_EQ(ran({"calendar", "10月15日", "--plus", "-15"}).out, "09月30日\n");
    EXPECT_EQ(ran({"calendar", "12月30日", "--until", "01月02日"}).out, "3\n");
    EXPECT_EQ(ran({"calendar", "10月15日", "--calendar", "era-12x30", "--plus", "16"}).out,
              "11月01日\n");
    const Ran told = ran({"calendar", "三月初六 日出"}, "", base::Language::kChinese);
    EXPECT_TRUE(told.out.contains("era-12x30 — 纪元历")) << told.out;
    EXPECT_TRUE(told.out.contains("06:00（约）")) << told.out;
    EXPECT_EQ(ran({"calendar", "明天"}).code, 1);
    EXPECT_EQ(ran({"calendar", "10月15日", "--until", "后天"}).code, 1);
    EXPECT_EQ(ran({"calendar", "10月15日", "--until", "三月初五"}).code, 1);
    EXPECT_EQ(ran({"calendar", "公元1年1月1日", "--plus", "-1"}).code, 1);
    EXPECT_EQ(ran({"calendar", "10月15日", "--plus", "x"}).code, 2);
    EXPECT_EQ(ran({"calendar", "10月15日", "--calendar", "x"}).code, 2);
}

TEST(Cli, GetFindsAndSuggests) {
    const std::string save = R"({"角色":{"属性":{"声望":5,"气血":[1,"text"]}}})";
    EXPECT_EQ(ran({"get", "-", "角色.属性.声望"}, save).out, "5\n");
    EXPECT_EQ(ran({"get", "-", "/角色/属性/气血/1"}, save).out, "\"text\"\n");
    EXPECT_EQ(ran({"get", "-", "角色.属性.气血[1]", "--raw"}, save).out, "text\n");
    EXPECT_EQ(ran({"get", "-", ""}, save).out, save + "\n");
    const Ran missing = ran({"get", "-", "角色.属性.声誉"}, save);
    EXPECT_EQ(missing.code, 1);
    EXPECT_TRUE(missing.err.contains("There is nothing at 角色.属性.声誉.")) << missing.err;
    EXPECT_TRUE(missing.err.contains("Did you mean 角色.属性.声望?")) << missing.err;
    EXPECT_TRUE(ran({"get", "-", "角色.属性.气血[7]"}, save).err.contains("has 2 elements"));
    EXPECT_TRUE(ran({"get", "-", "角色.属性.声望.x"}, save).err.contains("声望 is a number"));
    EXPECT_TRUE(ran({"get", "-", "a"}, "5", base::Language::kChinese).err.contains("文档 是数字"));
    EXPECT_EQ(ran({"get", "-", "a..b"}, save).code, 2);
    EXPECT_EQ(ran({"get", "-", "a"}, "{").code, 2);
}

TEST(Cli, ColoursAndLanguageAreChosenByOption) {
    EXPECT_TRUE(ran({"--color=always", "json"}, "x").err.contains("\x1b[31m"));
    EXPECT_FALSE(ran({"json"}, "x").err.contains("\x1b["));
    EXPECT_TRUE(ran({"json", "--lang", "zh"}, "x").err.contains("错误"));
    EXPECT_TRUE(ran({"--lang", "zh", "--help"}).out.contains("命令"));
}

TEST(Cli, TourTellsTheTruth) {
    for (const base::Language language : {base::Language::kEnglish, base::Language::kChinese}) {
        const Ran tour = ran({"tour"}, "", language);
        EXPECT_EQ(tour.code, 0);
        EXPECT_TRUE(tour.out.contains("~ 角色.气血.当前: 100 → 82")) << tour.out;
        EXPECT_TRUE(tour.out.contains("save.json:2:9"));
    }
}

}  // namespace
}  // namespace arbiter::cli
