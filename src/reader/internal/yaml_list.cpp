#include "reader/internal/yaml_list.h"

#include "reader/argument.h"
#include "reader/blanks.h"
#include "reader/literal.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::reader::internal {

using value::Array;
using value::Object;
using value::Value;

std::optional<Value> parse_yaml_list(std::string_view text) {
    Array list;
    Object item;
    bool open = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        if (line.starts_with("- ")) {
            if (open) {
                list = std::move(list).push_back(std::move(item));
                item = Object();
            }
            open = true;
            line = trim(line.substr(2));
        }
        const std::size_t colon = line.find(':');
        if (!open || colon == std::string_view::npos || colon == 0 || colon > 64 ||
            (colon + 1 < line.size() && line[colon + 1] != ' ')) {
            return std::nullopt;
        }
        item = std::move(item).set(value::Str(trim(line.substr(0, colon))),
                                   parse_argument(line.substr(colon + 1)).value);
    }
    if (open) {
        list = std::move(list).push_back(std::move(item));
    }
    return Value(std::move(list));
}

}  // namespace arbiter::reader::internal
