// What commands over campaigns share.
#pragma once

#include <expected>
#include <memory>

#include "campaign/session.h"
#include "cli/command.h"
#include "config/protocols.h"
#include "ledger/history.h"

namespace arbiter::cli {

inline constexpr std::string_view kUsualStore = "sqlite:arbiter.db";

// A store, and a campaign of it.
struct Opened {
    std::unique_ptr<ledger::Store> store;
    ledger::Campaign campaign;
};

// Complains and gives the exit code when it fails.
Exit trouble(const Console& console, const base::Error& error);

// The store that --store names.
std::expected<std::unique_ptr<ledger::Store>, Exit> open_store(const Call& call);
// The campaign that --campaign names, or the only one that there is.
std::expected<Opened, Exit> open_campaign(const Call& call);
// The same to look back only: it works when the last turns are damaged.
std::expected<Opened, Exit> look_at_campaign(const Call& call);
// The turn that an argument means; the head without one.
std::expected<ledger::TurnId, Exit> turn_of(const Call& call, const ledger::Campaign& campaign,
                                            std::size_t argument);

// Milliseconds since 1970, or what --now says.
std::expected<engine::Instant, Exit> now_of(const Call& call);

// A whole number from 0 up; complains and gives the exit code when an option is none.
std::expected<std::size_t, Exit> number_of(const Call& call, std::string_view option,
                                           std::size_t otherwise);
// The protocol library with the folder that --protocols names; complains of what had to be left
// out.
config::Protocols protocols_of(const Call& call);

// Tokens of the model's window, of --tokens.
std::expected<std::size_t, Exit> window_of(const Call& call);
// What sessions share: the protocols, and the settings of all campaigns of the store.
campaign::SessionOptions session_options_of(const Call& call, ledger::Store& store);
// Redacts the output of a command for a player; --reveal shows all.
table::Redactor redactor_of(const Call& call, const ledger::Campaign& campaign);
// The campaign that --campaign names, to be played.
struct Playing {
    std::unique_ptr<ledger::Store> store;
    std::unique_ptr<campaign::Session> session;
};
std::expected<Playing, Exit> open_session(const Call& call);
// The same without its present state: only its head can be moved, also if the last turns are
// damaged.
std::expected<Playing, Exit> open_session_to_move(const Call& call);
// A template of the table, YAML or JSON; "demo" is the one that Arbiter brings.
std::expected<value::Value, Exit> load_template(const Console& console, const std::string& file);

// The tree of turns as lines.
std::string tree_of(const Console& console, const ledger::Campaign& campaign);

// Shows how far long work is, where somebody watches.
ledger::Progress progress_of(const Console& console);

}  // namespace arbiter::cli
