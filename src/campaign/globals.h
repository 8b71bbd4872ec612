// Globals: the settings of all campaigns of a store, kept in its library (ledger/library.h).
#pragma once

#include "engine/instant.h"
#include "ledger/store.h"
#include "table/settings.h"
#include "value/object.h"

namespace arbiter::campaign {

// None without a library.
value::Object globals_of(ledger::Store& store);
// Applies the whole patch or none of it. Returns the new globals. Fails like
// SettingsRegistry::patch().
base::Result<value::Object> patch_globals(ledger::Store& store, const value::Object& patch,
                                          const table::SettingsRegistry& registry,
                                          engine::Instant now);

}  // namespace arbiter::campaign
