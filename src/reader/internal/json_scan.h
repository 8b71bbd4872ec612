// JsonScan: finds the end of a JSON value in a stream, and whether the value may be a command.
//
// Follows brackets and strings by the rules of reader/literal.h and looks at the names of the
// outermost members. It builds nothing: the value is parsed once its end is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reader/internal/scan.h"
#include "reader/internal/string_scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class JsonScan {
  public:
    // `at` is the offset of the opening { or [. `lenient`: a list may begin with a scalar.
    JsonScan(std::size_t at, bool lenient) noexcept : begin_(at), at_(at), lenient_(lenient) {}

    // kDone: the value ends at end(), or is cut there (see is_complete()). kNo: it is not a
    // literal, or longer than the limit; the bytes up to end() were examined.
    Scan advance(const Window& window, bool finished);

    // Lets advance() continue with a value that is too long, to find its end.
    void lift_limit() noexcept { limited_ = false; }

    [[nodiscard]] std::size_t end() const noexcept { return at_; }
    [[nodiscard]] bool is_complete() const noexcept { return complete_; }
    // A member was seen that only commands have (op, action, tavern_commands …).
    [[nodiscard]] bool is_command() const noexcept { return !command_name_.empty(); }
    [[nodiscard]] std::string_view command_name() const noexcept { return command_name_; }
    // Text before this offset is not needed any more.
    [[nodiscard]] std::size_t needs() const noexcept;

  private:
    enum class State : std::uint8_t { kGap, kString, kLineComment, kBlockComment };
    // Empty: continue in the new state.
    using Step = std::optional<Scan>;

    // Between strings and comments.
    Step gap(const Window& window, bool finished);
    // At a / or <: enters a comment that begins there. False: none does.
    bool begin_comment(std::string_view rest) noexcept;
    // Whether `glyph` may be the first thing in an object (a name with its colon) or in a list (an
    // object).
    [[nodiscard]] bool may_begin(const Glyph& glyph, const Window& window, std::size_t at) const;
    Step string(const Window& window, bool finished);
    Step end_string(const Window& window);
    Step line_comment(const Window& window);
    Step block_comment(const Window& window);
    void open(char bracket);
    void close();
    void colon(const Window& window, std::size_t at);
    void end_name(std::string_view name);

    [[nodiscard]] bool in_object() const noexcept {
        return depth_ > 0 && depth_ <= 64 && ((objects_ >> (depth_ - 1)) & 1) != 0;
    }

    // How many bytes of the value may be examined. A fixed number, so that the result does not
    // depend on how the text was cut into pieces.
    [[nodiscard]] std::size_t allowed() const noexcept;
    // The end of the text that may be examined.
    [[nodiscard]] std::size_t limit(const Window& window) const noexcept;
    [[nodiscard]] std::string_view ahead(const Window& window) const noexcept;

    std::size_t begin_;
    std::size_t at_;
    std::size_t name_begin_ = 0;  // of a member's name, + 1; 0 for none
    std::size_t depth_ = 0;
    std::uint64_t objects_ = 0;  // bit d: level d + 1 is an object
    std::string_view comment_end_;
    std::string_view command_name_;  // a member that only commands have
    State state_ = State::kGap;
    StringScan string_;
    bool token_ = true;  // a string may begin here
    bool key_ = false;   // the next or open token is a member's name
    bool first_ = true;  // no name was seen yet
    bool is_name_string_ = false;
    bool followed_by_colon_ = false;  // the string that just ended is
    bool complete_ = false;
    bool limited_ = true;
    bool lenient_ = false;
    bool may_be_command_ = false;  // the first member is one that commands have too
    bool array_ = false;           // the outermost is a list: names count on the second level
};

}  // namespace arbiter::reader::internal
