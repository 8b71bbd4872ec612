// The table of operations: name, fields and documentation of each, from which checks and the text
// that teaches a model are made. A new operation is a row here and a function in the engine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "proposal/instruction.h"

namespace arbiter::proposal {

enum class Need : std::uint8_t { kNone, kOptional, kRequired };

struct Operation {
    Op op;
    std::string_view name;  // the canonical word
    Need value;
    std::string_view english;  // one line: what it does
    std::string_view chinese;
};
// One row for each Op, in the order of the enum.
std::span<const Operation> operations() noexcept;
const Operation& operation(Op op) noexcept;
std::string_view name(Op op) noexcept;

// The words of a dialect for operations, with what they stand for. Opcodes and calls are looked up
// without regard to case where the dialect is written that way.
struct Verb {
    Dialect dialect;
    std::string_view word;
    Op op;
    Arithmetic arithmetic = Arithmetic::kAdd;
    bool taught = true;  // false for aliases, which are read but not taught
};
std::span<const Verb> verbs() noexcept;
// A word of a dialect, or nullptr; JSON and tavern words are exact, the others fold case.
const Verb* find_verb(Dialect dialect, std::string_view word) noexcept;
// "set, add, …": the words of a dialect, for error messages.
std::string list_verbs(Dialect dialect);

// Options of tavern_commands 2.0, in the order in which they are documented.
struct OptionRow {
    enum class Type : std::uint8_t {
        kText,
        kFlag,
        kAny,
        kCount,     // a whole number from 0 up
        kPositive,  // a number above 0
        kNumber,
        kObject,
        kTexts,  // an array of strings
        kTextOrTexts,
        kInstant,  // an ISO 8601 text
        kMergeStrategy,
        kPosition,
        kOnConflict,
        kVersionScope
    };
    std::string_view name;
    Type type;
    std::string_view english;
    std::string_view chinese;
};
std::span<const OptionRow> options() noexcept;
const OptionRow* find_option(std::string_view name) noexcept;
// What an option takes, for error messages: "true or false".
std::string_view expected(OptionRow::Type type) noexcept;
// The value is what the option takes. An instant is read as RFC 3339 with a zone.
bool fits(OptionRow::Type type, const value::Value& value) noexcept;

}  // namespace arbiter::proposal
