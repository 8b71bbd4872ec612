// parse_json of json.h without simdjson, for WebAssembly. Its twin is json_native.cpp.
#include "value/json.h"
#include "value/json_strict.h"

namespace arbiter::value {

base::Result<Value> parse_json(std::string_view text, const JsonOptions& options) {
    return parse_json_strict(text, options);
}

}  // namespace arbiter::value
