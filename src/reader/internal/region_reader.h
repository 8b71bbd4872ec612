// RegionReader: reads tags in narrative, and the region between an opening tag and its closing tag.
//
// Commands and components are held until the region ends; thinking and the blocks of dialects that
// are not read stream through as they come.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reader/internal/held_text.h"
#include "reader/internal/reply_state.h"
#include "reader/internal/scan.h"
#include "reader/internal/tags.h"
#include "reader/internal/thought_marks.h"

namespace arbiter::reader::internal {

class RegionReader {
  public:
    explicit RegionReader(ReplyState& state) noexcept : state_(state) {}

    // The beginning of the reply may be `thinking>`: the first byte of the tag was lost. kDone: a
    // region is open.
    Scan begin_reply();
    // < is at `at`. kDone: a region is open, advance() reads it. kNo: narrative continues at
    // `scanned`.
    Scan begin(std::size_t at);
    // A mark of thinking that is not a tag may begin at `at`: <| or 【. Answers as begin().
    Scan begin_mark(std::size_t at);
    // kDone: the region has ended, narrative continues at `scanned`.
    Scan advance();

    // The region is held until its end, so its text is still needed.
    [[nodiscard]] bool is_held() const noexcept;
    [[nodiscard]] std::size_t begin_offset() const noexcept { return region_.begin; }
    // All text so far was searched, so that only a new > can end the region.
    [[nodiscard]] bool is_searched() const noexcept {
        return region_.searched == state_.window.end();
    }

  private:
    struct Region {
        const Tag* tag = nullptr;
        std::size_t begin = 0;     // of the opening tag
        std::size_t content = 0;   // behind it
        std::size_t searched = 0;  // no closing tag before this
        // State of in_string(): quotes are counted up to `counted`; bit k says that a quote of
        // kind k is open on the line.
        std::size_t counted = 0;
        unsigned open_quotes = 0;
        bool skipping = false;         // too large: only its end is looked for
        bool alone = true;             // only blanks are before it on its line
        std::size_t thinking_end = 0;  // behind the last thinking inside
        std::uint32_t thinking = 0;    // family of a thinking tag that is open inside; 0 for none
        const Tag* nested = nullptr;   // a tag of another name that is open inside this thinking
        bool has_nested = false;       // this thinking may continue behind its closing tag
    };

    void open(const Tag& tag, std::size_t at, std::size_t content, bool alone);
    // A tag that is complete in itself: <name/>, <use_protocol id="…">, or one that only marks
    // narrative.
    void read_single_tag(const Tag& tag, const TagText& text, std::size_t at);
    void read_stray_closer(const Tag& tag, std::size_t at, std::size_t end);
    // Opens thinking at `at`.
    void open_thinking(const Tag& tag, std::size_t at, std::size_t content, bool alone);
    bool read_nested(const Tag& tag, const TagText& text);
    // A mark inside thinking that a mark opened; answers as read_inner_tag().
    Scan read_inner_mark(std::size_t at);
    // A tag inside the region. kDone: it ended the region. kNo: the region continues behind
    // `region_.searched`.
    Scan read_inner_tag(std::size_t at, const TagText& text);
    std::size_t end_of_unclosed(std::size_t at);
    void restart(std::size_t at, std::size_t content);
    void end(std::size_t content_end, std::size_t end, bool closed);
    void refuse_too_large(std::size_t content_end, std::size_t end, bool closed);
    void end_thinking(std::size_t end, bool closed);
    void stream(std::size_t to);
    Scan in_string(std::size_t at, std::size_t after);
    // The region's text is part of the narrative.
    [[nodiscard]] bool is_shown(const Tag& tag) const noexcept;

    ReplyState& state_;
    Region region_;
    std::size_t backtracks_ = 0;
    HeldText held_thinking_;  // shown after all if the tag was only mentioned in a sentence
};

}  // namespace arbiter::reader::internal
