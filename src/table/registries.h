// Registries: everything that is registered for tables. Made once and shared by all campaigns;
// immutable.
#pragma once

#include <memory>

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

// The settings in effect for a document: its own values over `globals` over the defaults.
value::Object effective_settings(const value::Value& document, const Registries& registries,
                                 const value::Object& globals);
// Counts every patch of the campaign's settings; 0 without a campaign.
std::int64_t settings_revision(const value::Value& document) noexcept;

}  // namespace arbiter::table
