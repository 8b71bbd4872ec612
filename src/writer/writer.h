// Writer: prints proposals as text of a dialect, to translate, convert and teach commands.
//
// The reader reads the text back as the same instruction; an instruction that a form cannot express
// completely is an error that names the field. An operation that a form lacks is written as another
// one where that means the same. "The same" ignores the defaults of a dialect (mount,
// creates, coerces, described, merge: proposal::instruction_of). docs/dialects.md lists the
// operations and fields of each form, and where forms differ in more than words. A command that
// stays in its dialect keeps its word (patch, _.unset, DEL).
//
// No value or reason can end a block early: a tag or fence in a string is escaped. Pure functions,
// safe from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "proposal/proposal.h"

namespace arbiter::writer {

enum class Form : std::uint8_t {
    kTavern,
    kJson,
    kMvu,
    kPatch,
    kMemory,
    kFilament2,
    kFilament3,
    kDirect,
    kInternal,
    kTools,
    kCount  // not a form: the number of forms
};
std::string_view name(Form form) noexcept;  // "tavern", …; "filament" for Filament 2
std::optional<Form> find_form(std::string_view name) noexcept;

// One command without a block around it: `_.set('a.b', 1, 2);` or `{"op":"assign",…}`.
// A refused or unreadable proposal is an error.
base::Result<std::string> write_one(const proposal::Proposal& proposal, Form form);

// A block with all proposals in order, as the reader finds it in a reply; for kDirect one line for
// each. Empty for no proposals.
base::Result<std::string> write(std::span<const proposal::Proposal> proposals, Form form);

}  // namespace arbiter::writer
