#include "reader/internal/paths.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "reader/blanks.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"
#include "reader/literal.h"

namespace arbiter::reader::internal {
namespace {

using value::Path;
using value::Segment;

// Bytes that end a name or need a closer look.
constexpr ByteSet kNameEnds(".[\\");

class PathReader {
  public:
    explicit PathReader(std::string_view text) : text_(text) { path_.reserve(4); }

    Path run() {
        bool after_bracket = false;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '[') {
                bracket();
                after_bracket = true;
            } else if (c == '.') {
                ++at_;
                // A dot behind a bracket is a separator; any other dot ends a name.
                if (at_ == text_.size() || text_[at_] == '.') {
                    path_.emplace_back("");
                } else if (at_ == 1) {
                    path_.emplace_back("");
                }
                after_bracket = false;
            } else if (is_quote(c) && !after_bracket && quoted_name()) {
                after_bracket = true;
            } else {
                name();
                after_bracket = false;
            }
        }
        return std::move(path_);
    }

  private:
    void name() {
        std::size_t end = at_;
        while (end < text_.size() && !kNameEnds.has(text_[end])) {
            ++end;
        }
        if (end == text_.size() || text_[end] != '\\') {
            path_.emplace_back(text_.substr(at_, end - at_));
            at_ = end;
            return;
        }
        std::string out;
        while (at_ < text_.size() && text_[at_] != '.' && text_[at_] != '[') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() &&
                std::string_view(".[]\"'\\").find(text_[at_ + 1]) != std::string_view::npos) {
                ++at_;
            }
            out += text_[at_++];
        }
        path_.emplace_back(std::string_view(out));
    }

    // A "name" between dots. False: the quote is part of a name.
    bool quoted_name() {
        const std::size_t end = text_.find(text_[at_], at_ + 1);
        if (end == std::string_view::npos ||
            (end + 1 < text_.size() && text_[end + 1] != '.' && text_[end + 1] != '[')) {
            return false;
        }
        path_.emplace_back(text_.substr(at_ + 1, end - at_ - 1));
        at_ = end + 1;
        return true;
    }

    void bracket() {
        std::size_t begin = at_ + 1;
        skip_blanks(text_, begin);
        if (begin < text_.size() && is_quote(text_[begin])) {
            // A quoted name, with JSON's escapes.
            if (const auto literal = parse_literal(text_, begin);
                literal && literal->value.is_string()) {
                std::size_t end = literal->end;
                skip_blanks(text_, end);
                if (end < text_.size() && text_[end] == ']') {
                    path_.emplace_back(literal->value.as_str());
                    at_ = end + 1;
                    return;
                }
            }
        }
        std::size_t end = text_.find(']', at_);
        end = end == std::string_view::npos ? text_.size() : end;
        const std::string_view inner = trim(text_.substr(at_ + 1, end - at_ - 1));
        at_ = std::min(end + 1, text_.size());
        std::int64_t index = 0;
        const bool digits =
            !inner.empty() && std::ranges::all_of(inner, is_digit) &&
            std::from_chars(inner.data(), inner.data() + inner.size(), index).ec == std::errc();
        if (digits) {
            path_.emplace_back(index);
            return;
        }
        // [a.b] without quotes is a path of its own.
        std::size_t part = 0;
        while (true) {
            const std::size_t dot = inner.find('.', part);
            path_.emplace_back(
                inner.substr(part, dot == std::string_view::npos ? dot : dot - part));
            if (dot == std::string_view::npos) {
                return;
            }
            part = dot + 1;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Path path_;
};

}  // namespace

Path lenient_path(std::string_view text) {
    return PathReader(trim(text)).run();
}

}  // namespace arbiter::reader::internal
