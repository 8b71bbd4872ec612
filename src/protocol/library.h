// Library: all available protocols, and which of them hold for some requests.
//
//   const Library library = Library::make(entries);            // independent of the order
//   std::vector<ProtocolRequest> requests = active_requests(state.meta);  // protocol/activation.h
//   const Resolved now = library.resolve(requests, {.language = …});
//
// resolve() returns everything that follows from the requests: texts for the prompt, tags for the
// reader, limits for the engine, and a warning for each request that could not be met. It is
// deterministic. A Library is immutable and may be shared between threads.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "protocol/protocol.h"
#include "protocol/reason.h"
#include "text/keywords.h"

namespace arbiter::protocol {

struct ProtocolRequest {
    std::string reference;  // "id", "id@1.2.0", "id@^1"
    ActivationReason why = {};
};

// A text of the prompt.
struct Injection {
    std::string id;
    std::string version;
    Target target = Target::kSystemEnd;
    std::int64_t priority = 0;  // higher is nearer the end
    std::string text;
    ActivationReason why;
    std::optional<writer::Form> teach = {};  // the text ends with the lesson of this form
    friend bool operator==(const Injection&, const Injection&) = default;
};

struct ResolveOptions {
    base::Language language = base::Language::kEnglish;
    // A mode silences protocols with other tags, unless they are core or in its `keep`. Otherwise
    // all texts stay, and the mode's comes last.
    bool modes_silence = false;
    // The clock of the world, for limits per day whose protocol does not name one.
    std::optional<rules::Clock> clock = {};
    // The requests are all protocols of a recorded turn: one that they need and that is not among
    // them was replaced.
    bool is_recorded = false;
};

struct Resolved {
    struct Active {
        std::shared_ptr<const Protocol> protocol;
        ActivationReason why;
    };
    std::vector<Active> active;           // in the order of their texts
    std::vector<Injection> instructions;  // one for each protocol with a text
    std::vector<Injection> examples;      // one for each protocol with examples; see few_shot()
    std::vector<reader::TagHint> hints;   // for reader::Options
    std::vector<Hint> components;         // hints for the host's components
    reader::Dialects dialects;            // to be read in addition to those of the profile
    // Rulebooks that hold in addition to those of the profile.
    std::vector<std::shared_ptr<const rules::Rulebook>> constraints;
    std::vector<base::Error> warnings;
};

class Library {
  public:
    struct Entry {
        std::string file;
        int layer = 0;  // of two with the same id and version, the one in the higher layer counts
        Protocol protocol;
    };
    // A mistake in one of the files.
    struct FileDiagnostic {
        std::string file;
        value::Diagnostic diagnostic;
    };

    Library() = default;
    static Library make(std::vector<Entry> entries);

    struct Row {
        std::string file;
        std::shared_ptr<const Protocol> protocol;
    };
    // Sorted by id, the newest version of an id first.
    [[nodiscard]] std::span<const Row> rows() const noexcept { return rows_; }
    // The highest version that matches, or nullptr. A pre-release only if nothing else matches.
    [[nodiscard]] const Row* find(const Reference& reference) const noexcept;
    // All rows of an id.
    [[nodiscard]] std::span<const Row> versions(std::string_view id) const noexcept;
    // The error for a reference that find() does not find, with the nearest names.
    [[nodiscard]] base::Error unknown(std::string_view reference) const;

    // Why a reference cannot be used: it is not here, or one of its dependencies is not.
    [[nodiscard]] std::optional<base::Error> find_problem(const Reference& reference) const;

    // Files with the same id and version in one layer.
    [[nodiscard]] const std::vector<FileDiagnostic>& duplicates() const noexcept {
        return duplicates_;
    }
    // Dependencies that are missing or circular, and references to unknown protocols. Sorted by
    // file.
    [[nodiscard]] std::vector<FileDiagnostic> check() const;

    [[nodiscard]] Resolved resolve(std::span<const ProtocolRequest> requests,
                                   const ResolveOptions& options = {}) const;

    struct KeywordMatch {
        std::string id;
        std::string keyword;
    };
    // Protocols that a text switches on or off by a keyword, each once, sorted by id. The text is
    // folded with text::fold_case_and_width.
    [[nodiscard]] std::vector<KeywordMatch> starts_in(std::string_view folded_text) const;
    [[nodiscard]] std::vector<KeywordMatch> ends_in(std::string_view folded_text) const;

  private:
    std::vector<Row> rows_;
    std::vector<FileDiagnostic> duplicates_;
    text::Keywords starts_;
    text::Keywords ends_;
    std::vector<KeywordMatch> keywords_;  // by the ids in starts_ and ends_
};

}  // namespace arbiter::protocol
