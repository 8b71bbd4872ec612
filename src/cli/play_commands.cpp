#include "cli/play_commands.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/word_wrap.h"
#include "text/case_fold.h"
#include "text/nearest.h"

namespace arbiter::cli {
namespace {

struct PlayCommand {
    std::string_view name;  // "/look"
    base::TextView words;   // what follows it
    base::TextView help;
};

// In the order in which a player needs them.
constexpr std::array kCommands = {
    PlayCommand{
        "/look", {"", ""}, {"where you are, the exits, who is here", "所在地点、出口和在场的人"}},
    PlayCommand{"/items", {"[ID]", "[角色]"}, {"what you carry", "随身物品"}},
    PlayCommand{"/map",
                {"", ""},
                {"all places, the ways between them and what is locked", "所有地点、通路和锁"}},
    PlayCommand{"/retry",
                {"", ""},
                {"ask for another answer to your last words; the old one stays in /history",
                 "重新生成上一条回复，旧的仍在 /history 中"}},
    PlayCommand{"/why",
                {"[PATH | --all]", "[路径 | --all]"},
                {"what the last turn changed and refused; the history of a value; everything",
                 "上一回合改了什么、拒绝了什么；某个值的变化；全部记录"}},
    PlayCommand{
        "/undo", {"", ""}, {"take back the last rollback or branch", "撤销上一次回滚或跳转"}},
    PlayCommand{"/rollback", {"TURN", "回合"}, {"go back to an earlier turn", "回滚到之前的回合"}},
    PlayCommand{
        "/branch", {"[TURN]", "[回合]"}, {"go on from any turn of the tree", "从任意回合继续"}},
    PlayCommand{"/checkpoint", {"NAME", "名称"}, {"name the present turn", "给当前回合命名存档"}},
    PlayCommand{"/checkpoints", {"", ""}, {"the names that were given", "列出存档"}},
    PlayCommand{"/history", {"", ""}, {"the tree of turns", "回合树"}},
    PlayCommand{"/state", {"[PATH]", "[路径]"}, {"the state, or a part of it", "状态或其中一部分"}},
    PlayCommand{
        "/diff", {"[TURN]", "[回合]"}, {"what has changed since a turn", "某回合以来的变化"}},
    PlayCommand{
        "/actor", {"ID", "角色"}, {"act as another character of the party", "切换行动角色"}},
    PlayCommand{"/join", {"ID", "角色"}, {"take a character into the party", "角色入队"}},
    PlayCommand{"/leave", {"ID", "角色"}, {"let a character leave the party", "角色离队"}},
    PlayCommand{"/goal",
                {"TEXT | generate", "目标 | generate"},
                {"set the goal of the campaign once", "设定战役目标，仅一次"}},
    PlayCommand{"/type",
                {"TYPE", "类型"},
                {"scene, action, rules or free_chat", "scene、action、rules 或 free_chat"}},
    PlayCommand{"/settings",
                {"[KEY [VALUE]]…", "[键 [值]]…"},
                {"show or change settings", "查看或修改设置"}},
    PlayCommand{"/allow",
                {"[TOOL…]", "[工具…]"},
                {"the tools that the narrator may use", "说书人可用的工具"}},
    PlayCommand{"/deny", {"TOOL…", "工具…"}, {"take tools from the narrator", "禁用工具"}},
    PlayCommand{
        "/disable", {"TOOL [TURNS]", "工具 [回合数]"}, {"the same for some turns", "临时禁用工具"}},
    PlayCommand{"/enable", {"TOOL", "工具"}, {"give it back", "恢复工具"}},
    PlayCommand{
        "/keep",
        {"", ""},
        {"after a withheld reply: leave the wrong sentences out", "回复被拦下后：删去错误的句子"}},
    PlayCommand{"/edit",
                {"TEXT", "文字"},
                {"after a withheld reply: write it yourself", "回复被拦下后：自己改写"}},
    PlayCommand{
        "/accept", {"", ""}, {"after a withheld reply: make it true", "回复被拦下后：让它成真"}},
    PlayCommand{"/greeting",
                {"[N]", "[编号]"},
                {"begin again with another greeting of the card", "换一个开场白重新开始"}},
    PlayCommand{"/prompt", {"", ""}, {"the prompt of the next turn", "下一回合的提示词"}},
    PlayCommand{"/end", {"[REASON]", "[原因]"}, {"end the campaign", "结束战役"}},
    PlayCommand{"/help", {"", ""}, {"this list", "本列表"}},
    PlayCommand{"/quit", {"", ""}, {"leave", "退出"}}};

std::string form_of(const PlayCommand& command, base::Language language) {
    const std::string_view words = command.words.in(language);
    return std::string(command.name) + (words.empty() ? "" : " " + std::string(words));
}

}  // namespace

std::string play_help(base::Language language, std::size_t columns) {
    std::size_t widest = 0;
    for (const PlayCommand& command : kCommands) {
        widest = std::max(widest, width_of(form_of(command, language)));
    }
    std::string text;
    for (const PlayCommand& command : kCommands) {
        const std::string form = form_of(command, language);
        text += form + std::string(widest - width_of(form) + 2, ' ');
        const std::size_t room = columns > widest + 2 ? columns - widest - 2 : 0;
        for (const char c : wrapped(command.help.in(language), room)) {
            text += c;
            text.append(c == '\n' ? widest + 2 : 0, ' ');
        }
        text += '\n';
    }
    constexpr base::TextView kElse = {"Anything else is what you say or do.\n",
                                      "其余内容即是你要说的话或要做的事。\n"};
    return text + std::string(kElse.in(language));
}

std::string play_usage(std::string_view command, base::Language language) {
    const auto found = std::ranges::find(kCommands, command, &PlayCommand::name);
    return found == kCommands.end()
               ? std::string()
               : form_of(*found, language) + " — " + std::string(found->help.in(language));
}

std::optional<std::string_view> nearest_command(std::string_view typed) {
    std::array<std::string_view, kCommands.size()> names;
    std::ranges::transform(kCommands, names.begin(), &PlayCommand::name);
    const std::string folded = text::fold_case(typed);
    return text::nearest(folded, names);
}

std::vector<std::string> play_command_names() {
    std::vector<std::string> names;
    for (const PlayCommand& command : kCommands) {
        names.emplace_back(command.name);
    }
    return names;
}

}  // namespace arbiter::cli
