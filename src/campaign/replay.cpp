#include "campaign/replay.h"

#include <memory>

namespace arbiter::campaign {

using base::Result;
using engine::State;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kHost = "host";

Object members_at(const Object& extra, std::string_view when) {
    const Value* host = extra.find(kHost);
    const Value* members =
        host != nullptr && host->is_object() ? host->as_object().find(when) : nullptr;
    return members != nullptr && members->is_object() ? members->as_object() : Object();
}

// The stage of the turns that are played one after the other.
struct Standing {
    std::optional<Stage> stage;
    Object rules;
    rules::Memories memories;

    Result<> bring(const ledger::Campaign& campaign, const Object& wanted) {
        if (stage && Value(rules) == Value(wanted)) {
            return {};
        }
        auto kept = kept_stage(campaign, wanted);
        if (!kept) {
            return std::unexpected(std::move(kept).error());
        }
        stage = *std::move(kept);
        rules = wanted;
        memories.clear();
        return {};
    }
};

}  // namespace

Object with_host_meta(Object extra, const HostMeta& meta) {
    Object host;
    if (!meta.before.empty()) {
        host = std::move(host).set("before", meta.before);
    }
    if (!meta.after.empty()) {
        host = std::move(host).set("after", meta.after);
    }
    return host.empty() ? extra : std::move(extra).set(kHost, host);
}

HostMeta host_meta(const Object& extra) {
    return {members_at(extra, "before"), members_at(extra, "after")};
}

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

ledger::Step replaying(const ledger::Campaign& campaign) {
    return [&campaign, standing = std::make_shared<Standing>()](
               const State& before, const ledger::Record& turn,
               std::span<const proposal::Proposal> proposals) -> Result<State> {
        if (auto ready = standing->bring(campaign, turn.rules); !ready) {
            return std::unexpected(std::move(ready).error());
        }
        const HostMeta host = host_meta(turn.extra);
        State start = before;
        start.meta = set_meta(std::move(start.meta), host.before);
        const engine::Context context{turn.time, turn.actor, turn.batch};
        State after = rules::play(start, proposals, turn.shown, standing->stage->setting, context,
                                  &standing->memories)
                          .outcome.state;
        after.meta = set_meta(std::move(after.meta), host.after);
        return after;
    };
}

ledger::Reread rereading(const ledger::Campaign& campaign) {
    return [&campaign, standing = std::make_shared<Standing>()](
               const ledger::Record& turn) -> Result<std::vector<proposal::Proposal>> {
        if (auto ready = standing->bring(campaign, turn.rules); !ready) {
            return std::unexpected(std::move(ready).error());
        }
        return reader::read(turn.raw, standing->stage->reading(turn.actor)).proposals;
    };
}

}  // namespace arbiter::campaign
