#include "campaign/prompt_inputs.h"

#include <algorithm>
#include <limits>
#include <ranges>

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

std::optional<std::size_t> PromptInputs::find(const ledger::TurnRow& row) const {
    // Numbers grow by one along a line.
    if (turns_.empty() || row.number < turns_.front().number) {
        return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(row.number - turns_.front().number);
    return at < turns_.size() && turns_[at].id == row.id ? std::optional(at) : std::nullopt;
}

Result<PromptInputs::Reading> PromptInputs::read_back(const ledger::Campaign& campaign,
                                                      const ledger::TurnId& from,
                                                      std::size_t tokens_max) const {
    Reading reading;
    std::size_t tokens = 0;
    const auto add = [&](const ledger::TurnRow& row) -> Result<bool> {
        reading.joined = find(row);
        if (reading.joined) {
            return false;
        }
        const auto record = campaign.record_of(row);
        if (!record) {
            return std::unexpected(record.error());
        }
        TurnWords& words = reading.turns.emplace_back(TurnWords{row.id, row.number, {}});
        prompt::append_turn(words.messages, record->actor, record->said, remembered(*record));
        for (const prompt::Message& message : words.messages) {
            tokens += message.tokens;
        }
        reading.older = row.parent;
        // A prompt drops the oldest messages anyway.
        return tokens <= tokens_max;
    };
    auto visited = campaign.visit_back(from, ledger::Store::Content::kWhole, add);
    return visited ? Result<Reading>(std::move(reading))
                   : std::unexpected(std::move(visited).error());
}

void PromptInputs::append(TurnWords words) {
    turns_.push_back({words.id, words.number, history_.size()});
    for (prompt::Message& message : words.messages) {
        tokens_ += message.tokens;
        history_.push_back(std::move(message));
    }
}

void PromptInputs::keep_turns(std::size_t count) {
    if (count < turns_.size()) {
        const std::size_t end = turns_[count].begin;
        for (std::size_t i = end; i < history_.size(); ++i) {
            tokens_ -= history_[i].tokens;
        }
        history_.resize(end);
        turns_.resize(count);
    }
}

Result<> PromptInputs::load_history(const ledger::Campaign& campaign, std::size_t context_tokens) {
    // Entries that count messages need those that a window has no room for.
    const bool is_whole = context_tokens == 0 || lore_.counts_messages();
    const std::size_t tokens_max =
        is_whole ? std::numeric_limits<std::size_t>::max() : context_tokens;
    if (turns_.empty() || turns_.back().id != campaign.head()) {
        keep_turns(0);
        auto newer = read_back(campaign, campaign.head(), tokens_max);
        if (!newer) {
            return std::unexpected(std::move(newer).error());
        }
        keep_turns(newer->joined ? *newer->joined + 1 : 0);
        older_ = newer->joined ? older_ : newer->older;
        for (TurnWords& words : std::views::reverse(newer->turns)) {
            append(std::move(words));
        }
    }
    if (tokens_ > tokens_max || !older_) {
        return {};
    }
    auto older = read_back(campaign, *older_, tokens_max - tokens_);
    if (!older) {
        return std::unexpected(std::move(older).error());
    }
    const std::vector<LoadedTurn> turns = std::exchange(turns_, {});
    std::vector<prompt::Message> messages = std::exchange(history_, {});
    for (TurnWords& words : std::views::reverse(older->turns)) {
        append(std::move(words));
    }
    for (const LoadedTurn& turn : turns) {
        turns_.push_back({turn.id, turn.number, history_.size() + turn.begin});
    }
    std::ranges::move(messages, std::back_inserter(history_));
    older_ = older->older;
    return {};
}

void PromptInputs::fill(turn::Environment& environment, const std::string& user) {
    const card::Card* card = card_ ? card_->get() : nullptr;
    if (!replacements_ || user != replacements_user_) {
        replacements_ = prompt::card_replacements(card, user);
        replacements_user_ = user;
    }
    environment.card = card;
    environment.replacements = &*replacements_;
    environment.lore = &lore_;
    environment.books = sources_;
    environment.prompt_cache = &prompt_cache_;
    environment.history = turns_.empty() ? nullptr : &history_;
}

void PromptInputs::append_turn(const ledger::TurnId& parent, const ledger::TurnId& turn,
                               const Words& words) {
    if (turns_.empty() || turns_.back().id != parent) {
        return;  // load_history() reads it
    }
    TurnWords added{turn, turns_.back().number + 1, {}};
    prompt::append_turn(added.messages, words.actor, words.said, words.reply);
    append(std::move(added));
}

}  // namespace arbiter::campaign
