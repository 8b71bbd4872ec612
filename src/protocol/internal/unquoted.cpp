#include "protocol/internal/unquoted.h"

#include <algorithm>

namespace arbiter::protocol::internal {
namespace {

struct Pair {
    std::string_view open;
    std::string_view close;
};
constexpr Pair kSpeech[] = {{"“", "”"},   {"「", "」"}, {"『", "』"},
                            {"\"", "\""}, {"`", "`"},   {"‘", "’"}};

// Appends a line without its quotes. Linear: a kind of quote without a closing mark is searched for
// only once.
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
        // A space, so that the texts around a quote do not become one word.
        out += next == at + 1 ? line[at] : ' ';
        at = next;
    }
}

}  // namespace

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
