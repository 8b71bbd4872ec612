#include "writer/internal/escaped_text.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::writer::internal {
namespace {

using value::Path;
using value::Value;

constexpr std::string_view kHex = "0123456789abcdef";

// Whether the `<` could open or close a tag, unlike in a < b or <3.
bool begins_tag(std::string_view text, std::size_t at) {
    if (text[at] != '<' || at + 1 == text.size()) {
        return false;
    }
    const char next = text[at + 1];
    return next == '/' || next == '!' || next == '?' || next == '_' || text::is_letter(next) ||
           static_cast<unsigned char>(next) >= 0x80;
}

// Whether the backtick is one of three in a row.
bool in_fence(std::string_view text, std::size_t at) {
    if (text[at] != '`') {
        return false;
    }
    std::size_t begin = at;
    while (begin > 0 && at - begin < 2 && text[begin - 1] == '`') {
        --begin;
    }
    return text.substr(begin).starts_with("```");
}

void append_escape(std::string& out, char c) {
    out += "\\u00";
    out += kHex[static_cast<unsigned char>(c) >> 4];
    out += kHex[static_cast<unsigned char>(c) & 15];
}

bool is_line_end(char32_t c) {
    return c < 0x20 || c == 0x7F || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Whether a name needs no quotes in a dotted path: no quotes, separators or leading slash, and no
// blanks at its ends.
bool is_plain_name(std::string_view name) {
    if (name.empty() || name.starts_with('/') ||
        name.find_first_of(".[]\"'`\\") != std::string_view::npos) {
        return false;
    }
    std::size_t last = name.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(name[last]) & 0xC0) == 0x80) {
        --last;
    }
    return !is_blank(text::decode(name).code_point) &&
           !is_blank(text::decode(name.substr(last)).code_point) &&
           std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

bool is_blank(char32_t c) noexcept {
    return c <= 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

std::string json_text(const Value& value) {
    const std::string json = value::print_json(value);
    // Outside strings JSON has neither character.
    if (json.find_first_of("<`") == std::string::npos) {
        return json;
    }
    std::string out;
    out.reserve(json.size() + 16);
    for (std::size_t i = 0; i < json.size(); ++i) {
        if (begins_tag(json, i) || in_fence(json, i)) {
            append_escape(out, json[i]);
        } else {
            out += json[i];
        }
    }
    return out;
}

std::string quoted(std::string_view text) {
    std::string out = "'";
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' || c == '\'') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\r') {
            out += "\\r";
        } else if (c == '\t') {
            out += "\\t";
        } else if (static_cast<unsigned char>(c) < 0x20 || begins_tag(text, i) ||
                   in_fence(text, i)) {
            append_escape(out, c);
        } else {
            out += c;
        }
    }
    out += '\'';
    return out;
}

std::string literal(const Value& value) {
    return value.is_string() ? quoted(value.as_string()) : json_text(value);
}

std::string one_line(std::string_view reason) {
    std::string out;
    for (std::size_t i = 0; i < reason.size();) {
        const text::Decoded next = text::decode(reason.substr(i));
        if (is_line_end(next.code_point) || reason[i] == ' ') {
            if (!out.empty() && out.back() != ' ') {
                out += ' ';
            }
        } else {
            out += reason.substr(i, next.size);
            if (begins_tag(reason, i)) {
                out += ' ';
            }
        }
        i += next.size;
    }
    if (out.ends_with(' ')) {
        out.pop_back();
    }
    return out;
}

std::string dotted(const Path& path) {
    std::string out;
    for (const value::Segment& segment : path) {
        if (segment.is_index()) {
            out += "[" + std::to_string(segment.index()) + "]";
        } else if (is_plain_name(segment.key())) {
            out += out.empty() ? "" : ".";
            out += segment.key();
        } else {
            out += '[';
            value::append_json_string(out, segment.key());
            out += ']';
        }
    }
    return out;
}

void Members::add(std::string_view key, const Value& value) {
    if (text_.size() > 1) {
        text_ += ',';
    }
    text_ += json_text(Value(key));
    text_ += ':';
    text_ += json_text(value);
}
void Members::add(std::string_view key, const std::optional<Value>& value) {
    if (value) {
        add(key, *value);
    }
}
void Members::add_text(std::string_view key, std::string_view text) {
    if (!text.empty()) {
        add(key, Value(text));
    }
}

}  // namespace arbiter::writer::internal
