#include "reader/internal/narrative.h"

#include <algorithm>

#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// A paragraph is at most this many line breaks away from the next.
constexpr std::size_t kBreaksMax = 2;
// Blanks that are kept back; whoever writes more of them gets them shown, or forgotten.
constexpr std::size_t kBlanksMax = 4096;

}  // namespace

// The blanks gathered since the last block (or text) count as one side of it.
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
        // The indentation of the line that follows stays.
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
            keep(text.substr(0, begin), sink);
        }
        if (cut_ || !blanks_.empty()) {
            join(sink);
        }
        sink.text(text.substr(begin, end - begin));
        begun_ = true;
        bytes_ += end - begin;
    }
    if (end < text.size()) {
        keep(text.substr(end), sink);
    }
}

// Piece by piece, so that the same text gives the same result however it was cut.
void Narrative::keep(std::string_view blanks, Sink& sink) {
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
