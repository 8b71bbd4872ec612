// Every limit of the core, in one place, each with its reason.
//
// A limit is part of the behaviour: reaching it gives an Error (or a verdict) that names it, and a
// test is at limit - 1, limit and limit + 1.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arbiter::base {

// Levels of nesting in a document: a scalar has depth 0, [] has 1, [[]] has 2. Functions over
// documents recurse once a level, so this bounds the stack: 512 frames fit in 1 MiB everywhere,
// WebAssembly and sanitizers included, and no save that people wrote comes near it.
inline constexpr std::size_t kDepthMax = 512;

// Levels that code (not input) may nest a value to before it is put into a document, where
// kDepthMax holds. Beyond it is a bug, and a CHECK.
inline constexpr std::size_t kDepthBuildMax = 2 * kDepthMax;

// Bytes of one JSON text. Twice the largest state that a campaign may have (16 MiB), while reading
// one file takes at most about 1.3 GiB of memory: the worst text, [1],[1],…, takes 40 times its
// size while it is read.
inline constexpr std::size_t kJsonBytesMax = std::size_t{32} << 20;

// Bytes of a batch of cases or of a reply that the command reads at once.
inline constexpr std::size_t kBatchBytesMax = std::size_t{256} << 20;

// Weight (value/hash.h) of a campaign's document: the largest state that is allowed to grow.
inline constexpr std::uint64_t kDocumentWeightMax = std::uint64_t{16} << 20;

// Bytes of one string in a document; lengths are kept in 32 bits, and no text may be longer anyway.
inline constexpr std::size_t kStringBytesMax = kJsonBytesMax;

// Bytes of one object key or path segment.
inline constexpr std::size_t kKeyBytesMax = std::size_t{64} << 10;

// Segments of a path: no deeper than a document can be.
inline constexpr std::size_t kPathSegmentsMax = kDepthMax;

// Bytes of the text of a path, in any syntax.
inline constexpr std::size_t kPathBytesMax = std::size_t{1} << 20;

// Notices kept of one text; the rest are counted. A 64 MiB file of oddities must not become a
// gigabyte of remarks.
inline constexpr std::size_t kNoticesMax = 100;

// Levels that pretty printing indents: deeper ones stay there, or a few megabytes of brackets would
// become gigabytes of spaces.
inline constexpr std::size_t kIndentMax = 32;

// Bytes of one block of commands in a reply (a tag with its content, a fence, a JSON value, a
// call), which must be held until it is complete. Forty times the largest that a real reply has.
inline constexpr std::size_t kBlockBytesMax = std::size_t{4} << 20;

// Bytes of a JSON value in prose that are held back while nothing in it shows yet that it is a
// command; then it is narrative. Long enough for a reason or a value that is before "op".
inline constexpr std::size_t kUndecidedBytesMax = std::size_t{4} << 10;

// Bytes of text that is kept although it does not look like narrative (behind the commands of a
// fence, in thinking that opened in a sentence), to be shown after all if its end never comes.
inline constexpr std::size_t kKeptBytesMax = std::size_t{64} << 10;

// Bytes of an opening tag with its attributes.
inline constexpr std::size_t kTagBytesMax = std::size_t{1} << 10;

// Bytes of the text of one call such as _.set(…) or memory(…).
inline constexpr std::size_t kCallBytesMax = std::size_t{1} << 20;

// Proposals of one reply; those beyond it are counted in a notice. No scene needs a thousand.
inline constexpr std::size_t kProposalsMax = 10'000;

// Segments of a path that a proposal may write to: far beyond what a world has, and a guard against
// chains that only waste memory.
inline constexpr std::size_t kProposalPathMax = 64;

// Bytes of its own text that a proposal keeps, to be shown beside a verdict.
inline constexpr std::size_t kRawBytesMax = std::size_t{4} << 10;

// Levels of nesting of a literal in a reply; a value of a document may be deeper, a value that
// a model writes never is.
inline constexpr std::size_t kLiteralDepthMax = 128;

