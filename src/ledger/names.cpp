#include "ledger/names.h"

#include <algorithm>

#include "base/limits.h"
#include "text/utf8.h"

namespace arbiter::ledger {

namespace {

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_line(std::string_view text) noexcept {
    constexpr char32_t kDelete = 0x7F;
    constexpr char32_t kLastControl = 0x9F;
    constexpr char32_t kLineSeparator = 0x2028;
    constexpr char32_t kParagraphSeparator = 0x2029;
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        const char32_t c = next.code_point;
        if (!next.valid || c < U' ' || (c >= kDelete && c <= kLastControl) || c == kLineSeparator ||
            c == kParagraphSeparator) {
            return false;
        }
        text.remove_prefix(next.size);
    }
    return true;
}

}  // namespace

bool is_campaign_id(std::string_view id) noexcept {
    return !id.empty() && id.size() <= base::kCampaignIdMax && std::ranges::all_of(id, [](char c) {
        return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '-';
    });
}

bool is_campaign_name(std::string_view name) noexcept {
    return !name.empty() && name.size() <= base::kCampaignNameBytesMax && is_line(name);
}

bool is_checkpoint_label(std::string_view label) noexcept {
    if (label.empty() || label.size() > base::kCheckpointLabelBytesMax || !is_line(label)) {
        return false;
    }
    return label != "head" && !label.starts_with("head~") && label.front() != '-' &&
           label.front() != ' ' && label.back() != ' ' && !std::ranges::all_of(label, is_digit);
}

}  // namespace arbiter::ledger
