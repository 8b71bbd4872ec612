#include "reader/internal/region_reader.h"

#include <algorithm>

#include "base/limits.h"
#include "reader/blanks.h"
#include "reader/internal/block_end.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/component.h"
#include "reader/internal/glyph.h"
#include "reader/internal/tag_content.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Notice;

namespace {

// Bytes in which `thinking>` at the beginning of a reply is looked for.
constexpr std::size_t kBeginningMax = 32;
// Bytes behind a tag in which the end of a string around it is looked for.
constexpr std::size_t kStringAhead = 256;

// Regions that the end of the reply cuts off before they are read to its end: each costs a pass.
constexpr std::size_t kBacktracksMax = 16;

// Thinking between marks that are not tags.
const Tag& channel_tag() {
    static const Tag kTag{"channel", TagMeaning::kThinking, BlockKind::kNone, 255, false};
    return kTag;
}
const Tag& bracket_tag() {
    static const Tag kTag{"思考", TagMeaning::kThinking, BlockKind::kNone, 254, false};
    return kTag;
}

}  // namespace

bool RegionReader::is_shown(const Tag& tag) const noexcept {
    return tag.foreign || (tag.meaning == TagMeaning::kThinking && state_.options.show_thinking);
}

bool RegionReader::is_held() const noexcept {
    const TagMeaning meaning = region_.tag->meaning;
    return !region_.skipping && !region_.tag->foreign &&
           (meaning == TagMeaning::kExecute || meaning == TagMeaning::kComponent);
}

void RegionReader::open(const Tag& tag, std::size_t at, std::size_t content, bool alone) {
    region_ = {};
    region_.tag = &tag;
    region_.begin = at;
    region_.content = content;
    region_.searched = content;
    region_.counted = content;
    region_.alone = alone;
}

// ---- tags in narrative

Scan RegionReader::begin_reply() {
    std::string_view text = state_.window.from(0).substr(0, kBeginningMax);
    const std::size_t whole = text.size();
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    const std::size_t at = whole - text.size();
    for (const std::string_view name :
         {"think>", "thinking>", "thought>", "reasoning>", "reflection>", "analysis<|message|>"}) {
        if (!state_.finished && whole < kBeginningMax && name.starts_with(text)) {
            return Scan::kMore;
        }
        if (text.starts_with(name)) {
            const std::size_t end = at + name.size();
            const Tag* tag = state_.tags.find(name.substr(0, name.size() - 1));
            state_.begin_block(at);
            state_.events.notice(Notice::Kind::kRepaired, name, at, end);
            open_thinking(tag != nullptr ? *tag : channel_tag(), at, end, true);
            return Scan::kDone;
        }
    }
    return Scan::kNo;
}

void RegionReader::open_thinking(const Tag& tag, std::size_t at, std::size_t content, bool alone) {
    if (is_shown(tag)) {
        state_.display.show(at);
    } else {
        state_.begin_block(at);
        state_.display.skip(at);
    }
    // Behind the text before it, which may have come in the same piece.
    state_.events.begin_thinking();
    open(tag, at, content, alone);
}

Scan RegionReader::begin_mark(std::size_t at) {
    using Kind = ThoughtMark::Kind;
    ThoughtMark mark;
    const Scan scan = scan_thought_mark(state_.window.from(at), state_.finished, mark);
    if (scan == Scan::kMore) {
        state_.display.show(at);
        return Scan::kMore;
    }
    const bool is_text = scan == Scan::kNo || (!mark.channel && mark.kind == Kind::kStops);
    if (is_text) {
        state_.scanned = at + (mark.channel ? 1 : kWideBracket.size());
        return Scan::kNo;
    }
    const std::size_t end = at + mark.size;
    if (mark.kind == Kind::kOpens) {
        open_thinking(mark.channel ? channel_tag() : bracket_tag(), at, end,
                      mark.channel || state_.at_line_start(at));
        return Scan::kDone;
    }
    const bool ends_thinking = mark.channel
                                   ? mark.kind == Kind::kFinal && !state_.events.has_thinking()
                                   : mark.kind == Kind::kCloses;
    if (ends_thinking) {
        read_stray_closer(mark.channel ? channel_tag() : bracket_tag(), at, end);
        return Scan::kNo;
    }
    state_.begin_block(at);
    state_.end_block(end);
    return Scan::kNo;
}

