// The built-in settings.
#pragma once

#include "table/dialog.h"
#include "table/settings.h"

namespace arbiter::table {

// `dialogs` supplies the values of the dialog type.
SettingsRegistry shipped_settings(const DialogTypes& dialogs);

}  // namespace arbiter::table
