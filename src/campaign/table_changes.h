// Changes of a player at the table beside speaking, as edits of a session. Each fails like the
// function of table/campaign.h that it applies, or with kCampaignBusy; then nothing has changed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "campaign/session.h"

namespace arbiter::campaign {

base::Result<> join_party(Session& session, std::string_view character, engine::Instant now);
base::Result<> leave_party(Session& session, std::string_view character, engine::Instant now);

// The tools that the narrator may call.
value::Array allowed_tools(const value::Value& document);
// Adds tools to the allowlist. Returns the new list.
base::Result<value::Array> allow_tools(Session& session, std::span<const std::string> names,
                                       engine::Instant now);
base::Result<value::Array> deny_tools(Session& session, std::span<const std::string> names,
                                      engine::Instant now);

// Returns the number of the turn from which on the tool works again; nothing: it stays disabled.
// `turns`: for how many, 1 to INT32_MAX; nothing: for good.
base::Result<std::optional<std::int64_t>> disable_tool(Session& session, std::string_view tool,
                                                       std::optional<std::int64_t> turns,
                                                       engine::Instant now);
base::Result<> enable_tool(Session& session, std::string_view tool, engine::Instant now);

// Why the campaign has ended; nothing while it continues.
std::optional<std::string> end_reason(const value::Value& document);
base::Result<> end_campaign(Session& session, std::string_view reason, engine::Instant now);

// Stores a router's decision (table/dialog.h), as it is written. It has no effect on the dialog
// type.
base::Result<> store_route(Session& session, const value::Value& written, engine::Instant now);

// Takes back what one turn did to the document, or one operation of it, and keeps what came later.
// `op`: the opId of its audit record; empty: the whole turn, but for the bookkeeping of the table.
// Fails with kNotFound, and with kDiffMismatch where a later turn has changed the same place.
base::Result<> revert(Session& session, const ledger::TurnId& turn, std::string_view op,
                      engine::Instant now);

// A turn of the player that puts a node back from the recycle bin. Fails with kNotFound.
base::Result<turn::TurnResult> restore_from_bin(Session& session, const value::Path& bin,
                                                std::string_view what, engine::Instant now,
                                                const TurnCondition& condition = {});

}  // namespace arbiter::campaign
