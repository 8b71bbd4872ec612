#include "engine/internal/remarks.h"

#include <algorithm>

#include "engine/internal/paths.h"
#include "proposal/instruction.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::engine::internal {

using proposal::Instruction;
using proposal::Proposal;
using proposal::Status;
using proposal::Warning;
using value::Value;

namespace {

// Bytes between < and > of a placeholder: a name, not a sentence.
constexpr std::size_t kPlaceholderMax = 60;
// Opening brackets examined per string, and how far away a closing tag may be. They keep the cost
// linear for a value full of markup.
constexpr std::size_t kOpenersMax = 100;
constexpr std::size_t kElementMax = 4096;

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Finds <入门功法> and <item name>; not <b>, </b>, <div class="x">, a < b > c, or a tag that is
// closed.
bool has_placeholder(std::string_view text) {
    std::size_t seen = 0;
    for (std::size_t open = text.find('<'); open != std::string_view::npos && seen < kOpenersMax;
         open = text.find('<', open + 1), ++seen) {
        const std::size_t close = text.find_first_of("<>", open + 1);
        if (close == std::string_view::npos) {
            return false;
        }
        const std::string_view name = text.substr(open + 1, close - open - 1);
        if (text[close] != '>' || name.empty() || name.size() > kPlaceholderMax ||
            name.find_first_of("/=\"\n!?") != std::string_view::npos || name.front() == ' ' ||
            name.back() == ' ') {
            continue;
        }
        const bool wide = std::ranges::any_of(name, [](char c) { return (c & 0x80) != 0; });
        const bool markup = !wide && name.find_first_of(" _-") == std::string_view::npos;
        const bool closed =
            text.substr(close, kElementMax).contains("</" + std::string(name) + ">");
        if ((wide || (is_letter(name.front()) && !markup)) && !closed) {
            return true;
        }
    }
    return false;
}

bool is_example(std::string_view text, const Policy& policy) {
    return (policy.warns_placeholders && has_placeholder(text)) ||
           std::ranges::any_of(policy.example_names, [&](const std::string& name) {
               return text.find(name) != std::string_view::npos;
           });
}

bool holds_example(const Value& value, const Policy& policy) {
    if (value.is_string()) {
        return is_example(value.as_string(), policy);
    }
    if (value.is_array()) {
        return std::ranges::any_of(
            value.as_array(), [&](const Value& element) { return holds_example(element, policy); });
    }
    return value.is_object() &&
           std::ranges::any_of(value.as_object(), [&](const value::Member& member) {
               return is_example(member.key, policy) || holds_example(member.value, policy);
           });
}

// A path that was written with a placeholder or a name of the examples in it.
bool names_example(const value::Path& path, const Policy& policy) {
    return std::ranges::any_of(path, [&](const value::Segment& segment) {
        return !segment.is_index() && is_example(segment.key(), policy);
    });
}

// The values at a path before and after a change; nullptr if there is none.
struct Sides {
    const Value* before;
    const Value* after;
};
Sides sides_at(const value::Change& change, const value::Path& path) {
    const value::Path inside(path.begin() + static_cast<std::ptrdiff_t>(change.path.size()),
                             path.end());
    const bool added = change.kind == value::Change::Kind::kAdd;
    const bool removed = change.kind == value::Change::Kind::kRemove;
    return {added ? nullptr : value::find(change.before, inside),
            removed ? nullptr : value::find(change.after, inside)};
}

// Whether a command changed the value at a path, also by writing a parent.
bool changes_value(const Verdict& verdict, const value::Path& path) {
    return std::ranges::any_of(verdict.changes, [&](const value::Change& change) {
        if (!begins_with(path, change.path)) {
            return begins_with(change.path, path);
        }
        const Sides sides = sides_at(change, path);
        const bool both = sides.before != nullptr && sides.after != nullptr;
        return both ? *sides.before != *sides.after : sides.before != sides.after;
    });
}

// Whether a command wrote to a list, or replaced a parent by one with a longer list.
bool extends_list(const Verdict& verdict, const value::Path& path) {
    if (begins_with(verdict.path, path)) {
        return true;
    }
    const auto size = [](const Value* list) {
        return list != nullptr && list->is_array() ? list->as_array().size() : 0;
    };
    return std::ranges::any_of(verdict.changes, [&](const value::Change& change) {
        if (!begins_with(path, change.path)) {
            return begins_with(change.path, path);
        }
        const Sides sides = sides_at(change, path);
        return size(sides.after) > size(sides.before);
    });
}

}  // namespace

void add_remarks(Outcome& outcome, std::span<const Proposal> proposals, const Policy& policy) {
    const bool examples = policy.warns_placeholders || !policy.example_names.empty();
    const bool times = !policy.clock.empty() && !policy.timeline.empty();
    bool has_timeline_entry = false;
    for (std::size_t i = 0; i < proposals.size() && (examples || times); ++i) {
        Verdict& verdict = outcome.verdicts[i];
        const Instruction* instruction = proposals[i].instruction();
        if (verdict.status != Status::kApplied || instruction == nullptr) {
            continue;
        }
        has_timeline_entry =
            has_timeline_entry || (times && extends_list(verdict, policy.timeline));
        if (examples && instruction->value && instruction->op != proposal::Op::kPull &&
            instruction->op != proposal::Op::kTest && instruction->op != proposal::Op::kDelete &&
            (holds_example(*instruction->value, policy) || names_example(verdict.path, policy))) {
            verdict.warnings.add(Warning::kExampleName);
        }
    }
    for (Verdict& verdict : outcome.verdicts) {
        if (times && !has_timeline_entry && verdict.status == Status::kApplied &&
            changes_value(verdict, policy.clock)) {
            verdict.warnings.add(Warning::kTimelineMissing);
        }
    }
}

}  // namespace arbiter::engine::internal
