// Diffs as JSON: our own form, which loses nothing, and JSON Patch for everybody else.
#include <array>
#include <unordered_map>

#include "base/check.h"
#include "value/array.h"
#include "value/builder.h"
#include "value/diff.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"add", "remove", "replace"};

std::string_view name(Change::Kind kind) noexcept {
    return kKinds[static_cast<std::size_t>(kind)];
}

base::Result<Change> change_from(const Value& value, std::size_t index) {
    const auto bad = [index] {
        return base::fail(base::ErrorCode::kDiffFormat, {std::to_string(index + 1)});
    };
    if (!value.is_object()) {
        return bad();
    }
    const Object& object = value.as_object();
    const Value* kind = object.find("kind");
    const Value* path = object.find("path");
    if (kind == nullptr || !kind->is_string() || path == nullptr) {
        return bad();
    }
    std::size_t which = 0;
    while (which < kKinds.size() && kKinds[which] != kind->as_string()) {
        ++which;
    }
    auto segments = path_from_value(*path);
    if (which == kKinds.size() || !segments) {
        return bad();
    }
    Change change{static_cast<Change::Kind>(which), *std::move(segments), 0, {}, {}};
    if (change.kind != Change::Kind::kReplace) {
        const Value* position = object.find("position");
        if (position == nullptr || !position->is_int() || position->as_int() < 0) {
            return bad();
        }
        change.position = static_cast<std::size_t>(position->as_int());
    }
    const Value* before = object.find("before");
    const Value* after = object.find("after");
    if ((change.kind != Change::Kind::kAdd && before == nullptr) ||
        (change.kind != Change::Kind::kRemove && after == nullptr)) {
        return bad();
    }
    if (before != nullptr && change.kind != Change::Kind::kAdd) {
        change.before = *before;
    }
    if (after != nullptr && change.kind != Change::Kind::kRemove) {
        change.after = *after;
    }
    return change;
}

}  // namespace

void push_diff(Builder& builder, const Diff& changes) {
    for (const Change& change : changes) {
        std::size_t members = 0;
        const auto put = [&](std::string_view key, Value value) {
            builder.push_key(key);
            builder.push(std::move(value));
            ++members;
        };
        put("kind", name(change.kind));
        builder.push_key("path");
        for (const Segment& segment : change.path) {
            builder.push(segment.value());
        }
        builder.close_array(change.path.size());
        ++members;
        if (change.kind != Change::Kind::kReplace) {
            put("position", static_cast<std::int64_t>(change.position));
        }
        if (change.kind != Change::Kind::kAdd) {
            put("before", change.before);
        }
        if (change.kind != Change::Kind::kRemove) {
            put("after", change.after);
        }
        const bool repeated = builder.close_object(members);
        CHECK(!repeated);
    }
    builder.close_array(changes.size());
}

Value diff_to_value(const Diff& changes) {
    Builder builder;
    push_diff(builder, changes);
    return builder.take();
}

base::Result<Diff> diff_from_value(const Value& value) {
    if (!value.is_array()) {
        return base::fail(base::ErrorCode::kDiffFormat, {"1"});
    }
    Diff changes;
    for (const Value& item : value.as_array()) {
        auto change = change_from(item, changes.size());
        if (!change) {
            return std::unexpected(std::move(change).error());
        }
        changes.push_back(*std::move(change));
    }
    return changes;
}

Value diff_to_patch(const Diff& changes) {
    // A member that was removed and is added again further on has moved: to JSON Patch, that is
    // at most a new value.
    const auto is_member = [](const Change& change) {
        return !change.path.empty() && !change.path.back().is_index();
    };
    std::unordered_map<std::string, const Change*> removed;
    std::unordered_map<std::string, const Change*> moved;
    for (const Change& change : changes) {
        if (change.kind == Change::Kind::kReplace || !is_member(change)) {
            continue;
        }
        std::string pointer = print_path(change.path, PathSyntax::kPointer);
        if (change.kind == Change::Kind::kRemove) {
            removed.emplace(std::move(pointer), &change);
        } else if (const auto old = removed.find(pointer); old != removed.end()) {
            moved.emplace(std::move(pointer), old->second);
        }
    }
    std::vector<Value> operations;
    for (const Change& change : changes) {
        const std::string pointer = print_path(change.path, PathSyntax::kPointer);
        std::string_view op = name(change.kind);
        const auto move = moved.find(pointer);
        if (change.kind != Change::Kind::kReplace && is_member(change) && move != moved.end()) {
            if (change.kind == Change::Kind::kRemove || change.after == move->second->before) {
                continue;
            }
            op = name(Change::Kind::kReplace);
        }
        Object object = {{"op", op}, {"path", std::string_view(pointer)}};
        if (change.kind != Change::Kind::kRemove) {
            object = std::move(object).set("value", change.after);
        }
        operations.emplace_back(std::move(object));
    }
    return Array(operations);
}

}  // namespace arbiter::value
