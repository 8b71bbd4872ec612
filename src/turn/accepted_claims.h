// Claims of a narration that a player makes true: the choice "accept" of a report.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "conflict/finding.h"
#include "table/campaign.h"
#include "value/value.h"

namespace arbiter::turn {

// The changes of the document (that the findings were found with) after which the narration is
// true. Nothing unless each finding says plainly what would have to be.
std::optional<std::vector<table::CharacterChange>> accepted_changes(
    std::span<const conflict::Finding> findings, const value::Value& document);

}  // namespace arbiter::turn
