// Proposal: a command or tool call in a reply, with its position in the text and the problems found
// so far. Notice: a remark of the reader about the reply. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "proposal/code.h"
#include "proposal/instruction.h"
#include "value/array.h"

namespace arbiter::proposal {

// A range of the reply, in bytes.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

// A command that was recognised but cannot be parsed.
struct Unreadable {
    friend bool operator==(const Unreadable&, const Unreadable&) = default;
};

struct Proposal {
    Dialect dialect = Dialect::kTavern;
    std::string verb;  // the operation as it was written: "update", "_.set", "SUB"
    std::variant<Instruction, ToolCall, Unreadable> what = Unreadable{};
    std::vector<Problem> problems;  // not empty: refused, because of the first
    Warnings warnings;
    std::vector<Remark> remarks;  // the particulars of some warnings
    Span span;                    // of the command itself, or of its block
    std::string raw;              // the text at `span`, truncated to base::kRawBytesMax
    std::uint32_t batch = 0;      // the number of its block
    bool transaction = false;     // the batch is all or nothing

    [[nodiscard]] const Instruction* instruction() const noexcept {
        return std::get_if<Instruction>(&what);
    }
    [[nodiscard]] const ToolCall* tool_call() const noexcept {
        return std::get_if<ToolCall>(&what);
    }
    void refuse(Code code, std::vector<std::string> details = {}) {
        problems.push_back({code, std::move(details)});
    }
    void warn(Warning warning, std::vector<std::string> details) {
        warnings.add(warning);
        remarks.push_back({warning, std::move(details)});
    }
    friend bool operator==(const Proposal&, const Proposal&) = default;
};
// Whether two readings of a command ask for the same and have the same codes and warnings. Their
// sentences for people may differ, as they do between versions of the reader.
bool is_same_request(Proposal a, Proposal b);

// A block that the host renders: a tag that a protocol declared as a component.
struct Component {
    std::string tag;
    std::string content;    // the text between the tags
    value::Array children;  // [{"tag","content"}, …]: the elements directly inside
    Span span;
    bool hidden = false;  // for the host only, not to be displayed
    std::size_t at = 0;   // its place in the narrative, in bytes
    friend bool operator==(const Component&, const Component&) = default;
};

struct Notice {
    enum class Kind : std::uint8_t {
        kUseProtocol,  // `about` = the protocol's id
        kEndProtocol,  // `about` = the protocol's id; empty: all of them
        kInspect,      // `about` = the key
        kRepaired,     // `about` = the repairs
        kUnclosed,     // `about` = the tag, bracket or fence that is not closed
        kIgnored,      // `about` = the reason: not_a_command, quoted, mentioned, pipe_form
        kStrayTag,     // `about` = a closing tag that closes nothing
        kCut,          // `about` = the limit that was reached
        kBadUtf8       // broken bytes were replaced
    };
    Kind kind;
    std::string about;
    Span span;
    friend bool operator==(const Notice&, const Notice&) = default;
};
std::string_view name(Notice::Kind kind) noexcept;

}  // namespace arbiter::proposal
