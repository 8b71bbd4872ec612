#include "reader/internal/fence_reader.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "reader/internal/json_commands.h"
#include "reader/internal/yaml_block.h"
#include "text/ascii.h"

namespace arbiter::reader::internal {
namespace {

using Fence = Display::Fence;

constexpr std::size_t kInfoMax = 64;   // bytes of the line that opens a fence
constexpr std::size_t kMarksMax = 64;  // a longer run of marks is a ruled line

constexpr std::size_t kYamlMax = std::size_t{16} << 10;  // bytes of commands in YAML

std::string language_of(std::string_view info) {
    std::string word(info.substr(0, std::min(info.find(' '), info.size())));
    std::ranges::transform(word, word.begin(), text::to_lower);
    return word;
}

// Languages of a fence whose content may be commands; every other fence is a code listing.
bool is_readable_language(std::string_view word) {
    if (word.empty()) {
        return true;
    }
    constexpr std::string_view kLanguages[] = {
        "json",      "json5",      "jsonc",  "jsonl",
        "js",        "javascript", "xml",    "html",
        "yaml",      "yml",        "text",   "txt",
        "plaintext", "mvu",        "tavern", "tavern_commands",
        "filament"};
    return std::ranges::find(kLanguages, word) != std::end(kLanguages);
}

// Whether YAML may be commands: `- op: …`, `action: …`, `tavern_commands:` and the like. kMore: the
// first line is not there yet.
Scan begins_yaml_command(std::string_view content, bool finished) {
    std::size_t at = 0;
    while (true) {
        skip_blanks(content, at);
        if (at < content.size() && content[at] == '-') {
            ++at;
        } else if (at < content.size() && content[at] == '#') {
            at = std::min(content.find('\n', at), content.size());
        } else {
            break;
        }
    }
    const std::string_view line = content.substr(at);
    const std::size_t colon = line.find_first_of(":\n");
    if (colon == std::string_view::npos) {
        return finished || line.size() > kInfoMax ? Scan::kNo : Scan::kMore;
    }
    std::string_view name = trim(line.substr(0, colon));
    while (!name.empty() && is_quote(name.front()) && name.back() == name.front()) {
        name = name.substr(1, name.size() - std::min<std::size_t>(name.size(), 2));
    }
    constexpr std::string_view kNames[] = {"op",  "path",   "action",          "key",
                                           "set", "update", "tavern_commands", "tool_calls"};
    return std::ranges::find(kNames, name) != std::end(kNames) ? Scan::kDone : Scan::kNo;
}

}  // namespace

Scan FenceReader::wait(std::size_t at) {
    state_.display.show(at);
    return Scan::kMore;
}

Scan FenceReader::read_marks(std::size_t at) {
    const std::string_view text = state_.window.from(at);
    const char mark = text[0];
    std::size_t marks = 1;
    while (marks < text.size() && marks < kMarksMax && text[marks] == mark) {
        ++marks;
    }
    if (marks == kMarksMax) {
        state_.scanned = at + marks;
        return Scan::kNo;
    }
    if (marks == text.size() && !state_.finished) {
        return wait(at);
    }
    if (state_.display.fence() == Fence::kUndecided) {
        state_.display.show(at);  // decides, if the content so far suffices
    }
    if (state_.display.fence() != Fence::kNone) {
        return read_closing(at, mark, marks);
    }
    if (marks < 3) {
        state_.scanned = at + marks;
        return Scan::kNo;
    }
    return read_opening(at, mark, marks);
}

Scan FenceReader::read_closing(std::size_t at, char mark, std::size_t marks) {
    const Fence fence = state_.display.fence();
    const bool closes =
        mark == mark_ && marks >= marks_ &&
        (fence == Fence::kUndecided || fence == Fence::kHidden || state_.at_line_start(at));
    if (!closes) {
        // A fence inside a longer or another fence: the outer one shows how something is written.
        const bool opens = marks >= 3 && (mark != mark_ || marks < marks_);
        if (opens && state_.at_line_start(at) && fence != Fence::kHidden) {
            state_.display.make_opaque(at);
        }
        state_.scanned = at + marks;
        return Scan::kNo;
    }
    const std::string_view text = state_.window.from(at);
    std::size_t end = marks;
    while (end < text.size() && is_letter(text[end])) {
        ++end;
    }
    if (end == text.size() && !state_.finished) {
        return wait(at);
    }
    const bool has_language = end > marks;
    if (fence == Fence::kOpaque && (has_language || nested_ > 0)) {
        nested_ = has_language ? nested_ + 1 : nested_ - 1;
        state_.scanned = at + end;
        return Scan::kNo;
    }
    state_.display.close_fence(at, at + marks);
    if (fence == Fence::kHidden) {
        state_.block_end = at + marks;
    }
    state_.resume(at + marks);
    if (has_language && state_.at_line_start(at)) {
        state_.scanned = at;  // the next fence opens where this one should have been closed
    }
    return Scan::kNo;
}

Scan FenceReader::read_yaml(std::size_t at, std::size_t content, std::string_view marks) {
    const std::string_view rest = state_.window.from(content);
    if (!reads_json(state_.options.dialects)) {
        return Scan::kNo;
    }
    if (const Scan begins = begins_yaml_command(rest, state_.finished); begins != Scan::kDone) {
        return begins;
    }
    const std::size_t closing = rest.substr(0, kYamlMax).find("\n" + std::string(marks));
    if (closing == std::string_view::npos) {
        return rest.size() < kYamlMax && !state_.finished ? Scan::kMore : Scan::kNo;
    }
    const std::size_t end = content + closing + 1;
    const Source source = state_.source(content, end, true);
    Output& output = state_.events.new_output();
    Literal literal;
    literal.end = source.text.size();
    if (auto value = parse_yaml_block(source.text)) {
        literal.value = *std::move(value);
        literal.repairs.add(Repair::kBareWord);
    }
    if (!read_json(output, source, literal, {0, literal.end})) {
        state_.display.show(at);
        state_.events.notice(proposal::Notice::Kind::kIgnored, "yaml", at, end + marks.size());
        return Scan::kNo;
    }
    state_.begin_block(at);
    state_.events.emit(output, false);
    state_.end_block(end + marks.size());
    return Scan::kDone;
}

// ```json, then the rest of the line or the content at once.
Scan FenceReader::read_opening(std::size_t at, char mark, std::size_t marks) {
    const std::string_view text = state_.window.from(at);
    std::size_t end = marks;
    while (end < text.size() && end < kInfoMax && text[end] != '\n' && text[end] != '{' &&
           text[end] != '[' && text[end] != mark) {
        ++end;
    }
    if (end == text.size() && !state_.finished) {
        return wait(at);
    }
    const std::string_view info = trim(text.substr(marks, end - marks));
    const std::string language = language_of(info);
    const bool readable = is_readable_language(language);
    const bool starts_line = state_.at_line_start(at);
    if (end >= kInfoMax || (end < text.size() && text[end] == mark) ||
        (!starts_line && (info.empty() || !readable))) {
        state_.scanned = at + marks;
        return Scan::kNo;
    }
    const auto place = starts_line ? Quotes::Place::kFence : Quotes::Place::kText;
    if (const Scan quoted = state_.check_quoted(at, place); quoted != Scan::kNo) {
        state_.scanned = quoted == Scan::kMore ? at : std::max(state_.scanned, at + marks);
        return quoted == Scan::kMore ? Scan::kMore : Scan::kNo;
    }
    if (starts_line && (language == "yaml" || language == "yml")) {
        const Scan scan = read_yaml(at, at + end, text.substr(0, marks));
        if (scan == Scan::kMore) {
            return wait(at);
        }
        if (scan == Scan::kDone) {
            return Scan::kNo;  // narrative continues
        }
    }
    state_.display.open_fence(at, at + end, readable);
    mark_ = mark;
    marks_ = marks;
    nested_ = 0;
    state_.resume(at + end);
    return Scan::kNo;
}

}  // namespace arbiter::reader::internal
