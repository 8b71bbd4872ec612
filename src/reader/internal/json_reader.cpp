#include "reader/internal/json_reader.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "reader/internal/block_end.h"
#include "reader/internal/json_commands.h"
#include "reader/internal/tavern.h"

namespace arbiter::reader::internal {

namespace {

// Values that the end of the reply cuts off before they are read to its end: each costs a pass.
constexpr std::size_t kBacktracksMax = 16;

// Whether quoted text that begins with a bracket has the name of a command's member.
bool names_command(std::string_view text) {
    constexpr auto kNames = std::to_array<std::string_view>(
        {"\"op\"", "\"action\"", "\"tavern_commands\"", "\"tool_calls\""});
    return std::ranges::any_of(kNames, [text](auto name) { return text.find(name) != text.npos; });
}

}  // namespace

using proposal::Code;
using proposal::Dialect;
using proposal::Notice;

Scan JsonReader::begin(std::size_t at) {
    if (at < blocked_ || !reads_json(state_.options.dialects)) {
        state_.scanned = at + 1;
        return Scan::kNo;
    }
    const Scan quoted = state_.check_quoted(at);
    if (quoted == Scan::kMore) {
        return Scan::kMore;
    }
    if (quoted == Scan::kDone) {
        if (names_command(state_.window.view(at, state_.scanned))) {
            state_.display.show(at);
            state_.events.notice(Notice::Kind::kIgnored, "quoted", at, state_.scanned);
        }
        return Scan::kNo;
    }
    state_.display.show(at);
    begin_ = at;
    skipping_ = false;
    const JsonScan scan(at, state_.display.fence() != Display::Fence::kNone);
    if (scan_ == nullptr) {
        scan_ = std::make_unique<JsonScan>(scan);
    } else {
        *scan_ = scan;
    }
    return Scan::kDone;
}

Scan JsonReader::advance() {
    return skipping_ ? skip_value() : read_value();
}

Scan JsonReader::read_value() {
    switch (scan_->advance(state_.window, state_.finished)) {
        case Scan::kMore:
            return Scan::kMore;
        case Scan::kNo:
            if (!broken_dialect(state_.options.dialects, scan_->command_name())) {
                return pass_as_text(scan_->end(), true);
            }
            state_.events.notice(Notice::Kind::kCut, "{…}", begin_, scan_->end());
            state_.begin_block(begin_);
            scan_->lift_limit();
            skipping_ = true;
            return skip_value();
        case Scan::kDone:
            return end_value(scan_->end(),
                             scan_->end() < state_.window.end() || scan_->is_complete());
    }
    return Scan::kMore;
}

Scan JsonReader::skip_value() {
    if (scan_->advance(state_.window, state_.finished) == Scan::kMore) {
        state_.display.skip(scan_->needs());
        return Scan::kMore;
    }
    const std::size_t end = scan_->end();
    Output& output = state_.events.new_output();
    refuse(output, state_.source(end, end, scan_->is_complete()),
           *broken_dialect(state_.options.dialects, scan_->command_name()), {}, Code::kTooLarge,
           {"{…}", std::to_string(base::kBlockBytesMax)});
    output.proposals.back().span = {begin_, end};
    state_.events.emit(output, false);
    state_.end_block(end);
    return Scan::kDone;
}

Scan JsonReader::pass_as_text(std::size_t end, bool search_inside) {
    if (search_inside) {
        blocked_ = std::max(blocked_, end);
        state_.scanned = begin_ + 1;
    } else {
        state_.scanned = end;
    }
    return Scan::kNo;
}

// The value goes to `end`, but it is never closed or cannot be parsed: it ends before the prose
// that it seems to hold, if there is any.
bool JsonReader::cut_before_prose(std::size_t& end) {
    if (backtracks_ >= kBacktracksMax) {
        return false;
    }
    const std::size_t stop = begin_ + unclosed_end(state_.window.view(begin_, end));
    if (stop >= end) {
        return false;
    }
    ++backtracks_;
    end = stop;
    return true;
}

Scan JsonReader::end_value(std::size_t end, bool closed) {
    const std::size_t whole = end;
    if (!closed && is_command()) {
        closed = cut_before_prose(end);
    }
    Source source = state_.source(begin_, end, closed);
    auto literal = parse_literal(source.text, 0);
    Output& output = state_.events.new_output();
    const auto broken = broken_dialect(source.dialects, scan_->command_name());
    const bool has_text =
        !literal && broken == Dialect::kTavern && find_text(source.text, output.text);
    if (!literal && broken && !has_text && cut_before_prose(end)) {
        closed = true;
        source = state_.source(begin_, end, closed);
        literal = parse_literal(source.text, 0);
    }
    if (literal && read_json(output, source, *literal, {0, literal->end})) {
        end = scan_->is_complete() && end == whole ? end : begin_ + literal->end;
    } else if (!literal && broken) {
        output.has_text = has_text;
        refuse_literal(output, source, *broken, {0, source.text.size()}, literal.error());
    } else {
        return pass_as_text(whole, !scan_->is_complete());
    }
    if (!closed && literal && !literal->closed) {
        state_.events.notice(Notice::Kind::kUnclosed, "{", begin_, end);
    }
    state_.begin_block(begin_);
    state_.events.emit(output, false);
    state_.end_block(end);
    return Scan::kDone;
}

}  // namespace arbiter::reader::internal
