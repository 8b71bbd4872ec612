#include "campaign/context.h"

#include "ledger/history.h"
#include "prompt/sources.h"

namespace arbiter::campaign {

using base::Result;

Result<std::vector<prompt::Message>> messages_of(const ledger::Campaign& campaign) {
    std::vector<prompt::Message> messages;
    auto visited = ledger::visit_line(campaign, [&](const ledger::TurnRow& row) -> Result<> {
        const auto turn = campaign.record_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        prompt::append_turn(messages, turn->actor, turn->said, turn->shown);
        return {};
    });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    return messages;
}

}  // namespace arbiter::campaign
