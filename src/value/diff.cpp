#include "value/diff.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/check.h"
#include "value/array.h"
#include "value/builder.h"
#include "value/editor.h"
#include "value/hash.h"
#include "value/internal/pair_walk.h"
#include "value/internal/sequence_diff.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using internal::Direction;
using internal::Header;
using internal::Leaf;

// A member of one version that may have no counterpart in the other, or another position.
struct Loose {
    const Str* key;
    const Value* value;
    std::size_t position;
    std::size_t section;  // which gap between shared parts it is in
    Loose* partner = nullptr;
    bool stays = false;
};

class Differ {
  public:
    explicit Differ(Diff& out) : out_(out) {
        path_.reserve(16);  // as deep as most documents go
    }

    void compare(const Value& a, const Value& b) {
        if (a.is_identical(b)) {
            return;
        }
        if (!a.is_container() || a.kind() != b.kind()) {
            if (!(a == b)) {
                emit(Change::Kind::kReplace, 0, a, b);
            }
            return;
        }
        const std::size_t changes = out_.size();
        const std::uint64_t cost = cost_;
        const std::uint64_t outer_limit = limit_;
        limit_ = cost + kCostFactor * (weight(a) + weight(b)) + kCostFree;
        if (a.is_object()) {
            objects(a, b);
        } else {
            arrays(a, b);
        }
        if (is_too_long()) {
            out_.resize(changes, {Change::Kind::kReplace, {}, 0, {}, {}});
            cost_ = cost;
            emit(Change::Kind::kReplace, 0, a, b);
        }
        limit_ = outer_limit;
    }

  private:
    // Replaces the changes inside a container by one replacement of it if they, with their paths,
    // would be several times as large. Otherwise many changes deep down under long keys could make
    // a huge diff of small documents.
    static constexpr std::uint64_t kCostFactor = 4;
    static constexpr std::uint64_t kCostFree = 4096;

    static std::uint64_t weight(const Value& value) noexcept {
        // Sums stop here.
        constexpr std::uint64_t kEnough = std::uint64_t{1} << 40;
        return std::min(weigh(value), kEnough);
    }
    [[nodiscard]] bool is_too_long() const noexcept { return cost_ > limit_; }

    void emit(Change::Kind kind, std::size_t position, const Value& before, const Value& after) {
        cost_ += path_weight_ + weight(before) + weight(after);
        out_.push_back({kind, path_, position, before, after});
    }
    void enter(Segment segment) {
        path_weight_ += kSegmentWeight + (segment.is_index() ? 0 : segment.key().size());
        path_.push_back(std::move(segment));
    }
    void leave() {
        const Segment& segment = path_.back();
        path_weight_ -= kSegmentWeight + (segment.is_index() ? 0 : segment.key().size());
        path_.pop_back();
    }
    void compare_at(Segment segment, const Value& a, const Value& b) {
        if (is_too_long()) {
            return;
        }
        enter(std::move(segment));
        compare(a, b);
        leave();
    }
    void emit_at(Segment segment, Change::Kind kind, std::size_t position, const Value& before,
                 const Value& after) {
        if (is_too_long()) {
            return;
        }
        enter(std::move(segment));
        emit(kind, position, before, after);
        leave();
    }

    void objects(const Value& a, const Value& b) {
        std::vector<Loose> left;
        std::vector<Loose> right;
        std::size_t left_position = 0;
        std::size_t right_position = 0;
        std::size_t section = 0;
        const auto collect = [&section](std::vector<Loose>& to, const Leaf* leaf,
                                        std::size_t& position) {
            for (std::size_t i = 0; i < leaf->size; ++i) {
                to.push_back({&leaf->keys->names()[i], &leaf->items()[i], position++, section});
            }
        };
        internal::walk_unshared_leaves(
            internal::tree_of(a), internal::tree_of(b),
            [&](const Leaf* x, const Leaf* y) {
                if (x != nullptr && y != nullptr && x->keys == y->keys) {
                    // Same keys in the same order: only values can differ.
                    for (std::size_t i = 0; i < x->size; ++i) {
                        if (!x->items()[i].is_identical(y->items()[i])) {
                            compare_at(x->keys->names()[i], x->items()[i], y->items()[i]);
                        }
                    }
                    left_position += x->size;
                    right_position += y->size;
                    ++section;
                    return true;
                }
                if (x != nullptr) {
                    collect(left, x, left_position);
                }
                if (y != nullptr) {
                    collect(right, y, right_position);
                }
                return true;
            },
            [&](const Header* shared) {
                left_position += internal::tree_size(shared);
                right_position += internal::tree_size(shared);
                ++section;
            });
        if (!left.empty() || !right.empty()) {
            loose_members(a, b, left, right);
        }
    }

