#include "openai/internal/raw_json.h"

#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::openai::internal {
namespace {

// Private characters of the last plane: U+10FE00 stands for the byte 0.
constexpr char32_t kFirst = 0x10FE00;
constexpr char32_t kLast = kFirst + 0xFF;
constexpr std::string_view kBegins = "\xF4\x8F\xB8";  // of the first 64; the others follow
constexpr std::string_view kBeginsLast = "\xF4\x8F\xBB";

bool has_private_characters(std::string_view text) {
    for (std::size_t at = text.find(kBegins.substr(0, 2)); at < text.size();
         at = text.find(kBegins.substr(0, 2), at + 1)) {
        const std::string_view here = text.substr(at, kBegins.size());
        if (here >= kBegins && here <= kBeginsLast) {
            return true;
        }
    }
    return false;
}

std::string with_private_characters(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t valid = std::min(text::find_invalid(text), text.size());
        out += text.substr(0, valid);
        text.remove_prefix(valid);
        if (!text.empty()) {
            text::append(out, kFirst + static_cast<unsigned char>(text.front()));
            text.remove_prefix(1);
        }
    }
    return out;
}

}  // namespace

base::Result<RawJson> RawJson::parse(std::string_view text) {
    RawJson json;
    std::string changed;
    if (!text::is_valid(text)) {
        // Text that uses these characters itself is repaired instead.
        json.has_raw_bytes_ = !has_private_characters(text);
        changed = json.has_raw_bytes_ ? with_private_characters(text) : text::repair(text);
        text = changed;
    }
    auto parsed = value::parse_json(text);
    if (!parsed) {
        return std::unexpected(std::move(parsed).error());
    }
    json.value_ = *std::move(parsed);
    return json;
}

std::string RawJson::bytes_of(std::string_view text) const {
    if (!has_raw_bytes_) {
        return std::string(text);
    }
    std::string out;
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        if (next.code_point >= kFirst && next.code_point <= kLast) {
            out += static_cast<char>(next.code_point - kFirst);
        } else {
            out += text.substr(0, next.size);
        }
        text.remove_prefix(next.size);
    }
    return out;
}

}  // namespace arbiter::openai::internal
