// Feature fallback: a tavern command without the features that the policy switches off.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/features.h"
#include "proposal/proposal.h"

namespace arbiter::engine::internal {

struct FeatureFallback {
    proposal::Proposal proposal;             // with its older meaning
    std::vector<std::string_view> left_out;  // names of the features; never empty
};
// Returns nothing if the proposal uses no feature that is off.
std::optional<FeatureFallback> fall_back(const proposal::Proposal& asked, const Features& features);

}  // namespace arbiter::engine::internal
