// Error: an expected failure, with its position and the arguments of its message.
//
// An Error is language-independent plain data: a code, an optional position in a text, and message
// arguments. base/messages.h renders it in English or Chinese.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace arbiter::base {

// The machine names of the codes (messages.cpp) are part of the interface and never change.
enum class ErrorCode : std::uint16_t {
    // JSON text.
    kJsonExpectedValue,      // {0} = the found text
    kJsonExpectedKey,        // {0} = the found text
    kJsonExpectedColon,      // {0} = the found text
    kJsonExpectedSeparator,  // {0} = the found text, {1} = the closing bracket
    kJsonTrailingComma,      // {0} = the closing bracket
    kJsonUnclosed,           // {0} = the opening bracket or quote
    kJsonAfterEnd,           // {0} = the found text
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
    kPathBadBracket,    // {0} = the found text
    kPathBadEscape,     // {0} = the escape
    kPathAfterBracket,  // {0} = the found text
    kPathIndexRange,    // {0} = the text of the index
    kPathNotSlash,      // {0} = the found text
    kPathNotArray,      //
    kPathBadSegment,    // {0} = index of the segment
    kPathTooLong,       // {0} = the limit in segments
    kPathBadUtf8,       //
    // Patterns and formulas.
    kPatternBelow,     // {0} = the pattern
    kFormulaExpected,  // {0} = the found text, {1} = what belongs there
    kFormulaEnd,       // {0} = what belongs there
    kFormulaTernary,
    kFormulaFunction,   // {0} = the name, {1} = the nearest match
    kFormulaArguments,  // {0} = the function, {1} = the expected count, {2} = the actual count
    kFormulaVariable,   // {0} = the variable, {1} = the available ones
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
    kRegexSyntax,       // {0} = the found text
    kRegexUnsupported,  // {0} = what is not supported
    kRegexTooLarge,     // {0} = the limit
    // Writing proposals in a dialect.
    kWriteRefused,      // {0} = the code of the refusal
    kWriteUnsupported,  // {0} = the dialect, {1} = the operation
    kWriteToolCall,     // {0} = the dialect
    kWriteLost,         // {0} = the dialect, {1} = the field
    kWriteMissing,      // {0} = the dialect, {1} = the operation, {2} = the field
    kWritePrefix,       // {0} = the dialect, {1} = the required prefix, {2} = the path
    kWritePath,         // {0} = the dialect, {1} = the path
    kWriteValue,        // {0} = the dialect, {1} = the operation, {2} = the value
    // YAML text.
    kYamlSyntax,    //
    kYamlUnclosed,  // {0} = the quote
    kYamlTab,
    kYamlIndent,
    kYamlColon,
    kYamlNoOpener,  // {0} = the closing bracket
    kYamlEscape,
    kYamlAlias,
    kYamlToken,         // {0} = the character
    kYamlBadCharacter,  // {0} = the character as U+00XX
    kYamlBadUtf8,       //
    kYamlDuplicateKey,  // {0} = the key, {1} = the line of the first one
    kYamlBadKey,        //
    kYamlMergeKey,      //
    kYamlTag,           // {0} = the tag
    kYamlNumber,        // {0} = the text of the number
    kYamlDocuments,     //
    kYamlTooMany,       // {0} = the limit
    kYamlAliasInside,   //
    // Configuration files.
    kUnknownKey,     // {0} = the key, {1} = the available ones
    kMisspelledKey,  // {0} = the key, {1} = the nearest match
    kBadField,       // {0} = the key, {1} = the valid values, {2} = the actual value
    kMissingKey,     // {0} = the key
    kMoreFaults,     // {0} = how many are shown
    // Calendars as data.
    kCalendarTwice,   // {0} = the duplicate
    kCalendarNoSuch,  // {0} = the name of a calendar
    // Dates.
    kDateNotRead,    // {0} = the text
    kDateNoAnswer,   // {0} = the first text, {1} = the second
    kDateBeyondEnd,  // {0} = the text, {1} = the days
    // Transcripts.
    kTurnNone,       //
    kTurnStray,      // {0} = the found text
    kTurnSetting,    // {0} = its name, {1} = the available settings
    kTurnSection,    // {0} = its heading, {1} = the available headings
    kTurnOrder,      // {0} = the heading
    kTurnNoReply,    // {0} = the title of the turn
    kTurnNotString,  // {0} = the heading
    // Profiles and rulebooks.
    kUnknownProfile,   // {0} = the name, {1} = the available ones
    kUnknownRulebook,  // {0} = the name, {1} = the available ones
    kLimitWithoutBound,
    kBoundsCrossed,    // {0} = min, {1} = max
    kNumberInWords,    // {0} = the text
    kUnknownRoot,      // {0} = the word
    kNotComputed,      // {0} = the rulebook, {1} = the places
    kUnknownCalendar,  // {0} = the name, {1} = the nearest or the available ones
    kProfileExtends,   // {0} = the name, {1} = the limit
    // Lore and prompts.
    kLoreNone,         //
    kLoreTooMany,      // {0} = what, {1} = the limit
    kLoreUnsupported,  // {0} = the member
    kLoreKeyLong,      // {0} = the limit in bytes
    kLorePattern,      // {0} = the key
    // Protocols.
    kProtocolId,         // {0} = what was written
    kProtocolVersion,    // {0} = what was written
    kProtocolReference,  // {0} = what was written
    kProtocolTag,        // {0} = what was written
    kProtocolThinking,   // {0} = the tag
    kProtocolNames,      // {0} = a key, {1} = its synonym
    kProtocolSelf,       // {0} = the key, {1} = the id
    kProtocolRepeated,   // {0} = the duplicate
    kProtocolEmpty,      // {0} = the key
    kProtocolTeach,      // {0} = what was written, {1} = the dialects
    kProtocolChange,     // {0} = what was written
    kProtocolExample,    // {0} = the number of the example, {1} = the code, {2} = the command
    kProtocolDuplicate,  // {0} = the protocol, {1} = the other file with it
    kProtocolUnknown,    // {0} = the reference, {1} = the nearest match, or all
    kProtocolNeeds,      // {0} = the protocol, {1} = the missing reference
    kProtocolCycle,      // {0} = the protocols of the cycle
    kProtocolWithout,    // {0} = the protocol, {1} = the one that it needs
    kProtocolConflict,   // {0} = the dropped one, {1} = the kept one
    kProtocolReplaced,   // {0} = the dropped one, {1} = the kept one
    kProtocolOneMode,    // {0} = the dropped ones, {1} = the kept one
    kProtocolOverrides,  // {0} = the protocols active together
    kProtocolSilenced,   // {0} = the dropped ones, {1} = the one that silences them
    kProtocolTagTaken,   // {0} = the tag, {1} = the owner of the used hint, {2} = the other
    kProtocolPins,       // {0} = the dependent, {1} = its reference, {2} = the used version
    kProtocolOutside,    // {0} = the file
    kProtocolFiles,      // {0} = the folder, {1} = the limit
    kProtocolNone,       // {0} = the folder, {1} = the extensions
    kProtocolMany,       // {0} = the id, {1} = the limit
    kTurnProtocol,       // {0} = the file and line
    kProtocolMissing,    // {0} = the campaign, {1} = the protocol
    // Stores and records.
    kRecordField,      // {0} = the field
    kStoreUrl,         // {0} = the text
    kStoreFailed,      // {0} = the operation, {1} = the store's message
    kStoreFull,        //
    kStoreReadOnly,    // {0} = the reason
    kStoreRefuses,     // {0} = the store's message
    kStoreVersion,     // {0} = the version found, {1} = the supported one
    kStoreOld,         // {0} = the version found, {1} = the required one
    kStoreBusy,        //
    kStoreMissing,     // {0} = the store
    kStoreFolder,      // {0} = the folder, {1} = the file
    kStoreJunk,        // {0} = the file
    kStoreEmpty,       // {0} = the file
    kStoreForeign,     // {0} = the file
    kStoreNoAccess,    // {0} = the file
    kStoreInMemory,    // {0} = the text
    kStoreUrlOption,   // {0} = the option
    kStoreNoBackup,    // {0} = the store
    kLogDamaged,       // {0} = the log, {1} = its copy
    kLogDamagedHere,   // {0} = the log; it could not be copied
    kLogAlone,         // {0} = the log, {1} = the file
    kLogUnread,        // {0} = the log, {1} = the file
    kCampaignId,       // {0} = the id
    kCampaignName,     // {0} = the name
    kCheckpointLabel,  // {0} = the label, {1} = the limit in bytes
    kDeleteUnsure,     // {0} = the campaign, {1} = its turns
    kCampaignUnknown,  // {0} = the id
    kCampaignExists,   // {0} = the id
    kNoCampaigns,      // {0} = the store
    kWhichCampaign,    // {0} = the ids of the campaigns
    kNoNarrator,
    kTurnUnknown,     // {0} = the requested turn
    kTurnAmbiguous,   // {0} = the requested turn
    kHeadMoved,       // {0} = the campaign
    kHeadElsewhere,   // {0} = the campaign, {1} = the expected turn, {2} = the present one
    kTurnUncertain,   // {0} = the failure, as a sentence
    kKeyReused,       // {0} = the key, {1} = the turn that was stored under it
    kBadTurnKey,      // {0} = its bytes, {1} = the limit
    kNothingToUndo,   // {0} = the campaign
    kCorrupt,         // {0} = the damaged item, {1} = the evidence
    kReplyTooLong,    // {0} = its bytes, {1} = the limit
    kSaidTooLong,     // {0} = its bytes, {1} = the limit
    kRecordTooLarge,  // {0} = the limit in bytes
    kStateTooLarge,   // {0} = the limit in bytes
    kRecordTooDeep,   // {0} = the limit
    kNotUtf8,         // {0} = the text
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
    kInitvarSyntax,    // {0} = the found text
    kInitvarShape,     // {0} = what it is
    kGreetingUnknown,  // {0} = its number, {1} = the last one
    kGreetingTooLate,  // {0} = the present turn
    kCampaignNoCard,   // {0} = the campaign
    // Models.
    kModelRefused,      // {0} = the model's message
    kModelKey,          // {0} = the model's message
    kModelRateLimited,  // {0} = the model's message
    kModelOverloaded,   // {0} = the model's message
    kModelTimeout,      // {0} = the awaited event
    kModelUnreachable,  // {0} = the reason
    kModelCutOff,       // {0} = the reason
    kModelTooLong,      // {0} = the model's message
    kModelBadAnswer,    // {0} = what is wrong with it
    kModelCancelled,    //
    kScriptSilent,      // {0} = the number of the request, {1} = the end of the request
    // The table.
    kNotAcceptable,      //
    kCampaignBusy,       // {0} = the campaign
    kRollbackOff,        // {0} = the setting
    kToolIncomplete,     // {0} = the tool, {1} = the missing part
    kToolTwice,          // {0} = the tool
    kToolPath,           // {0} = the path, {1} = those that a tool may write
    kNameTaken,          // {0} = the name
    kUnknownTool,        // {0} = the name, {1} = the nearest one, or all
    kToolsNeedTable,     //
    kToolNoSource,       // {0} = the tool
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
    kFileOutside,       // {0} = the reference, {1} = the folder that it leads out of
    kFileMissing,       // {0} = the file
    kFileUnreadable,    // {0} = the file, {1} = the system's reason
    kFileUnwritable,    // {0} = the file, {1} = the system's reason
    kFileSpecial,       // {0} = the file
    kUnknownCommand,    // {0} = the word
    kUnknownOption,     // {0} = the option
    kMissingArgument,   // {0} = its name
    kMissingValue,      // {0} = the option
    kBadOptionValue,    // {0} = the option, {1} = the value, {2} = the valid values
    kNoOptionValue,     // {0} = the option, {1} = the value
    kTwiceStdin,        //
    kTooManyArguments,  // {0} = the first one too many
    // The network.
    kUrlMalformed,      // {0} = the text, {1} = what is wrong with it
    kAddressMalformed,  // {0} = the text
    kListenFailed,      // {0} = the address, {1} = the system's reason
    kHostUnknown,       // {0} = the name
    kConnectFailed,     // {0} = the address, {1} = the system's reason
    kTlsFailed,         // {0} = the host, {1} = the reason
    kNetTimeout,        // {0} = the awaited event
    kConnectionLost,    // {0} = the reason
    kHttpMalformed,     // {0} = what is wrong with it
    kHttpTooLarge,      // {0} = the part, {1} = the limit
    // Requests to the server.
    kRouteUnknown,       // {0} = the path
    kMethodNotAllowed,   // {0} = the method, {1} = the allowed ones
    kMediaTypeRefused,   // {0} = the type, {1} = the accepted ones
    kUnknownField,       // {0} = the field, {1} = the known ones
    kFieldMissing,       // {0} = the field
    kFieldType,          // {0} = the field, {1} = the expected type
    kBadParameter,       // {0} = the parameter, {1} = the value, {2} = the valid values
    kTokenMissing,       //
    kTokenRefused,       //
    kScopeMissing,       // {0} = the scope
    kHostRefused,        // {0} = the Host header
    kOriginRefused,      // {0} = the Origin header
    kRateLimited,        // {0} = the seconds to wait
    kOverloaded,         //
    kServerStopping,     //
    kNoModel,            //
    kStateChanged,       // {0} = the expected hash, {1} = the present one
    kListenNeedsTokens,  // {0} = the address
    kTokenNameTaken,     // {0} = the name
    kTokenNameUnknown,   // {0} = the name, {1} = the known ones
    kNothingWithheld,    // {0} = the campaign
    kCount               // the number of codes
};

// A position in a text. Line and column count from 1; columns count code points.
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
