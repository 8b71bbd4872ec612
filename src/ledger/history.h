// History: queries over the stored turns of a campaign: the line to the head, the audit, and the
// changes of a path.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/campaign.h"
#include "ledger/progress.h"

namespace arbiter::ledger {

// Visits the turns of the line to the head with their bytes, from the first to the last. Stops at
// the first error of `each` and returns it.
base::Result<> visit_line(const Campaign& campaign,
                          const std::function<base::Result<>(const TurnRow&)>& each,
                          const Progress& progress = {});

// The net change of the document in a turn.
base::Result<value::Diff> document_changes(const Campaign& campaign, const Record& turn);

// Follows the documents of a line. Cheap if it is asked for turn after turn.
class LineDocuments {
  public:
    explicit LineDocuments(const Campaign& campaign) : campaign_(campaign) {}
    struct Pair {
        value::Value before;
        value::Value after;
    };
    // The documents before and after a turn; null if there is none or it is damaged.
    Pair at(const TurnRow& row);

  private:
    const Campaign& campaign_;
    std::optional<TurnId> turn_;  // of `state_`
    engine::State state_;
};

// ---- audit

// Conditions for audit records; an empty one holds for all.
struct AuditFilter {
    value::Path path;  // at it or below
    std::string actor;
    std::string tag;
    std::string reason;  // a part of it
    std::string status;
    std::optional<TurnId> turn;
    std::optional<engine::Instant> from;
    std::optional<engine::Instant> to;
    // Large values (kLargeValues) are restored: a thousand pushes onto a list show it a thousand
    // times.
    bool has_large_values = true;
};
struct AuditEntry {
    TurnId turn;
    std::int64_t number = 0;
    value::Value record;
    LineDocuments::Pair documents;  // of the turn
};
// The matching records of the line to the head, oldest first.
base::Result<std::vector<AuditEntry>> audit(const Campaign& campaign, const AuditFilter& filter,
                                            const Progress& progress = {});

// A turn that changed the value at a path.
struct BlameEntry {
    TurnId turn;
    std::int64_t number = 0;
    engine::Actor actor = engine::Actor::kSystem;
    engine::Instant time = 0;
    std::optional<value::Value> before;
    std::optional<value::Value> after;
    value::Array records;  // the turn's audit records at, above or below the path
    LineDocuments::Pair documents;
};
base::Result<std::vector<BlameEntry>> blame(const Campaign& campaign, const value::Path& path,
                                            const Progress& progress = {});

}  // namespace arbiter::ledger
