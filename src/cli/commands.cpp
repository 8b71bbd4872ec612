// The command table and command dispatch.
#include "cli/commands.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "text/nearest.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

constexpr Argument kFile = {
    "FILE",
    false,
    {"a JSON file; - or nothing reads standard input", "JSON 文件；- 或省略表示标准输入"}};

constexpr Argument kJsonArguments[] = {kFile};
constexpr Option kJsonOptions[] = {
    {"--pretty", "", {"indented, members in their own order", "缩进显示，保持键的原有顺序"}},
    {"--compact", "", {"one line, members in their own order", "单行显示，保持键的原有顺序"}},
    {"--check", "", {"print nothing, only check", "只检查，不输出"}},
};
constexpr Example kJsonExamples[] = {
    {"arbiter json save.json", {"check, and print in canonical form", "检查并输出规范形式"}},
    {"arbiter json --pretty < save.json", {"the same file, readable", "以便于阅读的形式输出"}},
    {"arbiter json --check save.json && echo ok", {"in a script", "用于脚本"}},
};

constexpr Argument kGetArguments[] = {
    {"FILE", true, {"a JSON file, or - for standard input", "JSON 文件，- 表示标准输入"}},
    {"PATH",
     true,
     {"a.b[0][\"x.y\"], or /a/b/0, or [\"a\",\"b\",0]",
      "路径：a.b[0][\"x.y\"]、/a/b/0 或 [\"a\",\"b\",0]"}},
};
constexpr Option kGetOptions[] = {
    {"--raw", "", {"print a string without quotes", "输出字符串时不加引号"}},
    {"--pretty", "", {"indented", "缩进显示"}},
};
constexpr Example kGetExamples[] = {
    {"arbiter get save.json 角色.属性.气血", {"one value", "取一个值"}},
    {"arbiter get save.json '背包.物品[0].名称' --raw", {"as plain text", "取纯文本"}},
    {"arbiter get save.json /背包/物品/0", {"as a JSON Pointer", "用 JSON Pointer"}},
};

constexpr Argument kDiffArguments[] = {
    {"BEFORE", true, {"the old JSON file, or a turn", "旧的 JSON 文件，或一个回合"}},
    {"AFTER",
     true,
     {"the new one; of two files either may be -, not both", "新的一个；两个文件之一可以是 -"}},
};
constexpr Option kDiffOptions[] = {
    {"--json",
     "",
     {"our own form, with positions, which also restores the order of keys",
      "自有格式，带位置，可恢复键的顺序"}},
    {"--patch",
     "",
     {"JSON Patch (RFC 6902), for other tools", "JSON Patch（RFC 6902），供其他工具使用"}},
    {"--store", "URL", {"of turns: where campaigns are kept", "比较回合时：存放战役的位置"}},
    {"--campaign", "ID", {"of turns: which campaign", "比较回合时：哪个战役"}},
    {"--reveal",
     "",
     {"of turns: show hidden goals and hidden nodes as well (for the operator)",
      "比较回合时：同时显示隐藏的目标与节点（供管理员使用）"}},
};
constexpr Example kDiffExamples[] = {
    {"arbiter diff 3 head", {"what happened since turn 3", "第 3 回合以来的变化"}},
    {"arbiter diff monday.json tuesday.json", {"what changed, one line each", "逐行列出变化"}},
    {"arbiter diff a.json b.json --patch > ab.patch", {"as JSON Patch", "生成 JSON Patch"}},
};

constexpr Argument kReplyArguments[] = {
    {"FILE",
     false,
     {"a model's reply; - or nothing reads standard input", "模型的回复；- 或省略表示标准输入"}}};
constexpr Option kProfileOption = {
    "--profile",
    "PROFILE",
    {"how to read and judge: a name of `arbiter profiles`, or a .yaml file; auto otherwise",
     "读取与裁决的方案：`arbiter profiles` 中的名字，或 .yaml 文件；默认 auto"}};
constexpr Option kChunkOption = {
    "--chunk",
    "N",
    {"feed the reply in pieces of N bytes; the result is the same", "每次送入 N 字节，结果不变"}};
