// Campaign: one story in a store. Its turns form a tree; the head is the present turn.
//
// A turn is durable when its commit has succeeded. A rollback moves the head back, and undo() moves
// it forward again until the next turn; a turn after a rollback begins a branch. No turn is ever
// deleted.
//
// Not thread-safe: one thread at a time uses a Campaign. Copies share only the store.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/known_states.h"
#include "ledger/new_turn.h"
#include "ledger/record.h"
#include "ledger/store.h"

namespace arbiter::ledger {

// The first turn of a campaign.
struct NewCampaign {
    std::string id;
    std::string name;
    engine::State state;
    engine::Instant time = 0;
    value::Object rules;      // names → digests of the texts it is played under
    std::vector<Blob> texts;  // the texts themselves
};

// A turn that is encoded but not committed.
struct PreparedTurn {
    Commit commit;
    TurnId id;
    std::int64_t number = 0;
    std::int64_t story_number = 0;
    std::optional<TurnId> undo;  // what can still be undone after it
    engine::State after;
    std::size_t state_bytes = 0;  // of `after` as it would be stored, at most
    value::Object rules;          // LoadedState::rules
};

class Campaign {
  public:
    // Fails with kCampaignExists, or like prepare() when the state could not be read back.
    static base::Result<Campaign> begin(Store& store, const NewCampaign& campaign);
    // Fails with kCampaignUnknown, or with kCorrupt when the present state cannot be loaded.
    static base::Result<Campaign> open(Store& store, std::string_view id);
    // At another turn than the head: a turn that is appended becomes its child and the new head,
    // unless the head has moved meanwhile (kHeadMoved). Fails with kTurnUnknown.
    static base::Result<Campaign> open_at(Store& store, std::string_view id, const TurnId& turn);
    // Does not load the present state: for reading history, and for going back to an intact turn
    // when the last ones are damaged. Nothing can be appended before a successful rollback() or
    // go_to().
    static base::Result<Campaign> open_without_state(Store& store, std::string_view id);

    [[nodiscard]] const CampaignRow& row() const noexcept { return row_; }
    [[nodiscard]] const TurnId& head() const noexcept { return *row_.head; }
    [[nodiscard]] std::int64_t number() const noexcept { return number_; }
    // The number of the head in the story: edits do not count.
    [[nodiscard]] std::int64_t story_number() const noexcept { return story_number_; }
    [[nodiscard]] const engine::State& state() const noexcept { return state_; }
    // LoadedState::rules of the head.
    [[nodiscard]] const value::Object& rules() const noexcept { return rules_; }
    // The batch id for the commands of the next turn; unique within the campaign.
    [[nodiscard]] std::string next_batch() const;

    // A turn that the caller commits (ledger/committer.h), which fails with kHeadMoved when another
    // writer was first. accept() follows the commit, with no other call in between. Fails with
    // kCorrupt when the actions of the turn do not lead to its state, with kRecordTooLarge,
    // kRecordTooDeep, kStateTooLarge or kNotUtf8 when it could not be read back.
    [[nodiscard]] base::Result<PreparedTurn> prepare(const NewTurn& turn) const;
    void accept(PreparedTurn prepared);
    // Stores a change that no command made, such as a restored world or a setting. It is not a turn
    // of the story: it keeps the story's number, and a rollback before it can still be undone.
    base::Result<TurnId> edit(const engine::State& after, engine::Instant time, std::string reason,
                              value::Object action = {});

    // Fails with kTurnUnknown, or with kCorrupt when the turn does not match its id.
    base::Result<Record> record(const TurnId& id) const;
    // The record of a row with its bytes: all of it, without its changes, without its details, and
    // without both (record_text.h). Each checks the id.
    base::Result<Record> record_of(const TurnRow& row) const { return record_of(row, true); }
    base::Result<Record> story_of(const TurnRow& row) const { return record_of(row, false); }
    base::Result<Record> replay_part_of(const TurnRow& row) const;
    base::Result<Record> replay_inputs_of(const TurnRow& row) const;
    base::Result<engine::State> state_at(const TurnId& id) const;
    // Visits a turn and its ancestors, newest first, until `each` returns false or an error, which
    // is returned. Fails with kCorrupt where a turn is missing. `each` may use the store.
    base::Result<> visit_back(const TurnId& from, Store::Content content,
                              const std::function<base::Result<bool>(const TurnRow&)>& each) const;
    // The turns from the first to `id`.
    base::Result<std::vector<TurnId>> line_to(const TurnId& id) const;
    // All turns without their bytes, in the order in which they were stored.
    base::Result<std::vector<TurnRow>> turns() const { return store_->turns(row_.id); }

