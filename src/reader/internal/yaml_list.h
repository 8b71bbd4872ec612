// The subset of YAML that patches use: a block list of flat maps.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::reader::internal {

//   - op: replace
//     path: /a/b
//     value: 5
// Values are literals on one line. Empty if the text has any other form.
std::optional<value::Value> parse_yaml_list(std::string_view text);

}  // namespace arbiter::reader::internal
