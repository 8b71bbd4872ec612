// Goal: every kind of mistake in a config object gives one diagnostic with its path, and the rest
// of the object is still read. Method: objects as JSON; diagnostics as "path: message".
#include "value/fields.h"

#include <gtest/gtest.h>

#include "base/messages.h"
#include "value/json.h"

namespace arbiter::value {
namespace {

Value json(std::string_view text) {
    const auto parsed = parse_json(text);
    EXPECT_TRUE(parsed.has_value()) << text;
    return *parsed;
}

std::string told(const Diagnostics& diagnostics) {
    std::string all;
    for (const Diagnostic& each : diagnostics) {
        all += print_path(each.path, PathSyntax::kDotted) + (each.at_key ? " key: " : ": ") +
               base::explain(each.error, base::Language::kEnglish) + "\n";
    }
    return all;
}

// The diagnostics of `read` for an object.
template <typename Read>
std::string wrong_in(std::string_view text, Read read, FieldsOptions options = {}) {
    Diagnostics diagnostics;
    const Value value = json(text);
    Fields fields(value, {}, diagnostics, options);
    read(fields);
    fields.finish();
    return told(diagnostics);
}

TEST(Fields, ReadsMembersOfEveryKind) {
    const auto good = wrong_in(
        R"({"t":"x","n":12,"f":true,"w":-3,"c":7,"b":{"en":"E","zh":"中"},"s":"one","p":"a.b",
            "any":"/a/b","pat":"a.$x","l":[1,2],"one":5,"ts":["u","v"],"empty":null,
            "in":{"x":"y"},"old":1})",
        [](Fields& fields) {
            EXPECT_EQ(fields.text("t"), "x");
            EXPECT_EQ(fields.text_or_number("n"), "12");
            EXPECT_EQ(fields.flag("f"), true);
            EXPECT_EQ(fields.whole("w", -3, 0), -3);
            EXPECT_EQ(fields.count("c", 7), 7U);
            EXPECT_EQ(fields.bilingual("b"), (base::Text{"E", "中"}));
            EXPECT_EQ(fields.bilingual("t"), (base::Text{"x", "x"}));
            constexpr Choice<int> kChoices[] = {{"none", 0}, {"one", 1}};
            EXPECT_EQ(fields.one_of("s", kChoices), 1);
            EXPECT_EQ(fields.path("p"), (Path{"a", "b"}));
            EXPECT_EQ(fields.any_path("any"), (Path{"a", "b"}));
            EXPECT_EQ(print_pattern(fields.pattern("pat").value()), "a.$x");
            EXPECT_EQ(fields.list("l").size(), 2U);
            EXPECT_EQ(fields.list("one").at(0).value, Value(5));
            EXPECT_TRUE(fields.list("empty").empty());
            EXPECT_EQ(fields.texts("ts").at(1).path, (Path{"ts", 1}));
            auto inner = fields.object("in");
            ASSERT_TRUE(inner);
            EXPECT_EQ(inner->text("x"), "y");
            EXPECT_EQ(fields.take_any({"new", "old"}).key, "old");
            EXPECT_EQ(fields.text("absent"), std::nullopt);
            EXPECT_EQ(fields.take("c", Kind::kInt)->as_int(), 7);
        });
    EXPECT_EQ(good, "");
}

TEST(Fields, EveryMistakeHasItsPath) {
    const auto all = [](Fields& fields) {
        EXPECT_FALSE(fields.text("text"));
        EXPECT_FALSE(fields.flag("flag"));
        EXPECT_FALSE(fields.whole("whole", 0, 9));
        EXPECT_FALSE(fields.whole("open", 1, std::numeric_limits<std::int64_t>::max()));
        EXPECT_FALSE(fields.bilingual("both"));
        constexpr std::string_view kWords[] = {"a", "b"};
        EXPECT_FALSE(fields.word("word", kWords));
        EXPECT_FALSE(fields.path("path"));
        EXPECT_FALSE(fields.pattern("pattern"));
        EXPECT_TRUE(fields.texts("texts").empty());
        EXPECT_EQ(fields.take("kind", Kind::kObject), nullptr);
        EXPECT_FALSE(fields.text("needed", Presence::kRequired));
    };
    EXPECT_EQ(wrong_in(R"({"text":[1],"flag":"yes","whole":10,"open":0,"both":{"fr":"x"},
                           "word":"c","path":"a.*","pattern":"","texts":[3],"kind":[]})",
                       all),
              "text: text takes text, not […].\n"
              "flag: flag takes true | false, not \"yes\".\n"
              "whole: whole takes 0 – 9, not 10.\n"
              "open: open takes 1, 2, …, not 0.\n"
              "both.fr key: There is no key fr here. Available: en, zh.\n"
              "both: both takes text, {en: …, zh: …}, not {…}.\n"
              "word: word takes a | b, not \"c\".\n"
              "path: path takes a.b.c, not \"a.*\".\n"
              "pattern: pattern takes a.b.$c, not \"\".\n"
              "texts[0]: texts takes text, not 3.\n"
              "kind: kind takes object, not [].\n"
              ": The key needed is missing.\n");
    EXPECT_EQ(wrong_in("3", [](Fields&) {}), ": $ takes key: value, not 3.\n");
    EXPECT_EQ(wrong_in("[1,2]", [](Fields& fields) { EXPECT_FALSE(fields.object("a")); },
                       {.takes = "{id, …}", .name = "campaign"}),
              ": campaign takes {id, …}, not […].\n");
    // A long value is shown in part, and never in the middle of a character.
    const std::string long_text = R"({"n":")" + std::string(57, 'x') + R"(中中中"})";
    EXPECT_EQ(wrong_in(long_text, [](Fields& fields) { fields.count("n"); }),
              "n: n takes 0 – 1000000, not \"" + std::string(57, 'x') + "….\n");
}

TEST(Fields, UnknownKeys) {
    const auto read = [](Fields& fields) {
        fields.text("name");
        fields.text("name");
        fields.ignore({"about"});
    };
    EXPECT_EQ(wrong_in(R"({"nam":"x","colour":"y","about":1})", read),
              "nam key: There is no key nam here. Did you mean name?\n"
              "colour key: There is no key colour here. Available: name, about.\n");
    EXPECT_EQ(wrong_in(R"({"nam":1})", read, {.unknown_keys = UnknownKeys::kIgnore}), "");
    Diagnostics remarks;
    const FieldsOptions lenient = {.unknown_keys = UnknownKeys::kRemark, .remarks = &remarks};
    EXPECT_EQ(wrong_in(R"({"nam":1,"colour":2})", read, lenient), "");
    EXPECT_EQ(told(remarks), "nam key: There is no key nam here. Did you mean name?\n");
    remarks.clear();
    // A key that is there under its right name too is not a slip.
    EXPECT_EQ(wrong_in(R"({"nam":1,"name":"x"})", read, lenient), "");
    EXPECT_EQ(told(remarks), "");
}

TEST(Fields, NullCanCountAsAbsent) {
    const auto read = [](Fields& fields) { fields.text("a", Presence::kRequired); };
    EXPECT_EQ(wrong_in(R"({"a":null})", read), "a: a takes text, not null.\n");
    EXPECT_EQ(wrong_in(R"({"a":null})", read, {.null_is_absent = true}),
              ": The key a is missing.\n");
}

TEST(Fields, ListsHaveALimit) {
    EXPECT_EQ(
        wrong_in(R"({"l":[1,2,3]})", [](Fields& fields) { fields.list("l"); }, {.list_max = 2}),
        "l: l takes 0 – 2 […], not […].\n");
}

}  // namespace
}  // namespace arbiter::value
