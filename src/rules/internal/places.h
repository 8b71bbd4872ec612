// Places: the paths of a pattern that some changes touched, each once, and the rules that changes
// concern.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "value/pattern_index.h"
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

// The rules that changes of a document concern, in their order, each with the changed places.
class ConcernedRules {
  public:
    // The document before and after the changes; all must outlive this.
    ConcernedRules(const value::PatternIndex& index, const value::Value& old,
                   const value::Value& now)
        : index_(index), old_(old), now_(now) {}

    // Files changed places under the rules that they concern. Rules that next() has passed are left
    // out.
    void add(const std::vector<value::Path>& places);

    struct Concerned {
        std::size_t rule;
        std::vector<value::Path> places;
    };
    // The next rule, or nothing.
    std::optional<Concerned> next();

  private:
    const value::PatternIndex& index_;
    const value::Value& old_;
    const value::Value& now_;
    std::vector<value::Path> places_;
    std::map<std::size_t, std::vector<std::size_t>> waiting_;  // rule → numbers of places
    std::size_t passed_ = 0;                                   // rules before it are done
};

// The path around the pair [value, "description"] in which a changed place lies: formulas name the
// members of the value as if there were no pair. Nothing if it is in none.
std::optional<value::Path> pair_around(const value::Path& place, const value::Value& old,
                                       const value::Value& now);

}  // namespace arbiter::rules::internal
