#include "table/registries.h"

#include "table/layout.h"

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

value::Object effective_settings(const value::Value& document, const Registries& registries,
                                 const value::Object& globals) {
    const value::Value* values = find_in_campaign(document, {"settings", "values"});
    return registries.settings.effective(object_or_empty(values), globals).values;
}

std::int64_t settings_revision(const value::Value& document) noexcept {
    return int_in(find_in_campaign(document, {"settings"}), "revision").value_or(0);
}

}  // namespace arbiter::table
