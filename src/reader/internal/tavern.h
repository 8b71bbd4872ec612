// Tavern commands: {"action": "set", "key": …}, lists and groups of them, and the envelope with
// narrative and "tavern_commands".
#pragma once

#include <string>
#include <string_view>

#include "reader/internal/block.h"

namespace arbiter::reader::internal {

// Whether an object is the envelope of a reply, with or without commands.
bool is_tavern_envelope(const value::Object& object);

// `commands` is an envelope, a command, a list or groups of commands.
void read_tavern(Output& output, const Source& source, const Literal& literal,
                 const value::Value& commands, Range range);

// The narrative of an envelope that cannot be parsed as a whole. False: none was found.
bool find_text(std::string_view envelope, std::string& text);

// One entry of a list that has commands of other dialects too. `at` is its path in the literal.
void read_tavern_entry(Output& output, const Source& source, const Literal& literal,
                       const value::Value& entry, const value::Path& at, Range range);

}  // namespace arbiter::reader::internal
