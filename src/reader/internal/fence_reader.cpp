#include "reader/internal/fence_reader.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "text/ascii.h"

namespace arbiter::reader::internal {
namespace {

using Fence = Display::Fence;

constexpr std::size_t kInfoMax = 64;   // bytes of the line that opens a fence
constexpr std::size_t kMarksMax = 64;  // a longer run of marks is a ruled line

// Languages of a fence whose content may be commands; every other fence is a code listing.
bool is_readable_language(std::string_view info) {
    if (info.empty()) {
        return true;
    }
    std::string word(info.substr(0, std::min(info.find(' '), info.size())));
    std::ranges::transform(word, word.begin(), text::to_lower);
    constexpr std::string_view kLanguages[] = {
        "json",      "json5",      "jsonc",  "jsonl",
        "js",        "javascript", "xml",    "html",
        "yaml",      "yml",        "text",   "txt",
        "plaintext", "mvu",        "tavern", "tavern_commands",
        "filament"};
    return std::ranges::find(kLanguages, word) != std::end(kLanguages);
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
    const bool readable = is_readable_language(info);
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
    state_.display.open_fence(at, at + end, readable);
    mark_ = mark;
    marks_ = marks;
    nested_ = 0;
    state_.resume(at + end);
    return Scan::kNo;
}

}  // namespace arbiter::reader::internal
