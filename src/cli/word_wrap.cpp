#include "cli/word_wrap.h"

#include <algorithm>
#include <clocale>
#include <cwchar>
#include <utility>

#include "text/utf8.h"

namespace arbiter::cli {
namespace {

constexpr std::u32string_view kClosing = U"。，、；：？！…—」』）》〉】〕”’·～";
constexpr std::u32string_view kOpening = U"「『（《〈【〔“‘";

}  // namespace

std::size_t width_of(char32_t character) noexcept {
    // The widths of the C library depend on the locale; the one that every system has knows them.
    static const bool is_set = std::setlocale(LC_CTYPE, "C.UTF-8") != nullptr;
    (void)is_set;
    return static_cast<std::size_t>(std::max(0, ::wcwidth(static_cast<wchar_t>(character))));
}

std::size_t width_of(std::string_view text) noexcept {
    std::size_t width = 0;
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        width += width_of(next.code_point);
        text.remove_prefix(next.size);
    }
    return width;
}

std::string WordWrap::feed(std::string_view text) {
    std::string out;
    const std::string joined = std::exchange(cut_, {}) + std::string(text);
    std::string_view rest = joined;
    while (!rest.empty()) {
        const text::Decoded next = text::decode(rest);
        constexpr std::size_t kCharacterBytesMax = 4;
        if (!next.valid && rest.size() < kCharacterBytesMax) {
            cut_ = rest;  // the character may be complete with the next piece
            break;
        }
        take(next.code_point, rest.substr(0, next.size), out);
        rest.remove_prefix(next.size);
    }
    return out;
}

std::string WordWrap::finish() {
    std::string out;
    word_ += std::exchange(cut_, {});
    end_word(out);
    out.append(std::exchange(blanks_, 0), ' ');
    return out;
}

void WordWrap::end_word(std::string& out) {
    if (word_.empty()) {
        return;
    }
    if (columns_ > 0 && column_ > 0 && column_ + blanks_ + word_width_ > columns_) {
        out += '\n';
        column_ = 0;
        blanks_ = 0;
    }
    out.append(blanks_, ' ');
    out += word_;
    column_ += blanks_ + word_width_;
    blanks_ = 0;
    word_.clear();
    word_width_ = 0;
    takes_closing_ = false;
    takes_any_ = false;
}

void WordWrap::take(char32_t character, std::string_view bytes, std::string& out) {
    if (character == '\n' || character == ' ') {
        end_word(out);
        if (character == ' ') {
            ++blanks_;
        } else {
            out += '\n';
            column_ = 0;
            blanks_ = 0;
        }
        return;
    }
    const std::size_t width = width_of(character);
    const bool is_closing = kClosing.contains(character);
    const bool is_opening = kOpening.contains(character);
    const bool stands_alone = width == 2 && !is_closing;
    // Where a line may be broken before this character.
    const bool can_break =
        !takes_any_ && !is_closing && width > 0 && (takes_closing_ || stands_alone || is_opening);
    if (can_break) {
        end_word(out);
    }
    word_ += bytes;
    word_width_ += width;
    takes_any_ = is_opening;
    takes_closing_ = stands_alone || (is_closing && width == 2) || (takes_closing_ && is_closing);
}

std::string wrapped(std::string_view text, std::size_t columns) {
    WordWrap wrap(columns);
    std::string out = wrap.feed(text);
    return out + wrap.finish();
}

}  // namespace arbiter::cli
