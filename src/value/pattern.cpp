#include "value/pattern.h"

#include <algorithm>

#include "value/array.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using StepKind = PatternStep::Kind;

// A key of digits equals the index.
bool is_same(const Segment& a, const Segment& b) {
    return a == b || (a.is_index() != b.is_index() && a.as_key() == b.as_key());
}

// Whether a segment matches one step. Appends its binding.
bool take(const PatternStep& step, const Segment& segment, Bindings& bindings) {
    if (step.kind == StepKind::kPlain) {
        return is_same(step.segment, segment);
    }
    if (step.name.view().empty()) {
        return true;
    }
    if (const Segment* bound = find_binding(bindings, step.name)) {
        return is_same(*bound, segment);
    }
    bindings.push_back({step.name, segment});
    return true;
}

// Visits all matches of the rest of a pattern below a value.
class Walk {
  public:
    Walk(const Pattern& pattern, const Visit& visit, Path path, Bindings bindings)
        : pattern_(pattern),
          visit_(visit),
          path_(std::move(path)),
          bindings_(std::move(bindings)) {}

    // Returns false if the visitor stopped.
    bool from(std::size_t step, const Value& value) {
        if (step == pattern_.size()) {
            return visit_(path_, bindings_, value);
        }
        const PatternStep& next = pattern_[step];
        if (next.kind == StepKind::kBelow) {
            return below(value);
        }
        if (next.kind == StepKind::kPlain) {
            const auto found = step_into(value, next.segment);
            return !found || into(found_segment(value, next.segment, found->position),
                                  *found->value, step + 1);
        }
        return members(value, [&](const Segment& segment, const Value& member) {
            const std::size_t bound = bindings_.size();
            const bool fits = take(next, segment, bindings_);
            const bool go_on = !fits || into(segment, member, step + 1);
            bindings_.erase(bindings_.begin() + static_cast<std::ptrdiff_t>(bound),
                            bindings_.end());
            return go_on;
        });
    }

  private:
    static Segment found_segment(const Value& value, const Segment& segment, std::size_t position) {
        return value.is_array() ? Segment(static_cast<std::int64_t>(position))
                                : Segment(segment.as_key());
    }
    bool into(Segment segment, const Value& member, std::size_t step) {
        path_.push_back(std::move(segment));
        const bool go_on = from(step, member);
        path_.pop_back();
        return go_on;
    }
    // All descendants, parents first.
    bool below(const Value& value) {
        return members(value, [&](const Segment& segment, const Value& member) {
            path_.push_back(segment);
            const bool go_on = visit_(path_, bindings_, member) && below(member);
            path_.pop_back();
            return go_on;
        });
    }
    template <typename Each>
    static bool members(const Value& value, Each each) {
        if (value.is_object()) {
            for (const auto& [key, member] : value.as_object()) {
                if (!each(Segment(key), member)) {
                    return false;
                }
            }
        } else if (value.is_array()) {
            std::int64_t position = 0;
            for (const Value& member : value.as_array()) {
                if (!each(Segment(position++), member)) {
                    return false;
                }
            }
        }
        return true;
    }

    const Pattern& pattern_;
    const Visit& visit_;
    Path path_;
    Bindings bindings_;
};

}  // namespace

base::Result<Pattern> parse_pattern(std::string_view text) {
    auto path = parse_path(text, PathSyntax::kDotted);
    if (!path) {
        return std::unexpected(std::move(path).error());
    }
    Pattern pattern;
    for (std::size_t i = 0; i < path->size(); ++i) {
        const Segment& segment = (*path)[i];
        PatternStep step;
        const std::string_view key = segment.is_index() ? std::string_view() : segment.key();
        if (key == "**") {
            if (i + 1 < path->size()) {
                return base::fail(base::ErrorCode::kPatternBelow, {std::string(text)});
            }
            step.kind = StepKind::kBelow;
        } else if (key == "*" || (key.size() > 1 && key[0] == '$')) {
            step.kind = StepKind::kOpen;
            step.name = Str(key == "*" ? std::string_view() : key.substr(1));
        } else {
            step.segment = segment;
        }
        pattern.push_back(std::move(step));
    }
    return pattern;
}

