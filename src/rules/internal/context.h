// ReactionContext: the state that the phases of a rulebook work on at the end of a turn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/react.h"
#include "value/object.h"

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
    std::vector<Effect> effects;
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
                                       const std::vector<expr::Variable>& variables) const;

    const Rulebook& book;
    const Turn& turn;
    value::Object memory;              // data of the rulebook from turn to turn
    bool known = false;                // this version of the rulebook has seen the campaign before
    std::vector<value::Path> touched;  // by put() and remove(); cleared by the caller

  private:
    // The document becomes `next`, by a change at a path.
    void change(const std::string& rule, const value::Path& path, value::Value next);

    ReactionState& state_;
};

}  // namespace arbiter::rules::internal
