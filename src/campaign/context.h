// Context: what the model is told for the next turn of a campaign, from what was said so far, the
// protocols that hold and whatever else has something to say.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/stage.h"
#include "prompt/assemble.h"

namespace arbiter::campaign {

// What was said along the line to the head: the player's words and what was shown of the replies.
base::Result<std::vector<prompt::Message>> messages_of(const ledger::Campaign& campaign);
// Those of one turn.
void add_messages(std::vector<prompt::Message>& messages, engine::Actor actor,
                  std::string_view said, std::string_view shown);

// The texts of the protocols as blocks.
std::vector<prompt::Block> blocks_of(const protocol::Resolved& protocols, base::Language language);

// All that goes into a prompt.
struct Telling {
    const engine::State& state;
    const Stage& stage;
    const value::Value& settings;                   // of the campaign: dialog type, context …
    std::span<const prompt::Message> history = {};  // the player's newest last
    std::span<const prompt::Block> more = {};       // of the card, the table …
    prompt::Lore* lore = nullptr;
    prompt::MacroWorld world = {};
    std::size_t context_tokens = kContextTokens;  // where the plan does not say; 0: no limit
    base::Language language = base::Language::kChinese;
};
prompt::Assembly tell(const Telling& telling);

}  // namespace arbiter::campaign
