// The commands that check campaigns and move them: rebuild, verify, salvage, export and import.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_rebuild(const Call& call);
Exit run_verify(const Call& call);
Exit run_salvage(const Call& call);
Exit run_export(const Call& call);
Exit run_import(const Call& call);

}  // namespace arbiter::cli
