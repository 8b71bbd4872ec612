// Proposal: something that a reply asks for, with its place in the text and all that is already
// known to be wrong with it; and Notice: what else a reader has to say about a reply.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "proposal/code.h"
#include "proposal/instruction.h"
#include "value/array.h"

namespace arbiter::proposal {

// Where in the reply, in bytes.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;
    friend bool operator==(const Span&, const Span&) = default;
};

// What was recognised as a command but cannot be understood as one.
struct Unreadable {
    friend bool operator==(const Unreadable&, const Unreadable&) = default;
};

struct Proposal {
    Dialect dialect = Dialect::kTavern;
    std::string verb;  // the operation as it was written: "update", "_.set", "SUB"
    std::variant<Instruction, ToolCall, Unreadable> what = Unreadable{};
    std::vector<Problem> problems;  // not empty: refused, for the first of them
    Warnings warnings;
    Span span;                 // of the command itself, or of its block
    std::string raw;           // the text at `span`, cut at base::kRawBytesMax
    std::uint32_t batch = 0;   // commands of one block have one number
    bool transaction = false;  // the batch is all or nothing

    [[nodiscard]] const Instruction* instruction() const noexcept {
        return std::get_if<Instruction>(&what);
    }
    [[nodiscard]] const ToolCall* tool_call() const noexcept {
        return std::get_if<ToolCall>(&what);
    }
    void refuse(Code code, std::vector<std::string> details = {}) {
        problems.push_back({code, std::move(details)});
    }
    friend bool operator==(const Proposal&, const Proposal&) = default;
};

// A block that the host renders: a tag that a protocol declared as a component.
struct Component {
    std::string tag;
    std::string content;    // what stood between the tags
    value::Array children;  // [{"tag","content"}, …]: the elements directly inside
    Span span;
    friend bool operator==(const Component&, const Component&) = default;
};

struct Notice {
    enum class What : std::uint8_t {
        kUseProtocol,  // `about` = the protocol's id
        kEndProtocol,  // `about` = the protocol's id; empty: all of them
        kInspect,      // `about` = the key
        kRepaired,     // `about` = what was repaired
        kUnclosed,     // `about` = what was not closed
        kIgnored,      // `about` = why: hybrid, not_a_command, quoted, thinking, outside_tag
        kStrayTag,     // `about` = a closing tag that closes nothing
        kCut,          // `about` = the limit that was reached
        kBadUtf8       // broken bytes were replaced
    };
    What what;
    std::string about;
    Span span;
    friend bool operator==(const Notice&, const Notice&) = default;
};
std::string_view name(Notice::What what) noexcept;

}  // namespace arbiter::proposal