// Bytes of a piece of arithmetic. Longer than any that a person would write where a number belongs;
// an argument beyond it is prose, and must not be read twice.
inline constexpr std::size_t kArithmeticBytesMax = std::size_t{1} << 10;

// Levels of nesting in arithmetic: parentheses, calls, signs, powers and choices. Each is about ten
// frames of recursion, so that 64 stay far within the stack of WebAssembly.
inline constexpr std::size_t kArithmeticDepthMax = 64;

// Bytes of a formula in a rulebook, levels of its nesting, and the values that one evaluation may
// look at: a rule reads a screenful, not a document.
inline constexpr std::size_t kFormulaBytesMax = std::size_t{4} << 10;
inline constexpr std::size_t kFormulaDepthMax = 48;
inline constexpr std::size_t kFormulaStepsMax = 200'000;

// Bytes of a text that a formula makes; beyond it the formula is unknown. A rule writes a sentence,
// and texts that repeat themselves would double in every round.
inline constexpr std::size_t kFormulaTextBytesMax = std::size_t{64} << 10;

// Rules of one rulebook, and how often they may set each other off in one turn.
inline constexpr std::size_t kRulesMax = 20'000;
inline constexpr std::size_t kReactionRoundsMax = 16;

// Steps that all patterns, conditions, formulas and checks of one turn may take together: a second
// or two. An ordinary turn takes some thousands.
inline constexpr std::uint64_t kTurnStepsMax = std::uint64_t{1} << 29;

// The steps that work other than matching a pattern costs, by how long it takes: one step of a
// formula, one check of a limit at one place, one rule that looks at one changed place, one element
// of a list that a condition looks at, and 16 bytes of text that are compared or copied.
inline constexpr std::uint64_t kFormulaStepCost = 16;
inline constexpr std::uint64_t kCheckCost = 64;
inline constexpr std::uint64_t kRuleLookCost = 16;
inline constexpr std::uint64_t kElementCost = 8;
inline constexpr std::size_t kBytesOfStep = 16;

// Nodes that wait for their time to be over (options ttl and expiresAt): as many as one reply can
// set. They stay in the state and are looked through in every turn.
inline constexpr std::size_t kTimersMax = kProposalsMax;

// Replies that are remembered for what they speak of, and bytes of each.
inline constexpr std::size_t kRepliesMax = 100;
inline constexpr std::size_t kReplyBytesMax = std::size_t{64} << 10;

// Clearings of a full container, and backups of worlds that were left, that are kept in the state.
// The state goes with every turn; what is older can be found in the records of its turn.
inline constexpr std::size_t kArchiveMax = 200;
inline constexpr std::size_t kBackupsMax = 200;

// Remarks on one command: a command that loses a thousand values need not name them all.
inline constexpr std::size_t kRemarksMax = 8;

// Limited places whose last number is remembered after its deletion (engine/numbers.h), for the
// same reason. A place beyond it counts from the limit's start again.
inline constexpr std::size_t kLostNumbersMax = 1000;

// Bytes of a text that may be a date. Three times the longest that people write; a longer one is
// prose.
inline constexpr std::size_t kDateTextBytesMax = 256;

// Years of a calendar, to both sides of its beginning: more than any world has, and few enough that
// days, at most 64 months of 1000 in a year, are counted in 64 bits.
inline constexpr std::int64_t kCalendarYearMax = 1'000'000'000;

// Days of a calendar that only counts days, for the same reason.
inline constexpr std::int64_t kCalendarDayMax = 100'000'000'000;

// Calendars that are compiled together, months of one and days of a month. A text is tried in every
// calendar, and a date walks over the months of its year.
inline constexpr std::size_t kCalendarsMax = 64;
inline constexpr std::size_t kCalendarMonthsMax = 64;
inline constexpr std::int64_t kCalendarMonthDaysMax = 1000;

// Entries of any other list in a calendar (names, leap months, eras): a guard against files that
// are not calendars; four thousand leap months are ten thousand years.
inline constexpr std::size_t kCalendarListMax = 4096;
// Bytes of a pattern (regular expression), levels of its groups, and times that {n} may repeat.
// Patterns that people write for a list of memories have some dozen characters.
inline constexpr std::size_t kRegexBytesMax = std::size_t{2} << 10;
inline constexpr std::size_t kRegexDepthMax = 64;
inline constexpr std::uint32_t kRegexRepeatsMax = 1000;

