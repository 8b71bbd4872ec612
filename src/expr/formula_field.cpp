#include "expr/formula_field.h"

#include <algorithm>
#include <string>

#include "text/ascii.h"
#include "value/json.h"

namespace arbiter::expr {

std::optional<Formula> formula(value::Fields& fields, std::string_view key,
                               const Vocabulary& vocabulary, value::Presence presence) {
    const value::Value* found = fields.take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->is_container() || found->is_null()) {
        fields.reject(key, "12, a.b + 1, …", *found);
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

bool is_word(std::string_view text) {
    return !text.empty() && !text::is_digit(text.front()) && std::ranges::all_of(text, [](char c) {
        return text::is_letter(c) || text::is_digit(c) || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    });
}

bool is_numeral(std::string_view text) {
    constexpr std::string_view kCharacters[] = {"零", "〇", "一", "二", "两", "三", "四",
                                                "五", "六", "七", "八", "九", "十", "百",
                                                "千", "万", "亿", "点", "半", "负"};
    const bool was_empty = text.empty();
    while (!text.empty()) {
        const auto* const next = std::ranges::find_if(
            kCharacters, [text](std::string_view each) { return text.starts_with(each); });
        if (next == std::end(kCharacters)) {
            return false;
        }
        text.remove_prefix(next->size());
    }
    return !was_empty;
}

}  // namespace arbiter::expr
