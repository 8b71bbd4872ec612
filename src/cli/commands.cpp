// The command table and command dispatch.
#include "cli/commands.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/calendar.h"
#include "cli/cards.h"
#include "cli/chats.h"
#include "cli/commands_ledger.h"
#include "cli/commands_replies.h"
#include "cli/conflicts.h"
#include "cli/connect.h"
#include "cli/doctor.h"
#include "cli/documents.h"
#include "cli/help.h"
#include "cli/projects.h"
#include "cli/protocols.h"
#include "cli/rules.h"
#include "cli/serve.h"
#include "cli/templates.h"
#include "cli/test.h"
#include "cli/tokens.h"
#include "cli/tools.h"
#include "cli/tour.h"
#include "text/nearest.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

Exit usage_error(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    return Exit::kTrouble;
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
    {"--store", "URL", {"of turns: where campaigns are saved", "比较回合时：存放战役的位置"}},
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
constexpr Argument kRulesArguments[] = {
    {"ACTION",
     false,
     {"list (default), show, lint, explain or init", "list（默认）、show、lint、explain 或 init"},
     false,
     "list|show|lint|explain|init"},
    {"WHAT",
     false,
     {"show, explain, init: a rulebook's name, or a .yaml file, for explain with a path; lint: "
      "files and folders",
      "show、explain、init：规则书名或 .yaml 文件，explain 之后再写路径；lint：文件和文件夹"},
     true},
};
constexpr Option kRulesOptions[] = {
    {"--json", "", {"lint: print JSON", "lint：输出 JSON"}},
    {"--state", "FILE", {"init: the save that is filled up", "init：要补全的存档"}},
    {"--out", "FILE", {"init: write the save here", "init：把存档写到这里"}},
};
constexpr Example kRulesExamples[] = {
    {"arbiter rules show infinite-flow > house.yaml",
     {"a starting point for your own", "作为自己规则书的起点"}},
    {"arbiter rules lint house.yaml", {"every mistake with its line", "逐行指出问题"}},
    {"arbiter rules explain infinite-flow stat_data.检定难度",
     {"which rules touch a path, and why", "哪些规则涉及某路径"}},
    {"arbiter rules init infinite-flow --state save.json --out save.json",
     {"fill in what a save lacks; nothing is overwritten", "补全存档所缺的字段；不覆盖已有内容"}},
};
constexpr Argument kCalendarArguments[] = {
    {"DATE", true, {"a date as a story tells it", "故事里写的日期"}}};
constexpr Option kCalendarOptions[] = {
    {"--plus", "DAYS", {"print the date so many days later", "输出若干天之后的日期"}},
    {"--until", "DATE", {"print the days until another date", "输出到另一日期的天数"}},
    {"--calendar",
     "NAME",
     {"read the dates in this calendar; or a .yaml file with your own",
      "用指定的历法读取；也可以是自带历法的 .yaml 文件"}},
};
constexpr Example kCalendarExamples[] = {
    {"arbiter calendar '开阳历 230 年 3 月 初六 日出'", {"what is understood", "看看读出了什么"}},
    {"arbiter calendar 12月30日 --plus 3", {"in the same form", "结果保持原来的写法"}},
    {"arbiter calendar 三月初五 --until 四月初一", {"the difference", "相差几天"}},
};

constexpr Argument kCompletionArguments[] = {
    {"SHELL", true, {"bash, zsh or fish", "bash、zsh 或 fish"}, false, "bash|zsh|fish"}};
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
    {"calendar",
     {"understand dates of a story and count with them", "读懂故事里的日期并推算"},
     {"Prints what DATE tells: calendar, era, year, month, day and time. Reads Gregorian dates,\n"
      "Chinese eras (12 months of 30 days), lunar style, 第N天 and ISO, with digits or Chinese\n"
      "numerals. Nothing is guessed: exit code 1 when it is not a date, or the answer is unknown.",
      "输出 DATE 的含义：历法、纪年、年、月、日、时间。可读公历、中文纪元（十二月，每月三十日）、\n"
      "农历写法、第N天 和 ISO 日期，数字可用阿拉伯数字或汉字。绝不猜测：不是日期或答案未知时\n"
      "退出码为 1。"},
     kCalendarArguments,
     kCalendarOptions,
     kCalendarExamples,
     run_calendar},
    {"test",
     {"run .turn tests: replies on states, with the expected results",
      "运行 .turn 测试：给定状态与回复，核对结果"},
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
     {"A rulebook is a YAML file: derived values, limits, reactions, daily effects, clean-up.\n"
      "lint names every mistake with its line; explain says which rules touch a path;\n"
      "init fills a save up with what the world needs. Profiles name the rulebooks that they use.\n"
      "docs/rules.md explains the format.",
      "规则书是一个 YAML 文件：衍生值、限制、连锁反应、按天结算、自动清理。lint 检查文件并逐行\n"
      "指出问题；explain 说明哪些规则涉及某路径；init "
      "补全存档所需的字段。使用哪些规则书由配置方案\n"
      "指定。格式见 docs/rules.md。"},
     kRulesArguments,
     kRulesOptions,
     kRulesExamples,
     run_rules},
    {"tour",
     {"a short tour in the terminal", "在终端里演示现有功能"},
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
        console.json = console.json || words[i] == "--json";
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

Exit unknown_command(const Console& console, const std::string& word) {
    const bool option = word.starts_with('-');
    const Exit exit = usage_error(
        console,
        base::Error(option ? ErrorCode::kUnknownOption : ErrorCode::kUnknownCommand, {word}));
    const auto takes_it = [&](const Command& each) {
        return std::ranges::find(each.options, word, &Option::name) != each.options.end();
    };
    auto found = std::ranges::find(commands(), "play", &Command::name);
    if (found == commands().end() || !takes_it(*found)) {
        found = std::ranges::find_if(commands(), takes_it);
    }
    if (found != commands().end()) {
        const std::string names[] = {std::string(found->name), word};
        console.complain(
            base::format_message(console.say({"Options come behind a command: arbiter {0} {1} …\n",
                                              "选项写在命令之后：arbiter {0} {1} …\n"}),
                                 names));
        return exit;
    }
    std::vector<std::string_view> names;
    if (option) {
        names.push_back("--version");
        for (const Option& each : common_options()) {
            names.push_back(each.name);
        }
    } else {
        names.push_back("help");
        for (const Command& each : commands()) {
            names.push_back(each.name);
        }
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
        const auto calendar = std::ranges::find(all, "calendar", &Command::name);
        all.insert(calendar, reply_commands().begin(), reply_commands().end());
        // Insert before the commands about the program itself.
        for (const auto group :
             {protocol_commands(), tool_commands(), table_commands(), card_commands(),
              project_commands(), conflict_commands(), ledger_commands(), chat_commands(),
              serve_commands(), token_commands(), connect_commands(), doctor_commands()}) {
            const auto tour = std::ranges::find(all, "tour", &Command::name);
            all.insert(tour, group.begin(), group.end());
        }
        return all;
    }();
    return kAll;
}

const Command* find_command(std::string_view name) {
    const auto found = std::ranges::find(commands(), name, &Command::name);
    return found == commands().end() ? nullptr : &*found;
}

int run(std::span<const std::string> words, Console console) {
    apply_common(words, console);
    Exit exit = dispatch(words, console);
    // A write error on the output overrides the command's exit code, unless it was reported.
    const bool is_written = std::fflush(console.out) == 0 && std::ferror(console.out) == 0;
    if (!is_written && exit != Exit::kUncertain) {
        exit = usage_error(console, output_error(console));
    }
    return static_cast<int>(exit);
}

}  // namespace arbiter::cli