constexpr Option kParseOptions[] = {
    kProfileOption,
    kChunkOption,
    {"--json", "", {"one JSON object a line", "每行一个 JSON 对象"}},
    {"--player", "", {"it was typed by the player, not by a model", "这是玩家输入，而非模型回复"}},
    {"--both", "", {"let _. calls stand beside JSON instructions", "JSON 指令与 _. 调用同时采用"}},
    {"--thinking", "", {"show what the model thought", "显示模型的思考内容"}},
};
constexpr Example kParseExamples[] = {
    {"arbiter parse reply.txt", {"commands, then the narrative", "先列出指令，再给出正文"}},
    {"arbiter parse --profile mvu --json < reply.txt", {"for a program", "供程序使用"}},
    {"arbiter parse reply.txt --chunk 1", {"as a stream, byte by byte", "逐字节以流方式读取"}},
};
constexpr Option kConvertOptions[] = {
    {"--from",
     "PROFILE",
     {"the profile whose dialects are read; auto otherwise", "按哪个方案的方言读取；默认 auto"}},
    {"--to",
     "DIALECT",
     {"tavern, tavern1, json, mvu, patch, memory, filament, filament3, direct or tools",
      "tavern、tavern1、json、mvu、patch、memory、filament、filament3、direct 或 tools"}},
    {"--state",
     "FILE",
     {"for tavern1: the document that decides what the commands come to; {} without it",
      "用于 tavern1：据以决定指令结果的文档；省略则为 {}"}},
    kChunkOption,
};
constexpr Example kConvertExamples[] = {
    {"arbiter convert reply.txt --to json", {"any dialect to JSON instructions", "转为 JSON 指令"}},
    {"echo \"_.set('a.b', 1, 2);\" | arbiter convert --to patch",
     {"MVU to JSON Patch", "MVU 转为 JSON Patch"}},
    {"arbiter convert reply.txt --to tavern1 --state save.json",
     {"for tools that know set, add, push, pull, delete and no options",
      "供只认识 set、add、push、pull、delete 而不认识 options 的工具使用"}},
};
constexpr Option kApplyOptions[] = {
    {"--state", "FILE", {"the document to start from; {} without it", "起始文档；省略则为 {}"}},
    {"--out", "FILE", {"write the new document here", "把新文档写到这里"}},
    {"--dry-run", "", {"show verdicts only, write nothing", "只显示裁决，不写文件"}},
    kProfileOption,
    {"--player", "", {"it was typed by the player, not by a model", "这是玩家输入，而非模型回复"}},
    {"--initvar",
     "",
     {"the document is an MVU initvar with $meta rules", "文档是带 $meta 规则的 MVU initvar"}},
    {"--now", "INSTANT", {"the present, for ttl and expiresAt", "当前时间，用于 ttl 与 expiresAt"}},
    {"--lines",
     "",
     {"read one JSON case a line from standard input, print one result a line",
      "从标准输入每行读一个 JSON 用例，每行输出一个结果"}},
    kChunkOption,
};
constexpr Example kApplyExamples[] = {
    {"arbiter apply --state save.json reply.txt --out save.json",
     {"a reply on a save", "把回复应用到存档"}},
    {"arbiter apply --state save.json reply.txt --dry-run",
     {"what would happen", "看看会发生什么"}},
    {"arbiter apply --lines < cases.jsonl > results.jsonl",
     {"many cases, each standing alone", "批量用例，各自独立"}},
};
constexpr Argument kRestoreArguments[] = {
    {"WHAT",
     false,
     {"the path where it was, or the id of its deletion; nothing lists the bin",
      "原来的路径，或删除操作的编号；省略则列出回收站"}}};
