// Settlement: decides at the end of a reply which candidates are rejected.
//
// Priorities need the whole reply: JSON instructions come before _. calls (unless the options ask
// for both), calls in <updateMemory> before calls outside it, and candidates before a closing
// thinking tag without an opening one were only thoughts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "proposal/proposal.h"
#include "reader/reader.h"

namespace arbiter::reader::internal {

class Settlement {
  public:
    explicit Settlement(bool hybrid_both) noexcept : hybrid_both_(hybrid_both) {}

    // Counts a candidate, which came from a tag if `tagged`. False: there are too many already, and
    // this one is to be dropped.
    bool add(const proposal::Proposal& candidate, bool tagged);
    void add_memory_tag() noexcept { has_memory_tag_ = true; }
    [[nodiscard]] std::size_t candidates() const noexcept { return candidates_.size(); }
    // The first `candidates` were only thought.
    void end_thinking(std::size_t candidates) noexcept { thought_candidates_ = candidates; }

    // Reports the rejected candidates, and how many were dropped.
    void settle(Sink& sink) const;

  private:
    enum class Class : std::uint8_t { kOther, kJson, kMvu, kLooseMemory };
    static Class class_of(const proposal::Proposal& candidate, bool tagged);

    const bool hybrid_both_;
    std::vector<Class> candidates_;
    std::vector<std::string> meanings_;  // of each candidate, only if hybrid_both_
    std::size_t dropped_ = 0;
    bool has_memory_tag_ = false;
    std::size_t thought_candidates_ = 0;  // how many came before the thinking ended
};

}  // namespace arbiter::reader::internal
