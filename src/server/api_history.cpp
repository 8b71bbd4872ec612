#include "server/api_history.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/attempt_json.h"
#include "campaign/redaction.h"
#include "campaign/replay.h"
#include "campaign/turn_json.h"
#include "ledger/history.h"
#include "ledger/names.h"
#include "server/api_support.h"
#include "value/array.h"

namespace arbiter::server {
namespace {

using base::ErrorCode;
using base::Result;
using ledger::Campaign;
using ledger::TurnId;
using ledger::TurnRow;
using value::Array;
using value::Object;
using value::Value;

// The campaign to read; also if its last turns are damaged.
Result<Campaign> campaign_of(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (session) {
        return (*session)->campaign();
    }
    return session.error().code == ErrorCode::kCorrupt
               ? Campaign::open_without_state(host.store(), call.campaign())
               : std::unexpected(session.error());
}

// ---- history

constexpr std::size_t kTurnsDefault = 50;
constexpr std::size_t kTurnsMax = 1000;  // of an answer

class Listing {
  public:
    Listing(const Campaign& campaign, const campaign::Display& display,
            const table::Redactor& redactor)
        : campaign_(campaign), display_(display), redactor_(redactor) {
        for (const ledger::Checkpoint& each :
             campaign.checkpoints().value_or(std::vector<ledger::Checkpoint>())) {
            labels_[each.turn] = each.label;
        }
    }

    // `row` has its bytes.
    void add(const TurnRow& row) {
        Object turn = {{"id", text_value(row.id.hex())},
                       {"parent", row.parent ? text_value(row.parent->hex()) : Value()}};
        const auto record = campaign_.record_of(row);
        turn = std::move(turn)
                   .set("number", record ? record->shown_number() : row.number)
                   .set("time", text_value(engine::print_instant(row.time)));
        if (record) {
            turn = std::move(turn)
                       .set("actor", actor_word(record->actor))
                       .set("said", text_value(redactor_.text(display_.said(*record)).str()))
                       .set("shown", text_value(redactor_.text(display_.shown(*record)).str()));
            if (record->edit) {
                turn = std::move(turn).set("edit",
                                           text_value(redactor_.text(record->edit->reason).str()));
            }
        } else {
            turn = std::move(turn)
                       .set("actor", "system")
                       .set("said", "")
                       .set("shown", "")
                       .set("damaged", error_value(record.error()));
        }
        if (const auto label = labels_.find(row.id); label != labels_.end()) {
            turn = std::move(turn).set("label", text_value(label->second));
        }
        turns_.push_back(std::move(turn));
    }
    [[nodiscard]] std::size_t size() const noexcept { return turns_.size(); }
    [[nodiscard]] Array json(bool is_reversed) {
        if (is_reversed) {
            std::ranges::reverse(turns_);
        }
        Array list;
        for (Object& each : turns_) {
            list = std::move(list).push_back(std::move(each));
        }
        return list;
    }

