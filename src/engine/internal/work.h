// Work: one instruction while it is carried out, on a scratch copy of the state.
//
// Operations and checks read and edit the document through it. An instruction that fails leaves its
// problem in the verdict, and the Work is dropped: the state before it is untouched. A Work borrows
// all of its inputs and is for one owner.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/internal/details.h"
#include "engine/internal/lookup.h"
#include "engine/internal/paths.h"
#include "engine/internal/step_diff.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/object.h"

namespace arbiter::engine::internal {

using proposal::Code;
using proposal::Instruction;
using proposal::Op;
using proposal::Warning;

struct WorkInputs {
    const State& before;
    const proposal::Proposal& proposal;
    const Instruction& instruction;  // of the proposal
    const Policy& policy;
    const Context& context;
    const Lookup& lookup;  // of the verdict's path in the document before
    base::Budget& budget;
};

class Work {
  public:
    // `judged` has the path in the document, mount included.
    Work(const WorkInputs& inputs, Verdict& judged);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() = default;

    const State& before;
    const proposal::Proposal& proposal;
    const Instruction& instruction;
    const Policy& policy;
    const Context& context;
    base::Budget& budget;
    const value::Path& path;  // in the document, mount included
    value::Path from;         // likewise, of move and copy
    value::Object meta;       // the engine's own data, as it will be
    Verdict& verdict;
    std::vector<Event> events;
    bool deduped = false;  // the element was there already, so nothing was written
    // The members or elements that were written, if those are not the path itself.
    std::optional<std::vector<value::Path>> written;
    // How array elements moved, in the order in which it happened.
    std::vector<Shift> shifts;

    // ---- the outcome: each sets the verdict's problem and returns false
    bool fail(Code code, std::vector<std::string> details);
    bool fail_type(const value::Value& found, std::string_view needed);
    bool skip(std::string_view guard);
    // Spends steps of the turn's budget.
    bool spend(std::uint64_t steps);
    void warn(Warning warning) { verdict.warnings.add(warning); }
    void warn(proposal::Remark remark);

    // ---- reading
    [[nodiscard]] const value::Value& document() const noexcept { return document_.root(); }
    // The value at a path of the document, or nullptr.
    [[nodiscard]] const value::Value* at(const value::Path& where) const noexcept {
        return value::find(document(), where);
    }
    // The value at `path`, now and before the instruction, or nullptr. Cached.
    [[nodiscard]] const value::Value* target() const noexcept;
    [[nodiscard]] const value::Value* target_before() const noexcept;
    // The target, or the value of the described pair that scalar operations see through; and its
    // path. The path reference is valid until the next call.
    [[nodiscard]] const value::Value* scalar() const noexcept;
    [[nodiscard]] const value::Path& scalar_path() const;

    // An option of the instruction, or nullptr.
    [[nodiscard]] const value::Value* option(std::string_view name) const noexcept {
        return instruction.options.find(name);
    }
    // Whether an option is true.
    [[nodiscard]] bool has_flag(std::string_view name) const noexcept;
    [[nodiscard]] std::string text_option(std::string_view name, std::string fallback) const;

    // Whether a set may create a path that does not exist.
    [[nodiscard]] bool may_create(const value::Path& where) const;

    // ---- editing; false, with the problem set, if that is not possible
    // Puts a value at a path. `creates`: missing parents are made.
    bool put(const value::Path& where, value::Value value, bool creates);
    bool erase(const value::Path& where);
    // As `add` of RFC 6902: inserts an array element, adds or replaces a member.
    bool add(const value::Path& where, value::Value value, bool creates);
    // Notes a splice of the array at a path. To be called before the new array is put.
    void shift(const value::Path& list, std::size_t at, std::size_t removed, std::size_t inserted);
    // Makes the instruction address another path.
    void retarget(value::Path where);

    // ---- the result
    // The changes so far.
    const value::Diff& changes();
    // True only if all that was done is one scalar put in the place of another, with no mark on the
    // way: then no version, protected or hidden node can be affected.
    [[nodiscard]] bool is_unmarked_swap() const noexcept { return diff_.is_unmarked_swap(); }
    [[nodiscard]] value::Diff take_changes() &&;
    [[nodiscard]] State take_state() &&;

  private:
    bool make_parents(const value::Path& where);
    bool fail_put(const value::Path& where, const base::Error& error);
    [[nodiscard]] bool sees_through() const noexcept;
    void note_edit(std::optional<value::Value> replaced = {}, bool inside = false);

    value::Path path_;
    value::Editor document_;
    // Caches of target() and target_before(); nothing: not looked up.
    mutable std::optional<const value::Value*> target_;
    mutable std::optional<const value::Value*> target_before_;
    mutable value::Path inner_path_;  // scalar_path() of a described value
    StepDiff diff_;
};

// Whether scalar operations of a dialect act on the first element of this value, because it is a
// described pair (value/described.h).
bool is_transparent(const value::Value& value, proposal::Described rule) noexcept;

}  // namespace arbiter::engine::internal
