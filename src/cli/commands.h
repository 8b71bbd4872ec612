// The commands themselves, one function each; commands.cpp holds the table.
#pragma once

#include "cli/command.h"

namespace arbiter::cli {

Exit run_json(const Call& call);
Exit run_get(const Call& call);
Exit run_diff(const Call& call);
Exit run_parse(const Call& call);
Exit run_convert(const Call& call);
Exit run_teach(const Call& call);
Exit run_apply(const Call& call);
Exit run_calendar(const Call& call);
Exit run_restore(const Call& call);
Exit run_test(const Call& call);
Exit run_profiles(const Call& call);
Exit run_rules(const Call& call);
Exit run_tour(const Call& call);
Exit run_completion(const Call& call);

}  // namespace arbiter::cli