constexpr Option kRestoreOptions[] = {
    {"--state", "FILE", {"the document with the bin", "带回收站的文档"}},
    {"--bin",
     "PATH",
     {"where the bin is; character.saveData.回收站 without it",
      "回收站的位置；省略则为 character.saveData.回收站"}},
    {"--out", "FILE", {"write the new document here", "把新文档写到这里"}},
};
constexpr Example kRestoreExamples[] = {
    {"arbiter restore --state save.json", {"what is in the bin", "列出回收站"}},
    {"arbiter restore --state save.json character.saveData.背包.剑 --out save.json",
     {"put it back", "放回原处"}},
};
constexpr Argument kTestArguments[] = {
    {"FILE",
     true,
     {"a transcript, or a folder with transcripts (*.turn)", "记录文件，或含有 *.turn 的文件夹"},
     true}};
constexpr Option kTestOptions[] = {
    {"--update",
     "",
     {"write what happens into the files, to be read and kept",
      "把实际结果写入文件，供检查后保留"}},
};
constexpr Example kTestExamples[] = {
    {"arbiter test my-card.turn", {"one transcript", "运行一个记录"}},
    {"arbiter test tests/ other.turn", {"all in a folder, and one more", "整个文件夹，再加一个"}},
    {"arbiter test my-card.turn --update", {"fill in what is expected", "填入预期结果"}},
};
constexpr Argument kProfilesArguments[] = {
    {"ACTION",
     false,
     {"list (also without it), show NAME, lint FILE or keys",
      "list（可省略）、show NAME、lint FILE 或 keys"}},
    {"NAME", false, {"a profile's name, or a .yaml file", "方案名，或 .yaml 文件"}},
};
constexpr Example kProfilesExamples[] = {
    {"arbiter profiles", {"one line each", "每行一个"}},
    {"arbiter profiles show tavern > house.yaml", {"a start for one's own", "作为自己方案的起点"}},
    {"arbiter profiles lint house.yaml", {"every fault, with its line", "逐行指出问题"}},
    {"arbiter apply --profile house.yaml --state save.json reply.txt", {"use it", "使用它"}},
};
constexpr Argument kRulesArguments[] = {
    {"ACTION",
     false,
     {"list (also without it), show, lint, explain or init",
      "list（可省略）、show、lint、explain 或 init"}},
    {"RULEBOOK", false, {"a rulebook's name, or a .yaml file", "规则书名，或 .yaml 文件"}},
    {"PATH", false, {"explain: the path that is asked about", "explain：想了解的路径"}},
};
constexpr Option kRulesOptions[] = {
    {"--state", "FILE", {"init: the save that is filled up", "init：要补全的存档"}},
    {"--out", "FILE", {"init: write the save here", "init：把存档写到这里"}},
};
constexpr Example kRulesExamples[] = {
    {"arbiter rules show infinite-flow > house.yaml",
     {"a start for one's own", "作为自己规则书的起点"}},
    {"arbiter rules lint house.yaml", {"every fault, with its line", "逐行指出问题"}},
    {"arbiter rules explain infinite-flow stat_data.检定难度",
     {"which rules touch a path, and why", "哪些规则涉及某路径"}},
    {"arbiter rules init infinite-flow --state save.json --out save.json",
     {"fill in what a save lacks; nothing is overwritten", "补全存档所缺的字段；不覆盖已有内容"}},
};
constexpr Argument kTeachArguments[] = {
    {"DIALECT",
     true,
     {"tavern, json, mvu, patch, memory, filament, filament3 or tools",
      "tavern、json、mvu、patch、memory、filament、filament3 或 tools"}}};
constexpr Example kTeachExamples[] = {
    {"arbiter teach json --lang zh", {"rules for a Chinese prompt", "中文提示词规则"}},
};

constexpr Argument kCalendarArguments[] = {
    {"DATE", true, {"a date as a story tells it", "故事里写的日期"}}};
constexpr Option kCalendarOptions[] = {
    {"--plus", "DAYS", {"print the date so many days later", "输出若干天之后的日期"}},
    {"--until", "DATE", {"print the days until another date", "输出到另一日期的天数"}},
    {"--calendar", "NAME", {"read the dates in this calendar", "用指定的历法读取"}},
};
constexpr Example kCalendarExamples[] = {
    {"arbiter calendar '开阳历 230 年 3 月 初六 日出'", {"what is understood", "看看读出了什么"}},
    {"arbiter calendar 12月30日 --plus 3", {"in the same form", "结果保持原来的写法"}},
    {"arbiter calendar 三月初五 --until 四月初一", {"the difference", "相差几天"}},
};

