// CallScan: finds where a call such as _.set('a.b', 5) or memory('p', 'k', 'v') in a stream ends.
//
// Strings may hold anything, also unescaped quotes; brackets nest. A call whose bracket never
// closes ends where the next command or block begins, so that it takes nothing else with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "proposal/instruction.h"
#include "reader/internal/string_scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class CallScan {
  public:
    // `at` is the place behind the opening bracket.
    explicit CallScan(std::size_t at) noexcept
        : limit_(at + base::kCallBytesMax), at_(at), argument_begin_(at) {}

    // kDone: the call ends at end(), is_closed() tells whether by its own bracket.
    Scan advance(const Window& window, bool finished);

    // One past the closing bracket, or where the call broke off.
    [[nodiscard]] std::size_t end() const noexcept { return at_; }
    [[nodiscard]] bool is_closed() const noexcept { return closed_; }
    // It broke off in the middle of a string.
    [[nodiscard]] bool is_in_string() const noexcept {
        return !closed_ && (state_ == State::kString || state_ == State::kAfterQuote);
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
    enum class Step : std::uint8_t { kMore, kGoOn, kEnd };
    Step code(const Window& window, bool finished);
    Step comment(const Window& window);
    Step string(const Window& window, bool finished);
    Step after_quote(const Window& window, bool finished);
    void end_argument(std::size_t end);

    // Up to a fixed place, so that the answer does not depend on how the text came in pieces.
    [[nodiscard]] std::string_view ahead(const Window& window) const noexcept;

    std::size_t limit_;
    std::size_t at_;
    std::size_t argument_begin_;
    std::size_t depth_ = 1;
    std::vector<Argument> arguments_;
    enum class State : std::uint8_t { kCode, kComment, kString, kAfterQuote } state_ = State::kCode;
    StringScan string_;
    bool token_ = true;  // a string may begin here
    bool closed_ = false;
    bool wide_marks_ = false;
};

// A command that begins at `at` (behind blanks at the beginning of a line): `_.name(`, a memory
// call, a closing tag or a fence. Sets `more` when the text is too short to tell.
bool is_command_line(std::string_view line, bool finished, bool& more) noexcept;

// The name of a call, which ends where `before` ends (the bracket follows): `_.set`, `*.memory`.
struct CallHead {
    proposal::Dialect dialect;
    std::size_t begin;      // in `before`, with the prefix
    std::string_view name;  // without it
};
std::optional<CallHead> call_head(std::string_view before) noexcept;
// How many bytes at the end of a text may still become the name of a call.
std::size_t call_beginning(std::string_view text) noexcept;

// What may follow a call: its semicolon and a comment with the reason.
struct CallTail {
    std::size_t end = 0;  // one past what belongs to the call
    bool semicolon = false;
    bool alone = false;  // nothing else stands behind it on the line
    std::string_view reason;
    bool below = false;  // the reason stands on a later line
};
// `text` begins behind the closing bracket. Nothing while more text is needed to tell; `seen` is
// how many blanks were already passed over, and kept by the caller.
std::optional<CallTail> call_tail(std::string_view text, bool finished, std::size_t& seen);

}  // namespace arbiter::reader::internal
