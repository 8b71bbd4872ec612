#include "proposal/code.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/phrases.h"
#include "base/text.h"

#include "base/text.h"

namespace arbiter::proposal {
namespace {

using enum Status;

constexpr auto kCodes = std::to_array<CodeRow>({
    {Code::kParseError, "parse_error", kRejected, "{0} cannot be read.", "{0} 无法读懂。"},
    {Code::kBadEntry, "bad_entry", kRejected,
     "An entry of a batch is {0}. Each entry is an object such as {\"action\": …} or {\"op\": …}, "
     "or a list such as [SET, path, value].",
     "一批指令中有一项是{0}。每一项应是 {\"action\": …} 或 {\"op\": …} 这样的对象，或 [SET, 路径, "
     "值] "
     "这样的列表。"},
    {Code::kMissingAction, "missing_action", kRejected,
     "The entry has no action. Give one of set, add, update, patch, push, pull, delete, ensure.",
     "条目缺少 action。可用：set、add、update、patch、push、pull、delete、ensure。"},
    {Code::kUnknownAction, "unknown_action", kRejected,
     "Invalid operation type: {0}. Available: {1}.", "没有操作 {0}。可用：{1}。"},
    {Code::kBadPrefix, "bad_prefix", kRejected, "The key {0} must begin with \"{1}\".",
     "键 {0} 必须以 {1} 开头。"},
    {Code::kBadPath, "bad_path", kRejected,
     "{0} is not a path that can be written to. Each name in a path needs at least one "
     "character.",
     "{0} 不是可写的路径。路径中的名字不能为空。"},
    {Code::kTooDeep, "too_deep", kRejected, "Nested deeper than {0} levels.", "嵌套超过 {0} 层。"},
    {Code::kMissingValue, "missing_value", kRejected,
     "Missing required field: value. {0} needs one.", "缺少必填字段 value：{0} 需要一个值。"},
    {Code::kBadValue, "bad_value", kRejected, "{0} needs {1}.", "{0} 需要{1}。"},
    {Code::kBadOptions, "bad_options", kRejected, "The option {0} needs {1}.",
     "选项 {0} 需要 {1}。"},
    {Code::kContradictoryGuards, "contradictory_guards", kRejected,
     "ifMissing and ifExists can never both hold.", "ifMissing 与 ifExists 不可能同时成立。"},
    {Code::kSecurityRisk, "security_risk", kRejected,
     "Security risk detected in instruction: the name {0} is not allowed.",
     "指令存在安全风险：不允许使用名字 {0}。"},
    {Code::kDerived, "derived", kRejected,
     "{0} is computed by the system. Change what it is computed from.",
     "{0} 由系统自动计算。请修改它所依据的数值。"},
    {Code::kProtected, "protected", kRejected, "{0} is protected (_is_protected).",
     "{0} 受保护（_is_protected）。"},
    {Code::kHiddenNode, "hidden_node", kRejected,
     "{0} is hidden at present and cannot be replaced, moved or deleted as a whole. Write a single "
     "field of it.",
     "{0} 目前处于隐藏状态，不能整体覆盖、移动或删除。请只写其中的单个字段。"},
    {Code::kNotAllowed, "not_allowed", kRejected, "Writing to {0} is not allowed here.",
     "这里不允许写入 {0}。"},
    {Code::kTooLarge, "too_large", kRejected, "{0} is over the limit of {1}.", "{0}超过上限 {1}。"},
    {Code::kNotFound, "not_found", kFailed, "There is nothing at {0}.", "路径 {0} 不存在。"},
    {Code::kTypeMismatch, "type_mismatch", kFailed, "{0} is {1}; this needs {2}.",
     "{0} 是{1}，此操作需要{2}。"},
    {Code::kVersionConflict, "version_conflict", kFailed,
     "{0} has version {2}, not {1}: it was changed in between.",
     "{0} 的版本是 {2} 而不是 {1}：它已被别人修改。"},
    {Code::kExpectFailed, "expect_failed", kFailed,
     "After the change {0} does not meet expect: expected {1}, actual {2}. It was undone.",
     "修改后 {0} 不满足 expect：期望 {1}，实际 {2}；已撤销。"},
    {Code::kUniqueViolation, "unique_violation", kFailed, "{0} already has a member {1}.",
     "{0} 中已有 {1}。"},
    {Code::kNotEmpty, "not_empty", kFailed, "{0} is not empty and cascade is false.",
     "{0} 不为空，而 cascade 为 false。"},
    {Code::kBadIndex, "bad_index", kFailed, "{0} is beyond the end: the list has {1} elements.",
     "{0} 越界：列表有 {1} 个元素。"},
    {Code::kDivideByZero, "divide_by_zero", kFailed, "{0} cannot be divided by 0.",
     "{0} 不能除以 0。"},
    {Code::kOldMismatch, "old_mismatch", kFailed, "{0} is {2}, not {1} as stated.",
     "{0} 是 {2}，而不是所说的 {1}。"},
    {Code::kTargetExists, "target_exists", kFailed, "There is already something at {0}.",
     "{0} 处已有内容。"},
    {Code::kTestFailed, "test_failed", kFailed, "{0} is {2}, not {1}; the patch was undone.",
     "{0} 是 {2}，而不是 {1}；整个补丁已撤销。"},
    {Code::kSchemaLocked, "schema_locked", kFailed, "The structure of {0} is locked.",
     "{0} 的结构已锁定。"},
    {Code::kConstraint, "constraint", kFailed, "{0} is outside its limit: {1}.",
     "{0} 超出限制：{1}。"},
    {Code::kGuardNotMet, "guard_not_met", kSkipped, "Skipped: {0} does not hold.",
     "已跳过：条件 {0} 不成立。"},
    {Code::kDialogType, "dialog_type", kRejected,
     "Nothing changes in the dialog type {0}; switch to scene or action first.",
     "对话类型 {0} 不改变任何状态；请先切换到 `scene` 或 `action`。"},
});

constexpr auto kWarnings = std::to_array<WarningRow>({
    {Warning::kRepaired,
     "repaired",
     "The text had to be repaired to be read.",
     "文本经修复后才能读懂。",
     {"{0} was read as {1}.", "{0} 已按 {1} 处理。"}},
    {Warning::kUnclosed, "unclosed", "The block was not closed before the end of the reply.",
     "回复结束时该块仍未闭合。"},
    {Warning::kUnknownOption,
     "unknown_option",
     "An option or member is not known; it was ignored.",
     "有未知的选项或成员，已忽略。",
     {"{0} is not known here; it was ignored.", "这里没有 {0}，已忽略。"}},
    {Warning::kNumberCoerced,
     "number_coerced",
     "A numeric text was taken as a number.",
     "数字写成了文字，已按数字处理。",
     {"{0} was read as the number {1}.", "{0} 已读作数字 {1}。"}},
    {Warning::kSegmentCoerced, "segment_coerced", "A number in a path was taken as a name.",
     "路径中的数字已按名字处理。"},
    {Warning::kOldMismatch, "old_mismatch", "The stated old value is not the present one.",
     "所说的旧值与当前值不符。"},
    {Warning::kActionMismatch, "action_mismatch",
     "The entry's action differs from its group's; the entry's was used.",
     "条目的 action 与所在分组不同，以条目为准。"},
    {Warning::kDeduped, "deduped", "The element is already there; nothing was added.",
     "该元素已存在，未重复添加。"},
    {Warning::kIdempotencyMismatch, "idempotency_mismatch",
     "The same idempotency key came with another action or value.",
     "相同的幂等键却带有不同的操作或值。"},
    {Warning::kVersionStripped, "version_stripped", "__version inside a value was ignored.",
     "值中的 __version 已忽略。"},
    {Warning::kBothExpiries, "both_expiries",
     "ttl and expiresAt were both given; the earlier holds.",
     "同时给出了 ttl 与 expiresAt，以较早者为准。"},
    {Warning::kClamped,
     "clamped",
     "The value was cut to its bound.",
     "数值已截到边界。",
     {"{0}: {1} was asked for; the limit {2} allows {3}.",
      "{0}：要求 {1}，限制（{2}）只允许 {3}。"}},
    {Warning::kProtected,
     "protected",
     "Part of the target is protected and stayed.",
     "目标的一部分受保护，已保留。",
     {"{0} stayed: it is computed, read-only or protected.",
      "{0} 已保留：它由系统计算、只读或受保护。"}},
    {Warning::kTimeBackwards, "time_backwards", "The date went back; nothing was computed from it.",
     "日期倒退，未据此自动演算。"},
    {Warning::kHardDeleted, "hard_deleted", "Deleted for good: it was in the recycle bin.",
     "已彻底删除：它在回收站内。"},
    {Warning::kFilterIgnored, "filter_ignored", "_filter has no effect here.",
     "_filter 在此处不起作用。"},
    {Warning::kTimelineMissing, "timeline_missing",
     "时间.当前 was set without an entry in 时间.时间轴.",
     "设置了 时间.当前，却没有写入 时间.时间轴。"},
    {Warning::kExampleName, "example_name",
     "The value still holds an example name or a <placeholder>.", "值中仍含有示例名或 <占位符>。"},
    {Warning::kDowngraded, "downgraded",
     "It uses a feature that is switched off, and was carried out without that feature.",
     "用到了已关闭的功能，已按降级方式执行。"},
    {Warning::kTypeChanged,
     "type_changed",
     "A number was replaced by something else.",
     "数字被替换成了别的内容。",
     {"{0} was the number {1} and now is {2}.", "{0} 原为数字 {1}，现为 {2}。"}},
    {Warning::kOverwritten,
     "overwritten",
     "Something that was there was overwritten.",
     "原有内容已被覆盖。",
     {"{0} was {1} and was overwritten.", "{0} 原为 {1}，已被覆盖。"}},
    {Warning::kDateUnreadable, "date_unreadable",
     "The date or time cannot be read, or belongs to another calendar; no time passes. The next "
     "one "
     "that can be read is compared with the last one that could. Write it as the "
     "calendar of the campaign does.",
     "日期或时间无法读懂，或属于另一种历法，因此没有时间流逝；下一个能读懂的会与上一个能读懂的比较"
     "。"
     "可读的写法如 3月9日、公元2024年2月29日、三月初五、第12天；时间如 "
     "08:30、下午3点、子时三刻、黄昏。"},
    {Warning::kOutputUnreadable, "output_unreadable",
     "The output of a stock cannot be read, so the stock does not change by itself. Write [output, "
     "stock]: [\"3/d\", 100], [\"-10(kg)/week\", \"50(kg)\"], [\"5-8/month\", 1].",
     "无法读懂产出，存量不会自动变化。写成 [产出, 存量]，如 [\"3/d\", 100]、[\"-10(袋)/周\", "
     "\"50(袋)\"]、[\"5-8/月\", 1]。"},
    {Warning::kMalformedList, "malformed_list",
     "A member of the list cannot be read. Write names as a;b, names with numbers as a:2;b:2.",
     "列表中有读不懂的成员。名字写成 力量;白刃，带数值的写成 力量:2;白刃:2。"},
});

// Other sentences for a code, chosen by the number of its details.
struct Variant {
    Code code;
    std::size_t details;
    base::TextView text;
};
constexpr Variant kVariants[] = {
    {Code::kBadValue, 3, {"{0} needs {1}, not {2}.", "{0} 需要{1}，而不是 {2}。"}},
    {Code::kBadOptions,
     3,
     {"The option {0} needs {1}, not {2}.", "选项 {0} 需要{1}，而不是 {2}。"}},
    {Code::kBadPath,
     2,
     {"{0} is not a path that can be written to. Write it as {1}.",
      "{0} 不是可写的路径。请写成 {1}。"}},
    {Code::kBadPath,
     3,
     {"{0} has an empty name: each name in a path needs at least one character. Write it as {1}.",
      "{0} 中有空的名字：路径中的每个名字至少要有一个字。请写成 {1}。"}},
    {Code::kMissingValue,
     2,
     {"Missing required field: value. {0} needs it, or one of the options {1}.",
      "缺少必填字段 value：{0} 需要它，或选项 {1} 之一。"}},
    {Code::kBadValue,
     4,
     {"The value of {0} lacks the field {1} that {2} names.", "{0} 的值缺少 {2} 指定的字段 {1}。"}},
    {Code::kTypeMismatch, 4, {"{3} is {2}, but {0} is {1}.", "{3} 是{2}，而 {0} 是{1}。"}},
    {Code::kHiddenNode,
     2,
     {"{0} contains a node that is hidden at present, so it cannot be replaced, moved or deleted "
      "as a whole. Write or delete its other members one by one.",
      "{0} 中有目前处于隐藏状态的节点，不能整体覆盖、移动或删除。请逐个修改或删除其他成员。"}},
    {Code::kHiddenNode,
     3,
     {"{0} is part of a node that is hidden at present, so it cannot be copied or moved to {2}, "
      "where it would be seen.",
      "{0} 属于目前处于隐藏状态的节点，不能复制或移动到会被看见的 {2}。"}},
    {Code::kDerived,
     2,
     {"{0} is read-only: a command may create it, but not change or delete it.",
      "{0} 是只读的：指令可以创建它，但不能修改或删除。"}},
    {Code::kGuardNotMet,
     2,
     {"Skipped: {1} is already there, so {0} leaves it alone.",
      "已跳过：{1} 已有内容，{0} 不会改动它。"}},
    {Code::kNotAllowed,
     3,
     {"{0} is refused here: {1}. Write {2}.", "这里不能操作 {0}：{1}。请写成 {2}。"}},
    {Code::kNotAllowed, 2, {"{0} is refused here: {1}.", "这里不能操作 {0}：{1}。"}},
    {Code::kConstraint,
     3,
     {"{0} is outside its limit: {1}; {2} was asked for.", "{0} 超出限制：{1}；要求的是 {2}。"}},
    {Code::kTooLarge,
     3,
     {"{2} was not tried to the end: the conditions, patterns, formulas and limits of one turn may "
      "take {1} steps together. Change less at once.",
      "{2} 没有处理完：一回合内的条件、正则、公式和限制一共最多 {1} 步。请减少一次的改动。"}},
    {Code::kTargetExists,
     2,
     {"{0} cannot be moved into itself ({1}).", "{0} 不能移动到它自己里面（{1}）。"}},
};

// "3:14 `x`" as "line 3, column 14: `x`"; a text of another form as it is.
std::string position_in_words(const std::string& position, base::Language language) {
    base::Place place;
    const char* const end = position.data() + position.size();
    const auto [colon, bad_line] = std::from_chars(position.data(), end, place.line);
    if (bad_line != std::errc() || colon == end || *colon != ':') {
        return position;
    }
    const auto [rest, bad_column] = std::from_chars(colon + 1, end, place.column);
    if (bad_column != std::errc()) {
        return position;
    }
    std::string out = base::explain(place, language);
    if (rest != end && *rest == ' ') {
        out += language == base::Language::kChinese ? "：" : ": ";
        out.append(rest + 1, end);
    }
    return out;
}

// A detail as it is in the message. Phrases and kinds of values are translated; paths and
// values are quotations.
std::string in_words(const Problem& problem, std::size_t index, base::Language language) {
    const std::string& detail = problem.details[index];
    const auto phrase = [&] { return std::string(base::in_words(detail, language)); };
    switch (problem.code) {
        case Code::kParseError:
            return position_in_words(detail, language);
        case Code::kUnknownAction:
            return index == 0 && detail.empty() ? std::string(base::in_words("(none)", language))
                                                : detail;
        case Code::kBadEntry:
        case Code::kBadPath:
        case Code::kTooLarge:
            return index == 0 ? phrase() : detail;
        case Code::kBadValue:
        case Code::kBadOptions:
        case Code::kConstraint:
        case Code::kNotAllowed:
            return index == 1 ? phrase() : detail;
        case Code::kTypeMismatch:
            return index == 1 || index == 2 ? base::kinds_in_words(detail, language) : detail;
        default:
            return detail;
    }
}

template <typename Rows, typename Key>
constexpr bool is_complete(const Rows& rows, Key key) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (static_cast<std::size_t>(key(rows[i])) != i) {
            return false;
        }
    }
    return rows.size() == static_cast<std::size_t>(decltype(key(rows[0]))::kCount);
}
static_assert(is_complete(kCodes, [](const CodeRow& row) { return row.code; }));
static_assert(is_complete(kWarnings, [](const WarningRow& row) { return row.warning; }));

}  // namespace

