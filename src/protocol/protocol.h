// Protocol: a rule of talking that cards share, compiled from data: what a model is told, what its
// tags mean, what commands must keep to (docs/protocols.md says what a file may hold).
//
// Two vocabularies mean the same: meta.type and schema_type, injection.target and position,
// dependencies and requires. What is unknown is kept as it was written and has no effect. A
// Protocol is immutable and may be shared between threads.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/messages.h"
#include "protocol/version.h"
#include "reader/reader.h"
#include "rules/rulebook.h"
#include "value/diagnostic.h"
#include "value/value.h"
#include "writer/writer.h"

namespace arbiter::protocol {

enum class Type : std::uint8_t {
    kCore,       // what everything else stands on; no override silences it
    kExtension,  // adds something ("augmentation")
    kMode,       // changes how all of a reply looks; one at a time
    kOverride    // takes the place of another protocol
};
std::string_view name(Type type) noexcept;  // "core", …

// Where in a prompt a text goes.
enum class Target : std::uint8_t {
    kSystemStart,
    kSystemEnd,  // "system_instruction"
    kBeforeHistory,
    kAfterHistory,  // "post_history"
    kFloating       // near the newest message
};
std::string_view name(Target target) noexcept;  // "system_start", …

// A text in both languages; where only one was written, both are the same.
struct Words {
    std::string english;
    std::string chinese;
    [[nodiscard]] const std::string& in(base::Language language) const noexcept {
        return language == base::Language::kChinese ? chinese : english;
    }
    [[nodiscard]] bool empty() const noexcept { return english.empty() && chinese.empty(); }
};

struct Example {
    std::string name;
    Words input;
    Words output;
};

// What a tag means while the protocol is active.
struct Hint {
    std::string tag;
    // Nothing: the tag's own meaning stands (thinking), and there is nothing to register.
    std::optional<reader::TagMeaning> meaning;
    std::string behavior;   // as it was written
    std::string component;  // component_type: which component the host renders it with
};

// What switches a protocol on and off while a story is told.
struct Activation {
    struct Keyword {
        std::string text;  // case-folded
        std::string id;    // what it switches on: the protocol itself, or another
    };
    std::vector<Keyword> keywords;
    std::vector<std::string> end_keywords;  // case-folded
    std::int64_t turns = 0;                 // 0: until it is ended
};

class Protocol {
  public:
    // Gives every fault, not only the first.
    static std::expected<Protocol, value::Diagnostics> compile(
        const value::Value& written, std::shared_ptr<const rules::Calendars> calendars);

    std::string id;
    Version version;
    Words name;
    Words description;
    std::string author;
    Type type = Type::kExtension;
    Target target = Target::kSystemEnd;
    std::int64_t priority = 0;
    Words instruction;                  // with what `teach` generates
    std::optional<writer::Form> teach;  // the dialect that the instruction is generated for
    std::vector<Example> examples;
    std::vector<Hint> hints;
    reader::Dialects dialects;  // what must be read for the hints and the lesson to make sense
    Activation activation;
    std::vector<Reference> dependencies;
    std::vector<Reference> conflicts;
    std::vector<Reference> replaces;
    std::vector<Reference> keep;  // what a mode does not silence
    // Limits that commands keep to; nullptr: none.
    std::shared_ptr<const rules::Rulebook> constraints;
    bool own_clock = false;  // the constraints say where the date stands
    // Of what was written: another text of the name has another.
    std::int64_t print = 0;
    value::Value written;        // all of it, with what is unknown
    value::Diagnostics remarks;  // keys that are ignored but nearly known ones, broken examples

  private:
    Protocol() = default;
};

// `love_system@1.0.0`.
std::string full_name(const Protocol& protocol);

}  // namespace arbiter::protocol
