// The functions that execute the commands. commands.cpp holds the command table.
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
Exit run_protocol(const Call& call);
Exit run_tools(const Call& call);
Exit run_card(const Call& call);
Exit run_campaign(const Call& call);
Exit run_history(const Call& call);
Exit run_show(const Call& call);
Exit run_audit(const Call& call);
Exit run_blame(const Call& call);
Exit run_rollback(const Call& call);
Exit run_undo(const Call& call);
Exit run_world(const Call& call);
Exit run_migrate(const Call& call);
Exit run_prompt(const Call& call);
Exit run_thin(const Call& call);
Exit run_backup(const Call& call);
Exit run_settings(const Call& call);
Exit run_tour(const Call& call);
Exit run_completion(const Call& call);

// Command tables for campaigns (commands_ledger.cpp), protocols (protocols.cpp) and tools
// (tools.cpp).
std::span<const Command> ledger_commands();
std::span<const Command> protocol_commands();
std::span<const Command> tool_commands();

}  // namespace arbiter::cli
