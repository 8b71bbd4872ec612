// Seat: one campaign of a run, its players (sessions on the same store, as of several servers), and
// the reference that its history is compared with.
//
// A step does one thing and checks everything: what was acknowledged is stored, what failed changed
// nothing, and where the store could not say, the head is one of the two.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "campaign/session.h"
#include "server/gateway.h"
#include "tests/sim/fault_model.h"
#include "tests/sim/oracles.h"
#include "tests/sim/plan.h"
#include "tests/sim/reference.h"
#include "tests/sim/storage.h"

namespace arbiter::sim {

// Shared by all campaigns of a run.
struct Surroundings {
    Storage& storage;
    Coverage& coverage;
    const std::function<void(std::string_view)>& log;
    engine::Instant now = 1'767'225'600'000;
    std::size_t turns = 0;       // played
    bool wants_opening = false;  // a fault closed the store
    void note(std::string_view text) const {
        if (log) {
            log(std::string(text) + " ");
        }
    }
};

// One message of a client's chat: the player's words and the reply that is selected.
struct ChatReply {
    std::string said;
    std::string text;
    ledger::TurnId turn;
    // Of a reply that was stopped: a committed turn with this very narrative, which the client did
    // not get to its end. The text may be either.
    std::optional<ledger::TurnId> twin = {};
};

class Seat {
  public:
    Seat(SimulatedCampaign made, Surroundings& around) : made_(std::move(made)), around_(around) {}

    std::optional<Failure> begin(tests::Random& random);
    std::optional<Failure> step(tests::Random& random);
    // Closes the sessions before a crash; opens them again and compares.
    void close();
    std::optional<Failure> reopen(tests::Random& random);
    // After a fault the store takes nothing until it is opened again.
    std::optional<Failure> check_closed();
    // Replays the line and other branches, verifies everything, and copies it through an archive.
    std::optional<Failure> check_all(tests::Random& random);
    // Of a store with flipped bits: damage is named, or nothing is different.
    std::optional<Failure> check_flipped(ledger::Store& store);

    [[nodiscard]] const std::string& id() const noexcept { return made_.setup.id; }
    // The ids of all turns that were stored; ids are digests of what they hold.
    [[nodiscard]] std::string fingerprint() const;
    // The last turn that was played, for a transcript.
    struct LastTurn {
        value::Value document;
        std::string said;
        std::string reply;
        std::string profile;
    };
    [[nodiscard]] const LastTurn& last() const noexcept { return last_; }

  private:
    struct Player {
        std::unique_ptr<campaign::Session> session;
        std::int64_t unpaid = 0;  // calls of turns that were not committed
    };
    using Check = std::optional<Failure>;

    // ---- steps (seat_turns.cpp, seat_chat.cpp, seat_moves.cpp)
    Check play_turn(Player& player, tests::Random& random);
    Check play_reply(Player& player, tests::Random& random);
    Check play_chat(Player& player, tests::Random& random);
    Check change_setting(Player& player, tests::Random& random);
    Check change_table(Player& player, tests::Random& random);
    Check move(Player& player, tests::Random& random);
    Check mark(Player& player, tests::Random& random);
    Check look(Player& player, tests::Random& random);
    Check check_prompt(Player& player);
    Check choose_withheld(Player& player, tests::Random& random);
    Check play_greeting(Player& player, const config::Start& start);
    // Requests that are refused, or rarely made (seat_strange.cpp).
    Check ask_strangely(Player& player, tests::Random& random);
    Check switch_greeting(Player& player, tests::Random& random);
    Check speak_under_condition(Player& player, tests::Random& random);
    Check speak_too_long(Player& player, tests::Random& random);
    Check create_wrongly(Player& player, tests::Random& random);
    Check find_turn(Player& player, tests::Random& random);

    // ---- a client's chat
    // Changes the chat as its client does before it asks; returns the words that it sends.
    std::string change_chat(Player& player, tests::Random& random);
    [[nodiscard]] std::vector<prompt::Message> chat_messages(const std::string& said) const;
    // The turn from which the gateway goes on; the last reply of the chat must be there.
    base::Result<ledger::TurnId> find_chat(const std::vector<prompt::Message>& messages,
                                           Check& wrong);
    Check speak_in_chat(Player& player, const std::vector<prompt::Message>& messages,
                        const std::string& said, tests::Random& random);
    Check go_to(Player& player, const ledger::TurnId& turn);
    // The client has a part of a reply that was not finished, or of a `lost` turn.
    Check keep_aborted(Player& player, ChatReply reply, const std::optional<ledger::TurnId>& lost,
                       tests::Random& random);

    // Counts a refusal that must be one of these; nothing may have changed.
    Check refused(Player& player, const base::Result<>& result,
                  std::initializer_list<base::ErrorCode> codes);
    // The head was moved by several turns at once: takes them over as they were stored.
    Check take_over(Player& player);

    // ---- what follows from them
    // Opens the session of a player, if it is not open.
    Check open(Player& player, tests::Random& random);
    struct Before {
        Reference::Position position;
        ledger::TurnId parent;  // of the turn that is played
        engine::State state;
        bool has_fault = false;
        bool is_stale = false;
        std::optional<Reference::Position> move = {};  // that was asked for
    };
    Before begin_step(Player& player, tests::Random& random, bool may_fault = true);
    // Examining a turn takes half as long as playing it.
    static constexpr unsigned kExamined = 10;  // of a hundred
    // A turn that was played; `streamed` is what a player saw of it.
    struct Played {
        std::string said;
        std::string reply;
        engine::Actor actor = engine::Actor::kModel;
        std::int64_t calls = 0;
        std::optional<std::string> streamed = {};
        std::optional<std::string> key = {};
        bool is_examined = true;  // its record is read back and its commands are done again
    };
    Check after_turn(Player& player, const Before& before,
                     const base::Result<turn::TurnResult>& result, const Played& played);
    Check after_commit(Player& player, const Before& before, const turn::TurnResult& result,
                       const Played& played);
    Check check_settings(const Player& player, const Before& before, const turn::TurnResult& result,
                         const Played& played);
    Check after_edit(Player& player, const Before& before, const base::Result<>& result,
                     Reference::Kind kind = Reference::Kind::kEdit);
    Check after_move(Player& player, const Before& before, const base::Result<>& result);
    // Something failed: nothing has changed, or, after a fault, it may have been stored.
    Check after_error(Player& player, const Before& before, const base::Error& error);
    // The store was not sure: takes over what it holds, if it is one of the two possibilities.
    Check resolve(const Before& before);
    Check same_as_reference(Player& player);
    // The text that is hidden there from the player and the model; empty: none is.
    [[nodiscard]] std::string hidden_in(const value::Value& document) const;
    Check secret_in(std::string_view text, std::string_view where, const engine::State& state);
    void count_turn(const turn::TurnResult& result);
    [[nodiscard]] Failure failure(std::string oracle, std::string detail) const;
    [[nodiscard]] Player& other(const Player& player);

    SimulatedCampaign made_;
    Surroundings& around_;
    Reference reference_;
    std::vector<Player> players_;
    std::vector<ChatReply> chat_;
    std::optional<server::Gateway> gateway_;  // of the store that is open
    std::optional<std::pair<turn::TurnResult, std::string>> withheld_;
    std::optional<Before> uncertain_;  // a step that the store was killed in
    std::size_t keys_ = 0;
    std::size_t comparisons_ = 0;  // of a session with the reference
    LastTurn last_;
};

}  // namespace arbiter::sim