constexpr Argument kCompletionArguments[] = {
    {"SHELL", true, {"bash, zsh or fish", "bash、zsh 或 fish"}}};
constexpr Example kCompletionExamples[] = {
    {"source <(arbiter completion bash)", {"in ~/.bashrc", "写入 ~/.bashrc"}},
    {"source <(arbiter completion zsh)", {"in ~/.zshrc", "写入 ~/.zshrc"}},
    {"arbiter completion fish > ~/.config/fish/completions/arbiter.fish", {"once", "执行一次"}},
};

constexpr Command kCommands[] = {
    {"json",
     {"check a JSON file strictly and print it", "严格检查 JSON 文件并输出"},
     {"Checks that FILE is strict JSON, and prints it in canonical form: no spaces, keys sorted,\n"
      "numbers in their shortest form (RFC 8785), so that equal documents print equal bytes.\n"
      "Something wrong is shown with its line, column and reason, and the exit code is 1.",
      "检查 FILE 是否为严格的 JSON，并以规范形式输出：无空格、键排序、数字取最短写法（RFC "
      "8785），\n"
      "因此相等的文档输出相同的字节。若有错误，会给出行、列和原因，退出码为 1。"},
     kJsonArguments,
     kJsonOptions,
     kJsonExamples,
     run_json},
    {"get",
     {"print the value at a path", "输出某路径处的值"},
     {"Prints what FILE has at PATH. Names in a path are joined by dots; an index or a name with\n"
      "dots in it stands in brackets. Exit code 1 when there is nothing at the path.",
      "输出 FILE 中 PATH 处的值。路径中的名字用点连接；下标或含点的名字写在方括号里。\n"
      "该处没有内容时退出码为 1。"},
     kGetArguments,
     kGetOptions,
     kGetExamples,
     run_get},
    {"diff",
     {"show what changed between two JSON files or two turns",
      "显示两个 JSON 文件或两个回合的差异"},
     {"Compares two documents and lists a small set of changes: + added, - removed,\n"
      "~ changed. Exit code 0 when they are equal (in order of keys too), 1 when they differ.",
      "比较两个文档，列出尽量少的变化：+ 新增、- 删除、~ 修改。\n"
      "完全相同（包括键的顺序）时退出码为 0，不同时为 1。"},
     kDiffArguments,
     kDiffOptions,
     kDiffExamples,
     run_diff},
    {"parse",
     {"read the commands out of a model's reply", "从模型回复中读出指令"},
     {"Prints what the reply proposes, one command a line in canonical form, then a line with --,\n"
      "then the narrative that a player sees. Reads tavern_commands, JSON instructions, _. calls,\n"
      "JSON Patch, memory calls, Filament tags and tool calls, also broken ones (! repaired).\n"
      "Nothing is executed. Exit code 1 when a command is refused.",
      "输出回复中的提案：每行一条规范形式的指令，然后是一行 --，最后是玩家看到的正文。\n"
      "可读 tavern_commands、JSON 指令、_. 调用、JSON Patch、memory 调用、Filament "
      "标签和工具调用，\n"
      "写坏的也会修复（! repaired）。不执行任何指令。有指令被拒绝时退出码为 1。"},
     kReplyArguments,
     kParseOptions,
     kParseExamples,
     run_parse},
    {"apply",
     {"carry out the commands of replies on states, with a verdict for each",
      "在状态上执行回复中的指令，逐条给出裁决"},
     {"Prints the narrative, a line with --, and a verdict for each command with before → after; "
      "for\n"
      "what was refused, why, and what would have worked. --out writes the new document. With\n"
      "--lines it reads cases {id, profile, state, now, messages, options} instead and prints\n"
      "{id, state, turns: [{text, results, events}]}. Exit code 1 when a command was refused.",
      "输出正文、一行 --，以及每条指令的裁决（前 → 后）；被拒绝的会说明原因和正确写法。\n"
      "--out 写出新文档。--lines 则逐行读入用例 {id, profile, state, now, messages, options}，\n"
      "输出 {id, state, turns: [{text, results, events}]}。有指令被拒绝时退出码为 1。"},
     kReplyArguments,
     kApplyOptions,
     kApplyExamples,
     run_apply},
    {"profiles",
     {"list, show and check the rules by which replies are read and judged",
      "列出、查看和检查读取与裁决的方案"},
     {"A profile says which dialects are read and what the engine allows. Lists those that "
      "Arbiter\n"
      "brings, shows one as YAML, checks a file of your own (exit code 1 when it has mistakes), "
      "or\n"
      "lists all keys that can stand in one.",
      "方案规定读取哪些方言、引擎允许什么。可列出自带的方案、以 YAML 显示其中一个、\n"
      "检查自己的文件（有问题时退出码为 1），或列出全部可用的键。"},
     kProfilesArguments,
     {},
     kProfilesExamples,
     run_profiles},
    {"convert",
     {"turn commands from one dialect into another", "把指令从一种方言转换为另一种"},
     {"Reads the commands of a reply and writes them as a block of another dialect. A command "
      "that\n"
      "the other dialect cannot express is named, and the exit code is 1.",
      "读取回复中的指令，写成另一种方言的块。无法表达的指令会逐条指出，退出码为 1。"},
     kReplyArguments,
     kConvertOptions,
     kConvertExamples,
     run_convert},
    {"restore",
     {"put back what was deleted into the recycle bin", "把回收站里的内容放回原处"},
     {"Lists what is in the recycle bin, oldest first: the id of the deletion, the path, when and "
      "why.\n"
      "With WHAT it puts one back into its place: the newest of a path, or the one with that id. "
      "A\n"
      "place that is occupied is not overwritten. --out writes the new document. Exit code 1 when\n"
      "there is nothing to put back.",
      "列出回收站的内容（从旧到新）：删除操作的编号、路径、时间和原因。给出 WHAT 则放回其一：\n"
      "该路径最新的一份，或该编号的一份。原处已有内容时不覆盖。--out 写出新文档。\n"
      "没有可放回的内容时退出码为 1。"},
     kRestoreArguments,
     kRestoreOptions,
     kRestoreExamples,
     run_restore},
    {"teach",
     {"print the rules of a dialect for a prompt", "输出某种方言的提示词规则"},
     {"Prints the text that teaches a model a dialect, made from the same tables that the reader\n"
      "uses, in the language of --lang.",
      "输出教会模型使用某种方言的文本，由读取器所用的同一张表生成，语言由 --lang 决定。"},
     kTeachArguments,
     {},
     kTeachExamples,
     run_teach},
    {"calendar",
     {"understand dates of a story and count with them", "读懂故事里的日期并推算"},
     {"Prints what DATE tells: calendar, era, year, month, day and time. Reads Gregorian dates,\n"
      "Chinese eras (12 months of 30 days), lunar style, 第N天 and ISO, with digits or Chinese\n"
      "numerals. Nothing is guessed: exit code 1 when it is no date, or the answer is unknown.",
      "输出 DATE 的含义：历法、纪年、年、月、日、时间。可读公历、中文纪元（十二月，每月三十日）、\n"
      "农历写法、第N天 和 ISO 日期，数字可用阿拉伯数字或汉字。绝不猜测：不是日期或答案未知时\n"
      "退出码为 1。"},
     kCalendarArguments,
     kCalendarOptions,
     kCalendarExamples,
     run_calendar},
    {"test",
     {"run transcripts: replies on states, with what must come of them",
      "运行记录：状态上的回复，以及应有的结果"},
     {"Plays every turn of the transcripts: reads its replies, judges their commands, and "
      "compares\n"
      "verdicts, narrative and state with what the file says. Lines with - were expected, lines "
      "with\n"
      "+ came. --update writes what came into the files. Exit code 1 when something differs, 2 "
      "when\n"
      "a file cannot be read as a transcript. docs/transcripts.md explains the format.",
      "逐个运行记录中的回合：读取回复、裁决指令，并把裁决、正文和状态与文件所写的比较。\n"
      "以 - 开头的是预期，以 + 开头的是实际。--update 把实际结果写入文件。\n"
      "有不同时退出码为 1；文件不是合法的记录时为 2。格式见 docs/transcripts.md。"},
     kTestArguments,
     kTestOptions,
     kTestExamples,
     run_test},
    {"rules",
     {"rulebooks: what a world does by itself", "规则书：世界自行遵循的规则"},
     {"A rulebook is a YAML file: derived values, limits, reactions, what days bring, clean-up.\n"
      "lint checks one and names every fault with its line; explain says which rules touch a "
      "path;\n"
      "init fills a save up with what the world needs. Profiles name the rulebooks that they use.\n"
      "docs/rules.md explains the format.",
      "规则书是一个 YAML 文件：推算值、限制、连锁反应、每日变化、自动清理。lint 检查文件并逐行\n"
      "指出问题；explain 说明哪些规则涉及某路径；init 补全存档所需的字段。使用哪些规则书由方案\n"
      "指定。格式见 docs/rules.md。"},
     kRulesArguments,
     kRulesOptions,
     kRulesExamples,
     run_rules},
    {"tour",
     {"a short tour of what there is, in the terminal", "在终端里演示现有功能"},
     {"Runs the engine on a small campaign before your eyes: documents, versions, differences,\n"
      "errors that help.",
      "用一个小战役现场演示：文档、版本、差异，以及有帮助的错误信息。"},
     {},
     {},
     {},
     run_tour},
    {"completion",
     {"print a completion script for your shell", "输出 shell 补全脚本"},
     {"Prints a script that teaches your shell to complete commands and options of arbiter.",
      "输出脚本，让 shell 能补全 arbiter 的命令和选项。"},
     kCompletionArguments,
     {},
     kCompletionExamples,
     run_completion},
};

