#include "prompt/summary.h"

#include <algorithm>
#include <array>

#include "engine/marks.h"
#include "expr/formula.h"
#include "prompt/fair_share.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {

using value::Path;
using value::Value;

namespace {

struct Memory {
    std::string title;
    std::string text;
    bool pinned = false;
};

// Any value as one line.
std::string flat_text(const Value& value) {
    StateView view;
    view.format = StateView::Format::kJson;
    view.descriptions = StateView::Descriptions::kNever;
    std::string text = render_value(value, view);
    std::ranges::replace(text, '\n', ' ');
    return text;
}

std::vector<Memory> memories_at(const Value& document, const Path& path) {
    std::vector<Memory> all;
    const Value* found = value::find(document, path);
    if (found == nullptr) {
        return all;
    }
    if (found->is_object()) {
        for (const auto& [key, value] : found->as_object()) {
            if (!is_reserved_key(key)) {
                all.push_back({std::string(key.view()), flat_text(value),
                               engine::is_protected(expr::undescribed(value))});
            }
        }
    } else if (found->is_array()) {
        std::size_t number = 0;
        for (const Value& value : found->as_array()) {
            all.push_back(
                {std::to_string(++number), flat_text(value), engine::is_protected(value)});
        }
    }
    return all;
}

std::string line_of(const Memory& memory) {
    std::string title = memory.title;
    std::ranges::replace(title, '\n', ' ');
    return "- " + title + ": " + memory.text;
}

const Value* config_at(const Value& document, const SummaryPlaces& places,
                       std::initializer_list<std::string_view> keys) {
    const Value* config = value::find(document, places.config);
    if (config == nullptr) {
        return nullptr;  // most documents have none
    }
    return value::find(*config, Path(keys.begin(), keys.end()));
}
std::size_t count_at(const Value& document, const SummaryPlaces& places, std::string_view key,
                     std::size_t otherwise) {
    const Value* found = config_at(document, places, {key});
    const auto number =
        found != nullptr ? expr::number_of(expr::undescribed(*found)) : std::nullopt;
    constexpr double kMost = 1'000'000;
    return number && *number >= 0 ? static_cast<std::size_t>(std::min(*number, kMost)) : otherwise;
}
bool is_up(const Value& document, const SummaryPlaces& places, std::string_view flag) {
    const Value* found = config_at(document, places, {"flags", flag});
    return found != nullptr && expr::is_true(expr::undescribed(*found));
}

std::vector<std::string> pin_texts(const Value& document, const SummaryPlaces& places,
                                   const std::vector<Memory>& big) {
    std::vector<std::string> pins;
    for (const Memory& memory : big) {
        if (memory.pinned) {
            pins.push_back(line_of(memory));
        }
    }
    for (const Path& path : places.pins) {
        const Value* found = value::find(document, path);
        if (found == nullptr) {
            continue;
        }
        if (found->is_array()) {
            for (const Value& each : found->as_array()) {
                pins.push_back("- " + flat_text(each));
            }
        } else {
            for (const Memory& memory : memories_at(document, path)) {
                pins.push_back(line_of(memory));
            }
        }
    }
    return pins;
}

const Value* facts_at(const Value& document, const SummaryPlaces& places) {
    for (const Path& path : places.facts) {
        const Value* found = value::find(document, path);
        if (found != nullptr && found->is_object() && !found->as_object().empty()) {
            return found;
        }
    }
    return nullptr;
}

// The number of newest memories that are withheld. A memory covers `rounds` replies.
std::size_t held_back(std::size_t count, std::size_t wanted, std::span<const Message> history,
                      std::size_t rounds) {
    if (count == 0 || wanted < count) {
        return std::min(count, wanted);
    }
    const auto replies =
        static_cast<std::size_t>(std::ranges::count(history, Role::kAssistant, &Message::role));
    return replies / rounds >= wanted ? count : count - 1;
}

struct Request {
    std::string_view flag;
    std::string_view english;
    std::string_view chinese;
};
constexpr Request kShortMemoryRequest = {
    "clean_small_flag",
    "The recent memories are full. In this reply, distil all of them, from \"{0}\" to \"{1}\", "
    "into "
    "one long memory under a title that is not there yet.",
    "近期记忆已满。请在本次回复中，把从“{0}”到“{1}”的全部近期记忆提炼为一条长期记忆，"
    "标题不得与已有的重复。"};
constexpr Request kLongMemoryRequest = {
    "clean_big_flag",
    "The long memories are full. In this reply, merge all of them, from \"{0}\" to \"{1}\", into "
    "one "
    "that keeps every turning point and every name.",
    "长期记忆已满。请在本次回复中，把从“{0}”到“{1}”的全部长期记忆归并为一条，"
    "保留每个转折与每个名字。"};
// The command in the memory dialect.
constexpr std::string_view kEnglishCommand =
    " Write it with memory('summary.big', 'title', 'text');";
constexpr std::string_view kChineseCommand = "写入：memory('summary.big', '标题', '内容');";

// The requests for a summary of the campaign's own; {0} = turns, {1} = summaries.
struct StoryRequest {
    std::string_view english;
    std::string_view chinese;
};
constexpr StoryRequest kNextStory = {
    "[Summary] {0} turns have passed since the last summary, and the oldest will leave your sight. "
    "At the end of this reply add a section for yourself, which the player does not see: what "
    "happened since the last summary, with names, promises and open questions, in at most 300 "
    "words.",
    "【总结】距上次总结已有 {0} 个回合，最早的回合即将移出上下文。请在本次回复末尾附上一段总结"
    "（玩家看不到）：写明上次总结以来发生的事、人名、约定与悬而未决的问题，不超过 800 字。"};
constexpr StoryRequest kMergedStory = {
    "[Summary] There are {1} summaries, and {0} turns since the last one. At the end of this reply "
    "add a section for yourself, which the player does not see: one summary in place of all of "
    "them that keeps every turning point and every name, in at most 500 words.",
    "【总结】已有 {1} 条总结，最近一条之后又有 {0} 个回合。请在本次回复末尾附上一段总结"
    "（玩家看不到），把它们归并为一条，保留每个转折与每个名字，不超过 1000 字。"};
constexpr StoryRequest kMemoryStory = {
    "[Summary] The last {0} turns are in no memory. In this reply, keep what happened in them: "
    "memory('summary.small', 'title', 'text');",
    "【总结】最近 {0} 个回合还没有记入记忆。请在本次回复中写下其中发生的事："
    "memory('summary.small', '标题', '内容');"};
constexpr std::string_view kEnglishSection =
    "\n<story_summary>\nthe summary\npin: one thing that must never be forgotten (optional)\n"
    "fact: name = value (optional)\n</story_summary>";
constexpr std::string_view kChineseSection =
    "\n<story_summary>\n总结正文\n勿忘：绝不能忘记的一件事（可省略）\n"
    "事实：名称 = 内容（可省略）\n</story_summary>";

Block request_block(const Request& request, const std::vector<Memory>& memories, const Plan& plan) {
    const bool english = plan.language == base::Language::kEnglish;
    Block block;
    block.id = "distil:" + std::string(request.flag);
    block.kind = Kind::kSummaryRequest;
    block.target = Target::kAfterHistory;
    block.priority = kRequestPriority;
    block.source = value::print_path(plan.summary.config, value::PathSyntax::kDotted) + ".flags";
    block.why = {Reason::kSummaryRequest, {std::string(request.flag)}};
    block.text = base::format_message(english ? request.english : request.chinese,
                                      std::array{memories.front().title, memories.back().title});
    if (plan.summary.writes_memory) {
        block.text += english ? kEnglishCommand : kChineseCommand;
    }
    block.cacheable = false;
    return block;
}

// Meaning of world levels; the numbers are the limits of the rulebook.
struct Level {
    std::string_view name;
    int most;
    std::string_view english;
    std::string_view chinese;
};
constexpr auto kLevels = std::to_array<Level>({
    {"无", 3, "the world as we know it, where nothing is beyond nature", "寻常人间，凡事不出常理"},
    {"低", 5, "masters of their craft who are still mortal", "高手辈出，终究是血肉之躯"},
    {"中", 7, "real powers beyond nature, with a short reach", "确有超凡之力，波及的范围有限"},
    {"高", 12, "great powers everywhere, which can bend a whole region",
     "强大的力量随处可见，足以撼动一方天地"},
    {"神话", 16, "gods take a hand, and the laws of the world may be written anew",
     "神明亲自插手，天地的法则也可能改写"},
});

std::optional<Block> power_level_block(const Value& document, const Plan& plan) {
    const Path place = {"stat_data", "world_shard", "level"};
    const Value* found = value::find(document, place);
    if (found == nullptr || !expr::undescribed(*found).is_string()) {
        return std::nullopt;
    }
    const std::string_view level = expr::undescribed(*found).as_string();
    const auto row = std::ranges::find(kLevels, level, &Level::name);
    if (row == kLevels.end()) {
        return std::nullopt;
    }
    const std::string most = std::to_string(row->most);
    Block block;
    block.id = "scale:level";
    block.kind = Kind::kPowerLevel;
    block.target = Target::kSystemEnd;
    block.priority = kPowerLevelPriority;
    block.source = value::print_path(place, value::PathSyntax::kDotted);
    block.why = {Reason::kPowerLevel, {block.source, std::string(level)}};
    block.text = plan.language == base::Language::kEnglish
                     ? "The world's level is " + std::string(level) + ": " +
                           std::string(row->english) + ". A check is at most of difficulty " +
                           most + "."
                     : "世界层级：" + std::string(level) + "（" + std::string(row->chinese) +
                           "）。检定难度不超过 " + most + "。";
    return block;
}

Block memory_block(Kind kind, const Memory& memory, std::size_t index, const Path& path) {
    Block block;
    block.id = std::string(name(kind)) + ":" + memory.title;
    block.kind = kind;
    const bool big = kind == Kind::kLongMemory;
    block.target = big ? Target::kBeforeHistory : Target::kDepth;
    block.depth = 1;
    block.priority = (big ? 0 : kShortMemoryPriority) + static_cast<std::int64_t>(index);
    block.source = value::print_path(path, value::PathSyntax::kDotted);
    block.text = line_of(memory);
    // The list of short memories grows with every turn.
    block.cacheable = big;
    return block;
}

Block state_block(const Fragment& fragment, const Plan& plan) {
    const std::string place = value::print_path(fragment.path, value::PathSyntax::kDotted);
    Block block;
    block.id = "state:" + place;
    block.kind = Kind::kState;
    block.target = Target::kDepth;
    block.depth = plan.late_depth;
    block.priority = kStatePriority + fragment.priority;
    block.source = place;
    block.heading = fragment.heading;
    block.why = {Reason::kStateOf, {place}};
    block.cacheable = false;
    return block;
}

std::size_t size_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    return found != nullptr ? size_of(*found) : 0;
}