std::string print_pattern(const Pattern& pattern) {
    Path path;
    for (const PatternStep& step : pattern) {
        switch (step.kind) {
            case StepKind::kPlain:
                path.push_back(step.segment);
                break;
            case StepKind::kOpen:
                path.emplace_back(
                    step.name.view().empty() ? Str("*") : Str("$" + std::string(step.name.view())));
                break;
            case StepKind::kBelow:
                path.emplace_back("**");
                break;
        }
    }
    return print_path(path, PathSyntax::kDotted);
}

Pattern pattern_of(const Path& path) {
    Pattern pattern;
    for (const Segment& segment : path) {
        pattern.push_back({StepKind::kPlain, segment, {}});
    }
    return pattern;
}

const Segment* find_binding(const Bindings& bindings, std::string_view name) noexcept {
    const auto found = std::ranges::find_if(
        bindings, [name](const Binding& binding) { return binding.name.view() == name; });
    return found == bindings.end() ? nullptr : &found->segment;
}

std::optional<Path> bound_path(const Pattern& pattern, const Bindings& bindings) {
    Path path;
    for (const PatternStep& step : pattern) {
        if (step.kind == StepKind::kPlain) {
            path.push_back(step.segment);
            continue;
        }
        const Segment* bound =
            step.kind == StepKind::kOpen ? find_binding(bindings, step.name) : nullptr;
        if (bound == nullptr) {
            return std::nullopt;
        }
        path.push_back(*bound);
    }
    return path;
}

bool matches(const Pattern& pattern, const Path& path, Bindings& bindings) {
    const bool below = !pattern.empty() && pattern.back().kind == StepKind::kBelow;
    const std::size_t steps = pattern.size() - (below ? 1 : 0);
    if (below ? path.size() <= steps : path.size() != steps) {
        return false;
    }
    for (std::size_t i = 0; i < steps; ++i) {
        if (!take(pattern[i], path[i], bindings)) {
            return false;
        }
    }
    return true;
}

bool touches(const Pattern& pattern, const Path& path) noexcept {
    for (std::size_t i = 0; i < pattern.size() && i < path.size(); ++i) {
        if (pattern[i].kind == StepKind::kBelow) {
            return true;
        }
        Bindings none;
        if (pattern[i].kind == StepKind::kPlain && !take(pattern[i], path[i], none)) {
            return false;
        }
    }
    return true;
}

void visit_matches(const Pattern& pattern, const Value& document, const Visit& visit) {
    Walk(pattern, visit, {}, {}).from(0, document);
}

void visit_near(const Pattern& pattern, const Value& document, const Path& near,
                const Visit& visit) {
    Path path;
    Bindings bindings;
    const Value* at = &document;
    const bool below = !pattern.empty() && pattern.back().kind == StepKind::kBelow;
    const std::size_t steps = pattern.size() - (below ? 1 : 0);
    std::size_t i = 0;
    for (; i < near.size() && i < steps; ++i) {
        if (!take(pattern[i], near[i], bindings)) {
            return;
        }
        const auto found = step_into(*at, near[i]);
        if (!found) {
            return;
        }
        at = found->value;
        path.push_back(near[i]);
    }
    // With **, ancestors of `near` match as well.
    for (; below && i < near.size(); ++i) {
        const auto found = step_into(*at, near[i]);
        if (!found) {
            return;
        }
        at = found->value;
        path.push_back(near[i]);
        if (!visit(path, bindings, *at)) {
            return;
        }
    }
    Walk(pattern, visit, std::move(path), std::move(bindings)).from(std::min(i, steps), *at);
}

std::vector<Path> touched_places(const Diff& changes) {
    std::vector<Path> places;
    std::optional<std::size_t> list;  // of the places, the list whose members have moved
    for (const Change& change : changes) {
        Path path = change.path;
        // Later indexes refer to intermediate list states, so report the list itself.
        if (list && path.size() >= places[*list].size() &&
            std::equal(places[*list].begin(), places[*list].end(), path.begin())) {
            continue;
        }
        const bool moves =
            change.kind != Change::Kind::kReplace && !path.empty() && path.back().is_index();
        if (moves) {
            path.pop_back();
        }
        if (places.empty() || places.back() != path) {
            places.push_back(std::move(path));
        }
        if (moves) {
            list = places.size() - 1;
        }
    }
    return places;
}

}  // namespace arbiter::value
