// Plan: what a prompt is made of for one type of dialog, as data. A new type is a new plan; nothing
// that plays turns knows how many there are.
//
// Plans are values; parse_plans() reads them from a Value (docs/prompt.md lists the keys).
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "prompt/block.h"
#include "prompt/render.h"
#include "value/diagnostic.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

// How much of what was said goes in.
enum class Context : std::uint8_t {
    kFull,      // all turns that fit
    kCompress,  // memories, pins, facts, a digest of the state and the last turns
    kMinimal    // the system's blocks, the state and the last turns
};

// A place of the document that is shown, in the order of their priority.
struct Fragment {
    value::Path path;
    std::size_t last = 0;         // of a list only the newest so many; 0: all
    std::size_t depth = 0;        // levels; 0: all
    std::size_t budget = 0;       // tokens; 0: no limit of its own
    std::int64_t priority = 100;  // higher is later, and stays longer
};

// Where the memories lie.
struct SummaryPlaces {
    value::Path small = {"assa_data", "summary", "small"};
    value::Path big = {"assa_data", "summary", "big"};
    value::Path config = {"assa_data", "config"};
    std::vector<value::Path> facts = {{"assa_data", "summary", "facts"},
                                      {"campaign", "summary", "facts_json"}};
    std::vector<value::Path> pins = {{"assa_data", "summary", "pins"},
                                     {"campaign", "summary", "pins"}};
    bool writes_memory = true;  // asks for summaries in the words of the memory dialect
};

// Tokens that the blocks of a kind may have together: a number, or a share of what there is room
// for. Neither: no limit.
struct Share {
    std::size_t tokens = 0;
    std::size_t percent = 0;
};

inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kCount);

struct Plan {
    Plan();

    std::string name;
    std::array<bool, kKinds> has;            // kinds that are in it
    std::array<Share, kKinds> budgets;       // of kinds
    std::array<std::uint8_t, kKinds> ranks;  // which go first when there is no room; 0: never
    std::size_t context_tokens = 0;          // of the model's window; 0: no limit
    std::size_t reply_tokens = 0;            // of these, kept free for the reply
    std::size_t recent_messages = 12;        // the newest, which go last
    std::size_t history_step = 8;            // the oldest go so many at a time, so that the prefix
                                             // stays the same for that long
    bool volatile_late = true;               // what changes stands behind the history
    std::size_t late_depth = 1;              // there: before so many of the newest messages
    StateView state;
    std::size_t digest_depth = 2;     // levels of the state in a compressed context
    std::vector<Fragment> fragments;  // none: what the document's dialect has by default
    SummaryPlaces summary;
    base::Language language = base::Language::kChinese;

    [[nodiscard]] bool contains(Kind kind) const { return has[static_cast<std::size_t>(kind)]; }
    // Tokens that there is room for; 0: no limit.
    [[nodiscard]] std::size_t room() const;
    [[nodiscard]] std::size_t budget_of(Kind kind) const;
};

// Ranks that are not of a kind: lore below kLowPriority goes before all others, and of the history
// the recent messages last.
inline constexpr std::uint8_t kLowLoreRank = 1;
inline constexpr std::int64_t kLowPriority = 50;
inline constexpr std::uint8_t kRecentRank = 9;

using Plans = std::vector<Plan>;

// scene, action, rules, free_chat.
Plans default_plans();
const Plan* find_plan(const Plans& plans, std::string_view name) noexcept;

// Written plans over those that there are: {scene: {without: [examples], …}, duel: {extends:
// action, …}}. Gives every fault, not only the first.
std::expected<Plans, value::Diagnostics> parse_plans(const value::Value& written,
                                                     const Plans& base = default_plans());

// What the player's settings say: dialog.manual_type, context.full_context_enabled and
// context.compress_enabled, as one key each or as objects in each other. A stored decision of a
// router has no say.
struct Choice {
    const Plan* plan;
    Context context = Context::kFull;
    std::vector<Why> notices;
};
// `plans` must not be empty.
Choice choose(const Plans& plans, const value::Value& settings);

// What is shown of a document when a plan does not say: the list of the tavern saves, the three
// modules of the memory dialect, or all roots but `campaign`, which the table shows itself.
std::vector<Fragment> default_fragments(const value::Value& document);

}  // namespace arbiter::prompt