// The rendering of a fragment within its budget.
struct Part {
    std::string text;
    std::size_t tokens = 0;
    std::size_t of = 0;  // approximate bytes of the whole value; 0: nothing was left out
};
// `rate` is the estimate of bytes per hundred tokens; it is lowered if the result is over budget.
Part part_within(const Value& document, const Path& path, StateView view, std::size_t budget,
                 std::size_t& rate, const text::TokenCounter& count, Cache* cache) {
    Part part;
    if (budget == kUnlimited) {
        part.text = render_at(document, path, view);
        return part;
    }
    constexpr std::size_t kTries = 4;
    std::size_t here = rate;
    for (std::size_t i = 0; i < kTries; ++i) {
        view.bytes = std::max<std::size_t>(1, budget * here / 100);
        Rendered rendered =
            render_counted(document, path, view, count,
                           cache != nullptr ? &cache->at(path, i, view, count.rates) : nullptr);
        part.text = std::move(rendered.text);
        part.tokens = rendered.tokens;
        part.of = rendered.is_part ? size_at(document, path) : 0;
        if (part.tokens <= budget) {
            break;
        }
        // 5 % less than measured, to avoid another attempt.
        here = std::max<std::size_t>(1, std::min(here * 95 / 100, view.bytes * 95 / part.tokens));
    }
    // Later fragments start from this rate, unless this fragment was exceptional.
    rate = part.tokens <= budget ? std::max(here, rate / 2) : rate;
    return part;
}

}  // namespace

