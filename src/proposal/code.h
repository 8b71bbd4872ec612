// Code: why a proposal was refused. Warning: a remark about a proposal that was not. Both have a
// stable machine-readable name and a text in each language.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "base/text.h"

namespace arbiter::proposal {

enum class Status : std::uint8_t {
    kApplied,    // done, even if it changed nothing
    kSkipped,    // a guard did not hold; not an error
    kDuplicate,  // same key and idempotency key as before; not an error
    kRejected,   // refused before execution: malformed, or policy
    kFailed,     // cannot be executed on the current state
    kRolledBack  // undone because its transaction failed
};
std::string_view name(Status status) noexcept;

// Codes that follow from the proposal alone or from policy reject it; codes that depend on the
// current state fail it.
enum class Code : std::uint8_t {
    kParseError,           // {0} = the text, {1} = line, {2} = column, {3} = cause: see code.cpp
    kBadEntry,             // {0} = its kind
    kMissingAction,        //
    kUnknownAction,        // {0} = the word, {1} = the words of the dialect
    kBadPrefix,            // {0} = the key, {1} = the prefix
    kBadPath,              // {0} = the path as written
    kTooDeep,              // {0} = the limit
    kMissingValue,         // {0} = the operation
    kBadValue,             // {0} = the operation, {1} = what it needs
    kBadOptions,           // {0} = the option, {1} = what it needs
    kContradictoryGuards,  //
    kSecurityRisk,         // {0} = the segment
    kDerived,              // {0} = the path
    kProtected,            // {0} = the path
    kHiddenNode,           // {0} = the path
    kNotAllowed,           // {0} = the path
    kTooLarge,             // {0} = what, {1} = the limit
    kNotFound,             // {0} = the path
    kTypeMismatch,         // {0} = the path, {1} = what it is, {2} = what is needed
    kVersionConflict,      // {0} = the path, {1} = expected, {2} = present
    kExpectFailed,         // {0} = the path, {1} = expected, {2} = actual
    kUniqueViolation,      // {0} = the path, {1} = the key
    kNotEmpty,             // {0} = the path
    kBadIndex,             // {0} = the path, {1} = the length
    kDivideByZero,         // {0} = the path
    kOldMismatch,          // {0} = the path, {1} = stated, {2} = present
    kTargetExists,         // {0} = the path
    kTestFailed,           // {0} = the path, {1} = expected, {2} = actual
    kSchemaLocked,         // {0} = the path
    kConstraint,           // {0} = the path, {1} = the limit
    kGuardNotMet,          // {0} = the guard
    kDialogType,           // {0} = the dialog type, which changes nothing
    kCount                 // not a code: the number of codes
};

enum class Warning : std::uint8_t {
    kRepaired,
    kUnclosed,
    kUnknownOption,
    kNumberCoerced,
    kSegmentCoerced,
    kOldMismatch,
    kActionMismatch,
    kDeduped,
    kIdempotencyMismatch,
    kVersionStripped,
    kBothExpiries,
    kClamped,
    kProtected,
    kTimeBackwards,
    kHardDeleted,
    kFilterIgnored,
    kTimelineMissing,
    kExampleName,
    kDowngraded,
    kTypeChanged,
    kOverwritten,
    kDateUnreadable,
    kOutputUnreadable,
    kMalformedList,
    kCount  // not a warning: the number of warnings
};

struct CodeRow {
    Code code;
    std::string_view name;  // "parse_error"
    Status status;
    std::string_view english;  // with {0} … for the details
    std::string_view chinese;
};
struct WarningRow {
    Warning warning;
    std::string_view name;
    std::string_view english;
    std::string_view chinese;
    base::TextView remark = {};  // with {0} … for the details of a Remark; empty: none has any
};

// One row for each, in the order of the enum.
std::span<const CodeRow> codes() noexcept;
std::span<const WarningRow> warnings() noexcept;
std::string_view name(Code code) noexcept;
std::string_view name(Warning warning) noexcept;
Status status_of(Code code) noexcept;

// A reason why a proposal is refused.
struct Problem {
    Code code;
    std::vector<std::string> details;
    friend bool operator==(const Problem&, const Problem&) = default;
};
std::string explain(const Problem& problem, base::Language language);

// The particulars of a warning: which option, what was asked for, which limit.
struct Remark {
    Warning warning;
    std::vector<std::string> details;
    friend bool operator==(const Remark&, const Remark&) = default;
};
std::string explain(const Remark& remark, base::Language language);

// A set of warnings, in the order of the enum.
class Warnings {
  public:
    void add(Warning warning) noexcept { bits_ |= bit(warning); }
    void add(Warnings others) noexcept { bits_ |= others.bits_; }
    [[nodiscard]] bool has(Warning warning) const noexcept { return (bits_ & bit(warning)) != 0; }
    [[nodiscard]] bool empty() const noexcept { return bits_ == 0; }
    [[nodiscard]] std::vector<Warning> list() const;
    friend bool operator==(const Warnings&, const Warnings&) = default;

  private:
    static std::uint32_t bit(Warning warning) noexcept {
        return std::uint32_t{1} << static_cast<unsigned>(warning);
    }
    std::uint32_t bits_ = 0;
};
static_assert(static_cast<unsigned>(Warning::kCount) <= 32);

}  // namespace arbiter::proposal
