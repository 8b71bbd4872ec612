// Error: why an expected failure happened, with its place and the words to explain it.
//
// An Error is plain data and language free: a code, where in the text it was, and the names and
// characters it is about. base/messages.h turns it into English or Chinese.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arbiter::base {

// Stable: the machine name of each (messages.cpp) is part of the interface and never changes.
enum class ErrorCode : std::uint8_t {
    // JSON text.
    kJsonExpectedValue,      // {0} = what stood there
    kJsonExpectedKey,        // {0} = what stood there
    kJsonExpectedColon,      // {0} = what stood there
    kJsonExpectedSeparator,  // {0} = what stood there, {1} = the closing bracket
    kJsonTrailingComma,      // {0} = the closing bracket
    kJsonUnclosed,           // {0} = the opening bracket or quote
    kJsonAfterEnd,           // {0} = what stood there
    kJsonBadLiteral,         // {0} = the word
    kJsonBadNumber,          // {0} = the text of the number
    kJsonNumberRange,        // {0} = the text of the number
    kJsonBadEscape,          // {0} = the escape
    kJsonControlCharacter,   // {0} = the character as U+00XX
    kJsonBadUtf8,            //
    kJsonEmpty,              //
    kTextTooLong,            // {0} = its bytes, {1} = the limit
    kTooDeep,                // {0} = the limit
    kKeyTooLong,             // {0} = the limit
    // Paths.
    kPathEmptySegment,  //
    kPathUnclosed,      // {0} = the opening bracket or quote
    kPathBadBracket,    // {0} = what stood there
    kPathBadEscape,     // {0} = the escape
    kPathAfterBracket,  // {0} = what stood there
    kPathIndexRange,    // {0} = the text of the index
    kPathNotSlash,      // {0} = what stood there
    kPathNotArray,      //
    kPathBadSegment,    // {0} = index of the segment
    kPathTooLong,       // {0} = the limit in segments
    kPathBadUtf8,       //
    // Patterns and formulas.
    kPatternBelow,      // {0} = the pattern
    kFormulaExpected,   // {0} = what stood there, {1} = what belongs there
    kFormulaFunction,   // {0} = the name, {1} = the one that was probably meant
    kFormulaArguments,  // {0} = the function, {1} = how many it takes, {2} = how many came
    kFormulaVariable,   // {0} = the variable, {1} = those that there are
    kRuleCycle,         // {0} = the places that depend on each other
    kTooManyRules,      // {0} = the limit
    // Editing a document.
    kNotFound,      // {0} = the path
    kNotContainer,  // {0} = the path, {1} = what it is
    kIndexRange,    // {0} = the path, {1} = the length of the array
    kBadPosition,   // {0} = the position, {1} = the number of members
    kKeyExists,     // {0} = the path
    kRootErase,     //
    kDiffMismatch,  // {0} = the path
    kDiffFormat,    // {0} = index of the change
    // Patterns (regular expressions).
    kRegexSyntax,       // {0} = what stood there
    kRegexUnsupported,  // {0} = what is not supported
    kRegexTooLarge,     // {0} = the limit
    // Writing proposals in a dialect.
    kWriteRefused,      // {0} = the code for which it is refused
    kWriteUnsupported,  // {0} = the dialect, {1} = the operation
    kWriteToolCall,     // {0} = the dialect
    kWriteLost,         // {0} = the dialect, {1} = the field
    kWriteMissing,      // {0} = the dialect, {1} = the operation, {2} = the field
    kWritePrefix,       // {0} = the dialect, {1} = what a path begins with, {2} = the path
    kWritePath,         // {0} = the dialect, {1} = the path
    kWriteValue,        // {0} = the dialect, {1} = the operation, {2} = the value
    // YAML text.
    kYamlSyntax,        // {0} = the library's words
    kYamlUnclosed,      // {0} = the quote
    kYamlBadCharacter,  // {0} = the character as U+00XX
    kYamlBadUtf8,       //
    kYamlDuplicateKey,  // {0} = the key, {1} = the line where it stood first
    kYamlBadKey,        //
    kYamlMergeKey,      //
    kYamlTag,           // {0} = the tag
    kYamlNumber,        // {0} = the text of the number
    kYamlDocuments,     //
    kYamlTooMany,       // {0} = the limit
    kYamlAliasInside,   //
    // What people configure.
    kUnknownKey,     // {0} = the key, {1} = what there is
    kMisspelledKey,  // {0} = the key, {1} = what was probably meant
    kBadField,       // {0} = the key, {1} = what it takes, {2} = what stood there
    kMissingKey,     // {0} = the key
    // Calendars as data.
    kCalendarTwice,   // {0} = what is there twice
    kCalendarNoSuch,  // {0} = the name of a calendar
    // Dates.
    kDateNotRead,    // {0} = the text
    kDateNoAnswer,   // {0} = the first text, {1} = the second
    kDateBeyondEnd,  // {0} = the text, {1} = the days
    // Transcripts.
    kTurnNone,       //
    kTurnStray,      // {0} = what stood there
    kTurnSetting,    // {0} = its name, {1} = the settings that there are
    kTurnSection,    // {0} = its heading, {1} = the headings that there are
    kTurnOrder,      // {0} = the heading
    kTurnNoReply,    // {0} = the title of the turn
    kTurnNotString,  // {0} = the heading
    // What people configure.
    kUnknownProfile,   // {0} = the name, {1} = those that there are
    kUnknownRulebook,  // {0} = the name, {1} = those that there are
    kProfileExtends,   // {0} = the name, {1} = the limit
    // Lore and prompts.
    kLoreNone,         //
    kLoreTooMany,      // {0} = what, {1} = the limit
    kLoreUnsupported,  // {0} = the member
    kLoreKeyLong,      // {0} = the limit in bytes
    // Protocols.
    kProtocolId,         // {0} = what was written
    kProtocolVersion,    // {0} = what was written
    kProtocolReference,  // {0} = what was written
    kProtocolTag,        // {0} = what was written
    kProtocolThinking,   // {0} = the tag
    kProtocolNames,      // {0} = a key, {1} = another that says the same
    kProtocolSelf,       // {0} = the key, {1} = the id
    kProtocolRepeated,   // {0} = what is there twice
    kProtocolEmpty,      // {0} = the key
    kProtocolTeach,      // {0} = what was written, {1} = the dialects
    kProtocolChange,     // {0} = what was written
    kProtocolExample,    // {0} = the number of the example, {1} = the code, {2} = the command
    kProtocolDuplicate,  // {0} = the protocol, {1} = the file that has it too
    kProtocolUnknown,    // {0} = the reference, {1} = what was probably meant, or all
    kProtocolNeeds,      // {0} = the protocol, {1} = the reference that is not there
    kProtocolCycle,      // {0} = the protocols that need each other
    kProtocolWithout,    // {0} = the protocol, {1} = the one that it needs
    kProtocolConflict,   // {0} = the one that goes, {1} = the one that stays
    kProtocolReplaced,   // {0} = the one that goes, {1} = the one that stays
    kProtocolOneMode,    // {0} = those that go, {1} = the one that stays
    kProtocolOverrides,  // {0} = those that are active together
    kProtocolSilenced,   // {0} = those that go, {1} = the one that silences them
    kProtocolTagTaken,   // {0} = the tag, {1} = whose hint holds, {2} = whose does not
    kProtocolPins,       // {0} = who asks, {1} = for what, {2} = what is used
    kProtocolOutside,    // {0} = the file
    kProtocolFiles,      // {0} = the folder, {1} = the limit
    kProtocolNone,       // {0} = the folder
    // Stores and what is kept in them.
    kRecordField,      // {0} = the field
    kStoreUrl,         // {0} = the text
    kStoreFailed,      // {0} = what was done, {1} = the store's words
    kStoreFull,        // {0} = what was done
    kStoreReadOnly,    // {0} = why
    kStoreRefuses,     // {0} = the store's words
    kStoreVersion,     // {0} = the version found, {1} = the one that is known
    kStoreOld,         // {0} = the version found, {1} = the one that is needed
    kCampaignUnknown,  // {0} = the id
    kCampaignExists,   // {0} = the id
    kTurnUnknown,      // {0} = what was asked for
    kTurnAmbiguous,    // {0} = what was asked for
    kHeadMoved,        // {0} = the campaign
    kNothingToUndo,    // {0} = the campaign
    kCorrupt,          // {0} = what, {1} = how it is seen
    // Character cards.
    kPngHeader,        //
    kPngTruncated,     // {0} = the chunk
    kPngDamaged,       // {0} = the chunk
    kPngChunkTooLong,  // {0} = the chunk, {1} = its bytes, {2} = the limit
    kPngTextBroken,    // {0} = the chunk
    kPngBomb,          // {0} = the chunk, {1} = the limit in bytes, {2} = the limit as a ratio
    kPngNoCard,        //
    kCardNotBase64,    // {0} = the chunk
    kCardForm,         // {0} = the kind of file
    kCardNone,         //
    kCardLorebook,     //
    kInitvarSyntax,    // {0} = what stood there
    kInitvarShape,     // {0} = what it is
    kGreetingUnknown,  // {0} = its number, {1} = the last one
    // Models.
    kModelRefused,      // {0} = the model's words
    kModelKey,          // {0} = the model's words
    kModelRateLimited,  // {0} = the model's words
    kModelOverloaded,   // {0} = the model's words
    kModelTimeout,      // {0} = what was waited for
    kModelUnreachable,  // {0} = the reason
    kModelCutOff,       // {0} = the reason
    kModelTooLong,      // {0} = the model's words
    kModelBadAnswer,    // {0} = what is wrong with it
    kModelCancelled,    //
    kScriptSilent,      // {0} = the number of the request, {1} = its last words
    // The table.
    kCampaignBusy,       // {0} = the campaign
    kRollbackOff,        // {0} = the setting
    kToolIncomplete,     // {0} = the tool, {1} = what it lacks
    kToolTwice,          // {0} = the tool
    kSettingIncomplete,  // {0} = the key, {1} = what is wrong with its definition
    kSettingTwice,       // {0} = the key
    kSettingsExclude,    // {0} = one key, {1} = the other
    kDialogIncomplete,   // {0} = the type, {1} = what is wrong with it
    kGoalFixed,          //
    kNotInParty,         // {0} = the character, {1} = the party
    kMapBroken,          // {0} = the area or path, {1} = what is wrong with it
    kNoCampaign,         //
    kAuthorityRow,       // {0} = the path, {1} = what is wrong with the row
    // Files and commands.
    kFileUnreadable,    // {0} = the file, {1} = the system's reason
    kFileUnwritable,    // {0} = the file, {1} = the system's reason
    kUnknownCommand,    // {0} = the word
    kUnknownOption,     // {0} = the option
    kMissingArgument,   // {0} = its name
    kMissingValue,      // {0} = the option
    kBadOptionValue,    // {0} = the option, {1} = the value, {2} = what is allowed
    kNoOptionValue,     // {0} = the option, {1} = the value
    kTwiceStdin,        //
    kTooManyArguments,  // {0} = the first one too many
    kCount              // not an error: how many there are
};

// Where in a text. Line and column count from 1, the column in characters (code points).
struct Place {
    std::size_t offset = 0;
    std::size_t line = 1;
    std::size_t column = 1;
    friend bool operator==(const Place&, const Place&) = default;
};

struct [[nodiscard]] Error {
    ErrorCode code;
    std::vector<std::string> arguments;
    std::optional<Place> place;

    explicit Error(ErrorCode error_code, std::vector<std::string> words = {},
                   std::optional<Place> where = std::nullopt)
        : code(error_code), arguments(std::move(words)), place(where) {}

    friend bool operator==(const Error&, const Error&) = default;
};

template <typename T = void>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::vector<std::string> arguments = {},
                                   std::optional<Place> place = std::nullopt) {
    return std::unexpected<Error>(std::in_place, code, std::move(arguments), place);
}

}  // namespace arbiter::base
