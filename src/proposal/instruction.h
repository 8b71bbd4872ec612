// Instruction: a requested change of the document, in one form for all dialects. Plain data,
// independent of any state.
//
// The defaults of a dialect are explicit fields (`creates`, `coerces`, `described` …), so that the
// engine need not know the dialect.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "value/object.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::proposal {

// The rows of proposal/operations.h, in their order.
enum class Op : std::uint8_t {
    kSet,
    kMerge,
    kEnsure,
    kAdd,
    kIncrement,
    kInsert,
    kPush,
    kPull,
    kPop,
    kSplice,
    kDelete,
    kMove,
    kCopy,
    kGet,
    kCallback,
    kTest,
    kRestore,  // for the player and the system; no dialect has a word for it
    kCount     // not an operation: the number of operations
};

enum class Dialect : std::uint8_t {
    kTavern,    // tavern_commands: {action, key, value, options}
    kJson,      // JSON instructions: {op, path: [...], value, old}
    kMvu,       // _.set('a.b', old, new);
    kPatch,     // JSON Patch (RFC 6902) and MVU's <JSONPatch>
    kMemory,    // set_attribute, set_status, memory, delete
    kFilament,  // <variable_update> [SET, path, value] and the other Filament tags
    kTool,      // tool calls
    kCount      // not a dialect: the number of dialects
};
std::string_view name(Dialect dialect) noexcept;
std::optional<Dialect> find_dialect(std::string_view name) noexcept;

// The container that a path is relative to.
enum class Mount : std::uint8_t {
    kRoot,       // the document
    kMvu,        // stat_data where the document has that key, else the document
    kCharacter,  // play_character_data
    kStatus,     // stat_data
    kAssets      // assa_data
};
std::string_view name(Mount mount) noexcept;  // the key, or "" for kRoot and kMvu

enum class Arithmetic : std::uint8_t { kAdd, kSubtract, kMultiply, kDivide };
enum class MergeKind : std::uint8_t { kByOptions, kShallow, kDeep };

// Which two-element arrays [value, "description"] are transparent for scalar operations.
enum class Described : std::uint8_t {
    kNumbers,  // where the first element is not a string
    kModules,  // inside the memory modules also pairs of strings
    kMvu       // every pair whose second element is a string
};

struct Instruction {
    Op op = Op::kSet;
    Arithmetic arithmetic = Arithmetic::kAdd;  // increment
    MergeKind merge = MergeKind::kByOptions;   // merge
    Mount mount = Mount::kRoot;
    bool creates = true;       // a missing path is created, not an error
    bool coerces = false;      // a numeric text set over a number becomes a number
    bool overwrites = false;   // insert, move, copy: an existing member is replaced; a list inserts
                               // (as RFC 6902 "add")
    bool forgiving = false;    // delete, pull: a missing target is not an error (1.0)
    bool all = false;          // delete: the members, not the container
    bool in_save = false;      // the path must be below the root of the save
    bool nulls = false;        // delete: leaves null if the policy says so
    bool dotted = false;       // the path was one text, which may be a key with dots in it
    bool digits_name = false;  // insert: a key of digits is a list element, not an index
    Described described = Described::kNumbers;
    value::Path path;  // move and copy: the target
    value::Path from;  // move and copy: the source
    std::optional<value::Value> value;
    std::optional<value::Value> old;  // the value that the proposal assumes
    std::optional<value::Value> key;  // insert: key or index; delete: key, index or value;
                                      // restore: the id of the deletion
    value::Object options;            // guards and modifiers, as written
    value::Object metadata;
    value::Str reason;

    friend bool operator==(const Instruction&, const Instruction&) = default;
};

// A request to run a tool; executed by the table only.
struct ToolCall {
    value::Str id;
    value::Str tool;
    value::Value args;
    value::Str reason;
    friend bool operator==(const ToolCall&, const ToolCall&) = default;
};

// An instruction with the defaults of a dialect for an operation.
Instruction instruction_of(Dialect dialect, Op op) noexcept;

}  // namespace arbiter::proposal
