#include "text/internal/regex_parse.h"

#include <algorithm>
#include <string>
#include <utility>

#include "text/internal/scripts.h"
#include "text/utf8.h"

namespace arbiter::text::internal {
namespace {

using base::ErrorCode;
using base::Result;
using Kind = Regex::Kind;
using Range = Regex::Range;
using Set = Regex::Set;

constexpr char32_t kLast = 0x10FFFF;

// The ranges of \d \w \s; empty for any other letter.
std::vector<Range> named_set(char32_t letter) {
    switch (letter) {
        case 'd':
            return {{'0', '9'}};
        case 'w':
            return {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
        case 's':
            return {{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680},
                    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F},
                    {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
        default:
            return {};
    }
}

std::vector<Range> all_but(std::vector<Range> ranges) {
    std::vector<Range> rest;
    char32_t from = 0;
    for (const Range& range : ranges) {
        if (range.low > from) {
            rest.push_back({from, range.low - 1});
        }
        from = range.high + 1;
    }
    rest.push_back({from, kLast});
    return rest;
}

int digit_of(char32_t c) {
    return c >= '0' && c <= '9'   ? static_cast<int>(c - '0')
           : c >= 'a' && c <= 'f' ? static_cast<int>(c - 'a') + 10
           : c >= 'A' && c <= 'F' ? static_cast<int>(c - 'A') + 10
                                  : -1;
}

class Parser {
  public:
    Parser(std::string_view pattern, const RegexOptions& options)
        : folds(options.ignores_case), options_(options) {
        for (std::size_t at = 0; at < pattern.size();) {
            const Decoded next = decode(pattern.substr(at));
            text_.push_back(next.code_point);
            offsets_.push_back(at);
            at += next.size;
        }
        offsets_.push_back(pattern.size());
    }

    Result<Part> parse() {
        if (looking_at(U"(?i)")) {
            folds = true;
            at_ += 4;
        }
        auto whole = choice(0);
        if (whole && at_ < text_.size()) {
            return syntax();  // an unmatched )
        }
        return whole;
    }

    std::vector<Set> sets;
    bool folds;
    std::vector<std::string> groups;  // their names

  private:
    [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
    [[nodiscard]] char32_t peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : U'\0';
    }
    [[nodiscard]] bool looking_at(std::u32string_view words) const {
        return std::u32string_view(text_).substr(std::min(at_, text_.size())).starts_with(words);
    }
    bool take(char32_t c) {
        if (at_end() || text_[at_] != c) {
            return false;
        }
        ++at_;
        return true;
    }

    [[nodiscard]] base::Place place() const {
        const std::size_t at = std::min(at_, text_.size());
        return {offsets_[at], 1, at + 1};
    }
    [[nodiscard]] std::unexpected<base::Error> syntax() const {
        std::string what;
        if (!at_end()) {
            append(what, text_[at_]);
        }
        return base::fail(ErrorCode::kRegexSyntax, {what}, place());
    }
    [[nodiscard]] std::unexpected<base::Error> unsupported(std::u32string_view what) const {
        std::string words;
        for (const char32_t c : what) {
            append(words, c);
        }
        return base::fail(ErrorCode::kRegexUnsupported, {words}, place());
    }

    // x|y|z
    Result<Part> choice(std::size_t depth) {
        if (depth > base::kRegexDepthMax) {
            return base::fail(ErrorCode::kRegexTooLarge, {std::to_string(base::kRegexDepthMax)},
                              place());
        }
        Part either{.kind = Part::Kind::kOr};
        do {
            auto one = sequence(depth);
            if (!one) {
                return one;
            }
            either.parts.push_back(std::move(*one));
        } while (take('|'));
        return either.parts.size() == 1 ? std::move(either.parts[0]) : std::move(either);
    }

    Result<Part> sequence(std::size_t depth) {
        Part all{.kind = Part::Kind::kThen};
        while (!at_end() && peek() != '|' && peek() != ')') {
            auto one = atom(depth);
            if (!one) {
                return one;
            }
            auto repeated = repetition(std::move(*one));
            if (!repeated) {
                return repeated;
            }
            all.parts.push_back(std::move(*repeated));
        }
        return all;
    }

    Result<Part> repetition(Part part) {
        std::uint32_t least = 0;
        std::uint32_t most = kForever;
        if (take('*')) {
        } else if (take('+')) {
            least = 1;
        } else if (take('?')) {
            most = 1;
        } else if (is_count()) {
            const std::size_t begin = at_++;
            least = number();
            most = take(',') ? (peek() == '}' ? kForever : number()) : least;
            if (!take('}')) {
                return syntax();
            }
            if (least > base::kRegexRepeatsMax ||
                (most != kForever && (most < least || most > base::kRegexRepeatsMax))) {
                at_ = begin;
                return most < least ? syntax()
                                    : base::fail(ErrorCode::kRegexTooLarge,
                                                 {std::to_string(base::kRegexRepeatsMax)}, place());
            }
        } else {
            return part;
        }
        const bool is_lazy = take('?');
        if (peek() == '*' || peek() == '+' || peek() == '?') {
            return syntax();
        }
        Part repeated{
            .kind = Part::Kind::kRepeat, .least = least, .most = most, .is_lazy = is_lazy};
        repeated.parts.push_back(std::move(part));
        return repeated;
    }

    // {2 begins a count; any other { is a literal character. A lenient count is a whole one: {2,5}.
    [[nodiscard]] bool is_count() const {
        const auto is_digit = [this](std::size_t ahead) {
            return peek(ahead) >= '0' && peek(ahead) <= '9';
        };
        if (peek() != '{' || !is_digit(1) || !options_.is_lenient) {
            return peek() == '{' && is_digit(1);
        }
        std::size_t ahead = 1;
        while (is_digit(ahead)) {
            ++ahead;
        }
        ahead += peek(ahead) == ',' ? 1 : 0;
        while (is_digit(ahead)) {
            ++ahead;
        }
        return peek(ahead) == '}';
    }
    std::uint32_t number() {
        std::uint32_t value = 0;
        while (peek() >= '0' && peek() <= '9') {
            value = std::min(value * 10 + (text_[at_++] - '0'), kForever + 1);
        }
        return value;
    }

    Part one_of(Set set) {
        sets.push_back(std::move(set));
        return {.kind = Part::Kind::kSet, .set = static_cast<std::uint32_t>(sets.size() - 1)};
    }
    static Part assertion(Kind kind) { return {.kind = Part::Kind::kAssert, .assertion = kind}; }

    Result<Part> atom(std::size_t depth) {
        const char32_t c = peek();
        switch (c) {
            case '(':
                return group(depth);
            case '[':
                return set();
            case '.':
                ++at_;
                if (options_.dot_all) {
                    return one_of({{}, true});
                }
                return one_of({{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}, true});
            case '^':
                ++at_;
                return assertion(options_.multiline ? Kind::kLineBegin : Kind::kBegin);
            case '$':
                ++at_;
                return assertion(options_.multiline ? Kind::kLineEnd : Kind::kEnd);
            case '*':
            case '+':
            case '?':
                return syntax();
            case '{':
                if (is_count()) {
                    return syntax();  // nothing to repeat
                }
                ++at_;
                return one_of({{{c, c}}, false});
            case '\\':
                break;
            default:
                ++at_;
                return one_of({{{c, c}}, false});
        }
        if (peek(1) == 'b' || peek(1) == 'B') {
            at_ += 2;
            return assertion(text_[at_ - 1] == 'b' ? Kind::kEdge : Kind::kNoEdge);
        }
        auto ranges = escape();
        if (!ranges) {
            return std::unexpected(ranges.error());
        }
        return one_of({std::move(*ranges), false});
    }

    Result<Part> group(std::size_t depth) {
        if (looking_at(U"(?=")) {
            return tail(depth);
        }
        for (const std::u32string_view look : {U"(?!", U"(?<=", U"(?<!"}) {
            if (looking_at(look)) {
                return unsupported(look);
            }
        }
        ++at_;
        std::string name;
        bool has_number = true;
        if (take('?')) {
            if (take('<')) {
                while (is_word(peek()) || peek() > 0x7F) {
                    append(name, text_[at_++]);
                }
                if (name.empty() || !take('>')) {
                    return syntax();
                }
            } else if (take(':')) {
                has_number = false;
            } else {
                return unsupported(U"(?");
            }
        }
        Part made{.kind = Part::Kind::kThen};
        if (has_number) {
            groups.push_back(std::move(name));
            made.group = static_cast<std::uint32_t>(groups.size());
        }
        auto inside = choice(depth + 1);
        if (inside && !take(')')) {
            return syntax();
        }
        if (!inside) {
            return inside;
        }
        made.parts.push_back(*std::move(inside));
        return made;
    }

    // x(?=y) at the end of the pattern is x and then y, of which y does not belong to the match.
    Result<Part> tail(std::size_t depth) {
        const std::size_t begin = at_;
        at_ += 3;
        auto inside = choice(depth + 1);
        if (!inside) {
            return inside;
        }
        if (!take(')')) {
            return syntax();
        }
        const bool is_allowed = options_.captures || options_.is_lenient;
        if (!is_allowed || depth != 0 || !(at_end() || peek() == '|')) {
            at_ = begin;
            return unsupported(U"(?=");
        }
        Part made{.kind = Part::Kind::kThen, .is_tail = true};
        made.parts.push_back(*std::move(inside));
        return made;
    }

    // An escape sequence: a set, or one character.
    Result<std::vector<Range>> escape() {
        const char32_t c = peek(1);
        if (at_ + 1 >= text_.size()) {
            return syntax();
        }
        if (auto named = named_set(c); !named.empty()) {
            at_ += 2;
            return named;
        }
        if (auto named = named_set(c + ('a' - 'A')); c <= 'Z' && !named.empty()) {
            at_ += 2;
            return all_but(std::move(named));
        }
        if (c == 'p' || c == 'P') {
            return script();
        }
        if ((c >= '1' && c <= '9') || c == 'k') {
            return unsupported(std::u32string(U"\\") + c);
        }
        const auto character = one_character();
        if (!character) {
            return std::unexpected(character.error());
        }
        return std::vector<Range>{{*character, *character}};
    }

    // \p{Han}, \p{Script=Han}, \P{sc=Han}
    Result<std::vector<Range>> script() {
        const std::size_t end = std::u32string_view(text_).find(U'}', at_);
        if (peek(2) != '{' || end == std::u32string_view::npos) {
            return unsupported(std::u32string(U"\\") + peek(1));
        }
        std::string name;
        for (std::size_t i = at_ + 3; i < end; ++i) {
            append(name, text_[i]);
        }
        if (const std::size_t sign = name.find('='); sign != std::string::npos) {
            const std::string_view property = std::string_view(name).substr(0, sign);
            if (property != "Script" && property != "sc" && property != "Script_Extensions" &&
                property != "scx") {
                return unsupported(text_.substr(at_, end + 1 - at_));
            }
            name.erase(0, sign + 1);
        }
        const std::span<const Range> found = script_ranges(name);
        if (found.empty()) {
            return unsupported(text_.substr(at_, end + 1 - at_));
        }
        const bool inverted = peek(1) == 'P';
        at_ = end + 1;
        std::vector<Range> ranges(found.begin(), found.end());
        return inverted ? all_but(std::move(ranges)) : std::move(ranges);
    }

    Result<char32_t> one_character() {
        ++at_;
        const char32_t c = text_[at_++];
        switch (c) {
            case 'n':
                return U'\n';
            case 't':
                return U'\t';
            case 'r':
                return U'\r';
            case 'f':
                return U'\f';
            case 'v':
                return U'\v';
            case '0':
                return U'\0';
            case 'x':
                return by_number(2, 2);
            case 'u':
                if (take('{')) {
                    auto found = by_number(1, 6);
                    return !found || take('}') ? found : syntax();
                }
                return by_number(4, 4);
            default:
                break;
        }
        if (is_word(c) && !options_.is_lenient) {
            at_ -= 2;
            return syntax();
        }
        return c;
    }

    Result<char32_t> by_number(std::size_t least, std::size_t most) {
        char32_t value = 0;
        std::size_t digits = 0;
        while (digits < most && digit_of(peek()) >= 0) {
            value = value * 16 + static_cast<char32_t>(digit_of(text_[at_++]));
            ++digits;
        }
        if (digits < least || value > kLast) {
            return syntax();
        }
        return value;
    }

    Result<Part> set() {
        ++at_;
        Set made;
        made.inverted = take('^');
        while (!take(']')) {
            if (at_end()) {
                return syntax();
            }
            auto from = member();
            if (!from) {
                return std::unexpected(from.error());
            }
            if (peek() != '-' || peek(1) == ']' || at_ + 1 >= text_.size()) {
                made.ranges.insert(made.ranges.end(), from->begin(), from->end());
                continue;
            }
            ++at_;
            const auto to = member();
            if (!to) {
                return std::unexpected(to.error());
            }
            const bool single = from->size() == 1 && from->front().low == from->front().high &&
                                to->size() == 1 && to->front().low == to->front().high;
            if (!single && options_.is_lenient) {
                made.ranges.insert(made.ranges.end(), from->begin(), from->end());
                made.ranges.push_back({'-', '-'});
                made.ranges.insert(made.ranges.end(), to->begin(), to->end());
                continue;
            }
            if (!single || from->front().low > to->front().low) {
                --at_;
                return syntax();
            }
            made.ranges.push_back({from->front().low, to->front().low});
        }
        return one_of(std::move(made));
    }

    Result<std::vector<Range>> member() {
        if (peek() != '\\') {
            const char32_t c = text_[at_++];
            return std::vector<Range>{{c, c}};
        }
        if (peek(1) == 'b') {
            at_ += 2;
            return std::vector<Range>{{'\b', '\b'}};
        }
        return escape();
    }

    const RegexOptions& options_;
    std::u32string text_;
    std::vector<std::size_t> offsets_;
    std::size_t at_ = 0;
};

}  // namespace

bool holds(Regex::Kind assertion, std::optional<char32_t> before,
           std::optional<char32_t> after) noexcept {
    const auto is_line_end = [](char32_t c) {
        return c == '\n' || c == '\r' || c == 0x2028 || c == 0x2029;
    };
    const bool edge = (before && is_word(*before)) != (after && is_word(*after));
    switch (assertion) {
        case Kind::kBegin:
            return !before;
        case Kind::kEnd:
            return !after;
        case Kind::kLineBegin:
            return !before || is_line_end(*before);
        case Kind::kLineEnd:
            return !after || is_line_end(*after);
        case Kind::kEdge:
            return edge;
        case Kind::kNoEdge:
            return !edge;
        case Kind::kSet:
        case Kind::kSplit:
        case Kind::kJump:
        case Kind::kFound:
            break;
    }
    return false;
}

Result<Pattern> parse_pattern(std::string_view pattern, const RegexOptions& options) {
    Parser parser(pattern, options);
    auto whole = parser.parse();
    if (!whole) {
        return std::unexpected(whole.error());
    }
    return Pattern{std::move(*whole), std::move(parser.sets), parser.folds,
                   std::move(parser.groups)};
}

}  // namespace arbiter::text::internal
