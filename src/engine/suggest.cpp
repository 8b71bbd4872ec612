#include "engine/suggest.h"

#include <deque>
#include <string_view>
#include <vector>

#include "text/nearest.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::engine {

using value::Path;
using value::Segment;
using value::Value;

namespace {

// Nodes visited by one search, so that a hint stays cheap on any document.
constexpr std::size_t kSearchMax = 5000;

// Breadth-first search below `start` for a member with this key.
std::optional<Path> find_name(const Value& start, const Path& prefix, std::string_view name) {
    struct Place {
        const Value* value;
        Path path;
    };
    std::deque<Place> open = {{&start, prefix}};
    std::size_t seen = 0;
    while (!open.empty() && seen < kSearchMax) {
        const Place place = std::move(open.front());
        open.pop_front();
        if (!place.value->is_object()) {
            continue;
        }
        for (const auto& [key, member] : place.value->as_object()) {
            Path path = place.path;
            path.emplace_back(key);
            if (key == name) {
                return path;
            }
            if (++seen >= kSearchMax) {
                return std::nullopt;
            }
            if (member.is_object()) {
                open.push_back({&member, std::move(path)});
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<Path> suggest_path(const Value& document, const Path& path) {
    Path known;
    const Value* at = &document;
    for (const Segment& segment : path) {
        const auto step = value::step_into(*at, segment);
        if (!step) {
            break;
        }
        at = step->value;
        known.push_back(segment);
    }
    if (known.size() == path.size() || path.back().is_index()) {
        return std::nullopt;
    }
    if (at->is_object()) {
        std::vector<std::string_view> names;
        for (const auto& [key, member] : at->as_object()) {
            names.push_back(key);
        }
        const value::Str wanted = path[known.size()].as_key();
        if (const auto meant = text::nearest(wanted, names)) {
            Path corrected = known;
            corrected.emplace_back(*meant);
            corrected.insert(corrected.end(),
                             path.begin() + static_cast<std::ptrdiff_t>(known.size()) + 1,
                             path.end());
            if (value::find(document, corrected) != nullptr) {
                return corrected;
            }
        }
    }
    if (auto below = find_name(*at, known, path.back().key())) {
        return below;
    }
    return find_name(document, {}, path.back().key());
}

}  // namespace arbiter::engine
