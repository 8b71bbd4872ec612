#include "campaign/context.h"

#include "ledger/history.h"
#include "text/tokens.h"

namespace arbiter::campaign {

using base::Result;
using prompt::Block;

namespace {

Block block_of(const protocol::Injection& injection, base::Language language) {
    Block block;
    block.id = "protocol." + injection.id;
    block.kind = prompt::Kind::kProtocol;
    block.target = injection.target;
    block.depth = block.target == prompt::Target::kDepth ? 1 : 0;
    block.priority = injection.priority;
    block.source = injection.id + "@" + injection.version;
    block.why = {prompt::Reason::kGiven, {protocol::explain(injection.why, language)}};
    block.text = injection.text;
    block.macros = true;
    return block;
}

}  // namespace

void add_messages(std::vector<prompt::Message>& messages, engine::Actor actor,
                  std::string_view said, std::string_view shown) {
    const auto add = [&](prompt::Role role, std::string_view text) {
        if (!text.empty()) {
            messages.push_back({role, value::Str(text), {}, text::estimate_tokens(text)});
        }
    };
    add(prompt::Role::kUser, said);
    add(actor == engine::Actor::kPlayer ? prompt::Role::kUser : prompt::Role::kAssistant, shown);
}

Result<std::vector<prompt::Message>> messages_of(const ledger::Campaign& campaign) {
    std::vector<prompt::Message> messages;
    auto visited = ledger::visit_line(campaign, [&](const ledger::TurnRow& row) -> Result<> {
        const auto turn = campaign.record_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        add_messages(messages, turn->actor, turn->said, turn->shown);
        return {};
    });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    return messages;
}

std::vector<Block> blocks_of(const protocol::Resolved& protocols, base::Language language) {
    std::vector<Block> blocks;
    for (const protocol::Injection& injection : protocols.instructions) {
        blocks.push_back(block_of(injection, language));
    }
    for (const protocol::Injection& injection : protocols.examples) {
        Block block = block_of(injection, language);
        block.id = "examples." + injection.id;
        block.kind = prompt::Kind::kExamples;
        block.target = prompt::Target::kExamples;
        blocks.push_back(std::move(block));
    }
    return blocks;
}

prompt::Assembly tell(const Telling& telling) {
    const prompt::Plans plans = prompt::default_plans();
    const prompt::Choice choice = prompt::choose(plans, telling.settings);
    prompt::Plan plan = *choice.plan;
    plan.language = telling.language;
    plan.context_tokens = plan.context_tokens != 0 ? plan.context_tokens : telling.context_tokens;
    std::vector<Block> pieces = blocks_of(telling.stage.protocols, telling.language);
    pieces.insert(pieces.end(), telling.more.begin(), telling.more.end());
    prompt::Inputs inputs{telling.state.document, plan};
    inputs.context = choice.context;
    inputs.pieces = pieces;
    inputs.history = telling.history;
    inputs.lore = telling.lore;
    inputs.world = telling.world;
    inputs.notices = choice.notices;
    return prompt::assemble(inputs);
}

}  // namespace arbiter::campaign
