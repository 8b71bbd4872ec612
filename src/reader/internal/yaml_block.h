// The subset of YAML that models write commands in: block lists and maps, nested by indentation,
// with values on one line.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::reader::internal {

//   - op: replace
//     path: [a, b]
//     value: 5
// A value is a literal on one line, or a list or map that is indented below its key. Empty if the
// text has any other form, such as block scalars, anchors or tabs.
std::optional<value::Value> parse_yaml_block(std::string_view text);

}  // namespace arbiter::reader::internal