std::string_view name(Status status) noexcept {
    switch (status) {
        case kApplied:
            return "applied";
        case kSkipped:
            return "skipped";
        case kDuplicate:
            return "duplicate";
        case kRejected:
            return "rejected";
        case kFailed:
            return "failed";
        case kRolledBack:
            return "rolled_back";
    }
    return "";
}

std::span<const CodeRow> codes() noexcept {
    return kCodes;
}
std::span<const WarningRow> warnings() noexcept {
    return kWarnings;
}
std::string_view name(Code code) noexcept {
    return kCodes[static_cast<std::size_t>(code)].name;
}
std::string_view name(Warning warning) noexcept {
    return kWarnings[static_cast<std::size_t>(warning)].name;
}
Status status_of(Code code) noexcept {
    return kCodes[static_cast<std::size_t>(code)].status;
}

namespace {

// The causes of parse_error.
struct CauseRow {
    std::string_view name;
    base::TextView text;
};
constexpr auto kCauses = std::to_array<CauseRow>({
    {"unclosed_quote", {"the quote is not closed", "引号没有闭合"}},
    {"unclosed_bracket", {"the bracket is not closed", "括号没有闭合"}},
    {"unclosed_comment", {"the comment is not closed", "注释没有闭合"}},
    {"unclosed_tag", {"the tag inside it is not closed", "其中的标签没有闭合"}},
    {"missing_colon", {"a colon is missing behind the name", "名字后面缺少冒号"}},
    {"bad_number", {"the number cannot be stored", "这个数字无法保存"}},
    {"missing_value", {"a value is missing", "缺少一个值"}},
    {"cut_off", {"it is cut off", "内容不完整"}},
    {"unexpected", {"this does not belong here", "这里不应有这个内容"}},
});

std::string explain_parse_error(const Problem& problem, base::Language language) {
    const auto cause = std::ranges::find(kCauses, problem.details[3], &CauseRow::name);
    const CauseRow& row = cause != kCauses.end() ? *cause : kCauses.back();
    const std::string words[] = {problem.details[1], problem.details[2],
                                 std::string(row.text.in(language)), problem.details[0]};
    return base::format_message(language == base::Language::kEnglish
                                    ? "Line {0}, column {1}: {2}: {3}"
                                    : "第 {0} 行第 {1} 列：{2}：{3}",
                                words);
}

}  // namespace

