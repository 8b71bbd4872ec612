// Downgrade: an entry without the features that are switched off; and what a strict policy needs.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

struct Downgraded {
    proposal::Proposal proposal;
    std::vector<std::string_view> left_out;  // never empty
};
// Nothing where the proposal uses no feature that is off.
std::optional<Downgraded> downgrade(const proposal::Proposal& asked, const Features& features);

// A reason and a way that is there, where the policy needs them.
bool check_needs(Work& work);

}  // namespace arbiter::engine::internal
