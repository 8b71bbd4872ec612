// Authority: which places belong to the system, and which tool a command on one of them means.
//
// A table of rows, as data, so that a campaign can add its own: the character sheet of a card may
// keep its hit points at 角色.$who.气血.当前. Whatever stands below `campaign` is authoritative
// always. A model's direct command on such a place is never carried out: it becomes the call of the
// row's tool, or is refused. What a row's place shows follows the campaign's own value.
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
    std::string tool;       // hp_delta, move, time_advance; empty: refused
    std::string character;  // an id or a name, $who for what the pattern meets; empty: who acts
};

// From [{path, tool?, character?}]; fails with kAuthorityRow.
base::Result<std::vector<AuthorityRow>> authority_rows(const value::Value& written);
// The rows of the campaign itself and those that its document adds.
base::Result<std::vector<AuthorityRow>> rows_of(const value::Value& document);

// Closes what is authoritative to direct commands of a model, and the goal to the player's too.
void protect_authoritative_paths(engine::Policy& policy, const std::vector<AuthorityRow>& rows,
                                 const value::Value& document);

bool is_authoritative(const std::vector<AuthorityRow>& rows, const value::Path& path) noexcept;

// What becomes of a command on a place that a row names.
struct Redirected {
    std::string tool;
    std::string path;
    std::optional<proposal::ToolCall> call;  // nothing: it cannot be said as a call
};
// Nothing for a command that no row with a tool is about.
std::optional<Redirected> redirect(const proposal::Instruction& instruction,
                                   const value::Value& document,
                                   const std::vector<AuthorityRow>& rows);

// What makes the places of rows and the campaign agree again after a step: where the campaign
// changed, they follow; where only they did (a rule, a player), the campaign does, within bounds.
std::vector<proposal::Instruction> agreement(const value::Value& before, const value::Value& after,
                                             const std::vector<AuthorityRow>& rows);

}  // namespace arbiter::table
