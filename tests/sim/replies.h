// Replies: what a simulated model says. Valid commands of every dialect, sloppy ones, hostile ones,
// tool calls, narration that contradicts the state, and bytes that are no text at all.
#pragma once

#include <string>
#include <vector>

#include "prompt/message.h"
#include "proposal/proposal.h"
#include "tests/rules/worlds.h"
#include "tests/sim/setup.h"

namespace arbiter::sim {

class Replies {
  public:
    Replies(tests::Random& random, const value::Value& document, const Secrets& secrets)
        : random_(random), commands_(random), document_(document), secrets_(secrets) {}

    std::string text();
    // Without commands and contradictions, and unlike any other: a client finds it again.
    std::string prose();
    std::vector<prompt::NativeToolCall> calls();
    // Commands of a host, some of them with calls in one transaction.
    std::vector<proposal::Proposal> proposals(bool has_timers);
    // The player's words.
    std::string said();

  private:
    struct Call {
        std::string tool;
        std::string args;
    };
    // How many commands: mostly one. Other commands find a defect rather than more of them, and
    // each takes as long as the rest of a turn.
    std::size_t few();
    Call call();
    std::string part();
    std::string tavern();
    std::string written();
    std::string narration();
    std::string hostile();
    std::string rare();
    std::string insistent();
    std::string spoilt(std::string text);
    std::string id(std::string_view prefix);

    tests::Random& random_;
    tests::Commands commands_;
    const value::Value& document_;
    const Secrets& secrets_;
};

}  // namespace arbiter::sim