Scan RegionReader::begin(std::size_t at) {
    if (at + 1 < state_.window.end() && state_.window[at + 1] == '|') {
        return begin_mark(at);
    }
    TagText text;
    const Scan scan = scan_tag(state_.window.from(at), state_.tags, state_.finished, text);
    if (scan == Scan::kMore) {
        state_.display.show(at);
        return Scan::kMore;
    }
    if (scan == Scan::kNo) {
        if (!text.cut) {
            state_.scanned = at + 1;
        } else if (state_.at_line_start(at) || state_.check_quoted(at) == Scan::kNo) {
            state_.begin_block(at);
            state_.events.notice(Notice::Kind::kUnclosed, text.name, at, state_.window.end());
            state_.end_block(state_.window.end());
        }
        return Scan::kNo;
    }
    const Tag& tag = *state_.tags.find(text.name);
    const std::size_t end = at + text.size;
    const bool starts_line = state_.at_line_start(at);
    const auto place = starts_line ? Quotes::Place::kLine : Quotes::Place::kText;
    const Scan quoted = tag.name == kStatusBar ? Scan::kNo : state_.check_quoted(at, place);
    if (quoted != Scan::kNo) {
        if (quoted == Scan::kDone && tag.meaning == TagMeaning::kExecute && !text.closing) {
            state_.display.show(at);
            state_.events.notice(Notice::Kind::kIgnored, "quoted", at, end);
        }
        return quoted == Scan::kMore ? Scan::kMore : Scan::kNo;
    }
    if (tag.foreign) {
        if (text.closing || text.empty) {
            state_.scanned = end;
            return Scan::kNo;
        }
    } else if (text.closing) {
        read_stray_closer(tag, at, end);
        return Scan::kNo;
    } else if (text.empty || tag.meaning == TagMeaning::kDisplay ||
               (is_about_protocol(tag.block) && protocol_id(text.attributes))) {
        read_single_tag(tag, text, at);
        return Scan::kNo;
    }
    if (tag.meaning == TagMeaning::kThinking) {
        open_thinking(tag, at, end, starts_line);
        return Scan::kDone;
    }
    if (is_shown(tag)) {
        state_.display.show(at);
    } else {
        state_.begin_block(at);
        state_.display.skip(at);
    }
    open(tag, at, end, starts_line);
    return Scan::kDone;
}

void RegionReader::read_single_tag(const Tag& tag, const TagText& text, std::size_t at) {
    const std::size_t end = at + text.size;
    state_.begin_block(at);
    const auto id = protocol_id(text.attributes);
    if (id && tag.block == BlockKind::kUseProtocol) {
        state_.events.notice(Notice::Kind::kUseProtocol, trim(*id), at, end);
    } else if (tag.block == BlockKind::kUseProtocol) {
        state_.events.notice(Notice::Kind::kIgnored, "use_protocol without id", at, end);
    } else if (tag.block == BlockKind::kEndProtocol) {
        state_.events.notice(Notice::Kind::kEndProtocol, trim(id.value_or("")), at, end);
    } else if (tag.meaning == TagMeaning::kComponent) {
        state_.events.component({tag.name, "", {}, {at, end}, tag.hidden});
    } else if (tag.meaning == TagMeaning::kExecute && !trim(text.attributes).empty()) {
        // <variable_delete path="hp"/>: commands are content, not attributes.
        state_.events.notice(Notice::Kind::kIgnored, "not_a_command", at, end);
    }
    state_.end_block(end);
}

// A closing tag that closes nothing is hidden like the tag it belongs to. A closing thinking tag
// means that everything before it was thought.
void RegionReader::read_stray_closer(const Tag& tag, std::size_t at, std::size_t end) {
    state_.begin_block(at);
    if (tag.meaning == TagMeaning::kThinking) {
        state_.events.end_thinking(tag.name, state_.window.view(at, end), at);
    } else if (tag.meaning != TagMeaning::kDisplay && !is_about_protocol(tag.block)) {
        state_.events.notice(Notice::Kind::kStrayTag, tag.name, at, end);
    }
    state_.end_block(end);
}

// ---- inside a region

Scan RegionReader::advance() {
    while (true) {
        const std::string_view text = state_.window.from(region_.searched);
        const bool bracket = region_.tag == &bracket_tag();
        const std::size_t found = bracket ? text.find(kWideBracket) : text.find('<');
        const std::size_t at = region_.searched + std::min(found, text.size());
        // The limit is a fixed offset, so that it does not depend on how the text was cut.
        if (is_held() && at > region_.content + base::kBlockBytesMax) {
            region_.skipping = true;
        }
        if (found == std::string_view::npos) {
            region_.searched = at;
            stream(at);
            if (state_.finished) {
                const std::size_t stop = end_of_unclosed(at);
                end(stop, stop, false);
                return Scan::kDone;
            }
            return Scan::kMore;
        }
        Scan scan = Scan::kNo;
        if (bracket || region_.tag == &channel_tag()) {
            scan = read_inner_mark(at);
        } else {
            TagText tag;
            scan = scan_tag(state_.window.from(at), state_.tags, state_.finished, tag);
            if (scan == Scan::kDone) {
                scan = read_inner_tag(at, tag);
            }
        }
        switch (scan) {
            case Scan::kMore:
                region_.searched = at;
                stream(at);
                return Scan::kMore;
            case Scan::kNo:
                region_.searched = std::max(region_.searched, at + 1);
                break;
            case Scan::kDone:
                return Scan::kDone;
        }
    }
}

