#include "engine/internal/step_diff.h"

#include <algorithm>

#include "value/array.h"

namespace arbiter::engine::internal {

using value::Path;
using value::Value;

void StepDiff::note_edit(std::optional<Value> replaced, bool inside) {
    diff_.reset();
    replaced_ = std::move(replaced);
    inside_ = inside;
    ++edits_;
}

// The result must equal that of value::diff_of_step.
bool StepDiff::find_swap(const Path& path, const Value* now) {
    // Beyond these limits diff_of_step may report a change at a container further up.
    constexpr std::size_t kSegmentsMax = 32;
    constexpr std::size_t kKeyBytesMax = 64;
    if (inside_ && now != nullptr) {
        now = now->is_array() && !now->as_array().empty() ? &now->as_array()[0] : nullptr;
    }
    if (!replaced_ || !plain_ || now == nullptr || path.size() > kSegmentsMax ||
        (replaced_->is_container() && now->kind() == replaced_->kind()) ||
        std::ranges::any_of(path, [](const value::Segment& segment) {
            return !segment.is_index() && segment.key().size() > kKeyBytesMax;
        })) {
        return false;
    }
    diff_.emplace();
    if (*now != *replaced_) {
        diff_->push_back({value::Change::Kind::kReplace, {}, 0, *replaced_, *now});
        Path& changed = diff_->back().path;
        changed.reserve(path.size() + 1);
        changed = path;
        if (inside_) {
            changed.emplace_back(0);
        }
    }
    return true;
}

void StepDiff::compare(const Value& before, const Value& after) {
    diff_ = value::diff_of_step(before, after);
}

}  // namespace arbiter::engine::internal
