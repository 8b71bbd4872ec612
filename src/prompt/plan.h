// Plan: the composition of a prompt for one dialog type, as data. A new dialog type is a new plan;
// no code depends on their number.
//
// Plans are values, read from the member `prompt` of a dialog type (docs/prompt.md lists the keys).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "base/text.h"
#include "prompt/block.h"
#include "prompt/render.h"
#include "table/dialog.h"
#include "value/diagnostic.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

// How much of the conversation is included.
enum class Context : std::uint8_t {
    kFull,      // all turns that fit
    kCompress,  // memories, pins, facts, a digest of the state and the last turns
    kMinimal    // system blocks, the state and the last turns
};

// A part of the document that is shown.
struct Fragment {
    value::Path path;
    std::size_t last = 0;         // only the newest elements of a list; 0: all
    std::size_t depth = 0;        // levels; 0: all
    std::size_t budget = 0;       // tokens; 0: none of its own
    std::int64_t priority = 100;  // higher is later and is dropped later
    std::size_t base = 0;         // leading segments that a command does not write
    std::string heading = {};     // above it; empty: that of the state
};

// Document paths of the memories.
struct SummaryPlaces {
    value::Path small = {"assa_data", "summary", "small"};
    value::Path big = {"assa_data", "summary", "big"};
    value::Path config = {"assa_data", "config"};
    std::vector<value::Path> facts = {{"assa_data", "summary", "facts"}};
    std::vector<value::Path> pins = {{"assa_data", "summary", "pins"}};
    bool writes_memory = true;  // summary requests use the memory dialect
};

// Token budget of all blocks of a kind: a number, or a percentage of the prompt. Neither: no limit.
struct Share {
    std::size_t tokens = 0;
    std::size_t percent = 0;
    friend bool operator==(const Share&, const Share&) = default;
};

inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::kCount);

// A root of the document below which commands write relative paths: set_status("天气", …) writes
// stat_data.天气. It is shown without its name, so that a path that is shown can be written.
struct StateRoot {
    std::string name;
    base::Text heading;  // says which command it belongs to
};

struct Plan {
    Plan();

    std::string name;
    std::array<bool, kKinds> has;            // included kinds
    std::array<Share, kKinds> budgets;       // by kind
    std::array<std::uint8_t, kKinds> ranks;  // order of dropping; 0: never dropped
    std::size_t context_tokens = 0;          // of the model's window; 0: no limit
    std::size_t reply_tokens = 0;            // of these, reserved for the reply
    std::size_t tool_tokens = 0;             // and for schemas sent beside the messages
    std::size_t recent_messages = 12;        // the newest, dropped last
    std::size_t history_step = 8;            // messages dropped at a time, so that the prefix
                                             // stays the same for some turns
    bool volatile_late = true;               // volatile blocks come after the history
    std::size_t late_depth = 1;              // and before so many of the newest messages
    StateView state;
    std::size_t digest_depth = 2;     // levels of the state in a compressed context
    std::vector<Fragment> fragments;  // empty: default_fragments()
    std::vector<StateRoot> roots;     // of default_fragments()
    SummaryPlaces summary;
    base::Language language = base::Language::kChinese;

    [[nodiscard]] bool contains(Kind kind) const { return has[static_cast<std::size_t>(kind)]; }
    // Tokens available for the prompt; 0: no limit.
    [[nodiscard]] std::size_t room() const;
    [[nodiscard]] std::size_t budget_of(Kind kind) const;
};

// Ranks beside those of kinds: lore below kLowPriority is dropped first, recent messages last.
inline constexpr std::uint8_t kLowLoreRank = 1;
inline constexpr std::int64_t kLowPriority = 50;
inline constexpr std::uint8_t kRecentRank = 9;

// The plan that a dialog type has written. Unreadable parts are as in the default.
Plan plan_of(const table::DialogType& dialog);
// All mistakes in the plans of a template's `dialog_types`, with paths from its root. Types that
// cannot be read at all are table::check_template()'s to report.
value::Diagnostics check_plans(const value::Value& written_template);

// How much of the conversation the settings context.full_context_enabled and
// context.compress_enabled ask for. Both on: compressed, with a notice.
Context context_of(const value::Object& settings, std::vector<Why>& notices);

// The fragments of a plan without any: the fixed list of tavern saves, the three modules of the
// memory dialect, or all roots except `campaign`, which has sources of its own.
std::vector<Fragment> default_fragments(const value::Value& document,
                                        std::span<const StateRoot> roots = {},
                                        base::Language language = base::Language::kChinese);

}  // namespace arbiter::prompt
