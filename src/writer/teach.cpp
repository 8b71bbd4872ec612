#include "writer/teach.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/text.h"
#include "proposal/operations.h"
#include "text/ascii.h"
#include "writer/internal/samples.h"

namespace arbiter::writer {
namespace {

using base::Language;
using base::TextView;
using internal::Lesson;
using proposal::Instruction;
using proposal::Op;
using proposal::OptionRow;
using proposal::Proposal;

constexpr TextView kPurpose = {
    "# State commands\n"
    "Whenever the story changes something in the state, end your reply with commands in this "
    "block; "
    "they run in order:\n",
    "# 状态指令\n凡剧情改变了状态，就在回复末尾用下面的块写出指令，按顺序执行：\n"};
constexpr TextView kWords = {"\nCommands, with an example each:\n", "\n可用指令及示例：\n"};
constexpr TextView kOptions = {"\nOptional `options` of a command:\n",
                               "\n指令可带的 `options`：\n"};
constexpr TextView kHints = {"\nNotes:\n", "\n要点：\n"};
constexpr TextView kWarning = {
    "- Names in these examples (people, items, places, skills) show structure only and must not be "
    "reused; make up names that fit the story. A placeholder in <…> must be replaced.\n",
    "- "
    "示例中的名称（人物、物品、地点、功法等）仅表示结构，严禁直接使用，必须自拟符合剧情的名称；<…> "
    "形式的占位符必须替换为合适的内容。\n"};

// Notes about each form, in the order of the enum.
constexpr std::array<TextView, static_cast<std::size_t>(Form::kCount)> kNotes = {{
    {"- Keep the ```json fence; one command or several in one array.\n"
     "- Or write the whole reply as one object, the story in text: {\"text\":\"…\","
     "\"tavern_commands\":[…]}\n"
     "- key is a dotted path and begins with character.saveData.\n"
     "- value may be any JSON type. Give a reason in options.\n",
     "- 保留 ```json 代码块；可写一条，也可在一个数组里写多条。\n"
     "- 也可以把整个回复写成一个对象，正文放在 text 里：{\"text\":\"…\",\"tavern_commands\":[…]}\n"
     "- key 是点状路径，必须以 character.saveData. 开头。\n"
     "- value 可以是任意 JSON 类型。请在 options 里写 reason 说明原因。\n"},
    {"- Keep the ```json fence; one command or several in one array.\n"
     "- path is an array of strings.\n"
     "- value may be any JSON type; old (optional) is what you believe is there now.\n"
     "- Give a reason.\n",
     "- 保留 ```json 代码块；可写一条，也可在一个数组里写多条。\n"
     "- path 必须是字符串数组。\n"
     "- value 支持所有 JSON 类型；old（可选）是你认为的当前值。\n"
     "- 请写 reason 说明原因。\n"},
    {"- Keep the tags; one command a line, each ending in );\n"
     "- The path is a dotted text in quotes; a name with a dot is written a[\"b.c\"].\n"
     "- A value may be any JSON type; texts stand in quotes.\n"
     "- Give a reason after //.\n",
     "- 保留标签；每行一条，以 ); 结尾。\n"
     "- 路径是引号里的点状路径；含点的名字写成 a[\"b.c\"]。\n"
     "- 值可以是任意 JSON 类型，文字要加引号。\n"
     "- 在 // 后写原因。\n"},
    {"- Keep the tags; the content is one JSON array, also for a single command.\n"
     "- path and from are JSON Pointers: /a/b; inside a name ~ is ~0 and / is ~1; /- is the end of "
     "a "
     "list.\n"
     "- value may be any JSON type. Give a reason.\n",
     "- 保留标签；内容是一个 JSON 数组，只有一条也要写成数组。\n"
     "- path 与 from 是 JSON Pointer：/a/b；名字里的 ~ 写成 ~0，/ 写成 ~1；/- 表示列表末尾。\n"
     "- value 可以是任意 JSON 类型。请写 reason 说明原因。\n"},
    {"- Keep the tags; one command a line, each ending in );\n"
     "- Paths are dotted texts in quotes and relative: those of set_attribute begin below "
     "play_character_data, those of set_status below stat_data, those of memory and delete below "
     "assa_data. Do not write these three names.\n"
     "- A description beside a value, after # or as [value, \"description\"], is not part of it: "
     "write the value alone.\n"
     "- An object is written as JSON in quotes.\n"
     "- \"_is_protected\": true inside an entry keeps it from being deleted.\n"
     "- Give a reason after //.\n",
     "- 保留标签；每行一条，以 ); 结尾。\n"
     "- 路径是引号里的点状路径，而且是相对路径：set_attribute 从 play_character_data 之下写起，"
     "set_status 从 stat_data 之下写起，memory 与 delete 从 assa_data "
     "之下写起，不要写出这三个名字。\n"
     "- 状态里 # 之后的说明、[值, \"描述\"] 中的描述都不是值的一部分，只写值。\n"
     "- 对象写成引号里的 JSON。\n"
     "- 条目里加上 \"_is_protected\": true，就不会被删除。\n"
     "- 在 // 后写原因。\n"},
    {"- Keep the tags; inside is one list of commands.\n"
     "- The path is a dotted text. A value may be any JSON type.\n"
     "- Give the reasons in <analysis>, before the list.\n",
     "- 保留标签；内容是一个指令列表。\n"
     "- 路径是点状路径。值可以是任意 JSON 类型。\n"
     "- 在列表之前的 <analysis> 里写原因。\n"},
    {"- Keep the tags; inside is one JSON object with the list ops.\n"
     "- path and from are JSON Pointers: /a/b; inside a name ~ is ~0 and / is ~1; /- is the end of "
     "a "
     "list.\n"
     "- value may be any JSON type. Give a reason.\n",
     "- 保留标签；内容是一个 JSON 对象，指令在列表 ops 里。\n"
     "- path 与 from 是 JSON Pointer：/a/b；名字里的 ~ 写成 ~0，/ 写成 ~1；/- 表示列表末尾。\n"
     "- value 可以是任意 JSON 类型。请写 reason 说明原因。\n"},
    {"", ""},
    {"", ""},
    {"- Keep the ```json fence; one or several calls in the array.\n"
     "- Every call has an id of its own, the name of a tool that you were given, and its args. "
     "Give a "
     "reason.\n"
     "- You propose; the result is decided elsewhere. Do not narrate it before it is known.\n",
     "- 保留 ```json 代码块；数组里可写一次或多次调用。\n"
     "- 每次调用都有自己的 id、给定的工具名 tool 和参数 args。请写 reason 说明原因。\n"
     "- 你只是提议，结果另行裁定；结果出来之前不要写进剧情。\n"},
}};

// The target of each memory word, which the table of operations does not have.
struct MemoryWord {
    std::string_view word;
    TextView text;
};
constexpr auto kMemoryWords = std::to_array<MemoryWord>({
    {"set_attribute",
     {"a field of the character sheet (play_character_data) that exists",
      "修改角色面板（play_character_data）中已有的字段"}},
    {"set_status",
     {"a field of the present moment (stat_data) that exists",
      "修改实时状态（stat_data）中已有的字段"}},
    {"memory", {"lasting assets of the world (assa_data)", "世界资产（assa_data）"}},
    {"delete", {"lasting assets of the world (assa_data)", "世界资产（assa_data）"}},
});

Proposal proposal_of(const Lesson& lesson, const Instruction& instruction) {
    Proposal proposal;
    proposal.dialect = lesson.dialect;
    proposal.verb = lesson.word;
    proposal.what = instruction;
    return proposal;
}

// Every sample is valid in its form; a test prints them all.
std::string example(const Lesson& lesson, const Instruction& instruction, Form form) {
    auto text = write_one(proposal_of(lesson, instruction), form);
    CHECK(text.has_value());
    return *std::move(text);
}

std::string_view meaning(const Instruction& instruction, Form form, Language language) {
    const proposal::Operation& row = proposal::operation(instruction.op);
    constexpr TextView kArithmetic[] = {{"add to a number", "给数字做加法"},
                                        {"subtract from a number", "给数字做减法"},
                                        {"multiply a number", "给数字做乘法"},
                                        {"divide a number", "给数字做除法"}};
    constexpr TextView kAll = {"remove all members", "清空全部成员"};
    if (instruction.op == Op::kIncrement) {
        return kArithmetic[static_cast<std::size_t>(instruction.arithmetic)].in(language);
    }
    constexpr TextView kSplice = {"replace elements of a list: from where, how many, the new ones",
                                  "替换列表中的一段：起点、删除个数、新元素"};
    if (form == Form::kFilament2 && instruction.op == Op::kSplice) {
        return kSplice.in(language);
    }
    if (instruction.all) {
        return kAll.in(language);
    }
    return TextView{row.english, row.chinese}.in(language);
}

// A line for a word, followed by its examples.
void append_lesson(std::string& out, const Lesson& lesson, Form form, Language language) {
    const auto memory = std::ranges::find(kMemoryWords, lesson.word, &MemoryWord::word);
    const bool many = form == Form::kMemory && memory != kMemoryWords.end();
    out += "- ";
    out += lesson.word;
    out += language == Language::kChinese ? "：" : ": ";
    out += many ? memory->text.in(language) : meaning(lesson.examples[0], form, language);
    out += '\n';
    for (const Instruction& sample : lesson.examples) {
        out += "  " + example(lesson, sample, form);
        if (lesson.examples.size() > 1) {
            out += language == Language::kChinese ? " ← " : " <- ";
            out += meaning(sample, form, language);
        }
        out += '\n';
    }
}

// Whether `text` contains `word` as a whole word.
bool mentions(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !text::is_letter(text[at - 1])) &&
            (end == text.size() || !text::is_letter(text[end]))) {
            return true;
        }
    }
    return false;
}

