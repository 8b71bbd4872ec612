// The command campaign new: begins a campaign from a card, a template of the table or a document.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit new_campaign(const Call& call);

}  // namespace arbiter::cli
