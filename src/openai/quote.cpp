#include "openai/quote.h"

#include <algorithm>

#include "text/ascii.h"
#include "text/controls.h"
#include "text/truncate.h"

namespace arbiter::openai {
namespace {

// A shared part of this size is the key, not chance. Names of vendors at the front of a key
// ("sk-proj-") are shorter.
constexpr std::size_t kSharedMin = 10;
// Bytes that are searched for the key; far more than is quoted.
constexpr std::size_t kSearchedMax = std::size_t{4} << 10;

}  // namespace

std::string redact(std::string_view text, std::string_view secret) {
    if (secret.empty()) {
        return std::string(text);
    }
    const std::size_t least = std::min(secret.size(), kSharedMin);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t size = 0;
        if (at + least <= text.size() && secret.contains(text.substr(at, least))) {
            size = least;
            while (at + size < text.size() && secret.contains(text.substr(at, size + 1))) {
                ++size;
            }
        }
        if (size == 0) {
            out += text[at++];
            continue;
        }
        out += "***";
        at += size;
    }
    return out;
}

std::string quote(std::string_view text, std::string_view secret) {
    const std::string shown =
        text::show_controls(redact(text.substr(0, kSearchedMax), secret), text::LineBreaks::kShown);
    std::string_view trimmed = shown;
    while (!trimmed.empty() && (text::is_blank(trimmed.back()) || trimmed.back() == '.')) {
        trimmed.remove_suffix(1);  // the message around it ends the sentence
    }
    while (!trimmed.empty() && text::is_blank(trimmed.front())) {
        trimmed.remove_prefix(1);
    }
    return text::truncate_with_ellipsis(trimmed, kQuoteBytesMax);
}

}  // namespace arbiter::openai
