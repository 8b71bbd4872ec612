// Places: the paths of a pattern that some changes touched, each once.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::rules::internal {

class Places {
  public:
    // The document before and after the changes; both must outlive this.
    Places(const value::Value& old, const value::Value& now) : old_(old), now_(now) {}

    // Adds the paths of `target` that a change at `near` touches by way of `pattern`, which shares
    // names with it.
    void add(const value::Pattern& pattern, const value::Pattern& target, const value::Path& near);
    // Adds all paths of `target`.
    void add_all(const value::Pattern& target);
    [[nodiscard]] const std::vector<value::Path>& list() const noexcept { return list_; }

  private:
    [[nodiscard]] bool reads_through(const value::Pattern& pattern, const value::Path& near) const;
    void insert(value::Path path);

    const value::Value& old_;
    const value::Value& now_;
    bool all_ = false;
    std::vector<value::Path> list_;
    std::unordered_set<std::string> seen_;
};

}  // namespace arbiter::rules::internal
