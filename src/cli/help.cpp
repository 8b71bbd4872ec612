#include "cli/help.h"

#include <algorithm>

#include "cli/commands.h"
#include "text/split.h"

namespace arbiter::cli {
namespace {

// The terminal width of a text; Chinese characters are two cells wide.
std::size_t width(std::string_view text) {
    std::size_t cells = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        cells += byte < 0x80 ? 1U : (byte & 0xC0U) == 0xC0U ? 2U : 0U;
    }
    return cells;
}

std::string padded(std::string_view text, std::size_t cells) {
    const std::size_t used = width(text);
    return std::string(text) + std::string(used < cells ? cells - used : 1, ' ');
}

std::string heading(const Console& console, const base::TextView& text) {
    return console.painted(console.say(text), Color::kBold) + "\n";
}

void append_options(std::string& out, const Console& console, std::span<const Option> options) {
    for (const Option& option : options) {
        std::string left = "  " + std::string(option.name);
        if (!option.value.empty()) {
            left += " " + std::string(option.value);
        }
        out += padded(left, 30) + std::string(console.say(option.help)) + "\n";
    }
}

std::string usage(const Command& command) {
    std::string line = "arbiter " + std::string(command.name);
    for (const Argument& argument : command.arguments) {
        const std::string name = std::string(argument.name) + (argument.many ? "…" : "");
        line += argument.required ? " " + name : " [" + name + "]";
    }
    return line;
}

std::string joined_names() {
    std::string names;
    for (const Command& command : commands()) {
        names += (names.empty() ? "" : " ") + std::string(command.name);
    }
    return names;
}

std::string option_names(const Command& command) {
    std::string names;
    for (const std::span<const Option> group : {command.options, common_options()}) {
        for (const Option& option : group) {
            names += (names.empty() ? "" : " ") + std::string(option.name);
        }
    }
    return names;
}

// The commands of the general help. The last group has all that no other one names.
struct Group {
    base::TextView title;
    std::string_view names;  // separated by blanks
};
constexpr Group kGroups[] = {
    {{"Playing", "开始玩"}, "play serve connect campaign settings turn prompt chat lore"},
    {{"Looking back and moving", "回看与移动"},
     "history show audit blame diff checkpoint rollback undo revert branch world"},
    {{"For authors", "作者"},
     "new card test rules protocol profiles tools table conflicts calendar parse apply convert "
     "teach restore"},
    {{"Stores and files", "存储与文件"},
     "verify rebuild salvage export import migrate backup thin token doctor"},
    {{"More", "其他"}, ""},
};

const Group& group_of(const Command& command) {
    for (const Group& group : kGroups) {
        const auto names = text::split(group.names, " ");
        if (std::ranges::find(names, command.name) != names.end()) {
            return group;
        }
    }
    return *std::rbegin(kGroups);
}

// The choices of an option or argument, separated by blanks for a shell: "zh en".
std::string choices(std::string_view value) {
    std::string words(value);
    std::ranges::replace(words, '|', ' ');
    return words;
}

// The words that the first argument of a command takes, separated by blanks; empty: any.
std::string first_words(const Command& command) {
    return command.arguments.empty() ? "" : choices(command.arguments.front().choices);
}

std::string bash_script() {
    std::string out =
        "# bash completion for arbiter. In ~/.bashrc:  source <(arbiter completion bash)\n"
        "_arbiter() {\n"
        "    local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
        "    local options=\"\" choices=\"\"\n"
        "    case \"$before\" in\n";
    for (const Option& option : common_options()) {
        if (option.value.contains('|')) {
            out += "        " + std::string(option.name) + ") choices=\"" + choices(option.value) +
                   "\" ;;\n";
        }
    }
    out +=
        "    esac\n"
        "    case \"${COMP_WORDS[1]} $before\" in\n";
    for (const Command& command : commands()) {
        for (const Option& option : command.options) {
            if (option.value.contains('|')) {
                out += "        \"" + std::string(command.name) + " " + std::string(option.name) +
                       "\") choices=\"" + choices(option.value) + "\" ;;\n";
            }
        }
    }
    out +=
        "    esac\n"
        "    if [ \"$COMP_CWORD\" -eq 2 ] && [[ \"$word\" != -* ]]; then\n"
        "        case \"${COMP_WORDS[1]}\" in\n";
    for (const Command& command : commands()) {
        if (const std::string words = first_words(command); !words.empty()) {
            out += "            " + std::string(command.name) + ") choices=\"" + words + "\" ;;\n";
        }
    }
    out +=
        "        esac\n"
        "    fi\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$before\" = help ]; then\n"
        "        choices=\"" +
        joined_names() +
        " help --help --version\"\n"
        "    fi\n"
        "    if [ -n \"$choices\" ]; then\n"
        "        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
        "        return\n"
        "    fi\n"
        "    case \"${COMP_WORDS[1]}\" in\n";
    for (const Command& command : commands()) {
        out += "        " + std::string(command.name) + ") options=\"" + option_names(command) +
               "\" ;;\n";
    }
    out +=
        "    esac\n"
        "    if [[ \"$word\" == -* ]]; then\n"
        "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    else\n"
        "        compopt -o filenames 2>/dev/null\n"
        "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
        "    fi\n"
        "}\n"
        "complete -F _arbiter arbiter\n";
    return out;
}

// Quotes a text as a single-quoted shell string.
std::string single_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        out += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return out + "'";
}

