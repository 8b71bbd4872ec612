#include "ledger/campaign.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/check.h"
#include "base/limits.h"
#include "engine/describe.h"
#include "proposal/codec.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Array;
using value::Value;

namespace {

// Turns between two whole states. A turn's state is found by going from the nearest one on, about
// 30 µs a turn; of a document of 1 MB a whole state takes as much room as 70 turns.
constexpr std::int64_t kKeyframeTurns = 200;

std::unexpected<base::Error> unknown(std::string what) {
    return base::fail(ErrorCode::kTurnUnknown, {std::move(what)});
}
std::unexpected<base::Error> corrupt(const TurnId& id, std::string how) {
    return base::fail(ErrorCode::kCorrupt, {"turn " + id.brief(), std::move(how)});
}

TurnRow row_of(const Record& record) {
    const Written written = print_record(record);
    return {sha256(written.head), record.parent, record.number, record.time, pack_record(written)};
}

std::optional<std::size_t> whole_number(std::string_view text) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && !text.empty()
               ? std::optional(number)
               : std::nullopt;
}

}  // namespace

Result<Campaign> Campaign::begin(Store& store, const Beginning& beginning) {
    CampaignRow row;
    row.id = beginning.id;
    row.name = beginning.name;
    row.created = beginning.time;
    Record record;
    record.campaign = beginning.id;
    record.time = beginning.time;
    record.state = hash_of(beginning.state);
    record.rules = beginning.rules;
    TurnRow first = row_of(record);
    Commit commit;
    commit.campaign = beginning.id;
    commit.create = row;
    commit.keyframes.push_back({first.id, pack(print_state(beginning.state))});
    commit.blobs = beginning.texts;
    commit.head = HeadMove{std::nullopt, first.id, std::nullopt};
    row.head = first.id;
    commit.turns.push_back(std::move(first));
    if (auto kept = store.commit(commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    Campaign campaign(store, std::move(row));
    campaign.stand({beginning.state, 0});
    return campaign;
}

Result<Campaign> Campaign::look(Store& store, std::string_view id) {
    auto row = store.campaign(id);
    if (!row) {
        return std::unexpected(std::move(row).error());
    }
    if (!row->head) {
        return base::fail(ErrorCode::kCorrupt, {"campaign " + row->id, "it has no beginning"});
    }
    const auto turn = store.turn(id, *row->head);
    if (!turn) {
        return std::unexpected(turn.error());
    }
    Campaign campaign(store, *std::move(row));
    campaign.number_ = *turn ? (*turn)->number : 0;
    return campaign;
}

Result<Campaign> Campaign::open(Store& store, std::string_view id) {
    auto campaign = look(store, id);
    if (!campaign) {
        return campaign;
    }
    auto found = campaign->stand_at(campaign->head());
    if (!found) {
        return std::unexpected(std::move(found).error());
    }
    campaign->stand(*std::move(found));
    return campaign;
}

void Campaign::stand(Stand stand) {
    state_ = std::move(stand.state);
    number_ = stand.number;
    has_state_ = true;
}

std::string Campaign::next_batch() const {
    // Two turns that follow the same one are siblings; what they say tells their ids apart, and
    // within one line numbers do.
    return std::to_string(number_ + 1) + "-" + head().brief();
}

Prepared Campaign::prepare(Record record, const State& after, std::vector<Blob> texts) const {
    CHECK(has_state_);
    record.campaign = row_.id;
    record.parent = head();
    record.number = number_ + 1;
    record.document = value::diff(state_.document, after.document);
    record.meta = value::diff(Value(state_.meta), Value(after.meta));
    record.state = hash_of(after);
    Prepared prepared;
    TurnRow row = row_of(record);
    prepared.id = row.id;
    prepared.number = record.number;
    prepared.after = after;
    Commit& commit = prepared.commit;
    commit.campaign = row_.id;
    commit.turns.push_back(std::move(row));
    if (record.number % kKeyframeTurns == 0) {
        commit.keyframes.push_back({prepared.id, pack(print_state(after))});
    }
    commit.blobs = std::move(texts);
    commit.head = HeadMove{head(), prepared.id, std::nullopt};
    return prepared;
}

void Campaign::accept(Prepared prepared) {
    row_.head = prepared.id;
    row_.undo.reset();
    number_ = prepared.number;
    state_ = std::move(prepared.after);
}

Result<TurnId> Campaign::keep(Prepared prepared) {
    if (auto kept = store_->commit(prepared.commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    const TurnId id = prepared.id;
    accept(std::move(prepared));
    return id;
}

Result<TurnId> Campaign::append(const Said& said) {
    return keep(prepare(said));
}

Prepared Campaign::prepare(const Said& said) const {
    Record record;
    record.actor = said.context.actor;
    record.time = said.context.now;
    record.batch = said.context.batch_id;
    record.said = said.said;
    record.raw = said.raw;
    record.shown = said.shown;
    const engine::Outcome& outcome = said.played->outcome;
    record.proposals = proposal::encode(said.proposals, said.raw);
    std::vector<Value> audit = engine::audit_records(said.proposals, outcome, said.context);
    for (std::size_t i = 0; i < said.played->effects.size(); ++i) {
        audit.push_back(rules::audit_record(said.played->effects[i], i, said.context));
    }
    record.audit = value::Array(std::span<const Value>(audit));
    record.rules = said.rules;
    record.extra = said.extra;
    record.notes = said.notes;
    return prepare(std::move(record), outcome.state, said.texts);
}

Result<TurnId> Campaign::edit(const State& after, engine::Instant time, std::string why,
                              value::Object action) {
    Record record;
    record.time = time;
    record.batch = next_batch();
    record.extra = value::Object{{"edit", std::string_view(why)}};
    if (!action.empty()) {
        record.extra = std::move(record.extra).set("action", std::move(action));
    }
    return keep(prepare(std::move(record), after, {}));
}

Result<Record> Campaign::record(const TurnId& id) const {
    const auto row = store_->turn(row_.id, id);
    if (!row) {
        return std::unexpected(row.error());
    }
    return *row ? record_of(**row) : unknown(id.brief());
}

Result<Record> Campaign::record_of(const TurnRow& row) const {
    const auto written = unpack_record(row.bytes);
    if (!written) {
        return corrupt(row.id, written.error().arguments.back());
    }
    return checked(row, written->head, parse_record(*written));
}

Result<Record> Campaign::head_of(const TurnRow& row) const {
    const auto head = unpack_head(row.bytes);
    if (!head) {
        return corrupt(row.id, head.error().arguments.back());
    }
    return checked(row, *head, parse_head(*head));
}

Result<Record> Campaign::checked(const TurnRow& row, std::string_view head,
                                 Result<Record> record) const {
    if (sha256(head) != row.id) {
        return corrupt(row.id, "its bytes are not those that it was kept with");
    }
    if (!record) {
        return corrupt(row.id, record.error().arguments.back());
    }
    if (record->campaign != row_.id) {
        return corrupt(row.id, "it is of another campaign");
    }
    return record;
}

Result<Campaign::Stand> Campaign::stand_at(const TurnId& id) const {
    std::vector<Record> tail;
    std::int64_t number = 0;
    for (TurnId at = id;;) {
        const auto row = store_->turn(row_.id, at);
        if (!row) {
            return std::unexpected(row.error());
        }
        if (!*row) {
            return unknown(at.brief());
        }
        auto record = head_of(**row);
        if (!record) {
            return std::unexpected(std::move(record).error());
        }
        if (at == id) {
            number = record->number;
        }
        const auto kept = store_->keyframe(row_.id, at);
        if (!kept) {
            return std::unexpected(kept.error());
        }
        if (*kept) {
            const auto text = unpack(**kept, base::kRecordBytesMax);
            auto state = text ? parse_state(*text) : std::unexpected(text.error());
            // A state that was kept is only a short cut: without it the way is longer, if there is
            // one.
            if (state && hash_of(*state) == record->state) {
                for (auto each = tail.rbegin(); each != tail.rend(); ++each) {
                    state = step(*state, *each);
                    if (!state) {
                        return std::unexpected(std::move(state).error());
                    }
                }
                return Stand{*std::move(state), number};
            }
            if (!record->parent) {
                return corrupt(at, "its state is not the one that it was kept with");
            }
        }
        if (!record->parent) {
            return corrupt(at, "the state in which it began is missing");
        }
        at = *record->parent;
        tail.push_back(*std::move(record));
    }
}

Result<State> Campaign::state_at(const TurnId& id) const {
    auto stand = stand_at(id);
    if (!stand) {
        return std::unexpected(std::move(stand).error());
    }
    return std::move(stand->state);
}

Result<std::vector<TurnId>> Campaign::line_to(const TurnId& id) const {
    const auto rows = store_->turns(row_.id);
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::map<TurnId, std::optional<TurnId>> parents;
    for (const TurnRow& row : *rows) {
        parents.emplace(row.id, row.parent);
    }
    std::vector<TurnId> line;
    std::optional<TurnId> at = id;
    while (at) {
        const auto found = parents.find(*at);
        if (found == parents.end() || line.size() > rows->size()) {
            return unknown(at->brief());
        }
        line.push_back(*at);
        at = found->second;
    }
    std::ranges::reverse(line);
    return line;
}

Result<TurnId> Campaign::find(std::string_view text) const {
    const auto line = line_to(head());
    if (!line) {
        return std::unexpected(line.error());
    }
    if (text == "head" || text.starts_with("head~")) {
        const auto back = text == "head"
                              ? std::optional<std::size_t>(0)
                              : whole_number(text.substr(std::string_view("head~").size()));
        if (back && *back < line->size()) {
            return (*line)[line->size() - 1 - *back];
        }
        return unknown(std::string(text));
    }
    if (const auto number = whole_number(text); number && *number < line->size()) {
        return (*line)[*number];
    }
    const auto labels = checkpoints();
    if (!labels) {
        return std::unexpected(labels.error());
    }
    const auto label =
        std::ranges::find(labels->rbegin(), labels->rend(), text, &Checkpoint::label);
    if (label != labels->rend() && !text.empty()) {
        return label->turn;
    }
    constexpr std::size_t kShortest = 4;
    std::optional<TurnId> found;
    const auto rows = turns();
    if (!rows) {
        return std::unexpected(rows.error());
    }
    for (const TurnRow& row : *rows) {
        if (text.size() >= kShortest && row.id.hex().starts_with(text)) {
            if (found) {
                return base::fail(ErrorCode::kTurnAmbiguous, {std::string(text)});
            }
            found = row.id;
        }
    }
    return found ? Result<TurnId>(*found) : unknown(std::string(text));
}

Result<> Campaign::move_to(const TurnId& to, std::optional<TurnId> undo) {
    auto stand = stand_at(to);
    if (!stand) {
        return std::unexpected(std::move(stand).error());
    }
    Commit commit;
    commit.campaign = row_.id;
    commit.head = HeadMove{head(), to, undo};
    if (auto moved = store_->commit(commit); !moved) {
        return moved;
    }
    row_.head = to;
    row_.undo = undo;
    this->stand(*std::move(stand));
    return {};
}

Result<> Campaign::rollback(const TurnId& to) {
    // Rolling back twice can be undone to where it all began.
    return to == head() ? Result<>() : move_to(to, row_.undo ? row_.undo : row_.head);
}

Result<> Campaign::undo() {
    if (!row_.undo) {
        return base::fail(ErrorCode::kNothingToUndo, {row_.id});
    }
    return move_to(TurnId(*row_.undo), std::nullopt);
}

Result<> Campaign::go_to(const TurnId& to) {
    return to == head() ? Result<>() : move_to(to, std::nullopt);
}

Result<> Campaign::checkpoint(std::string label, engine::Instant time, std::size_t most) {
    Commit commit;
    commit.campaign = row_.id;
    commit.checkpoints.push_back({head(), std::move(label), time});
    commit.checkpoints_max = most;
    return store_->commit(commit);
}

}  // namespace arbiter::ledger
