// Reasons for blocks being in a prompt or not: language-neutral data; explain() gives the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"

namespace arbiter::prompt {

// The names (reason.cpp) are part of the interface.
enum class Reason : std::uint8_t {
    // Included.
    kGiven,           // {0} = text of the source
    kAlways,          // blocks of this kind always are
    kLesson,          // {0} = the dialect that the profile teaches
    kStateOf,         // {0} = document path
    kStatePart,       // {0} = document path, {1} = bytes shown, {2} = bytes in total
    kPin,             // never left out
    kFacts,           //
    kSummary,         // {0} = entries shown, {1} = entries in total
    kSummaryRequest,  // {0} = the flag that is set
    kPowerLevel,      // {0} = document path, {1} = its value
    kHistory,         // an earlier message
    kNewest,          // the newest message
    kStart,           // before a greeting: a conversation begins with the user
    kLoreKey,         // {0} = the key, {1} = how many messages ago (0 = the newest)
    kLoreConstant,    //
    kLoreRecursion,   // {0} = the key, {1} = the entry that contains it
    kLoreText,        // {0} = the key, {1} = the card field that contains it
    kLoreSticky,      // {0} = messages for which it stays
    kClient,          // a message of the chat client
    // Included, but changed.
    kTrimmed,    // {0} = tokens before, {1} = tokens allowed
    kMovedLate,  // volatile text before the history would break the cacheable prefix
    // Left out.
    kEmpty,          //
    kRepeated,       // {0} = the id that already exists
    kNotInPlan,      // {0} = the plan, {1} = the kind
    kOverTotal,      // {0} = tokens available, {1} = its rank in the dropping order
    kOverKind,       // {0} = the kind, {1} = tokens allowed
    kOverBlock,      // {0} = tokens allowed
    kNoQuestion,     // a reply whose question was dropped
    kHiddenLatest,   // {0} = entries withheld
    kPlaceMissing,   // {0} = document path
    kNotInjected,    // {0} = the value of chat.inject
    kLoreSilent,     // none of its keys was found
    kLoreSecond,     // {0} = the key that was found; secondary keys exclude it
    kLoreDisabled,   //
    kLoreCondition,  // {0} = the condition, which is false
    kLoreChance,     // {0} = its probability in per cent
    kLoreGroup,      // {0} = the group, {1} = the entry chosen from it
    kLoreDelay,      // {0} = messages required, {1} = messages present
    kLoreCooldown,   // {0} = messages for which it rests
    kLoreTrigger,    // {0} = the kind of generation
    kLoreFilter,     // it is for other characters
    kLoreOutlet,     // {0} = its outlet
    kLoreWork,       // the regular expressions of the books exceed the work limit
    kLorePage,       // {0} = the mark of an entry for SillyTavern's page
    // Left out because of its template. {0} = the line; in the order of ejs::Fault.
    kTemplateSyntax,       // {1} = the text that was not expected
    kTemplateUnclosed,     // {1} = the opening
    kTemplateUnsupported,  // {1} = a name or construct
    kTemplateWrites,       // {1} = what would change the state
    kTemplateVaries,       // {1} = what differs from call to call
    kTemplateUnknownName,  // {1} = the name
    kTemplateNoMember,     // {1} = an expression without a value, {2} = the member
    kTemplateNotCallable,  // {1} = the expression
    kTemplateConstant,     // {1} = the constant
    kTemplateThrown,       // {1} = the text of the exception
    kTemplateSteps,        // {1} = the limit
    kTemplateBytes,        // {1} = the limit
    kTemplateDepth,        // {1} = the limit
    // Notices about the whole prompt.
    kBothContexts,  // full and compressed context were both requested
    kOverBudget,    // {0} = tokens, {1} = tokens available
    kMacroLimit,    // {0} = the block that reached a limit of macros
    kCount          // not a reason: their number
};

struct Why {
    Reason reason = Reason::kAlways;
    std::vector<std::string> words = {};
    friend bool operator==(const Why&, const Why&) = default;
};

std::string_view name(Reason reason) noexcept;
// One clause, without a full stop.
std::string explain(const Why& why, base::Language language);

}  // namespace arbiter::prompt
