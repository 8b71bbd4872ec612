// Analysis: everything that one check computes, in the order of its steps.
#pragma once

#include <string_view>
#include <vector>

#include "conflict/check.h"
#include "conflict/internal/claims.h"

namespace arbiter::conflict::internal {

class Analysis {
  public:
    explicit Analysis(const Input& input);
    Analysis(const Analysis&) = delete;
    Analysis& operator=(const Analysis&) = delete;

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] const Prose& prose() const noexcept { return prose_; }
    [[nodiscard]] const Names& names() const noexcept { return names_; }
    [[nodiscard]] const People& people() const noexcept { return people_; }
    // By position.
    [[nodiscard]] std::vector<Observation>& observations() noexcept { return observations_; }

  private:
    std::string_view text_;
    NameCache own_;  // if the caller has none
    const Names& names_;
    Prose prose_;
    People people_;
    Mood mood_;
    SettledChanges settled_;
    std::vector<Observation> observations_;
};

}  // namespace arbiter::conflict::internal
