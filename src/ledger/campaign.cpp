#include "ledger/campaign.h"

#include <algorithm>
#include <ranges>

#include "base/check.h"
#include "base/limits.h"
#include "ledger/budget.h"
#include "ledger/keyframes.h"
#include "ledger/names.h"
#include "ledger/record_pack.h"
#include "ledger/record_text.h"
#include "ledger/turn_row.h"
#include "text/utf8.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Array;
using value::Value;

namespace {

std::unexpected<base::Error> unknown(std::string what) {
    return base::fail(ErrorCode::kTurnUnknown, {std::move(what)});
}
std::unexpected<base::Error> corrupt(const TurnId& id, std::string how) {
    return base::fail(ErrorCode::kCorrupt, {"turn " + id.brief(), std::move(how)});
}

// With a head: every campaign has a first turn.
Result<CampaignRow> stored_row(Store& store, std::string_view id) {
    auto row = store.campaign(id);
    if (row && !row->head) {
        return base::fail(ErrorCode::kCorrupt, {"campaign " + row->id, "it has no first turn"});
    }
    return row;
}

}  // namespace

Result<Campaign> Campaign::begin(Store& store, const NewCampaign& campaign) {
    if (!is_campaign_id(campaign.id)) {
        return base::fail(ErrorCode::kCampaignId, {text::to_utf8(campaign.id)});
    }
    CampaignRow row;
    row.id = campaign.id;
    row.name = text::to_utf8(campaign.name);
    row.created = campaign.time;
    Record record;
    record.campaign = campaign.id;
    record.time = campaign.time;
    record.state = hash_of(campaign.state);
    record.rules = campaign.rules;
    auto first_turn = encode_row(record);
    const auto state_bytes = measure_state(campaign.state);
    if (!first_turn || !state_bytes) {
        return std::unexpected(first_turn ? state_bytes.error() : first_turn.error());
    }
    TurnRow first = std::move(first_turn->row);
    const std::string state = print_state(campaign.state);
    if (!text::is_valid(state)) {
        return base::fail(ErrorCode::kNotUtf8, {"the state"});
    }
    Commit commit;
    commit.campaign = campaign.id;
    commit.create = row;
    commit.keyframes.push_back({first.id, pack(state)});
    commit.blobs = campaign.texts;
    commit.head = HeadMove{std::nullopt, first.id, std::nullopt};
    row.head = first.id;
    commit.turns.push_back(std::move(first));
    if (auto committed = store.commit(commit); !committed) {
        return std::unexpected(std::move(committed).error());
    }
    Campaign begun(store, std::move(row));
    begun.set_state({campaign.state, 0, 0, campaign.rules});
    return begun;
}

Result<Campaign> Campaign::open_without_state(Store& store, std::string_view id) {
    auto row = stored_row(store, id);
    if (!row) {
        return std::unexpected(std::move(row).error());
    }
    const auto turn = store.turn(id, *row->head);
    if (!turn) {
        return std::unexpected(turn.error());
    }
    Campaign campaign(store, *std::move(row));
    campaign.number_ = *turn ? (*turn)->number : 0;
    const auto record = *turn ? campaign.replay_inputs_of(**turn) : unknown(campaign.row_.id);
    campaign.story_number_ = record ? record->shown_number() : campaign.number_;
    return campaign;
}

Result<Campaign> Campaign::open(Store& store, std::string_view id) {
    auto campaign = open_without_state(store, id);
    if (!campaign) {
        return campaign;
    }
    auto loaded = campaign->load_state(campaign->head());
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    campaign->set_state(*std::move(loaded));
    return campaign;
}

Result<Campaign> Campaign::open_at(Store& store, std::string_view id, const TurnId& turn) {
    auto campaign = open_without_state(store, id);
    if (!campaign) {
        return campaign;
    }
    auto loaded = campaign->load_state(turn);
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    campaign->stored_ = std::make_shared<const StoredPlace>(campaign->head(), campaign->row_.undo);
    campaign->row_.head = turn;
    campaign->set_state(*std::move(loaded));
    return campaign;
}

