#include "rules/internal/formula_field.h"

#include <string>

#include "value/json.h"

namespace arbiter::rules::internal {

std::optional<expr::Formula> formula(value::Fields& fields, std::string_view key,
                                     const expr::Vocabulary& vocabulary, value::Presence presence) {
    const value::Value* found = fields.take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->is_container() || found->is_null()) {
        fields.reject(key, "a formula", *found);
        return std::nullopt;
    }
    const std::string text =
        found->is_string() ? std::string(found->as_string()) : value::print_json(*found);
    auto compiled = expr::Formula::compile(text, vocabulary);
    if (!compiled) {
        fields.error(key, std::move(compiled).error());
        return std::nullopt;
    }
    return std::move(*compiled);
}

}  // namespace arbiter::rules::internal
