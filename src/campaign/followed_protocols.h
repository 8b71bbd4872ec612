// FollowedProtocols: the protocols that a campaign keeps, taken over into the library that its
// session plays with. The texts are read again only when the campaign's rules differ. Not
// thread-safe: the session owns it.
#pragma once

#include <memory>

#include "base/lazy.h"
#include "config/protocols.h"
#include "ledger/campaign.h"

namespace arbiter::campaign {

class FollowedProtocols {
  public:
    // Takes over the protocols of the campaign's present turn. `rules`: present_rules().
    base::Result<> follow(const ledger::Campaign& campaign, const value::Object& rules,
                          config::Protocols& protocols);
    // Fails with kProtocolMissing if an active protocol cannot be found.
    base::Result<> check(const ledger::Campaign& campaign, const config::Protocols& protocols);

  private:
    value::Object rules_;  // of which `kept_` are
    base::Lazy<config::Protocols::Kept> kept_;
    // The state of the protocols that check() found complete.
    std::shared_ptr<const protocol::Library> checked_library_;
    value::Value checked_protocols_;
};

}  // namespace arbiter::campaign
