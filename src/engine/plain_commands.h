// Plain commands: a change of the document as commands that need no knowledge of the state.
//
// Consumers that cannot merge, guard or calculate get the result instead: one command for each
// changed place.
#pragma once

#include <string_view>
#include <vector>

#include "proposal/proposal.h"
#include "value/diff.h"

namespace arbiter::engine {

// A command of tavern_commands, in its short form.
proposal::Proposal plain_command(proposal::Op op, std::string_view verb, value::Path path,
                                 std::optional<value::Value> value = {});

enum class NewMembers : std::uint8_t {
    kSet,    // a member that is not there yet is set
    kInsert  // it is inserted into its parent, for dialects whose set creates nothing
};

// Commands that turn `before` into `after`, of which `changes` is the difference: a set for each
// changed place, a delete for each removed one. An array that changed inside is set as a whole, for
// indexes shift. A change of the whole of `root` becomes changes of its members.
std::vector<proposal::Proposal> plain_commands(const value::Diff& changes,
                                               const value::Value& before,
                                               const value::Value& after, const value::Path& root,
                                               NewMembers how = NewMembers::kSet);

}  // namespace arbiter::engine