    // Removes and adds members without a counterpart or with another position; descends into the
    // rest.
    void loose_members(const Value& a, const Value& b, std::vector<Loose>& left,
                       std::vector<Loose>& right) {
        if (pair_up(b.as_object(), left, right) == 0 && !left.empty() && !right.empty() &&
            left.size() == a.as_object().size() && right.size() == b.as_object().size()) {
            emit(Change::Kind::kReplace, 0, a, b);
            return;
        }
        // From the back, so that positions refer to the old version.
        for (auto member = left.rbegin(); member != left.rend(); ++member) {
            if (!member->stays) {
                emit_at(*member->key, Change::Kind::kRemove, member->position, *member->value, {});
            }
        }
        // From the front, so that positions refer to the new version.
        for (const Loose& member : right) {
            if (!member.stays) {
                emit_at(*member.key, Change::Kind::kAdd, member.position, {}, *member.value);
            }
        }
        for (const Loose& member : right) {
            if (member.stays) {
                compare_at(*member.key, *member.partner->value, *member.value);
            }
        }
    }

    // Pairs members by key and marks those that can keep their position. Returns the number of
    // pairs.
    static std::size_t pair_up(const Object& b, std::vector<Loose>& left,
                               std::vector<Loose>& right) {
        std::vector<Loose*> paired;  // of the left side, in its order
        for (Loose& member : left) {
            const auto position = b.position_of(*member.key);
            if (!position) {
                continue;
            }
            const auto partner = std::ranges::lower_bound(right, *position, {}, &Loose::position);
            if (partner != right.end() && partner->position == *position) {
                member.partner = &*partner;
                partner->partner = &member;
                paired.push_back(&member);
            }
        }
        std::vector<std::size_t> places;
        std::vector<Loose*> candidates;
        const auto settle = [&] {
            const std::vector<bool> rising = internal::longest_rising(places);
            for (std::size_t i = 0; i < places.size(); ++i) {
                candidates[i]->stays = rising[i];
                candidates[i]->partner->stays = rising[i];
            }
            places.clear();
            candidates.clear();
        };
        for (std::size_t i = 0; i < paired.size(); ++i) {
            if (i > 0 && paired[i]->section != paired[i - 1]->section) {
                settle();
            }
            if (paired[i]->section == paired[i]->partner->section) {
                places.push_back(paired[i]->partner->position);
                candidates.push_back(paired[i]);
            }
        }
        settle();
        return paired.size();
    }

    void arrays(const Value& a, const Value& b) {
        const ChangedRun run = changed_run(a, b);
        if (run.before_end - run.begin == 1 && run.after_end - run.begin == 1) {
            compare_at(static_cast<std::int64_t>(run.begin), a.as_array()[run.begin],
                       b.as_array()[run.begin]);
        } else if (run.before_end != run.begin || run.after_end != run.begin) {
            runs(a.as_array(), b.as_array(), run.begin, run.before_end, run.after_end);
        }
    }

    // One run of differing elements: a[left…] became b[right…].
    struct Stretch {
        std::size_t left;
        std::size_t left_end;
        std::size_t right;
        std::size_t right_end;
        // Elements are paired as changed; the surplus is removed or added behind them.
        [[nodiscard]] std::size_t changed() const noexcept {
            return std::min(left_end - left, right_end - right);
        }
    };

