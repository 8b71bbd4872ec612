#include "value/json_strict.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>

#include "text/utf8.h"
#include "value/builder.h"
#include "value/internal/json_text.h"
#include "value/number.h"

namespace arbiter::value {
namespace {

using base::Error;
using base::ErrorCode;
using base::Place;
using base::Result;

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
bool is_space(char c) noexcept {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}
// A character of a misspelled word or number, for the quote in an error.
bool is_word(char32_t c) noexcept {
    // Punctuation of Chinese text ends a word just as a comma does.
    const bool punctuation = (c >= 0x2010 && c <= 0x205E) || (c >= 0x3000 && c <= 0x303F) ||
                             (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFFEF);
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '.' || c == '+' || c == '-' || (c >= 0xA0 && !punctuation);
}

// Longest quote of the text in an error.
constexpr std::size_t kQuoteBytesMax = 40;

// One pass, with recursion bounded by the depth limit.
class Parser {
  public:
    Parser(std::string_view text, const JsonOptions& options)
        : text_(text),
          depth_max_(std::min(options.depth_max, base::kDepthMax)),
          notices_(options.notices) {
        builder_.reserve(1024);
    }

    Result<Value> parse() {
        if (const std::size_t bad = text::find_invalid(text_); bad != std::string_view::npos) {
            return std::unexpected(Error(ErrorCode::kJsonBadUtf8, {}, place(bad)));
        }
        if (text_.starts_with(internal::kByteOrderMark)) {
            at_ = internal::kByteOrderMark.size();
        }
        skip_space();
        if (at_ == text_.size()) {
            return std::unexpected(Error(ErrorCode::kJsonEmpty));
        }
        if (!value(0)) {
            place_notices();
            return std::unexpected(*std::move(error_));
        }
        skip_space();
        if (at_ != text_.size()) {
            place_notices();
            fail(ErrorCode::kJsonAfterEnd, at_, {quote(at_)});
            return std::unexpected(*std::move(error_));
        }
        place_notices();
        return builder_.take();
    }

  private:
    // Converts offsets to places in one pass over the text.
    void place_notices() {
        if (notices_ == nullptr) {
            return;
        }
        std::ranges::sort(notices_->list, {}, [](const JsonNotice& n) { return n.place.offset; });
        Place at = place(std::min(text_.size(), internal::kByteOrderMark.size()));
        if (!notices_->list.empty() && notices_->list[0].place.offset < at.offset) {
            at = Place{};
        }
        for (JsonNotice& each : notices_->list) {
            at = internal::place_after(text_, at, each.place.offset);
            each.place = at;
        }
    }

    [[nodiscard]] Place place(std::size_t offset) const {
        // A byte order mark is not part of the first line.
        const std::size_t mark = internal::kByteOrderMark.size();
        if (offset >= mark && text_.starts_with(internal::kByteOrderMark)) {
            return internal::place_after(text_, {mark, 1, 1}, offset);
        }
        return internal::place_in(text_, offset);
    }

    // Stores the error and returns false.
    bool fail(ErrorCode code, std::size_t offset, std::vector<std::string> words = {}) {
        error_.emplace(code, std::move(words), place(offset));
        return false;
    }

    void notice(JsonNotice::What what, std::size_t offset) {
        if (notices_ != nullptr) {
            ++notices_->total;
            if (notices_->list.size() < base::kNoticesMax) {
                notices_->list.push_back({what, Place{offset, 0, 0}});
            }
        }
    }

    [[nodiscard]] bool at_word(std::size_t offset) const {
        return offset < text_.size() && is_word(text::decode(text_.substr(offset, 4)).code_point);
    }

    // The word or the single character at an offset, for a message.
    [[nodiscard]] std::string quote(std::size_t offset) const {
        std::size_t end = offset;
        while (at_word(end) && end - offset < kQuoteBytesMax) {
            end += text::decode(text_.substr(end, 4)).size;
        }
        if (end > offset) {
            return std::string(text_.substr(offset, end - offset));
        }
        return internal::shown_character(text_.substr(offset));
    }

    [[nodiscard]] bool at(char c) const noexcept { return at_ < text_.size() && text_[at_] == c; }

    void skip_space() noexcept {
        while (at_ < text_.size() && is_space(text_[at_])) {
            ++at_;
        }
    }

    bool value(std::size_t depth) {
        switch (text_[at_]) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"': {
                std::string_view text;
                scratch_.clear();
                if (!string(text, scratch_)) {
                    return false;
                }
                builder_.push(Value(text));
                return true;
            }
            case 't':
                return literal("true", Value(true));
            case 'f':
                return literal("false", Value(false));
            case 'n':
                return literal("null", Value());
            default:
                break;
        }
        if (is_digit(text_[at_]) || text_[at_] == '-') {
            return number();
        }
        const std::string found = quote(at_);
        const bool number_like = found[0] == '+' || found[0] == '.';
        const bool word_like = at_word(at_);
        return fail(number_like ? ErrorCode::kJsonBadNumber
                    : word_like ? ErrorCode::kJsonBadLiteral
                                : ErrorCode::kJsonExpectedValue,
                    at_, {found});
    }

