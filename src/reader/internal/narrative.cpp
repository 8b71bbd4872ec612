#include "reader/internal/narrative.h"

#include <algorithm>

#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// Line breaks between two paragraphs.
constexpr std::size_t kBreaksMax = 2;
// Blanks that are held back; longer runs are shown, or dropped behind a block.
constexpr std::size_t kBlanksMax = 4096;

}  // namespace

// Accounts the held blanks as one side of a removed block.
void Narrative::measure() {
    breaks_ = std::max(breaks_, static_cast<std::size_t>(std::ranges::count(blanks_, '\n')));
    space_ = space_ || !blanks_.empty();
    wide_breaks_ = wide_breaks_ || blanks_.find("\r\n") != std::string::npos;
}

void Narrative::cut() {
    measure();
    blanks_.clear();
    cut_ = true;
}

void Narrative::join(Sink& sink) {
    if (!cut_) {
        if (!blanks_.empty()) {
            sink.text(blanks_);
        }
    } else if (begun_) {
        measure();
        // Keeps the indentation of the next line.
        const std::size_t line = blanks_.rfind('\n');
        std::string gap;
        for (std::size_t i = 0; i < std::min(breaks_, kBreaksMax); ++i) {
            gap += wide_breaks_ ? "\r\n" : "\n";
        }
        if (gap.empty() && space_) {
            gap = " ";
        } else if (line != std::string::npos) {
            gap += blanks_.substr(line + 1);
        }
        if (!gap.empty()) {
            sink.text(gap);
        }
    }
    blanks_.clear();
    breaks_ = 0;
    space_ = false;
    wide_breaks_ = false;
    cut_ = false;
}

void Narrative::text(std::string_view text, Sink& sink) {
    std::size_t end = text.size();
    while (end > 0 && is_blank(text[end - 1])) {
        --end;
    }
    if (end > 0) {
        std::size_t begin = 0;
        while (is_blank(text[begin])) {
            ++begin;
        }
        if (begin > 0) {
            hold(text.substr(0, begin), sink);
        }
        if (cut_ || !blanks_.empty()) {
            join(sink);
        }
        sink.text(text.substr(begin, end - begin));
        begun_ = true;
    }
    if (end < text.size()) {
        hold(text.substr(end), sink);
    }
}

// In fixed pieces, so that the result does not depend on how the text was cut.
void Narrative::hold(std::string_view blanks, Sink& sink) {
    while (blanks_.size() + blanks.size() > kBlanksMax) {
        const std::size_t taken = kBlanksMax - blanks_.size();
        blanks_ += blanks.substr(0, taken);
        blanks.remove_prefix(taken);
        if (cut_) {
            measure();
        } else {
            sink.text(blanks_);
        }
        blanks_.clear();
    }
    blanks_ += blanks;
}

void Narrative::finish(Sink& sink) {
    if (!cut_ && !blanks_.empty()) {
        sink.text(blanks_);
    }
    blanks_.clear();
}

}  // namespace arbiter::reader::internal
