#include "table/summary.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "engine/marks.h"
#include "expr/formula.h"
#include "table/instructions.h"
#include "table/layout.h"
#include "table/settings.h"
#include "text/case_fold.h"
#include "text/truncate.h"
#include "value/json.h"

namespace arbiter::table {

using value::Array;
using value::Object;
using value::Value;

namespace {

// Members of the metadata of a campaign without a table.
constexpr std::string_view kSummaryKey = "summary";
constexpr std::string_view kUncoveredKey = "uncovered";

Value text(std::string_view of) {
    return of;
}

const Value* kept_summary(const engine::State& state) {
    return has_campaign(state.document) ? find_in_campaign(state.document, {"summary"})
                                        : state.meta.find(kSummaryKey);
}

bool is_pinned(const Value& entry) {
    return engine::is_mark_set(value::find_member(&entry, "pinned")) || engine::is_protected(entry);
}

const Value* memory_list(const Value& document, std::string_view list) noexcept {
    return value::find_member(
        value::find_member(value::find_member(&document, "assa_data"), "summary"), list);
}

// A memory of the dialect as one line.
std::string line_of(std::string_view title, const Value& memory) {
    const Value& plain = expr::undescribed(memory);
    std::string line = std::string(title) + ": ";
    if (plain.is_string()) {
        line += plain.as_string();
    } else if (!text_in(&plain, "text").empty()) {
        line += text_in(&plain, "text");
    } else {
        line += value::print_json(plain);
    }
    std::ranges::replace(line, '\n', ' ');
    return line;
}

template <typename Visit>
void visit_memories(const Value& document, std::string_view list, const Visit& visit) {
    const Value* found = memory_list(document, list);
    if (found == nullptr) {
        return;
    }
    if (found->is_object()) {
        for (const auto& [title, memory] : found->as_object()) {
            if (!title.view().starts_with('_')) {
                visit(title.view(), memory);
            }
        }
    } else if (found->is_array()) {
        std::size_t number = 0;
        for (const Value& memory : found->as_array()) {
            visit(std::to_string(++number), memory);
        }
    }
}

// The number of long memories that `after` has and `before` has not.
std::int64_t new_long_memories(const Value& before, const Value& after) {
    const Value* was = memory_list(before, "big");
    const Value* now = memory_list(after, "big");
    if (now == nullptr || (was != nullptr && was->is_identical(*now))) {
        return 0;
    }
    if (now->is_array()) {
        const std::size_t had = array_or_empty(was).size();
        return now->as_array().size() > had
                   ? static_cast<std::int64_t>(now->as_array().size() - had)
                   : 0;
    }
    std::int64_t count = 0;
    for (const auto& [title, memory] : object_or_empty(now)) {
        count += !title.view().starts_with('_') && value::find_member(was, title) == nullptr;
    }
    return count;
}

// True if the turn wrote a short or long memory; a settled list that was only emptied is not one.
bool wrote_memory(const Value& before, const Value& after) {
    if (new_long_memories(before, after) > 0) {
        return true;
    }
    const Value* was = memory_list(before, "small");
    const Value* now = memory_list(after, "small");
    if (now == nullptr || (was != nullptr && *was == *now)) {
        return false;
    }
    if (now->is_array()) {
        return now->as_array().size() > array_or_empty(was).size();
    }
    return std::ranges::any_of(object_or_empty(now), [&](const value::Member& each) {
        const Value* old = value::find_member(was, each.key);
        return old == nullptr || *old != each.value;
    });
}

std::string_view trimmed(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    return begin == std::string_view::npos
               ? std::string_view()
               : line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
}

// The rest of a line that begins with one of the words, in any case.
std::optional<std::string_view> behind(std::string_view line,
                                       std::initializer_list<std::string_view> words) {
    for (const std::string_view word : words) {
        if (line.size() >= word.size() && text::fold_case(line.substr(0, word.size())) == word) {
            return trimmed(line.substr(word.size()));
        }
    }
    return std::nullopt;
}

Value fact_value(std::string_view written) {
    auto parsed = value::parse_json(written);
    return parsed && !parsed->is_object() && !parsed->is_array() ? *std::move(parsed)
                                                                 : text(written);
}

std::expected<Effect, Refusal> do_summarize(const ToolContext& at, Random&) {
    static const Object kNone;
    const engine::State state{at.document, at.meta != nullptr ? *at.meta : kNone};
    const SummaryDue due = summary_due(state, at.settings);
    Effect made;
    if (due == SummaryDue::kNone) {
        made.result = Object{{"kept", false}};
        return made;
    }
    const Value* before = kept_summary(state);
    Array entries;
    for (const Value& entry : array_or_empty(value::find_member(before, "entries"))) {
        if (due != SummaryDue::kMerge || is_pinned(entry)) {
            entries = std::move(entries).push_back(entry);
        }
    }
    const Value* pins = at.args.find("pins");
    for (const Value& pin : array_or_empty(pins)) {
        Value entry = Object{{"text", pin}, {"pinned", true}};
        if (std::ranges::find(entries, entry) == entries.end()) {
            entries = std::move(entries).push_back(std::move(entry));
        }
    }
    entries = std::move(entries).push_back(Object{{"text", *at.args.find("text")}});
    Object facts = object_or_empty(value::find_member(before, "facts_json"));
    for (const auto& [key, fact] : object_or_empty(at.args.find("facts"))) {
        facts =
            fact.is_null() ? std::move(facts).erase(key.view()) : std::move(facts).set(key, fact);
    }
    const std::int64_t version = int_in(before, "version").value_or(0) + 1;
    Object summary = {
        {"entries", std::move(entries)}, {"facts_json", std::move(facts)}, {"version", version}};
    if (has_campaign(at.document)) {
        summary = std::move(summary).set("covers", turn_number(at.document));
        made.instructions.push_back(set_at(campaign_path({"summary"}), std::move(summary)));
    } else {
        made.meta = Object{{kSummaryKey, std::move(summary)}, {kUncoveredKey, 0}};
    }
    made.result = Object{{"kept", true}, {"version", version}};
    return made;
}

std::optional<Mismatch> check_summarize(const EffectCheck& seen) {
    const auto version = int_in(&seen.result, "version");
    if (!has_campaign(seen.after) || !version) {
        return std::nullopt;
    }
    const Array& entries = array_or_empty(find_in_campaign(seen.after, {"summary", "entries"}));
    const Value* written = seen.args.find("text");
    if (entries.empty() || summary_version(seen.after) != *version ||
        text_in(&entries[entries.size() - 1], "text") != written->as_string()) {
        return Mismatch{"campaign.summary", *version, summary_version(seen.after)};
    }
    return std::nullopt;
}

}  // namespace

bool has_memory_lists(const Value& document) noexcept {
    const Value* summary =
        value::find_member(value::find_member(&document, "assa_data"), "summary");
    return summary != nullptr && summary->is_object();
}

SummaryState summary_state(const engine::State& state) {
    const Value* kept = kept_summary(state);
    SummaryState made;
    for (const Value& entry : array_or_empty(value::find_member(kept, "entries"))) {
        made.entries.push_back({std::string(text_in(&entry, "text")), is_pinned(entry)});
    }
    made.facts = object_or_empty(value::find_member(kept, "facts_json"));
    made.version = int_in(kept, "version").value_or(0);
    if (has_campaign(state.document)) {
        made.uncovered = turn_number(state.document) - int_in(kept, "covers").value_or(0);
    } else if (const Value* count = state.meta.find(kUncoveredKey)) {
        made.uncovered = count->is_int() ? count->as_int() : 0;
    }
    made.uncovered = std::max<std::int64_t>(0, made.uncovered);
    return made;
}

Value summary_view(const engine::State& state) {
    const SummaryState own = summary_state(state);
    std::string all;
    Array pins;
    const auto add = [&](std::string_view line, bool pinned) {
        if (pinned) {
            pins = std::move(pins).push_back(text(line));
            return;
        }
        all += (all.empty() ? "" : "\n") + std::string(line);
    };
    for (const SummaryEntry& entry : own.entries) {
        add(entry.text, entry.is_pinned);
    }
    for (const std::string_view list : {"big", "small"}) {
        visit_memories(state.document, list, [&](std::string_view title, const Value& memory) {
            add(line_of(title, memory), engine::is_protected(expr::undescribed(memory)));
        });
    }
    for (const Value& pin : array_or_empty(memory_list(state.document, "pins"))) {
        pins = std::move(pins).push_back(pin);
    }
    Object facts = own.facts;
    for (const auto& [key, fact] : object_or_empty(memory_list(state.document, "facts"))) {
        facts = std::move(facts).set(key, fact);
    }
    return Object{
        {"summary_text", text(all)}, {"facts_json", std::move(facts)}, {"pins", std::move(pins)}};
}

std::int64_t summary_version(const Value& document) noexcept {
    return int_in(find_in_campaign(document, {"summary"}), "version").value_or(0);
}

SummaryDue summary_due(const engine::State& state, const Object& settings) {
    const std::int64_t every = number_in(settings, "summary.every_turns");
    const SummaryState own = summary_state(state);
    if (every <= 0 || own.uncovered < every) {
        return SummaryDue::kNone;
    }
    const std::int64_t most = number_in(settings, "summary.merge_at");
    const auto entries = std::ranges::count(own.entries, false, &SummaryEntry::is_pinned);
    const bool is_full = (most > 0 && entries >= most) || entries >= base::kSummaryEntriesMax;
    return is_full ? SummaryDue::kMerge : SummaryDue::kEntry;
}

std::optional<Object> summary_args(std::string_view content) {
    std::string words;
    Array pins;
    Object facts;
    for (std::size_t begin = 0; begin < content.size();) {
        const std::size_t end = std::min(content.find('\n', begin), content.size());
        const std::string_view line = trimmed(content.substr(begin, end - begin));
        begin = end + 1;
        if (line.empty()) {
            continue;
        }
        if (const auto pin = behind(line, {"pin:", "pin：", "勿忘:", "勿忘："})) {
            if (!pin->empty() && pins.size() < base::kSummaryPinsMax) {
                pins = std::move(pins).push_back(text(text::truncate(*pin, base::kDetailBytesMax)));
            }
            continue;
        }
        if (const auto fact = behind(line, {"fact:", "fact：", "事实:", "事实："})) {
            const std::size_t sign = fact->find('=');
            const std::string_view key = trimmed(fact->substr(0, sign));
            if (sign != std::string_view::npos && !key.empty() &&
                facts.size() < base::kSummaryPinsMax) {
                facts =
                    std::move(facts).set(text::truncate(key, base::kDetailBytesMax),
                                         fact_value(text::truncate(trimmed(fact->substr(sign + 1)),
                                                                   base::kDetailBytesMax)));
                continue;
            }
        }
        words += (words.empty() ? "" : "\n") + std::string(line);
    }
    if (words.empty()) {
        return std::nullopt;
    }
    Object args = {
        {"text", text(text::truncate_with_ellipsis(words, base::kToolTextBytesMax - 8))}};
    if (!pins.empty()) {
        args = std::move(args).set("pins", std::move(pins));
    }
    if (!facts.empty()) {
        args = std::move(args).set("facts", std::move(facts));
    }
    return args;
}

Tool summarize_tool() {
    Tool tool;
    tool.name = kSummaryTool;
    tool.parameters = {{"text",
                        Parameter::Type::kText,
                        true,
                        {"what has happened since the last summary", "上次总结以来发生的事"}},
                       {"pins",
                        Parameter::Type::kTexts,
                        false,
                        {"what must never be forgotten", "绝不能忘记的事"}},
                       {"facts",
                        Parameter::Type::kObject,
                        false,
                        {"settled facts, by name", "已确定的事实：名称与内容"}}};
    tool.reasons = {{"empty_summary", {"The summary has no words.", "总结没有内容。"}}};
    tool.conditions = {{Condition::Stage::kState,
                        "empty_summary",
                        {"The summary has words.", "总结有内容。"},
                        [](const ToolContext& at) -> std::optional<Details> {
                            const Value* written = at.args.find("text");
                            return written->as_string().find_first_not_of(" \t\r\n") !=
                                           std::string_view::npos
                                       ? std::nullopt
                                       : std::optional<Details>(std::in_place);
                        }}};
    tool.effect = do_summarize;
    tool.check = check_summarize;
    tool.for_agents = {
        "Keeps a summary of the story. Without effect unless you were asked for one.",
        "记下故事的总结；未被要求时没有作用。"};
    tool.for_people = {
        "Written by the narrator as a section <story_summary> when the prompt asks for it; covered "
        "turns may leave a compressed prompt.",
        "提示词要求时，由叙述者以 <story_summary> "
        "一段写出；已被总结的回合才会离开压缩后的提示词。"};
    return tool;
}

std::vector<proposal::Instruction> summary_after_turn(const Value& before, const Value& after) {
    std::vector<proposal::Instruction> due;
    if (!has_campaign(after)) {
        return due;
    }
    if (const std::int64_t more = new_long_memories(before, after); more > 0) {
        due.push_back(set_at(campaign_path({"summary", "version"}), summary_version(after) + more));
    }
    if (wrote_memory(before, after)) {
        due.push_back(set_at(campaign_path({"summary", "covers"}), turn_number(after) + 1));
    }
    return due;
}

Object count_uncovered(Object meta, const Value& before, const Value& after, std::int64_t number) {
    const Value* kept = meta.find(kUncoveredKey);
    const std::int64_t count =
        kept != nullptr && kept->is_int() ? kept->as_int() : std::max<std::int64_t>(0, number - 1);
    const std::int64_t most = INT64_MAX / 2;
    return std::move(meta).set(kUncoveredKey,
                               wrote_memory(before, after) ? 0 : std::min(count, most) + 1);
}

}  // namespace arbiter::table
