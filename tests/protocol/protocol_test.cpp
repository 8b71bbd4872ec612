// Goal: a file becomes the protocol that it describes, in either vocabulary; what is left out has
// the documented meaning, and what is unknown is kept.
#include "protocol/protocol.h"

#include <gtest/gtest.h>

#include "base/limits.h"
#include "protocol/internal/meanings.h"
#include "tests/protocol/support.h"
#include "value/array.h"
#include "value/json.h"
#include "writer/teach.h"

namespace arbiter::protocol {
namespace {

using reader::TagMeaning;
using tests::mistakes;
using tests::protocol_of;

// The template's shape, in words of our own.
constexpr const char* kTemplate = R"(meta:
  id: "variable_update_v1"
  name: "变量"
  version: "1.0.0"
  author: "System"
  description: "状态"
  type: "augmentation" # or override
injection:
  target: "system_instruction"
  priority: 100
instruction: |
  <rule>
    <format>
      <UpdateVariable>
        _.add('path', value);
      </UpdateVariable>
    </format>
  </rule>
examples:
  - input: "花。"
    output: |
      真漂亮。
      <UpdateVariable>
        <Analysis>- 礼物</Analysis>
        _.add('favorability', 5);
      </UpdateVariable>
parser_hints:
  root_tag: "UpdateVariable"
  behavior: "execute_script"
)";

// Words for the check of narrations: kept with the source, and an unknown category is reported.
TEST(Protocols, WordsOfAnUnknownCategoryAreReported) {
    const Protocol good = protocol_of(
        "meta: {id: river}\ninstruction: x\nlexicon: {die: [crosses the river], hp: [vigour]}\n");
    EXPECT_TRUE(good.remarks.empty());
    EXPECT_NE(value::find_member(&good.written, "lexicon"), nullptr);
    const Protocol slip =
        protocol_of("meta: {id: river}\ninstruction: x\nlexicon: {dye: [crosses the river]}\n");
    ASSERT_EQ(slip.remarks.size(), 1U);
    EXPECT_EQ(slip.remarks[0].path, (value::Path{"lexicon", "dye"}));
    EXPECT_FALSE(mistakes("meta: {id: river}\ninstruction: x\nlexicon: {die: 3}\n").empty());
}

// proves: S4-10, S4-11, S4-13, S4-14, S4-15, S4-16, S4-20
TEST(Protocols, TheTemplateLoads) {
    const Protocol made = protocol_of(kTemplate);
    EXPECT_EQ(made.id, "variable_update_v1");
    EXPECT_EQ(full_name(made), "variable_update_v1@1.0.0");
    EXPECT_EQ(made.name.chinese, "变量");
    EXPECT_EQ(made.author, "System");
    EXPECT_EQ(made.type, Type::kExtension);
    EXPECT_EQ(made.target, Target::kSystemEnd);
    EXPECT_EQ(made.priority, 100);
    EXPECT_TRUE(made.instruction.english.starts_with("<rule>\n  <format>\n"));
    ASSERT_EQ(made.examples.size(), 1U);
    EXPECT_EQ(made.examples[0].input.english, "花。");
    ASSERT_EQ(made.hints.size(), 1U);
    EXPECT_EQ(made.hints[0].tag, "UpdateVariable");
    EXPECT_EQ(made.hints[0].meaning, TagMeaning::kExecute);
    EXPECT_TRUE(made.dialects.has(proposal::Dialect::kMvu));
    EXPECT_TRUE(made.remarks.empty());
    // And so does the file that we bring in its place.
    const auto* ours = tests::shipped().find({"variable_update_v1"});
    ASSERT_NE(ours, nullptr);
    EXPECT_EQ(ours->protocol->priority, 100);
    EXPECT_EQ(ours->protocol->examples.size(), 1U);
    EXPECT_EQ(ours->protocol->hints[0].tag, "UpdateVariable");
    EXPECT_EQ(ours->protocol->hints[0].behavior, "execute_script");
}

// proves: S4-12, A4-11
TEST(Protocols, WhatIsLeftOutHasAMeaning) {
    const Protocol plain = protocol_of("meta: {id: a}\ninstruction: x\n");
    EXPECT_EQ(print(plain.version), "1.0.0");
    EXPECT_EQ(plain.name.english, "a");
    EXPECT_EQ(plain.type, Type::kExtension);
    EXPECT_EQ(plain.target, Target::kSystemEnd);
    EXPECT_EQ(plain.priority, 100);
    EXPECT_EQ(plain.activation.turns, 0);
    EXPECT_EQ(plain.constraints, nullptr);
    EXPECT_EQ(protocol_of("meta: {id: a, type: override}\ninstruction: x\n").priority, 200);
    EXPECT_EQ(mistakes("instruction: x\n"), "1:1 The key meta is missing.\n");
    EXPECT_EQ(mistakes("meta: {name: x}\ninstruction: x\n"), "1:7 The key id is missing.\n");
    EXPECT_EQ(mistakes("meta: {id: a}\n"), "1:1 The key instruction is missing.\n");
}

// proves: A4-2
TEST(Protocols, BothVocabulariesMeanTheSame) {
    const auto type = [](const std::string& meta, const std::string& rest = "") {
        return protocol_of("meta: {id: a, " + meta + "}\ninstruction: x\n" + rest).type;
    };
    EXPECT_EQ(type("type: augmentation"), Type::kExtension);
    EXPECT_EQ(type("type: override"), Type::kMode);
    EXPECT_EQ(type("type: override, replaces: [b]"), Type::kOverride);
    EXPECT_EQ(type("type: override", "replaces: b\n"), Type::kOverride);
    EXPECT_EQ(type("schema_type: core"), Type::kCore);
    EXPECT_EQ(type("schema_type: extension"), Type::kExtension);
    EXPECT_EQ(type("schema_type: mode"), Type::kMode);
    EXPECT_EQ(type("schema_type: override"), Type::kOverride);
    EXPECT_EQ(type("type: augmentation, schema_type: core"), Type::kCore);
    EXPECT_EQ(type("type: override, schema_type: mode"), Type::kMode);
    EXPECT_TRUE(mistakes("meta: {id: a, type: augmentation, schema_type: mode}\ninstruction: x\n")
                    .contains("two names for one thing"));
    const auto target = [](const std::string& injection) {
        return protocol_of("meta: {id: a}\ninstruction: x\ninjection: {" + injection + "}\n")
            .target;
    };
    EXPECT_EQ(target("target: system_instruction"), Target::kSystemEnd);
    EXPECT_EQ(target("position: system_end"), Target::kSystemEnd);
    EXPECT_EQ(target("target: post_history"), Target::kAfterHistory);
    EXPECT_EQ(target("position: after_history"), Target::kAfterHistory);
    EXPECT_EQ(target("position: system_start"), Target::kSystemStart);
    EXPECT_EQ(target("position: before_history"), Target::kBeforeHistory);
    EXPECT_EQ(target("position: floating"), Target::kDepth);
    EXPECT_EQ(target("target: post_history, position: after_history"), Target::kAfterHistory);
    EXPECT_NE(mistakes("meta: {id: a}\ninstruction: x\n"
                       "injection: {target: post_history, position: system_end}\n"),
              "");
    const Protocol needs = protocol_of(
        "meta: {id: a, dependencies: [b, c@^1]}\nrequires: [c@^1, d]\nconflicts_with: e\n"
        "keep: [f]\ninstruction: x\n");
    ASSERT_EQ(needs.dependencies.size(), 3U);
    EXPECT_EQ(print(needs.dependencies[1]), "c@^1");
    EXPECT_EQ(needs.conflicts.size(), 1U);
    EXPECT_EQ(needs.keep.size(), 1U);
}

// proves: S4-19
TEST(Protocols, WhatIsUnknownIsKeptAndIgnored) {
    const Protocol made = protocol_of(
        "meta: {id: a, colour: red}\ninstruction: x\nlore_context: [{k: 1}]\nzzz: {deep: [1, 2]}\n"
        "parser_hints: {root_tag: live, extra: 1}\n");
    EXPECT_TRUE(made.remarks.empty());
    EXPECT_TRUE(value::print_json(made.written).contains(R"("zzz":{"deep":[1,2]})"));
    EXPECT_TRUE(value::print_json(made.written).contains(R"("colour":"red")"));
    // A misspelled key is ignored with a remark.
    const Protocol slip = protocol_of("meta: {id: a}\ninstruction: x\nparser_hint: {a: 1}\n");
    EXPECT_TRUE(slip.hints.empty());
    ASSERT_EQ(slip.remarks.size(), 1U);
    EXPECT_EQ(slip.remarks[0].error.code, base::ErrorCode::kMisspelledKey);
    // Another text has another print.
    EXPECT_NE(slip.fingerprint, made.fingerprint);
    EXPECT_EQ(protocol_of(kTemplate).fingerprint, protocol_of(kTemplate).fingerprint);
}

// proves: D-14, S4-16, S4-45
TEST(Protocols, HintsAndTheirMeanings) {
    const auto hint = [](const std::string& text) {
        return protocol_of("meta: {id: a}\ninstruction: x\nparser_hints: " + text + "\n").hints[0];
    };
    EXPECT_EQ(hint("{root_tag: live, behavior: ignore}").meaning, TagMeaning::kIgnore);
    EXPECT_EQ(hint("{root_tag: live, behavior: display}").meaning, TagMeaning::kDisplay);
    EXPECT_EQ(hint("{root_tag: live, behavior: execute_script}").meaning, TagMeaning::kExecute);
    EXPECT_EQ(hint("{root_tag: live, behavior: display_component}").meaning,
              TagMeaning::kComponent);
    EXPECT_EQ(hint("{root_tag: x, behavior: apply_state_update}").meaning, TagMeaning::kExecute);
    EXPECT_EQ(hint("{root_tag: x, behavior: render_media}").meaning, TagMeaning::kComponent);
    // Without a behavior: its own meaning, or display.
    EXPECT_EQ(hint("{root_tag: variable_update}").meaning, TagMeaning::kExecute);
    EXPECT_EQ(hint("{root_tag: live}").meaning, TagMeaning::kDisplay);
    EXPECT_EQ(hint("[{root_tag: 直播间}]").tag, "直播间");
    // Thinking stays what it is.
    EXPECT_EQ(hint("{root_tag: thought, behavior: keep_internal}").meaning, std::nullopt);
    EXPECT_EQ(hint("{root_tag: think}").meaning, std::nullopt);
    EXPECT_TRUE(mistakes("meta: {id: a}\ninstruction: x\n"
                         "parser_hints: {root_tag: Think, behavior: execute_script}\n")
                    .contains("is thinking and stays so"));
    const Protocol several = protocol_of(
        "meta: {id: a}\ninstruction: x\n"
        "parser_hints: [{root_tag: a, behavior: ignore}, {root_tag: b}]\n");
    EXPECT_EQ(several.hints.size(), 2U);
}

// The table of own meanings is the reader's.
TEST(Protocols, OwnMeaningsAreTheReaders) {
    for (const char* tag :
         {"think",           "thinking",        "thought",      "analysis",        "analyze",
          "variablethink",   "variable_update", "state_update", "updatevariable",  "variableupdate",
          "updatememory",    "jsonpatch",       "json_patch",   "variable_insert", "variable_edit",
          "variable_delete", "tool_call",       "tool_calls",   "filament_output", "live"}) {
        const auto* own = internal::own_meaning(tag);
        const std::string text = std::string("A.\n<") + tag + ">\nwords\n</" + tag + ">\nB.";
        const reader::Reading reading = reader::read(text);
        const bool shown = reading.text.contains("words");
        const bool thought = reading.thinking.contains("words");
        const TagMeaning meaning = own != nullptr ? own->meaning : TagMeaning::kDisplay;
        EXPECT_EQ(thought, meaning == TagMeaning::kThinking) << tag;
        EXPECT_EQ(shown, meaning == TagMeaning::kDisplay) << tag << reading.text;
        if (own != nullptr && own->dialect && meaning == TagMeaning::kExecute) {
            // Read with its dialect alone, and left in the text without.
            reader::Options options;
            options.dialects = {*own->dialect};
            EXPECT_FALSE(reader::read(text, options).text.contains("words")) << tag;
            options.dialects = {};
            EXPECT_TRUE(reader::read(text, options).text.contains("words")) << tag;
        }
    }
}

TEST(Protocols, TextsInBothLanguages) {
    const Protocol both = protocol_of(
        "meta: {id: a, name: {en: E, zh: 中}}\n"
        "instruction: {en: english, zh: 中文}\n"
        "examples: [{input: {zh: 问}, output: {en: o, zh: 答}}]\n");
    EXPECT_EQ(both.name.in(base::Language::kChinese), "中");
    EXPECT_EQ(both.instruction.in(base::Language::kEnglish), "english");
    EXPECT_EQ(both.instruction.in(base::Language::kChinese), "中文");
    EXPECT_EQ(both.examples[0].input.in(base::Language::kEnglish), "问");
}

TEST(Protocols, ALessonIsGenerated) {
    const Protocol lesson = protocol_of("meta: {id: a}\nteach: mvu\n");
    EXPECT_EQ(lesson.instruction.english,
              writer::teach(writer::Form::kMvu, base::Language::kEnglish));
    EXPECT_EQ(lesson.instruction.chinese,
              writer::teach(writer::Form::kMvu, base::Language::kChinese));
    const Protocol both = protocol_of("meta: {id: a}\ninstruction: First.\nteach: json\n");
    EXPECT_TRUE(both.instruction.english.starts_with("First.\n#"));
    EXPECT_TRUE(both.dialects.has(proposal::Dialect::kJson));
    for (const char* wrong : {"direct", "klingon"}) {
        EXPECT_TRUE(mistakes(std::string("meta: {id: a}\nteach: ") + wrong + "\n")
                        .contains("Available: tavern, json, mvu"));
    }
    // Each dialect that is read has a protocol that teaches it.
    for (std::size_t i = 0; i < static_cast<std::size_t>(writer::Form::kCount); ++i) {
        const auto form = static_cast<writer::Form>(i);
        const std::string id = form == writer::Form::kTools
                                   ? "tool_call"
                                   : "dialect_" + std::string(writer::name(form));
        const auto* row = tests::shipped().find({id});
        EXPECT_EQ(row == nullptr, form == writer::Form::kDirect || form == writer::Form::kInternal)
            << id;
        if (row != nullptr) {
            EXPECT_EQ(row->protocol->instruction.chinese,
                      writer::teach(form, base::Language::kChinese));
        }
    }
}

// proves: S4-24, S4-25
TEST(Protocols, ActivationIsRead) {
    const Protocol made = protocol_of(
        "meta: {id: a}\ninstruction: x\nactivation:\n  keywords: [进入, ENTER Live]\n"
        "  end_keywords: [Leave]\n  scope: {turns: 3}\n"
        "  intent_mappings: [{keywords: [打架], schema: fight}]\n");
    ASSERT_EQ(made.activation.keywords.size(), 3U);
    EXPECT_EQ(made.activation.keywords[1].text, "enter live");
    EXPECT_EQ(made.activation.keywords[1].id, "a");
    EXPECT_EQ(made.activation.keywords[2].id, "fight");
    EXPECT_EQ(made.activation.end_keywords[0], "leave");
    EXPECT_EQ(made.activation.turns, 3);
    EXPECT_EQ(protocol_of("meta: {id: a}\ninstruction: x\nactivation: {scope: until_ended}\n")
                  .activation.turns,
              0);
}

// At the borders of what a file may hold.
TEST(Protocols, Limits) {
    const auto keywords = [](std::size_t count) {
        std::string list;
        for (std::size_t i = 0; i < count; ++i) {
            list += (i > 0 ? ", k" : "k") + std::to_string(i);
        }
        return mistakes("meta: {id: a}\ninstruction: x\nactivation: {keywords: [" + list + "]}\n");
    };
    EXPECT_EQ(keywords(base::kProtocolListMax - 1), "");
    EXPECT_EQ(keywords(base::kProtocolListMax), "");
    EXPECT_NE(keywords(base::kProtocolListMax + 1), "");
    const auto turns = [](std::int64_t count) {
        return mistakes(
            "meta: {id: a}\ninstruction: x\nactivation: {turns: " + std::to_string(count) + "}\n");
    };
    EXPECT_EQ(turns(base::kProtocolTurnsMax - 1), "");
    EXPECT_EQ(turns(base::kProtocolTurnsMax), "");
    EXPECT_NE(turns(base::kProtocolTurnsMax + 1), "");
}

// An example that cannot be read would teach the mistake.
TEST(Protocols, BrokenExamplesAreRemarkedOn) {
    const Protocol made = protocol_of(
        "meta: {id: a}\ninstruction: x\nexamples:\n"
        "  - {input: a, output: \"<UpdateVariable>\\n_.fly('a', 1);\\n"
        "</UpdateVariable>\"}\n"
        "  - {input: a, output: \"<variable_update>[[SET, a, 1]]\"}\n");
    ASSERT_EQ(made.remarks.size(), 2U);
    EXPECT_EQ(made.remarks[0].error.code, base::ErrorCode::kProtocolExample);
    EXPECT_EQ(made.remarks[0].error.arguments[0], "1");
    EXPECT_EQ(made.remarks[1].error.arguments[1], "unclosed");
}

}  // namespace
}  // namespace arbiter::protocol