void Campaign::set_state(LoadedState loaded) {
    state_ = std::move(loaded.state);
    state_bytes_ = 0;
    number_ = loaded.number;
    story_number_ = loaded.story_number;
    rules_ = std::move(loaded.rules);
    has_state_ = true;
    known_.add(head(), {state_, number_, story_number_, rules_});
}

std::string Campaign::next_batch() const {
    // Siblings share it and differ in their ids; on one line the number makes it unique.
    return std::to_string(number_ + 1) + "-" + head().brief();
}

Result<PreparedTurn> Campaign::prepare(Record record, const State& after,
                                       std::vector<Blob> texts) const {
    CHECK(has_state_);
    record.campaign = row_.id;
    record.parent = head();
    record.number = number_ + 1;
    const std::int64_t story_number = story_number_ + (record.edit ? 0 : 1);
    if (story_number != record.number) {
        record.story_number = story_number;
    }
    record.meta = value::diff(Value(state_.meta), Value(after.meta));
    record.state = hash_of(after);
    // A turn that does not read back is never stored.
    auto encoded = encode_row(record);
    if (!encoded) {
        return std::unexpected(std::move(encoded).error());
    }
    if (auto leads = check_changes(state_, record, after); !leads) {
        return std::unexpected(std::move(leads).error());
    }
    PreparedTurn prepared;
    // The changes repeat everything that is new in the state, so it is counted again only when
    // their sum comes near the limit.
    prepared.state_bytes = state_bytes_ + encoded->changes_bytes;
    if (state_bytes_ == 0 || prepared.state_bytes > base::kRecordTextBytesMax) {
        const auto bytes = measure_state(after);
        if (!bytes) {
            return std::unexpected(bytes.error());
        }
        prepared.state_bytes = *bytes;
    }
    prepared.id = encoded->row.id;
    prepared.number = record.number;
    prepared.story_number = story_number;
    prepared.undo = record.edit ? row_.undo : std::nullopt;
    prepared.after = after;
    prepared.rules = record.rules.empty() ? rules_ : record.rules;
    Commit& commit = prepared.commit;
    commit.campaign = row_.id;
    commit.turns.push_back(std::move(encoded->row));
    if (record.key) {
        commit.keys.push_back({record.key->key, prepared.id});
    }
    if (is_keyframe_due(record.number, after)) {
        commit.keyframes.push_back({prepared.id, pack(print_state(after))});
    }
    commit.blobs = std::move(texts);
    commit.head = HeadMove{stored_head(), prepared.id, prepared.undo};
    return prepared;
}

Result<PreparedTurn> Campaign::prepare(const NewTurn& turn) const {
    auto record = encode_turn(turn);
    if (!record) {
        return std::unexpected(std::move(record).error());
    }
    return prepare(*std::move(record), turn.outcome->state, turn.texts);
}

void Campaign::accept(PreparedTurn prepared) {
    row_.head = prepared.id;
    row_.undo = prepared.undo;
    stored_.reset();
    number_ = prepared.number;
    story_number_ = prepared.story_number;
    state_ = std::move(prepared.after);
    state_bytes_ = prepared.state_bytes;
    rules_ = std::move(prepared.rules);
    known_.add(head(), {state_, number_, story_number_, rules_});
}

Result<TurnId> Campaign::commit(PreparedTurn prepared) {
    if (auto committed = store_->commit(prepared.commit); !committed) {
        return std::unexpected(std::move(committed).error());
    }
    const TurnId id = prepared.id;
    accept(std::move(prepared));
    return id;
}

Result<TurnId> Campaign::edit(const State& after, engine::Instant time, std::string reason,
                              value::Object action) {
    Record record;
    record.time = time;
    record.batch = next_batch();
    record.edit = Edit{std::move(reason), std::move(action)};
    if (value::Diff changes = value::diff(state_.document, after.document); !changes.empty()) {
        record.steps.push_back(std::move(changes));
    }
    auto prepared = prepare(std::move(record), after, {});
    return prepared ? commit(*std::move(prepared)) : std::unexpected(std::move(prepared).error());
}

