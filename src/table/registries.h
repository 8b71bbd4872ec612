// Registries: the registered dialog types, settings and tools. Built once, immutable and shared by
// all campaigns; safe from any thread.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "table/dialog.h"
#include "table/settings.h"
#include "table/tool.h"

namespace arbiter::table {

struct Registries {
    DialogTypes dialogs;
    SettingsRegistry settings;
    ToolRegistry tools;
};
// The registries that ship with Arbiter; one shared instance.
std::shared_ptr<const Registries> shipped_registries();

// The settings of a campaign: the registered ones, where the dialog types that the campaign brought
// may be chosen too.
SettingsRegistry settings_of(const value::Value& document, const Registries& registries);

// The settings that a campaign has changed itself: campaign.settings of the document, or of the
// metadata for a campaign without a table.
const value::Object& own_settings(const engine::State& state) noexcept;
// The effective settings. Precedence: the campaign's own values, `globals`, the defaults.
value::Object effective_settings(const engine::State& state, const Registries& registries,
                                 const value::Object& globals);
// The number of patches applied to the campaign's settings.
std::int64_t settings_revision(const engine::State& state) noexcept;

}  // namespace arbiter::table
