#include "prompt/reason.h"

#include <array>

namespace arbiter::prompt {
namespace {

struct ReasonRow {
    Reason reason;
    std::string_view name;  // "lore_key"
    std::string_view english;
    std::string_view chinese;
};

using enum Reason;

constexpr auto kRows = std::to_array<ReasonRow>({
    {kGiven, "given", "{0}", "{0}"},
    {kAlways, "always", "always there", "始终存在"},
    {kLesson, "lesson", "the profile teaches the dialect {0}", "配置方案教授 {0} 方言"},
    {kStateOf, "state_of", "the state at {0}", "{0} 处的状态"},
    {kStatePart, "state_part",
     "the state at {0}: {1} bytes of about {2}, as much as it has room for",
     "{0} 处的状态：约 {2} 字节中的 {1} 字节，以可用空间为限"},
    {kPin, "pin", "pinned: never left out", "已钉住：绝不省略"},
    {kFacts, "facts", "facts that were settled", "已确定的事实"},
    {kSummary, "summary", "{0} of {1} memories", "{1} 条记忆中的 {0} 条"},
    {kSummaryRequest, "distil", "the flag {0} is up: the memories are to be distilled",
     "旗帜 {0} 已升起：需要提炼记忆"},
    {kPowerLevel, "scale", "{0} is {1}", "{0} 为 {1}"},
    {kHistory, "history", "an earlier message of the story", "故事中较早的一条消息"},
    {kNewest, "newest", "the newest message", "最新的消息"},
    {kStart, "start", "a conversation begins with the user", "对话须由用户开始"},
    {kLoreKey, "lore_key", "the key {0} stands in the message {1} before the newest",
     "关键词 {0} 出现在倒数第 {1} 条之前的消息里（0 为最新）"},
    {kLoreConstant, "lore_constant", "a constant entry", "常驻条目"},
    {kLoreRecursion, "lore_recursion", "the key {0} stands in the entry {1}",
     "关键词 {0} 出现在条目 {1} 中"},
    {kLoreText, "lore_text", "the key {0} stands in {1}", "关键词 {0} 出现在 {1} 中"},
    {kLoreSticky, "lore_sticky", "it was mentioned and stays; messages left: {0}",
     "此前已提及，还会保留 {0} 条消息"},
    {kClient, "client", "a message of the chat client", "聊天客户端的消息"},
    {kTrimmed, "trimmed", "cut from {0} tokens to the {1} that it may have",
     "从 {0} 个 token 截短到允许的 {1} 个"},
    {kMovedLate, "moved_late",
     "it changes from turn to turn, so it stands behind the history (volatile: as_written in the "
     "plan leaves it in its place)",
     "内容每轮变化，因此排在历史之后（在方案中写 volatile: as_written 可保持原位）"},
    {kEmpty, "empty", "there is nothing in it", "内容为空"},
    {kRepeated, "repeated", "{0} is there already", "{0} 已经存在"},
    {kNotInPlan, "not_in_plan", "the plan {0} has no place for {1}", "方案 {0} 不含 {1}"},
    {kOverTotal, "over_total", "there is room for {0} tokens, and this goes {1}. in line",
     "总共只容 {0} 个 token，此类排在第 {1} 位舍弃"},
    {kOverKind, "over_kind", "all of {0} together may have {1} tokens",
     "{0} 合计只许 {1} 个 token"},
    {kOverBlock, "over_block", "it may have {0} tokens, and no line of it fits",
     "它只许 {0} 个 token，一行也放不下"},
    {kNoQuestion, "no_question", "the message that it answers was left out",
     "它所回应的消息已被省略"},
    {kHiddenLatest, "hidden_latest", "the newest {0} are held back, so that they are not repeated",
     "最新的 {0} 条暂不显示，以免被复述"},
    {kPlaceMissing, "place_missing", "there is nothing at {0}", "{0} 处没有内容"},
    {kNotInjected, "not_injected", "chat.inject is {0}", "chat.inject 为 {0}"},
    {kLoreSilent, "lore_silent", "none of its keys was found", "没有命中任何关键词"},
    {kLoreSecond, "lore_second", "{0} was found, but its other keys say no",
     "命中 {0}，但次要关键词不满足"},
    {kLoreDisabled, "lore_disabled", "it is switched off", "已停用"},
    {kLoreCondition, "lore_condition", "{0} does not hold", "条件 {0} 不成立"},
    {kLoreChance, "lore_chance", "its chance of {0} in a hundred did not come", "{0}% 的概率未中"},
    {kLoreGroup, "lore_group", "{1} stands for the group {0}", "分组 {0} 由 {1} 代表"},
    {kLoreDelay, "lore_delay", "it waits for {0} messages; there are {1}",
     "要等到 {0} 条消息，现在有 {1} 条"},
    {kLoreCooldown, "lore_cooldown", "it was shown lately and rests; messages left: {0}",
     "最近已出现，冷却还剩 {0} 条消息"},
    {kLoreTrigger, "lore_trigger", "it is not meant for {0}", "不用于 {0}"},
    {kLoreFilter, "lore_filter", "it is meant for other characters", "用于其他角色"},
    {kLoreOutlet, "lore_outlet", "it waits for the outlet {0}", "等待出口 {0}"},
    {kLoreWork, "lore_work", "patterns and conditions would take too long; this one was not tried",
     "正则与条件过于耗时，未尝试"},
    {kLorePage, "lore_page", "{0} is for the page of SillyTavern, not for the model",
     "{0} 用于酒馆页面，不发给模型"},
    {kTemplateSyntax, "template_syntax", "line {0} of its template: {1} was not expected there",
     "模板第 {0} 行：此处不应有 {1}"},
    {kTemplateUnclosed, "template_unclosed", "line {0} of its template: {1} is not closed",
     "模板第 {0} 行：{1} 没有闭合"},
    {kTemplateUnsupported, "template_unsupported",
     "line {0} of its template: {1} is not supported in templates", "模板第 {0} 行：不支持 {1}"},
    {kTemplateWrites, "template_writes",
     "line {0} of its template: {1} would change the state, which templates only read",
     "模板第 {0} 行：{1} 会改变状态，而模板只能读取状态"},
    {kTemplateVaries, "template_varies",
     "line {0} of its template: {1} gives another result each time",
     "模板第 {0} 行：{1} 每次的结果都不同"},
    {kTemplateUnknownName, "template_unknown_name", "line {0} of its template: {1} is not defined",
     "模板第 {0} 行：{1} 未定义"},
    {kTemplateNoMember, "template_no_member",
     "line {0} of its template: {1} has no value, so it has no {2}",
     "模板第 {0} 行：{1} 没有值，无法读取其中的 {2}"},
    {kTemplateNotCallable, "template_not_callable",
     "line {0} of its template: {1} is not a function", "模板第 {0} 行：{1} 不是函数"},
    {kTemplateConstant, "template_constant",
     "line {0} of its template: the constant {1} cannot be assigned",
     "模板第 {0} 行：{1} 是常量，不能赋值"},
    {kTemplateThrown, "template_thrown", "line {0} of its template stops with the error {1}",
     "模板第 {0} 行：因错误 {1} 中止"},
    {kTemplateSteps, "template_steps", "line {0} of its template: more than {1} steps",
     "模板第 {0} 行：超过 {1} 步"},
    {kTemplateBytes, "template_bytes", "line {0} of its template: more than {1} bytes",
     "模板第 {0} 行：超过 {1} 字节"},
    {kTemplateDepth, "template_depth", "line {0} of its template: nested more than {1} levels deep",
     "模板第 {0} 行：嵌套超过 {1} 层"},
    {kBothContexts, "both_contexts", "full and compressed context are both on; compressed is used",
     "完整与压缩上下文同时开启，采用压缩"},
    {kOverBudget, "over_budget", "what must stay has {0} tokens, and there is room for {1}",
     "必须保留的内容有 {0} 个 token，只容得下 {1} 个"},
    {kMacroLimit, "macro_limit", "{0} has more macros than are expanded",
     "{0} 中的宏超过上限，其余保持原样"},
});

consteval bool is_in_order() {
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (kRows[i].reason != static_cast<Reason>(i)) {
            return false;
        }
    }
    return kRows.size() == static_cast<std::size_t>(kCount);
}
static_assert(is_in_order());

}  // namespace

std::string_view name(Reason reason) noexcept {
    return kRows[static_cast<std::size_t>(reason)].name;
}

std::string explain(const Why& why, base::Language language) {
    const ReasonRow& row = kRows[static_cast<std::size_t>(why.reason)];
    return base::format_message(language == base::Language::kEnglish ? row.english : row.chinese,
                                why.words);
}

}  // namespace arbiter::prompt
