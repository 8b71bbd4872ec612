#include "campaign/replay.h"

#include <memory>

#include "campaign/judging.h"
#include "proposal/codec.h"
#include "table/layout.h"

namespace arbiter::campaign {

using base::Result;
using engine::State;
using value::Object;
using value::Value;

namespace {

// The stage of the turns that are played one after the other.
struct Standing {
    std::optional<Stage> stage;
    Object rules;
    Object globals;
    Value authority;
    rules::Memories memories;

    Result<> bring(const ledger::Campaign& campaign, const ledger::Record& turn,
                   const Value& document) {
        // Which places belong to the table is said by the document, and seldom changes.
        const Value* found = table::find_in_campaign(document, {"authority"});
        const Value places = found != nullptr ? *found : Value();
        const Object& wanted = turn.globals;
        if (stage && Value(rules) == Value(turn.rules) && Value(globals) == Value(wanted) &&
            authority == places) {
            return {};
        }
        auto kept = kept_stage(campaign, turn.rules, document, wanted);
        if (!kept) {
            return std::unexpected(std::move(kept).error());
        }
        stage = *std::move(kept);
        rules = turn.rules;
        globals = wanted;
        authority = places;
        memories.clear();
        return {};
    }
};

}  // namespace

Object set_meta(Object meta, const Object& members) {
    for (const auto& [key, value] : members) {
        meta =
            value.is_null() ? std::move(meta).erase(key.view()) : std::move(meta).set(key, value);
    }
    return meta;
}

Object changed_meta(const Object& before, const Object& after) {
    Object changed;
    for (const auto& [key, value] : after) {
        const Value* was = before.find(key.view());
        if (was == nullptr || *was != value) {
            changed = std::move(changed).set(key, value);
        }
    }
    for (const auto& [key, value] : before) {
        if (!after.contains(key.view())) {
            changed = std::move(changed).set(key, Value());
        }
    }
    return changed;
}

ledger::ReplayStep replaying(const ledger::Campaign& campaign) {
    return [&campaign, standing = std::make_shared<Standing>()](
               const State& before, const ledger::Record& turn,
               std::span<const proposal::Proposal> proposals) -> Result<State> {
        if (auto ready = standing->bring(campaign, turn, before.document); !ready) {
            return std::unexpected(std::move(ready).error());
        }
        const Stage& stage = *standing->stage;
        State start = before;
        start.meta = set_meta(std::move(start.meta), turn.host.before);
        const Object settings = table::effective_settings(start.document, stage.table);
        const engine::Context context{turn.time, turn.actor, turn.batch};
        table::Random random = table::seeded(start.document);
        const table::Judged judged = table::judge(start, proposals, turn.shown, stage.table,
                                                  settings, context, random, &standing->memories);
        State after = close(judged.candidate(), stage, settings, context, around_of(turn)).state;
        after.meta = set_meta(std::move(after.meta), turn.host.after);
        return after;
    };
}

ledger::Reread rereading(const ledger::Campaign& campaign) {
    return [&campaign, standing = std::make_shared<Standing>()](
               const ledger::Record& turn) -> Result<std::vector<proposal::Proposal>> {
        if (auto ready = standing->bring(campaign, turn, Value()); !ready) {
            return std::unexpected(std::move(ready).error());
        }
        auto proposals = reader::read(turn.raw, standing->stage->reading(turn.actor)).proposals;
        // Calls that came beside the text are in no text.
        auto kept = proposal::decode(turn.proposals, turn.raw);
        if (!kept) {
            return proposals;
        }
        for (proposal::Proposal& each : *kept) {
            if (each.tool_call() != nullptr && each.span.begin == each.span.end) {
                proposals.push_back(std::move(each));
            }
        }
        return proposals;
    };
}

}  // namespace arbiter::campaign
