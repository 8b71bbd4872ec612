#include "engine/internal/access.h"

#include <algorithm>

#include "engine/internal/world.h"
#include "engine/place.h"

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

}  // namespace

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
    if (instruction.op == Op::kGet || instruction.op == Op::kCallback ||
        (context.actor == Actor::kSystem && !restores)) {
        return std::nullopt;
    }
    // The model may delete, but not restore.
    if (restores && context.actor == Actor::kModel) {
        return Problem{Code::kNotAllowed, {detail_of(path)}};
    }
    // Only the engine writes versions.
    if (std::ranges::any_of(path, [](const Segment& segment) {
            return !segment.is_index() && segment.key() == "__version";
        })) {
        return Problem{Code::kNotAllowed, {detail_of(path)}};
    }
    if (policy.closed.empty() && policy.derived.empty() && policy.read_only.empty() &&
        is_plain_write(instruction, path) && is_surely_open(path, inputs.lookup.target)) {
        return std::nullopt;
    }
    const std::vector<Path> places = touched_paths(instruction, path, policy, document);
    if (auto problem = check_places(instruction, places, policy, context, document)) {
        return problem;
    }
    for (const ClosedPath& closed : policy.closed) {
        if (context.actor != Actor::kModel && !closed.to_player && !restores) {
            continue;
        }
        const Path kept = absolute(closed.path, document);
        for (const Path& place : places) {
            if (begins_with(place, kept) || begins_with(kept, place)) {
                return Problem{Code::kNotAllowed, {detail_of(place)}};
            }
        }
    }
    return std::nullopt;
}

bool is_open(const Policy& policy, const Value& document, const Path& where) {
    return std::ranges::any_of(policy.open, [&](const value::Pattern& open) {
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
