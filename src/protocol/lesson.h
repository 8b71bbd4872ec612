// Lesson: the text that teaches a model to write commands in one campaign: the dialect
// (writer/teach.h), with paths of the campaign's own state where the dialect depends on them, and
// what its rulebooks do by themselves. Pure functions.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/messages.h"
#include "protocol/protocol.h"
#include "rules/rulebook.h"
#include "value/value.h"
#include "writer/writer.h"

namespace arbiter::protocol {

// The form in which a dialect is taught; nothing for tools, which the table explains.
std::optional<writer::Form> taught_form(proposal::Dialect dialect) noexcept;

// Whether the text of a protocol explains how commands of a dialect are written: by `teach`, or as
// the owner of a tag whose content is executed.
bool teaches(const Protocol& protocol, proposal::Dialect dialect) noexcept;

// The parts of a state and its rulebooks that a lesson mentions. Values are not among them, so that
// the lesson changes only if the structure of the state does.
struct LessonFacts {
    struct Group {
        std::string container;             // "play_character_data.衍生属性段"
        std::vector<std::string> members;  // below it
        friend bool operator==(const Group&, const Group&) = default;
    };
    std::vector<Group> automatic;        // places that rules compute
    value::Path number;                  // a number of the character that commands may set
    value::Path text;                    // a text of the moment that commands may set
    value::Path people;                  // a container whose members are named by the model
    value::Path things;                  // another one
    std::vector<value::Path> memories;   // containers that get an entry each turn
    std::vector<std::string> marks;      // "_filter"
    value::Path date;                    // empty: no date
    std::string date_form;               // "01月01日"
    std::vector<std::string> resources;  // patterns of ["3/d", 100]
    std::vector<std::string> open;       // containers in which commands may create fields
    std::vector<value::Path> left;       // containers that are emptied when a world is left
    std::vector<std::string> cleaned;    // patterns of entries that rules remove
    friend bool operator==(const LessonFacts&, const LessonFacts&) = default;
};
LessonFacts lesson_facts(std::span<const std::shared_ptr<const rules::Rulebook>> books,
                         const value::Value& document);

std::string lesson(writer::Form form, const LessonFacts& facts, base::Language language);

// The lessons of one prompt.
struct Lesson {
    writer::Form form = writer::Form::kJson;
    std::string text;
    std::size_t standard_bytes = 0;  // of writer::teach(), with which a protocol's own text ends
    bool by_protocol = false;        // part of a protocol's text; else a block of its own
};

}  // namespace arbiter::protocol
