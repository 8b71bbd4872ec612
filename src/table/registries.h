// Registries: the registered dialog types, settings and tools. Built once, immutable and shared by
// all campaigns; safe from any thread.
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

// The effective settings of a document. Precedence: its own values, `globals`, the defaults.
value::Object effective_settings(const value::Value& document, const Registries& registries,
                                 const value::Object& globals);
// The number of patches applied to the campaign's settings; 0 without a campaign.
std::int64_t settings_revision(const value::Value& document) noexcept;

}  // namespace arbiter::table
