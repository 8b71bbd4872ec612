// FlagPhase: sets the flag of a full container, and clears containers whose flag was answered.
#pragma once

#include "rules/internal/context.h"

namespace arbiter::rules::internal {

class FlagPhase {
  public:
    explicit FlagPhase(ReactionContext& context) : context_(context) {}
    // Once a turn.
    void run();

  private:
    [[nodiscard]] bool is_up(const Flag& flag) const;
    void settle(const Flag& flag);
    void archive(const Flag& flag, value::Value gone);

    ReactionContext& context_;
};

}  // namespace arbiter::rules::internal
