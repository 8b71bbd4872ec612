#include "reader/argument.h"

#include "reader/blanks.h"
#include "reader/internal/bare_word.h"
#include "reader/internal/byte_search.h"
#include "reader/internal/glyph.h"
#include "reader/literal.h"

namespace arbiter::reader {

using internal::Glyph;
using internal::glyph_at;
using internal::is_quote;
using internal::parse_bare_word;
using value::Value;

namespace {

// Removes one level of escapes: \" becomes ", \\ becomes \.
std::string without_escapes(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 1 < text.size() &&
                            (is_quote(text[i + 1]) || text[i + 1] == '\\');
        i += escape ? 1 : 0;
        out += text[i];
    }
    return out;
}

}  // namespace

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
    if (text.size() >= 4 && text[0] == '\\' && is_quote(text[1]) && text.back() == text[1] &&
        text[text.size() - 2] == '\\') {
        // \"a.b\": the whole call was escaped.
        const std::string unescaped = without_escapes(text);
        argument = parse_argument(unescaped);
        argument.repairs.add(Repair::kEscape);
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
            argument.repairs = literal->repairs;
            return argument;
        } else if (is_quote(text[0]) && text.size() >= 2 && text.back() == text[0] &&
                   text.find('\n') != std::string_view::npos) {
            // A text over several lines, in which quotes of the same kind stand.
            argument.value = Value(text.substr(1, text.size() - 2));
            argument.quoted = true;
            argument.repairs.add(Repair::kInnerQuote);
            return argument;
        } else if (!literal && literal.error().kind == LiteralError::Kind::kTooDeep) {
            argument.too_deep = true;
        }
    } else if (auto plain = parse_bare_word(text, argument.repairs)) {
        argument.value = std::move(*plain);
        return argument;
    }
    argument.value = Value(text);
    return argument;
}

}  // namespace arbiter::reader