std::vector<Block> story_blocks(const table::SummaryState& summary, table::SummaryDue due,
                                const Plan& plan, bool in_memory) {
    std::vector<Block> blocks;
    const auto shown = static_cast<std::size_t>(
        std::ranges::count(summary.entries, false, &table::SummaryEntry::is_pinned));
    std::size_t number = 0;
    for (const table::SummaryEntry& entry : summary.entries) {
        Block block;
        block.id = "story:" + std::to_string(++number);
        block.kind = entry.is_pinned ? Kind::kPins : Kind::kLongMemory;
        block.target = Target::kBeforeHistory;
        block.priority = (entry.is_pinned ? -900'000 : 0) + static_cast<std::int64_t>(number);
        block.source = "summary";
        block.why = entry.is_pinned
                        ? Why{Reason::kPin, {}}
                        : Why{Reason::kSummary, {std::to_string(shown), std::to_string(shown)}};
        block.text = "- " + entry.text;
        blocks.push_back(std::move(block));
    }
    if (!summary.facts.empty()) {
        Block block;
        block.id = "story:facts";
        block.kind = Kind::kFacts;
        block.target = Target::kDepth;
        block.depth = 1;
        block.priority = kFactsPriority;
        block.source = "summary";
        block.why = {Reason::kFacts, {}};
        StateView view = plan.state;
        view.descriptions = StateView::Descriptions::kNever;
        block.text = render_value(Value(summary.facts), view, "facts");
        block.cacheable = false;
        blocks.push_back(std::move(block));
    }
    if (due != table::SummaryDue::kNone) {
        const bool english = plan.language == base::Language::kEnglish;
        const std::string words[] = {std::to_string(summary.uncovered), std::to_string(shown)};
        const StoryRequest& request = in_memory                          ? kMemoryStory
                                      : due == table::SummaryDue::kMerge ? kMergedStory
                                                                         : kNextStory;
        Block block;
        block.id = "story:request";
        block.kind = Kind::kSummaryRequest;
        block.target = Target::kAfterHistory;
        block.priority = kRequestPriority;
        block.source = "summary";
        block.why = {Reason::kSummaryRequest, {"summary.every_turns"}};
        block.text = base::format_message(english ? request.english : request.chinese, words);
        if (!in_memory) {
            block.text += english ? kEnglishSection : kChineseSection;
        }
        block.cacheable = false;
        blocks.push_back(std::move(block));
    }
    return blocks;
}

MemoryBlocks memory_blocks(const Value& document, const Plan& plan,
                           std::span<const Message> history) {
    MemoryBlocks made;
    const SummaryPlaces& places = plan.summary;
    const std::vector<Memory> big = memories_at(document, places.big);
    const std::vector<Memory> small = memories_at(document, places.small);
    std::size_t number = 0;
    for (std::string& text : pin_texts(document, places, big)) {
        Block block;
        block.id = "pin:" + std::to_string(++number);
        block.kind = Kind::kPins;
        block.target = Target::kBeforeHistory;
        block.priority = -1'000'000 + static_cast<std::int64_t>(number);
        block.why = {Reason::kPin, {}};
        block.text = std::move(text);
        made.blocks.push_back(std::move(block));
    }
    const bool small_up = is_up(document, places, "clean_small_flag") && !small.empty();
    const bool big_up = is_up(document, places, "clean_big_flag") && !big.empty();
    const std::size_t hide = count_at(document, places, "hide_latest_count", 5);
    const Value* target = config_at(document, places, {"hide_latest_target"});
    const Value* word = target != nullptr ? &expr::undescribed(*target) : nullptr;
    const std::string_view hides = word != nullptr && word->is_string() ? word->as_string() : "big";
    // Memories that are to be summarised must be visible.
    const std::size_t hide_big = big_up || hides == "small" ? 0 : hide;
    const std::size_t hide_small = small_up || (hides != "small" && hides != "both") ? 0 : hide;
    const std::size_t rounds =
        std::max<std::size_t>(1, count_at(document, places, "small_to_big_count", 50));
    const auto add = [&](Kind kind, const std::vector<Memory>& list, const Path& path,
                         std::size_t back) {
        const std::size_t shown = list.size() - back;
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (kind == Kind::kLongMemory && list[i].pinned) {
                continue;
            }
            Block block = memory_block(kind, list[i], i, path);
            if (i >= shown) {
                made.out.push_back({block.id,
                                    kind,
                                    block.source,
                                    {Reason::kHiddenLatest, {std::to_string(back)}}});
                continue;
            }
            block.why = {Reason::kSummary, {std::to_string(shown), std::to_string(list.size())}};
            made.blocks.push_back(std::move(block));
        }
    };
    add(Kind::kLongMemory, big, places.big, held_back(big.size(), hide_big, history, rounds));
    add(Kind::kShortMemory, small, places.small, held_back(small.size(), hide_small, history, 1));
    if (const Value* facts = facts_at(document, places)) {
        Block block;
        block.id = "facts";
        block.kind = Kind::kFacts;
        block.target = Target::kDepth;
        block.depth = 1;
        block.priority = kFactsPriority;
        block.why = {Reason::kFacts, {}};
        StateView view = plan.state;
        view.descriptions = StateView::Descriptions::kNever;
        block.text = render_value(*facts, view, "facts");
        block.cacheable = false;
        made.blocks.push_back(std::move(block));
    }
    if (small_up) {
        made.blocks.push_back(request_block(kShortMemoryRequest, small, plan));
    }
    if (big_up) {
        made.blocks.push_back(request_block(kLongMemoryRequest, big, plan));
    }
    return made;
}

