// The names that people give: ids of campaigns and labels of checkpoints. They are checked when
// something new is named; older stores may hold others. Pure functions.
#pragma once

#include <string_view>

namespace arbiter::ledger {

// [a-z0-9_-]{1,64}
bool is_campaign_id(std::string_view id) noexcept;
// One line of valid UTF-8 without control characters, of at most kCampaignNameBytesMax bytes.
bool is_campaign_name(std::string_view name) noexcept;
// The same, and it can be written where a turn is named: not a number, head, head~2 or an option.
bool is_checkpoint_label(std::string_view label) noexcept;

}  // namespace arbiter::ledger
