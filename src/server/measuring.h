// Measuring: a store and a model that count their work in the metrics.
#pragma once

#include <memory>

#include "ledger/forwarding_store.h"
#include "model/async_model.h"
#include "server/metrics.h"

namespace arbiter::server {

// Counts commits of all callers, with the time that the store takes. Workers that read for a turn
// or the opening of a campaign, or commit, let others work meanwhile.
class MeasuredStore final : public ledger::ForwardingStore {
  public:
    // Both are borrowed.
    MeasuredStore(ledger::Store& store, Metrics& metrics)
        : ForwardingStore(store), metrics_(metrics) {}

    std::vector<base::Result<>> commit_all(std::span<const ledger::Commit> commits) override;
    base::Result<ledger::CampaignRow> campaign(std::string_view id) override;
    base::Result<std::optional<ledger::TurnRow>> turn(std::string_view campaign,
                                                      const ledger::TurnId& id) override;
    base::Result<std::optional<ledger::TurnId>> turn_of_key(std::string_view campaign,
                                                            std::string_view key) override;
    base::Result<> visit_turns(std::string_view campaign,
                               const std::optional<ledger::TurnId>& after,
                               const std::function<bool(const ledger::TurnRow&)>& each) override;
    base::Result<> visit_ancestors(
        std::string_view campaign, const ledger::TurnId& from, Content content,
        const std::function<bool(const ledger::TurnRow&)>& each) override;
    base::Result<std::optional<std::string>> keyframe(std::string_view campaign,
                                                      const ledger::TurnId& turn) override;

  private:
    Metrics& metrics_;
};

// The same model, whose calls, tokens and times are counted. `metrics` is borrowed. A call that was
// cancelled counts as such.
std::shared_ptr<model::AsyncModel> measured_model(std::shared_ptr<model::AsyncModel> model,
                                                  Metrics& metrics);

}  // namespace arbiter::server
