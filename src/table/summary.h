// Summary: the summary of a story (SummaryState), written by the model when the table asks for it.
//
// It is in the document at campaign.summary.{entries,facts_json,version,covers}, or for a
// campaign without a table in the metadata at summary and uncovered. The memory dialect keeps lists
// of its own (assa_data.summary); where they exist, they are the summary, and the model is asked
// for entries of these. An entry covers the turns before it: a prompt may leave out turns that are
// covered, and no others. Pure functions; reading is total.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "table/tool.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct SummaryEntry {
    std::string text;
    bool is_pinned = false;  // always in the prompt; never merged
};

// The summary that a campaign keeps itself; the lists of the memory dialect are not in it.
struct SummaryState {
    std::vector<SummaryEntry> entries;  // oldest first
    value::Object facts;
    std::int64_t version = 0;    // increases with every entry
    std::int64_t uncovered = 0;  // turns that no entry covers
};
SummaryState summary_state(const engine::State& state);
// True if the document has the lists of the memory dialect.
bool has_memory_lists(const value::Value& document) noexcept;

// {summary_text, facts_json, pins}, in the names of the specification: the entries and the lists of
// the memory dialect together.
value::Value summary_view(const engine::State& state);
// The version of campaign.summary; 0 without one.
std::int64_t summary_version(const value::Value& document) noexcept;

// The summary that the model is to write next, by summary.every_turns and summary.merge_at.
enum class SummaryDue : std::uint8_t {
    kNone,
    kEntry,  // a summary of the turns since the last one
    kMerge   // one summary in place of all
};
SummaryDue summary_due(const engine::State& state, const value::Object& settings);

// ---- the section of a reply that is a summary

inline constexpr std::string_view kSummaryTag = "story_summary";
inline constexpr std::string_view kSummaryTool = "summarize";
// The arguments of kSummaryTool from the content of the section: lines of text, pins ("pin: …",
// "勿忘：…") and facts ("fact: key = value", "事实：键 = 值"). Nothing if it has no text.
std::optional<value::Object> summary_args(std::string_view content);
// The tool behind the section. Without effect unless a summary is due. Always allowed.
Tool summarize_tool();

// ---- at the end of a turn

// The instructions that keep campaign.summary up to date after a turn that led from `before` to
// `after`: a new long memory is a new version, a new memory covers the turn. Empty without a table.
std::vector<proposal::Instruction> summary_after_turn(const value::Value& before,
                                                      const value::Value& after);
// The same for a campaign without a table, whose count is in the metadata. `number` is that of the
// turn; it counts if the metadata does not count yet.
value::Object count_uncovered(value::Object meta, const value::Value& before,
                              const value::Value& after, std::int64_t number);

}  // namespace arbiter::table
