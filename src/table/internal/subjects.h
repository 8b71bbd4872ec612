// Conditions, reasons and words about characters and areas, shared by the tools.
#pragma once

#include <string>
#include <string_view>

#include "base/text.h"
#include "table/tool.h"
#include "value/value.h"

namespace arbiter::table::internal {

Reason unknown_character();
Reason unknown_area();
// The text argument `arg` is the id of a character or area; an argument that is absent passes.
Condition character_exists(std::string arg);
Condition area_exists(std::string arg);

// The ids with their names: hero (阿青), mage (白露).
std::string all_characters(const value::Value& document);
std::string all_areas(const value::Value& document);
// The neighbours of an area with their names, and which of them are locked; all areas if it has no
// neighbours.
base::Text ways_from(const value::Value& document, std::string_view area);

}  // namespace arbiter::table::internal
