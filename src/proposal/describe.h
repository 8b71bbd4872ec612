// Proposals as one line of text for people, or as JSON for programs.
#pragma once

#include <string>

#include "proposal/proposal.h"

namespace arbiter::proposal {

// The path in the document, as far as it follows from the proposal: the mount's key, then the path.
value::Path full_path(const Instruction& instruction);

// `set a.b = 5 (was 3) if {"ifExists":true} because "…"`: every field that is not its default.
std::string describe(const Proposal& proposal);
std::string describe(const Notice& notice);

// An object with every field that is not its default.
value::Value to_value(const Proposal& proposal);
value::Value to_value(const Notice& notice);
value::Value to_value(const Component& component);

// The scope of a host's variables that a JSON instruction is for: its metadata.scope, else what the
// beginning of its first key says (`global_`, `chat_`, `_` for scripts); "character" otherwise. The
// engine does not use it.
std::string_view scope_of(const Instruction& instruction) noexcept;

}  // namespace arbiter::proposal
