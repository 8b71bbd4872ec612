// Complete calls: MVU's _.set('a.b', old, new) and its siblings; the memory system's
// set_attribute, set_status, memory and delete.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "reader/internal/block.h"
#include "reader/internal/call_scan.h"

namespace arbiter::reader::internal {

// `arguments` are offsets in the source, counted from `offset` before it. Borrows all text.
struct Call {
    proposal::Dialect dialect;  // kMvu or kMemory
    std::string_view name;      // without `_.`
    Range range;                // of the whole call
    std::span<const CallScan::Argument> arguments;
    std::size_t offset = 0;
    std::size_t open_quote = 0;  // counted as the arguments: a quote that is not closed; 0: none
    bool closed = true;          // it is complete, if only because the next command begins
    bool bracket = true;         // it has its closing bracket
    bool repaired = false;       // a mark was wide, or the semicolon missing
    std::string_view reason;
    bool reason_below = false;  // it is on a later line
};
void read_mvu_call(Output& output, const Source& source, const Call& call);
void read_memory_call(Output& output, const Source& source, const Call& call);

}  // namespace arbiter::reader::internal
