// The block form of YAML as far as patches use it: a list of flat maps.
#pragma once

#include <optional>
#include <string_view>

#include "value/value.h"

namespace arbiter::reader::internal {

//   - op: replace
//     path: /a/b
//     value: 5
// Values are literals on their line. Nothing when the text is anything else.
std::optional<value::Value> parse_yaml_list(std::string_view text);

}  // namespace arbiter::reader::internal
