// The text around literals: arguments, blanks, places, names of repairs.
#include <algorithm>
#include <array>

#include "reader/internal/bare_word.h"
#include "reader/internal/byte_search.h"
#include "reader/internal/glyph.h"
#include "reader/literal.h"
#include "text/utf8.h"

namespace arbiter::reader {

using internal::Glyph;
using internal::glyph_at;
using internal::is_quote;
using internal::parse_bare_word;
using value::Value;

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Repair::kCount)> kRepairNames = {
    "full_width",     "quotes",        "bare_key",       "bare_word",   "comment",
    "trailing_comma", "missing_comma", "missing_closer", "raw_newline", "inner_quote",
    "escape",         "python",        "number",         "arithmetic"};

}  // namespace

std::string_view name(Repair repair) noexcept {
    return kRepairNames[static_cast<std::size_t>(repair)];
}

std::string Repairs::list() const {
    std::string list;
    for (std::size_t i = 0; i < kRepairNames.size(); ++i) {
        if (has(static_cast<Repair>(i))) {
            list += list.empty() ? "" : ", ";
            list += kRepairNames[i];
        }
    }
    return list;
}

std::optional<std::string_view> plain_string(std::string_view argument) noexcept {
    const std::string_view text = trim(argument);
    if (text.size() < 2 || !is_quote(text.front()) || text.back() != text.front() ||
        internal::find_string_mark(text, 1, text.front()) != text.size() - 1) {
        return std::nullopt;
    }
    return text.substr(1, text.size() - 2);
}

Argument parse_argument(std::string_view text) {
    Argument argument;
    text = trim(text);
    if (text.empty() || text == "undefined") {
        argument.given = false;
        return argument;
    }
    const Glyph first = glyph_at(text, 0);
    if (const auto plain = plain_string(text)) {
        argument.value = Value(*plain);
        argument.quoted = true;
        if (first.ascii != '"') {
            argument.repairs.add(Repair::kQuotes);
        }
        return argument;
    }
    if (is_quote(first.ascii) || first.ascii == '{' || first.ascii == '[') {
        if (auto literal = parse_literal(text, 0, BareWords::kAny);
            literal && literal->end == text.size() && literal->closed) {
            argument.value = std::move(literal->value);
            argument.quoted = is_quote(first.ascii);
            // In a call all three kinds of quotes are proper ones.
            argument.repairs = literal->repairs;
            return argument;
        } else if (!literal && literal.error().what == LiteralError::What::kTooDeep) {
            argument.too_deep = true;
        }
    } else if (auto plain = parse_bare_word(text, argument.repairs)) {
        argument.value = std::move(*plain);
        return argument;
    }
    argument.value = Value(text);
    return argument;
}

void skip_blanks(std::string_view text, std::size_t& at) noexcept {
    while (at < text.size()) {
        const std::size_t blank = internal::blank_at(text, at);
        if (blank == 0) {
            return;
        }
        at += blank;
    }
}

std::string_view trim(std::string_view text) noexcept {
    std::size_t begin = 0;
    skip_blanks(text, begin);
    text.remove_prefix(begin);
    while (!text.empty()) {
        const char last = text.back();
        if (internal::is_blank(last)) {
            text.remove_suffix(1);
        } else if (static_cast<unsigned char>(last) < 0x80) {
            break;
        } else if (text.ends_with("\u3000") || text.ends_with("\uFEFF") ||
                   text.ends_with("\u2028") || text.ends_with("\u2029")) {
            text.remove_suffix(3);
        } else if (text.ends_with("\u00A0")) {
            text.remove_suffix(2);
        } else {
            break;
        }
    }
    return text;
}

std::string place_in(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    const std::string_view before = text.substr(0, offset);
    const auto line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1;
    const std::size_t line_begin =
        before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
    const std::size_t column = text::count(before.substr(line_begin)) + 1;
    std::string place = std::to_string(line) + ":" + std::to_string(column);
    std::string_view shown = text.substr(offset);
    shown = shown.substr(0, std::min(shown.find('\n'), shown.size()));
    std::size_t end = 0;
    for (std::size_t characters = 0; characters < 20 && end < shown.size(); ++characters) {
        end += std::max<std::size_t>(text::decode(shown.substr(end)).size, 1);
    }
    if (end > 0) {
        place += " `" + std::string(shown.substr(0, end)) + "`";
    }
    return place;
}

}  // namespace arbiter::reader
