// The tables of operations, words and options: the source of checks, messages and teaching texts. A
// new operation is a row here and a function in the engine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/messages.h"
#include "proposal/instruction.h"

namespace arbiter::proposal {

enum class Need : std::uint8_t { kNone, kOptional, kRequired };

struct Operation {
    Op op;
    std::string_view name;  // the canonical word
    Need value;
    std::string_view english;  // one line of documentation
    std::string_view chinese;
};
// One row for each Op, in the order of the enum.
std::span<const Operation> operations() noexcept;
const Operation& operation(Op op) noexcept;
std::string_view name(Op op) noexcept;

// A word of a dialect for an operation.
struct Verb {
    Dialect dialect;
    std::string_view word;
    Op op;
    Arithmetic arithmetic = Arithmetic::kAdd;
    bool taught = true;  // false for aliases, which are read but not taught
};
std::span<const Verb> verbs() noexcept;
// Null for an unknown word. Case-sensitive for tavern, JSON, patch and memory, case-insensitive for
// the others.
const Verb* find_verb(Dialect dialect, std::string_view word) noexcept;
// "set, add, …": the words of a dialect, for error messages.
std::string list_verbs(Dialect dialect);

// Options of tavern_commands 2.0, in the order in which they are documented.
struct OptionRow {
    enum class Type : std::uint8_t {
        kText,
        kFlag,
        kAny,
        kCount,     // an integer of at least 0
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
    std::string_view form;               // a value that it accepts, as JSON
    bool taught = true;                  // false: what it refers to is not shown to models
    std::string_view english_form = {};  // where the words differ from `form`

    [[nodiscard]] std::string_view form_in(base::Language language) const noexcept;
};
std::span<const OptionRow> options() noexcept;
const OptionRow* find_option(std::string_view name) noexcept;
// The values that an option accepts, for error messages: "true or false".
std::string_view expected(OptionRow::Type type) noexcept;
// Whether the option accepts the value. An instant is RFC 3339 with a zone.
bool fits(OptionRow::Type type, const value::Value& value) noexcept;

}  // namespace arbiter::proposal
