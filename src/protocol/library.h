// Library: all protocols that there are, and which of them hold when some are wished for.
//
//   const Library library = Library::make(entries);      // in any order: the same library
//   std::vector<Wish> wishes = wishes_of_card(card).wishes;
//   append(wishes, active_wishes(state.meta));           // protocol/activation.h
//   const Resolved now = library.resolve(wishes, {.language = …});
//
// resolve() gives all that follows from the wishes and nothing else: texts for the prompt, tags for
// the reader, limits for the engine, and a warning for whatever did not come to hold. The same
// library and wishes give the same bytes. A Library is immutable and may be shared between threads.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "protocol/protocol.h"
#include "text/keywords.h"

namespace arbiter::protocol {

// Why a protocol is active, or is no longer.
struct Why {
    enum class What : std::uint8_t {
        kCard,        // the character card names it
        kConfigured,  // whoever set the campaign up named it
        kNeeded,      // `about` = the protocol that needs it
        kKeyword,     // `about` = the keyword that was said
        kTag,         // <use_protocol> or <end_protocol>; `about` = who wrote it
        kScope,       // its turns are over
        kCommand      // the host said so
    };
    What what = What::kConfigured;
    std::string about = {};
    friend bool operator==(const Why&, const Why&) = default;
};
std::string_view name(Why::What what) noexcept;  // "card", …
std::string explain(const Why& why, base::Language language);

struct Wish {
    std::string reference;  // "id", "id@1.2.0", "id@^1"
    Why why = {};
};

// The ids that a card lists: configuration.protocols and enabled_schemas, at the top, in `data` or
// in `extensions`.
struct CardWishes {
    std::vector<Wish> wishes;
    std::vector<base::Error> warnings;  // what is no reference
};
CardWishes wishes_of_card(const value::Value& card);

// A text of the prompt.
struct Injection {
    std::string id;
    std::string version;
    Target target = Target::kSystemEnd;
    std::int64_t priority = 0;  // higher is nearer the end
    std::string text;
    Why why;
    friend bool operator==(const Injection&, const Injection&) = default;
};

struct ResolveOptions {
    base::Language language = base::Language::kEnglish;
    // A mode silences what brings other tags, unless that is core or in its `keep`. Else all texts
    // stay, and the mode's comes last.
    bool modes_silence = false;
    // Where the date of this world stands, for limits of a day whose protocol does not say.
    std::optional<rules::Clock> clock = {};
};

struct Resolved {
    struct Active {
        std::shared_ptr<const Protocol> protocol;
        Why why;
    };
    std::vector<Active> active;           // in the order of their texts
    std::vector<Injection> instructions;  // one for each that has a text
    std::vector<Injection> examples;      // one block for each that has some; see few_shot()
    std::vector<reader::TagHint> hints;   // for reader::Options
    std::vector<Hint> components;         // the hints by which the host renders components
    reader::Dialects dialects;            // to be read beside those of the profile
    // To be played with, beside those of the profile (rules::make_setting).
    std::vector<std::shared_ptr<const rules::Rulebook>> constraints;
    std::vector<base::Error> warnings;
};

class Library {
  public:
    struct Entry {
        std::string file;
        int layer = 0;  // of two with the same id and version, the higher layer's counts
        Protocol protocol;
    };
    // Something wrong between files.
    struct Issue {
        std::string file;
        value::Diagnostic fault;
    };

    Library() = default;
    static Library make(std::vector<Entry> entries);

    // Sorted by id, and the newest version of an id first.
    struct Row {
        std::string file;
        std::shared_ptr<const Protocol> protocol;
    };
    [[nodiscard]] std::span<const Row> rows() const noexcept { return rows_; }
    // The highest version that will do, or nullptr; a pre-release only where nothing else does.
    [[nodiscard]] const Row* find(const Reference& reference) const noexcept;
    // All rows of an id.
    [[nodiscard]] std::span<const Row> versions(std::string_view id) const noexcept;
    // There is no such protocol: with what was probably meant.
    [[nodiscard]] base::Error unknown(std::string_view reference) const;

    // Two files with the same id and version.
    [[nodiscard]] const std::vector<Issue>& duplicates() const noexcept { return duplicates_; }
    // What is missing, goes round in circles, or is named and not there.
    [[nodiscard]] std::vector<Issue> check() const;

    [[nodiscard]] Resolved resolve(std::span<const Wish> wishes,
                                   const ResolveOptions& options = {}) const;

    // Protocols that a text switches on or off by a keyword: each once, in order of ids.
    struct Said {
        std::string id;
        std::string keyword;
    };
    [[nodiscard]] std::vector<Said> starts_in(std::string_view folded_text) const;
    [[nodiscard]] std::vector<Said> ends_in(std::string_view folded_text) const;

  private:
    std::vector<Row> rows_;
    std::vector<Issue> duplicates_;
    text::Keywords starts_;
    text::Keywords ends_;
    std::vector<Said> said_;  // by the ids in starts_ and ends_
};

// The examples of a protocol as a block of a prompt: `User:` and `Assistant:`, every line quoted
// with >, so that no reader takes a command, a tag or a component out of it. Empty for none.
std::string few_shot(const Protocol& protocol, base::Language language);

// {active, instructions, examples, hints, constraints, warnings}, for hosts and --json.
value::Value to_value(const Resolved& resolved, base::Language language);
// {id, version, name, type, target, priority, …} of one protocol, without its texts.
value::Value to_value(const Protocol& protocol, base::Language language);

}  // namespace arbiter::protocol
