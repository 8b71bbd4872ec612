#include "engine/internal/paths.h"

#include <algorithm>

#include "value/array.h"

namespace arbiter::engine::internal {

using value::Path;
using value::Segment;
using value::Value;

bool begins_with(const Path& path, const Path& prefix) noexcept {
    return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

Path with_last(Path path, Segment segment) {
    path.back() = std::move(segment);
    return path;
}

Path child_of(const Path& parent, Segment member) {
    Path path = parent;
    path.push_back(std::move(member));
    return path;
}

bool is_same_address(const Path& a, const Path& b) noexcept {
    return std::ranges::equal(
        a, b, [](const Segment& x, const Segment& y) { return x.as_key() == y.as_key(); });
}

Path canonical(Path path, const Value& document) {
    // Fast path: only a key of digits can turn into an index.
    if (std::ranges::none_of(path, [](const Segment& segment) {
            return !segment.is_index() && segment.as_position();
        })) {
        return path;
    }
    const Value* at = &document;
    for (Segment& segment : path) {
        const auto step = at != nullptr ? value::step_into(*at, segment) : std::nullopt;
        if (step && at->is_array()) {
            segment = Segment(static_cast<std::int64_t>(step->position));
        }
        at = step ? step->value : nullptr;
    }
    return path;
}

Path absolute(Path path, const Value& document) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i].is_index() && path[i].index() < 0) {
            const Value* list = value::find(document, path, i);
            if (list != nullptr && list->is_array()) {
                path[i] =
                    Segment(static_cast<std::int64_t>(list->as_array().size()) + path[i].index());
            }
        }
    }
    return canonical(std::move(path), document);
}

bool counts_from_the_end(const Path& path) noexcept {
    return std::ranges::any_of(
        path, [](const Segment& segment) { return segment.is_index() && segment.index() < 0; });
}

bool follow(Path& path, const Shift& shift) {
    if (path.size() <= shift.list.size() || !begins_with(path, shift.list) ||
        !path[shift.list.size()].is_index()) {
        return true;
    }
    Segment& place = path[shift.list.size()];
    const auto index = static_cast<std::size_t>(place.index());
    if (index >= shift.at && index - shift.at < shift.removed) {
        return false;
    }
    if (index >= shift.at) {
        place = Segment(static_cast<std::int64_t>(index - shift.removed + shift.inserted));
    }
    return true;
}

}  // namespace arbiter::engine::internal
