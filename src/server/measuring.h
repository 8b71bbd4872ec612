// Measuring: a store and a model that count their work in the metrics.
#pragma once

#include <memory>

#include "ledger/forwarding_store.h"
#include "model/async_model.h"
#include "server/metrics.h"

namespace arbiter::server {

// Counts commits of all callers, with the time that the store takes.
class MeasuredStore final : public ledger::ForwardingStore {
  public:
    // Both are borrowed.
    MeasuredStore(ledger::Store& store, Metrics& metrics)
        : ForwardingStore(store), metrics_(metrics) {}

    std::vector<base::Result<>> commit_all(std::span<const ledger::Commit> commits) override;

  private:
    Metrics& metrics_;
};

// The same model, whose calls, tokens and times are counted. `metrics` is borrowed. A call that was
// cancelled counts as such.
std::shared_ptr<model::AsyncModel> measured_model(std::shared_ptr<model::AsyncModel> model,
                                                  Metrics& metrics);

}  // namespace arbiter::server
