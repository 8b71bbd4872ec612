// Timers: nodes that the engine removes at a given time (options ttl and expiresAt).
//
// A timer is {path, at, opId, bin?, reason?} in the state's meta, with a canonical path. Every
// instruction reports how elements of arrays moved (Work::shifts), and timers follow their nodes. A
// node that is removed, replaced or written anew loses its timer. engine/internal/expiry.h removes
// nodes whose time is over.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "engine/internal/path_index.h"
#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// ---- records in the metadata

value::Array timers_of(const value::Object& meta);
// Erases the member if there are none.
void set_timers(value::Object& meta, value::Array timers);
// Nothing if the record has no usable path.
std::optional<value::Path> path_of_timer(const value::Value& timer);
// The place and the record of an expired node in the recycle bin of its timer. Nothing if there is
// no bin or it is unusable: that does not prolong the node's life.
std::optional<std::pair<value::Path, value::Value>> slot_for(const value::Value& timer,
                                                             const value::Path& path,
                                                             const value::Value& document,
                                                             std::string_view id, Instant now);

// Checks before the operation that the recycle bin of a timed instruction can be used. False, with
// the problem set, if not.
bool check_timers(Work& work);

// The timers of a state while instructions change it, by path: an instruction costs the timers that
// it affects, not all of them. The metadata get the list when all are done.
class Timers {
  public:
    explicit Timers(const value::Object& meta) : stored_(timers_of(meta)), live_(stored_.size()) {}

    // After the operation: finds the affected timers. False, with the problem set, if there would
    // be too many timers, or following them is beyond the budget.
    bool prepare(Work& work);
    // Updates the timers for an instruction that took effect. prepare() must have been called.
    void update(Work& work);

    void begin_batch() { journal_.clear(); }
    // Returns to the last begin_batch().
    void roll_back();

    void save(value::Object& meta) const;

  private:
    struct Running {
        value::Value timer;
        std::optional<value::Path> path;  // nothing: it has ended
    };
    void load(const value::Value& document);
    void find_affected(Work& work, const std::vector<value::Path>& written);
    // Gives a timer another path, or ends it.
    void place(PathIndex::Number number, std::optional<value::Path> path);
    void move(PathIndex::Number number, std::optional<value::Path> path);

    value::Array stored_;
    bool loaded_ = false;
    bool is_pruned_ = false;        // some had ended before the first instruction
    bool is_written_ = false;       // the list in the metadata is outdated
    std::vector<Running> running_;  // in the order of the list
    PathIndex index_;               // of those that have not ended
    std::size_t live_;
    std::vector<PathIndex::Number> affected_;  // by the present instruction, ascending
    std::vector<std::pair<PathIndex::Number, std::optional<value::Path>>> journal_;
};

}  // namespace arbiter::engine::internal
