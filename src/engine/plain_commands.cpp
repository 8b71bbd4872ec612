#include "engine/plain_commands.h"

#include <algorithm>

#include "engine/internal/paths.h"
#include "value/array.h"

namespace arbiter::engine {

using internal::begins_with;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using value::Change;
using value::Path;
using value::Value;

namespace {

// The path to write for a change: its own, or the outermost array on the way, since indexes shift.
Path place_of(const Change& change, const Value& before, const Value& after) {
    for (std::size_t i = 0; i < change.path.size(); ++i) {
        const Path outer(change.path.begin(), change.path.begin() + static_cast<std::ptrdiff_t>(i));
        for (const Value* document : {&before, &after}) {
            const Value* found = value::find(*document, outer);
            if (found != nullptr && found->is_array()) {
                return outer;
            }
        }
    }
    return change.path;
}

// The paths to write for all changes. A change of the whole save becomes changes of its members.
std::vector<Path> places_of(const value::Diff& changes, const Value& before, const Value& after,
                            const Path& root) {
    std::vector<Path> places;
    const auto add = [&](Path place) {
        if (std::ranges::find(places, place) == places.end()) {
            places.push_back(std::move(place));
        }
    };
    for (const Change& change : changes) {
        Path place = place_of(change, before, after);
        if (place.size() > root.size() || !begins_with(root, place)) {
            add(std::move(place));
            continue;
        }
        for (const Value* document : {&before, &after}) {
            const Value* save = value::find(*document, root);
            if (save == nullptr || !save->is_object()) {
                continue;
            }
            for (const auto& [key, member] : save->as_object()) {
                Path inside = root;
                inside.emplace_back(key);
                const Value* was = value::find(before, inside);
                const Value* now = value::find(after, inside);
                if (was == nullptr || now == nullptr || *was != *now) {
                    add(std::move(inside));
                }
            }
        }
    }
    return places;
}

// The new member of an object, inserted under its key.
Proposal insertion(const Path& place, Value value) {
    Proposal made;
    made.dialect = proposal::Dialect::kMvu;
    Instruction what = proposal::instruction_of(made.dialect, Op::kInsert);
    what.mount = proposal::Mount::kRoot;
    what.path = Path(place.begin(), place.end() - 1);
    what.key = Value(place.back().as_key());
    what.value = std::move(value);
    made.what = std::move(what);
    return made;
}

}  // namespace

Proposal plain_command(Op op, std::string_view verb, Path path, std::optional<Value> value) {
    Proposal made;
    made.dialect = proposal::Dialect::kTavern;
    made.verb = verb;
    Instruction what = proposal::instruction_of(made.dialect, op);
    what.path = std::move(path);
    what.value = std::move(value);
    what.forgiving = true;
    made.what = std::move(what);
    return made;
}

std::vector<Proposal> plain_commands(const value::Diff& changes, const Value& before,
                                     const Value& after, const Path& root, NewMembers how) {
    std::vector<Proposal> commands;
    for (const Path& place : places_of(changes, before, after, root)) {
        const Value* now = value::find(after, place);
        const bool was_there = value::find(before, place) != nullptr;
        if (now == nullptr) {
            if (was_there) {
                commands.push_back(plain_command(Op::kDelete, "delete", place));
            }
        } else if (how == NewMembers::kInsert && !was_there && !place.empty()) {
            commands.push_back(insertion(place, *now));
        } else {
            commands.push_back(plain_command(Op::kSet, "set", place, *now));
        }
    }
    return commands;
}

}  // namespace arbiter::engine