    bool literal(std::string_view word, Value meaning) {
        if (quote(at_) != word) {
            return fail(ErrorCode::kJsonBadLiteral, at_, {quote(at_)});
        }
        at_ += word.size();
        builder_.push(std::move(meaning));
        return true;
    }

    bool number() {
        const std::size_t start = at_;
        std::size_t i = at_ + (at('-') ? 1 : 0);
        const auto digits = [&] {
            const std::size_t from = i;
            while (i < text_.size() && is_digit(text_[i])) {
                ++i;
            }
            return i > from;
        };
        const std::size_t whole_part = i;
        bool good = digits() && (text_[whole_part] != '0' || i == whole_part + 1);
        if (good && i < text_.size() && text_[i] == '.') {
            ++i;
            good = digits();
        }
        if (good && i < text_.size() && (text_[i] == 'e' || text_[i] == 'E')) {
            ++i;
            if (i < text_.size() && (text_[i] == '+' || text_[i] == '-')) {
                ++i;
            }
            good = digits();
        }
        if (!good || at_word(i)) {
            return fail(ErrorCode::kJsonBadNumber, start, {quote(start)});
        }
        const ReadNumber read = read_number(text_.substr(start, i - start));
        at_ = i;
        switch (read.form) {
            case ReadNumber::Form::kInt:
                builder_.push(Value(read.integer));
                return true;
            case ReadNumber::Form::kRounded:
                notice(JsonNotice::What::kRoundedNumber, start);
                [[fallthrough]];
            case ReadNumber::Form::kDouble:
                builder_.push(Value(read.real));
                return true;
            case ReadNumber::Form::kTooLarge:
                break;
        }
        return fail(ErrorCode::kJsonNumberRange, start, {quote(start)});
    }

    // Reads the string at the opening quote: from the text itself, or from `decoded`, which is
    // empty, when it has escapes.
    bool string(std::string_view& out, std::string& decoded) {
        const std::size_t open = at_++;
        const std::size_t start = at_;
        while (at_ < text_.size() && internal::is_plain(text_[at_])) {
            ++at_;
        }
        if (at('"')) {
            out = text_.substr(start, at_ - start);
            ++at_;
            return true;
        }
        decoded.assign(text_.substr(start, at_ - start));
        while (at_ < text_.size() && text_[at_] != '"') {
            if (static_cast<unsigned char>(text_[at_]) < 0x20) {
                constexpr char kHex[] = "0123456789ABCDEF";
                const auto code = static_cast<unsigned char>(text_[at_]);
                return fail(ErrorCode::kJsonControlCharacter, at_,
                            {std::string("U+00") + kHex[code >> 4] + kHex[code & 15]});
            }
            if (text_[at_] != '\\') {
                decoded.push_back(text_[at_++]);
            } else if (!escape(decoded)) {
                return false;
            }
        }
        if (at_ == text_.size()) {
            return fail(ErrorCode::kJsonUnclosed, open, {"\""});
        }
        ++at_;
        out = decoded;
        return true;
    }

