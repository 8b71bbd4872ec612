#include "table/registries.h"

#include "table/layout.h"
#include "table/settings_shipped.h"
#include "table/tools_shipped.h"

namespace arbiter::table {

std::shared_ptr<const Registries> shipped_registries() {
    static const std::shared_ptr<const Registries> kShipped = [] {
        auto made = std::make_shared<Registries>();
        made->dialogs = shipped_dialogs();
        made->settings = shipped_settings(made->dialogs);
        made->tools = shipped_tools();
        return made;
    }();
    return kShipped;
}

SettingsRegistry settings_of(const value::Value& document, const Registries& registries) {
    if (own_dialogs(document) == nullptr) {
        return registries.settings;
    }
    std::vector<std::string> words;
    const DialogTypes dialogs = dialogs_of(document, registries.dialogs);
    for (const DialogType& type : dialogs.all()) {
        words.push_back(type.id);
    }
    return registries.settings.with_words(kDialogSetting, std::move(words));
}

namespace {

const value::Value* kept_settings(const engine::State& state) noexcept {
    return has_campaign(state.document) ? find_in_campaign(state.document, {"settings"})
                                        : state.meta.find(kSettingsKey);
}

}  // namespace

const value::Object& own_settings(const engine::State& state) noexcept {
    return object_or_empty(value::find_member(kept_settings(state), "values"));
}

value::Object effective_settings(const engine::State& state, const Registries& registries,
                                 const value::Object& globals) {
    const value::Object& own = own_settings(state);
    const bool needs_own_dialogs =
        own_dialogs(state.document) != nullptr && (names_other_dialog(own, registries.dialogs) ||
                                                   names_other_dialog(globals, registries.dialogs));
    return needs_own_dialogs
               ? settings_of(state.document, registries).effective(own, globals).values
               : registries.settings.effective(own, globals).values;
}

std::int64_t settings_revision(const engine::State& state) noexcept {
    return int_in(kept_settings(state), "revision").value_or(0);
}

}  // namespace arbiter::table
