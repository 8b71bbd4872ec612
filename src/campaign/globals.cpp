#include "campaign/globals.h"

#include "ledger/campaign.h"
#include "ledger/library.h"
#include "value/path.h"

namespace arbiter::campaign {

using base::Result;
using ledger::Campaign;
using value::Object;
using value::Value;

namespace {

Object settings_in(const Value& document) {
    const Value* settings = value::find_member(&document, "settings");
    return settings != nullptr && settings->is_object() ? settings->as_object() : Object();
}

}  // namespace

Object globals_of(ledger::Store& store) {
    const auto library = Campaign::open(store, ledger::kLibraryId);
    return library ? settings_in(library->state().document) : Object();
}

Result<Object> patch_globals(ledger::Store& store, const Object& patch,
                             const table::SettingsRegistry& registry, engine::Instant now) {
    auto library = Campaign::open(store, ledger::kLibraryId);
    if (!library && library.error().code == base::ErrorCode::kCampaignUnknown) {
        ledger::NewCampaign first;
        first.id = ledger::kLibraryId;
        first.name = ledger::kLibraryId;
        first.time = now;
        library = Campaign::begin(store, first);
    }
    if (!library) {
        return std::unexpected(library.error());
    }
    engine::State after = library->state();
    auto values = registry.patch(settings_in(after.document), patch);
    if (!values) {
        return values;
    }
    after.document = after.document.as_object().set("settings", *values);
    const auto stored = library->edit(after, now, "settings");
    return stored ? values : std::unexpected(stored.error());
}

}  // namespace arbiter::campaign