Result<Record> Campaign::record(const TurnId& id) const {
    const auto row = store_->turn(row_.id, id);
    if (!row) {
        return std::unexpected(row.error());
    }
    return *row ? record_of(**row) : unknown(id.brief());
}

Result<Record> Campaign::record_of(const TurnRow& row, bool with_changes) const {
    const auto encoded = unpack_record(row.bytes);
    if (!encoded) {
        return corrupt(row.id, encoded.error().arguments.back());
    }
    return check_record(row, encoded->replay_part, parse_record(*encoded, with_changes));
}

Result<Record> Campaign::replay_part_of(const TurnRow& row) const {
    const auto part = unpack_replay_part(row.bytes);
    if (!part) {
        return corrupt(row.id, part.error().arguments.back());
    }
    return check_record(row, *part, parse_replay_part(*part));
}

Result<Record> Campaign::replay_inputs_of(const TurnRow& row) const {
    const auto part = unpack_replay_part(row.bytes);
    if (!part) {
        return corrupt(row.id, part.error().arguments.back());
    }
    return check_record(row, *part, parse_replay_inputs(*part));
}

Result<Record> Campaign::check_record(const TurnRow& row, std::string_view replay_part,
                                      Result<Record> record) const {
    if (sha256(replay_part) != row.id) {
        return corrupt(row.id, "its bytes do not match its id");
    }
    if (!record) {
        return corrupt(row.id, record.error().arguments.back());
    }
    if (record->campaign != row_.id && record->campaign != text::repair(row_.id)) {
        return corrupt(row.id, "it belongs to another campaign");
    }
    if (record->parent != row.parent || record->number != row.number || record->time != row.time) {
        return corrupt(row.id, "its row disagrees with its record");
    }
    return record;
}

Result<> Campaign::visit_back(const TurnId& from, Store::Content content,
                              const std::function<Result<bool>(const TurnRow&)>& each) const {
    std::optional<TurnId> expected = from;
    // A damaged row could make a turn its own ancestor. One of the visited turns is remembered, at
    // growing distances, and must not be seen again.
    TurnId remembered = from;
    std::size_t visited = 0;
    Result<bool> result = true;
    auto read = store_->visit_ancestors(row_.id, from, content, [&](const TurnRow& row) {
        if (visited > 0 && row.id == remembered) {
            result = corrupt(row.id, "it is its own ancestor");
            return false;
        }
        if (std::has_single_bit(++visited)) {
            remembered = row.id;
        }
        expected = row.parent;
        result = each(row);
        return result && *result;
    });
    if (!read || !result) {
        return std::unexpected(!read ? std::move(read).error() : std::move(result).error());
    }
    if (!*result || !expected) {
        return {};
    }
    return visited == 0 && from != head() ? unknown(from.brief())
                                          : corrupt(*expected, "it is missing");
}

Result<std::optional<State>> Campaign::load_keyframe(const TurnRow& row,
                                                     const Record& record) const {
    const auto stored = store_->keyframe(row_.id, row.id);
    if (!stored) {
        return std::unexpected(stored.error());
    }
    const auto text = *stored ? unpack(**stored, base::kRecordBytesMax) : unknown(row.id.brief());
    auto state = text ? parse_state(*text) : std::unexpected(text.error());
    if (state && hash_of(*state) == record.state) {
        return *std::move(state);
    }
    // A keyframe is only a shortcut: a damaged one is skipped where an earlier one exists.
    return row.parent ? Result<std::optional<State>>(std::nullopt)
                      : corrupt(row.id, "its stored state is damaged");
}

