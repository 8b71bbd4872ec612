#include "ledger/new_turn.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "ledger/stored_audit.h"
#include "proposal/codec.h"
#include "turn/replay.h"
#include "value/hash.h"

namespace arbiter::ledger {

using base::Result;
using turn::Action;
using value::Object;
using value::Value;

namespace {

// The members that an entry stores.
const Value& members_of(const Value& entry) {
    return entry.is_array() ? entry.as_array()[1] : entry;
}

// An entry that does not repeat the large values before and after its command: they follow from the
// steps (audit_records), and a push onto a long list would store the list twice.
Value without_large_values(Value entry, std::uint64_t weight_max) {
    value::Array large;
    for (const std::string_view key : kAuditValues) {
        const Value* found = value::find_member(&members_of(entry), key);
        if (found != nullptr && value::weigh(*found) > weight_max) {
            large = std::move(large).push_back(key);
        }
    }
    if (large.empty()) {
        return entry;
    }
    Object shorter = members_of(entry).as_object();
    for (const Value& key : large) {
        shorter = std::move(shorter).erase(key.as_string());
    }
    shorter = std::move(shorter).set(kLargeValues, std::move(large));
    return entry.is_array() ? Value(value::Array{entry.as_array()[0], std::move(shorter)})
                            : Value(std::move(shorter));
}

// The audit entries of a turn (ledger/stored_audit.h).
class Audit {
  public:
    explicit Audit(const NewTurn& turn) : turn_(turn), entries_(store_audit(turn, changes())) {}

    // The entry that an action belongs to.
    [[nodiscard]] std::optional<std::size_t> index_of(const Action& action) const {
        const std::size_t expired = turn_.outcome->expired.size();
        const std::size_t proposals = turn_.proposals.size();
        switch (action.kind) {
            case Action::Kind::kExpire:
                return action.source < expired ? std::optional(action.source) : std::nullopt;
            case Action::Kind::kCommand:
            case Action::Kind::kTool:
                return action.source < proposals ? std::optional(expired + action.source)
                                                 : std::nullopt;
            case Action::Kind::kRule:
                return action.source < turn_.effects.size()
                           ? std::optional(expired + proposals + action.source)
                           : std::nullopt;
        }
        return std::nullopt;
    }

    value::Array take() && {
        // Where there are many values, fewer of them are large.
        constexpr std::uint64_t kManyWeight = 256 * base::kAuditValueWeightMax;
        constexpr std::uint64_t kSmallWeight = 64;
        std::uint64_t weight = 0;
        for (const Value& entry : entries_) {
            for (const std::string_view key : kAuditValues) {
                const Value* found = value::find_member(&members_of(entry), key);
                weight += found != nullptr
                              ? std::min(value::weigh(*found), base::kAuditValueWeightMax)
                              : 0;
            }
        }
        const std::uint64_t weight_max =
            weight > kManyWeight ? kSmallWeight : base::kAuditValueWeightMax;
        value::Array all;
        for (Value& entry : entries_) {
            all = std::move(all).push_back(without_large_values(std::move(entry), weight_max));
        }
        return all;
    }

  private:
    // Where the changes of each entry are: with a step, if only its action refers to the entry.
    [[nodiscard]] std::vector<Changes> changes() const {
        const std::size_t count =
            turn_.outcome->expired.size() + turn_.proposals.size() + turn_.effects.size();
        std::vector<std::size_t> references(count);
        std::vector<Changes> changes(count, Changes::kOwn);
        for (const Action& action : turn_.actions) {
            if (const auto index = index_of(action)) {
                const bool owns = ++references[*index] == 1 && changes_of(action) == action.changes;
                changes[*index] = owns ? Changes::kInStep : Changes::kOwn;
            }
        }
        return changes;
    }

    [[nodiscard]] const value::Diff& changes_of(const Action& action) const {
        switch (action.kind) {
            case Action::Kind::kExpire:
                return turn_.outcome->expired[action.source].changes;
            case Action::Kind::kRule:
                return turn_.effects[action.source].changes;
            case Action::Kind::kCommand:
            case Action::Kind::kTool:
                break;
        }
        return turn_.outcome->verdicts[action.source].changes;
    }

    const NewTurn& turn_;
    std::vector<Value> entries_;
};

// The turn log's members of an action; empty: they follow from its audit record.
Object log_members(const Action& action) {
    if (action.kind != Action::Kind::kTool) {
        return {};
    }
    Object members = {{"kind", "tool"}};
    for (const auto& [key, value] : action.about) {
        members = std::move(members).set(key, value);
    }
    return members;
}

}  // namespace

Result<Record> encode_turn(const NewTurn& turn) {
    CHECK(turn.outcome != nullptr);
    CHECK(turn.outcome->verdicts.size() == turn.proposals.size());
    Record record;
    record.actor = turn.context.actor;
    record.time = turn.context.now;
    record.revision = turn::kRevision;
    record.batch = turn.context.batch_id;
    record.said = turn.said;
    record.raw = turn.raw;
    record.rounds = turn.rounds;
    record.shown = turn.shown;
    record.told = turn.told;
    record.said_proposals =
        proposal::encode(turn.proposals.first(turn.player_proposals), turn.said);
    record.proposals = proposal::encode(turn.proposals.subspan(turn.player_proposals), turn.raw);
    Audit audit(turn);
    for (const Action& action : turn.actions) {
        const auto index = audit.index_of(action);
        if (!index) {
            return base::fail(base::ErrorCode::kCorrupt,
                              {"the turn", "one of its actions refers to nothing"});
        }
        record.actions.push_back({*index, log_members(action)});
        record.steps.push_back(action.changes);
    }
    record.audit = std::move(audit).take();
    record.rules = turn.rules;
    record.globals = turn.globals;
    record.usage = turn.usage;
    record.story_tokens = turn.story_tokens;
    for (const turn::FailedCall& call : turn.failed_calls) {
        record.failed_calls.push_back({call.tool, call.key, call.refusal.reason,
                                       call.status == turn::FailedCall::Status::kError});
    }
    record.host = turn.host;
    record.actor_id = turn.actor_id;
    record.settings_revision = turn.settings_revision;
    record.trace = turn.trace;
    record.continues = turn.continues;
    record.key = turn.key;
    return record;
}

}  // namespace arbiter::ledger
