// Work: one instruction while it is carried out, on a scratch version of the state.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/object.h"

namespace arbiter::engine::internal {

using proposal::Code;
using proposal::Instruction;
using proposal::Op;
using proposal::Warning;

// A change of places in a list: from `at` on, `gone` elements went and `come` came instead.
struct Shift {
    value::Path list;
    std::size_t at;
    std::size_t gone;
    std::size_t come;
};

// Where a path leads after such a change. False: what it led to went.
bool follow(value::Path& path, const Shift& shift);

// The way to a path through a document, looked at once.
struct Way {
    const value::Value* end = nullptr;  // what stands at the path
    bool marked = false;  // an object on it, the last included, has a mark that means something
    bool plain = true;    // names lead through objects and numbers through lists
};
Way way_of(const value::Value& document, const value::Path& path) noexcept;

class Work {
  public:
    // `judged` has the path in the document, mount included.
    Work(const State& state, const proposal::Proposal& proposal, const Instruction& instruction,
         const Policy& policy, const Context& context, Verdict& judged, const Way& way);
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() = default;

    // The state so far.
    [[nodiscard]] const value::Value& document() const noexcept { return document_.root(); }
    value::Object meta;
    const State& before;  // the instruction
    const proposal::Proposal& proposal;
    const Instruction& instruction;
    const Policy& policy;
    const Context& context;
    const value::Path& path;  // in the document, mount included
    value::Path from;         // likewise, of move and copy
    Verdict& verdict;
    std::vector<Event> events;
    bool deduped = false;
    // The members or elements that were written, where those are not the path itself.
    std::optional<std::vector<value::Path>> brought;
    // How places in lists changed, in the order in which it happened.
    std::vector<Shift> shifts;

    // False, with the verdict's problem set.
    bool fail(Code code, std::vector<std::string> details);
    bool fail_type(const value::Value& found, std::string_view needed);
    bool skip(std::string_view guard);
    void warn(Warning warning) { verdict.warnings.add(warning); }

    // What stands at a path of the document, or nullptr.
    [[nodiscard]] const value::Value* at(const value::Path& where) const noexcept {
        return value::find(document(), where);
    }
    // At the path, now and before the instruction. Asked for often, so looked up once a change.
    [[nodiscard]] const value::Value* target() const noexcept;
    [[nodiscard]] const value::Value* was() const noexcept;
    // The path of the target, or of element 0 where the target is a described value that scalar
    // operations see through; and what stands there.
    [[nodiscard]] const value::Path& scalar_path() const;
    [[nodiscard]] const value::Value* scalar() const noexcept;
    // The path is another one from here on.
    void lead_to(value::Path where);
    // All that was done is that one scalar took the place of another, where no marks are.
    [[nodiscard]] bool is_unmarked_swap() const noexcept;
    // What the work changed so far.
    const value::Diff& changes();
    [[nodiscard]] value::Diff take_changes() &&;

    // Changes of the document. False, with the problem set, where that is not possible.
    bool put(const value::Path& where, value::Value value, bool creates);
    bool erase(const value::Path& where);
    // As RFC 6902 adds: a list makes room at the place, a member is replaced.
    bool add(const value::Path& where, value::Value value, bool creates);
    // Says how places change in the list at a path, before it is put anew.
    void shift(const value::Path& list, std::size_t at, std::size_t gone, std::size_t come);

    // An option of the instruction, or nullptr; a flag that is true.
    [[nodiscard]] const value::Value* option(std::string_view name) const noexcept {
        return instruction.options.find(name);
    }
    [[nodiscard]] bool is_on(std::string_view name) const noexcept;
    [[nodiscard]] std::string text_option(std::string_view name, std::string otherwise) const;

    [[nodiscard]] State take() &&;

  private:
    bool open_way(const value::Path& where);
    [[nodiscard]] bool sees_through() const noexcept;
    [[nodiscard]] std::optional<value::Diff> swap_as_diff() const;
    // Before every change of the document.
    void forget() noexcept;

