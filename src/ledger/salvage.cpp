#include "ledger/salvage.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include "base/limits.h"
#include "ledger/record_pack.h"
#include "text/utf8.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using engine::State;

namespace {

// Turns of one commit.
constexpr std::size_t kCommitTurns = 200;
// Turns before the head that are tried for a newer state.
constexpr std::size_t kNewerTriesMax = 1000;

constexpr const char* kUnreadable = "it cannot be read";
constexpr const char* kParentLost = "a turn before it is lost";

// An intact record. It is parsed again where more of it is needed.
struct FoundTurn {
    TurnRow row;        // as the record says
    std::string state;  // the hash of the state after it
};

Result<Record> record_in(const TurnRow& row) {
    const auto encoded = unpack_record(row.bytes);
    return encoded ? parse_record(*encoded) : std::unexpected(encoded.error());
}

class Salvage {
  public:
    Salvage(Store& from, CampaignRow row, Store& to, const FindText& find_text)
        : from_(from), row_(std::move(row)), to_(to), find_text_(find_text) {
        pending_.campaign = row_.id;
        // Written with the first turns, so that nothing is left where nothing is good.
        pending_.create = CampaignRow{row_.id, text::repair(row_.name), row_.created, {}, {}};
    }

    Result<SalvageReport> run() {
        collect();
        std::optional<State> first = first_state();
        if (!first) {
            for (const auto& [id, turn] : turns_) {
                lose(id, turn.row.number,
                     root_ ? "the state of the first turn is missing" : kParentLost);
            }
            sort_lost();
            return std::move(report_);
        }
        if (auto kept = keep_turns(*std::move(first)); !kept) {
            return std::unexpected(std::move(kept).error());
        }
        if (kept_.empty()) {
            sort_lost();
            return std::move(report_);
        }
        if (auto ended = end(); !ended) {
            return std::unexpected(std::move(ended).error());
        }
        add_newer_state();
        sort_lost();
        return std::move(report_);
    }

  private:
    void lose(const TurnId& id, std::int64_t number, std::string why, std::string about = {}) {
        told_.insert(id);
        report_.lost.push_back({id, number, std::move(why), std::move(about)});
    }
    void sort_lost() {
        std::ranges::sort(report_.lost, {},
                          [](const TurnDefect& each) { return std::pair(each.number, each.turn); });
    }

    // Reads every turn that the store still gives, by every way that leads to it.
    void collect() {
        const auto take = [this](const TurnRow& row) {
            take_row(row);
            return true;
        };
        (void)from_.visit_turns(row_.id, std::nullopt, take);
        std::vector<TurnId> ends;
        for (const auto& end : {row_.head, row_.undo}) {
            if (end) {
                ends.push_back(*end);
            }
        }
        if (const auto checkpoints = from_.checkpoints(row_.id)) {
            for (const Checkpoint& each : *checkpoints) {
                ends.push_back(each.turn);
            }
        }
        for (const TurnId& end : ends) {
            if (!rows_.contains(end)) {
                (void)from_.visit_ancestors(row_.id, end, Store::Content::kWhole, take);
            }
        }
        if (const auto listed = from_.turns(row_.id)) {
            for (const TurnRow& row : *listed) {
                if (rows_.contains(row.id)) {
                    continue;
                }
                if (const auto found = from_.turn(row_.id, row.id); found && *found) {
                    take_row(**found);
                } else {
                    rows_.emplace(row.id, row.number);
                    lose(row.id, row.number, kUnreadable);
                }
            }
        }
        // Turns that others name.
        std::map<TurnId, std::int64_t> named;
        for (const auto& [id, turn] : turns_) {
            if (turn.row.parent) {
                named.emplace(*turn.row.parent, turn.row.number - 1);
            }
        }
        for (const auto& [id, number] : named) {
            if (!turns_.contains(id) && !rows_.contains(id)) {
                lose(id, number, "it is missing");
            }
        }
    }

    void take_row(const TurnRow& row) {
        if (!rows_.emplace(row.id, row.number).second) {
            return;
        }
        const auto encoded = unpack_record(row.bytes);
        auto record = encoded ? parse_record(*encoded) : std::unexpected(encoded.error());
        if (!record) {
            lose(row.id, row.number, record.error().arguments.back());
            return;
        }
        if (record->campaign != row_.id && record->campaign != text::repair(row_.id)) {
            lose(row.id, row.number, "it belongs to another campaign");
            return;
        }
        // The columns may be damaged; the record is what its own digest says.
        const TurnId id = sha256(encoded->replay_part);
        if (!record->parent) {
            root_ = id;
        } else {
            children_[*record->parent].push_back(id);
        }
        TurnRow own{id, record->parent, record->number, record->time, row.bytes};
        turns_.emplace(id, FoundTurn{std::move(own), std::move(record->state)});
    }

