// Storage: the store of a run and its faults.
//
// Memory: commits that are refused, commits that are stored although the answer is an error (a
// connection that is lost at the wrong moment, as with PostgreSQL), reads that fail. SQLite on a
// disk in memory: a full disk, a failed sync, a kill at any write, a power cut that tears sectors,
// flipped bytes. Faults strike one step; what is stored must be the state before or after it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "ledger/forwarding_store.h"
#include "tests/ledger/disk.h"
#include "tests/sim/coverage.h"

namespace arbiter::sim {

// Hands calls on to a memory store, except for those that fail.
class FaultStore : public ledger::ForwardingStore {
  public:
    enum class Fault : std::uint8_t { kNone, kRefused, kAnswerLost, kBusy, kReads };
    using ForwardingStore::ForwardingStore;

    void arm(Fault fault) { fault_ = fault; }
    std::vector<base::Result<>> commit_all(std::span<const ledger::Commit> commits) override;
    base::Result<ledger::CampaignRow> campaign(std::string_view id) override;
    base::Result<std::optional<ledger::TurnRow>> turn(std::string_view campaign,
                                                      const ledger::TurnId& id) override;

  private:
    Fault fault_ = Fault::kNone;
};

class Storage {
  public:
    Storage(tests::Random& random, Coverage& coverage);
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage();

    [[nodiscard]] ledger::Store& store() noexcept { return *front_; }
    [[nodiscard]] bool is_sqlite() const noexcept { return disk_ != nullptr; }
    // A fault of the next step, of a kind that this store has.
    void arm(tests::Random& random);
    // Ends the fault of the step. True if the store must be opened again before it can be written.
    bool disarm();
    // Whether it refuses everything until then: after a full disk it goes on when there is room.
    [[nodiscard]] bool is_closed() const noexcept { return needs_opening_ && !is_full_; }
    // Closes the store, as a killed process or a power cut does, and opens it again. No session may
    // be open. Returns what is wrong.
    std::optional<std::string> crash(tests::Random& random);
    // Flips a byte of a copy of the closed store and opens the copy. Nothing: it cannot be opened,
    // or this store has no bytes. The store itself is as before after restore().
    ledger::Store* open_flipped(tests::Random& random);
    std::optional<std::string> restore();

  private:
    std::optional<std::string> open();

    Coverage& coverage_;
    std::unique_ptr<ledger::Disk> disk_;
    ledger::Disk::Image image_;  // before open_flipped()
    bool needs_opening_ = false;
    bool is_full_ = false;  // the fault of the step is a full disk
    std::unique_ptr<ledger::Store> inner_;
    std::unique_ptr<FaultStore> faults_;  // of a memory store
    ledger::Store* front_ = nullptr;
};

}  // namespace arbiter::sim
