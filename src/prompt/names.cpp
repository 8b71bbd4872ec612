#include "prompt/names.h"

#include "table/layout.h"
#include "table/settings.h"

namespace arbiter::prompt {

std::string user_name(const value::Value& document, const value::Object& settings) {
    if (const std::string_view chosen = table::word_in(settings, "user.name"); !chosen.empty()) {
        return std::string(chosen);
    }
    const value::Value* player = table::find_character(document, table::active_actor(document));
    const std::string_view name = player != nullptr ? table::text_in(player, "name") : "";
    return std::string(name.empty() ? "User" : name);
}

MacroWorld macro_world(const card::Card* card, std::string user) {
    MacroWorld world;
    world.user = std::move(user);
    if (card != nullptr) {
        world.character = card::display_name(*card);
        world.texts = {{"description", card->description},
                       {"personality", card->personality},
                       {"scenario", card->scenario},
                       {"charprompt", card->system_prompt},
                       {"charinstruction", card->post_history_instructions},
                       {"mesexamples", card->example_messages},
                       {"charfirstmessage", card->greetings.empty() ? "" : card->greetings[0]},
                       {"depthprompt", card->depth_prompt.text},
                       {"creatornotes", card->creator_notes}};
    }
    return world;
}

card::Replacements card_replacements(const card::Card* card, std::string user) {
    if (card == nullptr) {
        return {};
    }
    MacroWorld world = macro_world(card, std::move(user));
    return card::Replacements(*card, [&world](std::string_view text) {
        return expand_macros(text, world, "regex").text;
    });
}

LoreSettings lore_settings(const card::Card* card, bool plays_mvu) {
    LoreSettings settings;
    if (card != nullptr) {
        settings.names = {card->name};
        if (card::display_name(*card) != card->name) {
            settings.names.push_back(card::display_name(*card));
        }
        settings.tags = card->tags;
    }
    if (plays_mvu || (card != nullptr && card::is_mvu(*card))) {
        settings.whole_words = false;
        settings.whole_window = true;
    }
    return settings;
}

}  // namespace arbiter::prompt
