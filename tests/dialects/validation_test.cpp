// Goal: an instruction that cannot be used is refused with all of its errors, in the words of the
// format's specification, and with an example of what can be read.
// Method: replies with one mistake or several, read as a whole; the English text of each problem.
#include <gtest/gtest.h>

#include "proposal/advice.h"
#include "proposal/describe.h"
#include "reader/reader.h"

namespace arbiter {
namespace {

using base::Language;
using proposal::Proposal;

std::vector<Proposal> read_json(std::string_view instructions) {
    reader::Options options;
    options.dialects = reader::Dialects{proposal::Dialect::kJson};
    return reader::read("```json\n" + std::string(instructions) + "\n```", options).proposals;
}

// The English texts of all problems, one a line.
std::string errors(std::string_view instruction) {
    std::string out;
    for (const Proposal& proposal : read_json(instruction)) {
        for (const proposal::Problem& problem : proposal.problems) {
            out += explain(proposal, problem, Language::kEnglish) + "\n";
        }
    }
    return out;
}

bool mentions(const std::string& text, std::initializer_list<std::string_view> parts) {
    return std::ranges::all_of(parts, [&](std::string_view part) { return text.contains(part); });
}

// proves: S3-29, S3-30, S3-31, S3-32
TEST(Validation, EachErrorHasTheWordsOfTheSpecification) {
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":["a"]})"), {"Invalid operation type: fly"}));
    for (const std::string_view path : {R"("a.b")", "[]", "[true]", "{}"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":"get","path":)" + std::string(path) + "}"),
                             {"Invalid path: must be non-empty array", path}))
            << path;
    }
    for (const std::string_view op : {"assign", "merge", "push", "splice", "callback"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":")" + std::string(op) + R"(","path":["a"]})"),
                             {"Missing required field: value", op}))
            << op;
    }
    for (const std::string_view name : {"__proto__", "constructor", "prototype"}) {
        EXPECT_TRUE(mentions(errors(R"({"op":"get","path":["a",")" + std::string(name) + "\"]}"),
                             {"Security risk detected in instruction", name}))
            << name;
    }
}

// proves: S3-33
TEST(Validation, AllErrorsOfAnInstructionAreCollected) {
    EXPECT_TRUE(mentions(errors(R"({"op":"assign","path":"a.b"})"),
                         {"Invalid path", "Missing required field: value"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"splice","path":[]})"),
                         {"Invalid path", "Missing required field: value"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":7})"),
                         {"Invalid operation type: fly", "Invalid path"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"fly","path":["__proto__"]})"),
                         {"Invalid operation type: fly", "Security risk"}));
    EXPECT_TRUE(mentions(errors(R"({"op":"push","path":["constructor"]})"),
                         {"Security risk", "Missing required field: value"}));
    EXPECT_EQ(errors(R"({"op":"assign","path":["a"],"value":1})"), "");
}

// proves: S3-53, S3-59
TEST(Validation, AParseErrorComesWithAnExampleThatCanBeRead) {
    const auto broken = read_json(R"({"op":"assign","path":["a"],"value": ::: @@@})");
    ASSERT_EQ(broken.size(), 1U);
    EXPECT_TRUE(explain(broken[0], broken[0].problems.at(0), Language::kEnglish)
                    .starts_with("Failed to parse JSON instructions: "));
    EXPECT_EQ(proposal::parse_failure(proposal::Dialect::kJson).chinese, "JSON格式错误");
    EXPECT_EQ(proposal::suggestion(proposal::Dialect::kJson).chinese,
              "请使用正确的JSON格式，例如：\n"
              R"({"op":"assign","path":["player","hp"],"value":80})");
    for (std::size_t i = 0; i < static_cast<std::size_t>(proposal::Dialect::kCount); ++i) {
        const auto dialect = static_cast<proposal::Dialect>(i);
        std::string example = proposal::suggestion(dialect).english;
        example.erase(0, example.find('\n') + 1);
        const auto block = dialect == proposal::Dialect::kFilament
                               ? "<variable_update>[" + example + "]</variable_update>"
                               : example;
        const reader::Reading reading = reader::read(block);
        ASSERT_EQ(reading.proposals.size(), 1U) << block;
        EXPECT_EQ(reading.proposals[0].dialect, dialect) << block;
        EXPECT_TRUE(reading.proposals[0].problems.empty()) << block;
    }
}

}  // namespace
}  // namespace arbiter
