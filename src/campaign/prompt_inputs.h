// PromptInputs: the card, the lore and the history that the prompts of a session are made of. Each
// is loaded when it is first needed and kept between turns. Not thread-safe: the session's turn
// owns it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "card/card.h"
#include "ledger/campaign.h"
#include "prompt/cache.h"
#include "prompt/lore.h"
#include "turn/machine.h"

namespace arbiter::campaign {

class PromptInputs {
  public:
    // And the books of lore that the campaign keeps.
    base::Result<> load_card(const ledger::Campaign& campaign);
    // The newest messages on the line to the head that a window of so many tokens can hold; all of
    // them if it is 0 or if entries of lore count messages. After a move of the head only turns
    // that are not loaded yet are read.
    base::Result<> load_history(const ledger::Campaign& campaign, std::size_t context_tokens);
    // Adds a book of lore to the card's own. Returns what is wrong or without effect in it.
    value::Diagnostics add_lore(const ledger::Campaign& campaign, std::string name,
                                value::Value book);

    // Sets the members of an environment for the prompt. It borrows from this object.
    // `user`: the player's name.
    void fill(turn::Environment& environment, const std::string& user);

    struct Words {
        engine::Actor actor;
        std::string_view said;
        std::string_view reply;  // reader::remembered()
    };
    // Adds a committed turn to the history, if that is loaded up to its parent.
    void append_turn(const ledger::TurnId& parent, const ledger::TurnId& turn, const Words& words);

  private:
    // A turn of the history, and where its messages begin.
    struct LoadedTurn {
        ledger::TurnId id;
        std::int64_t number = 0;
        std::size_t begin = 0;
    };
    struct TurnWords {
        ledger::TurnId id;
        std::int64_t number = 0;
        std::vector<prompt::Message> messages;
    };
    struct Reading {
        std::vector<TurnWords> turns;         // newest first
        std::optional<std::size_t> joined;    // the loaded turn that it ended at
        std::optional<ledger::TurnId> older;  // the parent of the last one
    };
    void follow_books();
    // The position of a turn among the loaded ones.
    [[nodiscard]] std::optional<std::size_t> find(const ledger::TurnRow& row) const;
    // Reads a turn and those before it, to a loaded one at most, until there are more tokens than
    // these.
    base::Result<Reading> read_back(const ledger::Campaign& campaign, const ledger::TurnId& from,
                                    std::size_t tokens_max) const;
    void append(TurnWords words);
    void keep_turns(std::size_t count);

    // Empty until it is needed; nullptr: there is none.
    std::optional<std::unique_ptr<const card::Card>> card_;
    std::optional<card::Replacements> replacements_;  // for this user:
    std::string replacements_user_;
    using Books = std::vector<std::pair<std::string, value::Value>>;
    value::Object kept_;                       // as the campaign keeps them
    Books kept_books_;                         // the same
    Books books_;                              // that were added
    std::vector<prompt::LoreSource> sources_;  // of the card and all books
    prompt::Lore lore_;
    prompt::Cache prompt_cache_;
    // Of the turns that are loaded; none until they are needed.
    std::vector<prompt::Message> history_;
    std::vector<LoadedTurn> turns_;        // without gaps
    std::size_t tokens_ = 0;               // of the messages
    std::optional<ledger::TurnId> older_;  // the parent of the oldest one
};

}  // namespace arbiter::campaign