// The options of tavern_commands, without those of omitted operations.
void append_options(std::string& out, Language language, std::span<const Op> leave_out) {
    const auto is_for_left_out = [&](const OptionRow& row) {
        return std::ranges::any_of(leave_out, [&](Op op) {
            return mentions(row.english, proposal::name(op)) ||
                   mentions(row.chinese, proposal::name(op));
        });
    };
    out += kOptions.in(language);
    for (const OptionRow& row : proposal::options()) {
        if (!row.taught || is_for_left_out(row)) {
            continue;
        }
        out += "- \"";
        out += row.name;
        out += "\":";
        out += row.form_in(language);
        out += language == Language::kChinese ? "：" : ": ";
        out += TextView{row.english, row.chinese}.in(language);
        out += '\n';
    }
}

// Commands that use several options or belong together, without those of omitted operations.
void append_patterns(std::string& out, Language language, std::span<const Op> leave_out) {
    for (const internal::Pattern& pattern : internal::tavern_patterns(language)) {
        const bool kept = std::ranges::none_of(pattern.commands, [&](const Instruction& each) {
            return std::ranges::find(leave_out, each.op) != leave_out.end();
        });
        if (!kept) {
            continue;
        }
        out += '\n';
        out += pattern.purpose.in(language);
        out += language == Language::kChinese ? "：\n" : ":\n";
        for (const Instruction& command : pattern.commands) {
            Proposal proposal;
            proposal.what = command;
            auto text = write_one(proposal, Form::kTavern);
            CHECK(text.has_value());
            out += "  " + *text + '\n';
        }
    }
}

