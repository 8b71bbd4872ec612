#include "engine/internal/access.h"

#include <algorithm>

#include "engine/internal/check_run.h"
#include "engine/internal/world.h"
#include "engine/place.h"
#include "value/described.h"

namespace arbiter::engine::internal {

using proposal::Problem;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// All paths that the instruction may change; its own path comes first.
std::vector<Path> touched_paths(const Instruction& instruction, const Path& path,
                                const Policy& policy, const Value& document) {
    std::vector<Path> places = {absolute(path, document)};
    const Value* at = value::find(document, path);
    // A member that is named beside the path. In an array every later element moves, so there the
    // path itself is touched.
    if (instruction.key && instruction.key->is_string() && (at == nullptr || !at->is_array()) &&
        (instruction.op == Op::kInsert || instruction.op == Op::kDelete)) {
        places[0].emplace_back(instruction.key->as_str());
    }
    if (instruction.op == Op::kMove) {
        places.push_back(
            absolute(place_of(instruction, instruction.from, document).path, document));
    }
    const Value* soft = instruction.options.find("softDelete");
    const bool bins = soft != nullptr && soft->is_bool() && soft->as_bool();
    if (bins || instruction.op == Op::kRestore) {
        const Value* bin = instruction.options.find("recycleBinKey");
        const auto named = bin != nullptr && bin->is_string()
                               ? value::parse_path(bin->as_string(), value::PathSyntax::kDotted)
                               : policy.recycle_bin;
        places.push_back(absolute(named.value_or(policy.recycle_bin), document));
    }
    return places;
}

// Whether the instruction can change the node at its path only.
bool is_plain_write(const Instruction& instruction, const Path& path) {
    return instruction.options.empty() && !instruction.key && instruction.op != Op::kMove &&
           instruction.op != Op::kRestore && !counts_from_the_end(path);
}

// Whether a key is not for the model: templates and structure rules are of the card's author. MVU's
// own commands may bring rules.
bool is_reserved(std::string_view key, const Instruction& instruction, const Context& context) {
    return key.starts_with('$') && context.actor == Actor::kModel &&
           instruction.described != proposal::Described::kMvu &&
           (key == "$meta" || key == "$internal" || key == "$_prototype" || key == "$arrayMeta");
}

// Such a key in a value.
std::optional<value::Str> reserved_key(const Value& value, const Instruction& instruction,
                                       const Context& context) {
    const auto inside = [&](const Value& member) {
        return member.is_container() ? reserved_key(member, instruction, context) : std::nullopt;
    };
    if (value.is_array()) {
        for (const Value& element : value.as_array()) {
            if (auto found = inside(element)) {
                return found;
            }
        }
    } else if (value.is_object()) {
        for (const auto& [key, member] : value.as_object()) {
            if (is_reserved(key, instruction, context)) {
                return key;
            }
            if (auto found = inside(member)) {
                return found;
            }
        }
    }
    return std::nullopt;
}

// The path of the first value in a node.
Path first_leaf(Path path, const Value& node) {
    const Value* at = &node;
    while (at->is_object() && !at->as_object().empty()) {
        const value::Member member = at->as_object().at(0);
        path.emplace_back(member.key);
        at = value::find_member(at, member.key);
    }
    return path;
}

// The call that may write to a path in one of the memory modules.
std::string call_for(const Path& path) {
    const std::string inside =
        value::print_path(Path(path.begin() + 1, path.end()), value::PathSyntax::kDotted);
    const std::string_view module = path[0].key();
    const std::string_view call = module == name(proposal::Mount::kCharacter) ? "set_attribute"
                                  : module == name(proposal::Mount::kStatus)  ? "set_status"
                                                                              : "memory";
    return std::string(call) + "('" + inside + "', …)";
}

// A text of the system may touch everything except what is closed to texts.
std::optional<Problem> check_text(const Instruction& instruction, const Path& path,
                                  const Policy& policy, const Value& document) {
    const auto closes = [&](const ClosedPath& each) { return each.to_text; };
    if (std::ranges::none_of(policy.closed, closes)) {
        return std::nullopt;
    }
    for (const Path& place : touched_paths(instruction, path, policy, document)) {
        const auto is_around = [&](const ClosedPath& each) {
            return each.to_text && (begins_with(place, each.path) || begins_with(each.path, place));
        };
        if (std::ranges::any_of(policy.closed, is_around)) {
            return Problem{Code::kNotAllowed, {detail_of(place)}};
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Problem> check_module(const WorkInputs& inputs, const Path& path, bool foreign) {
    const Instruction& instruction = inputs.instruction;
    const Value& document = inputs.before.document;
    Path outside = path;
    if (!foreign && instruction.op == Op::kMove) {
        Place source = place_of(instruction, instruction.from, document);
        foreign = source.foreign;
        outside = std::move(source.path);
    }
    if (!foreign) {
        return std::nullopt;
    }
    const bool writes = instruction.op == Op::kSet || instruction.op == Op::kMerge;
    if (writes && is_open(inputs.policy, document, outside)) {
        return std::nullopt;
    }
    const Value* target = value::find(document, outside);
    if (target == nullptr) {
        return Problem{Code::kNotFound, {detail_of(outside)}};
    }
    const bool is_leaf = !target->is_object() && (!target->is_array() || is_described(*target));
    if (instruction.op == Op::kSet && is_leaf && instruction.value &&
        !instruction.value->is_container()) {
        return std::nullopt;
    }
    return Problem{Code::kNotAllowed,
                   {detail_of(outside),
                    "this call changes its own module; elsewhere it may set an existing value",
                    call_for(first_leaf(outside, *target))}};
}

std::optional<Problem> check_access(const WorkInputs& inputs, const Path& path) {
    const Instruction& instruction = inputs.instruction;
    const Policy& policy = inputs.policy;
    const Context& context = inputs.context;
    const Value& document = inputs.before.document;
    if (instruction.in_save && !policy.tavern_root.empty()) {
        const std::string root = detail_of(policy.tavern_root);
        if (!begins_with(path, policy.tavern_root)) {
            return Problem{Code::kBadPrefix, {detail_of(path), root + "."}};
        }
        if (path.size() == policy.tavern_root.size()) {
            return Problem{Code::kBadPath, {detail_of(path), root + ".金币"}};
        }
    }
    // The records of a bin are data that the model may have written, so a restore may only write
    // where the model may, even if the system asks for it.
    const bool restores = instruction.op == Op::kRestore;
    if (instruction.op == Op::kGet || instruction.op == Op::kCallback) {
        return std::nullopt;
    }
    if (context.actor == Actor::kSystem && !restores) {
        return context.is_text ? check_text(instruction, path, policy, document) : std::nullopt;
    }
    // The model may delete, but not restore.
    if (restores && context.actor == Actor::kModel) {
        return Problem{Code::kNotAllowed, {detail_of(path)}};
    }
    // Only the engine writes versions.
    if (std::ranges::any_of(path, [&](const Segment& segment) {
            return !segment.is_index() && (segment.key() == "__version" ||
                                           is_reserved(segment.key(), instruction, context));
        })) {
        return Problem{Code::kNotAllowed, {detail_of(path)}};
    }
    if (const auto key = instruction.value && !policy.locks_structure
                             ? reserved_key(*instruction.value, instruction, context)
                             : std::nullopt) {
        return Problem{Code::kNotAllowed, {detail_of(child_of(path, *key))}};
    }
    if (policy.closed.empty() && policy.derived.empty() && policy.read_only.empty() &&
        is_plain_write(instruction, path) && is_surely_open(path, inputs.lookup.target)) {
        return std::nullopt;
    }
    const std::vector<Path> places = touched_paths(instruction, path, policy, document);
    if (auto problem = check_places(instruction, places, policy, context, document)) {
        return problem;
    }
    const bool is_player = context.actor != Actor::kModel && !restores;
    const value::PatternIndex& closed =
        is_player ? index_of(policy).closed_to_player : index_of(policy).closed;
    const auto is_closed = [&](const Path& place) {
        return !closed.find(place).empty() ||
               std::ranges::any_of(index_of(policy).closed_from_end, [&](std::uint32_t number) {
                   const ClosedPath& each = policy.closed[number];
                   const Path kept = absolute(each.path, document);
                   return (each.to_player || !is_player) &&
                          (begins_with(place, kept) || begins_with(kept, place));
               });
    };
    const auto refused = std::ranges::find_if(places, is_closed);
    return refused != places.end()
               ? std::optional(Problem{Code::kNotAllowed, {detail_of(*refused)}})
               : std::nullopt;
}

bool is_open(const Policy& policy, const Value& document, const Path& where) {
    return std::ranges::any_of(index_of(policy).open.find(where), [&](std::uint32_t number) {
        const value::Pattern& open = policy.open[number];
        value::Bindings bindings;
        if (open.empty() || !value::matches(open, where, bindings)) {
            return false;
        }
        // The container that is open, or the parent of the new member.
        const bool below = open.back().kind == value::PatternStep::Kind::kBelow;
        const std::size_t size = below ? open.size() - 1 : where.size() - 1;
        const Value* container = value::find(document, where, size);
        return container != nullptr && container->is_object();
    });
}

}  // namespace arbiter::engine::internal
