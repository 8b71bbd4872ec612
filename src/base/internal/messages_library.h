// Messages about transcripts, profiles, rulebooks, lore and protocols. Rows of the
// catalogue in the order of the enum.
#pragma once

#include <array>

#include "base/messages.h"

namespace arbiter::base::internal {

inline constexpr auto kLibraryMessages = [] {
    using enum ErrorCode;
    return std::to_array<Message>({
        {kTurnNone, "turn_none", "There is no turn here. A turn begins with a line == TITLE.",
         "这里没有任何回合。回合以一行 == 标题 开始。"},
        {kTurnStray, "turn_stray",
         "This line belongs to nothing: {0}. A turn begins with == TITLE, a setting is NAME: "
         "VALUE, a "
         "section begins with -- NAME, a comment with #.",
         "这一行不属于任何内容：{0}。回合以 == 标题 开始，设置写成 名称: 值（英文冒号加空格），"
         "小节以 -- 名称 开始，注释以 # 开始。"},
        {kTurnSetting, "turn_setting", "There is no setting {0}. Available: {1}.",
         "没有设置 {0}。可用：{1}。"},
        {kTurnSection, "turn_section", "There is no section {0}. Available: {1}.",
         "没有小节 {0}。可用：{1}。"},
        {kTurnOrder, "turn_order",
         "The section {0} says what a reply should do, but no reply comes before it.",
         "小节 {0} 说明回复应有的结果，但它前面没有回复。"},
        {kTurnNoReply, "turn_no_reply", "The turn \"{0}\" has no reply. Write one below -- reply.",
         "回合“{0}”没有回复。请写在 -- reply 下面。"},
        {kTurnNotString, "turn_not_string",
         "The section {0} holds one JSON string, such as \"first line\\nsecond line\".",
         "小节 {0} 应是一个 JSON 字符串，例如 \"第一行\\n第二行\"。"},
        {kUnknownProfile, "unknown_profile",
         "There is no profile {0}. Available: {1}; or give the name of a .yaml file.",
         "没有配置方案 {0}。可用：{1}；也可以给出 .yaml 文件名。"},
        {kUnknownRulebook, "unknown_rulebook", "There is no rulebook {0}. Available: {1}.",
         "没有规则书 {0}。可用：{1}。"},
        {kLimitWithoutBound, "limit_without_bound",
         "This limit has no bound. Give it at least one: min, max, step, step_up, step_down, "
         "per_turn, "
         "per_day, one_of, unique, append_only, required.",
         "这条限制没有任何边界。至少写一个：`min`、`max`、`step`、`step_up`、`step_down`、`per_"
         "turn`、"
         "`per_day`、`one_of`、`unique`、`append_only`、`required`。"},
        {kBoundsCrossed, "bounds_crossed",
         "min is {0} and max is {1}: no number lies between them.",
         "min 是 {0}，max 是 {1}，中间没有任何数。"},
        {kNumberInWords, "number_in_words",
         "{0} is a number in words and would be read as a path. Write it in digits.",
         "{0} 是用汉字写的数，会被当成路径。请改用阿拉伯数字。"},
        {kUnknownRoot, "unknown_root",
         "{0} is read as a path of the document, and no other rule mentions it. Quote a text "
         "inside "
         "the "
         "formula ('{0}'), write a number in digits, or ignore this.",
         "{0} "
         "会被当作文档中的路径，而其他规则都没有提到它。文字要在公式内加引号（'{0}'"
         "），数要用数字写；若确实"
         "是路径，可忽略本提示。"},
        {kNotComputed, "not_computed",
         "{0}: not computed yet, because a container or a value that they need is missing: {1}. "
         "They "
         "are computed as soon as it exists; --init adds the blueprint of the rulebook.",
         "{0}：以下值暂时无法计算，因为缺少所在的容器或所需的值：{1}。一旦存在就会自动计算；--init "
         "可补上规则书的初始结构。"},
        {kUnknownCalendar, "unknown_calendar",
         "There is no calendar {0}. Available: {1}. A rulebook brings its own under calendars:.",
         "没有历法 {0}。可用：{1}。规则书可以在 `calendars:` 下自带历法。"},
        {kProfileExtends, "profile_extends",
         "{0} extends itself, or extends more than {1} profiles.",
         "{0} 扩展了它自己，或扩展的配置方案超过 {1} 层。"},
        {kLoreNone, "lore_none",
         "This is not a lorebook: it has no entries. They are a list or an object called entries.",
         "这不是世界书：没有条目。条目应是名为 entries 的列表或对象。"},
        {kLoreTooMany, "lore_too_many", "There are too many {0}; the limit is {1}.",
         "{0} 太多，上限是 {1}。"},
        {kLoreUnsupported, "lore_unsupported",
         "{0} has no effect here; the entry is used without it.",
         "{0} 在这里不起作用；条目照常使用，但忽略它。"},
        {kLoreKeyLong, "lore_key_long", "A key of more than {0} bytes is never looked for.",
         "超过 {0} 字节的关键词不会被查找。"},
        {kLorePattern, "lore_pattern",
         "{0} is not a valid pattern; it is looked for as plain text.",
         "{0} 不是有效的正则表达式，按普通文字查找。"},
        {kProtocolId, "protocol_id",
         "{0} is not a valid protocol id. Write letters, digits, _ - and . only, at most 100, such "
         "as "
         "love_system.",
         "{0} 不能作协议的 id。只能用字母（含汉字）、数字、_ - 和 .，最多 100 个字符，例如 "
         "love_system。"},
        {kProtocolVersion, "protocol_version",
         "{0} is not a valid version. Write three numbers in quotes, such as \"1.2.0\".",
         "{0} 不是版本号。请用引号写三个数，例如 \"1.2.0\"。"},
        {kProtocolReference, "protocol_reference",
         "{0} does not name a protocol. Write its id, or pin a version: id@1.2.0 (just this), "
         "id@^1 "
         "(1.x), "
         "id@>=1.2.",
         "{0} 不是对协议的引用。请写 "
         "id，或固定版本：id@1.2.0（仅此版本）、id@^1（1.x）、id@>=1.2。"},
        {kProtocolTag, "protocol_tag",
         "{0} is not the name of a tag. Write the name alone, without < and >: live.",
         "{0} 不是标签名。只写名字，不带 < 和 >，例如 live。"},
        {kProtocolThinking, "protocol_thinking",
         "<{0}> is thinking and stays so. Leave out behavior, or choose another tag.",
         "<{0}> 是思考标签，含义不能更改。请去掉 behavior，或换一个标签。"},
        {kProtocolNames, "protocol_names",
         "{0} and {1} are two names for one thing and disagree. Keep one of them.",
         "{0} 与 {1} 是同一件事的两种写法，而内容不一致。请只保留一个。"},
        {kProtocolSelf, "protocol_self", "{0} names the protocol itself ({1}). Remove it there.",
         "{0} 中写了协议自己（{1}）。请从中删去。"},
        {kProtocolRepeated, "protocol_repeated", "{0} occurs here twice. Remove one of them.",
         "{0} 在这里出现了两次。请删去一个。"},
        {kProtocolEmpty, "protocol_empty", "{0} is empty. Write a text there, or remove the key.",
         "{0} 是空的。请写上内容，或删去这个键。"},
        {kProtocolTeach, "protocol_teach", "There is no dialect {0} to teach. Available: {1}.",
         "没有可教的方言 {0}。可用：{1}。"},
        {kProtocolChange, "protocol_change",
         "{0} is not a range of a change. Write the smallest and the largest, such as [1, 5].",
         "{0} 不是变化幅度。请写最小值和最大值，例如 [1, 5]。"},
        {kProtocolExample, "protocol_example",
         "A command in example {0} cannot be read ({1}): {2} — a model would copy the mistake. "
         "Correct "
         "it.",
         "示例 {0} 中有一条指令读不懂（{1}）：{2} — 模型会照抄这个错误。请改正。"},
        {kProtocolDuplicate, "protocol_duplicate",
         "{0} is already defined by {1}. Give one of them another id or version.",
         "{0} 已由 {1} 定义。请给其中一个换 id 或版本号。"},
        {kProtocolUnknown, "protocol_unknown", "There is no protocol {0}. Available: {1}.",
         "没有协议 {0}。可用：{1}。"},
        {kProtocolNeeds, "protocol_needs",
         "{0} needs {1}, which is not in the library, so it cannot be used. Add the missing one or "
         "correct "
         "dependencies.",
         "{0} 依赖 {1}，而库中没有它，因此无法使用。请补上缺少的协议，或改正 dependencies。"},
        {kProtocolCycle, "protocol_cycle",
         "These need each other: {0}. Take one of the dependencies away; until then the last is "
         "left "
         "out.",
         "这些协议互相依赖：{0}。请去掉其中一个依赖；在此之前忽略最后一个。"},
        {kProtocolWithout, "protocol_without",
         "{0} needs {1}, which is not active now, so it is left out too.",
         "{0} 依赖 {1}，而后者现在不生效，因此一并略过。"},
        {kProtocolConflict, "protocol_conflict",
         "{0} does not go together with {1} and gives way to it.", "{0} 与 {1} 冲突，让位于后者。"},
        {kProtocolReplaced, "protocol_replaced", "{0} is replaced by {1}.", "{0} 被 {1} 替换。"},
        {kProtocolOneMode, "protocol_one_mode",
         "Only one mode can be active: {1} stays, {0} gives way. End one of them, or change their "
         "priority.",
         "同时只能有一个模式：保留 {1}，{0} 让位。请结束其一，或调整优先级。"},
        {kProtocolOverrides, "protocol_overrides",
         "Several overrides are active together: {0}. The last has the last word.",
         "同时有多个覆盖协议生效：{0}。以最后一个为准。"},
        {kProtocolSilenced, "protocol_silenced",
         "{0} is silent while {1} is active. Name it under keep to let it speak.",
         "{1} 生效期间不使用 {0}。要保留，请把它写进 keep。"},
        {kProtocolTagTaken, "protocol_tag_taken",
         "Several protocols say what <{0}> means: {1} counts, {2} does not (higher priority wins).",
         "有多个协议规定 <{0}> 的含义：以 {1} 为准，{2} 不生效（优先级高者胜）。"},
        {kProtocolPins, "protocol_pins", "{0} asks for {1}, but {2} is used.",
         "{0} 要求 {1}，实际使用 {2}。"},
        {kProtocolOutside, "protocol_outside",
         "{0} is a link that leads out of its folder, and is not followed. Put the file itself "
         "there.",
         "{0} 是指向文件夹之外的链接，不会跟随。请把文件本身放进来。"},
        {kProtocolFiles, "protocol_files",
         "{0} has more than {1} files, or folders nested too deep. Remove files that do not belong "
         "there.",
         "{0} 中的文件超过 {1} 个，或文件夹嵌套过深。请移走无关的文件。"},
        {kProtocolNone, "protocol_none",
         "There is no file to read in {0}. Names of files must end in one of: {1}.",
         "{0} 中没有可读取的文件。文件名须以下列之一结尾：{1}。"},
        {kProtocolMany, "protocol_many",
         "The protocol {0} cannot be switched on: {1} are active already. End one of them first.",
         "无法启用协议 {0}：已有 {1} 个协议生效。请先结束其中一个。"},
        {kTurnProtocol, "turn_protocol",
         "The protocol file has a mistake: {0}. `arbiter protocol lint` explains it.",
         "协议文件有误：{0}。用 `arbiter protocol lint` 查看原因。"},
        {kProtocolMissing, "protocol_missing",
         "The campaign {0} is played with the protocol {1}, which is neither kept with it nor in "
         "the "
         "library. Give the folder that has it: --protocols FOLDER.",
         "战役 {0} 使用协议 {1}，但它既没有随战役保存，也不在协议库中。请用 --protocols 文件夹 "
         "指明它所在的位置。"},
    });
}();

}  // namespace arbiter::base::internal