std::string zsh_script() {
    std::string out =
        "#compdef arbiter\n"
        "# zsh completion for arbiter. In ~/.zshrc:  source <(arbiter completion zsh)\n"
        "_arbiter() {\n"
        "    local -a commands options choices\n"
        "    commands=(\n";
    for (const Command& command : commands()) {
        out +=
            "        " +
            single_quoted(std::string(command.name) + ":" + std::string(command.summary.english)) +
            "\n";
    }
    out +=
        "    )\n"
        "    if (( CURRENT == 2 )); then\n"
        "        _describe command commands\n"
        "        return\n"
        "    fi\n"
        "    case \"${words[2]}\" in\n";
    for (const Command& command : commands()) {
        out += "        " + std::string(command.name) + ") options=(" + option_names(command) +
               ") choices=(" + first_words(command) + ") ;;\n";
    }
    out +=
        "    esac\n"
        "    if [[ \"${words[CURRENT]}\" == -* ]]; then\n"
        "        compadd -- $options\n"
        "    elif (( CURRENT == 3 && $#choices )); then\n"
        "        compadd -- $choices\n"
        "    else\n"
        "        _files\n"
        "    fi\n"
        "}\n"
        "compdef _arbiter arbiter\n";
    return out;
}

std::string fish_script() {
    std::string out =
        "# fish completion for arbiter. Once:\n"
        "#   arbiter completion fish > ~/.config/fish/completions/arbiter.fish\n";
    for (const Command& command : commands()) {
        out += "complete -c arbiter -n __fish_use_subcommand -a " + std::string(command.name) +
               " -d " + single_quoted(command.summary.english) + "\n";
        if (const std::string words = first_words(command); !words.empty()) {
            out += "complete -c arbiter -f -n '__fish_seen_subcommand_from " +
                   std::string(command.name) + "; and test (count (commandline -opc)) -eq 2' -a " +
                   single_quoted(words) + "\n";
        }
        for (const std::span<const Option> group : {command.options, common_options()}) {
            for (const Option& option : group) {
                out +=
                    "complete -c arbiter -n '__fish_seen_subcommand_from " +
                    std::string(command.name) + "' -l " + std::string(option.name.substr(2)) +
                    (option.value.empty() ? "" : " -r") +
                    (option.value.contains('|') ? " -f -a " + single_quoted(choices(option.value))
                                                : "") +
                    " -d " + single_quoted(option.help.english) + "\n";
            }
        }
    }
    return out;
}

}  // namespace

std::string general_help(const Console& console) {
    std::string out = std::string(
        console.say({"arbiter - the source of truth for AI role-play: the model proposes, "
                     "Arbiter decides.\n",
                     "arbiter —— 守护 AI 角色扮演的真实状态：模型提案，Arbiter 裁决。\n"}));
    for (const Group& group : kGroups) {
        out += "\n" + heading(console, group.title);
        for (const Command& command : commands()) {
            if (&group_of(command) == &group) {
                out += "  " + padded(command.name, 14) + std::string(console.say(command.summary)) +
                       "\n";
            }
        }
    }
    out += "  " + padded("help COMMAND", 14) +
           std::string(console.say({"explain a command\n", "说明某个命令\n"}));
    out += "  " + padded("--version", 14) +
           std::string(console.say({"show the version\n", "显示版本\n"}));
    out += "\n" + heading(console, {"Options of every command", "通用选项"});
    append_options(out, console, common_options());
    out += "\n" + heading(console, {"Exit code", "退出码"}) +
           std::string(console.say(
               {"  0 done   1 the answer is no (broken, not found, different)   2 trouble\n"
                "  3 the campaign is at another turn   4 the turn may have been stored\n"
                "  5 the key belongs to another reply\n",
                "  0 完成   1 结果为否（有错、找不到、不同）   2 无法执行\n"
                "  3 战役位于另一个回合   4 回合可能已经保存   5 该键已用于另一条回复\n"})) +
           "\n" +
           std::string(console.say({"`arbiter COMMAND --help` explains a command with examples; "
                                    "`arbiter tour` is a short tour.\n",
                                    "`arbiter 命令 --help` 有说明和示例；`arbiter tour` "
                                    "演示现有功能。\n"}));
    return out;
}

std::string command_help(const Command& command, const Console& console) {
    std::string out = heading(console, {usage(command), usage(command)});
    out += std::string(console.say(command.details)) + "\n";
    if (!command.arguments.empty()) {
        out += "\n" + heading(console, {"Arguments", "参数"});
        for (const Argument& argument : command.arguments) {
            out += padded("  " + std::string(argument.name), 30) +
                   std::string(console.say(argument.help)) + "\n";
        }
    }
    out += "\n" + heading(console, {"Options", "选项"});
    append_options(out, console, command.options);
    append_options(out, console, common_options());
    if (!command.examples.empty()) {
        out += "\n" + heading(console, {"Examples", "示例"});
        for (const Example& example : command.examples) {
            out += "  " + console.painted("$ " + std::string(example.line), Color::kCyan) + "\n";
            out += "      " + std::string(console.say(example.what)) + "\n";
        }
    }
    return out;
}

std::string completion_script(std::string_view shell) {
    return shell == "bash" ? bash_script() : shell == "zsh" ? zsh_script() : fish_script();
}

}  // namespace arbiter::cli
