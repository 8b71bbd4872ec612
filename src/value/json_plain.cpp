// parse_json where there is no simdjson: the strict parser alone. The twin of json_native.cpp.
#include "value/json.h"

namespace arbiter::value {

base::Result<Value> parse_json(std::string_view text, const JsonOptions& options) {
    return parse_json_strict(text, options);
}

}  // namespace arbiter::value
