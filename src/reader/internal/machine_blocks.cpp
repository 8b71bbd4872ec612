// The blocks of a reply: regions between tags, JSON values, calls.
#include <algorithm>

#include "base/limits.h"
#include "reader/internal/body.h"
#include "reader/internal/byte_set.h"
#include "reader/internal/glyph.h"
#include "reader/internal/machine.h"

namespace arbiter::reader {

using internal::attribute;
using internal::Block;
using internal::glyph_at;
using internal::Output;
using internal::Scan;
using internal::Source;
using internal::Tag;
using internal::TagScan;
using internal::TagText;
using proposal::Code;
using proposal::Dialect;
using proposal::Notice;

namespace {

// Blanks between the bracket of a call and its first argument.
constexpr std::size_t kBlanksMax = 64;
// Bytes in which a reply begins.
constexpr std::size_t kBeginningMax = 32;
// Elements of a component that are opened and never closed, until no more are looked for.
constexpr std::size_t kOpenElementsMax = 48;

}  // namespace

// ---- tags

// A reply may begin with `thinking>`: the first byte of the tag was lost. False: more text is
// needed.
bool Reader::Machine::begin_reply(Sink& sink, bool finished) {
    std::string_view text = window_.from(0).substr(0, kBeginningMax);
    const std::size_t whole = text.size();
    while (!text.empty() && internal::is_blank(text.front())) {
        text.remove_prefix(1);
    }
    const std::size_t at = whole - text.size();
    for (const std::string_view name : {"think>", "thinking>", "thought>"}) {
        if (!finished && whole < kBeginningMax && name.starts_with(text)) {
            return false;
        }
        if (text.starts_with(name)) {
            const Tag* tag = tags_.find(name.substr(0, name.size() - 1));
            const std::size_t end = at + name.size();
            begin_block(sink, at);
            notice(sink, Notice::What::kRepaired, name, at, end);
            region_ = {tag, at, end, end, end, 0, false, true};
            block_ = at;
            shown_ = at;
            mode_ = Mode::kRegion;
        }
    }
    begun_ = true;
    return true;
}

bool Reader::Machine::tag_at(std::size_t at, Sink& sink, bool finished) {
    TagText text;
    const TagScan scan = scan_tag(window_.from(at), tags_, finished, text);
    if (scan == TagScan::kMore) {
        show(sink, at);
        return false;
    }
    if (scan == TagScan::kCut) {
        if (bool more = false; at_line_start(at) || is_free(at, sink, finished, more)) {
            begin_block(sink, at);
            notice(sink, Notice::What::kUnclosed, text.name, at, window_.end());
            end_block(window_.end());
        }
        return true;
    }
    if (scan == TagScan::kNo) {
        scan_ = at + 1;
        return true;
    }
    const Tag& tag = *tags_.find(text.name);
    const std::size_t end = at + text.size;
    bool more = false;
    if (!at_line_start(at) && !is_free(at, sink, finished, more)) {
        if (!more && tag.meaning == TagMeaning::kExecute && !text.closing) {
            show(sink, at);
            notice(sink, Notice::What::kIgnored, "quoted", at, end);
        }
        return !more;
    }
    if (tag.foreign) {
        if (text.closing || text.empty) {
            scan_ = end;
            return true;
        }
    } else if (text.closing) {
        stray(tag, at, end, sink);
        return true;
    } else if (text.empty || tag.meaning == TagMeaning::kDisplay ||
               (is_about_protocol(tag.block) && attribute(text.attributes, "id"))) {
        begin_block(sink, at);
        const auto id = attribute(text.attributes, "id");
        if (id && tag.block == Block::kUseProtocol) {
            notice(sink, Notice::What::kUseProtocol, trim(*id), at, end);
        } else if (tag.block == Block::kEndProtocol) {
            notice(sink, Notice::What::kEndProtocol, trim(id.value_or("")), at, end);
        } else if (tag.meaning == TagMeaning::kComponent) {
            sink.component({tag.name, "", {}, {at, end}});
        }
        end_block(end);
        return true;
    }
    if (tag.foreign || (tag.meaning == TagMeaning::kThinking && options_.show_thinking)) {
        show(sink, at);
    } else {
        begin_block(sink, at);
        shown_ = at;
    }
    region_ = {&tag, at, end, end, end, 0, false, at_line_start(at)};
    block_ = at;
    mode_ = Mode::kRegion;
    return true;
}

// A closing tag that closes nothing is hidden like the tag it belongs to. One of thinking says
// that all before it was thought, if anything follows.
void Reader::Machine::stray(const Tag& tag, std::size_t at, std::size_t end, Sink& sink) {
    begin_block(sink, at);
    if (tag.meaning == TagMeaning::kThinking) {
        thought_candidates_ = sorts_.size();
        thought_bytes_ = narrative_.bytes();
        thought_ended_ = true;
    }
    if (tag.meaning != TagMeaning::kDisplay && !is_about_protocol(tag.block)) {
        notice(sink, Notice::What::kStrayTag, tag.name, at, end);
    }
    end_block(end);
}

bool Reader::Machine::holds_region() const {
    const TagMeaning meaning = region_.tag->meaning;
    return !region_.skipping && !region_.tag->foreign &&
           (meaning == TagMeaning::kExecute || meaning == TagMeaning::kComponent);
}

bool Reader::Machine::region(Sink& sink, bool finished) {
    // Up to a fixed place, so that it does not matter how the text came in pieces.
    const std::size_t limit = region_.content + base::kBlockBytesMax;
    while (true) {
        const std::string_view text = window_.from(region_.scanned);
        const std::size_t found = text.find('<');
        const std::size_t at = region_.scanned + std::min(found, text.size());
        if (holds_region() && at > limit) {
            region_.skipping = true;
        }
        if (found == std::string_view::npos) {
            region_.scanned = at;
            stream_region(sink, at);
            if (finished) {
                end_region(sink, at, at, false);
                return true;
            }
            return false;
        }
        TagText tag;
        const TagScan scan = scan_tag(window_.from(at), tags_, finished, tag);
        bool more = scan == TagScan::kMore;
        if (scan == TagScan::kTag) {
            const Tag& other = *tags_.find(tag.name);
            const bool same = other.family == region_.tag->family;
            if (same && tag.closing && !is_in_string(at, at + tag.size, finished, more) && !more) {
                end_region(sink, at, at + tag.size, true);
                return true;
            }
            if (other.meaning == TagMeaning::kThinking && !tag.empty) {
                region_.thought = tag.closing ? std::uint8_t{0} : other.family;
            }
            if (same && !tag.closing && !tag.empty && region_.thought == 0 && holds_region() &&
                region_.tag->meaning == TagMeaning::kExecute &&
                !is_in_string(at, at + tag.size, finished, more) && !more) {
                restart_region(sink, at, at + tag.size);
                continue;
            }
        }
        if (more) {
            region_.scanned = at;
            stream_region(sink, at);
            return false;
        }
        region_.scanned = at + 1;
    }
}

// The tag opens again before it was closed. What lies between are commands of a block that lacks
// its end, or narrative behind a tag that a sentence only mentioned.
void Reader::Machine::restart_region(Sink& sink, std::size_t at, std::size_t content) {
    const Tag& tag = *region_.tag;
    Output& output = new_output();
    read_body(output, source(region_.content, at, true), tag.block, tags_);
    if (output.proposals.empty() && !region_.alone) {
        notice(sink, Notice::What::kStrayTag, tag.name, region_.begin, region_.content);
        narrative_.text(window_.view(region_.begin, at), sink);
        narrative_.cut();
    } else {
        notice(sink, Notice::What::kUnclosed, tag.name, region_.begin, at);
        has_memory_tag_ = has_memory_tag_ || tag.block == Block::kMemory;
        emit(sink, output, true);
    }
    shown_ = at;
    block_ = at;
    region_ = {region_.tag, at, content, content, content, 0, false, true};
}

// Thinking and foreign blocks pass through as they come; what executes waits for its end.
void Reader::Machine::stream_region(Sink& sink, std::size_t to) {
    if (holds_region() || to <= shown_) {
        return;
    }
    const std::string_view text = window_.view(shown_, to);
    if (region_.tag->foreign ||
        (region_.tag->meaning == TagMeaning::kThinking && options_.show_thinking)) {
        narrative_.text(text, sink);
    } else if (region_.tag->meaning == TagMeaning::kThinking) {
        sink.thinking(text);
        if (!region_.alone) {
            keep(text);
        }
    }
    shown_ = to;
}

// A closing tag inside a string of the block does not close it: a quote is open on its line, and
// closed behind it where a string may end.
bool Reader::Machine::is_in_string(std::size_t at, std::size_t after, bool finished, bool& more) {
    if (!holds_region()) {
        return false;
    }
    constexpr std::string_view kQuotes = "\"'`";
    constexpr internal::ByteSet kMarks("\"'`\n\\");
    for (; region_.line < at; ++region_.line) {
        const char c = window_[region_.line];
        if (!kMarks.has(c)) {
            continue;
        }
        if (c == '\n') {
            region_.quotes = 0;
        } else if (c == '\\') {
            ++region_.line;
        } else if (const std::size_t kind = kQuotes.find(c); kind != std::string_view::npos) {
            region_.quotes ^= 1U << kind;
        }
    }
    if (region_.quotes == 0) {
        return false;
    }
    constexpr std::size_t kStringAhead = 256;
    const std::string_view rest = window_.from(after).substr(0, kStringAhead);
    for (std::size_t i = 0; i < rest.size() && rest[i] != '\n'; ++i) {
        const std::size_t kind = kQuotes.find(rest[i]);
        if (kind == std::string_view::npos || (region_.quotes & (1U << kind)) == 0) {
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
            return true;
        }
    }
    more = !finished && rest.size() < kStringAhead && rest.find('\n') == std::string_view::npos;
    return false;
}

void Reader::Machine::end_region(Sink& sink, std::size_t content_end, std::size_t end,
                                 bool closed) {
    const Tag& tag = *region_.tag;
    const std::size_t begin = region_.begin;
    if (!closed && !tag.foreign) {
        notice(sink, Notice::What::kUnclosed, tag.name, begin, end);
    }
    const bool as_text =
        tag.foreign || (tag.meaning == TagMeaning::kThinking && options_.show_thinking);
    if (as_text) {
        stream_region(sink, end);
        mode_ = Mode::kProse;
        scan_ = end;
        quotes_.reset(end, false);
        return;
    }
    if (region_.skipping) {
        Output& output = new_output();
        const Source none = source(content_end, content_end, closed);
        refuse(output, none, Dialect::kFilament, {}, Code::kTooLarge,
               {"<" + tag.name + ">", std::to_string(base::kBlockBytesMax)});
        output.proposals.back().span = {begin, end};
        notice(sink, Notice::What::kCut, tag.name, begin, end);
        emit(sink, output, true);
    } else if (tag.meaning == TagMeaning::kThinking) {
        stream_region(sink, end);
        if (!closed && !region_.alone) {
            // The tag was only mentioned in a sentence. Nothing behind it runs, but up to the next
            // block it is the story.
            kept_.resize(std::min({kept_.find("\n<"), kept_.find("\n```"), kept_.size()}));
            show_kept(sink);
        }
        kept_.clear();
    } else if (tag.meaning == TagMeaning::kComponent) {
        emit_component(sink, content_end, end);
    } else if (tag.meaning == TagMeaning::kExecute) {
        Output& output = new_output();
        read_body(output, source(region_.content, content_end, closed), tag.block, tags_);
        has_memory_tag_ = has_memory_tag_ || tag.block == Block::kMemory;
        emit(sink, output, true);
    }
    end_block(end);
}

// The elements directly inside a component, so that a host need not parse it again.
void Reader::Machine::emit_component(Sink& sink, std::size_t content_end, std::size_t end) {
    const std::string_view content = window_.view(region_.content, content_end);
    value::Array children;
    std::size_t open = 0;
    std::size_t at = 0;
    while ((at = content.find('<', at)) != std::string_view::npos) {
        std::size_t name_end = at + 1;
        while (name_end < content.size() &&
               (internal::is_letter(content[name_end]) || internal::is_digit(content[name_end]) ||
                content[name_end] == '_' || content[name_end] == '-')) {
            ++name_end;
        }
        const std::string name(content.substr(at + 1, name_end - at - 1));
        const std::size_t open_end = content.find('>', name_end);
        if (name.empty() || open_end == std::string_view::npos) {
            ++at;
            continue;
        }
        const std::string closer = "</" + name + ">";
        const std::size_t close = content.find(closer, open_end);
        if (close == std::string_view::npos) {
            at = open_end;
            if (++open > kOpenElementsMax) {
                break;  // a text of openings only: no structure to give
            }
            continue;
        }
        children = std::move(children).push_back(
            value::Object{{"tag", std::string_view(name)},
                          {"content", trim(content.substr(open_end + 1, close - open_end - 1))}});
        at = close + closer.size();
    }
    sink.component(
        {region_.tag->name, std::string(content), std::move(children), {region_.begin, end}});
}

// ---- JSON

bool Reader::Machine::json_at(std::size_t at, Sink& sink, bool finished) {
    bool more = false;
    if (at < json_blocked_ || !is_json_read(source(at, at, true)) ||
        !is_free(at, sink, finished, more)) {
        scan_ = std::max(scan_, more ? at : at + 1);
        return !more;
    }
    show(sink, at);
    block_ = at;
    json_scan_.emplace(at, fence_.state != Fence::State::kNone);
    mode_ = Mode::kJson;
    return true;
}

bool Reader::Machine::json(Sink& sink, bool finished) {
    switch (json_scan_->advance(window_, finished)) {
        case Scan::kMore:
            return false;
        case Scan::kNo:
            if (!broken_dialect(source(block_, block_, true), json_scan_->command_name())) {
                json_is_text(json_scan_->end(), true);
                return true;
            }
            notice(sink, Notice::What::kCut, "{…}", block_, json_scan_->end());
            begin_block(sink, block_);
            json_scan_->lift_limit();
            mode_ = Mode::kJsonSkip;
            return true;
        case Scan::kDone:
            end_json(sink, json_scan_->end(),
                     json_scan_->end() < window_.end() || json_scan_->is_complete());
            return true;
    }
    return false;
}

bool Reader::Machine::json_skip(Sink& sink, bool finished) {
    const Scan scan = json_scan_->advance(window_, finished);
    if (scan == Scan::kMore) {
        shown_ = json_scan_->needs();
        return false;
    }
    const std::size_t end = json_scan_->end();
    Output& output = new_output();
    const Source none = source(end, end, json_scan_->is_complete());
    refuse(output, none, *broken_dialect(none, json_scan_->command_name()), {}, Code::kTooLarge,
           {"{…}", std::to_string(base::kBlockBytesMax)});
    output.proposals.back().span = {block_, end};
    emit(sink, output, false);
    end_block(end);
    return true;
}

void Reader::Machine::json_is_text(std::size_t end, bool look_inside) {
    mode_ = Mode::kProse;
    if (look_inside) {
        // Something else may begin in there, though no JSON value.
        json_blocked_ = std::max(json_blocked_, end);
        scan_ = block_ + 1;
    } else {
        scan_ = end;
    }
}

void Reader::Machine::end_json(Sink& sink, std::size_t end, bool closed) {
    Source text = source(block_, end, closed);
    auto literal = parse_literal(text.text, 0);
    Output& output = new_output();
    if (literal && read_json(output, text, *literal, {0, literal->end})) {
        end = json_scan_->is_complete() ? end : block_ + literal->end;
    } else if (const auto broken = broken_dialect(text, json_scan_->command_name());
               !literal && broken) {
        output.has_text =
            *broken == Dialect::kTavern && internal::find_text(text.text, output.text);
        refuse_literal(output, text, *broken, {0, text.text.size()}, literal.error());
    } else {
        json_is_text(end, !json_scan_->is_complete());
        return;
    }
    if (!closed && literal && !literal->closed) {
        notice(sink, Notice::What::kUnclosed, "{", block_, end);
    }
    begin_block(sink, block_);
    emit(sink, output, false);
    end_block(end);
}

// ---- calls

bool Reader::Machine::call_at(std::size_t at, Sink& sink, bool finished) {
    std::size_t size = 1;
    std::size_t paren = at;
    if (window_[at] != '(') {
        paren = at - 2;
        size = 3;
    }
    scan_ = paren + size;
    const std::string_view tail = tail_of(paren);
    const auto head = internal::call_head(tail);
    if (!head || !options_.dialects.has(head->dialect) || paren < call_blocked_) {
        return true;
    }
    const std::size_t begin = paren - tail.size() + head->begin;
    if (head->dialect == Dialect::kMemory) {
        // A call has a quoted path; without one it is a word of the story.
        std::size_t next = paren + size;
        while (next < window_.end() && next < paren + kBlanksMax &&
               internal::blank_at(window_.from(next), 0) > 0) {
            ++next;
        }
        if (window_.end() - next < 3 && !finished) {
            scan_ = at;
            show(sink, begin);
            return false;
        }
        if (next >= window_.end() || !internal::is_quote(glyph_at(window_.from(next), 0).ascii)) {
            return true;
        }
    }
    bool more = false;
    if (!is_free(begin, sink, finished, more)) {
        if (more) {
            scan_ = at;
            return false;
        }
        show(sink, begin);
        notice(sink, Notice::What::kIgnored, "quoted", begin, paren + size);
        scan_ = std::max(scan_, paren + size);
        return true;
    }
    show(sink, begin);
    block_ = begin;
    call_dialect_ = head->dialect;
    call_name_ = paren - tail.size() + static_cast<std::size_t>(head->name.data() - tail.data());
    call_name_size_ = head->name.size();
    call_paren_ = paren;
    call_scan_.emplace(paren + size);
    mode_ = Mode::kCall;
    return true;
}

bool Reader::Machine::call(Sink&, bool finished) {
    if (call_scan_->advance(window_, finished) == Scan::kMore) {
        return false;
    }
    tail_seen_ = 0;
    mode_ = Mode::kCallTail;
    return true;
}

bool Reader::Machine::call_tail(Sink& sink, bool finished) {
    const std::size_t end = call_scan_->end();
    const auto tail = internal::call_tail(window_.from(end), finished, tail_seen_);
    if (!tail) {
        return false;
    }
    const bool closed = call_scan_->is_closed();
    // In a sentence only a call with its semicolon is one; alone on a line it may lack it.
    const bool alone = tail->alone && starts_alone(block_);
    const bool stands = closed ? tail->semicolon || alone || fence_.state != Fence::State::kNone
                               : starts_alone(block_);
    if (!stands) {
        mode_ = Mode::kProse;
        if (closed) {
            scan_ = end;
            notice(sink, Notice::What::kIgnored, "mentioned", block_, end);
        } else {
            call_blocked_ = std::max(call_blocked_, end);
            scan_ = call_paren_ + 1;
        }
        return true;
    }
    const std::size_t whole = end + tail->end;
    const Source text = source(block_, std::max(whole, end), closed || end < window_.end());
    Output& output = new_output();
    internal::Call call;
    call.dialect = call_dialect_;
    call.name = window_.view(call_name_, call_name_ + call_name_size_);
    call.range = {0, text.text.size()};
    call.bracket = closed;
    call.closed = closed || (call_scan_->end() < window_.end() && !call_scan_->is_too_long() &&
                             !call_scan_->is_in_string());
    call.arguments = call_scan_->arguments();
    call.offset = block_;
    call.reason = tail->reason;
    call.reason_below = tail->below;
    const bool wide = window_[call_paren_] != '(' || call_scan_->has_wide_marks();
    if (call_scan_->is_too_long()) {
        refuse(output, text, call.dialect, call.range, Code::kTooLarge,
               {std::string(call.name) + "(…)", std::to_string(base::kCallBytesMax)});
        notice(sink, Notice::What::kCut, call.name, block_, whole);
    } else if (call.dialect == Dialect::kMemory) {
        call.repaired = !closed || wide;
        read_memory_call(output, text, call);
    } else {
        call.repaired = !closed || wide || !tail->semicolon;
        read_mvu_call(output, text, call);
    }
    begin_block(sink, block_);
    emit(sink, output, false);
    end_block(std::max(whole, end));
    return true;
}

// Nothing but blanks, list marks and other commands stands before it on its line.
bool Reader::Machine::starts_alone(std::size_t at) const {
    const std::size_t stop =
        std::max({window_.begin(), block_end_, at > kLookBack ? at - kLookBack : 0});
    while (at > stop) {
        const char c = window_[at - 1];
        if (c == '\n') {
            return true;
        }
        if (c != ' ' && c != '\t' && c != '-' && c != '*' && c != '.' && !internal::is_digit(c)) {
            return false;
        }
        --at;
    }
    return at == 0 || at == block_end_;
}

}  // namespace arbiter::reader