std::string explain(const Problem& problem, base::Language language) {
    // {0} = the text, {1} = line, {2} = column, {3} = cause; older records have {0} only.
    if (problem.code == Code::kParseError && problem.details.size() == 4) {
        return explain_parse_error(problem, language);
    }
    const CodeRow& row = kCodes[static_cast<std::size_t>(problem.code)];
    std::vector<std::string> words;
    for (std::size_t i = 0; i < problem.details.size(); ++i) {
        words.push_back(in_words(problem, i, language));
    }
    base::TextView text = {row.english, row.chinese};
    for (const Variant& variant : kVariants) {
        if (variant.code == problem.code && variant.details == words.size()) {
            text = variant.text;
        }
    }
    return base::format_message(text.in(language), words);
}

namespace {

// "per_day 10": the key is an English word, which a Chinese sentence translates.
std::string limit_in_chinese(std::string_view limit) {
    constexpr std::pair<std::string_view, std::string_view> kKeys[] = {
        {"change", "每次变化"},  {"step", "每次变化"}, {"per_turn", "每回合变化"},
        {"per_day", "每日变化"}, {"min", "下限"},      {"max", "上限"}};
    const std::size_t end = std::min(limit.find(' '), limit.size());
    for (const auto& [key, words] : kKeys) {
        if (limit.substr(0, end) == key) {
            return std::string(words) + std::string(limit.substr(end));
        }
    }
    return std::string(limit);
}

}  // namespace

std::string explain(const Remark& remark, base::Language language) {
    const WarningRow& row = kWarnings[static_cast<std::size_t>(remark.warning)];
    if (remark.details.empty() || row.remark.empty()) {
        return std::string(language == base::Language::kEnglish ? row.english : row.chinese);
    }
    constexpr std::size_t kLimit = 2;
    std::vector<std::string> details = remark.details;
    if (remark.warning == Warning::kClamped && details.size() > kLimit &&
        language == base::Language::kChinese) {
        details[kLimit] = limit_in_chinese(details[kLimit]);
    }
    return base::format_message(row.remark.in(language), details);
}

std::vector<Warning> Warnings::list() const {
    std::vector<Warning> found;
    for (const WarningRow& row : kWarnings) {
        if (has(row.warning)) {
            found.push_back(row.warning);
        }
    }
    return found;
}

}  // namespace arbiter::proposal
