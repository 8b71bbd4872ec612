// Redirects: the path that an instruction means, where rulebooks give keys other names or keep
// entries whose names are taken.
#pragma once

#include <string>
#include <unordered_map>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

// The redirects of one call of the engine. It remembers which names of memories are taken, so that
// many memories of one name do not try all of them each time.
class Redirects {
  public:
    Redirects(const Policy& policy, base::Budget& budget) : policy_(policy), budget_(budget) {}

    // Aliases replaced by their keys, and a new name for a memory whose name is taken.
    value::Path redirect(const Instruction& instruction, value::Path path,
                         const value::Value& document);
    // Nodes may have been removed: names may be free again.
    void forget_names() { taken_.clear(); }

  private:
    void follow_aliases(value::Path& path, const value::Value& document) const;
    void find_free_name(value::Path& path, const value::Value& document);

    const Policy& policy_;
    base::Budget& budget_;
    std::unordered_map<std::string, int> taken_;  // path → suffixes up to here are taken
};

}  // namespace arbiter::engine::internal
