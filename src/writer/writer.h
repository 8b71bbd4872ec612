// Writer: proposals become text of a dialect again, to translate, to convert and to teach.
//
// What is written is read back as the same instruction, or it is an Error that names what the form
// has no place for; nothing is lost in silence. "The same" leaves aside what a dialect brings along
// by default (mount, creates, coerces, described, merge: proposal::instruction_of), so a command
// may be carried from one dialect into another wherever its op, path, from, value, old, key, all,
// arithmetic, options and metadata have a place there:
//
//   form       operations                                        beside path and value
//   tavern     set add update push pull delete ensure            options, reason
//   json       assign merge push pop splice delete get callback  old, metadata, reason
//   mvu        set add insert delete move get merge push         old (set, merge), key (insert,
//              callback                                          delete), reason
//   patch      replace add remove move copy test delta           key (add), reason
//   memory     set_attribute set_status: set, not creating       old, reason
//              memory: set, merge of an object, move; delete     all (delete), reason
//   filament   SET ADD SUB MUL DIV PUSH POP DELETE REM MERGE     arithmetic, key (INSERT, DELETE)
//              INSERT SPLICE
//   filament3  as patch                                          key (add), reason
//   direct     update get merge push pop splice callback         old, metadata, reason; never read
//   tools      tool calls, and nothing else                      id, args, reason
//
// A command that stays in its dialect keeps its word (patch, _.unset, DEL).
//
// Where forms differ in more than words:
//   - Paths. tavern, json, filament, filament3 and direct name the whole document: a mount's key
//     becomes the first segment (the mount of MVU has none). mvu and patch start at the mount of
//     MVU: a leading `stat_data` falls away. memory splits off one of its three modules. The path
//     of a callback is a name and stays as it is. Key paths and pointers say an index in digits,
//     which addresses the same place. A negative index is an error but in tavern and direct; so is
//     a pointer with a [ in it, which is read as a slip for a path with indexes.
//   - Merging. tavern says `mergeStrategy: deep` for an instruction that merges deeply. The other
//     way round, a `mergeStrategy` that is the form's own needs no words; any other is an error.
//   - Reasons. mvu and memory carry one as a comment, so it becomes one line without tags; filament
//     gathers them in <analysis>, from where they are not read back.
//   - Values. memory writes objects and lists as JSON in quotes, so it cannot say a text that
//     begins like JSON, nor {"k": {…}} for k; it sets what is no object and merges what is one. A
//     callback's single argument that is no list is a list of one in mvu. A splice without items
//     has none; a null beside an operation that takes no value is left out.
//   - Transactions. The flag of a batch stands beside `tavern_commands`; a patch is one transaction
//     if it has a test. Other forms have no place for it. write_one() leaves it to the block.
//
// No value or reason can end a block early: what could be a tag or a fence in a string is escaped.
// Pure functions, safe from any thread.
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
    kTools,
    kCount  // not a form: how many there are
};
std::string_view name(Form form) noexcept;  // "tavern", …; filament 2 is "filament"
std::optional<Form> find_form(std::string_view name) noexcept;

// One command without a block around it: `_.set('a.b', 1, 2);` or `{"op":"assign",…}`.
// A proposal that is refused or unreadable is an error.
base::Result<std::string> write_one(const proposal::Proposal& proposal, Form form);

// A block with all of them in order, as the reader takes it from a reply; for direct, a line each.
// Nothing for no proposals.
base::Result<std::string> write(std::span<const proposal::Proposal> proposals, Form form);

// {type, path, value, oldValue, reason} with JSON's words for the operation where it has one and
// the dotted path; what the instruction does not have is left out.
value::Value internal_form(const proposal::Instruction& instruction);

}  // namespace arbiter::writer
