#include "config/internal/yaml_text.h"

#include <algorithm>
#include <vector>

#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::config::internal {

base::Place place_in(std::string_view text, std::size_t offset) {
    offset = std::min(offset, text.size());
    // A byte order mark is not part of the first line.
    const std::size_t start =
        text.starts_with(kByteOrderMark) && offset >= kByteOrderMark.size() ? 3 : 0;
    const std::string_view before = text.substr(start, offset - start);
    const std::size_t newline = before.rfind('\n');
    const std::string_view line =
        newline == std::string_view::npos ? before : before.substr(newline + 1);
    return {offset, 1 + static_cast<std::size_t>(std::ranges::count(before, '\n')),
            1 + text::count(line)};
}

std::string code_point_name(char32_t c) {
    constexpr std::string_view kHex = "0123456789ABCDEF";
    std::string out = "U+";
    for (int shift = c > 0xFFFF ? 20 : 12; shift >= 0; shift -= 4) {
        out += kHex[(c >> shift) & 15];
    }
    return out;
}

std::string harmless(std::string_view words) {
    std::string out = text::repair(text::truncate(words, 200));
    std::ranges::replace_if(out, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    while (out.ends_with(' ') || out.ends_with(':')) {
        out.pop_back();
    }
    return out;
}

std::string shown_tag(std::string_view tag) {
    return harmless(tag.starts_with(kCoreTag) ? "!!" + std::string(tag.substr(kCoreTag.size()))
                                              : std::string(tag));
}

std::optional<std::size_t> find_forbidden(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7F) {
            ++at;
            continue;
        }
        const text::Decoded next = text::decode(text.substr(at, 4));
        const char32_t c = next.code_point;
        const bool blank = c == '\t' || c == '\n' || c == '\r' || c == 0x85;
        if (!blank && (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFE || c == 0xFFFF)) {
            return at;
        }
        at += next.size;
    }
    return std::nullopt;
}

namespace {

using base::ErrorCode;

// The [ or { before an offset that is not closed there and should be; nothing if there is none.
// Quotes count only where a text begins.
std::optional<std::size_t> find_open_bracket(std::string_view text, std::size_t end) {
    std::vector<std::size_t> open;
    char before = '\n';  // the last character that is not blank
    end = std::min(end, text.size());
    for (std::size_t at = 0; at < end; ++at) {
        const char c = text[at];
        const bool starts = before == '\n' || before == ':' || before == ',' || before == '[' ||
                            before == '{' || before == '-';
        if (starts && (c == '"' || c == '\'')) {
            at = std::min(text.find(c, at + 1), end);
        } else if (c == '#' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n')) {
            at = std::min(text.find('\n', at), end) - 1;
            continue;
        } else if ((c == '[' || c == '{') && (starts || !open.empty())) {
            open.push_back(at);
        } else if ((c == ']' || c == '}') && !open.empty()) {
            if ((c == ']') != (text[open.back()] == '[')) {
                return open.back();
            }
            open.pop_back();
        }
        before = c == ' ' || c == '\t' ? before : c;
    }
    if (open.empty()) {
        return std::nullopt;
    }
    // Of several, the last one on the first line: those further down follow from it.
    const std::size_t line_end = std::min(text.find('\n', open.front()), text.size());
    const auto last = std::ranges::find_if(open, [&](std::size_t at) { return at > line_end; });
    return *(last - 1);
}

std::string_view line_at(std::string_view text, std::size_t offset) {
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

// The first line from `offset` backwards whose indentation has a tab.
std::optional<std::size_t> find_tab(std::string_view text, std::size_t offset) {
    const std::string_view line = line_at(text, offset);
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    const std::size_t blank = line.find_first_not_of(" \t");
    const std::size_t tab = line.find('\t');
    return tab < std::min(blank, line.size()) ? std::optional(begin + tab) : std::nullopt;
}

bool has_two_colons(std::string_view line) {
    const std::size_t first = line.find(": ");
    return first != std::string_view::npos && line.find(": ", first + 2) != std::string_view::npos;
}

}  // namespace

base::Error explain_syntax(std::string_view text, std::size_t offset, std::string_view message) {
    offset = std::min(offset, text.size());
    const auto error = [&](ErrorCode code, std::size_t at, std::vector<std::string> words = {}) {
        return base::Error(code, std::move(words), place_in(text, at));
    };
    const auto says = [message](std::string_view part) { return message.contains(part); };
    if (const auto tab = find_tab(text, offset)) {
        return error(ErrorCode::kYamlTab, *tab);
    }
    if (const auto open = find_open_bracket(text, offset)) {
        return error(ErrorCode::kYamlUnclosed, *open, {std::string(1, text[*open])});
    }
    const std::size_t size = std::max<std::size_t>(text::decode(text.substr(offset, 4)).size, 1);
    const std::string found(text.substr(offset, size));
    if (found == "]" || found == "}" || says("flow end")) {
        return error(ErrorCode::kYamlNoOpener, offset, {found});
    }
    if (says("escape") || says("hex number") || says("unicode")) {
        return error(ErrorCode::kYamlEscape, offset);
    }
    if (says("alias") || says("anchor")) {
        return error(ErrorCode::kYamlAlias, offset);
    }
    if (says("unknown token") && offset < text.size()) {
        return error(ErrorCode::kYamlToken, offset, {found});
    }
    if (says("map value") && has_two_colons(line_at(text, offset))) {
        return error(ErrorCode::kYamlColon, offset);
    }
    if (says("map value") || says("map key") || says("block entry") || says("end of map") ||
        says("end of sequence")) {
        return error(ErrorCode::kYamlIndent, offset);
    }
    return error(ErrorCode::kYamlSyntax, offset);
}

}  // namespace arbiter::config::internal
