// The turn as a reducer: begin → judge → decide → finish. Pure functions; turn/machine.h runs them
// with a model, turn/replay.h on a recorded turn, and `arbiter apply` on a reply at hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/text.h"
#include "turn/begun.h"
#include "turn/finish.h"
#include "turn/judge.h"
#include "turn/rules.h"

namespace arbiter::turn {

struct Input {
    engine::State state;
    std::string said;         // by the player; may switch protocols and contain commands
    std::int64_t number = 0;  // of this turn
    engine::Context context;
};

// Fails if the rules of the state cannot be made.
base::Result<Begun> begin(const Input& input, RulesCache& rules, const protocol::Library& library);
// The same under given rules and with recorded members of the metadata, for a replay.
Begun begin_recorded(engine::State state, std::shared_ptr<const Rules> rules,
                     const value::Object& meta_before, engine::Context context,
                     std::vector<proposal::Proposal> heard = {});
// The commands in the player's words. None if `actor`, whose reply the turn is about, is not the
// model.
std::vector<proposal::Proposal> player_commands(const Rules& rules, std::string_view said,
                                                engine::Actor actor);

enum class Mode : std::uint8_t {
    kGuarded,      // nothing is shown before it passed; problems make the model try again
    kLive,         // shown while it streams; problems go into the next turn's request
    kResolveFirst  // guarded; calls and commands first, then the narration of what was settled
};
// The setting turn.mode.
Mode mode_of(const value::Object& settings) noexcept;

struct Decision {
    enum class Kind : std::uint8_t {
        kAccept,    // commit; `feedback` goes into the next turn's request, null: none
        kContinue,  // the model needs tool results before it continues
        kAskAgain,  // drop the attempt and ask again with `feedback`
        kMend,      // ask only for the sentences that contradict the state
        kCut,       // leave these sentences out: the retries are used up
        kReport     // the retries are used up: drop the attempt, give `report` to the player
    };
    Kind kind = Kind::kAccept;
    value::Value feedback = {};
    value::Value report = {};
};

struct RetryState {
    std::int64_t attempts = 1;     // made so far, including the one to decide on
    std::int64_t rounds = 1;       // of this attempt
    std::size_t results_told = 0;  // tool results that the model has been given
    value::Value feedback = {};    // of the attempts before, null: none
    bool can_continue = true;      // false: there is no model to continue with
    bool can_mend = false;         // the wrong sentences can be found in the replies
};

// `mode` and the settings turn.max_retries, turn.feedback_mode and conflict.* decide what a problem
// leads to.
Decision decide(const Attempt& attempt, const Begun& begun, Mode mode, const RetryState& retries,
                base::Language language);

// One line for each call and command that was not carried out, for the player; empty: none.
std::string notice_of(const Attempt& attempt, const table::ToolRegistry& tools,
                      base::Language language);

// The estimated tokens of a turn of the story, whatever the prompt around it was.
std::int64_t story_tokens(std::string_view said, std::string_view shown,
                          const value::Object& settings);

Finished finish(Attempt attempt, const Begun& begun, Ending ending);

// A reply at hand, without a model: judged once and accepted even if commands were refused.
Finished apply_reply(const Begun& begun, reader::Reading reading, Ending ending,
                     base::Language language, rules::Memories* memories = nullptr);

}  // namespace arbiter::turn
