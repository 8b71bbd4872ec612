// Authority: the paths that belong to the system, and the tool that changes each of them.
//
// The rows are data, so that a campaign can add its own: a card's character sheet may keep hit
// points at 角色.$who.气血.当前. Every path below `campaign` is authoritative. A model's direct
// command on an authoritative path is never applied: it is redirected to the row's tool or
// rejected. The value at a row's path mirrors the campaign's own value. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/policy.h"
#include "proposal/instruction.h"
#include "table/tool.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::table {

struct AuthorityRow {
    value::Pattern place;
    std::string tool;       // hp_delta, move, time_advance; empty: rejected
    std::string character;  // id, name or $binding of `place`; empty: active actor
};

// Parses [{path, tool?, character?}]. Fails with kAuthorityRow.
base::Result<std::vector<AuthorityRow>> authority_rows(const value::Value& written);
// Returns the built-in rows followed by the rows of the document.
base::Result<std::vector<AuthorityRow>> rows_of(const value::Value& document);

// Closes authoritative paths to the model's direct commands, and the goal to the player's as well.
void protect_authoritative_paths(engine::Policy& policy, const std::vector<AuthorityRow>& rows,
                                 const value::Value& document);

bool is_authoritative(const std::vector<AuthorityRow>& rows, const value::Path& path) noexcept;

// The tool call that replaces a direct command on an authoritative path.
struct Redirected {
    std::string tool;
    value::Path place;
    std::optional<proposal::ToolCall> call;  // nullopt: no equivalent call exists
};
// Returns nullopt for a command that no row with a tool matches.
std::optional<Redirected> redirect(const proposal::Instruction& instruction,
                                   const value::Value& document,
                                   const std::vector<AuthorityRow>& rows);

// Returns the instructions that synchronize row paths and the campaign after a step. If the
// campaign's value changed, the row path follows it. If only the row path changed (by a rule or a
// player), the campaign follows it, clamped to its bounds.
std::vector<proposal::Instruction> agreement(const value::Value& before, const value::Value& after,
                                             const std::vector<AuthorityRow>& rows);

}  // namespace arbiter::table
