#include "engine/internal/access.h"

#include <algorithm>

#include "engine/internal/world.h"

namespace arbiter::engine::internal {

using proposal::Mount;
using proposal::Problem;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// Whether some key of the root could be a path of several names. A cheap filter before the path is
// printed: true may be wrong, and always is possible for a root with many members.
bool may_be_one_key(const Value* root, const Path& path) {
    constexpr std::size_t kMembersMax = 16;
    if (root == nullptr || !root->is_object()) {
        return false;
    }
    // A printed path begins with its first name, or with a bracket before it.
    const std::string_view first = path[0].is_index() ? std::string_view("[") : path[0].key();
    const value::Object& members = root->as_object();
    return members.size() > kMembersMax ||
           std::ranges::any_of(members, [first](const value::Member& member) {
               const std::string_view key = member.key.view();
               return (key.size() > first.size() && key.starts_with(first)) || key.starts_with('[');
           });
}

}  // namespace

Path mounted(const Instruction& instruction, const Path& path, const Value& document) {
    Path full;
    if (instruction.op == Op::kCallback) {
        return path;
    }
    full.reserve(path.size() + 2);  // the mount, and the index into a described value
    std::string_view key = name(instruction.mount);
    if (instruction.mount == Mount::kMvu && document.is_object() &&
        document.as_object().contains("stat_data")) {
        key = "stat_data";
    }
    if (!key.empty()) {
        full.emplace_back(key);
    }
    const std::size_t root = full.size();
    full.insert(full.end(), path.begin(), path.end());
    // MVU first tries the whole text as one key of its root, dots included. For a path whose syntax
    // separates its names, that holds only if the path itself leads nowhere.
    if (instruction.mount == Mount::kMvu && path.size() > 1 &&
        may_be_one_key(value::find(document, full, root), path) &&
        (instruction.dotted || value::find(document, full) == nullptr)) {
        const std::string joined = value::print_path(path, value::PathSyntax::kDotted);
        if (value::find(document, full, root)->as_object().contains(joined)) {
            full.erase(full.begin() + static_cast<std::ptrdiff_t>(root), full.end());
            full.emplace_back(std::string_view(joined));
        }
    }
    return full;
}

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
        places.push_back(absolute(mounted(instruction, instruction.from, document), document));
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
            return Problem{Code::kBadPath, {detail_of(path)}};
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
    if (policy.closed.empty() && policy.derived.empty() && is_plain_write(instruction, path) &&
        is_surely_open(path, inputs.lookup.target)) {
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

}  // namespace arbiter::engine::internal