// Steps of a compiled pattern; each may be tried on each character of a text.
inline constexpr std::size_t kRegexStepsMax = std::size_t{4} << 10;
// Groups of a pattern whose texts can be used. More make every step of a replacement dearer.
inline constexpr std::size_t kRegexGroupsMax = 99;

// Steps that the patterns of one command may take on all that it looks at: about a second. All
// commands of a turn share kTurnStepsMax.
inline constexpr std::uint64_t kRegexWorkMax = std::uint64_t{1} << 28;
// Bytes of one YAML text: profiles, rulebooks, protocols, settings. Twenty times the largest that
// people write by hand; the worst text of this size takes the library a second and a half.
inline constexpr std::size_t kYamlBytesMax = std::size_t{1} << 20;

// Values in a YAML text after its aliases are put in: a few lines of aliases of aliases stand for
// billions.
inline constexpr std::size_t kYamlNodesMax = 250'000;

// Levels of nesting in a YAML text; the library itself gives up at 500.
inline constexpr std::size_t kYamlDepthMax = 128;

// Bytes of one protocol: a prompt of this size would fill a model's context by itself.
inline constexpr std::size_t kProtocolBytesMax = std::size_t{256} << 10;

// Protocols of a library, files and levels of a folder of them: people have dozens.
inline constexpr std::size_t kProtocolsMax = 4096;
inline constexpr std::size_t kProtocolDepthMax = 16;

// Entries of any list in a protocol (dependencies, examples, hints, keywords), and ids that one
// card or one save names: a guard against files that are not protocols.
inline constexpr std::size_t kProtocolListMax = 256;

// Turns that an activation may be limited to.
inline constexpr std::int64_t kProtocolTurnsMax = 1'000'000;

// Profiles that extend each other.
inline constexpr std::size_t kExtendsMax = 8;

// Macros in one text: levels of nesting, how many, and bytes that they may give together. A card
// has some dozens; two that name each other twice would double without end.
inline constexpr std::size_t kMacroDepthMax = 16;
inline constexpr std::size_t kMacrosMax = 10'000;
inline constexpr std::size_t kMacroBytesMax = std::size_t{1} << 20;

// Templates (ejs/). Bytes of code in one: the largest controllers of cards have 30 kB. Steps of one
// and of all in a prompt: a controller that walks a whole world takes a few thousand, and a million
// steps cost about 50 ms. Bytes of its data and of its text: no prompt has room for more. Nesting
// of expressions, statements and calls, which recurse; and of entries that ask for entries.
inline constexpr std::size_t kTemplateCodeBytesMax = std::size_t{256} << 10;
inline constexpr std::uint64_t kTemplateStepsMax = 200'000;
inline constexpr std::uint64_t kTemplateStepsTotalMax = 1'000'000;
inline constexpr std::size_t kTemplateHeapBytesMax = std::size_t{8} << 20;
inline constexpr std::size_t kTemplateOutputBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kTemplateDepthMax = 256;
inline constexpr std::size_t kTemplateNestMax = 8;

// Entries of one book of lore, keys of an entry, and bytes of a key. The largest books that people
// share have some thousands of entries; keys are names.
inline constexpr std::size_t kLoreEntriesMax = 100'000;
inline constexpr std::size_t kLoreKeysMax = 1000;
inline constexpr std::size_t kLoreKeyBytesMax = std::size_t{4} << 10;

// Messages that one entry may look back to, and rounds in which entries wake entries. Books have
// chains of three or four; a round costs at least one look at every book.
inline constexpr std::size_t kLoreDepthMax = 1000;
inline constexpr std::size_t kLoreRoundsMax = 100;

// Messages for which an entry may stay active or rest: longer than any story.
inline constexpr std::int64_t kLoreMessagesMax = 1'000'000;

// Steps that the patterns and conditions of all books may take in one turn: a tenth of a second.
inline constexpr std::uint64_t kLoreWorkMax = std::uint64_t{1} << 25;

