// StepDiff: the changes of one instruction to the document.
//
// Most instructions replace the value at their path once. StepDiff notes such a replacement while
// it happens, so its diff needs no comparison of two documents.
#pragma once

#include <optional>

#include "engine/internal/lookup.h"
#include "value/diff.h"

namespace arbiter::engine::internal {

class StepDiff {
  public:
    // `before` is the lookup of the instruction's path in the document before it.
    explicit StepDiff(const Lookup& before) noexcept
        : marked_(before.marked), plain_(before.plain) {}

    // To be called for every edit. `replaced` is given if the edit replaces the value at the path
    // (or, with `inside`, the value of the described pair there) and no edit came before it.
    void note_edit(std::optional<value::Value> replaced = {}, bool inside = false);
    [[nodiscard]] bool has_edits() const noexcept { return edits_ > 0; }
    // The only edit put something in the place of a scalar, and no mark is on the way to it.
    [[nodiscard]] bool is_unmarked_swap() const noexcept {
        return replaced_ && !replaced_->is_container() && !marked_;
    }

    [[nodiscard]] bool is_known() const noexcept { return diff_.has_value(); }
    // Finds the diff without comparing documents; false if the edits do not allow it. `now` is the
    // value at the path after the edits, or nullptr.
    bool find_swap(const value::Path& path, const value::Value* now);
    void compare(const value::Value& before, const value::Value& after);
    // Requires is_known().
    [[nodiscard]] const value::Diff& get() const noexcept { return *diff_; }
    [[nodiscard]] value::Diff take() && { return *std::exchange(diff_, std::nullopt); }

  private:
    const bool marked_;
    const bool plain_;
    std::size_t edits_ = 0;
    std::optional<value::Value> replaced_;
    bool inside_ = false;
    std::optional<value::Diff> diff_;  // nothing: not computed since the last edit
};

}  // namespace arbiter::engine::internal
