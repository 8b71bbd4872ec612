#include "server/call.h"

#include <charconv>

#include "base/check.h"
#include "text/split.h"
#include "value/array.h"

namespace arbiter::server {

using value::Value;

const std::string& ApiCall::path(std::string_view name) const {
    const auto found = parameters.find(name);
    CHECK(found != parameters.end());
    return found->second;
}

std::string_view ApiCall::asked(std::string_view name) const {
    const auto found = query.find(name);
    return found == query.end() ? std::string_view() : std::string_view(found->second);
}

std::size_t ApiCall::number(std::string_view name, std::size_t otherwise) const {
    const std::string_view word = asked(name);
    std::from_chars(word.data(), word.data() + word.size(), otherwise);
    return otherwise;
}

std::string ApiCall::text(std::string_view field) const {
    const Value* found = body.find(field);
    if (found != nullptr && found->is_int()) {
        return std::to_string(found->as_int());
    }
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

bool ApiCall::flag(std::string_view field) const {
    const Value* found = body.find(field);
    return found != nullptr && found->is_bool() && found->as_bool();
}

std::vector<std::string> ApiCall::texts(std::string_view field) const {
    std::vector<std::string> list;
    const Value* found = body.find(field);
    for (const Value& each :
         found != nullptr && found->is_array() ? found->as_array() : value::Array()) {
        list.emplace_back(each.is_string() ? each.as_string() : std::string_view());
    }
    return list;
}

table::Viewer ApiCall::viewer() const {
    return principal.scope == Scope::kAdmin ? table::Viewer::kOperator : table::Viewer::kPlayer;
}

std::optional<std::string> ApiCall::idempotency_key() const {
    if (has("idempotency_key")) {
        return text("idempotency_key");
    }
    const std::string* header = headers.find("idempotency-key");
    return header != nullptr ? std::optional(*header) : std::nullopt;
}

std::optional<base::Language> accepted_language(const net::Headers& headers) {
    const std::string* field = headers.find("accept-language");
    // The first one of ours; the weights of the others do not matter.
    for (const std::string_view part :
         text::split(field != nullptr ? std::string_view(*field) : "", ", ")) {
        if (part.starts_with("zh")) {
            return base::Language::kChinese;
        }
        if (part.starts_with("en")) {
            return base::Language::kEnglish;
        }
    }
    return std::nullopt;
}

bool names_hash(std::string_view field, std::string_view hash) {
    for (std::string_view part : text::split(field, ", \t")) {
        if (part == "*") {
            return true;
        }
        if (part.starts_with("W/")) {
            part.remove_prefix(2);
        }
        if (part.size() > 1 && part.starts_with('"') && part.ends_with('"')) {
            part = part.substr(1, part.size() - 2);
        }
        if (part == hash) {
            return true;
        }
    }
    return false;
}

}  // namespace arbiter::server
