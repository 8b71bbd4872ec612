// Versions: what the engine counts in objects that have a __version.
#include <algorithm>
#include <limits>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kVersion = "__version";

// How much of a path leads to the object that counts for it: the target if it is one, else the
// nearest around it. 0: there is none.
std::size_t counted_length(const Value& document, const Path& path, std::size_t root) {
    std::size_t length = 0;
    const Value* at = &document;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto step = value::step_into(*at, path[i]);
        if (!step) {
            break;
        }
        at = step->value;
        length = i >= root && at->is_object() ? i + 1 : length;
    }
    return length;
}

Path beginning(const Path& path, std::size_t length) {
    return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)};
}

std::int64_t version_of(const Value* object) {
    const Value* version =
        object != nullptr && object->is_object() ? object->as_object().find(kVersion) : nullptr;
    return version != nullptr && version->is_int() ? version->as_int() : 0;
}

std::int64_t next_version(std::int64_t version) {
    return version < std::numeric_limits<std::int64_t>::max() ? version + 1 : version;
}

// Objects that were replaced together with what they are in go on counting. Elements of lists have
// no name by which they could be the same.
void keep_versions(Work& work, const Value& before, const Value& after, Path& where) {
    if (before == after || !before.is_object() || !after.is_object()) {
        return;
    }
    const Object old = before.as_object();
    const Object now = after.as_object();
    const Value* version = old.find(kVersion);
    if (version != nullptr && version->is_int() && !now.contains(kVersion)) {
        const bool same = equal_content(before, after);
        where.emplace_back(kVersion);
        work.put(where, same ? version->as_int() : next_version(version->as_int()), true);
        where.pop_back();
    }
    for (const auto& [key, member] : old) {
        const Value* there = member.is_object() ? now.find(key) : nullptr;
        if (there != nullptr) {
            where.emplace_back(key);
            keep_versions(work, member, *there, where);
            where.pop_back();
        }
    }
}

void count_object(Work& work, const Path& where, bool asked) {
    const Value* old = value::find(work.before.document, where);
    const Value* now = work.at(where);
    const bool had = old != nullptr && old->is_object() && old->as_object().contains(kVersion);
    if ((!had && !asked) || (old != nullptr && *old == *now)) {
        return;
    }
    Path version = where;
    version.emplace_back(kVersion);
    work.put(version, next_version(version_of(old)), true);
}

}  // namespace

bool check_version(Work& work) {
    const Value* wanted = work.option("ifVersion");
    if (wanted == nullptr) {
        return true;
    }
    const std::size_t length =
        counted_length(work.document(), work.path, work.policy.tavern_root.size());
    const std::int64_t present = length > 0 ? version_of(work.at(beginning(work.path, length))) : 0;
    if (wanted->is_int() && wanted->as_int() == present) {
        return true;
    }
    return work.fail(Code::kVersionConflict,
                     {shown(work.path), shown(*wanted), std::to_string(present)});
}

// An object opts in by having a __version, or by a command that asked for one.
void count_version(Work& work) {
    if (work.is_unmarked_swap() && work.instruction.options.empty()) {
        return;
    }
    const std::size_t root = work.policy.tavern_root.size();
    const auto keep = [&work](const Path& path, const Value* old, const Value* now) {
        if (old == nullptr || now == nullptr || !old->is_object() || !now->is_object()) {
            return;
        }
        // Where places shifted, another one stands there now.
        if (std::ranges::none_of(work.shifts, [&](const Shift& shift) {
                return begins_with(canonical(path, work.document()), shift.list);
            })) {
            Path where = path;
            keep_versions(work, Value(*old), Value(*now), where);
        }
    };
    if (work.brought) {
        for (const Path& path : *work.brought) {
            keep(path, value::find(work.before.document, path), work.at(path));
        }
    } else {
        keep(work.path, work.was(), work.target());
    }
    const std::size_t length = counted_length(work.document(), work.path, root);
    if (length == 0) {
        return;
    }
    Path where = beginning(work.path, length);
    // What was checked and then deleted leaves its count to nobody.
    const Value* checked = work.was();
    const bool gone = checked != nullptr && checked->is_object() && work.target() == nullptr;
    const bool asked = work.option("ifVersion") != nullptr && !gone;
    count_object(work, where, asked);
    if (work.text_option("versionScope", "target") != "ancestors") {
        return;
    }
    while (where.size() > root + 1) {
        where.pop_back();
        const Value* around = work.at(where);
        if (around != nullptr && around->is_object()) {
            count_object(work, where, false);
        }
    }
}

}  // namespace arbiter::engine::internal