Result<LoadedState> Campaign::load_state(const TurnId& id) const {
    if (const LoadedState* known = known_.find(id)) {
        return *known;
    }
    auto keyframes = store_->keyframes(row_.id);
    if (!keyframes) {
        return std::unexpected(std::move(keyframes).error());
    }
    std::ranges::sort(*keyframes);
    std::vector<Record> later;  // turns behind the keyframe or the known state, newest first
    std::optional<State> state;
    LoadedState loaded;
    auto visited = visit_back(id, Store::Content::kWhole, [&](const TurnRow& row) -> Result<bool> {
        if (const LoadedState* known = known_.find(row.id)) {
            state = known->state;
            loaded.rules = loaded.rules.empty() ? known->rules : loaded.rules;
            return false;
        }
        auto record = replay_part_of(row);
        if (!record) {
            return std::unexpected(std::move(record).error());
        }
        if (row.id == id) {
            loaded.number = record->number;
            loaded.story_number = record->shown_number();
        }
        loaded.rules = loaded.rules.empty() ? record->rules : std::move(loaded.rules);
        if (std::ranges::binary_search(*keyframes, row.id)) {
            auto keyframe = load_keyframe(row, *record);
            if (!keyframe) {
                return std::unexpected(std::move(keyframe).error());
            }
            state = *std::move(keyframe);
        } else if (!record->parent) {
            return corrupt(row.id, "the state of the first turn is missing");
        }
        if (!state) {  // a keyframe is the state after its turn
            later.push_back(*std::move(record));
        }
        return !state;
    });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    for (const Record& record : std::views::reverse(later)) {
        auto after = step(*state, record);
        if (!after) {
            return std::unexpected(std::move(after).error());
        }
        state = *std::move(after);
    }
    loaded.state = *std::move(state);
    return loaded;
}

Result<State> Campaign::state_at(const TurnId& id) const {
    if (has_state_ && id == head()) {
        return state_;
    }
    auto loaded = load_state(id);
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    return std::move(loaded->state);
}

Result<std::vector<TurnId>> Campaign::line_to(const TurnId& id) const {
    std::vector<TurnId> line;
    auto visited = visit_back(id, Store::Content::kHeader, [&](const TurnRow& row) -> Result<bool> {
        line.push_back(row.id);
        return true;
    });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    std::ranges::reverse(line);
    return line;
}

Result<bool> Campaign::is_one_line() const {
    const auto count = store_->turn_count(row_.id);
    return count ? Result<bool>(*count == static_cast<std::size_t>(number_) + 1)
                 : std::unexpected(count.error());
}

Result<std::optional<TurnId>> Campaign::ancestor(std::size_t distance) const {
    std::optional<TurnId> found;
    std::size_t at = 0;
    auto visited =
        visit_back(head(), Store::Content::kHeader, [&](const TurnRow& row) -> Result<bool> {
            if (at++ == distance) {
                found = row.id;
            }
            return !found;
        });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    return found;
}

Result<std::optional<TurnId>> Campaign::find_in_story(std::int64_t number) const {
    // Without edits the numbers are positions, and no record is read.
    if (story_number_ == number_) {
        return ancestor(static_cast<std::size_t>(number_ - number));
    }
    std::optional<TurnId> found;
    auto visited =
        visit_back(head(), Store::Content::kWhole, [&](const TurnRow& row) -> Result<bool> {
            const auto record = replay_inputs_of(row);
            // A damaged turn is passed over: the way back leads past it.
            if (record && record->shown_number() == number) {
                found = row.id;
            }
            return !found && (!record || record->shown_number() > number);
        });
    if (!visited) {
        return std::unexpected(std::move(visited).error());
    }
    return found;
}

Result<std::optional<TurnId>> Campaign::find_on_line(std::string_view text) const {
    const auto length = static_cast<std::size_t>(number_);
    constexpr std::string_view kBack = "head~";
    if (text == "head") {
        return head();
    }
    if (text.starts_with(kBack)) {
        const auto distance = turn_number(text.substr(kBack.size()));
        return distance && *distance <= length ? ancestor(*distance) : unknown(std::string(text));
    }
    const auto number = turn_number(text);
    return number && *number <= static_cast<std::size_t>(story_number_)
               ? find_in_story(static_cast<std::int64_t>(*number))
               : Result<std::optional<TurnId>>(std::nullopt);
}

