#include "engine/internal/versions.h"

#include <algorithm>
#include <limits>

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kVersion = "__version";

// The length of the prefix of `path` that addresses the object whose version counts: the target if
// it is an object, else its nearest ancestor below the root. 0 if there is none.
std::size_t versioned_length(const Value& document, const Path& path, std::size_t root) {
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

Path prefix_of(const Path& path, std::size_t length) {
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

// Restores the versions of objects that were replaced together with their parent, one higher if the
// content changed. Array elements are left out: they have no key that identifies them.
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

Value without_versions(const Value& value, bool& found) {
    if (value.is_array()) {
        Array array = value.as_array();
        for (std::size_t i = 0; i < array.size(); ++i) {
            bool inside = false;
            Value cleaned = without_versions(array[i], inside);
            if (inside) {
                array = std::move(array).set(i, std::move(cleaned));
                found = true;
            }
        }
        return array;
    }
    if (!value.is_object()) {
        return value;
    }
    Object object = value.as_object();
    if (object.contains(kVersion)) {
        object = std::move(object).erase(kVersion);
        found = true;
    }
    for (const auto& [key, member] : value.as_object()) {
        bool inside = false;
        Value cleaned = without_versions(member, inside);
        if (inside && key != kVersion) {
            object = std::move(object).set(key, std::move(cleaned));
            found = true;
        }
    }
    return object;
}

bool equal_content(const Value& a, const Value& b) {
    if (a == b) {
        return true;
    }
    bool found = false;
    const Value left = without_versions(a, found);
    const Value right = without_versions(b, found);
    return found && left == right;
}

bool check_version(Work& work) {
    const Value* wanted = work.option("ifVersion");
    if (wanted == nullptr) {
        return true;
    }
    const std::size_t length =
        versioned_length(work.document(), work.path, work.policy.tavern_root.size());
    const std::int64_t present = length > 0 ? version_of(work.at(prefix_of(work.path, length))) : 0;
    if (wanted->is_int() && wanted->as_int() == present) {
        return true;
    }
    return work.fail(Code::kVersionConflict,
                     {detail_of(work.path), detail_of(*wanted), std::to_string(present)});
}

void count_version(Work& work) {
    if (work.is_unmarked_swap() && work.instruction.options.empty()) {
        return;
    }
    const std::size_t root = work.policy.tavern_root.size();
    const auto keep = [&work](const Path& path, const Value* old, const Value* now) {
        if (old == nullptr || now == nullptr || !old->is_object() || !now->is_object()) {
            return;
        }
        // After a splice the path addresses another element.
        if (std::ranges::none_of(work.shifts, [&](const Shift& shift) {
                return begins_with(canonical(path, work.document()), shift.list);
            })) {
            Path where = path;
            keep_versions(work, Value(*old), Value(*now), where);
        }
    };
    if (work.written) {
        for (const Path& path : *work.written) {
            keep(path, value::find(work.before.document, path), work.at(path));
        }
    } else {
        keep(work.path, work.target_before(), work.target());
    }
    const std::size_t length = versioned_length(work.document(), work.path, root);
    if (length == 0) {
        return;
    }
    Path where = prefix_of(work.path, length);
    // A deleted node's version counter is dropped, not inherited by its parent.
    const Value* checked = work.target_before();
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