  private:
    const Campaign& campaign_;
    const campaign::Display& display_;
    const table::Redactor& redactor_;
    std::map<TurnId, std::string> labels_;
    std::vector<Object> turns_;
};

// The turns of the line that ends at the head, before the turn `before`.
Result<> list_line(const Campaign& campaign, const ApiCall& call, std::size_t limit,
                   Listing& listing) {
    std::optional<TurnId> skipped;
    TurnId from = campaign.head();
    if (call.asks("before")) {
        auto found = campaign.find(call.asked("before"));
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        skipped = *found;
        from = *found;
    }
    return campaign.visit_back(from, ledger::Store::Content::kWhole,
                               [&](const TurnRow& row) -> Result<bool> {
                                   if (row.id != skipped) {
                                       listing.add(row);
                                   }
                                   return listing.size() < limit;
                               });
}

// All turns of the tree in the order in which they were stored, the last of them first.
Result<> list_tree(const Campaign& campaign, const ApiCall& call, std::size_t limit,
                   Listing& listing) {
    auto rows = campaign.turns();
    if (!rows) {
        return std::unexpected(std::move(rows).error());
    }
    std::ranges::reverse(*rows);
    auto first = rows->begin();
    if (call.asks("before")) {
        const auto found = campaign.find(call.asked("before"));
        if (!found) {
            return std::unexpected(found.error());
        }
        first = std::ranges::find(*rows, *found, &TurnRow::id);
        first += first == rows->end() ? 0 : 1;
    }
    for (; first != rows->end() && listing.size() < limit; ++first) {
        const auto row = campaign.store().turn(campaign.row().id, first->id);
        if (!row) {
            return std::unexpected(row.error());
        }
        listing.add(*row ? **row : *first);
    }
    return {};
}

net::Response get_history(Host& host, const ApiCall& call) {
    const auto campaign = campaign_of(host, call);
    if (!campaign) {
        return error_response(campaign.error());
    }
    const auto display = campaign::Display::of(*campaign, host.options().session.globals);
    if (!display) {
        return error_response(display.error());
    }
    const table::Redactor redactor = campaign::redactor_of(*campaign, call.viewer());
    const std::size_t limit = std::min(call.number("limit", kTurnsDefault), kTurnsMax);
    Listing listing(*campaign, *display, redactor);
    const auto listed = call.asked("all") == "true" ? list_tree(*campaign, call, limit, listing)
                                                    : list_line(*campaign, call, limit, listing);
    if (!listed) {
        return error_response(listed.error());
    }
    Object body = {{"head", text_value(campaign->head().hex())}};
    if (campaign->row().undo) {
        body = std::move(body).set("undo", text_value(campaign->row().undo->hex()));
    }
    body = std::move(body).set("turns", listing.json(true));
    return json_response(200, redactor.value(Value(body)));
}

// ---- one turn

// The verdicts of a stored turn; none for an edit, and if its rules cannot be loaded any more.
Array verdicts_of(const Campaign& campaign, const TurnId& id, const ledger::Record& record,
                  const table::Redactor& redactor, const campaign::Session& session) {
    if (record.edit || (record.proposals.empty() && record.said_proposals.empty())) {
        return {};
    }
    auto result = campaign::stored_result(campaign, id, record, session.options().globals);
    if (!result) {
        return {};
    }
    campaign::mask_hidden_values(result->attempt, redactor);
    return campaign::explained_results_json(result->attempt, session.registries()->tools);
}

net::Response get_turn(Host& host, const ApiCall& call) {
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const Campaign campaign = (*session)->campaign();
    const auto id = campaign.find(call.path("turn"));
    const auto record = id ? campaign.record(*id) : std::unexpected(id.error());
    if (!record) {
        return error_response(record.error());
    }
    const auto changes = ledger::document_changes(campaign, *record);
    if (!changes) {
        return error_response(changes.error());
    }
    const table::Redactor redactor = campaign::redactor_during(campaign, *id, call.viewer());
    Object body =
        campaign::turn_json(campaign, *id, *record, redactor)
            .set("number", record->shown_number())
            .set("actor", actor_word(record->actor))
            .set("verdicts", verdicts_of(campaign, *id, *record, redactor, **session))
            .set("changes", changes_json(*changes, redactor))
            .set("usage", Object{{"tokens", record->usage.tokens}, {"calls", record->usage.calls}});
    // Raw replies may contain anything that was in the prompt.
    if (call.viewer() == table::Viewer::kOperator) {
        body = std::move(body).set("trace", record->trace).set("raw", text_value(record->raw));
    } else {
        body = std::move(body).erase("key");
    }
    return json_response(200, redactor.value(Value(body)));
}

net::Response get_diff(Host& host, const ApiCall& call) {
    const auto campaign = campaign_of(host, call);
    if (!campaign) {
        return error_response(campaign.error());
    }
    const auto state_of = [&](std::string_view name) -> Result<engine::State> {
        const auto turn = campaign->find(call.asks(name) ? call.asked(name) : "head");
        return turn ? campaign->state_at(*turn) : std::unexpected(turn.error());
    };
    const auto from = state_of("from");
    const auto to = from ? state_of("to") : std::unexpected(from.error());
    if (!to) {
        return error_response(to.error());
    }
    const table::Redactor redactor =
        campaign::redactor_of(*campaign, call.viewer()).during(from->document, to->document);
    const Object body = {
        {"changes", changes_json(value::diff(from->document, to->document), redactor)}};
    return json_response(200, redactor.value(Value(body)));
}

// ---- audit and blame

Result<std::optional<engine::Instant>> time_of(const ApiCall& call, std::string_view name) {
    if (!call.asks(name)) {
        return std::nullopt;
    }
    const auto time = engine::parse_instant(call.asked(name));
    if (!time) {
        return base::fail(
            ErrorCode::kBadParameter,
            {std::string(name), std::string(call.asked(name)), "2026-01-01T00:00:00Z"});
    }
    return std::optional(*time);
}

Result<ledger::AuditFilter> filter_of(const Campaign& campaign, const ApiCall& call) {
    ledger::AuditFilter filter;
    if (call.asks("path")) {
        auto path = value::parse_any_path(call.asked("path"));
        if (!path) {
            return std::unexpected(std::move(path).error());
        }
        filter.path = *std::move(path);
    }
    // The names of the API, and those of the audit.
    const std::string_view actor = call.asked("actor");
    filter.actor = actor == "ai" ? "AI" : actor;
    filter.tag = call.asked("tag");
    filter.reason = call.asked("reason");
    filter.status = call.asked("status");
    filter.has_large_values = false;
    if (call.asks("turn")) {
        const auto turn = campaign.find(call.asked("turn"));
        if (!turn) {
            return std::unexpected(turn.error());
        }
        filter.turn = *turn;
    }
    auto from = time_of(call, "from");
    auto to = from ? time_of(call, "to") : std::unexpected(from.error());
    if (!to) {
        return std::unexpected(std::move(to).error());
    }
    filter.from = *from;
    filter.to = *to;
    return filter;
}

// An audit record with the turn that it belongs to; redacted.
Object record_json(const TurnId& turn, std::int64_t number, const Value& record,
                   const table::Redactor& redactor) {
    Object json = {{"turn", text_value(turn.hex())}, {"number", number}};
    const Value shown = redactor.records(record).get();
    for (const auto& [key, value] : shown.as_object()) {
        json = std::move(json).set(key, value);
    }
    return json;
}

net::Response get_audit(Host& host, const ApiCall& call) {
    const auto campaign = campaign_of(host, call);
    const auto filter = campaign ? filter_of(*campaign, call) : std::unexpected(campaign.error());
    auto entries = filter ? ledger::audit(*campaign, *filter) : std::unexpected(filter.error());
    if (!entries) {
        return error_response(entries.error());
    }
    // The newest ones, oldest first.
    const std::size_t limit = std::min(call.number("limit", kTurnsMax), kTurnsMax);
    if (entries->size() > limit) {
        entries->erase(entries->begin(), entries->end() - static_cast<std::ptrdiff_t>(limit));
    }
    const table::Redactor redactor = campaign::redactor_of(*campaign, call.viewer());
    Array records;
    for (const ledger::AuditEntry& each : *entries) {
        const table::Redactor then = redactor.during(each.documents.before, each.documents.after);
        records =
            std::move(records).push_back(record_json(each.turn, each.number, each.record, then));
    }
    return json_response(200, redactor.value(Object{{"records", std::move(records)}}));
}

net::Response get_blame(Host& host, const ApiCall& call) {
    const auto path = value::parse_any_path(call.asked("path"));
    const auto campaign = path ? campaign_of(host, call) : std::unexpected(path.error());
    const auto entries =
        campaign ? ledger::blame(*campaign, *path) : std::unexpected(campaign.error());
    if (!entries) {
        return error_response(entries.error());
    }
    const table::Redactor redactor = campaign::redactor_of(*campaign, call.viewer());
    Array records;
    for (const ledger::BlameEntry& each : *entries) {
        const table::Redactor then = redactor.during(each.documents.before, each.documents.after);
        Object record = {{"turn", text_value(each.turn.hex())},
                         {"number", each.number},
                         {"actor", actor_word(each.actor)},
                         {"time", text_value(engine::print_instant(each.time))}};
        if (each.before) {
            record = std::move(record).set("before", then.value_at(*path, *each.before).get());
        }
        if (each.after) {
            record = std::move(record).set("after", then.value_at(*path, *each.after).get());
        }
        Array below;
        for (const Value& row : each.records) {
            below = std::move(below).push_back(then.records(row).get());
        }
        records = std::move(records).push_back(std::move(record).set("records", below));
    }
    return json_response(200, redactor.value(Object{{"records", std::move(records)}}));
}

// ---- checkpoints, rollback, undo, branches

net::Response get_checkpoints(Host& host, const ApiCall& call) {
    const auto campaign = campaign_of(host, call);
    const auto all = campaign ? campaign->checkpoints() : std::unexpected(campaign.error());
    if (!all) {
        return error_response(all.error());
    }
    Array listed;
    for (const ledger::Checkpoint& each : *all) {
        listed = std::move(listed).push_back(
            Object{{"label", text_value(each.label)},
                   {"turn", text_value(each.turn.hex())},
                   {"time", text_value(engine::print_instant(each.time))}});
    }
    const table::Redactor redactor = campaign::redactor_of(*campaign, call.viewer());
    return json_response(200, redactor.value(Object{{"checkpoints", std::move(listed)}}));
}

net::Response add_checkpoint(Host& host, const ApiCall& call) {
    const std::string label = call.text("label");
    const auto done = change_campaign(host, call, [&](campaign::Session& session) {
        return session.checkpoint(label, call.now, 0);
    });
    const auto session = done ? host.session(call.campaign()) : std::unexpected(done.error());
    if (!session) {
        return error_response(session.error());
    }
    return head_response(
        **session, call,
        {{"label", text_value(label)}, {"turn", text_value((*session)->campaign().head().hex())}},
        201);
}

// A move of the head, which also leads out of damaged turns.
template <typename Move>
net::Response move_head(Host& host, const ApiCall& call, const Move& move) {
    const auto done = change_campaign(host, call, move);
    if (!done && done.error().code == ErrorCode::kCorrupt) {
        auto apart =
            campaign::Session::open_to_move(host.store(), call.campaign(), host.options().session);
        const auto moved = apart ? move(**apart) : std::unexpected(apart.error());
        if (!moved) {
            return error_response(moved.error());
        }
    } else if (!done) {
        return error_response(done.error());
    }
    const auto session = host.session(call.campaign());
    if (!session) {
        return error_response(session.error());
    }
    const bool can_undo = (*session)->campaign().row().undo.has_value();
    return head_response(**session, call, {{"can_undo", can_undo}});
}

net::Response roll_back(Host& host, const ApiCall& call) {
    return move_head(host, call, [&](campaign::Session& session) -> Result<> {
        const auto turn = session.campaign().find(call.text("to"));
        return turn ? session.rollback(*turn) : std::unexpected(turn.error());
    });
}

net::Response undo(Host& host, const ApiCall& call) {
    return move_head(host, call, [](campaign::Session& session) { return session.undo(); });
}

net::Response go_to_branch(Host& host, const ApiCall& call) {
    return move_head(host, call, [&](campaign::Session& session) -> Result<> {
        const auto turn = session.campaign().find(call.text("to"));
        return turn ? session.go_to(*turn) : std::unexpected(turn.error());
    });
}

net::Response get_branches(Host& host, const ApiCall& call) {
    const auto campaign = campaign_of(host, call);
    const auto rows = campaign ? campaign->turns() : std::unexpected(campaign.error());
    if (!rows) {
        return error_response(rows.error());
    }
    std::set<TurnId> parents;
    for (const TurnRow& row : *rows) {
        if (row.parent) {
            parents.insert(*row.parent);
        }
    }
    Array listed;
    for (const TurnRow& row : *rows) {
        if (!parents.contains(row.id)) {
            listed = std::move(listed).push_back(
                campaign::turn_row_json(row).set("is_head", row.id == campaign->head()));
        }
    }
    const table::Redactor redactor = campaign::redactor_of(*campaign, call.viewer());
    return json_response(200, redactor.value(Object{{"branches", std::move(listed)}}));
}

constexpr QueryParameter kHistoryQuery[] = {
    {"limit", "integer", "at most so many turns, up to 1000; default: 50"},
    {"before", "string", "only turns before this one"},
    {"all", "boolean", "turns of all branches, not only of the line to the head"}};
constexpr QueryParameter kDiffQuery[] = {{"from", "string", "a turn; default: head"},
                                         {"to", "string", "a turn; default: head"}};
constexpr QueryParameter kAuditQuery[] = {{"path", "string", "at this path or below"},
                                          {"actor", "string", "ai, user or system"},
                                          {"status", "string", "applied, rejected, failed …"},
                                          {"reason", "string", "whose reason holds this"},
                                          {"tag", "string", "with this tag"},
                                          {"turn", "string", "of one turn"},
                                          {"from", "string", "from this time on, ISO 8601"},
                                          {"to", "string", "up to this time"},
                                          {"limit", "integer", "the newest ones, at most 1000"}};
constexpr QueryParameter kBlameQuery[] = {
    {"path", "string", "a JSON Pointer or dotted path", true}};

constexpr Route kRoutes[] = {
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/history",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The turns that led to the head, oldest first",
     .handler = get_history,
     .answer = "History",
     .query = kHistoryQuery},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/turns/{turn}",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The log of one turn, with its verdicts and changes",
     .handler = get_turn,
     .answer = "TurnLog"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/diff",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The changes of the document between two turns",
     .handler = get_diff,
     .answer = "Changes",
     .query = kDiffQuery},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/audit",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The audit records of the line to the head that match",
     .handler = get_audit,
     .answer = "Records",
     .query = kAuditQuery},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/blame",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The turns that changed the value at a path, with the reasons",
     .handler = get_blame,
     .answer = "Records",
     .query = kBlameQuery},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/checkpoints",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The checkpoints",
     .handler = get_checkpoints,
     .answer = "Checkpoints"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/checkpoints",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Label the present turn",
     .handler = add_checkpoint,
     .status = 201,
     .answer = "NewCheckpoint",
     .body = RequestBody::kJson,
     .request = "CheckpointLabel"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/rollback",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Go back to a turn; can be undone until the next turn",
     .handler = roll_back,
     .answer = "Moved",
     .body = RequestBody::kJson,
     .request = "TurnName"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/undo",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Undo a rollback",
     .handler = undo,
     .answer = "Moved",
     .body = RequestBody::kJson,
     .request = "Nothing"},
    {.method = "GET",
     .pattern = "/api/v1/campaigns/{id}/branches",
     .scope = Scope::kRead,
     .runs = Runs::kRead,
     .summary = "The last turns of all branches",
     .handler = get_branches,
     .answer = "Branches"},
    {.method = "POST",
     .pattern = "/api/v1/campaigns/{id}/branch",
     .scope = Scope::kPlay,
     .runs = Runs::kWrite,
     .summary = "Go to any turn of the tree; the next turn branches off there",
     .handler = go_to_branch,
     .answer = "Moved",
     .body = RequestBody::kJson,
     .request = "TurnName"},
};

}  // namespace

std::span<const Route> history_routes() {
    return kRoutes;
}

}  // namespace arbiter::server
