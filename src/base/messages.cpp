#include "base/messages.h"

#include <array>
#include <vector>

#include "base/phrases.h"

namespace arbiter::base {
namespace {

using enum ErrorCode;

constexpr auto kMessages = std::to_array<Message>({
    {kJsonExpectedValue, "json_expected_value",
     "Expected a value, found {0}. A value is a string in double quotes (\"), a number, true, "
     "false, "
     "null, [ or {.",
     "这里应该是一个值，实际是 {0}。值可以是英文双引号 \" 括起的字符串、数字、true、false、null、[ "
     "或 {。"},
    {kJsonExpectedKey, "json_expected_key",
     "Expected a key in double quotes, found {0}. Write it as \"key\": value.",
     "这里应该是英文双引号 \" 括起的键，实际是 {0}。写成 \"键\": 值。"},
    {kJsonExpectedColon, "json_expected_colon", "Expected : after the key, found {0}.",
     "键后面应该是英文冒号 :，实际是 {0}。"},
    {kJsonExpectedSeparator, "json_expected_separator", "Expected , or {1}, found {0}.",
     "这里应该是英文逗号 , 或 {1}，实际是 {0}。"},
    {kJsonTrailingComma, "json_trailing_comma", "A comma before {0}: remove the comma.",
     "{0} 前多了一个逗号，请删去。"},
    {kJsonUnclosed, "json_unclosed", "The text ends before this {0} is closed.",
     "文本已结束，这个 {0} 还没有闭合。"},
    {kJsonAfterEnd, "json_after_end",
     "The document is complete, but {0} follows. A file holds exactly one value.",
     "文档已经完整，后面却还有 {0}。一个文件只能有一个值。"},
    {kJsonBadLiteral, "json_bad_literal",
     "{0} is not a JSON word. The words are true, false and null; text needs double quotes.",
     "{0} 不是 JSON 关键字。关键字只有 true、false、null；文字要用英文双引号 \" 括起。"},
    {kJsonBadNumber, "json_bad_number",
     "{0} is not a JSON number. Write it as 12, -3.5 or 1e6: no leading zeros or plus sign, and a "
     "digit on both sides of the point.",
     "{0} 不是 JSON 数字。应写成 12、-3.5 或 1e6：不能有前导零和加号，小数点两边都要有数字。"},
    {kJsonNumberRange, "json_number_range",
     "{0} is beyond the numbers that can be stored (about ±1.8e308).",
     "{0} 超出了可存储的范围（约 ±1.8e308）。"},
    {kJsonBadEscape, "json_bad_escape",
     "{0} is not an escape. Use \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four hex digits.",
     "{0} 不是合法的转义。可用 \\\" \\\\ \\/ \\b \\f \\n \\r \\t，或 \\u 加四位十六进制数。"},
    {kJsonControlCharacter, "json_control_character",
     "A bare control character ({0}) inside a string. Write it as an escape, for example \\n or "
     "\\t.",
     "字符串里有未转义的控制字符（{0}）。请写成转义，例如 \\n 或 \\t。"},
    {kJsonBadUtf8, "json_bad_utf8", "These bytes are not UTF-8. Save the file as UTF-8.",
     "这些字节不是 UTF-8。请把文件保存为 UTF-8。"},
    {kJsonEmpty, "json_empty", "The text is empty. The smallest document is {}.",
     "文本是空的。最小的文档是 {}。"},
    {kTextTooLong, "text_too_long", "The text has {0} bytes; the limit is {1}.",
     "文本有 {0} 字节，上限是 {1}。"},
    {kTooDeep, "too_deep", "Nested deeper than {0} levels.", "嵌套超过 {0} 层。"},
    {kKeyTooLong, "key_too_long", "A key is longer than {0} bytes.", "有一个键超过 {0} 字节。"},
    {kPathEmptySegment, "path_empty_segment",
     "An empty segment. Write a.b with one dot between names; the empty key is [\"\"].",
     "有空的路径段。名字之间只用一个点，如 a.b；空键写成 [\"\"]。"},
    {kPathUnclosed, "path_unclosed", "The path ends before this {0} is closed.",
     "路径已结束，这个 {0} 还没有闭合。"},
    {kPathBadBracket, "path_bad_bracket",
     "{0} cannot stand in brackets. Write [3] for an index or [\"a.b\"] for a key.",
     "方括号里不能是 {0}。下标写成 [3]，键写成 [\"a.b\"]。"},
    {kPathBadEscape, "path_bad_escape", "{0} is not an escape in a path.",
     "{0} 不是路径里合法的转义。"},
    {kPathAfterBracket, "path_after_bracket", "After ] a dot or [ must follow, found {0}.",
     "] 后面只能是点或 [，实际是 {0}。"},
    {kPathIndexRange, "path_index_range", "The index {0} is too large.", "下标 {0} 太大。"},
    {kPathNotSlash, "path_not_slash",
     "A JSON Pointer is empty or begins with /, found {0}. Write /a/b.",
     "JSON Pointer 为空或以 / 开头，实际是 {0}。写成 /a/b。"},
    {kPathNotArray, "path_not_array",
     "A path in array form is a JSON array of strings and indexes, such as [\"a\",\"b\",0].",
     "数组形式的路径是由字符串和下标组成的 JSON 数组，例如 [\"a\",\"b\",0]。"},
    {kPathBadSegment, "path_bad_segment",
     "Segment {0} of the path is neither a string nor a whole number.",
     "路径的第 {0} 段既不是字符串也不是整数。"},
    {kPathTooLong, "path_too_long", "The path has more than {0} segments, or is too long a text.",
     "路径超过 {0} 段，或文本过长。"},
    {kPathBadUtf8, "path_bad_utf8", "The path is not UTF-8.", "路径不是 UTF-8。"},
    {kPatternBelow, "pattern_below", "In {0}, ** must be the last step.",
     "{0} 中的 ** 只能放在最后一段。"},
    {kFormulaExpected, "formula_expected", "Expected {1}, found {0}.",
     "这里应该是 {1}，实际是 {0}。"},
    {kFormulaFunction, "formula_function", "There is no function {0}. Did you mean {1}?",
     "没有名为 {0} 的函数。是不是想写 {1}？"},
    {kFormulaArguments, "formula_arguments", "{0} takes {1} arguments; {2} were given.",
     "{0} 需要 {1} 个参数，实际给了 {2} 个。"},
    {kFormulaVariable, "formula_variable", "The variable ${0} is not known here. Known: {1}.",
     "此处没有变量 ${0}。可用的有：{1}。"},
    {kRuleCycle, "rule_cycle", "These values are computed from each other: {0}.",
     "这些值互相推算，形成循环：{0}。"},
    {kTooManyRules, "too_many_rules", "A rulebook may have {0} rules.",
     "一本规则书最多 {0} 条规则。"},
    {kNotFound, "not_found", "There is nothing at {0}.", "路径 {0} 不存在。"},
    {kNotContainer, "not_container", "{0} is {1} and has no members.", "{0} 是{1}，没有成员。"},
    {kIndexRange, "index_range",
     "{0} is beyond the end: the array has {1} elements (an element may be set at its end).",
     "{0} 越界：数组有 {1} 个元素（可以在末尾追加）。"},
    {kBadPosition, "bad_position", "Position {0} is beyond the end: there are {1} members.",
     "位置 {0} 越界：共有 {1} 个成员。"},
    {kKeyExists, "key_exists", "There is already a member at {0}.", "{0} 已经存在。"},
    {kRootErase, "root_erase", "The whole document cannot be erased.", "不能删除整个文档。"},
    {kDiffMismatch, "diff_mismatch",
     "The change at {0} does not fit this document: it is not the version that the change was "
     "made from.",
     "{0} 处的变更与此文档不符：它不是产生该变更的版本。"},
    {kDiffFormat, "diff_format",
     "Change {0} has a wrong format: it needs kind (add, remove or replace), path, and position, "
     "before and after as the kind asks.",
     "第 {0} 条变更的格式不对：需要 kind（add、remove 或 replace）、path，以及相应的 "
     "position、before、after。"},
    {kRegexSyntax, "regex_syntax", "The pattern cannot be read from here on: {0}",
     "正则表达式从这里起无法读懂：{0}"},
    {kRegexUnsupported, "regex_unsupported",
     "{0} is not supported in a pattern (no backreferences, lookaround or \\p).",
     "正则表达式不支持 {0}（没有反向引用、环视和 \\p）。"},
    {kRegexTooLarge, "regex_too_large", "The pattern is over the limit of {0}.",
     "正则表达式超过上限 {0}。"},
    {kWriteRefused, "write_refused", "A refused command cannot be written: {0}.",
     "被拒绝的指令无法写出：{0}。"},
    // To the letter: hosts of MVU look for this sentence.
    {kWriteUnsupported, "write_unsupported", "Unsupported operation for {0}: {1}",
     "{0} 不支持操作：{1}"},
    {kWriteToolCall, "write_tool_call",
     "A tool call can only be written in the form tools, not in {0}.",
     "工具调用只能写成 tools 形式，不能写成 {0}。"},
    {kWriteLost, "write_lost", "{0} has no place for {1}, which would be lost.",
     "{0} 无法表达{1}，写出会丢失它。"},
    {kWriteMissing, "write_missing", "In {0}, {1} needs {2}, and this instruction has none.",
     "在 {0} 中，{1} 需要 {2}，而这条指令没有。"},
    {kWritePrefix, "write_prefix", "In {0} this path must begin with {1}: {2}",
     "在 {0} 中，这个路径必须以 {1} 开头：{2}"},
    {kWritePath, "write_path", "{0} cannot name the path {1}.", "{0} 无法表达路径 {1}。"},
    {kWriteValue, "write_value",
     "{0} cannot write {1} with this value, for it would be read as something else: {2}",
     "{0} 无法用这个值写出 {1}，读回时会变成别的内容：{2}"},
    {kYamlSyntax, "yaml_syntax", "Not valid YAML from here on: {0}.",
     "从这里开始不是合法的 YAML：{0}。"},
    {kYamlUnclosed, "yaml_unclosed", "The text ends before this {0} is closed.",
     "文本已结束，这个 {0} 还没有闭合。"},
    {kYamlBadCharacter, "yaml_bad_character",
     "The character {0} cannot stand in YAML. Write it as an escape in double quotes, or remove "
     "it.",
     "YAML 中不能出现字符 {0}。请在双引号里写成转义，或删去。"},
    {kYamlBadUtf8, "yaml_bad_utf8", "These bytes are not UTF-8. Save the file as UTF-8.",
     "这些字节不是 UTF-8。请把文件保存为 UTF-8。"},
    {kYamlDuplicateKey, "yaml_duplicate_key",
     "The key {0} is repeated; the first one is on line {1}. Remove one of them.",
     "键 {0} 在这里重复出现，第一次在第 {1} 行。请删去其中一个。"},
    {kYamlBadKey, "yaml_bad_key",
     "A key is a text. Put it in quotes if it looks like something else.",
     "键必须是文字。如果它看起来像别的东西，请加引号。"},
    {kYamlMergeKey, "yaml_merge_key",
     "The merge key << is not supported. Write the members out; in a profile use extends.",
     "不支持合并键 <<。请把成员写全；在配置方案中可用 extends。"},
    {kYamlTag, "yaml_tag",
     "The tag {0} does not fit here. Available: !!str, !!int, !!float, !!bool, !!null, !!map and "
     "!!seq.",
     "标签 {0} 在此处不适用。可用：!!str、!!int、!!float、!!bool、!!null、!!map、!!seq。"},
    {kYamlNumber, "yaml_number",
     "{0} cannot be stored exactly as a number. Put it in quotes if a text is meant.",
     "{0} 不是能精确存储的数字。如果想写文字，请加引号。"},
    {kYamlDocuments, "yaml_documents",
     "A second document begins here. A file holds exactly one; indent this line or remove the ---.",
     "这里开始了第二个文档。一个文件只能有一个文档；请检查缩进或删去 ---。"},
    {kYamlTooMany, "yaml_too_many", "It has more than {0} values, counting expanded aliases.",
     "其中的值超过 {0} 个（别名按展开计算）。"},
    {kYamlAliasInside, "yaml_alias_inside", "An alias occurs inside the value that it refers to.",
     "别名出现在它自己所指的内容里。"},
    {kUnknownKey, "unknown_key", "There is no key {0} here. Available: {1}.",
     "这里没有键 {0}。可用：{1}。"},
    {kMisspelledKey, "misspelled_key", "There is no key {0} here. Did you mean {1}?",
     "这里没有键 {0}。是不是想写 {1}？"},
    {kBadField, "bad_field", "{0} takes {1}, not {2}.", "{0} 应为{1}，而不是{2}。"},
    {kMissingKey, "missing_key", "The key {0} is missing.", "缺少键 {0}。"},
    {kCalendarTwice, "calendar_twice", "{0} occurs twice.", "{0} 重复出现。"},
    {kCalendarNoSuch, "calendar_no_such",
     "There is no calendar {0} that has hours of its own to take over.",
     "没有名为 {0} 且自带时辰的历法可供沿用。"},
    {kDateNotRead, "date_not_read",
     "{0} is not a date of a known calendar. Dates look like 10月15日, 三月初五, 第12天 or "
     "2026-03-01.",
     "{0} 不是已知历法的日期。日期可写作 10月15日、三月初五、第12天 或 2026-03-01。"},
    {kDateNoAnswer, "date_no_answer",
     "The days from {0} to {1} are unknown: both must be of one calendar and era, with a year or "
     "without.",
     "{0} 到 {1} 的天数未知：两者须属于同一历法和纪年，且都有年份或都没有。"},
    {kDateBeyondEnd, "date_beyond_end",
     "{1} days from {0} lead to a date that cannot be told in the same way.",
     "{0} 加 {1} 天之后的日期无法用同样的写法表示。"},
    {kTurnNone, "turn_none", "There is no turn here. A turn begins with a line == TITLE.",
     "这里没有任何回合。回合以一行 == 标题 开始。"},
    {kTurnStray, "turn_stray",
     "This line belongs to nothing: {0}. A turn begins with == TITLE, a setting is NAME: VALUE, a "
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
    {kProfileExtends, "profile_extends", "{0} extends itself, or extends more than {1} profiles.",
     "{0} 扩展了它自己，或扩展的配置方案超过 {1} 层。"},
    {kLoreNone, "lore_none",
     "This is not a lorebook: it has no entries. They are a list or an object called entries.",
     "这不是世界书：没有条目。条目应是名为 entries 的列表或对象。"},
    {kLoreTooMany, "lore_too_many", "There are too many {0}; the limit is {1}.",
     "{0} 太多，上限是 {1}。"},
    {kLoreUnsupported, "lore_unsupported", "{0} has no effect here; the entry is used without it.",
     "{0} 在这里不起作用；条目照常使用，但忽略它。"},
    {kLoreKeyLong, "lore_key_long",
     "A key is longer than {0} bytes and is never looked for. A key is a name, or /a pattern/.",
     "有一个关键词超过 {0} 字节，不会被查找。关键词应是名字或 /正则/。"},
    {kProtocolId, "protocol_id",
     "{0} is not a valid protocol id. Write letters, digits, _ - and . only, at most 100, such as "
     "love_system.",
     "{0} 不能作协议的 id。只能用字母（含汉字）、数字、_ - 和 .，最多 100 个字符，例如 "
     "love_system。"},
    {kProtocolVersion, "protocol_version",
     "{0} is not a valid version. Write three numbers in quotes, such as \"1.2.0\".",
     "{0} 不是版本号。请用引号写三个数，例如 \"1.2.0\"。"},
    {kProtocolReference, "protocol_reference",
     "{0} does not name a protocol. Write its id, or pin a version: id@1.2.0 (just this), id@^1 "
     "(1.x), "
     "id@>=1.2.",
     "{0} 不是对协议的引用。请写 id，或固定版本：id@1.2.0（仅此版本）、id@^1（1.x）、id@>=1.2。"},
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
     "A command in example {0} cannot be read ({1}): {2} — a model would copy the mistake. Correct "
     "it.",
     "示例 {0} 中有一条指令读不懂（{1}）：{2} — 模型会照抄这个错误。请改正。"},
    {kProtocolDuplicate, "protocol_duplicate",
     "{0} is already defined by {1}. Give one of them another id or version.",
     "{0} 已由 {1} 定义。请给其中一个换 id 或版本号。"},
    {kProtocolUnknown, "protocol_unknown",
     "There is no protocol {0}. Available: {1}. It is left out.",
     "没有协议 {0}。现有：{1}。已略过。"},
    {kProtocolNeeds, "protocol_needs",
     "{0} needs {1}, which is not in the library, so it cannot be used. Add the missing one or "
     "correct "
     "dependencies.",
     "{0} 依赖 {1}，而库中没有它，因此无法使用。请补上缺少的协议，或改正 dependencies。"},
    {kProtocolCycle, "protocol_cycle",
     "These need each other: {0}. Take one of the dependencies away; until then the last is left "
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
     "{0} is a link that leads out of its folder, and is not followed. Put the file itself there.",
     "{0} 是指向文件夹之外的链接，不会跟随。请把文件本身放进来。"},
    {kProtocolFiles, "protocol_files",
     "{0} has more than {1} files, or folders nested too deep. Remove files that do not belong "
     "there.",
     "{0} 中的文件超过 {1} 个，或文件夹嵌套过深。请移走无关的文件。"},
    {kProtocolNone, "protocol_none",
     "There is no file to read in {0}. Files must end in .yaml or .yml.",
     "{0} 中没有可读取的文件。文件名须以 .yaml 或 .yml 结尾。"},
    {kRecordField, "record_field", "The field {0} of a record is missing or has a wrong value.",
     "记录中的字段 {0} 缺失或有误。"},
    {kStoreUrl, "store_url",
     "{0} is not the URL of a store. Write sqlite:FILE, memory: or postgres://user@host/database.",
     "{0} 不是存储地址。可写 sqlite:文件、memory: 或 postgres://用户@主机/数据库。"},
    {kStoreFailed, "store_failed", "The store could not {0}: {1}.", "存储无法{0}：{1}。"},
    {kStoreFull, "store_full",
     "The disk is full: cannot {0}. Nothing was changed; free some space and try again.",
     "磁盘已满，无法{0}。没有任何改动；腾出空间后即可继续。"},
    {kStoreReadOnly, "store_read_only",
     "The store is read-only since a write to the disk failed ({0}). Close it, check the disk, and "
     "open it again.",
     "写入磁盘失败（{0}），存储已转为只读。请关闭并检查磁盘后重新打开。"},
    {kStoreRefuses, "store_refuses",
     "The database does not accept writes at present ({0}). Reading still works; writing "
     "resumes by itself.",
     "数据库目前不接受写入（{0}）。读取不受影响；恢复后写入会自动继续。"},
    {kStoreVersion, "store_version",
     "The store was made by a newer version ({0}; this one knows {1}). Use a newer arbiter.",
     "存储由更新的版本创建（{0}，本程序支持到 {1}）。请使用更新的 arbiter。"},
    {kStoreOld, "store_old",
     "The store was made by an older version ({0}; this one needs {1}). Run `arbiter migrate` when "
     "no older arbiter uses it any more.",
     "存储由较旧的版本创建（{0}，本程序需要 {1}）。请在没有旧版 arbiter 使用它之后运行 `arbiter "
     "migrate`。"},
    {kCampaignUnknown, "campaign_unknown",
     "There is no campaign {0}. `arbiter campaign list` shows "
     "them.",
     "没有战役 {0}。用 `arbiter campaign list` 查看。"},
    {kCampaignExists, "campaign_exists", "There is already a campaign {0}.", "已有战役 {0}。"},
    {kNoCampaigns, "no_campaigns",
     "There is no campaign in {0} yet. `arbiter campaign new NAME` begins one, `arbiter play "
     "--demo` "
     "plays the demo.",
     "{0} 中还没有战役。用 `arbiter campaign new 名称` 新建，或用 `arbiter play --demo` "
     "试玩演示。"},
    {kWhichCampaign, "which_campaign",
     "There are several campaigns: {0}. Choose one with --campaign.",
     "有多个战役：{0}。请用 --campaign 选择。"},
    {kNoNarrator, "no_narrator",
     "This campaign has no narrator, so nothing was played. Give a scripted one with --script "
     "FILE, or "
     "send the reply of your model with `arbiter turn --said TEXT`.",
     "这场战役还没有说书人，因此什么都没有发生。请用 --script 文件 指定脚本，"
     "或用 `arbiter turn --said 文字` 送入模型的回复。"},
    {kTurnUnknown, "turn_unknown",
     "There is no turn {0}. Write a number, the beginning of an id, head, head~2 or the name of a "
     "checkpoint; only the newest checkpoints are kept (rollback.max_checkpoints).",
     "没有回合 {0}。可写编号、id 的开头、head、head~2 或存档点名称；只保留最新的几个存档点"
     "（rollback.max_checkpoints）。"},
    {kTurnAmbiguous, "turn_ambiguous", "More than one turn is meant by {0}. Write more of its id.",
     "{0} 可指多个回合。请写出更长的 id。"},
    {kHeadMoved, "head_moved",
     "The campaign {0} was changed by another process in the meantime. Look at it again.",
     "战役 {0} 已被他人写入。请重新查看。"},
    {kNothingToUndo, "nothing_to_undo", "There is no rollback of {0} to undo.",
     "战役 {0} 没有可撤销的回退。"},
    {kCorrupt, "corrupt", "{0} is damaged: {1}.", "{0} 已损坏：{1}。"},
    {kPngHeader, "png_header",
     "This picture does not begin with the header that every PNG has (IHDR, 13 bytes). Use the "
     "card's original file.",
     "这张图片的开头不是 PNG 必有的文件头（IHDR，13 字节）。请使用角色卡的原始文件。"},
    {kPngTruncated, "png_truncated",
     "The picture ends inside its chunk {0}: it was not copied whole. Download or export the card "
     "again.",
     "图片在数据块 {0} 中间就结束了，文件不完整。请重新下载或导出角色卡。"},
    {kPngDamaged, "png_damaged",
     "The picture's chunk {0} does not have its checksum: bytes were changed on the way. Download "
     "or export the card again.",
     "图片的数据块 {0} 校验和不符，内容已被改动。请重新下载或导出角色卡。"},
    {kPngChunkTooLong, "png_chunk_too_long",
     "The picture's text chunk {0} has {1} bytes; the limit is {2}. Cards are smaller: remove what "
     "is not text from it.",
     "图片的文本块 {0} 有 {1} 字节，上限是 {2}。请移除其中不属于文字的内容。"},
    {kPngTextBroken, "png_text_broken",
     "The picture's text chunk {0} is not laid out as PNG says, or what it packs cannot be "
     "unpacked. Export the card again, as PNG or JSON.",
     "图片的文本块 {0} 不符合 PNG 格式，或其压缩内容无法解开。请把角色卡重新导出为 PNG 或 JSON。"},
    {kPngBomb, "png_bomb",
     "The picture's text chunk {0} unpacks to more than {1} bytes, or to more than {2} times its "
     "size. No card does; export it without compression.",
     "图片的文本块 {0} 解开后超过 {1} 字节，或超过原来的 {2} "
     "倍。正常的角色卡不会如此；请不压缩导出。"},
    {kPngNoCard, "png_no_card",
     "There is no card in this picture: no text chunk is called chara or ccv3. Many sites remove "
     "it from pictures; use the original file, or export the card as JSON.",
     "这张图片里没有角色卡：没有名为 chara 或 ccv3 的文本块。许多网站会去掉它；请使用原始文件，或把"
     "角色卡导出为 JSON。"},
    {kCardNotBase64, "card_not_base64",
     "The picture's text chunk {0} is neither base64 nor JSON. Export the card again.",
     "图片的文本块 {0} 既不是 base64 也不是 JSON。请重新导出角色卡。"},
    {kCardForm, "card_form", "A card is not read from a {0} file. Export it as PNG, JSON or YAML.",
     "不能从 {0} 文件读取角色卡。请导出为 PNG、JSON 或 YAML。"},
    {kCardNone, "card_none",
     "This is not a character card. A card has a name at the top (version 1), or spec and data "
     "with a "
     "name in it (versions 2 and 3).",
     "这不是角色卡。角色卡在最外层有 name（V1），或有 spec 与带 name 的 data（V2、V3）。"},
    {kCardLorebook, "card_lorebook",
     "This is a lorebook, not a card. Its [initvar] entries can be given beside a card, with "
     "--initvar FILE.",
     "这是世界书，不是角色卡。可用 --initvar FILE 把其中的 [initvar] 条目与角色卡一起使用。"},
    {kInitvarSyntax, "initvar_syntax",
     "The first variables cannot be read from here on ({0}). Write them as YAML (name: value) or "
     "as JSON.",
     "初始变量从这里起无法读取（{0}）。请写成 YAML（名字: 值）或 JSON。"},
    {kInitvarShape, "initvar_shape",
     "The first variables are names with values, not {0}. Write them as name: value, one a line.",
     "初始变量应为名字与值，而不是 {0}。请每行写一个，如 名字: 值。"},
    {kGreetingUnknown, "greeting_unknown",
     "The card has no greeting {0}. They are numbered from 0 to {1}.",
     "角色卡没有第 {0} 个开场白。编号从 0 到 {1}。"},
    {kModelRefused, "model_refused",
     "The model refused to answer: {0}. Say it in other words, or ask another model.",
     "模型拒绝回答：{0}。请换一种说法，或换一个模型。"},
    {kModelKey, "model_key",
     "The model does not accept the key that it was given: {0}. Check the key and what it may be "
     "used for.",
     "模型不接受所给的密钥：{0}。请检查密钥及其权限。"},
    {kModelRateLimited, "model_rate_limited",
     "The model is rate-limiting us: {0}. Wait a little and try again.",
     "请求过于频繁，模型暂时限流：{0}。请稍候再试。"},
    {kModelOverloaded, "model_overloaded",
     "The model cannot answer at the moment: {0}. Try again, or ask another model.",
     "模型目前无法回答：{0}。请重试，或换一个模型。"},
    {kModelTimeout, "model_timeout",
     "The model did not answer in time ({0}). Try again, or allow it more time.",
     "模型没有及时回答（{0}）。请重试，或放宽时限。"},
    {kModelUnreachable, "model_unreachable",
     "The model cannot be reached: {0}. Check its address, and that it is running.",
     "无法连接模型：{0}。请检查地址，并确认它正在运行。"},
    {kModelCutOff, "model_cut_off",
     "The model's answer broke off: {0}. What came of it was not used; try again.",
     "模型的回答中断了：{0}。已收到的部分未被采用；请重试。"},
    {kModelTooLong, "model_too_long",
     "The request is too long for the model: {0}. Shorten the prompt, or use a model with a "
     "larger context.",
     "请求超出模型的上下文：{0}。请缩短提示词，或使用上下文更大的模型。"},
    {kModelBadAnswer, "model_bad_answer",
     "The model returned something that is not an answer: {0}. Check that the address is that of a "
     "model.",
     "模型返回的内容不是回答：{0}。请确认地址确实是模型的地址。"},
    {kModelCancelled, "model_cancelled", "The answer was stopped before it was complete.",
     "回答在完成之前被停止了。"},
    {kScriptSilent, "script_silent",
     "The script has no answer left for request {0} (\"{1}\"). Add one under answers, or a "
     "default.",
     "脚本没有可用于第 {0} 次请求（“{1}”）的回答。请在 answers 下添加一条，或写一个 default。"},
    {kCampaignBusy, "campaign_busy",
     "Another turn of {0} is running. Wait until it has ended, then say it again.",
     "战役 {0} 正在进行另一个回合。请等它结束后再说。"},
    {kRollbackOff, "rollback_off",
     "Checkpoints and rollback are switched off: {0} is 0. Set it to the number of checkpoints to "
     "keep.",
     "存档点与回滚已关闭：{0} 为 0。请设为要保留的存档点数量。"},
    {kToolIncomplete, "tool_incomplete", "The tool {0} cannot be registered: {1}.",
     "工具 {0} 无法登记：{1}。"},
    {kToolTwice, "tool_twice", "There is a tool {0} already.", "已有名为 {0} 的工具。"},
    {kToolPath, "tool_path", "A tool may not write {0}. Below campaign it may write {1}.",
     "工具不能写入 {0}。在 campaign 之下只能写入 {1}。"},
    {kNameTaken, "name_taken", "The name {0} is taken already.", "名称 {0} 已被占用。"},
    {kUnknownTool, "unknown_tool", "There is no tool {0}. Available: {1}.",
     "没有工具 {0}。可用：{1}。"},
    {kToolsNeedTable, "tools_need_table", "Tools need a table. Add --table FILE, or --table demo.",
     "工具需要跑团模板，请加上 --table 文件，或 --table demo。"},
    {kToolNoSource, "tool_no_source", "The tool {0} is not a tool of data; it has no YAML file.",
     "工具 {0} 不是数据工具，没有对应的 YAML 文件。"},
    {kSettingIncomplete, "setting_incomplete", "The setting {0} cannot be registered: {1}.",
     "设置项 {0} 无法登记：{1}。"},
    {kSettingTwice, "setting_twice", "There is a setting {0} already.", "已有名为 {0} 的设置项。"},
    {kSettingsExclude, "settings_exclude",
     "{0} and {1} cannot both be on. Turn one off in the same change: {0} true {1} false.",
     "{0} 与 {1} 不能同时开启，请在同一次修改中关闭其一：{0} true {1} false。"},
    {kDialogIncomplete, "dialog_incomplete", "The dialog type {0} cannot be registered: {1}.",
     "对话类型 {0} 无法登记：{1}。"},
    {kGoalFixed, "goal_fixed", "The goal of a campaign is set once and stays as it is.",
     "战役的终极目标只能设定一次，之后不可改写。"},
    {kNotInParty, "not_in_party", "{0} is not in the party. The party: {1}.",
     "{0} 不在队伍中，队伍里有 {1}。"},
    {kMapBroken, "map_broken", "The map is inconsistent at {0}: {1}.", "地图在 {0} 处有误：{1}。"},
    {kNoCampaign, "no_campaign", "This document does not contain a campaign.",
     "此文档中没有战役。"},
    {kAuthorityRow, "authority_row", "The authoritative path {0} cannot be used: {1}.",
     "权威路径 {0} 无法使用：{1}。"},
    {kFileUnreadable, "file_unreadable", "Cannot read {0}: {1}.", "无法读取 {0}：{1}。"},
    {kFileUnwritable, "file_unwritable", "Cannot write {0}: {1}.", "无法写入 {0}：{1}。"},
    {kUnknownCommand, "unknown_command", "There is no command {0}. `arbiter --help` lists them.",
     "没有命令 {0}。用 `arbiter --help` 查看全部命令。"},
    {kUnknownOption, "unknown_option", "There is no option {0} here.", "这里没有选项 {0}。"},
    {kMissingArgument, "missing_argument", "{0} is missing.", "缺少 {0}。"},
    {kMissingValue, "missing_value", "The option {0} needs a value.", "选项 {0} 需要一个值。"},
    {kBadOptionValue, "bad_option_value", "{1} is not a value of {0}. It takes {2}.",
     "{1} 不是 {0} 的可用值。可用：{2}。"},
    {kNoOptionValue, "no_option_value", "The option {0} takes no value, but was given {1}.",
     "选项 {0} 不带值，却给了 {1}。"},
    {kTwiceStdin, "twice_stdin",
     "Standard input can be read only once: give a file for one of both.",
     "标准输入只能读一次：其中一个请指定文件。"},
    {kTooManyArguments, "too_many_arguments", "One argument too many: {0}.", "多了一个参数：{0}。"},
});

// Every code has its row, in the order of the enum.
constexpr bool is_complete() {
    for (std::size_t i = 0; i < kMessages.size(); ++i) {
        if (kMessages[i].code != static_cast<ErrorCode>(i)) {
            return false;
        }
    }
    return kMessages.size() == static_cast<std::size_t>(kCount);
}
static_assert(is_complete());

}  // namespace

std::span<const Message> messages() noexcept {
    return kMessages;
}

std::string_view name(ErrorCode code) noexcept {
    return kMessages[static_cast<std::size_t>(code)].name;
}

namespace {

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}
// The first byte of U+4000 to U+9FFF in UTF-8.
bool is_chinese(char c) {
    return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
}
bool ends_in_chinese(std::string_view text) {
    return text.size() > 2 && is_chinese(text[text.size() - 3]);
}

}  // namespace