    std::optional<State> keyframe_of(const TurnId& id) const {
        const auto turn = turns_.find(id);
        const auto stored = from_.keyframe(row_.id, id);
        const auto text = stored && *stored ? unpack(**stored, base::kRecordBytesMax)
                                            : base::fail(ErrorCode::kNotFound, {id.brief()});
        auto state = text ? parse_state(*text) : std::unexpected(text.error());
        const bool fits = state && turn != turns_.end() && hash_of(*state) == turn->second.state;
        return fits ? std::optional(*std::move(state)) : std::nullopt;
    }

    // The state of the first turn: its keyframe, or a later one from which the changes lead back.
    std::optional<State> first_state() const {
        if (!root_) {
            return std::nullopt;
        }
        if (auto state = keyframe_of(*root_)) {
            return state;
        }
        const auto keyframes = from_.keyframes(row_.id);
        for (const TurnId& id : keyframes ? *keyframes : std::vector<TurnId>()) {
            std::optional<State> state = keyframe_of(id);
            TurnId at = id;
            while (state && at != *root_) {
                const TurnRow& row = turns_.at(at).row;
                const auto record = record_in(row);
                state = record && row.parent && turns_.contains(*row.parent)
                            ? stepped_back(*state, *record)
                            : std::nullopt;
                if (state && hash_of(*state) != turns_.at(*row.parent).state) {
                    state.reset();
                }
                at = row.parent.value_or(at);
            }
            if (state) {
                return state;
            }
        }
        return std::nullopt;
    }

    static std::optional<State> stepped_back(const State& after, const Record& record) {
        value::Value document = after.document;
        for (const value::Diff& step : std::views::reverse(record.steps)) {
            auto before = value::apply_diff(value::invert(step), document);
            if (!before) {
                return std::nullopt;
            }
            document = *std::move(before);
        }
        const auto meta = value::apply_diff(value::invert(record.meta), value::Value(after.meta));
        if (!meta || !meta->is_object()) {
            return std::nullopt;
        }
        return State{std::move(document), meta->as_object()};
    }

    Result<> write() {
        auto written = to_.commit(pending_);
        pending_ = {};
        pending_.campaign = row_.id;
        return written;
    }

    // Adds the texts that a record names; the name of one that is missing.
    std::optional<std::string> missing_text(const Record& record) {
        for (const auto& [name, digest] : record.rules) {
            const auto id =
                digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
            if (!id) {
                return std::string(name.view());
            }
            if (texts_.contains(*id)) {
                continue;
            }
            auto text = load_text(from_, row_.id, *id);
            if (!text && find_text_) {
                if (auto found = find_text_(*id); found && sha256(*found) == *id) {
                    text = *std::move(found);
                }
            }
            if (!text) {
                return std::string(name.view());
            }
            pending_.blobs.push_back({*id, pack(*text)});
            texts_.insert(*id);
        }
        return std::nullopt;
    }

    // From the first turn on, parents before their children.
    Result<> keep_turns(State first) {
        std::vector<std::pair<TurnId, State>> open;  // turns whose own state is known to be right
        if (auto kept = keep(*root_, first); !kept) {
            return std::unexpected(std::move(kept).error());
        } else if (*kept) {
            open.emplace_back(*root_, std::move(first));
        }
        while (!open.empty()) {
            const auto [id, state] = std::move(open.back());
            open.pop_back();
            for (const TurnId& child : children_[id]) {
                const TurnRow& row = turns_.at(child).row;
                const auto record = record_in(row);
                auto after = record ? step(state, *record) : std::unexpected(record.error());
                if (!after || row.number != turns_.at(id).row.number + 1) {
                    lose(child, row.number,
                         after ? "the turn before it is missing or has a wrong number"
                               : after.error().arguments.back());
                    continue;
                }
                const auto kept = keep(child, *after);
                if (!kept) {
                    return std::unexpected(kept.error());
                }
                if (*kept) {
                    open.emplace_back(child, *std::move(after));
                }
            }
        }
        for (const auto& [id, turn] : turns_) {
            if (!kept_.contains(id) && !told_.contains(id)) {
                lose(id, turn.row.number, kParentLost);
            }
        }
        return {};
    }

