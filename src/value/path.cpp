#include "value/path.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/limits.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/internal/json_text.h"
#include "value/json.h"
#include "value/json_strict.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using base::ErrorCode;
using base::fail;
using base::Place;
using base::Result;

// The character at an offset, as an error shows it.
std::string shown(std::string_view text, std::size_t at) {
    return at < text.size() ? internal::shown_character(text.substr(at)) : std::string();
}

Place place_at(std::string_view text, std::size_t at) {
    return {at, 1, text::count(text.substr(0, at)) + 1};
}

// Characters that a bare dotted name must escape.
bool is_special(char c) noexcept {
    return c == '.' || c == '[' || c == ']' || c == '"' || c == '\'' || c == '\\';
}

// A key that reads well without quotes: not empty, no control characters or surrounding spaces.
bool is_bare(std::string_view key) noexcept {
    if (key.empty() || key.front() == ' ' || key.back() == ' ') {
        return false;
    }
    // Small letters and characters beyond ASCII, which most keys consist of, lie above all of them.
    return std::ranges::none_of(key, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= ']' && (byte < 0x20 || is_special(c));
    });
}

class DottedParser {
  public:
    explicit DottedParser(std::string_view text) noexcept : text_(text) {}

    Result<Path> parse() {
        Path path;
        if (text_.empty()) {
            return path;
        }
        path.reserve(4);  // more than most paths have
        while (true) {
            auto segment = at('[') ? bracket() : bare();
            if (!segment) {
                return std::unexpected(std::move(segment).error());
            }
            path.push_back(*std::move(segment));
            if (path.size() > base::kPathSegmentsMax) {
                return fail(ErrorCode::kPathTooLong, {std::to_string(base::kPathSegmentsMax)});
            }
            if (at_ == text_.size()) {
                return path;
            }
            if (at('.')) {
                ++at_;
                // A dot may be before a bracket (a.["b"]), but never last or before a dot.
                if (at_ == text_.size()) {
                    return error(ErrorCode::kPathEmptySegment, at_);
                }
            } else if (!at('[')) {
                return error(ErrorCode::kPathAfterBracket, at_, {shown(text_, at_)});
            }
        }
    }

  private:
    [[nodiscard]] bool at(char c) const noexcept { return at_ < text_.size() && text_[at_] == c; }

    [[nodiscard]] std::unexpected<base::Error> error(ErrorCode code, std::size_t where,
                                                     std::vector<std::string> words = {}) const {
        return fail(code, std::move(words), place_at(text_, where));
    }

    Result<Segment> bare() {
        const std::size_t start = at_;
        std::string key;
        while (at_ < text_.size() && text_[at_] != '.' && text_[at_] != '[') {
            if (text_[at_] != '\\') {
                key.push_back(text_[at_++]);
                continue;
            }
            if (at_ + 1 == text_.size() || !is_special(text_[at_ + 1])) {
                return error(ErrorCode::kPathBadEscape, at_, {"\\" + shown(text_, at_ + 1)});
            }
            key.push_back(text_[at_ + 1]);
            at_ += 2;
        }
        if (at_ == start) {
            return error(ErrorCode::kPathEmptySegment, at_);
        }
        return checked_key(std::move(key));
    }

    Result<Segment> bracket() {
        const std::size_t open = at_++;
        Result<Segment> segment = at('"') || at('\'') ? quoted() : index();
        if (!segment) {
            return segment;
        }
        if (at_ == text_.size()) {
            return error(ErrorCode::kPathUnclosed, open, {"["});
        }
        if (!at(']')) {
            return error(ErrorCode::kPathBadBracket, at_, {shown(text_, at_)});
        }
        ++at_;
        return segment;
    }

    Result<Segment> index() {
        const std::size_t start = at_;
        std::int64_t number = 0;
        const auto end = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
        const auto size = static_cast<std::size_t>(end.ptr - (text_.data() + at_));
        const std::string_view digits = text_.substr(at_, size);
        if (end.ec == std::errc::result_out_of_range) {
            return error(ErrorCode::kPathIndexRange, start, {std::string(digits)});
        }
        if (end.ec != std::errc()) {
            if (at_ == text_.size()) {
                return error(ErrorCode::kPathUnclosed, start - 1, {"["});
            }
            return error(ErrorCode::kPathBadBracket, start, {shown(text_, start)});
        }
        // One way to write an index: [0], not [00] or [-0].
        if (std::to_string(number) != digits) {
            return error(ErrorCode::kPathBadBracket, start, {std::string(digits)});
        }
        at_ += size;
        return Segment(number);
    }

