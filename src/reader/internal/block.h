// Source and Output: the text of a complete block, and the proposals read from it. Shared by the
// readers of all dialects.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proposal/operations.h"
#include "proposal/proposal.h"
#include "reader/literal.h"
#include "reader/position.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

// The result of reading one block.
struct Output {
    std::vector<proposal::Proposal> proposals;
    std::vector<proposal::Notice> notices;
    std::string text;  // narrative inside the block (the envelope's "text")
    bool has_text = false;
    std::string thinking;  // <analysis> among the commands
};

// The text of a block, borrowed. `text[0]` is at `offset` of the reply.
struct Source {
    std::string_view text;
    std::size_t offset = 0;
    bool closed = true;  // false: the reply ended before the block did
    Dialects dialects;
    std::uint32_t batch = 0;
    // The text of the reply from a place whose position is known up to `text`.
    std::string_view before = {};
    Position before_begin = {};

    [[nodiscard]] bool reads(proposal::Dialect dialect) const noexcept {
        return dialects.has(dialect);
    }
    [[nodiscard]] Source part(std::size_t begin, std::size_t end) const {
        Source inner = *this;
        inner.text = text.substr(begin, end - begin);
        inner.offset = offset + begin;
        inner.before_begin = position_of(begin);
        inner.before = {};
        inner.counted = {};
        return inner;
    }
    // The position of `text[at]` in the reply. Rising offsets cost one pass over the text.
    [[nodiscard]] Position position_of(std::size_t at) const {
        if (!counted || counted->at > at) {
            counted = {0, reader::advance(before_begin, before)};
        }
        const std::string_view between = text.substr(counted->at, at - counted->at);
        counted = {at, reader::advance(counted->position, between)};
        return counted->position;
    }
    struct Counted {
        std::size_t at = 0;
        Position position;
    };
    mutable std::optional<Counted> counted = {};  // the last result of position_of()
};

struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// A proposal of a range of the source, without an instruction yet.
proposal::Proposal begin_proposal(const Source& source, proposal::Dialect dialect,
                                  std::string_view verb, Range range);
// Checks the shape of the proposal and appends it.
void finish_proposal(Output& output, proposal::Proposal&& proposal);
// Appends a proposal that cannot be parsed.
void refuse(Output& output, const Source& source, proposal::Dialect dialect, Range range,
            proposal::Code code, std::vector<std::string> details);
// Appends a proposal that cannot be parsed because of the text at offset `at`. `cause` is one of
// proposal/code.cpp.
void refuse_unreadable(Output& output, const Source& source, proposal::Dialect dialect, Range range,
                       std::size_t at, std::string_view cause);
void refuse_literal(Output& output, const Source& source, proposal::Dialect dialect, Range range,
                    const LiteralError& error);
void note(Output& output, const Source& source, proposal::Notice::Kind kind, std::string_view about,
          Range range);
// Marks the proposal as repaired and appends a notice that lists the repairs.
void mark_repairs(Output& output, const Source& source, proposal::Proposal& proposal,
                  Repairs repairs, Range range);

// The kind of a value in words, for messages: "an object".
std::string_view kind_words(const value::Value& value);

}  // namespace arbiter::reader::internal