    // False: the turn is lost.
    Result<bool> keep(const TurnId& id, const State& state) {
        const TurnRow& row = turns_.at(id).row;
        const auto record = record_in(row);
        if (!record) {
            return std::unexpected(record.error());
        }
        if (auto missing = missing_text(*record)) {
            lose(id, row.number, "a rule text is missing or damaged", *std::move(missing));
            return false;
        }
        kept_.insert(id);
        ++report_.kept;
        pending_.turns.push_back(row);
        if (record->key) {
            pending_.keys.push_back({record->key->key, id});
        }
        if (!row.parent || row.number % static_cast<std::int64_t>(kCommitTurns) == 0) {
            pending_.keyframes.push_back({id, pack(print_state(state))});
        }
        if (pending_.turns.size() >= kCommitTurns) {
            if (auto written = write(); !written) {
                return std::unexpected(std::move(written).error());
            }
        }
        return true;
    }

    // The newest good turn on the way back from a turn.
    [[nodiscard]] std::optional<TurnId> good_before(std::optional<TurnId> id) const {
        while (id && !kept_.contains(*id)) {
            const auto turn = turns_.find(*id);
            id = turn != turns_.end() ? turn->second.row.parent : std::nullopt;
        }
        return id;
    }

    // Head, undo and checkpoints.
    Result<> end() {
        std::optional<TurnId> head = good_before(row_.head);
        if (!head) {
            // The way back is interrupted: the good turn with the highest number.
            head = *std::ranges::max_element(
                kept_, {}, [this](const TurnId& id) { return turns_.at(id).row.number; });
        }
        if (row_.head && *head != *row_.head && !rows_.contains(*row_.head)) {
            lose(*row_.head, 0, "the head is missing");
        }
        std::optional<TurnId> undo = row_.undo;
        if (undo && !kept_.contains(*undo)) {
            lose(*undo, 0, "the turn that undo leads to is missing");
            undo.reset();
        }
        const auto checkpoints = from_.checkpoints(row_.id);
        for (const Checkpoint& each : checkpoints ? *checkpoints : std::vector<Checkpoint>()) {
            if (kept_.contains(each.turn)) {
                pending_.checkpoints.push_back({each.turn, text::repair(each.label), each.time});
            } else {
                lose(each.turn, 0, "the turn of a checkpoint is missing", text::repair(each.label));
            }
        }
        pending_.head = HeadMove{std::nullopt, head, undo};
        report_.is_written = true;
        return write();
    }

    // A state behind the last good turn may still be loaded from a keyframe behind the damage.
    void add_newer_state() {
        if (!row_.head || kept_.contains(*row_.head)) {
            return;
        }
        auto damaged = Campaign::open_without_state(from_, row_.id);
        auto good = Campaign::open(to_, row_.id);
        if (!damaged || !good) {
            return;
        }
        std::size_t tries = 0;
        (void)damaged->visit_back(
            *row_.head, Store::Content::kHeader, [&](const TurnRow& row) -> Result<bool> {
                if (kept_.contains(row.id) || ++tries > kNewerTriesMax) {
                    return false;
                }
                const auto state = damaged->state_at(row.id);
                if (!state) {
                    return true;
                }
                if (*state != good->state() && good->edit(*state, row.time, "salvage")) {
                    report_.added_state = row.number;
                }
                return false;
            });
    }

    Store& from_;
    const CampaignRow row_;
    Store& to_;
    const FindText& find_text_;
    SalvageReport report_;
    std::map<TurnId, std::int64_t> rows_;  // ids as the store has them, with their numbers
    std::map<TurnId, FoundTurn> turns_;    // intact records
    std::map<TurnId, std::vector<TurnId>> children_;
    std::optional<TurnId> root_;
    std::set<TurnId> kept_;
    std::set<TurnId> told_;  // in the report
    std::set<Digest> texts_;
    Commit pending_;
};

}  // namespace

Result<SalvageReport> salvage(Store& from, const CampaignRow& row, Store& to,
                              const FindText& find_text) {
    return Salvage(from, row, to, find_text).run();
}

}  // namespace arbiter::ledger