// Bytes of a picture with a card in it, and of one text chunk of it. Pixels are skipped, however
// many; a card's text with its lorebook has some hundred kilobytes.
inline constexpr std::size_t kPngBytesMax = std::size_t{32} << 20;
inline constexpr std::size_t kPngTextBytesMax = std::size_t{8} << 20;

// Bytes that a packed text chunk may unpack to, and how many times its own size: text packs to a
// fifth, a bomb to a thousandth.
inline constexpr std::size_t kInflatedBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kInflateRatioMax = 100;

// Bytes of a card as JSON, and levels of its nesting.
inline constexpr std::size_t kCardBytesMax = std::size_t{8} << 20;
inline constexpr std::size_t kCardDepthMax = 256;

// Regex scripts of a card that are applied, and bytes of a text that they may make of one message.
// Cards have up to some dozen scripts; a replacement that repeats its match doubles a text each
// time.
inline constexpr std::size_t kCardRegexesMax = 100;
inline constexpr std::size_t kReplacedBytesMax = std::size_t{1} << 20;

// A script in which a card declares a schema: its bytes, nodes of its tree, tokens that are skipped
// (functions inside of functions are skipped more than once), levels and links of a chain such as
// z.number().min(0) (both bound the stack). Real ones have 2,000 lines.
inline constexpr std::size_t kScriptBytesMax = std::size_t{512} << 10;
inline constexpr std::size_t kScriptNodesMax = 100'000;
inline constexpr std::size_t kScriptStepsMax = 4'000'000;
inline constexpr std::size_t kScriptDepthMax = 64;
inline constexpr std::size_t kScriptChainMax = 200;

// Expressions of a schema that are worked out: names may stand for schemas again and again. And
// limits that become of it, and remarks about it.
inline constexpr std::size_t kSchemaStepsMax = 50'000;
inline constexpr std::size_t kSchemaLimitsMax = 2'000;
inline constexpr std::size_t kSchemaNotesMax = 100;

// Bytes of all first variables of a card together: they are YAML, which takes its time (see
// kYamlBytesMax), and a card has them once.
inline constexpr std::size_t kInitvarBytesMax = kYamlBytesMax;

// Pieces that a scripted answer may be cut into.
inline constexpr std::size_t kScriptPiecesMax = 100'000;

// Bytes of a reply and of the player's words in one turn: a thousand times what a model writes at
// once, and little enough that its record can be read again.
inline constexpr std::size_t kTurnTextBytesMax = std::size_t{16} << 20;

// Bytes of the key of a turn: room for two UUIDs and a prefix.
inline constexpr std::size_t kTurnKeyBytesMax = 200;

// Bytes of each JSON text of a stored turn (inputs, changes, details) and of a stored state. It is
// checked before anything is stored, since the same limit holds when the text is read.
inline constexpr std::size_t kRecordTextBytesMax = kJsonBytesMax;

// Bytes of one part of a stored turn before packing: two such texts and a line break.
inline constexpr std::size_t kRecordBytesMax = 2 * kRecordTextBytesMax + 1;

// Weight (value/hash.h) of a value that a stored audit record repeats. Heavier ones follow from the
// changes of the turn and would make a push onto a long list store the list twice.
inline constexpr std::uint64_t kAuditValueWeightMax = std::uint64_t{4} << 10;

// Bytes of an exported campaign, of one of its lines, and of a text in a line; longer texts are
// written in pieces. A line is read at once, and escapes make a text at most six times as long.
inline constexpr std::size_t kArchiveBytesMax = std::size_t{1} << 30;
inline constexpr std::size_t kArchivePieceBytesMax = std::size_t{4} << 20;
inline constexpr std::size_t kArchiveLineBytesMax = kJsonBytesMax;

// Tool calls of one turn that are looked at; those beyond it are refused unread. A scene has a
// handful, and each runs on a version of its own.
inline constexpr std::size_t kToolCallsMax = 64;

// Replies of one attempt: the model continues after tool results that it waited for. A scene needs
// one or two; more is a model that calls tools in a circle.
inline constexpr std::int64_t kToolRoundsMax = 4;

