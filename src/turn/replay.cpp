#include "turn/replay.h"

namespace arbiter::turn {

Finished replay(const engine::State& before, std::vector<proposal::Proposal> proposals,
                std::shared_ptr<const Rules> rules, const ReplayInputs& inputs,
                rules::Memories* memories) {
    const Begun begun =
        begin_recorded(before, std::move(rules), inputs.meta.before, inputs.context, inputs.heard);
    reader::Reading reading;
    reading.text = inputs.shown;
    reading.proposals = std::move(proposals);
    Ending ending;
    ending.usage = inputs.usage;
    ending.story_tokens = inputs.story_tokens;
    ending.failed_calls = inputs.failed_calls;
    ending.recorded_meta = inputs.meta.after;
    return finish(judge(begun, std::move(reading), memories), begun, std::move(ending));
}

}  // namespace arbiter::turn
