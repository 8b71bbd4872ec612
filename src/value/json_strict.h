// The strict JSON parser of this module: the reference for parse_json, and its only implementation
// in WebAssembly. json.h documents the language.
#pragma once

#include "value/json.h"

namespace arbiter::value {

base::Result<Value> parse_json_strict(std::string_view text, const JsonOptions& options);

}  // namespace arbiter::value
