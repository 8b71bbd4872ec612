// Mood: whether a clause asserts a fact of the present scene.
#pragma once

#include <cstddef>
#include <vector>

#include "conflict/finding.h"
#include "conflict/internal/prose.h"

namespace arbiter::conflict::internal {

class Mood {
  public:
    explicit Mood(const Prose& prose);

    // How the tokens [from, to) of a clause are meant; kContradicted if they are asserted.
    // `is_value`: a read-out such as HP 8/20, which a colon may introduce.
    [[nodiscard]] Reading of(std::size_t clause, std::size_t from, std::size_t to,
                             bool is_value = false) const;
    // True if a word before `to` in the clause denies it.
    [[nodiscard]] bool is_negated(std::size_t clause, std::size_t to) const;

  private:
    // The mood that the words of the sentence before a token set.
    [[nodiscard]] Reading of_sentence(std::size_t clause, std::size_t from, std::size_t to) const;
    [[nodiscard]] Reading of_clause(std::size_t clause, std::size_t from, std::size_t to) const;

    [[nodiscard]] bool is_spoken(std::size_t clause) const;

    const Prose& prose_;
    std::vector<Reading> carried_;  // by clause: a dream or a memory that continues
};

}  // namespace arbiter::conflict::internal
