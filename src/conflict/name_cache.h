// NameCache: the names of a truth, prepared once for many checks.
//
// Building the index of names costs more than checking a reply. The caller keeps one cache for a
// campaign; it is rebuilt when a name, a title, an item or an area of the truth, or the lexicon,
// differs from the last time. Results do not depend on it. One thread at a time.
#pragma once

#include <memory>

#include "conflict/lexicon.h"
#include "conflict/truth.h"

namespace arbiter::conflict {

namespace internal {
class Names;
}

class NameCache {
  public:
    NameCache();
    ~NameCache();
    NameCache(NameCache&&) noexcept;
    NameCache& operator=(NameCache&&) noexcept;

    // Valid until the next call.
    const internal::Names& of(const Truth& truth, const Lexicon& lexicon);

  private:
    struct Known;
    std::unique_ptr<const Known> known_;  // nullptr: nothing was asked for
};

}  // namespace arbiter::conflict