    // True if every turn of the campaign is on the line to the head.
    base::Result<bool> is_one_line() const;

    // Finds a turn by its number in the story on the present line (with the edits after it), the
    // first digits of its id, "head", "head~2", the label of a checkpoint, or the key of its
    // request. Fails with kTurnUnknown or kTurnAmbiguous.
    base::Result<TurnId> find(std::string_view text) const;

    base::Result<> rollback(const TurnId& to);
    // Fails with kNothingToUndo.
    base::Result<> undo();
    // Moves the head to any turn of the tree. There is nothing to undo afterwards.
    base::Result<> go_to(const TurnId& to);
    // Goes to a turn as go_to() does, but leaves the stored head: the move is stored with the next
    // turn or edit, which fails with kHeadMoved if another writer has moved the head. go_to() back
    // to the stored head stores nothing.
    base::Result<> stand_at(const TurnId& to);
    // Stores the move of stand_at(), if nothing has been committed since.
    base::Result<> settle();
    // The head that the store has, as far as this object knows.
    [[nodiscard]] const TurnId& stored_head() const noexcept {
        return stored_ != nullptr ? stored_->head : head();
    }
    // Whether stand_at() would read nothing from the store.
    [[nodiscard]] const LoadedState* known_state(const TurnId& id) const noexcept {
        return known_.find(id);
    }
    // Whether the store has the head and the undo target where this object found or left them.
    [[nodiscard]] bool is_current(const CampaignRow& row) const noexcept;
    // Goes to the stored head, which another writer may have moved. Fails like open(); the campaign
    // stays where it is then.
    base::Result<> refresh();

    // Labels the head; the oldest checkpoints beyond `checkpoints_max` are dropped (0: none).
    base::Result<> checkpoint(std::string label, engine::Instant time, std::size_t checkpoints_max);
    base::Result<std::vector<Checkpoint>> checkpoints() const {
        return store_->checkpoints(row_.id);
    }

    [[nodiscard]] Store& store() const noexcept { return *store_; }

  private:
    Campaign(Store& store, CampaignRow row) : store_(&store), row_(std::move(row)) {}

    base::Result<LoadedState> load_state(const TurnId& id) const;
    // The state of a turn that has a keyframe; nothing if the keyframe is damaged and not needed.
    base::Result<std::optional<engine::State>> load_keyframe(const TurnRow& row,
                                                             const Record& record) const;
    // The turn N turns before the head.
    base::Result<std::optional<TurnId>> ancestor(std::size_t distance) const;
    // The newest turn on the line with a number of the story.
    base::Result<std::optional<TurnId>> find_in_story(std::int64_t number) const;
    // The turn that "head", "head~2" or a number means; nothing if the text is none of them.
    base::Result<std::optional<TurnId>> find_on_line(std::string_view text) const;
    void set_state(LoadedState loaded);
    base::Result<Record> record_of(const TurnRow& row, bool with_changes) const;
    base::Result<Record> check_record(const TurnRow& row, std::string_view replay_part,
                                      base::Result<Record> record) const;
    [[nodiscard]] base::Result<PreparedTurn> prepare(Record record, const engine::State& after,
                                                     std::vector<Blob> texts) const;
    base::Result<TurnId> commit(PreparedTurn prepared);
    base::Result<> move_head(const TurnId& to, std::optional<TurnId> undo);

    Store* store_;
    bool has_state_ = false;
    CampaignRow row_;
    // Where the store has the campaign, if that is not in row_: open_at(), stand_at().
    struct StoredPlace {
        TurnId head;
        std::optional<TurnId> undo;
    };
    std::shared_ptr<const StoredPlace> stored_;  // nullptr: it is in row_
    std::int64_t number_ = 0;
    std::int64_t story_number_ = 0;
    engine::State state_;
    std::size_t state_bytes_ = 0;  // of it as it would be stored, at most; 0: not measured yet
    value::Object rules_;
    KnownStates known_;  // of turns around the head
};

}  // namespace arbiter::ledger
