#include "protocol/version.h"

#include <algorithm>
#include <charconv>

#include "text/utf8.h"

namespace arbiter::protocol {
namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// The part before a dot, taken off.
std::string_view next_part(std::string_view& text) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, dot);
    text.remove_prefix(std::min(dot + 1, text.size()));
    return part;
}

std::optional<std::uint32_t> number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    // Room for "the next one".
    const bool fits = wrong == std::errc() && end == text.data() + text.size();
    return fits && value < 1'000'000'000 ? std::optional(value) : std::nullopt;
}

// Parts of a pre-release: numbers by value and before words, words by their bytes.
std::strong_ordering compare_pre(std::string_view a, std::string_view b) {
    if (a.empty() || b.empty()) {
        return a.empty() <=> b.empty();
    }
    while (!a.empty() && !b.empty()) {
        const std::string_view left = next_part(a);
        const std::string_view right = next_part(b);
        const bool numbers = std::ranges::all_of(left, is_digit);
        if (numbers != std::ranges::all_of(right, is_digit)) {
            return numbers ? std::strong_ordering::less : std::strong_ordering::greater;
        }
        if (numbers && left.size() != right.size()) {
            return left.size() <=> right.size();
        }
        if (const auto order = left.compare(right) <=> 0; order != 0) {
            return order;
        }
    }
    return !a.empty() <=> !b.empty();
}

// A version of which the end may be missing or x.
struct Partial {
    Version version = {0, 0, 0, ""};
    int parts = 0;
};
std::optional<Partial> parse_partial(std::string_view text) {
    Partial partial;
    if (text.starts_with('v') || text.starts_with('V')) {
        text.remove_prefix(1);
    }
    text = text.substr(0, std::min(text.find('+'), text.size()));
    const std::size_t dash = std::min(text.find('-'), text.size());
    std::string_view pre = text.substr(dash);
    std::string_view core = text.substr(0, dash);
    if (!pre.empty()) {
        pre.remove_prefix(1);
        std::string_view rest = pre;
        if (pre.empty() || pre.size() > 64 || pre.ends_with('.')) {
            return std::nullopt;
        }
        while (!rest.empty()) {
            const std::string_view part = next_part(rest);
            const bool padded =
                part.size() > 1 && part[0] == '0' && std::ranges::all_of(part, is_digit);
            if (part.empty() || padded || !std::ranges::all_of(part, is_word)) {
                return std::nullopt;
            }
        }
        partial.version.pre = std::string(pre);
    }
    if (core.empty() || core.ends_with('.')) {
        return std::nullopt;
    }
    std::uint32_t* const fields[] = {&partial.version.major, &partial.version.minor,
                                     &partial.version.patch};
    bool open = false;
    for (std::size_t i = 0; !core.empty(); ++i) {
        const std::string_view part = next_part(core);
        if (i == std::size(fields)) {
            return std::nullopt;
        }
        if (part == "x" || part == "X" || part == "*") {
            open = true;
            continue;
        }
        const auto value = number(part);
        if (!value || open || (part.size() > 1 && part[0] == '0')) {
            return std::nullopt;
        }
        *fields[i] = *value;
        ++partial.parts;
    }
    if (partial.parts < 3 && !partial.version.pre.empty()) {
        return std::nullopt;
    }
    return partial;
}

// The first version beyond all that begin as the first `parts` of one do.
std::optional<Version> beyond(const Version& version, int parts) {
    switch (parts) {
        case 0:
            return std::nullopt;
        case 1:
            return Version{version.major + 1, 0, 0, ""};
        case 2:
            return Version{version.major, version.minor + 1, 0, ""};
        default:
            return Version{version.major, version.minor, version.patch + 1, ""};
    }
}

}  // namespace

std::strong_ordering operator<=>(const Version& a, const Version& b) noexcept {
    if (const auto order = a.major <=> b.major; order != 0) {
        return order;
    }
    if (const auto order = a.minor <=> b.minor; order != 0) {
        return order;
    }
    if (const auto order = a.patch <=> b.patch; order != 0) {
        return order;
    }
    return compare_pre(a.pre, b.pre);
}

