// Convert: the commands of a reply as commands of another dialect.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "engine/engine.h"
#include "proposal/proposal.h"
#include "writer/writer.h"

namespace arbiter::cli {

struct Conversion {
    // A command that is not in `commands`: an error of the writer, or a refusal of the engine.
    struct Failure {
        std::size_t proposal;
        base::Error error;                         // if there is no problem
        std::optional<proposal::Problem> problem;  // the state does not allow the command
    };
    std::vector<proposal::Proposal> commands;
    std::vector<Failure> failures;
};

// Without a state: every command that the form can express, as it is or in other words.
Conversion convert(std::span<const proposal::Proposal> proposals, writer::Form form);

// With the state that the commands are for: a command that the form lacks is carried out, and its
// result written as plain commands. What is written is read again and applied; it leads to the same
// document, or it is a failure. Guards are decided, transactions too.
Conversion convert(std::span<const proposal::Proposal> proposals, writer::Form form,
                   const engine::State& state, const engine::Policy& policy,
                   const engine::Context& context);

Exit run_convert(const Call& call);

}  // namespace arbiter::cli
