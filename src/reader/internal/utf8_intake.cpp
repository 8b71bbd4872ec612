#include "reader/internal/utf8_intake.h"

#include <algorithm>
#include <string>

#include "text/utf8.h"

namespace arbiter::reader::internal {
namespace {

// How much of a text is ASCII and characters of three bytes.
std::size_t plain_prefix(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
        } else if (text.size() - at >= 3 && starts_three_bytes(text.substr(at))) {
            at += 3;
        } else {
            break;
        }
    }
    return at;
}

bool is_incomplete(std::string_view rest, const text::Decoded& broken) {
    return broken.size == rest.size() && static_cast<unsigned char>(rest[0]) >= 0xC2;
}

}  // namespace

void Utf8Intake::reveal(Window& window) {
    const std::string_view hidden = window.hidden();
    const std::size_t plain = hidden.size() <= kSmallFeed ? plain_prefix(hidden) : 0;
    const std::size_t left = hidden.size() - plain;
    if (left == 0 || (left < 3 && starts_three_bytes(hidden.substr(plain)))) {
        window.reveal(plain);
        return;
    }
    const std::size_t valid = std::min(text::find_invalid(hidden), hidden.size());
    window.reveal(valid);
    if (valid == hidden.size() ||
        is_incomplete(hidden.substr(valid), text::decode(hidden.substr(valid)))) {
        return;
    }
    const std::string broken(hidden.substr(valid));
    window.drop_hidden();
    replace_broken(window, broken);
}

void Utf8Intake::finish(Window& window) {
    reveal(window);
    if (!window.hidden().empty()) {
        window.drop_hidden();
        append_replacement(window);
    }
}

void Utf8Intake::replace_broken(Window& window, std::string_view rest) {
    while (!rest.empty()) {
        const text::Decoded broken = text::decode(rest);
        if (is_incomplete(rest, broken)) {
            window.append_hidden(rest);
            return;
        }
        append_replacement(window);
        rest.remove_prefix(std::max<std::size_t>(broken.size, 1));
        const std::size_t valid = std::min(text::find_invalid(rest), rest.size());
        window.append(rest.substr(0, valid));
        rest.remove_prefix(valid);
    }
}

void Utf8Intake::append_replacement(Window& window) {
    if (!first_replaced_) {
        first_replaced_ = window.end();
    }
    window.append("\uFFFD");
}

}  // namespace arbiter::reader::internal