    // A quoted key is a JSON string, in either kind of quotes.
    Result<Segment> quoted() {
        const std::size_t open = at_;
        const char quote = text_[at_++];
        std::string literal = "\"";
        while (at_ < text_.size() && text_[at_] != quote) {
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                if (text_[at_ + 1] != '\'') {
                    literal.push_back('\\');
                }
                literal.push_back(text_[at_ + 1]);
                at_ += 2;
                continue;
            }
            if (text_[at_] == '"') {
                literal.push_back('\\');
            }
            literal.push_back(text_[at_++]);
        }
        if (at_ == text_.size()) {
            return error(ErrorCode::kPathUnclosed, open, {std::string(1, quote)});
        }
        ++at_;
        literal.push_back('"');
        const Result<Value> key = parse_json_strict(literal, {});
        if (!key) {
            return error(ErrorCode::kPathBadEscape, open, {literal});
        }
        return checked_key(std::string(key->as_string()));
    }

    Result<Segment> checked_key(std::string key) const {
        if (key.size() > base::kKeyBytesMax) {
            return fail(ErrorCode::kKeyTooLong, {std::to_string(base::kKeyBytesMax)});
        }
        return Segment(std::string_view(key));
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

Result<Path> parse_pointer(std::string_view text) {
    Path path;
    if (text.empty()) {
        return path;
    }
    if (text[0] != '/') {
        return fail(ErrorCode::kPathNotSlash, {shown(text, 0)}, place_at(text, 0));
    }
    std::string key;
    for (std::size_t i = 1; i <= text.size(); ++i) {
        if (i == text.size() || text[i] == '/') {
            if (key.size() > base::kKeyBytesMax) {
                return fail(ErrorCode::kKeyTooLong, {std::to_string(base::kKeyBytesMax)});
            }
            if (path.size() == base::kPathSegmentsMax) {
                return fail(ErrorCode::kPathTooLong, {std::to_string(base::kPathSegmentsMax)});
            }
            path.emplace_back(std::string_view(key));
            key.clear();
        } else if (text[i] != '~') {
            key.push_back(text[i]);
        } else if (i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
            key.push_back(text[++i] == '0' ? '~' : '/');
        } else {
            return fail(ErrorCode::kPathBadEscape, {"~" + shown(text, i + 1)}, place_at(text, i));
        }
    }
    return path;
}

void print_dotted(std::string& out, const Segment& segment) {
    if (segment.is_index()) {
        out += "[" + std::to_string(segment.index()) + "]";
    } else if (is_bare(segment.key())) {
        if (!out.empty()) {
            out.push_back('.');
        }
        out += segment.key();
    } else {
        out.push_back('[');
        append_json_string(out, segment.key());
        out.push_back(']');
    }
}

void print_pointer(std::string& out, const Segment& segment) {
    out.push_back('/');
    // Named: before P2718 (C++23) a range-for does not extend the lifetime of a temporary in its
    // initializer.
    const Str key = segment.as_key();
    for (const char c : key.view()) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out.push_back(c);
        }
    }
}

}  // namespace

Str Segment::as_key() const noexcept {
    if (!is_index()) {
        return value_.as_str();
    }
    std::array<char, kNumberTextMax> digits{};
    return {std::string_view(digits.data(), print_int(index(), digits.data()))};
}

std::optional<std::size_t> Segment::as_position() const noexcept {
    if (is_index()) {
        return index() >= 0 ? std::optional(static_cast<std::size_t>(index())) : std::nullopt;
    }
    const std::string_view digits = key();
    constexpr std::size_t kDigitsMax = 9;  // no array is longer
    if (digits.empty() || digits.size() > kDigitsMax || (digits[0] == '0' && digits.size() > 1)) {
        return std::nullopt;
    }
    std::size_t position = 0;
    for (const char c : digits) {
        if (c < '0' || c > '9') {
            return std::nullopt;
        }
        position = position * 10 + static_cast<std::size_t>(c - '0');
    }
    return position;
}

