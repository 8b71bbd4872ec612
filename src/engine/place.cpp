#include "engine/place.h"

#include <algorithm>
#include <string>
#include <vector>

#include "value/object.h"

namespace arbiter::engine {

using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using value::Path;
using value::Segment;
using value::Value;

namespace {

constexpr Mount kModules[] = {Mount::kCharacter, Mount::kStatus, Mount::kAssets};

// Members of assa_data even where a document lacks them.
constexpr std::string_view kContainers[] = {"global_set", "world_set", "map", "summary", "config"};

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

bool is_module(std::string_view name) {
    return std::ranges::any_of(kModules,
                               [name](Mount each) { return proposal::name(each) == name; });
}

void note_repair(Place& place) {
    if (place.written.empty()) {
        place.written = place.path;
    }
}

// Drops what stands by mistake behind the first `root` segments of a path: `$`, or the name of a
// module. Requires that the document's container there has no such member.
void drop_prefix(Place& place, const Instruction& instruction, std::size_t root,
                 const Value& document) {
    const bool mvu = instruction.mount == Mount::kMvu;
    // MVU's insert names a container, which may be the root itself.
    const std::size_t rest = mvu && instruction.op == Op::kInsert ? 0 : 1;
    const auto prefix = [&]() -> std::string_view {
        const bool named = place.path.size() > root + rest && !place.path[root].is_index();
        return named ? place.path[root].key() : std::string_view();
    };
    const auto drop = [&] {
        note_repair(place);
        place.path.erase(place.path.begin() + static_cast<std::ptrdiff_t>(root));
    };
    const auto is_missing = [&](std::string_view name) {
        return value::find_member(value::find(document, place.path, root), name) == nullptr;
    };
    if (prefix() == "$" && is_missing("$")) {
        drop();
    }
    const std::string_view named = prefix();
    if ((root == 0 && !mvu) || !is_module(named) || !is_missing(named)) {
        return;
    }
    if (mvu ? named == name(Mount::kStatus) : place.path[0].key() == named) {
        drop();
    } else if (!mvu && value::find_member(&document, named) != nullptr) {
        note_repair(place);
        place.path.erase(place.path.begin());
        place.foreign = true;
    }
}

// memory('the_created', …): a name that only one other module has means that module. Without it,
// the data would lie beside the real data.
void find_module(Place& place, const Value& document) {
    if (place.foreign || place.path.size() < 2 || place.path[1].is_index()) {
        return;
    }
    const std::string_view named = place.path[1].key();
    if (std::ranges::find(kContainers, named) != std::end(kContainers)) {
        return;
    }
    std::vector<Mount> holders;
    for (const Mount module : kModules) {
        if (value::find_member(value::find_member(&document, name(module)), named) != nullptr) {
            holders.push_back(module);
        }
    }
    if (holders.size() == 1 && holders[0] != Mount::kAssets) {
        note_repair(place);
        place.path[0] = Segment(name(holders[0]));
        place.foreign = true;
    }
}

// Splits names at slashes if that leads to an existing container.
void split_slashes(Place& place, const Value& document) {
    const auto has_slash = [](const Segment& segment) {
        return !segment.is_index() && segment.key().contains('/');
    };
    if (std::ranges::none_of(place.path, has_slash) ||
        value::find(document, place.path) != nullptr) {
        return;
    }
    Path split;
    for (const Segment& segment : place.path) {
        if (!has_slash(segment)) {
            split.push_back(segment);
            continue;
        }
        std::string_view rest = segment.key();
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('/'), rest.size());
            if (end > 0) {
                split.emplace_back(rest.substr(0, end));
            }
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    const Value* parent =
        split.size() > 1 ? value::find(document, split, split.size() - 1) : nullptr;
    if (parent != nullptr && parent->is_object()) {
        note_repair(place);
        place.path = std::move(split);
    }
}

}  // namespace

Place place_of(const Instruction& instruction, const Path& path, const Value& document) {
    Place place;
    if (instruction.op == Op::kCallback) {
        place.path = path;
        return place;
    }
    Path& full = place.path;
    full.reserve(path.size() + 2);  // the mount, and the index into a described value
    const bool mvu = instruction.mount == Mount::kMvu;
    std::string_view key = name(instruction.mount);
    if (mvu && value::find_member(&document, name(Mount::kStatus)) != nullptr) {
        key = name(Mount::kStatus);
    }
    if (!key.empty()) {
        full.emplace_back(key);
    }
    const std::size_t root = full.size();
    full.insert(full.end(), path.begin(), path.end());
    // MVU first tries the whole text as one key of its root, dots included. For a path whose syntax
    // separates its names, that holds only if the path itself leads nowhere.
    const Value* around = mvu ? value::find(document, full, root) : nullptr;
    if (mvu && path.size() > 1 && may_be_one_key(around, path) &&
        (instruction.dotted || value::find(document, full) == nullptr)) {
        const std::string joined = value::print_path(path, value::PathSyntax::kDotted);
        if (around->as_object().contains(joined)) {
            full.erase(full.begin() + static_cast<std::ptrdiff_t>(root), full.end());
            full.emplace_back(std::string_view(joined));
            return place;
        }
    }
    drop_prefix(place, instruction, root, document);
    if (instruction.mount == Mount::kAssets) {
        find_module(place, document);
    }
    split_slashes(place, document);
    return place;
}

}  // namespace arbiter::engine
