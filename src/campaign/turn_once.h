// TurnOnce: requests of turns that can be repeated safely. A caller that does not know whether its
// turn was stored sends the request again under the same key, and it is stored at most once.
//
// Not thread-safe: the session's turn owns it.
#pragma once

#include <optional>
#include <string>

#include "base/messages.h"
#include "ledger/campaign.h"
#include "turn/machine.h"

namespace arbiter::campaign {

struct TurnCondition {
    // Of the request: a turn that is stored under it is returned (TurnResult::already_stored), not
    // played again. Fails with kKeyReused if it was stored for another request.
    std::optional<std::string> key = {};
    // The caller made the key for this request, so no turn can be stored under it.
    bool is_key_new = false;
    // Fails with kHeadElsewhere if the campaign is at another turn.
    std::optional<ledger::TurnId> after = {};
};

// Whether a text can be the key of a request: 1 to kTurnKeyBytesMax bytes of UTF-8 without control
// characters.
bool is_request_key(std::string_view key) noexcept;

// The error of a turn whose commit failed: kTurnUncertain unless the store knows that nothing was
// stored.
base::Error commit_error(base::Error error, base::Language language);

class TurnOnce {
  public:
    using Stored = base::Result<std::optional<turn::TurnResult>>;

    // Checks the condition of a turn that begins. Returns the result of the turn that is stored
    // under its key, or nothing: then it is to be played. Requests are the same if all but their
    // time is equal: a repeated request is later.
    Stored begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                 const turn::TurnRequest& request, const value::Object& globals);
    Stored begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                 const turn::SuppliedReply& reply, const value::Object& globals);
    // To be stored with the turn.
    [[nodiscard]] const std::optional<ledger::RequestKey>& key() const noexcept { return key_; }
    // The result of a turn that was played. If another writer was first, it may have stored this
    // very request: then its result.
    base::Result<turn::TurnResult> resolve(const ledger::Campaign& campaign,
                                           base::Result<turn::TurnResult> result,
                                           const value::Object& globals);

  private:
    Stored begin(const ledger::Campaign& campaign, const TurnCondition& condition,
                 std::optional<ledger::RequestKey> key, const value::Object& globals);
    [[nodiscard]] Stored find(const ledger::Campaign& campaign, const value::Object& globals) const;

    std::optional<ledger::RequestKey> key_;
};

}  // namespace arbiter::campaign
