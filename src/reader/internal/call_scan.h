// CallScan: finds the end of a call such as _.set('a.b', 5) or memory('p', 'k', 'v') in a stream.
//
// Strings may hold anything, also unescaped quotes; brackets nest. A call whose bracket is never
// closed ends where the next command or block begins, or before a blank line that prose follows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "proposal/instruction.h"
#include "reader/internal/scan.h"
#include "reader/internal/string_scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class CallScan {
  public:
    // Bytes that all calls of a text may look ahead for the end of a string with commands in it,
    // which keeps reading linear.
    static constexpr std::size_t kLookahead = std::size_t{256} << 10;

    // `at` is the offset behind the opening bracket. `lookahead` is kLookahead at first, shared by
    // the calls of a text, and outlives the scan.
    CallScan(std::size_t at, std::size_t& lookahead) noexcept
        : limit_(at + base::kCallBytesMax), at_(at), argument_begin_(at), lookahead_(&lookahead) {}

    // kDone: the call ends at end(); is_closed() if by its own bracket.
    Scan advance(const Window& window, bool finished);

    // Behind the closing bracket, or where the call is cut off.
    [[nodiscard]] std::size_t end() const noexcept { return at_; }
    [[nodiscard]] bool is_closed() const noexcept { return closed_; }
    // The call is cut off inside a string.
    [[nodiscard]] bool is_in_string() const noexcept {
        return !closed_ && state_ == State::kString;
    }
    // The offset of its opening quote then, else 0.
    [[nodiscard]] std::size_t open_quote() const noexcept {
        return is_in_string() ? string_begin_ : 0;
    }
    [[nodiscard]] bool is_too_long() const noexcept { return !closed_ && at_ >= limit_; }
    [[nodiscard]] bool has_wide_marks() const noexcept { return wide_marks_; }

    struct Argument {
        std::size_t begin;
        std::size_t end;
    };
    // The arguments, split at the outermost commas; empty for f().
    [[nodiscard]] const std::vector<Argument>& arguments() const noexcept { return arguments_; }

  private:
    // Empty: continue in the new state.
    using Step = std::optional<Scan>;

    // Between strings and comments.
    Step code(const Window& window, bool finished);
    // Follows a bracket, comma or colon at offset `at`. False: it is another character.
    bool take_mark(const Glyph& glyph, std::size_t at);
    // At a line break of the code: kDone if the call ends here.
    Scan line_end(std::string_view rest, bool finished) const noexcept;
    // At a semicolon of the code: kDone if the closing bracket was forgotten.
    Scan forgotten_bracket(std::string_view rest, bool finished) const noexcept;
    Step comment(const Window& window);
    Step string(const Window& window, bool finished);
    Scan find_string_end(std::string_view rest, bool finished, std::size_t& skip);
    [[nodiscard]] bool closes_string_in(std::string_view line) const;
    Scan ends_before_prose(std::string_view rest, bool finished);
    void cut_off(const Window& window);
    void end_argument(std::size_t end);

    // Up to a fixed offset, so that the result does not depend on how the text was cut into pieces.
    [[nodiscard]] std::string_view ahead(const Window& window) const noexcept;

    std::size_t limit_;
    std::size_t at_;
    std::size_t argument_begin_;
    std::size_t* lookahead_;
    std::size_t depth_ = 1;
    std::vector<Argument> arguments_;
    enum class State : std::uint8_t { kCode, kComment, kString } state_ = State::kCode;
    StringScan string_;
    std::size_t string_begin_ = 0;  // of the last string
    bool token_ = true;             // a string may begin here
    bool closed_ = false;
    bool wide_marks_ = false;
};

// Whether a line begins with a command: `_.name(`, a memory call, a tag or a fence, behind blanks.
Scan find_command(std::string_view line, bool finished) noexcept;

// The name of a call, which ends where `before` ends (the bracket follows): `_.set`, `*.memory`.
struct CallHead {
    proposal::Dialect dialect;
    std::size_t begin;      // in `before`, with the prefix
    std::string_view name;  // without it
};
std::optional<CallHead> call_head(std::string_view before) noexcept;
// The number of bytes at the end of a text that may become the name of a call.
std::size_t call_beginning(std::string_view text) noexcept;

// The text behind a call that belongs to it: its semicolon, and a comment with the reason.
struct CallTail {
    std::size_t end = 0;  // one past the text that belongs to the call
    bool semicolon = false;
    bool alone = false;  // the line ends behind it, or the next command begins
    std::string_view reason;
    bool below = false;  // the reason is on a later line
};
// `text` begins behind the closing bracket. Empty while more text is needed. `blanks` is 0 on the
// first call and kept by the caller: blanks that need not be examined again.
std::optional<CallTail> call_tail(std::string_view text, bool finished, std::size_t& blanks);

}  // namespace arbiter::reader::internal
