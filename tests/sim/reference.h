// Reference: a campaign as a child would write it down: every turn with its whole state as text,
// the head, what can be undone, and the checkpoints. No sharing, no diffs, no caches. And the
// effect of a command by copying the whole document.
//
// The ledger and the engine, which are cleverer, are compared with this. At most 300 lines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "ledger/store.h"

namespace arbiter::sim {

class Reference {
  public:
    using TurnId = ledger::TurnId;
    // A reply is a message of a client's chat; an aborted one is stored as an edit.
    enum class Kind : std::uint8_t { kReply, kPlayerTurn, kEdit, kAborted };
    static Kind kind_of(const ledger::Record& record);
    struct Turn {
        std::optional<TurnId> parent;
        std::string state;  // ledger::print_state
        Kind kind = Kind::kEdit;
        std::optional<double> gold;  // the last number that stood there, on the line to it
        bool is_revealed = false;    // a player copied the hidden text out of its node
    };
    struct Position {
        std::optional<TurnId> head;
        std::optional<TurnId> undo;
        friend bool operator==(const Position&, const Position&) = default;
    };

    // `hidden`: the text of the hidden node; empty: there is none.
    void begin(const TurnId& first, const engine::State& state, std::string hidden);
    // A turn or an edit after `parent`, which becomes the head.
    void add(const TurnId& id, const TurnId& parent, const engine::State& state, Kind kind);

    [[nodiscard]] const Position& at() const noexcept { return at_; }
    [[nodiscard]] const TurnId& head() const { return *at_.head; }
    [[nodiscard]] const std::map<TurnId, Turn>& turns() const noexcept { return turns_; }
    [[nodiscard]] const std::string& state() const { return turns_.at(head()).state; }
    [[nodiscard]] bool has(const TurnId& id) const { return turns_.contains(id); }
    // In the order in which they were stored.
    [[nodiscard]] const std::vector<TurnId>& order() const noexcept { return order_; }
    [[nodiscard]] std::vector<TurnId> line() const;
    // The reply that a client shows last at a turn; the first turn if there is none.
    [[nodiscard]] TurnId reply_at(TurnId turn) const;

    // Where moves would lead.
    [[nodiscard]] Position after_rollback(const TurnId& to) const;
    [[nodiscard]] std::optional<Position> after_undo() const;
    [[nodiscard]] Position after_going_to(const TurnId& to) const;
    void move(const Position& to) { at_ = to; }

    void add_checkpoint(const std::string& label, std::size_t most);
    struct Mark {
        TurnId turn;
        std::string label;
    };
    [[nodiscard]] const std::vector<Mark>& checkpoints() const noexcept { return checkpoints_; }

  private:
    std::map<TurnId, Turn> turns_;
    std::vector<TurnId> order_;
    std::string hidden_;
    Position at_;
    std::vector<Mark> checkpoints_;
};

// The mistake in the effect of an applied command, by its own words: the value it asked for is
// there, arithmetic adds up, and nothing else in the document changed. Nothing: no objection, or
// the command is one that this model does not know.
std::optional<std::string> command_mistake(const value::Value& before, const value::Value& after,
                                           const proposal::Proposal& proposal,
                                           const engine::Verdict& verdict);

}  // namespace arbiter::sim
