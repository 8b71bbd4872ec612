// Protocols as text and JSON: for prompts, for hosts and for --json. Pure functions.
#pragma once

#include <string>

#include "base/messages.h"
#include "protocol/library.h"
#include "protocol/protocol.h"
#include "value/value.h"

namespace arbiter::protocol {

// The examples of a protocol as a block of a prompt: `User:` and `Assistant:`, every line quoted
// with >, so that a reader does not take commands, tags or components out of it. Empty if the
// protocol has no examples.
std::string few_shot(const Protocol& protocol, base::Language language);

// {active, instructions, examples, hints, constraints, warnings}.
value::Value to_value(const Resolved& resolved, base::Language language);
// {id, version, name, type, target, priority, …} of one protocol, without its texts.
value::Value to_value(const Protocol& protocol, base::Language language);

}  // namespace arbiter::protocol