Scan RegionReader::read_inner_mark(std::size_t at) {
    using Kind = ThoughtMark::Kind;
    ThoughtMark mark;
    const Scan scan = scan_thought_mark(state_.window.from(at), state_.finished, mark);
    if (scan != Scan::kDone) {
        return scan;
    }
    switch (mark.kind) {
        case Kind::kCloses:
            end(at, at + mark.size, true);
            return Scan::kDone;
        case Kind::kStops:
        case Kind::kFinal:
            end(at, at, true);
            return Scan::kDone;
        case Kind::kOpens:
            if (!mark.channel) {
                region_.has_nested = true;
                return Scan::kNo;
            }
            end(at, at, true);
            return Scan::kDone;
        case Kind::kHidden:
            return Scan::kNo;
    }
    return Scan::kNo;
}

Scan RegionReader::read_inner_tag(std::size_t at, const TagText& text) {
    const Tag& tag = *state_.tags.find(text.name);
    const std::size_t after = at + text.size;
    const bool same = tag.family == region_.tag->family;
    if (same && region_.tag->meaning == TagMeaning::kThinking && read_nested(tag, text)) {
        return Scan::kNo;
    }
    if (same && text.closing) {
        const Scan quoted = in_string(at, after);
        if (quoted == Scan::kNo) {
            end(at, after, true);
            return Scan::kDone;
        }
        if (quoted == Scan::kMore) {
            return Scan::kMore;
        }
    }
    if (tag.meaning == TagMeaning::kThinking && !text.empty) {
        region_.thinking = text.closing ? 0 : tag.family;
        region_.thinking_end = text.closing ? after : region_.thinking_end;
    }
    const bool reopens = same && !text.closing && !text.empty && region_.thinking == 0 &&
                         is_held() && region_.tag->meaning == TagMeaning::kExecute;
    if (!reopens) {
        return Scan::kNo;
    }
    const Scan quoted = in_string(at, after);
    if (quoted == Scan::kNo) {
        restart(at, after);
    }
    return quoted == Scan::kMore ? Scan::kMore : Scan::kNo;
}

// A tag of thinking inside thinking. <think>…</think> in <thinking> is part of the thought. A tag
// of the same name may be nested or only mentioned: then the first closing tag ends the thought,
// and a second one means that all of it was thought. True: it does not end the region.
bool RegionReader::read_nested(const Tag& tag, const TagText& text) {
    if (text.empty) {
        return true;
    }
    const bool has_own_name = tag.name == region_.tag->name;
    if (!text.closing) {
        region_.nested = has_own_name ? region_.nested : &tag;
        region_.has_nested = true;
        return true;
    }
    if (!has_own_name && region_.nested == &tag) {
        region_.nested = nullptr;
        region_.has_nested = false;
        return true;
    }
    region_.has_nested = region_.has_nested || !has_own_name;
    return false;
}

// The tag opens again before it was closed. The text between is either a block without its end, or
// narrative behind a tag that a sentence only mentioned.
void RegionReader::restart(std::size_t at, std::size_t content) {
    const Tag& tag = *region_.tag;
    Output& output = state_.events.new_output();
    read_tag_content(output, state_.source(region_.content, at, true), tag.block, state_.tags);
    if (output.proposals.empty() && !region_.alone) {
        state_.events.notice(Notice::Kind::kStrayTag, tag.name, region_.begin, region_.content);
        state_.events.text(state_.window.view(region_.begin, at));
        state_.events.cut();
    } else {
        state_.events.notice(Notice::Kind::kUnclosed, tag.name, region_.begin, at);
        if (tag.block == BlockKind::kMemory) {
            state_.events.add_memory_tag();
        }
        state_.events.emit(output, true);
    }
    state_.display.skip(at);
    open(tag, at, content, true);
}

void RegionReader::stream(std::size_t to) {
    if (is_held() || to <= state_.display.shown()) {
        return;
    }
    const std::string_view text = state_.window.view(state_.display.shown(), to);
    if (is_shown(*region_.tag)) {
        state_.events.text(text);
    } else if (region_.tag->meaning == TagMeaning::kThinking) {
        state_.events.thinking(text);
        if (!region_.alone) {
            held_thinking_.append(text);
        }
    }
    state_.display.skip(to);
}

