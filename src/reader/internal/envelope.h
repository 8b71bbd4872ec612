// Members of the JSON object that a reply is, or that holds its commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "value/object.h"

namespace arbiter::reader::internal {

// Whether a member of this name holds the narrative: text, narrative, 正文 …
bool is_narrative_name(std::string_view name) noexcept;
// A text, or paragraphs in a list. Nothing if the value is something else.
std::optional<std::string> narrative_in(const value::Value& value);
// The name of the member with the narrative: the first with a name for it, else the longest text
// that reads as prose and is not called a thought or a note. Empty: there is none.
std::string_view narrative_name(const value::Object& envelope) noexcept;
// The narrative among the members.
std::optional<std::string> find_narrative(const value::Object& envelope);

}  // namespace arbiter::reader::internal