// Weight (value/hash.h) and nesting of the arguments of a call, and bytes of one text in them: a
// cause is a sentence, a background a page.
inline constexpr std::uint64_t kToolArgsWeightMax = std::uint64_t{16} << 10;
inline constexpr std::size_t kToolArgsDepthMax = 8;
inline constexpr std::size_t kToolTextBytesMax = std::size_t{4} << 10;

// The largest number that a tool takes, to both sides: sums of a thousand of them stay exact.
inline constexpr std::int64_t kToolNumberMax = 1'000'000'000;

// Parts of a tool of data: arguments, values, conditions, rows of its effect and checks. Each row
// is a formula or two, so a call costs a few thousand steps at most.
inline constexpr std::size_t kToolRowsMax = 32;
// Bytes of the text of a tool, and tools that a campaign registers.
inline constexpr std::size_t kToolFileBytesMax = std::size_t{64} << 10;
inline constexpr std::size_t kToolsMax = 256;
// Changes that one call makes, where a row applies to many places.
inline constexpr std::size_t kToolChangesMax = 256;

// Areas and paths of a map, and characters of a campaign. All are looked through in some turns.
inline constexpr std::size_t kAreasMax = 2'000;
inline constexpr std::size_t kCharactersMax = 2'000;

// Areas that map_generate makes at once.
inline constexpr std::int64_t kMapSizeMax = 30;

// Dice of one roll and sides of a die.
inline constexpr std::int64_t kDiceMax = 200;
inline constexpr std::int64_t kDiceSidesMax = 1'000;

// Rolls that a campaign shows, illegal requests that it remembers, and checkpoints that it names.
inline constexpr std::size_t kRollsKept = 20;
inline constexpr std::size_t kRepeatsKept = 64;

// Turns in a row with the same illegal request before it is answered without being looked at.
inline constexpr std::int64_t kRepeatsMax = 3;

// Entries of each list in a feedback document; the rest are counted. More would not help a model,
// and cost tokens at every retry.
inline constexpr std::size_t kFeedbackEntriesMax = 32;

// Entries of a story's summary before one must be made of them; pins and facts of one summary. All
// of them are in every prompt.
inline constexpr std::int64_t kSummaryEntriesMax = 100;
inline constexpr std::size_t kSummaryPinsMax = 16;

// Bytes of a detail in a reason that is sent to a model.
inline constexpr std::size_t kDetailBytesMax = 120;

// Rows of authoritative paths in a campaign; each is asked about every change.
inline constexpr std::size_t kAuthorityRowsMax = 256;

// Cells of the table that aligns two changed runs of array elements. Longer runs are cut at
// elements that stand once on both sides; where there are none, elements are paired by position.
// Keeps the time of a diff in proportion to the size of its input.
inline constexpr std::size_t kDiffCellsMax = std::size_t{1} << 14;

// Characters of the id of a new campaign: it is typed, and part of file names.
inline constexpr std::size_t kCampaignIdMax = 64;
// Bytes of the name of a campaign and of the label of a checkpoint: a line in a list.
inline constexpr std::size_t kCampaignNameBytesMax = 200;
inline constexpr std::size_t kCheckpointLabelBytesMax = 200;

// HTTP: bytes of the request line and of all header fields, their number, and bytes of a body. Room
// for every client that exists; a card or an archive fits into a body.
inline constexpr std::size_t kHttpTargetBytesMax = std::size_t{8} << 10;
inline constexpr std::size_t kHttpHeaderBytesMax = std::size_t{16} << 10;
inline constexpr std::size_t kHttpHeadersMax = 64;
inline constexpr std::size_t kHttpBodyBytesMax = std::size_t{16} << 20;
// Bytes of the length and the extensions of a chunk.
inline constexpr std::size_t kHttpChunkLineBytesMax = 256;
// Bytes of an event of a stream, and bytes that wait for a slow reader before it is cut off.
inline constexpr std::size_t kSseEventBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kUnsentBytesMax = std::size_t{4} << 20;

}  // namespace arbiter::base
