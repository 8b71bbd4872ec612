// Judge: one reply on one state, as the table plays it: commands, tool calls, the world's rules,
// and what follows from all of them. The step that live play, retries and replay take.
//
// Pure: the same arguments give the same bytes. Nothing half-applies; the state that is given stays
// as it is, so that dropping a Judged is dropping the attempt.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "rules/turn.h"
#include "table/authority.h"
#include "table/conflicts.h"
#include "table/dialog.h"
#include "table/random.h"
#include "table/settings.h"
#include "table/tool.h"

namespace arbiter::table {

// Everything that is registered; made once, shared by all campaigns.
struct Kit {
    DialogTypes dialogs;
    SettingsRegistry settings;
    ToolRegistry tools;
};
std::shared_ptr<const Kit> shipped_kit();

// What a campaign is played under.
struct TableSetting {
    rules::Setting rules;  // its policy closes what is authoritative
    std::shared_ptr<const Kit> kit;
    std::vector<AuthorityRow> authority;
    value::Object globals;  // the global settings
    const calendar::Calendars* calendars = nullptr;
    value::Path clock;  // what time_advance writes
    value::Path timeline;
};
// Fails with kAuthorityRow. Made for a campaign when it is opened; its rows do not change in play.
base::Result<TableSetting> make_table_setting(rules::Setting rules, std::shared_ptr<const Kit> kit,
                                              const value::Value& document,
                                              value::Object globals = {});

// The settings that hold in a document: the snapshot that a turn takes at its start.
value::Object effective_settings(const value::Value& document, const TableSetting& setting);
std::int64_t settings_revision(const value::Value& document) noexcept;

// The reason of a call that was refused in base::kRepeatsMax turns before: asking the model again
// would only cost.
inline constexpr std::string_view kRepeated = "repeat_illegal_request";

struct FailedCall {
    enum class Status : std::uint8_t { kRejected, kError };
    std::string id;
    std::string tool;
    Status status = Status::kRejected;
    Refusal refusal;
    std::optional<std::int64_t> disabled_until;  // a turn
    std::size_t proposal = 0;                    // which one
    std::string key;                             // of the same request in another turn
};

struct Judged {
    // What a ledger keeps: a verdict for each proposal, in order; outcome.state is the candidate.
    rules::Played played;
    // Everything that changed the document, in order: {kind, changes, …}; see replay(). Those of
    // the kind "tool" have tool, args, result, id, reason, actor_id and time.
    value::Array applied_actions;
    std::vector<FailedCall> failed_calls;
    std::vector<Conflict> conflicts;
    // Commands that were refused or failed, in order: indexes of proposals.
    std::vector<std::size_t> refused;
    std::optional<std::string> ended;  // why the campaign is over after this turn
    std::int64_t settings_revision = 0;

    [[nodiscard]] const engine::State& candidate() const noexcept { return played.outcome.state; }
};

// `settings` are those of the turn's start, for a turn in flight keeps them.
Judged judge(const engine::State& before, std::span<const proposal::Proposal> proposals,
             std::string_view narrative, const TableSetting& setting, const value::Object& settings,
             const engine::Context& context, Random& random, rules::Memories* memories = nullptr);

// The end of a turn that was accepted: the turn is counted, the milestone moved, illegal requests
// remembered, the campaign's date set, and a rollback can be undone no more.
struct Closing {
    engine::Instant now = 0;
    std::string batch_id;                      // of the turn
    std::int64_t tokens = 0;                   // of all its attempts
    std::span<const FailedCall> failed_calls;  // of all its attempts
};
struct Closed {
    engine::State state;
    value::Array applied_actions;
    std::vector<rules::Effect> effects;  // for the audit
    bool advanced = false;               // the milestone
    bool unknown_policy = false;         // the milestone never advances: to be told
};
Closed close_turn(const engine::State& candidate, const TableSetting& setting,
                  const value::Object& settings, const Closing& closing);

// The attempt that was accepted with the end of its turn: what a ledger keeps as one.
void add(Judged& judged, Closed closed);

// What the table did by itself stands in the audit under these, beside the rules of the world.
inline constexpr std::string_view kSettleRule = "table.settle";
inline constexpr std::string_view kCloseRule = "table.close";

}  // namespace arbiter::table