std::optional<Version> parse_version(std::string_view text) {
    const auto partial = parse_partial(trimmed(text));
    if (!partial || partial->parts == 0 || text.find_first_of("xX*") != std::string_view::npos) {
        // An x in a pre-release part is a letter like others.
        return partial && partial->parts == 3 ? std::optional(partial->version) : std::nullopt;
    }
    return partial->version;
}

std::string print(const Version& version) {
    return std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
           std::to_string(version.patch) + (version.pre.empty() ? "" : "-" + version.pre);
}

std::optional<Pin> Pin::parse(std::string_view text) {
    text = trimmed(text);
    Pin pin;
    if (text.empty() || text == "*" || text == "latest") {
        return pin;
    }
    pin.text_ = std::string(text);
    std::string_view sign;
    for (const std::string_view each : {">=", "<=", "^", "~", "=", ">", "<"}) {
        if (text.starts_with(each)) {
            sign = each;
            break;
        }
    }
    const auto partial = parse_partial(trimmed(text.substr(sign.size())));
    if (!partial || (partial->parts == 0 && !sign.empty())) {
        return std::nullopt;
    }
    const Version& version = partial->version;
    const int parts = partial->parts;
    if (sign == ">=" || sign == ">") {
        pin.low_ = sign == ">" ? beyond(version, parts).value_or(version) : version;
    } else if (sign == "<") {
        pin.high_ = version;
    } else if (sign == "<=") {
        pin.high_ = beyond(version, parts);
    } else {
        pin.low_ = version;
        pin.exact_ = parts == 3 && sign != "^" && sign != "~";
        int fixed = parts;
        if (sign == "~") {
            fixed = std::min(parts, 2);
        } else if (sign == "^") {
            // The numbers up to the first that is not 0 are fixed.
            fixed = version.major > 0 || parts == 1 ? 1 : version.minor > 0 || parts == 2 ? 2 : 3;
        }
        pin.high_ = beyond(version, fixed);
    }
    return pin;
}

bool Pin::allows(const Version& version) const noexcept {
    if (exact_) {
        return version == low_;
    }
    if (!version.pre.empty() && !is_any() &&
        (low_.pre.empty() || low_.major != version.major || low_.minor != version.minor ||
         low_.patch != version.patch)) {
        return false;
    }
    return version >= low_ && (!high_ || version < *high_);
}

bool is_id(std::string_view text) noexcept {
    if (text.empty() || !text::is_valid(text) || text::count(text) > 100 || text[0] == '.' ||
        text[0] == '-') {
        return false;
    }
    for (std::size_t at = 0; at < text.size();) {
        const text::Decoded next = text::decode(text.substr(at));
        const char32_t c = next.code_point;
        // Beyond ASCII: letters of any script; not spaces, signs or marks that cannot be seen.
        const bool beyond = c >= 0xC0 && !(c >= 0x2000 && c < 0x2E80) &&
                            !(c >= 0x3000 && c < 0x3005) && !(c >= 0x3008 && c < 0x3021) &&
                            !(c >= 0xD800 && c < 0xF900) && !(c >= 0xFE00 && c < 0xFE70) &&
                            c < 0xFEFF;
        const bool plain = c < 0x80 && (is_word(static_cast<char>(c)) || c == '_' || c == '.');
        if (!beyond && !plain && !(c >= 0x20000 && c < 0x32000)) {
            return false;
        }
        at += next.size;
    }
    return true;
}

std::optional<Reference> parse_reference(std::string_view text) {
    text = trimmed(text);
    const std::size_t at = text.find('@');
    const std::string_view id = trimmed(text.substr(0, std::min(at, text.size())));
    if (!is_id(id)) {
        return std::nullopt;
    }
    Reference reference{std::string(id)};
    if (at != std::string_view::npos) {
        const std::string_view written = trimmed(text.substr(at + 1));
        const auto pin = written.empty() ? std::nullopt : Pin::parse(written);
        if (!pin) {
            return std::nullopt;
        }
        reference.pin = *pin;
    }
    return reference;
}

std::string print(const Reference& reference) {
    return reference.id + (reference.pin.is_any() ? "" : "@" + reference.pin.text());
}

}  // namespace arbiter::protocol
