#include "campaign/display.h"

#include <algorithm>

#include "campaign/rule_texts.h"
#include "prompt/names.h"
#include "table/registries.h"
#include "turn/visible.h"

namespace arbiter::campaign {

base::Result<Display> Display::of(const ledger::Campaign& campaign, const value::Object& globals) {
    const auto card = card_of(campaign);
    if (!card) {
        return std::unexpected(card.error());
    }
    Display made;
    const value::Object settings =
        table::effective_settings(campaign.state(), *table::shipped_registries(), globals);
    made.replacements_ = prompt::card_replacements(
        *card ? &**card : nullptr, prompt::user_name(campaign.state().document, settings));
    made.newest_ = campaign.story_number();
    return made;
}

// Every turn has a message of the player and one of the model.
std::size_t Display::depth_of(const ledger::Record& record) const noexcept {
    return 2 * static_cast<std::size_t>(std::max<std::int64_t>(newest_ - record.shown_number(), 0));
}

std::string Display::said(const ledger::Record& record) const {
    return replacements_.apply(record.said,
                               {card::Side::kDisplay, card::Speaker::kUser, depth_of(record) + 1});
}

std::string Display::shown(const ledger::Record& record) const {
    return record.actor == engine::Actor::kPlayer
               ? replacements_.apply(record.shown,
                                     {card::Side::kDisplay, card::Speaker::kUser, depth_of(record)})
               : turn::visible_text(record.shown, record.told, replacements_, depth_of(record));
}

}  // namespace arbiter::campaign
