#include "protocol/internal/fold.h"

#include <algorithm>

#include "text/utf8.h"

namespace arbiter::protocol::internal {
namespace {

char32_t small(char32_t c) {
    if ((c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7) ||
        (c >= 0x391 && c <= 0x3AB && c != 0x3A2) || (c >= 0x410 && c <= 0x42F)) {
        return c + 32;
    }
    if (c >= 0xFF21 && c <= 0xFF3A) {  // full-width, and made plain, as people mix both
        return c - 0xFF21 + 'a';
    }
    if (c >= 0xFF41 && c <= 0xFF5A) {
        return c - 0xFF41 + 'a';
    }
    if (c >= 0x400 && c <= 0x40F) {
        return c + 80;
    }
    // Pairs of a capital and its small letter.
    if ((c >= 0x100 && c <= 0x137) || (c >= 0x14A && c <= 0x177) || (c >= 0x460 && c <= 0x481) ||
        (c >= 0x48A && c <= 0x4BF)) {
        return c % 2 == 0 ? c + 1 : c;
    }
    if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) {
        return c % 2 == 1 ? c + 1 : c;
    }
    return c == 0x3C2 ? 0x3C3 : c;  // the sigma at the end of a word
}

struct Pair {
    std::string_view open;
    std::string_view close;
};
constexpr Pair kSpeech[] = {{"“", "”"},   {"「", "」"}, {"『", "』"},
                            {"\"", "\""}, {"`", "`"},   {"‘", "’"}};

// Appends a line without its quotes. A kind of quote that is not closed any more is looked for only
// once, so that this is one pass.
void without_speech(std::string_view line, std::string& out) {
    bool open_ended[std::size(kSpeech)] = {};
    for (std::size_t at = 0; at < line.size();) {
        std::size_t next = at + 1;
        for (std::size_t i = 0; i < std::size(kSpeech); ++i) {
            if (open_ended[i] || !line.substr(at).starts_with(kSpeech[i].open)) {
                continue;
            }
            const std::size_t close = line.find(kSpeech[i].close, at + kSpeech[i].open.size());
            if (close == std::string_view::npos) {
                open_ended[i] = true;
                continue;
            }
            next = close + kSpeech[i].close.size();
            break;
        }
        // What stood around a quote does not become one word.
        out += next == at + 1 ? line[at] : ' ';
        at = next;
    }
}

}  // namespace

std::string folded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const text::Decoded next = text::decode(text);
        text::append(out, small(next.code_point));
        text.remove_prefix(next.size);
    }
    return out;
}

std::string unquoted(std::string_view text, bool speech) {
    std::string out;
    bool fenced = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
        const std::string_view body = line.substr(begin);
        if (body.starts_with("```")) {
            fenced = !fenced;
            continue;
        }
        if (fenced || body.starts_with('>')) {
            continue;
        }
        if (speech) {
            without_speech(line, out);
        } else {
            out += line;
        }
        out += '\n';
    }
    return out;
}

}  // namespace arbiter::protocol::internal