void suggest(const Console& console, std::string_view word,
             std::span<const std::string_view> names) {
    if (const auto meant = text::nearest(word, names)) {
        std::string line(console.say({"Did you mean ", "是不是想写 "}));
        line += console.painted_error(*meant, Color::kBold);
        console.complain(line + std::string(console.say({"?\n", "？\n"})));
    }
}

// Applies --color and --lang, wherever they occur in the command line.
void apply_common(std::span<const std::string> words, Console& console) {
    for (std::size_t i = 0; i < words.size() && words[i] != "--"; ++i) {
        const auto value_of = [&](std::string_view option) -> std::string_view {
            const std::string_view word = words[i];
            if (word == option && i + 1 < words.size()) {
                return words[i + 1];
            }
            const bool joined =
                word.starts_with(option) && word.substr(option.size()).starts_with('=');
            return joined ? word.substr(option.size() + 1) : std::string_view();
        };
        if (const std::string_view language = value_of("--lang"); language == "zh") {
            console.language = base::Language::kChinese;
        } else if (language == "en") {
            console.language = base::Language::kEnglish;
        }
        if (const std::string_view color = value_of("--color"); color == "always") {
            console.color_out = console.color_err = true;
        } else if (color == "never") {
            console.color_out = console.color_err = false;
        }
    }
}

