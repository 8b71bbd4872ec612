#include "campaign/prompt_inputs.h"

#include <algorithm>

#include "campaign/lore_books.h"
#include "campaign/rule_texts.h"
#include "prompt/names.h"
#include "proposal/codec.h"
#include "reader/told.h"

namespace arbiter::campaign {

using base::Result;
using value::Object;
using value::Value;

Result<> PromptInputs::load_card(const ledger::Campaign& campaign) {
    const Object kept = kept_lore(campaign.state().meta);
    if (card_ && Value(kept) == Value(kept_)) {
        return {};
    }
    if (!card_) {
        auto card = card_of(campaign);
        if (!card) {
            return std::unexpected(std::move(card).error());
        }
        card_ = *card ? std::make_unique<const card::Card>(**std::move(card)) : nullptr;
    }
    kept_ = kept;
    kept_books_.clear();
    for (const auto& [name, book] : kept_) {
        kept_books_.emplace_back(name.view(), book);
    }
    follow_books();
    return {};
}

void PromptInputs::follow_books() {
    sources_.clear();
    if (card_ && *card_ && !(*card_)->character_book.is_null()) {
        sources_.push_back({prompt::kCardBook, (*card_)->character_book, true});
    }
    for (const Books* books : {&kept_books_, &books_}) {
        for (const auto& [name, book] : *books) {
            sources_.push_back({name, book, false});
        }
    }
    lore_.follow(sources_, prompt::lore_settings(card_ ? card_->get() : nullptr, false));
    // Entries that count messages need those that a window has no room for.
    if (lore_.counts_messages() && !is_history_whole_) {
        history_.reset();
    }
}

value::Diagnostics PromptInputs::add_lore(const ledger::Campaign& campaign, std::string name,
                                          Value book) {
    (void)load_card(campaign);  // a card that cannot be read fails where it is needed
    books_.emplace_back(std::move(name), std::move(book));
    follow_books();
    return lore_.diagnostics(books_.back().first);
}

namespace {

std::string remembered(const ledger::Record& turn) {
    const bool has_words = !turn.told.empty() || !turn.shown.empty();
    const auto proposals = has_words ? std::vector<proposal::Proposal>()
                                     : proposal::decode(turn.proposals, turn.raw)
                                           .value_or(std::vector<proposal::Proposal>());
    return reader::remembered(turn.told, turn.shown, proposals);
}

}  // namespace

Result<> PromptInputs::load_history(const ledger::Campaign& campaign, std::size_t context_tokens) {
    if (history_) {
        return {};
    }
    std::vector<std::vector<prompt::Message>> turns;
    std::size_t tokens = 0;
    const bool is_whole = context_tokens == 0 || lore_.counts_messages();
    const auto add = [&](const ledger::TurnRow& row) -> Result<bool> {
        const auto turn = campaign.story_of(row);
        if (!turn) {
            return std::unexpected(turn.error());
        }
        auto& messages = turns.emplace_back();
        prompt::append_turn(messages, turn->actor, turn->said, remembered(*turn));
        for (const prompt::Message& message : messages) {
            tokens += message.tokens;
        }
        // A prompt drops the oldest messages anyway.
        return is_whole || tokens <= context_tokens;
    };
    auto visited = campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole, add);
    if (!visited) {
        return visited;
    }
    is_history_whole_ = is_whole;
    history_.emplace();
    for (auto turn = turns.rbegin(); turn != turns.rend(); ++turn) {
        std::ranges::move(*turn, std::back_inserter(*history_));
    }
    return {};
}

void PromptInputs::fill(turn::Environment& environment, const engine::State& state,
                        const table::Registries& registries, const value::Object& globals) {
    const card::Card* card = card_ ? card_->get() : nullptr;
    // Only texts of a card name the user.
    const std::string user =
        card != nullptr ? prompt::user_name(state.document,
                                            table::effective_settings(state, registries, globals))
                        : std::string();
    if (!replacements_ || user != replacements_user_) {
        replacements_ = prompt::card_replacements(card, user);
        replacements_user_ = user;
    }
    environment.card = card;
    environment.replacements = &*replacements_;
    environment.lore = &lore_;
    environment.books = sources_;
    environment.prompt_cache = &prompt_cache_;
    environment.history = history_ ? &*history_ : nullptr;
}

void PromptInputs::append_turn(engine::Actor actor, std::string_view said, std::string_view reply) {
    prompt::append_turn(*history_, actor, said, reply);
}

}  // namespace arbiter::campaign
