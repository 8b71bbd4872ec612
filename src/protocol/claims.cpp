#include "protocol/claims.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/internal/meanings.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::protocol {
namespace {

void read_line(std::string_view text, std::size_t line, Claims& claims) {
    const auto fail = [&](base::Error error) {
        error.place = base::Place{0, line, error.place ? error.place->column : 1};
        claims.errors.push_back(std::move(error));
    };
    const auto parsed = value::parse_json(text);
    if (!parsed) {
        fail(parsed.error());
        return;
    }
    const value::Value* path = parsed->is_object() ? parsed->as_object().find("path") : nullptr;
    const value::Value* value = parsed->is_object() ? parsed->as_object().find("value") : nullptr;
    if (path == nullptr || value == nullptr) {
        fail(base::Error(base::ErrorCode::kMissingKey, {path == nullptr ? "path" : "value"}));
        return;
    }
    auto place = path->is_string() ? value::parse_any_path(path->as_string())
                                   : value::path_from_value(*path);
    if (!place) {
        fail(std::move(place).error());
        return;
    }
    claims.list.push_back({std::move(*place), *value, line});
}

}  // namespace

Claims claims_of(const std::vector<proposal::Component>& components) {
    Claims claims;
    for (const proposal::Component& component : components) {
        if (!internal::same_tag(component.tag, "claims")) {
            continue;
        }
        std::string_view rest = component.content;
        for (std::size_t line = 1; !rest.empty() && claims.list.size() < base::kProtocolListMax;
             ++line) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string_view text = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            // Some models write a list all the same.
            while (!text.empty() && (text.back() == ' ' || text.back() == '\r' ||
                                     text.back() == ',' || text.back() == '\t')) {
                text.remove_suffix(1);
            }
            text.remove_prefix(std::min(text.find_first_not_of(" \t-"), text.size()));
            if (text.empty() || text == "[" || text == "]" || text.starts_with("```")) {
                continue;
            }
            if (claims.errors.size() < base::kNoticesMax) {
                read_line(text, line, claims);
            }
        }
    }
    return claims;
}

}  // namespace arbiter::protocol