Exit usage_error(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    return Exit::kTrouble;
}

Exit unknown_command(const Console& console, const std::string& word) {
    const bool option = word.starts_with('-');
    const Exit exit = usage_error(
        console,
        base::Error(option ? ErrorCode::kUnknownOption : ErrorCode::kUnknownCommand, {word}));
    std::vector<std::string_view> names = {"--version", "help"};
    for (const Command& each : commands()) {
        names.push_back(each.name);
    }
    for (const Option& each : common_options()) {
        names.push_back(each.name);
    }
    suggest(console, word, names);
    return exit;
}

Exit run_command(const Command& command, std::span<const std::string> words,
                 const Console& console) {
    const auto call = parse_call(command, words, console);
    if (!call) {
        const Exit exit = usage_error(console, call.error());
        if (call.error().code == ErrorCode::kUnknownOption) {
            std::vector<std::string_view> names;
            for (const std::span<const Option> group : {command.options, common_options()}) {
                for (const Option& option : group) {
                    names.push_back(option.name);
                }
            }
            suggest(console, call.error().arguments[0], names);
        }
        return exit;
    }
    if (call->has("--help")) {
        console.print(command_help(command, console));
        return Exit::kDone;
    }
    for (std::size_t i = call->arguments.size(); i < command.arguments.size(); ++i) {
        if (command.arguments[i].required) {
            const Exit exit = usage_error(
                console,
                base::Error(ErrorCode::kMissingArgument, {std::string(command.arguments[i].name)}));
            console.complain("\n" + command_help(command, console));
            return exit;
        }
    }
    return command.run(*call);
}

