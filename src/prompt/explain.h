// Reports about an Assembly, as text and as data: the reason and cost of each block, and what was
// left out.
#pragma once

#include <string>
#include <vector>

#include "base/messages.h"
#include "prompt/assemble.h"
#include "value/value.h"

namespace arbiter::prompt {

// All blocks in the order of the prompt, with one for each message of the history.
std::vector<Placed> listed_blocks(const Assembly& assembly);

std::string explain(const Assembly& assembly, base::Language language);

// Adds the messages that no block is part of, which are those of a chat client, to the blocks and
// the totals. A turn does not need it.
void list_client_messages(Assembly& assembly, const text::TokenCounter& count);

// {plan, context, tokens, heading_tokens, tool_tokens, room, bytes, cacheable: {bytes, messages,
// percent}, messages: [{role, content}], blocks: [{id, kind, target, depth?, role, priority,
// tokens, cacheable, source?, why: {code, en, zh}, notes?, message}], omitted: [{id, kind, source?,
// tokens?, why}], silent_lore, unknown_macros, notices}
value::Value explained(const Assembly& assembly);

// The messages as they would be read aloud, each below a line with its role: --- system.
std::string plain_text(const Assembly& assembly);

// The messages in the format of OpenAI-compatible endpoints.
value::Value messages_value(const Assembly& assembly);

}  // namespace arbiter::prompt