    bool escape(std::string& out) {
        constexpr std::string_view kNames = "\"\\/bfnrt";
        constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
        const std::size_t start = at_;
        const std::size_t known =
            start + 1 < text_.size() ? kNames.find(text_[start + 1]) : std::string_view::npos;
        if (known != std::string_view::npos) {
            out.push_back(kMeanings[known]);
            at_ += 2;
            return true;
        }
        const std::optional<char32_t> unit = code_unit(start);
        if (!unit) {
            const std::size_t size = start + 1 < text_.size() && text_[start + 1] == 'u' ? 6 : 2;
            std::size_t end = start + 1;
            while (end < text_.size() && end < start + size && text_[end] != '"') {
                end += text::decode(text_.substr(end)).size;
            }
            return fail(ErrorCode::kJsonBadEscape, start,
                        {std::string(text_.substr(start, end - start))});
        }
        at_ += 6;
        if (*unit < 0xD800 || *unit >= 0xE000) {
            text::append(out, *unit);
            return true;
        }
        const std::optional<char32_t> low = *unit < 0xDC00 ? code_unit(at_) : std::nullopt;
        if (low && *low >= 0xDC00 && *low < 0xE000) {
            text::append(out, 0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00));
            at_ += 6;
            return true;
        }
        notice(JsonNotice::What::kLoneSurrogate, start);
        text::append(out, text::kReplacement);
        return true;
    }

    // The value of a \u escape at an offset.
    [[nodiscard]] std::optional<char32_t> code_unit(std::size_t offset) const {
        if (offset + 6 > text_.size() || text_[offset] != '\\' || text_[offset + 1] != 'u') {
            return std::nullopt;
        }
        char32_t unit = 0;
        for (const char c : text_.substr(offset + 2, 4)) {
            const char lower = static_cast<char>(c | 0x20);
            if (is_digit(c)) {
                unit = unit * 16 + static_cast<char32_t>(c - '0');
            } else if (lower >= 'a' && lower <= 'f') {
                unit = unit * 16 + static_cast<char32_t>(lower - 'a' + 10);
            } else {
                return std::nullopt;
            }
        }
        return unit;
    }

    // After a value in a container: true at a comma, false at the end (then check `error_`).
    bool goes_on(std::size_t open, char close) {
        skip_space();
        if (at_ == text_.size()) {
            return fail(ErrorCode::kJsonUnclosed, open, {std::string(1, text_[open])});
        }
        if (at(close)) {
            ++at_;
            return false;
        }
        if (!at(',')) {
            return fail(ErrorCode::kJsonExpectedSeparator, at_,
                        {quote(at_), std::string(1, close)});
        }
        const std::size_t comma = at_++;
        skip_space();
        if (at_ == text_.size()) {
            return fail(ErrorCode::kJsonUnclosed, open, {std::string(1, text_[open])});
        }
        if (at(close)) {
            return fail(ErrorCode::kJsonTrailingComma, comma, {std::string(1, close)});
        }
        return true;
    }

    // Steps over an opening bracket; false (with an error) when that is too deep or the end.
    bool enter(std::size_t depth) {
        const std::size_t open = at_++;
        if (depth >= depth_max_) {
            return fail(ErrorCode::kTooDeep, open, {std::to_string(depth_max_)});
        }
        skip_space();
        return at_ != text_.size() ||
               fail(ErrorCode::kJsonUnclosed, open, {std::string(1, text_[open])});
    }

    bool array(std::size_t depth) {
        const std::size_t open = at_;
        if (!enter(depth)) {
            return false;
        }
        std::size_t count = 0;
        if (at(']')) {
            ++at_;
        } else {
            do {
                if (!value(depth + 1)) {
                    return false;
                }
                ++count;
            } while (goes_on(open, ']'));
        }
        if (error_) {
            return false;
        }
        builder_.close_array(count);
        return true;
    }

    bool object(std::size_t depth) {
        const std::size_t open = at_;
        if (!enter(depth)) {
            return false;
        }
        std::size_t count = 0;
        if (at('}')) {
            ++at_;
        } else {
            do {
                if (!member(open, depth)) {
                    return false;
                }
                ++count;
            } while (goes_on(open, '}'));
        }
        if (error_) {
            return false;
        }
        if (builder_.close_object(count)) {
            notice(JsonNotice::What::kDuplicateKey, open);
        }
        return true;
    }

    bool member(std::size_t open, std::size_t depth) {
        if (!at('"')) {
            return fail(ErrorCode::kJsonExpectedKey, at_, {quote(at_)});
        }
        const std::size_t start = at_;
        std::string_view key;
        std::string decoded;
        if (!string(key, decoded)) {
            return false;
        }
        if (key.data() == decoded.data()) {
            key = decoded_keys_.emplace_back(std::move(decoded));
        }
        if (key.size() > base::kKeyBytesMax) {
            return fail(ErrorCode::kKeyTooLong, start, {std::to_string(base::kKeyBytesMax)});
        }
        builder_.push_key(key);
        skip_space();
        if (at_ < text_.size() && !at(':')) {
            return fail(ErrorCode::kJsonExpectedColon, at_, {quote(at_)});
        }
        ++at_;
        skip_space();
        if (at_ >= text_.size()) {
            return fail(ErrorCode::kJsonUnclosed, open, {std::string(1, text_[open])});
        }
        return value(depth + 1);
    }

    std::string_view text_;
    std::size_t depth_max_;
    JsonNotices* notices_;
    std::size_t at_ = 0;
    Builder builder_;
    std::string scratch_;
    std::deque<std::string>
        decoded_keys_;  // referenced by the builder until their object is closed
    std::optional<Error> error_;
};

}  // namespace

Result<Value> parse_json_strict(std::string_view text, const JsonOptions& options) {
    const std::size_t bytes_max = std::min(options.bytes_max, base::kJsonBytesMax);
    if (text.size() > bytes_max) {
        return base::fail(ErrorCode::kTextTooLong,
                          {std::to_string(text.size()), std::to_string(bytes_max)});
    }
    return Parser(text, options).parse();
}

}  // namespace arbiter::value
