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
    // The newest messages that a window of so many tokens can hold; all of them if it is 0 or if
    // entries of lore count messages.
    base::Result<> load_history(const ledger::Campaign& campaign, std::size_t context_tokens);
    // Adds a book of lore to the card's own. Returns what is wrong or without effect in it.
    value::Diagnostics add_lore(const ledger::Campaign& campaign, std::string name,
                                value::Value book);

    // Sets the members of an environment for the prompt. It borrows from this object.
    void fill(turn::Environment& environment, const engine::State& state,
              const table::Registries& registries, const value::Object& globals);

    [[nodiscard]] bool has_history() const noexcept { return history_.has_value(); }
    // Adds a committed turn to the loaded history. `reply`: reader::remembered().
    void append_turn(engine::Actor actor, std::string_view said, std::string_view reply);
    void forget_history() { history_.reset(); }

  private:
    void follow_books();

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
    std::optional<std::vector<prompt::Message>> history_;  // empty until it is needed
    bool is_history_whole_ = false;                        // from the first turn on
};

}  // namespace arbiter::campaign
