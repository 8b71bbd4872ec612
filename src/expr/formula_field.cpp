#include "expr/formula_field.h"

#include <string>

#include "value/json.h"

namespace arbiter::expr {

std::optional<Formula> formula(value::Fields& fields, std::string_view key,
                               const Vocabulary& vocabulary, value::Presence presence) {
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
    auto compiled = Formula::compile(text, vocabulary);
    if (!compiled) {
        fields.error(key, std::move(compiled).error());
        return std::nullopt;
    }
    return std::move(*compiled);
}

}  // namespace arbiter::expr
