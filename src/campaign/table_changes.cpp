#include "campaign/table_changes.h"

#include <algorithm>
#include <cstdint>

#include "engine/bin.h"
#include "engine/describe.h"
#include "table/dialog.h"
#include "table/layout.h"
#include "turn/judge.h"

namespace arbiter::campaign {

using base::Result;
using engine::State;
using value::Array;
using value::Value;

namespace {

template <typename Change>
Result<> edit(Session& session, const Change& change, engine::Instant now, std::string reason) {
    return session.edit([&](const State& state) { return change(state.document); }, now,
                        std::move(reason));
}

Result<Array> change_allowlist(Session& session, std::span<const std::string> names, bool adds,
                               engine::Instant now) {
    Array allowed;
    const auto done = edit(
        session,
        [&](const Value& document) {
            allowed = {};
            const auto is_named = [&](const Value& each) {
                return std::ranges::any_of(names, [&](const std::string& name) {
                    return each == Value(std::string_view(name));
                });
            };
            for (const Value& each : allowed_tools(document)) {
                if (!is_named(each)) {
                    allowed = std::move(allowed).push_back(each);
                }
            }
            for (const std::string& name : names) {
                if (adds && !table::holds_text(allowed, name)) {
                    allowed = std::move(allowed).push_back(std::string_view(name));
                }
            }
            return table::allow_tools(document, allowed, *session.registries(), now);
        },
        now, "tools");
    return done ? Result<Array>(allowed) : std::unexpected(done.error());
}

Result<> set_disabled(Session& session, std::string_view tool, std::int64_t until,
                      engine::Instant now) {
    return edit(
        session,
        [&](const Value& document) {
            return table::disable_tool(document, tool, until, *session.registries(), now);
        },
        now, "tools");
}

}  // namespace

Result<> join_party(Session& session, std::string_view character, engine::Instant now) {
    return edit(
        session, [&](const Value& document) { return table::join_party(document, character, now); },
        now, "party");
}

Result<> leave_party(Session& session, std::string_view character, engine::Instant now) {
    return edit(
        session,
        [&](const Value& document) { return table::leave_party(document, character, now); }, now,
        "party");
}

Array allowed_tools(const Value& document) {
    return table::array_or_empty(table::find_in_campaign(document, {"tools", "allow"}));
}

Result<Array> allow_tools(Session& session, std::span<const std::string> names,
                          engine::Instant now) {
    return change_allowlist(session, names, true, now);
}

Result<Array> deny_tools(Session& session, std::span<const std::string> names,
                         engine::Instant now) {
    return change_allowlist(session, names, false, now);
}

Result<std::optional<std::int64_t>> disable_tool(Session& session, std::string_view tool,
                                                 std::optional<std::int64_t> turns,
                                                 engine::Instant now) {
    const std::int64_t present = table::turn_number(session.campaign().state().document);
    const std::int64_t until = present + turns.value_or(INT32_MAX);
    if (auto done = set_disabled(session, tool, until, now); !done) {
        return std::unexpected(std::move(done).error());
    }
    return turns ? std::optional(until) : std::nullopt;
}

Result<> enable_tool(Session& session, std::string_view tool, engine::Instant now) {
    const std::int64_t present = table::turn_number(session.campaign().state().document);
    return set_disabled(session, tool, present, now);
}

std::optional<std::string> end_reason(const Value& document) {
    const Value* ended = table::find_in_campaign(document, {"ended"});
    if (ended == nullptr || ended->is_null()) {
        return std::nullopt;
    }
    return std::string(table::text_in(ended, "reason"));
}

Result<> end_campaign(Session& session, std::string_view reason, engine::Instant now) {
    return edit(
        session, [&](const Value& document) { return table::end_campaign(document, reason, now); },
        now, "end");
}

Result<> store_route(Session& session, const Value& written, engine::Instant now) {
    const auto decision = table::route_decision_from(written);
    if (!decision) {
        return std::unexpected(decision.error());
    }
    return edit(
        session,
        [&](const Value& document) { return table::store_route(document, *decision, now); }, now,
        "route");
}

Result<> revert(Session& session, const ledger::TurnId& turn, std::string_view op,
                engine::Instant now) {
    const ledger::Campaign campaign = session.campaign();
    const auto record = campaign.record(turn);
    if (!record) {
        return std::unexpected(record.error());
    }
    std::vector<Value> records;
    for (const Value& each : ledger::audit_records(*record)) {
        const bool is_meant = op.empty() ? table::text_in(&each, "reason") != turn::kFinishRule
                                         : table::text_in(&each, "opId") == op;
        if (is_meant && value::find_member(&each, "changes") != nullptr) {
            records.push_back(each);
        }
    }
    if (records.empty()) {
        return base::fail(base::ErrorCode::kNotFound,
                          {op.empty() ? turn.brief() : std::string(op)});
    }
    const std::string time = engine::print_instant(now);
    return session.edit(
        [&](const State& state) -> Result<table::Step> {
            auto undone = engine::undo(state.document, records);
            if (!undone) {
                return std::unexpected(std::move(undone).error());
            }
            value::Object action = {
                {"kind", "player"},
                {"what", "revert"},
                {"time", std::string_view(time)},
                {"changes", value::diff_to_value(value::diff_of_step(state.document, *undone))}};
            return table::Step{*std::move(undone), std::move(action)};
        },
        now, "revert " + (op.empty() ? turn.brief() : std::string(op)));
}

Result<turn::TurnResult> restore_from_bin(Session& session, const value::Path& bin,
                                          std::string_view what, engine::Instant now,
                                          const TurnCondition& condition) {
    auto proposal = engine::propose_restore(session.campaign().state().document, bin, what);
    if (!proposal) {
        return base::fail(base::ErrorCode::kNotFound, {std::string(what)});
    }
    turn::SuppliedReply reply;
    reply.actor = engine::Actor::kPlayer;
    reply.now = now;
    reply.proposals.push_back(*std::move(proposal));
    return session.apply(std::move(reply), std::nullopt, condition);
}

}  // namespace arbiter::campaign
