// JsonScan: finds where a JSON value in a stream ends, and whether it may be a command.
//
// It follows brackets and strings by the rules of reader/literal.h, byte for byte as they come,
// and looks at the names of the outermost members. It does not build anything: the value is parsed
// once, when its end is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reader/internal/string_scan.h"
#include "reader/internal/window.h"

namespace arbiter::reader::internal {

class JsonScan {
  public:
    // `at` is the place of the opening { or [. `lenient`: a list may begin with something else than
    // an object.
    JsonScan(std::size_t at, bool lenient) noexcept : begin_(at), at_(at), lenient_(lenient) {}

    // kDone: the value ends at end(), or is cut there (see is_complete()). kNo: not a literal at
    // all, or longer than it may be; the bytes up to end() were seen.
    Scan advance(const Window& window, bool finished);

    // Goes on with a value that is too long, to find its end.
    void lift_limit() noexcept { limited_ = false; }

    [[nodiscard]] std::size_t end() const noexcept { return at_; }
    [[nodiscard]] bool is_complete() const noexcept { return complete_; }
    // A member was seen that only commands have (op, action, tavern_commands …).
    [[nodiscard]] bool is_command() const noexcept { return !command_name_.empty(); }
    [[nodiscard]] std::string_view command_name() const noexcept { return command_name_; }
    // Bytes before this are not needed any more.
    [[nodiscard]] std::size_t needs() const noexcept;
    // Its first member is one that commands have too (text, path, value …).
    [[nodiscard]] bool is_hopeful() const noexcept { return hopeful_; }

  private:
    enum class State : std::uint8_t { kGap, kString, kAfterQuote, kLineComment, kBlockComment };
    enum class Step : std::uint8_t { kMore, kGoOn, kEnd, kNo };

    Step gap(const Window& window, bool finished);
    Step string(const Window& window, bool finished);
    Step after_quote(const Window& window, bool finished);
    Step line_comment(const Window& window);
    Step block_comment(const Window& window);
    Step open(char bracket);
    Step close();
    void colon(const Window& window, std::size_t at);
    void name_ended(std::string_view name);

    [[nodiscard]] bool in_object() const noexcept {
        return depth_ > 0 && depth_ <= 64 && ((objects_ >> (depth_ - 1)) & 1) != 0;
    }

    // The end of the text that may be looked at: a fixed number of bytes from the beginning, so
    // that the answer does not depend on how the text came in pieces.
    [[nodiscard]] std::size_t allowed() const noexcept;
    [[nodiscard]] std::size_t limit(const Window& window) const noexcept;
    [[nodiscard]] std::string_view ahead(const Window& window) const noexcept;

    std::size_t begin_;
    std::size_t at_;
    std::size_t string_begin_ = 0;
    std::size_t depth_ = 0;
    std::uint64_t objects_ = 0;  // bit d: level d + 1 is an object
    std::string_view comment_end_;
    std::string_view command_name_;  // the member that only commands have
    State state_ = State::kGap;
    StringScan string_;
    bool token_ = true;  // a string may begin here
    bool key_ = false;   // the next or open token is a member's name
    bool first_ = true;  // no name was seen yet
    bool is_key_string_ = false;
    bool complete_ = false;
    bool limited_ = true;
    bool lenient_ = false;
    bool hopeful_ = false;
    bool array_ = false;  // the outermost is a list: names count on the second level
};

}  // namespace arbiter::reader::internal