// Used if no command is named: accepts only the common options.
constexpr Command kNoCommand = {"", {}, {}, {}, {}, {}, nullptr};

bool takes_value(std::string_view word) {
    return word == "--lang" || word == "--color";
}

Exit show_help(std::span<const std::string> words, const Console& console) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (const Command* command = find_command(words[i])) {
            console.print(command_help(*command, console));
            return Exit::kDone;
        }
        if (!words[i].starts_with('-')) {
            return unknown_command(console, words[i]);
        }
        i += takes_value(words[i]) ? 1 : 0;
    }
    console.print(general_help(console));
    return Exit::kDone;
}

Exit dispatch(std::span<const std::string> words, const Console& console) {
    // Common options may also precede the command; they are validated with the others.
    std::size_t first = 0;
    while (first < words.size() &&
           (takes_value(words[first]) || words[first].starts_with("--lang=") ||
            words[first].starts_with("--color="))) {
        first += takes_value(words[first]) ? 2 : 1;
    }
    first = std::min(first, words.size());
    std::vector<std::string> rest(words.begin(),
                                  words.begin() + static_cast<std::ptrdiff_t>(first));
    if (first == words.size() || words[first] == "--help" || words[first] == "-h" ||
        words[first] == "help" || words[first] == "--version") {
        if (const auto checked = parse_call(kNoCommand, rest, console); !checked) {
            return usage_error(console, checked.error());
        }
        if (first < words.size() && words[first] == "--version") {
            console.print("arbiter " ARBITER_VERSION "\n");
            return Exit::kDone;
        }
        return show_help(words.subspan(std::min(first + 1, words.size())), console);
    }
    const Command* command = find_command(words[first]);
    if (command == nullptr) {
        return unknown_command(console, words[first]);
    }
    rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(first) + 1, words.end());
    return run_command(*command, rest, console);
}

}  // namespace

std::span<const Command> commands() {
    static const std::vector<Command> kAll = [] {
        std::vector<Command> all(std::begin(kCommands), std::end(kCommands));
        // Insert before the commands about the program itself.
        for (const auto group : {protocol_commands(), ledger_commands()}) {
            const auto tour = std::ranges::find(all, "tour", &Command::name);
            all.insert(tour, group.begin(), group.end());
        }
        return all;
    }();
    return kAll;
}

Exit run_completion(const Call& call) {
    const std::string& shell = call.arguments[0];
    if (shell != "bash" && shell != "zsh" && shell != "fish") {
        return usage_error(call.console, base::Error(ErrorCode::kBadOptionValue,
                                                     {"SHELL", shell, "bash|zsh|fish"}));
    }
    call.console.print(completion_script(shell));
    return Exit::kDone;
}

int run(std::span<const std::string> words, Console console) {
    apply_common(words, console);
    Exit exit = dispatch(words, console);
    // A write error on the output overrides the command's exit code.
    if (std::fflush(console.out) != 0 || std::ferror(console.out) != 0) {
        exit = usage_error(console,
                           base::Error(ErrorCode::kFileUnwritable,
                                       {std::string(console.say({"standard output", "标准输出"})),
                                        std::strerror(errno)}));
    }
    return static_cast<int>(exit);
}

}  // namespace arbiter::cli
