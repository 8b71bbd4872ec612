#include "reader/internal/json_scan.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/limits.h"
#include "reader/internal/block_end.h"
#include "reader/internal/byte_search.h"
#include "reader/internal/glyph.h"

namespace arbiter::reader::internal {
namespace {

// Members that only a command has.
constexpr auto kCommandNames = std::to_array<std::string_view>(
    {"op", "action", "tavern_commands", "tavern_inspect", "tool_calls", "set_state"});
// Members that commands begin with, but other data too.
constexpr auto kCommonNames = std::to_array<std::string_view>({"text",
                                                               "path",
                                                               "value",
                                                               "old",
                                                               "key",
                                                               "reason",
                                                               "metadata",
                                                               "options",
                                                               "from",
                                                               "to",
                                                               "target",
                                                               "name",
                                                               "args",
                                                               "transaction",
                                                               "set",
                                                               "add",
                                                               "update",
                                                               "patch",
                                                               "push",
                                                               "pull",
                                                               "delete",
                                                               "ensure",
                                                               "0",
                                                               "1",
                                                               "commands",
                                                               "指令",
                                                               "叙事文本",
                                                               "narrative",
                                                               "mid_term_memory",
                                                               "中期记忆",
                                                               "assistant_structured",
                                                               "assistant_text",
                                                               "id",
                                                               "tool"});

bool contains(const auto& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// Bytes needed to recognise a character and the two after it.
constexpr std::size_t kAhead = 4;

// A longer bare word behind { is prose, not a name.
constexpr std::size_t kBareNameMax = 64;

// Whether a fence begins the line; it ends every literal. `rest` begins behind a line break.
Scan find_fence(std::string_view rest, bool finished) {
    std::size_t at = 0;
    while (at < rest.size() && at < 8 && (rest[at] == ' ' || rest[at] == '\t')) {
        ++at;
    }
    rest.remove_prefix(at);
    if (rest.starts_with("```") || rest.starts_with("~~~")) {
        return Scan::kDone;
    }
    const bool may_begin = rest.size() < 3 && (std::string_view("```").starts_with(rest) ||
                                               std::string_view("~~~").starts_with(rest));
    return may_begin && !finished ? Scan::kMore : Scan::kNo;
}

// Whether the value ends with the line, although it is not closed: a fence, a tag or prose follows.
Scan line_end(std::string_view rest, bool finished) {
    for (const Scan found :
         {find_fence(rest, finished), find_line_tag(rest, finished), find_prose(rest, finished)}) {
        if (found != Scan::kNo) {
            return found;
        }
    }
    return Scan::kNo;
}

// Whether a list of scalars may begin with this byte.
bool is_scalar(char c) {
    return is_quote(c) || is_digit(c) || is_letter(c) || c == '-' || c == '.' || c == ',';
}

// {"…": {"…": [{"op": …}]}}.
constexpr std::size_t kEnvelopeDepth = 4;

bool is_name_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void JsonScan::end_name(std::string_view name) {
    if (depth_ != (array_ ? 2U : 1U)) {
        // Commands grouped by action, or keyed by index.
        if (command_name_.empty() && !array_ && may_be_command_ && depth_ <= 3 &&
            name == "action") {
            command_name_ = "action";
        }
        // {"…": [{"op": …}]}: an envelope of another name.
        if (command_name_.empty() && !array_ && depth_ == 3 && name == "action") {
            command_name_ = "action";
        }
        if (command_name_.empty() && !array_ && depth_ <= kEnvelopeDepth && name == "op") {
            command_name_ = "op";
        }
        return;
    }
    if (const auto found = std::ranges::find(kCommandNames, name);
        command_name_.empty() && found != kCommandNames.end()) {
        command_name_ = *found;
    }
    if (first_) {
        may_be_command_ = contains(kCommonNames, name);
        first_ = false;
    }
}

std::size_t JsonScan::needs() const noexcept {
    if (name_begin_ > 0) {
        return name_begin_ - 1;
    }
    const bool behind_quote = state_ == State::kString && string_.is_behind_quote();
    return behind_quote ? string_.quote_at() : at_;
}

Scan JsonScan::advance(const Window& window, bool finished) {
    while (true) {
        Step step;
        switch (state_) {
            case State::kGap:
                step = gap(window, finished);
                break;
            case State::kString:
                step = string(window, finished);
                break;
            case State::kLineComment:
                step = line_comment(window);
                break;
            case State::kBlockComment:
                step = block_comment(window);
                break;
        }
        if (!step) {
            continue;
        }
        if (*step != Scan::kMore) {
            return *step;
        }
        if (const std::size_t end = limit(window);
            end < window.end() || end - begin_ == allowed()) {
            at_ = end;
            return Scan::kNo;
        }
        if (!finished) {
            return Scan::kMore;
        }
        at_ = window.end();
        return Scan::kDone;
    }
}

std::size_t JsonScan::allowed() const noexcept {
    return !limited_                         ? std::numeric_limits<std::size_t>::max()
           : is_command() || may_be_command_ ? base::kBlockBytesMax
                                             : base::kUndecidedBytesMax;
}
std::size_t JsonScan::limit(const Window& window) const noexcept {
    const std::size_t seen = window.end() - begin_;
    return begin_ + std::min(seen, allowed());
}
std::string_view JsonScan::ahead(const Window& window) const noexcept {
    return window.view(at_, std::max(at_, limit(window)));
}

void JsonScan::open(char bracket) {
    array_ = array_ || (depth_ == 0 && bracket == '[');
    if (depth_ < 64) {
        const std::uint64_t bit = std::uint64_t{1} << depth_;
        objects_ = bracket == '{' ? objects_ | bit : objects_ & ~bit;
    }
    ++depth_;
    token_ = true;
    key_ = bracket == '{';
}

void JsonScan::close() {
    --depth_;
    token_ = false;
    key_ = false;
    complete_ = depth_ == 0;
}

void JsonScan::colon(const Window& window, std::size_t at) {
    if (key_ && name_begin_ > 0) {
        std::string_view name = window.view(name_begin_ - 1, at);
        while (!name.empty() && is_blank(name.back())) {
            name.remove_suffix(1);
        }
        end_name(name);
    }
    name_begin_ = 0;
    token_ = true;
    key_ = false;
}

bool JsonScan::begin_comment(std::string_view rest) noexcept {
    if (token_ && rest.starts_with("//")) {
        state_ = State::kLineComment;
        return true;
    }
    if ((token_ && rest.starts_with("/*")) || rest.starts_with("<!--")) {
        comment_end_ = rest[0] == '/' ? "*/" : "-->";
        state_ = State::kBlockComment;
        return true;
    }
    return false;
}

bool JsonScan::may_begin(const Glyph& glyph, const Window& window, std::size_t at) const {
    if (array_ && depth_ == 1) {
        return glyph.ascii == '{' || (lenient_ && is_scalar(glyph.ascii));
    }
    const char c = window[at];
    if (name_begin_ > 0) {
        return glyph.ascii == ':' ||
               (is_name_byte(c) && !is_blank(window[at - 1]) && at - name_begin_ < kBareNameMax);
    }
    return is_quote(glyph.ascii) || (is_name_byte(c) && c != '-');
}

JsonScan::Step JsonScan::gap(const Window& window, bool finished) {
    const std::string_view text = ahead(window);
    std::size_t i = 0;
    const auto stop = [&](Step step) {
        at_ += i;
        return step;
    };
    while (i < text.size()) {
        const char c = text[i];
        if (is_blank(c)) {
            const Scan end = c == '\n' ? line_end(text.substr(i + 1), finished) : Scan::kNo;
            if (end != Scan::kNo) {
                return stop(end);
            }
            ++i;
            continue;
        }
        const bool needs_more = c == '/' || c == '<' || static_cast<unsigned char>(c) >= 0x80;
        if (needs_more && !finished && text.size() - i < kAhead) {
            return stop(Scan::kMore);
        }
        if (c == '<' && text.substr(i).starts_with("</")) {
            return stop(Scan::kDone);  // a closing tag
        }
        if ((c == '/' || c == '<') && begin_comment(text.substr(i))) {
            i += c == '/' ? 2 : 4;
            return stop({});
        }
        if (const std::size_t blank = blank_at(text, i); blank > 0) {
            i += blank;
            continue;
        }
        const Glyph glyph = glyph_at(text, i);
        if (first_ && depth_ > 0 && !may_begin(glyph, window, at_ + i)) {
            return stop(Scan::kNo);
        }
        if (glyph.ascii == '{' || glyph.ascii == '[') {
            open(glyph.ascii);
        } else if (glyph.ascii == '}' || glyph.ascii == ']') {
            close();
            if (complete_) {
                i += glyph.size;
                return stop(Scan::kDone);
            }
            name_begin_ = 0;
        } else if (glyph.ascii == ',') {
            token_ = true;
            key_ = in_object();
            name_begin_ = 0;
        } else if (glyph.ascii == ':') {
            colon(window, at_ + i);
        } else if (token_ && is_quote(glyph.ascii)) {
            string_.open(glyph);
            i += glyph.size;
            is_name_string_ = key_;
            name_begin_ = key_ ? at_ + i + 1 : 0;
            state_ = State::kString;
            return stop({});
        } else {
            if (token_ && key_) {
                name_begin_ = at_ + i + 1;
            }
            token_ = false;
        }
        i += glyph.size;
    }
    return stop(Scan::kMore);
}

JsonScan::Step JsonScan::string(const Window& window, bool finished) {
    const auto line_ends = [finished](std::string_view rest, std::size_t&) {
        return find_fence(rest, finished);
    };
    const auto closes = [&](std::string_view text, std::size_t next) {
        const std::string_view rest = text.substr(next);
        const Scan fence = string_.has_newline() ? find_fence(rest, finished) : Scan::kNo;
        if (fence != Scan::kNo) {
            followed_by_colon_ = false;
            return fence;
        }
        followed_by_colon_ = !rest.empty() && glyph_at(rest, 0).ascii == ':';
        return closes_string(text, next, string_.has_newline()) ? Scan::kDone : Scan::kNo;
    };
    switch (string_.advance(window, ahead(window), at_, finished, line_ends, closes)) {
        case Scan::kMore:
            if (is_name_string_ && !string_.is_behind_quote() &&
                at_ + 1 - name_begin_ > base::kKeyBytesMax) {
                is_name_string_ = false;
                name_begin_ = 0;
            }
            return Scan::kMore;
        case Scan::kNo:
            return Scan::kDone;  // the fence behind it ends the value
        case Scan::kDone:
            return end_string(window);
    }
    return Scan::kMore;
}

JsonScan::Step JsonScan::end_string(const Window& window) {
    const std::string_view name =
        is_name_string_ ? window.view(name_begin_ - 1, string_.quote_at()) : std::string_view();
    if (is_name_string_ && followed_by_colon_) {
        end_name(name);
    } else if (is_name_string_ && first_) {
        // {"op" "assign": a command without its colon, which is refused when it is parsed.
        const std::size_t quote = name.find('"');
        if (quote == name.npos || !contains(kCommandNames, name.substr(0, quote)) ||
            !name.substr(quote + 1).starts_with(" \"")) {
            return Scan::kNo;
        }
        end_name(name.substr(0, quote));
    }
    name_begin_ = 0;
    token_ = false;
    state_ = State::kGap;
    return {};
}

JsonScan::Step JsonScan::line_comment(const Window& window) {
    const std::string_view text = ahead(window);
    const std::size_t end = text.find('\n');
    at_ += std::min(end, text.size());
    if (end == std::string_view::npos) {
        return Scan::kMore;
    }
    state_ = State::kGap;
    return {};
}

JsonScan::Step JsonScan::block_comment(const Window& window) {
    const std::string_view text = ahead(window);
    const std::size_t end = text.find(comment_end_);
    if (end == std::string_view::npos) {
        at_ += text.size() - std::min(text.size(), comment_end_.size() - 1);
        return Scan::kMore;
    }
    at_ += end + comment_end_.size();
    state_ = State::kGap;
    return {};
}

}  // namespace arbiter::reader::internal
