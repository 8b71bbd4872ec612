#include "rules/react.h"

#include <deque>

#include "base/limits.h"
#include "engine/numbers.h"
#include "rules/internal/change_phases.h"
#include "rules/internal/clock_phase.h"
#include "rules/internal/context.h"
#include "rules/internal/countdown_phase.h"
#include "rules/internal/flag_phase.h"
#include "rules/internal/visibility_phase.h"
#include "rules/internal/world_backup.h"

namespace arbiter::rules {
namespace {

using internal::ReactionState;

// The phases of one rulebook at the end of one turn. Not movable: the phases share the context.
class Reactor {
  public:
    Reactor(const Rulebook& book, const Turn& turn, ReactionState& state, VisibilityMemory* cache)
        : context_(book, turn, state),
          clock_(context_),
          countdowns_(context_, clock_),
          changes_(context_),
          flags_(context_),
          visibility_(context_, cache) {
        internal::back_up_worlds(context_);
    }
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;

    void round(bool first) {
        if (first) {
            changes_.correct_import();
        }
        clock_.pass_midnight();
        changes_.react_to_changes();
        const internal::DayStep step = clock_.count_days();
        countdowns_.run(step);
        changes_.derive();
        clock_.pass_days(step);
        if (first) {
            flags_.run();
        }
        changes_.keep_ranges();
        changes_.clean_up();
        visibility_.run();
    }

    void end() {
        visibility_.save();
        clock_.end_turn();
        context_.save();
    }

  private:
    internal::ReactionContext context_;
    internal::ClockPhase clock_;
    internal::CountdownPhase countdowns_;
    internal::ChangePhases changes_;
    internal::FlagPhase flags_;
    internal::VisibilityPhase visibility_;
};

// Rules may remove a limited number too.
void follow_rules(std::span<const std::shared_ptr<const Rulebook>> books,
                  const value::Value& before, ReactionState& state) {
    for (const auto& book : books) {
        if (engine::counts_changes(book->checks)) {
            engine::follow_numbers(
                state.meta, book->checks, before, state.document,
                value::touched_places(value::diff_of_step(before, state.document)));
        }
    }
}

}  // namespace

Reacted react(std::span<const std::shared_ptr<const Rulebook>> books, const Turn& turn,
              Memories* memories) {
    if (memories != nullptr) {
        memories->resize(books.size());
    }
    base::Budget own_budget;
    base::Budget& budget = turn.budget != nullptr ? *turn.budget : own_budget;
    ReactionState state{turn.outcome.state.document, turn.outcome.state.meta, budget, {}, {}};
    std::deque<Reactor> reactors;
    for (std::size_t i = 0; i < books.size(); ++i) {
        VisibilityMemory* memory = memories != nullptr ? &(*memories)[i] : nullptr;
        reactors.emplace_back(*books[i], turn, state, memory);
    }
    bool settled = books.empty();
    for (std::size_t round = 0; round < base::kReactionRoundsMax && !settled; ++round) {
        const std::size_t before = state.effects.size();
        for (Reactor& reactor : reactors) {
            reactor.round(round == 0);
        }
        settled = state.effects.size() == before;
    }
    if (!state.effects.empty()) {
        follow_rules(books, turn.outcome.state.document, state);
    }
    for (Reactor& reactor : reactors) {
        reactor.end();
    }
    return {{std::move(state.document), std::move(state.meta)},
            std::move(state.effects),
            settled,
            budget.is_spent(),
            std::move(state.oversize)};
}

}  // namespace arbiter::rules