// Puts samples in the place of the invented examples of their words.
void take_samples(Lesson& lesson, Form form, std::span<const Sample> samples) {
    std::vector<Instruction> own;
    for (const Sample& sample : samples) {
        if (sample.word == lesson.word &&
            write_one(proposal_of(lesson, sample.instruction), form).has_value()) {
            own.push_back(sample.instruction);
        }
    }
    if (!own.empty()) {
        lesson.examples = std::move(own);
    }
}

std::vector<Lesson> kept_lessons(Form form, Language language, std::span<const Op> leave_out,
                                 std::span<const Sample> samples) {
    std::vector<Lesson> kept;
    for (Lesson& lesson : internal::lessons(form, language)) {
        take_samples(lesson, form, samples);
        std::erase_if(lesson.examples, [&](const Instruction& sample) {
            return std::ranges::find(leave_out, sample.op) != leave_out.end();
        });
        if (!lesson.examples.empty()) {
            kept.push_back(std::move(lesson));
        }
    }
    return kept;
}

}  // namespace

bool is_taught(Form form) noexcept {
    return form != Form::kDirect && form != Form::kInternal && form != Form::kCount;
}

std::string teach(Form form, Language language, std::span<const Op> leave_out,
                  std::span<const Sample> samples) {
    if (!is_taught(form)) {
        return "";
    }
    const std::vector<Lesson> taught = kept_lessons(form, language, leave_out, samples);
    std::vector<Proposal> batch;
    if (form == Form::kTools) {
        batch.emplace_back().what = internal::sample_call(language);
    }
    for (std::size_t i = 0; i < taught.size() && i < 2; ++i) {
        batch.push_back(proposal_of(taught[i], taught[i].examples[0]));
    }
    if (batch.empty()) {
        return "";
    }
    const auto block = write(batch, form);
    CHECK(block.has_value());

    std::string out(kPurpose.in(language));
    out += *block + '\n';
    if (!taught.empty()) {
        out += kWords.in(language);
        for (const Lesson& lesson : taught) {
            append_lesson(out, lesson, form, language);
        }
    }
    if (form == Form::kTavern) {
        append_options(out, language, leave_out);
        append_patterns(out, language, leave_out);
    }
    out += kHints.in(language);
    out += kNotes[static_cast<std::size_t>(form)].in(language);
    out += kWarning.in(language);
    return out;
}

}  // namespace arbiter::writer