// Whether the tag from `at` to `after` is part of a string: a quote is open on its line, and is
// closed behind the tag where a string may end.
Scan RegionReader::in_string(std::size_t at, std::size_t after) {
    if (!is_held()) {
        return Scan::kNo;
    }
    constexpr std::string_view kQuotes = "\"'`";
    constexpr ByteSet kMarks("\"'`\n\\");
    if (region_.counted < at) {
        const std::string_view text = state_.window.view(region_.counted, at);
        std::size_t next = 0;
        for (; next < text.size(); ++next) {
            const char c = text[next];
            if (!kMarks.has(c)) {
                continue;
            }
            if (c == '\n') {
                region_.open_quotes = 0;
            } else if (c == '\\') {
                ++next;
            } else {
                region_.open_quotes ^= 1U << kQuotes.find(c);
            }
        }
        region_.counted += next;
    }
    if (region_.open_quotes == 0) {
        return Scan::kNo;
    }
    const std::string_view rest = state_.window.from(after).substr(0, kStringAhead);
    for (std::size_t i = 0; i < rest.size() && rest[i] != '\n'; ++i) {
        const std::size_t kind = kQuotes.find(rest[i]);
        if (kind == std::string_view::npos || (region_.open_quotes & (1U << kind)) == 0) {
            continue;
        }
        std::size_t next = i + 1;
        while (next < rest.size() && rest[next] == ' ') {
            ++next;
        }
        if (next >= rest.size()) {
            break;
        }
        if (std::string_view(",}])").find(rest[next]) != std::string_view::npos) {
            return Scan::kDone;
        }
    }
    const bool may_follow = rest.size() < kStringAhead && rest.find('\n') == std::string_view::npos;
    return may_follow && !state_.finished ? Scan::kMore : Scan::kNo;
}

// ---- the end of a region

// Commands that are never closed end before prose; everything else continues to the end of the
// reply.
std::size_t RegionReader::end_of_unclosed(std::size_t at) {
    if (!is_held() || region_.tag->meaning != TagMeaning::kExecute ||
        backtracks_ >= kBacktracksMax) {
        return at;
    }
    // Thinking inside is not prose.
    const std::size_t from = std::max(region_.content, region_.thinking_end);
    const std::size_t stop = from + unclosed_end(state_.window.view(from, at));
    backtracks_ += stop < at ? 1 : 0;
    return stop;
}

void RegionReader::end(std::size_t content_end, std::size_t end, bool closed) {
    const Tag& tag = *region_.tag;
    if (!closed && !tag.foreign) {
        state_.events.notice(Notice::Kind::kUnclosed, tag.name, region_.begin, end);
    }
    if (is_shown(tag)) {
        stream(end);
        state_.resume(end);
        return;
    }
    if (region_.skipping) {
        refuse_too_large(content_end, end, closed);
    } else if (tag.meaning == TagMeaning::kThinking) {
        end_thinking(end, closed);
    } else if (tag.meaning == TagMeaning::kComponent) {
        const std::string_view content = state_.window.view(region_.content, content_end);
        state_.events.component({tag.name,
                                 std::string(content),
                                 component_children(content),
                                 {region_.begin, end},
                                 tag.hidden});
    } else if (tag.meaning == TagMeaning::kExecute) {
        Output& output = state_.events.new_output();
        read_tag_content(output, state_.source(region_.content, content_end, closed), tag.block,
                         state_.tags);
        if (tag.block == BlockKind::kMemory) {
            state_.events.add_memory_tag();
        }
        state_.events.emit(output, true);
    }
    state_.end_block(end);
}

void RegionReader::refuse_too_large(std::size_t content_end, std::size_t end, bool closed) {
    const Tag& tag = *region_.tag;
    Output& output = state_.events.new_output();
    refuse(output, state_.source(content_end, content_end, closed), Dialect::kFilament, {},
           Code::kTooLarge, {"<" + tag.name + ">", std::to_string(base::kBlockBytesMax)});
    output.proposals.back().span = {region_.begin, end};
    state_.events.notice(Notice::Kind::kCut, tag.name, region_.begin, end);
    state_.events.emit(output, true);
}

void RegionReader::end_thinking(std::size_t end, bool closed) {
    stream(end);
    if (closed && region_.has_nested) {
        state_.events.expect_closer();
    }
    if (!closed && !region_.alone) {
        // The tag is in a sentence. Nothing behind it is executed, but from the next paragraph
        // to the next block it is narrative.
        std::string text = held_thinking_.take();
        text.resize(std::min({text.find("\n<"), text.find("\n```"), text.size()}));
        text.erase(0, std::min(text.find("\n\n"), text.size()));
        state_.events.text(text);
    }
    held_thinking_.clear();
}

}  // namespace arbiter::reader::internal
