// Why a piece of a prompt is in it, or is not: data, in no language; explain() has the words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"

namespace arbiter::prompt {

// The machine name of each (reason.cpp) is part of the interface.
enum class Reason : std::uint8_t {
    // In.
    kGiven,           // {0} = what gave it says
    kAlways,          // whatever is of this kind always is
    kStateOf,         // {0} = the place of the document
    kStatePart,       // {0} = the place, {1} = bytes that are shown, {2} = bytes that there are
    kPin,             // never left out
    kFacts,           //
    kSummary,         // {0} = entries shown, {1} = entries that there are
    kSummaryRequest,  // {0} = the flag that is up
    kPowerLevel,      // {0} = the place, {1} = what stands there
    kHistory,         // {0} = of how many messages
    kNewest,          // the newest message
    kLoreKey,         // {0} = the key, {1} = how many messages ago (0 = the newest)
    kLoreConstant,    //
    kLoreRecursion,   // {0} = the key, {1} = the entry in whose text it stands
    kLoreText,        // {0} = the key, {1} = the text of the card in which it stands
    // In, but not as it was.
    kTrimmed,    // {0} = tokens that it had, {1} = tokens that it may have
    kMovedLate,  // a changing piece before the history would spoil the prefix that can be kept
    // Out.
    kEmpty,          //
    kRepeated,       // {0} = the id that is there already
    kNotInPlan,      // {0} = the plan, {1} = the kind
    kOverTotal,      // {0} = tokens that there is room for, {1} = its rank among what goes
    kOverKind,       // {0} = the kind, {1} = tokens that it may have
    kOverBlock,      // {0} = tokens that it may have
    kHiddenLatest,   // {0} = entries that are held back
    kPlaceMissing,   // {0} = the place of the document
    kLoreSilent,     // none of its keys
    kLoreSecond,     // {0} = the key that was found; the other keys say no
    kLoreDisabled,   //
    kLoreCondition,  // {0} = the condition that does not hold
    kLoreChance,     // {0} = its chance, in per cent
    kLoreGroup,      // {0} = the group, {1} = the entry that stands for it
    kLoreDelay,      // {0} = messages that there must be, {1} = messages that there are
    kLoreTrigger,    // {0} = the kind of generation
    kLoreOutlet,     // {0} = the outlet that it waits in
    kLoreWork,       // the patterns of the books would take too long
    // Neither: what is to be known about the whole.
    kUnknownType,   // {0} = the dialog type, {1} = the one that is used
    kBothContexts,  // full and compressed were both asked for
    kOverBudget,    // {0} = tokens, {1} = tokens that there is room for
    kMacroLimit,    // {0} = the block in which a limit of macros was reached
    kCount          // not a reason: how many there are
};

struct Why {
    Reason reason = Reason::kAlways;
    std::vector<std::string> words = {};
    friend bool operator==(const Why&, const Why&) = default;
};

struct ReasonRow {
    Reason reason;
    std::string_view name;  // the machine word, "lore_key"
    std::string_view english;
    std::string_view chinese;
};
// One for each, in the order of the enum.
std::span<const ReasonRow> reasons() noexcept;

std::string_view name(Reason reason) noexcept;
// One clause without a full stop.
std::string explain(const Why& why, base::Language language);

}  // namespace arbiter::prompt
