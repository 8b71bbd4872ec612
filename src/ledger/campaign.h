// Campaign: one story in a store. Its turns form a tree; the head is where it stands now.
//
// A turn is on disk when append() returns. Rolling back moves the head, and undoing moves it back
// until something new is said; saying something new after a rollback makes a branch. Nothing that
// was said is ever lost.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/store.h"
#include "proposal/proposal.h"
#include "rules/turn.h"

namespace arbiter::ledger {

// How a campaign begins.
struct Beginning {
    std::string id;
    std::string name;
    engine::State state;
    engine::Instant time = 0;
    value::Object rules;      // what it is played under, by digest
    std::vector<Blob> texts;  // what the digests are of
};

// What a turn was, to be kept.
struct Said {
    engine::Context context;  // the batch id is the campaign's next_batch()
    std::string said;         // by the player, before the reply
    std::string raw;
    std::string shown;
    std::span<const proposal::Proposal> proposals;
    const rules::Played* played = nullptr;
    value::Object rules;
    std::vector<Blob> texts;
    value::Object extra;  // what playing it again needs
    value::Object notes;  // what people want to know
};

// A turn that has been thought through but not kept: what to commit, and what to become then.
struct Prepared {
    Commit commit;
    TurnId id;
    std::int64_t number = 0;
    engine::State after;
};

class Campaign {
  public:
    static base::Result<Campaign> begin(Store& store, const Beginning& beginning);
    static base::Result<Campaign> open(Store& store, std::string_view id);
    // Without its present state: to look back, and to go to a turn that is whole when the last ones
    // are damaged. Nothing can be appended before that.
    static base::Result<Campaign> look(Store& store, std::string_view id);

    [[nodiscard]] const CampaignRow& row() const noexcept { return row_; }
    [[nodiscard]] const TurnId& head() const noexcept { return *row_.head; }
    [[nodiscard]] std::int64_t number() const noexcept { return number_; }
    [[nodiscard]] const engine::State& state() const noexcept { return state_; }
    // The id that the commands of the next turn get: of this campaign, and of no other turn.
    [[nodiscard]] std::string next_batch() const;

    base::Result<TurnId> append(const Said& said);
    // append() in two steps, for who commits elsewhere (ledger/committer.h): accept() once the
    // commit has succeeded, and nothing else in between.
    [[nodiscard]] Prepared prepare(const Said& said) const;
    void accept(Prepared prepared);
    // A change that no command made (a world restored by its host): kept as what it changed.
    base::Result<TurnId> edit(const engine::State& after, engine::Instant time, std::string why,
                              value::Object action = {});

    // Fails with kTurnUnknown, or with kCorrupt when a turn is not what its id says.
    base::Result<Record> record(const TurnId& id) const;
    // Of a row with its bytes; the second without what is in the body.
    base::Result<Record> record_of(const TurnRow& row) const;
    base::Result<Record> head_of(const TurnRow& row) const;
    base::Result<engine::State> state_at(const TurnId& id) const;
    // From the beginning to a turn.
    base::Result<std::vector<TurnId>> line_to(const TurnId& id) const;
    // All turns, in the order in which they were kept.
    base::Result<std::vector<TurnRow>> turns() const { return store_->turns(row_.id); }

    // The turn that a text means: a number on the present line, the beginning of an id, head,
    // head~2, or the label of a checkpoint.
    base::Result<TurnId> find(std::string_view text) const;

    base::Result<> rollback(const TurnId& to);
    // Fails with kNothingToUndo.
    base::Result<> undo();
    // To any turn of the tree; there is nothing to undo then.
    base::Result<> go_to(const TurnId& to);

    base::Result<> checkpoint(std::string label, engine::Instant time, std::size_t most);
    base::Result<std::vector<Checkpoint>> checkpoints() const {
        return store_->checkpoints(row_.id);
    }

    [[nodiscard]] Store& store() const noexcept { return *store_; }

  private:
    struct Stand {
        engine::State state;
        std::int64_t number = 0;
    };
    base::Result<Stand> stand_at(const TurnId& id) const;
    void stand(Stand stand);
    // A row's record, if the row is what its id says.
    base::Result<Record> checked(const TurnRow& row, std::string_view head,
                                 base::Result<Record> record) const;

    Campaign(Store& store, CampaignRow row) : store_(&store), row_(std::move(row)) {}
    base::Result<> move_to(const TurnId& to, std::optional<TurnId> undo);
    [[nodiscard]] Prepared prepare(Record record, const engine::State& after,
                                   std::vector<Blob> texts) const;
    base::Result<TurnId> keep(Prepared prepared);

    Store* store_;
    bool has_state_ = false;
    CampaignRow row_;
    std::int64_t number_ = 0;
    engine::State state_;
};

}  // namespace arbiter::ledger
