// What the readers of the dialects share: the text of a block that is complete, and where its
// proposals go.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proposal/operations.h"
#include "proposal/proposal.h"
#include "reader/internal/call_scan.h"
#include "reader/literal.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

// What came out of one block.
struct Output {
    std::vector<proposal::Proposal> proposals;
    std::vector<proposal::Notice> notices;
    std::string text;  // narrative that the block carried (the envelope's "text")
    bool has_text = false;
    std::string thinking;  // <analysis> among its commands
};

// The text of a block. `text[0]` stands at `offset` of the reply.
struct Source {
    std::string_view text;
    std::size_t offset = 0;
    bool closed = true;  // the block has its own end; false: the reply ended first
    Dialects dialects;
    std::uint32_t batch = 0;

    [[nodiscard]] bool reads(proposal::Dialect dialect) const noexcept {
        return dialects.has(dialect);
    }
    [[nodiscard]] Source part(std::size_t begin, std::size_t end) const {
        Source inner = *this;
        inner.text = text.substr(begin, end - begin);
        inner.offset = offset + begin;
        return inner;
    }
};

struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// A proposal that stands at a range of the source, not yet filled.
proposal::Proposal begin_proposal(const Source& source, proposal::Dialect dialect,
                                  std::string_view verb, Range range);
// Checks its shape and hands it over.
void finish_proposal(Output& output, proposal::Proposal&& proposal);
// One that cannot be read.
void refuse(Output& output, const Source& source, proposal::Dialect dialect, Range range,
            proposal::Code code, std::vector<std::string> details);
void refuse_literal(Output& output, const Source& source, proposal::Dialect dialect, Range range,
                    const LiteralError& error);
void note(Output& output, const Source& source, proposal::Notice::What what, std::string_view about,
          Range range);
// Marks a proposal whose text was repaired, and says what was.
void mark_repairs(Output& output, const Source& source, proposal::Proposal& proposal,
                  Repairs repairs, Range range);

// A name as it stands in JSON: "an object", "a number" … for messages.
std::string_view kind_words(const value::Value& value);

// ---- the dialects

// Whether a JSON value is commands, and of which dialect that is read. Reads them if so.
bool read_json(Output& output, const Source& source, const Literal& literal, Range range);
bool is_json_read(const Source& source) noexcept;
// The dialect that a broken JSON text is written in, by a member that only commands have; nothing
// where that dialect is not read.
std::optional<proposal::Dialect> broken_dialect(const Source& source, std::string_view member);
// The narrative of an envelope that cannot be read as a whole.
bool find_text(std::string_view envelope, std::string& text);

void read_tavern(Output& output, const Source& source, const Literal& literal,
                 const value::Value& commands, Range range);
void read_instructions(Output& output, const Source& source, const Literal& literal, Range range);
// RFC 6902, for <JSONPatch> (dialect kPatch) or for Filament 3 (kFilament). `at` is the path of
// `operations` in the literal.
void read_patch(Output& output, const Source& source, const Literal& literal,
                const value::Value& operations, const value::Path& at, Range range,
                proposal::Dialect dialect);
void read_tools(Output& output, const Source& source, const Literal& literal,
                const value::Value& calls, Range range);

// One call. `name` without `_.`; `arguments` are ranges of the source, borrowed, and counted from
// `offset` before it.
struct Call {
    proposal::Dialect dialect;  // kMvu or kMemory
    std::string_view name;
    Range range;  // of the whole call
    std::span<const CallScan::Argument> arguments;
    std::size_t offset = 0;
    bool closed = true;     // it is complete, if only because the next command begins
    bool bracket = true;    // it has its closing bracket
    bool repaired = false;  // a mark was wide, or the semicolon missing
    std::string_view reason;
    bool reason_below = false;  // it stands on a later line
};
void read_mvu_call(Output& output, const Source& source, const Call& call);
void read_memory_call(Output& output, const Source& source, const Call& call);

// The content of a tag.
void read_filament_list(Output& output, const Source& source, std::size_t& at);
void read_variable_tag(Output& output, const Source& source, proposal::Op op);

}  // namespace arbiter::reader::internal
