// Functions shared by the commands on campaigns. On failure, a function that returns an Exit has
// already reported the error.
#pragma once

#include <expected>
#include <memory>

#include "campaign/display.h"
#include "campaign/session.h"
#include "cli/command.h"
#include "config/protocols.h"
#include "ledger/history.h"

namespace arbiter::cli {

inline constexpr std::string_view kUsualStore = "sqlite:arbiter.db";
inline constexpr std::string_view kUsualStoreFile = "arbiter.db";

// An open store and one of its campaigns.
struct Opened {
    std::unique_ptr<ledger::Store> store;
    ledger::Campaign campaign;
};

// Reports the error, with --json also as an object on standard output, and returns its exit code.
Exit trouble(const Console& console, const base::Error& error);

// Opens the store that --store names.
std::expected<std::unique_ptr<ledger::Store>, Exit> open_store(const Call& call,
                                                               ledger::Access access);
// Opens the campaign that --campaign names, to read it. Default: the only campaign of the store.
std::expected<Opened, Exit> open_campaign(const Call& call);
// Opens it without its state. Succeeds even if the latest turns are damaged.
std::expected<Opened, Exit> look_at_campaign(const Call& call,
                                             ledger::Access access = ledger::Access::kRead);
// The turn that an argument names. Default: the head.
std::expected<ledger::TurnId, Exit> turn_of(const Call& call, const ledger::Campaign& campaign,
                                            std::size_t argument);

// The time in milliseconds since 1970. --now overrides the clock.
std::expected<engine::Instant, Exit> now_of(const Call& call);

// The value of an option as a non-negative integer. Default: `otherwise`.
std::expected<std::size_t, Exit> number_of(const Call& call, std::string_view option,
                                           std::size_t otherwise);
// Loads the protocol library, including the folder that --protocols names. Reports the files that
// had to be skipped.
config::Protocols protocols_of(const Call& call);
// The same with a folder from elsewhere.
config::Protocols load_protocols(const Console& console, const std::optional<std::string>& folder);

// The size of the model's context window in tokens (--tokens).
std::expected<std::size_t, Exit> window_of(const Call& call);
// The options shared by all sessions of a store: protocols and global settings.
campaign::SessionOptions session_options_of(const Call& call, ledger::Store& store);
// The redactor for a command's output; --reveal turns redaction off.
table::Redactor redactor_of(const Call& call, const ledger::Campaign& campaign);
// The same for a view of one turn: also hides what was hidden before or after it.
table::Redactor redactor_during(const Call& call, const ledger::Campaign& campaign,
                                const ledger::TurnId& turn);
// An open store and a session on the campaign that --campaign names.
struct Playing {
    std::unique_ptr<ledger::Store> store;
    std::unique_ptr<campaign::Session> session;
};
std::expected<Playing, Exit> open_session(const Call& call,
                                          ledger::Access access = ledger::Access::kWrite);
// Opens a session without loading the current state. It can only move the head, even if the latest
// turns are damaged.
std::expected<Playing, Exit> open_session_to_move(const Call& call,
                                                  ledger::Access access = ledger::Access::kWrite);
// Prints the campaign's id and its present turn.
void say_where(const Console& console, const ledger::Campaign& campaign);
// Prints the campaign's id and one of its turns.
void say_where(const Console& console, const std::string& campaign, std::int64_t number,
               const ledger::TurnId& turn);

// Renders the tree of turns.
std::string tree_of(const Console& console, const ledger::Campaign& campaign,
                    const campaign::Display& display);
// The words of recorded turns for a player. Fails if the campaign's card cannot be read.
std::expected<campaign::Display, Exit> display_of(const Call& call, const Opened& opened);
// The words of the newest turn of the story; empty if they cannot be read.
std::string last_words(const campaign::Session& session);

// Shows the progress of long operations on a terminal and stops them on an interrupt.
ledger::Progress progress_of(const Console& console);

}  // namespace arbiter::cli