std::string format_message(std::string_view pattern, std::span<const std::string> arguments) {
    std::string out;
    out.reserve(pattern.size() + 32);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const bool slot = pattern[i] == '{' && i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                          pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
        const std::size_t index = slot ? static_cast<std::size_t>(pattern[i + 1] - '0') : 0;
        if (!slot || index >= arguments.size()) {
            out.push_back(pattern[i]);
            continue;
        }
        const std::string& argument = arguments[index];
        i += 2;
        if (!argument.empty() && is_ascii(argument.front()) && ends_in_chinese(out)) {
            out.push_back(' ');
        }
        out += argument;
        if (!argument.empty() && is_ascii(argument.back()) && i + 1 < pattern.size() &&
            is_chinese(pattern[i + 1])) {
            out.push_back(' ');
        }
    }
    return out;
}

std::string explain(const Error& error, Language language) {
    const Message& message = kMessages[static_cast<std::size_t>(error.code)];
    const std::string_view text =
        language == Language::kChinese ? message.chinese : message.english;
    const Translated marks = translated(error.code);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < error.arguments.size(); ++i) {
        const std::string& argument = error.arguments[i];
        if ((marks.kinds >> i & 1U) != 0) {
            words.push_back(kinds_in_words(argument, language));
        } else {
            const bool phrase = (marks.phrases >> i & 1U) != 0;
            words.emplace_back(phrase ? in_words(argument, language) : std::string_view(argument));
        }
    }
    return format_message(text, words);
}

std::string explain(const Place& place, Language language) {
    const std::string words[] = {std::to_string(place.line), std::to_string(place.column)};
    return format_message(
        language == Language::kChinese ? "第 {0} 行第 {1} 列" : "line {0}, column {1}", words);
}

}  // namespace arbiter::base
