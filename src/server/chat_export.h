// export_chat(): the line to the head as a chat of SillyTavern, with the other replies in each
// place as swipes and the state after each as MVU keeps it.
#pragma once

#include <string>

#include "campaign/session.h"
#include "table/player_view.h"

namespace arbiter::server {

// Messages that import_chat() took from a file are written as they were; swipes that were played
// since are added to theirs.
base::Result<std::string> export_chat(const campaign::Session& session,
                                      const table::Redactor& redactor);

}  // namespace arbiter::server
