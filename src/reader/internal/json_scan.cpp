#include "reader/internal/json_scan.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/limits.h"
#include "reader/internal/glyph.h"
#include "reader/internal/special.h"

namespace arbiter::reader::internal {
namespace {

// Members that only a command has.
constexpr auto kCommandNames = std::to_array<std::string_view>(
    {"op", "action", "tavern_commands", "tavern_inspect", "tool_calls", "set_state"});
// Members that a command may begin with, but other data too.
constexpr auto kHopefulNames = std::to_array<std::string_view>({"text",
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

// Enough bytes behind a place to know the character and the two after it.
constexpr std::size_t kAhead = 4;

// A bare name that opens an object in prose is short, or it is prose.
constexpr std::size_t kBareNameMax = 64;

// A line that begins with a fence ends every literal. `rest` begins behind a line break.
bool is_fence_ahead(std::string_view rest, bool finished, bool& more) {
    std::size_t at = 0;
    while (at < rest.size() && at < 8 && (rest[at] == ' ' || rest[at] == '\t')) {
        ++at;
    }
    rest.remove_prefix(at);
    if (rest.starts_with("```") || rest.starts_with("~~~")) {
        return true;
    }
    more = !finished && rest.size() < 3 &&
           (std::string_view("```").starts_with(rest) || std::string_view("~~~").starts_with(rest));
    return false;
}

// What a bad entry at the beginning of a list may be made of.
bool is_scalar(char c) {
    return is_quote(c) || is_digit(c) || is_letter(c) || c == '-' || c == '.' || c == ',';
}

bool is_name_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '-' ||
           static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void JsonScan::name_ended(std::string_view name) {
    if (depth_ != (array_ ? 2U : 1U)) {
        // Commands grouped by action, or keyed by index.
        if (command_name_.empty() && !array_ && hopeful_ && depth_ <= 3 && name == "action") {
            command_name_ = "action";
        }
        return;
    }
    if (const auto found = std::ranges::find(kCommandNames, name);
        command_name_.empty() && found != kCommandNames.end()) {
        command_name_ = *found;
    }
    if (first_) {
        hopeful_ = contains(kHopefulNames, name);
        first_ = false;
    }
}

std::size_t JsonScan::needs() const noexcept {
    if (string_begin_ > 0) {
        return string_begin_ - 1;
    }
    return state_ == State::kAfterQuote ? string_.quote_at() : at_;
}

Scan JsonScan::advance(const Window& window, bool finished) {
    while (true) {
        Step step = Step::kMore;
        switch (state_) {
            case State::kGap:
                step = gap(window, finished);
                break;
            case State::kString:
                step = string(window, finished);
                break;
            case State::kAfterQuote:
                step = after_quote(window, finished);
                break;
            case State::kLineComment:
                step = line_comment(window);
                break;
            case State::kBlockComment:
                step = block_comment(window);
                break;
        }
        switch (step) {
            case Step::kGoOn:
                break;
            case Step::kNo:
                return Scan::kNo;
            case Step::kEnd:
                return Scan::kDone;
            case Step::kMore:
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
}

std::size_t JsonScan::allowed() const noexcept {
    return !limited_                  ? std::numeric_limits<std::size_t>::max()
           : is_command() || hopeful_ ? base::kBlockBytesMax
                                      : base::kUndecidedBytesMax;
}
std::size_t JsonScan::limit(const Window& window) const noexcept {
    const std::size_t seen = window.end() - begin_;
    return begin_ + std::min(seen, allowed());
}
std::string_view JsonScan::ahead(const Window& window) const noexcept {
    return window.view(at_, std::max(at_, limit(window)));
}

JsonScan::Step JsonScan::open(char bracket) {
    array_ = array_ || (depth_ == 0 && bracket == '[');
    if (depth_ < 64) {
        const std::uint64_t bit = std::uint64_t{1} << depth_;
        objects_ = bracket == '{' ? objects_ | bit : objects_ & ~bit;
    }
    ++depth_;
    token_ = true;
    key_ = bracket == '{';
    return Step::kGoOn;
}

JsonScan::Step JsonScan::close() {
    --depth_;
    token_ = false;
    key_ = false;
    complete_ = depth_ == 0;
    return complete_ ? Step::kEnd : Step::kGoOn;
}

void JsonScan::colon(const Window& window, std::size_t at) {
    if (key_ && string_begin_ > 0) {
        std::string_view name = window.view(string_begin_ - 1, at);
        while (!name.empty() && is_blank(name.back())) {
            name.remove_suffix(1);
        }
        name_ended(name);
    }
    string_begin_ = 0;
    token_ = true;
    key_ = false;
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
            bool more = false;
            if (c == '\n' && is_fence_ahead(text.substr(i + 1), finished, more)) {
                return stop(Step::kEnd);
            }
            if (more) {
                return stop(Step::kMore);
            }
            ++i;
            continue;
        }
        const bool needs_more = c == '/' || c == '<' || static_cast<unsigned char>(c) >= 0x80;
        if (needs_more && !finished && text.size() - i < kAhead) {
            return stop(Step::kMore);
        }
        if (c == '/' || c == '<') {
            const std::string_view rest = text.substr(i);
            if (token_ && rest.starts_with("//")) {
                state_ = State::kLineComment;
                i += 2;
                return stop(Step::kGoOn);
            }
            if ((token_ && rest.starts_with("/*")) || rest.starts_with("<!--")) {
                comment_end_ = c == '/' ? "*/" : "-->";
                state_ = State::kBlockComment;
                i += c == '/' ? 2 : 4;
                return stop(Step::kGoOn);
            }
        }
        const Glyph glyph = glyph_at(text, i);
        if (first_ && depth_ > 0) {
            // The first thing in an object is a name with its colon; in a list it is an object.
            const bool bare = string_begin_ > 0;
            const bool fits =
                array_ && depth_ == 1 ? glyph.ascii == '{' || (lenient_ && is_scalar(glyph.ascii))
                : bare ? glyph.ascii == ':' || (is_name_byte(c) && !is_blank(window[at_ + i - 1]) &&
                                                at_ + i - string_begin_ < kBareNameMax)
                       : is_quote(glyph.ascii) || (is_name_byte(c) && c != '-');
            if (!fits) {
                return stop(Step::kNo);
            }
        }
        if (glyph.ascii == '{' || glyph.ascii == '[') {
            open(glyph.ascii);
        } else if (glyph.ascii == '}' || glyph.ascii == ']') {
            if (close() == Step::kEnd) {
                i += glyph.size;
                return stop(Step::kEnd);
            }
            string_begin_ = 0;
        } else if (glyph.ascii == ',') {
            token_ = true;
            key_ = in_object();
            string_begin_ = 0;
        } else if (glyph.ascii == ':') {
            colon(window, at_ + i);
        } else if (token_ && is_quote(glyph.ascii)) {
            string_.open(glyph);
            i += glyph.size;
            is_key_string_ = key_;
            string_begin_ = key_ ? at_ + i + 1 : 0;  // + 1: 0 stands for none
            state_ = State::kString;
            return stop(Step::kGoOn);
        } else {
            if (token_ && key_) {
                string_begin_ = at_ + i + 1;
            }
            token_ = false;
        }
        i += glyph.size;
    }
    return stop(Step::kMore);
}

JsonScan::Step JsonScan::string(const Window& window, bool finished) {
    const auto ends = [finished](std::string_view rest, bool& more) {
        return is_fence_ahead(rest, finished, more);
    };
    switch (string_.follow(ahead(window), at_, ends)) {
        case StringScan::Found::kMore:
            if (is_key_string_ && at_ + 1 - string_begin_ > base::kKeyBytesMax) {
                is_key_string_ = false;
                string_begin_ = 0;
            }
            return Step::kMore;
        case StringScan::Found::kQuote:
            state_ = State::kAfterQuote;
            return Step::kGoOn;
        case StringScan::Found::kLine:
            return Step::kEnd;
    }
    return Step::kMore;
}

JsonScan::Step JsonScan::after_quote(const Window& window, bool finished) {
    const std::string_view text = ahead(window);
    const auto next = string_.next(text, at_, finished);
    if (!next) {
        return Step::kMore;
    }
    const std::string_view rest = text.substr(*next);
    bool more = false;
    const bool fence = string_.newline() && is_fence_ahead(rest, finished, more);
    if (more) {
        at_ += *next;
        return Step::kMore;
    }
    if (!fence && !closes_string(text, *next, string_.newline())) {
        // A quote inside the string; go on behind it.
        state_ = State::kString;
        at_ = string_.behind_quote(window);
        return Step::kGoOn;
    }
    if (is_key_string_) {
        const bool is_colon = !rest.empty() && glyph_at(rest, 0).ascii == ':';
        if (is_colon) {
            name_ended(window.view(string_begin_ - 1, string_.quote_at()));
        } else if (first_) {
            at_ += *next;
            return Step::kNo;
        }
    }
    string_begin_ = 0;
    token_ = false;
    state_ = State::kGap;
    at_ = string_.behind_quote(window);  // the blanks again: a fence may begin a line there
    return Step::kGoOn;
}

JsonScan::Step JsonScan::line_comment(const Window& window) {
    const std::string_view text = ahead(window);
    const std::size_t end = text.find('\n');
    at_ += std::min(end, text.size());
    if (end == std::string_view::npos) {
        return Step::kMore;
    }
    state_ = State::kGap;
    return Step::kGoOn;
}

JsonScan::Step JsonScan::block_comment(const Window& window) {
    const std::string_view text = ahead(window);
    const std::size_t end = text.find(comment_end_);
    if (end == std::string_view::npos) {
        at_ += text.size() - std::min(text.size(), comment_end_.size() - 1);
        return Step::kMore;
    }
    at_ += end + comment_end_.size();
    state_ = State::kGap;
    return Step::kGoOn;
}

}  // namespace arbiter::reader::internal