    void runs(const Array& a, const Array& b, std::size_t head, std::size_t left_end,
              std::size_t right_end) {
        const auto elements = [](const Array& array, std::size_t from, std::size_t until) {
            std::vector<const Value*> result;
            result.reserve(until - from);
            for (std::size_t i = from; i < until; ++i) {
                result.push_back(&array[i]);
            }
            return result;
        };
        const std::vector<const Value*> left = elements(a, head, left_end);
        const std::vector<const Value*> right = elements(b, head, right_end);
        std::vector<Stretch> stretches;
        Stretch open{head, head, head, head};
        const auto close = [&](std::size_t left_until, std::size_t right_until) {
            open.left_end = left_until;
            open.right_end = right_until;
            if (open.left != left_until || open.right != right_until) {
                stretches.push_back(open);
            }
            open.left = left_until + 1;
            open.right = right_until + 1;
        };
        for (const auto& [i, j] : internal::common_elements(left, right)) {
            close(head + i, head + j);
        }
        close(left_end, right_end);
        for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch) {
            for (std::size_t i = stretch->left_end; i > stretch->left + stretch->changed(); --i) {
                emit_at(static_cast<std::int64_t>(i - 1), Change::Kind::kRemove, i - 1,
                        *left[i - 1 - head], {});
            }
        }
        for (const Stretch& stretch : stretches) {
            for (std::size_t j = stretch.right + stretch.changed(); j < stretch.right_end; ++j) {
                emit_at(static_cast<std::int64_t>(j), Change::Kind::kAdd, j, {}, *right[j - head]);
            }
        }
        for (const Stretch& stretch : stretches) {
            for (std::size_t k = 0; k < stretch.changed(); ++k) {
                compare_at(static_cast<std::int64_t>(stretch.right + k),
                           *left[stretch.left + k - head], *right[stretch.right + k - head]);
            }
        }
    }

    static constexpr std::uint64_t kSegmentWeight = 8;

    Diff& out_;
    Path path_;
    std::uint64_t path_weight_ = 0;
    std::uint64_t cost_ = 0;
    std::uint64_t limit_ = ~std::uint64_t{0};
};

}  // namespace

ChangedRun changed_run(const Value& before, const Value& after) {
    const Header* left = internal::tree_of(before);
    const Header* right = internal::tree_of(after);
    const std::size_t left_size = internal::tree_size(left);
    const std::size_t right_size = internal::tree_size(right);
    const auto equal_run = [&]<Direction kDirection>() {
        std::size_t run = std::min(left_size, right_size);
        internal::for_each_unshared<kDirection>(
            left, right, [&run](std::size_t n, const auto& x, const auto& y) {
                if (same_bytes(x.value(), y.value())) {
                    return true;
                }
                run = n;
                return false;
            });
        return run;
    };
    const std::size_t head = equal_run.template operator()<Direction::kForward>();
    const std::size_t tail = std::min(equal_run.template operator()<Direction::kBackward>(),
                                      std::min(left_size, right_size) - head);
    return {head, left_size - tail, right_size - tail};
}

Diff diff(const Value& before, const Value& after) {
    // Cached hashes let the comparison skip or reject whole subtrees.
    seal(before);
    seal(after);
    return diff_of_step(before, after);
}

Diff diff_of_step(const Value& before, const Value& after) {
    Diff changes;
    Differ(changes).compare(before, after);
    return changes;
}

Diff invert(const Diff& changes) {
    Diff back;
    back.reserve(changes.size());
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        using enum Change::Kind;
        const Change::Kind kind = change->kind == kAdd      ? kRemove
                                  : change->kind == kRemove ? kAdd
                                                            : kReplace;
        back.push_back({kind, change->path, change->position, change->after, change->before});
    }
    return back;
}

namespace {

// Whether the document has the value that a change replaces or removes, at its position, and lacks
// the member that it adds.
bool fits(const Change& change, const Value& document) {
    if (change.path.empty()) {
        return change.kind == Change::Kind::kReplace && same_bytes(document, change.before);
    }
    const Path parent(change.path.begin(), change.path.end() - 1);
    const Value* container = find(document, parent);
    if (container == nullptr || !container->is_container() ||
        (container->is_array() && !change.path.back().is_index())) {
        return false;
    }
    if (change.kind == Change::Kind::kAdd) {
        return container->is_object() || change.path.back().as_position() == change.position;
    }
    const auto step = step_into(*container, change.path.back());
    return step && same_bytes(*step->value, change.before) &&
           (change.kind == Change::Kind::kReplace || step->position == change.position);
}

}  // namespace

base::Result<Value> apply_diff(const Diff& changes, Value document) {
    Editor editor(std::move(document));
    for (const Change& change : changes) {
        bool done = fits(change, editor.root());
        if (done) {
            switch (change.kind) {
                case Change::Kind::kAdd:
                    done = editor.insert(change.path, change.position, change.after).has_value();
                    break;
                case Change::Kind::kRemove:
                    done = editor.erase(change.path).has_value();
                    break;
                case Change::Kind::kReplace:
                    done = editor.set(change.path, change.after).has_value();
                    break;
            }
        }
        if (!done) {
            return base::fail(base::ErrorCode::kDiffMismatch,
                              {print_path(change.path, PathSyntax::kDotted)});
        }
    }
    return std::move(editor).take();
}

// ---- as JSON

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
    // A member that is removed and added again has moved. In JSON Patch that is at most a new
    // value.
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
