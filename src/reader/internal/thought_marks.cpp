#include "reader/internal/thought_marks.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

using Kind = ThoughtMark::Kind;
using Row = std::pair<std::string_view, Kind>;

// Bytes between <|channel|> and <|message|>: the name of the channel, its receiver, its format.
constexpr std::size_t kHeaderMax = 128;

constexpr std::string_view kChannel = "<|channel|>";
constexpr std::string_view kMessage = "<|message|>";
constexpr auto kTokens = std::to_array<Row>({{"<|start|>", Kind::kStops},
                                             {"<|end|>", Kind::kCloses},
                                             {"<|return|>", Kind::kCloses},
                                             {"<|call|>", Kind::kCloses},
                                             {"<|constrain|>", Kind::kHidden},
                                             {kMessage, Kind::kHidden},
                                             {kChannel, Kind::kOpens}});
constexpr auto kBrackets = std::to_array<Row>({{"【思考】", Kind::kOpens},
                                               {"【思考过程】", Kind::kOpens},
                                               {"【思维链】", Kind::kOpens},
                                               {"【/思考】", Kind::kCloses},
                                               {"【/思考过程】", Kind::kCloses},
                                               {"【/思维链】", Kind::kCloses},
                                               {"【思考结束】", Kind::kCloses},
                                               {"【思考完毕】", Kind::kCloses},
                                               {"【正文】", Kind::kStops},
                                               {"【回复】", Kind::kStops},
                                               {"【回答】", Kind::kStops}});

std::size_t word_at(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && end - at < kHeaderMax && is_letter(text[end])) {
        ++end;
    }
    return end;
}

// Behind <|channel|>: `analysis<|message|>`, `commentary to=functions.x
// <|constrain|>json<|message|>`.
Scan scan_header(std::string_view text, bool finished, ThoughtMark& mark) {
    const std::size_t name_end = word_at(text, kChannel.size());
    const std::string_view header = text.substr(0, kChannel.size() + kHeaderMax);
    const std::size_t line = std::min(header.find('\n'), header.size());
    const std::size_t message = header.find(kMessage);
    const bool whole = message != std::string_view::npos && message < line;
    if (!whole && !finished && line == text.size()) {
        return Scan::kMore;
    }
    const bool is_final = text.substr(kChannel.size(), name_end - kChannel.size()) == "final";
    mark.kind = is_final ? Kind::kFinal : Kind::kOpens;
    mark.size = whole ? message + kMessage.size() : name_end;
    return Scan::kDone;
}

}  // namespace

Scan scan_thought_mark(std::string_view text, bool finished, ThoughtMark& mark) {
    mark.channel = text[0] == '<';
    const std::span<const Row> rows =
        mark.channel ? std::span<const Row>(kTokens) : std::span<const Row>(kBrackets);
    for (const auto& [word, kind] : rows) {
        if (!finished && text.size() < word.size() && word.starts_with(text)) {
            return Scan::kMore;
        }
        if (!text.starts_with(word)) {
            continue;
        }
        mark.kind = kind;
        mark.size = word.size();
        if (word == kChannel) {
            return scan_header(text, finished, mark);
        }
        if (word == "<|start|>") {
            // With the role behind it.
            mark.size = word_at(text, word.size());
            return mark.size == text.size() && !finished ? Scan::kMore : Scan::kDone;
        }
        return Scan::kDone;
    }
    return Scan::kNo;
}

}  // namespace arbiter::reader::internal
