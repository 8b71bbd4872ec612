// KnownStates: the states after some turns of a campaign, kept in memory. Rollbacks, re-rolls and
// the turns of other writers lead a few turns back or on, and need not be read from the last
// keyframe then. A known state cannot be out of date: the id of a turn vouches for it.
//
// The documents share what did not change between them. Copies share everything. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/engine.h"
#include "ledger/record.h"

namespace arbiter::ledger {

struct LoadedState {
    engine::State state;
    std::int64_t number = 0;
    std::int64_t story_number = 0;
    // Names → digests of the texts that the turn, or the last one before it that has any, was
    // played under. Empty: not known.
    value::Object rules;
};

class KnownStates {
  public:
    // nullptr: not known. Valid until the next add().
    [[nodiscard]] const LoadedState* find(const TurnId& id) const noexcept;
    // The oldest one ends beyond a limit.
    void add(const TurnId& id, LoadedState loaded);

  private:
    struct Entry {
        TurnId id;
        LoadedState loaded;
    };
    std::shared_ptr<const std::vector<Entry>> entries_;  // the newest last; nullptr: none
};

}  // namespace arbiter::ledger
