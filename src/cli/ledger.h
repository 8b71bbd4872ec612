// What commands over campaigns share.
#pragma once

#include <expected>
#include <memory>

#include "cli/command.h"
#include "config/rulebooks.h"
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

// What a turn names as its rules, and the texts of it.
value::Object rules_of(const config::World& world);
std::vector<ledger::Blob> texts_of(const config::World& world);
// The world that a turn was judged under, from the texts that were kept.
base::Result<config::World> world_of(const ledger::Campaign& campaign, const value::Object& rules);

// Shows how far long work is, where somebody watches.
ledger::Progress progress_of(const Console& console);

}  // namespace arbiter::cli
