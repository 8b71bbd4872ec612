#include "campaign/redaction.h"

#include "ledger/history.h"

namespace arbiter::campaign {

table::Redactor redactor_of(const ledger::Campaign& campaign, table::Viewer viewer) {
    if (viewer == table::Viewer::kOperator) {
        return table::Redactor({}, viewer);
    }
    constexpr int kTriesMax = 32;
    std::optional<ledger::TurnId> at = campaign.head();
    for (int i = 0; at && i < kTriesMax; ++i) {
        if (const auto state = campaign.state_at(*at)) {
            return table::Redactor(state->document);
        }
        const auto row = campaign.store().turn(campaign.row().id, *at);
        at = row && *row ? (*row)->parent : std::nullopt;
    }
    return table::Redactor({});
}

table::Redactor redactor_during(const ledger::Campaign& campaign, const ledger::TurnId& turn,
                                table::Viewer viewer) {
    const auto row = campaign.store().turn(campaign.row().id, turn);
    const auto [before, after] =
        row && *row ? ledger::LineDocuments(campaign).at(**row) : ledger::LineDocuments::Pair();
    return redactor_of(campaign, viewer).during(before, after);
}

}  // namespace arbiter::campaign
