// The models of an upstream, and a test of one that explains problems in plain words.
//
// The functions block until the server has answered or its timeouts have passed.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "net/loop.h"
#include "openai/check_step.h"
#include "openai/upstream.h"
#include "value/object.h"

namespace arbiter::openai {

struct ProbeReport {
    // "models", "model", "answer", "stream", "tools", as far as it came.
    std::vector<CheckStep> steps;
    std::vector<std::string> models;  // of the server; empty: it does not list them
    // The upstream as it works: with the model chosen where the server has only one, and without
    // streams or tools if the server refuses them.
    Upstream upstream;

    // True if no step failed: a turn can be played.
    [[nodiscard]] bool is_usable() const noexcept;
};

// Asks for the list of models, looks for the configured one, and lets it say a word, streamed and
// with a tool as a turn would ask for.
ProbeReport probe(net::Loops& loops, const Upstream& upstream);

// {"name", "outcome", "message", "message_zh", "advice"?, "advice_zh"?}
value::Value to_value(const CheckStep& step);
// {"url", "model", "usable", "steps", "models"}
value::Object to_value(const ProbeReport& report);

}  // namespace arbiter::openai