Result<Path> parse_path(std::string_view text, PathSyntax syntax) {
    if (text.size() > base::kPathBytesMax) {
        return fail(ErrorCode::kPathTooLong, {std::to_string(base::kPathSegmentsMax)});
    }
    if (const std::size_t bad = text::find_invalid(text); bad != std::string_view::npos) {
        return fail(ErrorCode::kPathBadUtf8, {},
                    Place{bad, 1, text::count(text.substr(0, bad)) + 1});
    }
    switch (syntax) {
        case PathSyntax::kDotted:
            return DottedParser(text).parse();
        case PathSyntax::kPointer:
            return parse_pointer(text);
        case PathSyntax::kArray:
            break;
    }
    const Result<Value> value = parse_json(text);
    if (!value) {
        return std::unexpected(value.error());
    }
    return path_from_value(*value);
}

Result<Path> parse_any_path(std::string_view text) {
    if (text.starts_with('/')) {
        return parse_path(text, PathSyntax::kPointer);
    }
    if (text.starts_with('[')) {
        // ["a"] alone is the same path in both; ["a",0] is only an array, ["a"].b only dotted.
        if (text.size() <= base::kPathBytesMax && parse_json(text)) {
            return parse_path(text, PathSyntax::kArray);
        }
    }
    return parse_path(text, PathSyntax::kDotted);
}

Result<Path> path_from_value(const Value& value) {
    if (!value.is_array()) {
        return fail(ErrorCode::kPathNotArray);
    }
    if (value.as_array().size() > base::kPathSegmentsMax) {
        return fail(ErrorCode::kPathTooLong, {std::to_string(base::kPathSegmentsMax)});
    }
    Path path;
    path.reserve(value.as_array().size());
    for (const Value& item : value.as_array()) {
        if (item.is_string()) {
            if (item.as_string().size() > base::kKeyBytesMax) {
                return fail(ErrorCode::kKeyTooLong, {std::to_string(base::kKeyBytesMax)});
            }
            path.emplace_back(item.as_str());
        } else if (item.is_int()) {
            path.emplace_back(item.as_int());
        } else {
            return fail(ErrorCode::kPathBadSegment, {std::to_string(path.size() + 1)});
        }
    }
    return path;
}

Value path_to_value(const Path& path) {
    std::vector<Value> items;
    items.reserve(path.size());
    for (const Segment& segment : path) {
        items.push_back(segment.value());
    }
    return Array(items);
}

void print_path_into(std::string& out, const Path& path) {
    out.clear();
    for (const Segment& segment : path) {
        print_dotted(out, segment);
    }
}

std::string print_path(const Path& path, PathSyntax syntax) {
    std::string out;
    switch (syntax) {
        case PathSyntax::kDotted:
            print_path_into(out, path);
            break;
        case PathSyntax::kPointer:
            for (const Segment& segment : path) {
                print_pointer(out, segment);
            }
            break;
        case PathSyntax::kArray:
            return print_json(path_to_value(path));
    }
    return out;
}

std::optional<Step> step_into(const Value& container, const Segment& segment) noexcept {
    if (container.is_object()) {
        const Object& object = container.as_object();
        const auto found =
            segment.is_index() ? object.locate(segment.as_key()) : object.locate(segment.key());
        return found ? std::optional(Step{found->position, found->value}) : std::nullopt;
    }
    if (container.is_array()) {
        const auto position = segment.as_position();
        const Array& array = container.as_array();
        return position && *position < array.size()
                   ? std::optional(Step{*position, &array[*position]})
                   : std::nullopt;
    }
    return std::nullopt;
}

const Value* find(const Value& root, const Path& path) noexcept {
    return find(root, path, path.size());
}

const Value* find(const Value& root, const Path& path, std::size_t count) noexcept {
    const Value* at = &root;
    for (std::size_t i = 0; i < count; ++i) {
        const Segment& segment = path[i];
        if (at->is_object()) {
            at = segment.is_index() ? at->as_object().find(segment.as_key())
                                    : at->as_object().find(segment.key());
        } else if (const auto step = step_into(*at, segment)) {
            at = step->value;
        } else {
            return nullptr;
        }
        if (at == nullptr) {
            return nullptr;
        }
    }
    return at;
}

}  // namespace arbiter::value
