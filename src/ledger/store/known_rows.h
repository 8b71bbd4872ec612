// KnownRows: the rows of campaigns as an SQLite store read or wrote them last. They are valid as
// long as no other connection has written. Not thread-safe: the store holds a lock.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "ledger/store.h"

namespace arbiter::ledger {

class KnownRows {
  public:
    // `others`: a number that is another one after commits of other connections, which make all
    // rows unknown.
    void follow(std::int64_t others);

    [[nodiscard]] std::optional<KnownCampaign> find(std::string_view campaign) const;
    void add(const CampaignRow& row);
    // A commit that was stored.
    void take(const Commit& commit);
    void forget(std::string_view campaign);
    void clear() { rows_.clear(); }

  private:
    // Some MB. Rows beyond it are read again.
    static constexpr std::size_t kRowsMax = 16'384;

    std::map<std::string, KnownCampaign, std::less<>> rows_;
    std::int64_t others_ = 0;
    std::uint64_t version_ = 0;  // the last one that was given
};

}  // namespace arbiter::ledger
