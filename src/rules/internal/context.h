// ReactionContext: the state that the phases of a rulebook work on at the end of a turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "rules/react.h"
#include "value/object.h"
#include "value/pattern_index.h"

namespace arbiter::rules::internal {

// "a.b[0]"
std::string printed(const value::Path& path);
// Members of the container at a path; 0 if there is none.
std::size_t size_at(const value::Value& document, const value::Path& path);
// The text or number at a path, described or not; empty if there is none.
std::string text_at(const value::Value& document, const value::Path& path);

// Shared by all rulebooks of a turn, which work one after the other.
struct ReactionState {
    value::Value document;
    value::Object meta;
    base::Budget& budget;
    std::vector<Effect> effects;
    std::vector<OversizeRule> oversize;
    // The last answer of ReactionContext::changed_since().
    value::Value compared_old = {};
    value::Value compared_now = {};
    std::vector<value::Path> changed = {};
};

class ReactionContext {
  public:
    // Loads the data that the rulebook keeps in the metadata.
    ReactionContext(const Rulebook& rulebook, const Turn& turn_of_book, ReactionState& shared);
    // Stores it again.
    void save();

    [[nodiscard]] const value::Value& document() const { return state_.document; }
    [[nodiscard]] value::Object& meta() const { return state_.meta; }
    [[nodiscard]] const value::Value* at(const value::Path& path) const {
        return value::find(document(), path);
    }
    // The places that changed since an earlier version of the document; valid until the next call.
    // The phases ask for the same version one after the other.
    [[nodiscard]] const std::vector<value::Path>& changed_since(const value::Value& seen) const;
    // Whether a command of the turn wrote the value at a path, also with an equal value.
    [[nodiscard]] bool is_written(const value::Path& path) const;
    // Sets a value; the description of a pair stays.
    enum class Creates : std::uint8_t { kNo, kInContainer, kWithParents };
    void put(const std::string& rule, const value::Path& path, const value::Value& value,
             Creates creates = Creates::kNo);
    // Removes a value unless it is protected.
    void remove(const std::string& rule, const value::Path& path);
    // Empties a container; protected members stay.
    void clear(const std::string& rule, const value::Path& path);
    // One action of a rule; nothing if a name of its place is not bound, or its value is unknown.
    void perform(const std::string& rule, const Action& action, const value::Bindings& bindings,
                 const std::vector<expr::Variable>& variables);
    void remember(std::string_view key, value::Value value);
    void forget(std::string_view key);
    [[nodiscard]] value::Object recalled(std::string_view key) const;
    [[nodiscard]] expr::Known evaluate(const expr::Formula& formula,
                                       const std::vector<expr::Variable>& variables,
                                       expr::Memo* memo = nullptr) const;
    [[nodiscard]] bool holds(const expr::Formula& condition,
                             const std::vector<expr::Variable>& variables,
                             expr::Memo* memo = nullptr) const;
    // Pays for rules that look at changed places. False: the budget of the turn is spent.
    bool spend_looks(std::size_t looks) const {
        return state_.budget.spend(looks * base::kRuleLookCost);
    }
    [[nodiscard]] base::Budget& budget() const noexcept { return state_.budget; }

    const Rulebook& book;
    const Turn& turn;
    value::Object memory;              // data of the rulebook from turn to turn
    bool known = false;                // this version of the rulebook has seen the campaign before
    std::vector<value::Path> touched;  // by put() and remove(); cleared by the caller

  private:
    // The document becomes `next`, by a change at a path, unless it would be too large.
    void change(const std::string& rule, const value::Path& path, value::Value next);
    [[nodiscard]] const value::PatternIndex& written_paths() const;

    ReactionState& state_;
    // Of the commands that wrote a value, by number; made on first use.
    mutable std::optional<value::PatternIndex> written_paths_;
};

}  // namespace arbiter::rules::internal