Result<TurnId> Campaign::find(std::string_view text) const {
    const auto on_line = find_on_line(text);
    if (!on_line) {
        return std::unexpected(on_line.error());
    }
    if (*on_line) {
        return **on_line;
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
    if (const auto keyed = store_->turn_of_key(row_.id, text); !keyed || *keyed) {
        return keyed ? Result<TurnId>(**keyed) : std::unexpected(keyed.error());
    }
    const auto ids = ids_that_begin_with(text);
    if (!ids) {
        return unknown(std::string(text));
    }
    const auto found = store_->turn_ids_between(row_.id, ids->first, ids->last, 2);
    if (!found) {
        return std::unexpected(found.error());
    }
    if (found->size() > 1) {
        return base::fail(ErrorCode::kTurnAmbiguous, {std::string(text)});
    }
    return found->empty() ? unknown(std::string(text)) : Result<TurnId>(found->front());
}

Result<> Campaign::move_head(const TurnId& to, std::optional<TurnId> undo) {
    auto loaded = load_state(to);
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    Commit commit;
    commit.campaign = row_.id;
    commit.head = HeadMove{stored_head(), to, undo};
    if (auto moved = store_->commit(commit); !moved) {
        return moved;
    }
    row_.head = to;
    row_.undo = undo;
    stored_.reset();
    set_state(*std::move(loaded));
    return {};
}

Result<> Campaign::rollback(const TurnId& to) {
    // After two rollbacks undo() goes to where the first one began.
    return to == head() ? Result<>() : move_head(to, row_.undo ? row_.undo : row_.head);
}

Result<> Campaign::undo() {
    if (!row_.undo) {
        return base::fail(ErrorCode::kNothingToUndo, {row_.id});
    }
    return move_head(TurnId(*row_.undo), std::nullopt);
}

Result<> Campaign::go_to(const TurnId& to) {
    if (stored_ != nullptr && to == stored_->head) {
        return stand_at(to);
    }
    return to == head() ? settle() : move_head(to, std::nullopt);
}

Result<> Campaign::stand_at(const TurnId& to) {
    if (to == head()) {
        return {};
    }
    auto loaded = load_state(to);
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    if (stored_ != nullptr && to == stored_->head) {
        row_.undo = stored_->undo;
        row_.head = to;  // before the place goes, which may hold it
        stored_ = nullptr;
    } else {
        if (stored_ == nullptr) {
            stored_ = std::make_shared<const StoredPlace>(head(), row_.undo);
        }
        row_.undo.reset();
        row_.head = to;
    }
    set_state(*std::move(loaded));
    return {};
}

Result<> Campaign::settle() {
    return stored_ != nullptr ? move_head(TurnId(head()), row_.undo) : Result<>();
}

bool Campaign::is_current(const CampaignRow& row) const noexcept {
    return row.head == stored_head() &&
           row.undo == (stored_ != nullptr ? stored_->undo : row_.undo);
}

Result<> Campaign::refresh() {
    auto row = stored_row(*store_, row_.id);
    auto loaded = row ? load_state(*row->head) : std::unexpected(row.error());
    if (!loaded) {
        return std::unexpected(std::move(loaded).error());
    }
    row_ = *std::move(row);
    stored_.reset();
    set_state(*std::move(loaded));
    return {};
}

Result<> Campaign::checkpoint(std::string label, engine::Instant time,
                              std::size_t checkpoints_max) {
    label = text::to_utf8(std::move(label));
    if (!is_checkpoint_label(label)) {
        return base::fail(ErrorCode::kCheckpointLabel,
                          {label, std::to_string(base::kCheckpointLabelBytesMax)});
    }
    Commit commit;
    commit.campaign = row_.id;
    commit.checkpoints.push_back({head(), std::move(label), time});
    commit.checkpoints_max = checkpoints_max;
    return store_->commit(commit);
}

}  // namespace arbiter::ledger