    value::Path path_;
    value::Editor document_;
    // Looked up before; nothing: not yet.
    mutable std::optional<const value::Value*> target_;
    mutable std::optional<const value::Value*> was_;
    mutable value::Path inner_;  // scalar_path() of a described value
    std::optional<value::Diff> changes_;
    Way way_;  // before the instruction
    std::size_t edits_ = 0;
    // By the only edit, if that put something at the path, or at the value that is described there.
    std::optional<value::Value> replaced_;
    bool replaced_inside_ = false;
};

bool begins_with(const value::Path& path, const value::Path& outer) noexcept;
// The path with another last segment.
value::Path with_last(value::Path path, value::Segment segment);
// Indexes of lists as numbers.
value::Path canonical(value::Path path, const value::Value& document);

std::string shown(const value::Path& path);
std::string shown(const value::Value& value);
std::string_view kind_text(const value::Value& value);

// A pair [value, "description"] that scalar operations see through.
bool is_described(const value::Value& value, proposal::Described rule) noexcept;

// Numbers of the game: whole ones exact, others to 12 significant digits. Nothing for x / 0 and
// for what is beyond all numbers.
std::optional<value::Value> calculate(const value::Value& left, proposal::Arithmetic operation,
                                      const value::Value& right);
value::Value round_digits(double number);

// A date as people write it: 2031-07-09, 2031-07-09 08:00, July 9, 2031 08:00:00; without a zone in
// UTC. Nothing for everything else ("Lv 3", "08:30").
std::optional<Instant> parse_date(std::string_view text);

// Equality without what the engine keeps in the document (__version).
bool equal_content(const value::Value& a, const value::Value& b);
value::Value without_versions(const value::Value& value, bool& found);
// A value to write, without what only the engine writes: versions, and rules where rules hold.
value::Value written(Work& work, const value::Value& value);

// ---- the operations, each false when it failed
bool run_set(Work& work);
bool run_merge(Work& work);
bool run_ensure(Work& work);
bool run_add(Work& work);
bool run_increment(Work& work);
bool run_insert(Work& work);
bool run_push(Work& work);
bool run_pull(Work& work);
bool run_pop(Work& work);
bool run_splice(Work& work);
bool run_delete(Work& work);
bool run_move(Work& work);
bool run_copy(Work& work);
bool run_get(Work& work);
bool run_callback(Work& work);
bool run_test(Work& work);
bool run_restore(Work& work);

// ---- what stands around them
bool check_guards(Work& work);
bool check_expect(Work& work);
// A number or, where asked for, a text of digits as a place in a list.
std::optional<std::size_t> whole_index(const value::Value& key, bool digits_too);
// Whether two elements are one and the same by the option uniqueBy, or else by their content.
bool is_same_element(const Work& work, const value::Value& a, const value::Value& b);

// The recycle bin. The one that a command asks for, or nothing, with the problem set, where that
// cannot take what is deleted at a path.
std::optional<value::Path> bin_for(Work& work, const value::Path& where);
bool soft_delete(Work& work, const value::Path& where, const value::Value& old);
// Where a record goes in a bin, and what is put there; nothing where the bin is no bin.
std::optional<std::pair<value::Path, value::Value>> bin_slot(const value::Value& document,
                                                             const value::Path& bin,
                                                             value::Object record);

// Versions: the object whose __version counts for a path, counting it, and keeping the versions of
// what was replaced together with what it is in.
bool check_version(Work& work);
void count_version(Work& work);

// Timers: set or cleared by a write; what has run out is removed before a batch.
bool check_timers(Work& work);
void keep_timers(Work& work, const value::Value& before);
void sweep(State& state, const Context& context, std::vector<Expired>& expired);

// Idempotency marks.
enum class Seen : std::uint8_t { kNew, kSame, kDifferent };
Seen find_mark(const Work& work);
void keep_mark(Work& work);

}  // namespace arbiter::engine::internal
