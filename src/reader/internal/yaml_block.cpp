#include "reader/internal/yaml_block.h"

#include <utility>
#include <vector>

#include "reader/argument.h"
#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::reader::internal {
namespace {

using value::Array;
using value::Object;
using value::Value;

constexpr std::size_t kKeyMax = 64;    // bytes; longer text before a colon is a sentence
constexpr std::size_t kDepthMax = 16;  // commands are flat; this bounds the recursion

struct Line {
    std::size_t indent;
    std::string_view text;
};

// The position of the colon behind a key; npos if the line is not a member.
std::size_t find_colon(std::string_view line) {
    std::size_t from = 0;
    if (!line.empty() && (line[0] == '"' || line[0] == '\'')) {
        from = line.find(line[0], 1);
        if (from == std::string_view::npos) {
            return from;
        }
        ++from;
    }
    const std::size_t colon = line.find(':', from);
    const bool is_member = colon != std::string_view::npos && colon > 0 && colon <= kKeyMax &&
                           (colon + 1 == line.size() || line[colon + 1] == ' ');
    return is_member ? colon : std::string_view::npos;
}

bool is_item(std::string_view line) {
    return line == "-" || line.starts_with("- ");
}

// Without a comment behind it.
std::string_view scalar_text(std::string_view text) {
    text = trim(text);
    const bool quoted = !text.empty() && is_quote(text[0]);
    const std::size_t comment = quoted ? std::string_view::npos : text.find(" #");
    return trim(text.substr(0, comment));
}

class Parser {
  public:
    explicit Parser(std::vector<Line> lines) : lines_(std::move(lines)) {}

    std::optional<Value> parse() {
        if (lines_.empty()) {
            return std::nullopt;
        }
        auto value = block(lines_[0].indent, 0);
        return at_ == lines_.size() ? std::move(value) : std::nullopt;
    }

  private:
    [[nodiscard]] bool is_at(std::size_t indent) const {
        return at_ < lines_.size() && lines_[at_].indent == indent;
    }

    std::optional<Value> block(std::size_t indent, std::size_t depth) {
        if (depth > kDepthMax) {
            return std::nullopt;
        }
        return is_item(lines_[at_].text) ? list(indent, depth) : map(indent, depth);
    }

    std::optional<Value> list(std::size_t indent, std::size_t depth) {
        Array items;
        while (is_at(indent) && is_item(lines_[at_].text)) {
            const std::string_view rest = trim(lines_[at_].text.substr(1));
            std::optional<Value> item;
            if (rest.empty()) {
                ++at_;
                item = below(indent + 1, depth);
            } else if (is_item(rest) || find_colon(rest) != std::string_view::npos) {
                // The rest of the line is the first line of the item.
                const auto shift = static_cast<std::size_t>(rest.data() - lines_[at_].text.data());
                lines_[at_] = {indent + shift, rest};
                item = block(indent + shift, depth + 1);
            } else {
                ++at_;
                item = scalar(rest);
            }
            if (!item) {
                return std::nullopt;
            }
            items = std::move(items).push_back(*std::move(item));
        }
        return Value(std::move(items));
    }

    std::optional<Value> map(std::size_t indent, std::size_t depth) {
        Object members;
        while (is_at(indent)) {
            const std::string_view line = lines_[at_].text;
            const std::size_t colon = find_colon(line);
            if (colon == std::string_view::npos) {
                return std::nullopt;
            }
            const Argument key = parse_argument(line.substr(0, colon));
            const value::Str name = key.quoted && key.value.is_string()
                                        ? key.value.as_str()
                                        : value::Str(trim(line.substr(0, colon)));
            const std::string_view rest = scalar_text(line.substr(colon + 1));
            ++at_;
            // A list may stand as far to the left as its key.
            const bool same = is_at(indent) && is_item(lines_[at_].text);
            auto value = rest.empty() ? below(same ? indent : indent + 1, depth) : scalar(rest);
            if (!value) {
                return std::nullopt;
            }
            members = std::move(members).set(name, *std::move(value));
        }
        return Value(std::move(members));
    }

    // The value below a key, indented at least as far as `least`; null if there is none.
    std::optional<Value> below(std::size_t least, std::size_t depth) {
        const bool is_there = at_ < lines_.size() && lines_[at_].indent >= least;
        return is_there ? block(lines_[at_].indent, depth + 1) : Value(nullptr);
    }

    static std::optional<Value> scalar(std::string_view text) {
        constexpr std::string_view kUnread = "|>&*!%@";  // block scalars, anchors, tags
        if (kUnread.find(text[0]) != std::string_view::npos) {
            return std::nullopt;
        }
        return parse_argument(text).value;
    }

    std::vector<Line> lines_;
    std::size_t at_ = 0;
};

}  // namespace

std::optional<Value> parse_yaml_block(std::string_view text) {
    std::vector<Line> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t indent = line.find_first_not_of(' ');
        const std::string_view content = trim(line);
        if (content.empty() || content.starts_with('#')) {
            continue;
        }
        if (line[indent] == '\t') {
            return std::nullopt;
        }
        lines.push_back({indent, content});
    }
    return Parser(std::move(lines)).parse();
}

}  // namespace arbiter::reader::internal
