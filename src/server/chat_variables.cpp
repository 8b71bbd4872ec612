#include "server/chat_variables.h"

#include "engine/initvar.h"
#include "table/layout.h"

namespace arbiter::server {

using value::Object;
using value::Value;

namespace {

// Campaigns without variables get them below stat_data, as those of cards have them.
bool is_below(const Object& document) {
    return document.contains(kVariables) || document.erase(table::kCampaignKey).empty();
}

}  // namespace

engine::State with_variables(engine::State state, const Value& variables, bool takes_structure) {
    const Object before = table::object_or_empty(&state.document);
    // Structure rules are not data: they are taken out even if they do not count.
    engine::State taken = engine::take_structure(Object{{kVariables, variables}});
    const Value* plain = value::find_member(&taken.document, kVariables);
    if (is_below(before)) {
        state.document = before.set(kVariables, *plain);
    } else {
        Object document = plain->as_object();
        if (const Value* campaign = before.find(table::kCampaignKey)) {
            document = std::move(document).set(table::kCampaignKey, *campaign);
        }
        state.document = std::move(document);
    }
    for (const auto& [key, rules] : taken.meta) {
        if (takes_structure) {
            state.meta = std::move(state.meta).set(key, rules);
        }
    }
    return state;
}

}  // namespace arbiter::server
