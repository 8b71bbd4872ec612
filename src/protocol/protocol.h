// Protocol: an output convention that cards share, compiled from data: instructions for the model,
// meanings of tags, limits for commands (docs/protocols.md describes the format).
//
// Two vocabularies are accepted: meta.type and schema_type, injection.target and position,
// dependencies and requires. Unknown keys are kept and have no effect. A Protocol is immutable once
// it is part of a Library and may be shared between threads.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "protocol/target.h"
#include "protocol/version.h"
#include "reader/reader.h"
#include "rules/rulebook.h"
#include "value/diagnostic.h"
#include "value/value.h"
#include "writer/writer.h"

namespace arbiter::protocol {

enum class Type : std::uint8_t {
    kCore,       // basis of the others; never silenced by an override
    kExtension,  // an addition ("augmentation")
    kMode,       // changes the form of the whole reply; one at a time
    kOverride    // replaces another protocol
};
std::string_view name(Type type) noexcept;  // "core", …

struct Example {
    std::string name;
    base::Text input;
    base::Text output;
};

// The meaning of a tag while the protocol is active.
struct Hint {
    std::string tag;
    // Absent: the tag keeps its built-in meaning (thinking).
    std::optional<reader::TagMeaning> meaning;
    std::string behavior;   // as it was written
    std::string component;  // component_type: which component the host renders it with
};

// The words that switch a protocol on and off in the course of a story.
struct Activation {
    struct Keyword {
        std::string text;  // case-folded
        std::string id;    // the protocol that it switches on: this one or another
    };
    std::vector<Keyword> keywords;
    std::vector<std::string> end_keywords;  // case-folded
    std::int64_t turns = 0;                 // 0: until it is switched off
};

class Protocol {
  public:
    // Fails with all diagnostics, not only the first.
    static std::expected<Protocol, value::Diagnostics> compile(
        const value::Value& written, std::shared_ptr<const calendar::Calendars> calendars);

    std::string id;
    Version version;
    base::Text name;
    base::Text description;
    std::string author;
    Type type = Type::kExtension;
    Target target = Target::kSystemEnd;
    std::int64_t priority = 0;
    base::Text instruction;             // with the generated text of `teach`
    std::optional<writer::Form> teach;  // the dialect that the instruction is generated for
    std::vector<Example> examples;
    std::vector<Hint> hints;
    reader::Dialects dialects;  // must be read for the hints and the lesson to work
    Activation activation;
    std::vector<Reference> dependencies;
    std::vector<Reference> conflicts;
    std::vector<Reference> replaces;
    std::vector<Reference> keep;  // protocols that a mode does not silence
    // Limits for commands; nullptr: none.
    std::shared_ptr<const rules::Rulebook> constraints;
    bool own_clock = false;        // the constraints name the place of the date
    std::int64_t fingerprint = 0;  // of the source: distinguishes protocols of the same name
    value::Value written;          // the source, with unknown keys
    value::Diagnostics remarks;    // keys that are probably misspelled, broken examples

  private:
    Protocol() = default;
};

// `love_system@1.0.0`.
std::string full_name(const Protocol& protocol);

}  // namespace arbiter::protocol