MemoryBlocks state_blocks(const Value& document, const Plan& plan, Context context,
                          std::size_t room, const text::TokenCounter& count, Cache* cache) {
    MemoryBlocks made;
    const std::vector<Fragment> fragments =
        plan.fragments.empty() ? default_fragments(document, plan.roots, plan.language)
                               : plan.fragments;
    std::vector<std::size_t> sizes;
    for (const Fragment& fragment : fragments) {
        sizes.push_back(size_at(document, fragment.path));
    }
    std::vector<Block> blocks(fragments.size());
    // JSON has about one byte per token because of its quotes.
    std::size_t rate = 100 * (plan.state.format == StateView::Format::kJson ? 1 : kBytesPerToken);
    share_out(sizes, room, [&](std::size_t i, std::size_t share) {
        const Fragment& fragment = fragments[i];
        StateView view = plan.state;
        view.last = fragment.last;
        view.base = fragment.base;
        view.depth = fragment.depth != 0 ? fragment.depth : view.depth;
        if (context == Context::kCompress) {
            view.depth =
                view.depth == 0 ? plan.digest_depth : std::min(view.depth, plan.digest_depth);
        }
        const std::size_t budget =
            std::min(share, fragment.budget == 0 ? kUnlimited : fragment.budget);
        Part part = part_within(document, fragment.path, view, budget, rate, count, cache);
        blocks[i] = state_block(fragment, plan);
        // At least 1: a budget of 0 would mean no limit.
        blocks[i].budget = budget == kUnlimited ? 0 : std::max<std::size_t>(1, budget);
        blocks[i].text = std::move(part.text);
        blocks[i].tokens = part.tokens;
        if (part.of != 0) {
            blocks[i].why = {
                Reason::kStatePart,
                {blocks[i].source, std::to_string(blocks[i].text.size()), std::to_string(part.of)}};
        }
        // The excess will be trimmed.
        return std::min(part.tokens, budget);
    });
    for (Block& block : blocks) {
        if (block.text.empty()) {
            made.out.push_back(
                {block.id, Kind::kState, block.source, {Reason::kPlaceMissing, {block.source}}});
        } else {
            made.blocks.push_back(std::move(block));
        }
    }
    if (auto scale = power_level_block(document, plan)) {
        made.blocks.push_back(std::move(*scale));
    }
    return made;
}

}  // namespace arbiter::prompt
