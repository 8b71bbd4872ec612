// The books of lore that a campaign keeps beside that of its card. They are part of its metadata,
// so that they follow rollbacks and branches and travel with an archive.
#pragma once

#include <string_view>

#include "campaign/session.h"
#include "value/object.h"

namespace arbiter::campaign {

// Name → the book as it was written.
value::Object kept_lore(const value::Object& meta);

// Keeps a book from now on; one of the same name is replaced. Fails with kLoreNone for a value
// without entries.
base::Result<> keep_lore(Session& session, std::string_view name, const value::Value& book,
                         engine::Instant now);
// Fails with kNotFound.
base::Result<> drop_lore(Session& session, std::string_view name, engine::Instant now);

}  // namespace arbiter::campaign
