// History: questions about what was kept: who changed what and why, does it all still hold, and
// does playing it again lead to the same place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ledger/campaign.h"

namespace arbiter::ledger {

// Called with how much of how much is done; false stops.
using Progress = std::function<bool(std::size_t done, std::size_t all)>;

// The turns of the line to the head, first to last; ends when `each` fails.
base::Result<> visit_line(const Campaign& campaign,
                          const std::function<base::Result<>(const TurnRow&)>& each,
                          const Progress& progress = {});

// ---- audit

// What a record must be to be listed; what is empty says nothing.
struct AuditFilter {
    value::Path path;  // at it or below
    std::string actor;
    std::string tag;
    std::string reason;  // a part of it
    std::string status;
    std::optional<std::int64_t> turn;
    std::optional<engine::Instant> from;
    std::optional<engine::Instant> to;
};
struct AuditEntry {
    TurnId turn;
    std::int64_t number = 0;
    value::Value record;
};
// Along the line to the head, oldest first.
base::Result<std::vector<AuditEntry>> audit(const Campaign& campaign, const AuditFilter& filter,
                                            const Progress& progress = {});

// A turn that changed a path, or something in it, or what it is in.
struct BlameEntry {
    TurnId turn;
    std::int64_t number = 0;
    engine::Actor actor = engine::Actor::kSystem;
    engine::Instant time = 0;
    std::optional<value::Value> before;
    std::optional<value::Value> after;
    value::Array records;  // those of the turn's records that are about the path
};
base::Result<std::vector<BlameEntry>> blame(const Campaign& campaign, const value::Path& path,
                                            const Progress& progress = {});

// ---- whether all is well

struct Finding {
    std::optional<TurnId> turn;
    std::int64_t number = 0;
    std::string what;
};
struct Report {
    std::size_t turns = 0;
    std::size_t commands = 0;
    std::vector<Finding> findings;  // empty: all is well
    bool stopped = false;
};

// Every turn is what its id says, follows one that is there, and its changes lead to the state that
// it says; every kept state is the one of its turn. Goes on behind what is damaged where it can.
base::Result<Report> verify(const Campaign& campaign, const Progress& progress = {});

// The pure step: what a turn makes of the state before it, judged again by its own rules.
using Step =
    std::function<base::Result<engine::State>(const engine::State& before, const Record& turn,
                                              std::span<const proposal::Proposal> proposals)>;

// A step that plays under what a turn was judged under, found by the digests it names.
using Resolve = std::function<base::Result<rules::Setting>(const value::Object& rules)>;
Step step_under(Resolve resolve);

// What a reply says to a reader of today: for rebuilding from the texts themselves.
using Reread = std::function<base::Result<std::vector<proposal::Proposal>>(const Record& turn)>;

// Plays the line to the head again and compares every state. With `reread` the replies are read
// again, and what a newer reader finds in them is told too.
base::Result<Report> rebuild(const Campaign& campaign, const Step& step,
                             const Progress& progress = {}, const Reread& reread = {});

// The same on several threads, each of which begins at a kept state and makes a player of its own;
// whatever their number, the report is the same. The campaign must not change meanwhile.
struct Player {
    Step step;
    Reread reread = {};
};
using MakePlayer = std::function<Player()>;
base::Result<Report> rebuild(const Campaign& campaign, const MakePlayer& make,
                             const Progress& progress, std::size_t threads);

// Which of the kept states stay: of the last `recent` turns all, of those before one in `every`
// turns. Those of the beginning, the head and the checkpoints always do. No turn is ever dropped;
// the way to a state only becomes longer.
struct Thinning {
    std::int64_t recent = 1000;
    std::int64_t every = 500;
};
// Gives how many went.
base::Result<std::size_t> thin(const Campaign& campaign, const Thinning& thinning = {});

}  // namespace arbiter::ledger
