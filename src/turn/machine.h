// Machine: one turn without I/O. Events go in, commands for the driver come out:
//
//   start → Ask … model_piece* → model_done → (Ask again | Commit | Finish) → committed → Finish
//
// A driver executes the commands in order: it asks the model, shows text, commits the turn, and
// reports back. The blocking driver is model/drive.h; tests have a simulated one. After Finish the
// machine takes no more events.
//
// Deterministic: equal events give equal commands. Nothing is committed unless all of the turn
// passed; until then everything lives in this object. Not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/lazy.h"
#include "prompt/message.h"
#include "prompt/sources.h"
#include "table/player_view.h"
#include "turn/narration.h"
#include "turn/reply_stream.h"
#include "turn/rounds.h"
#include "turn/turn.h"
#include "turn/turn_prompt.h"
#include "turn/turn_result.h"

namespace arbiter::turn {

struct TurnRequest {
    std::string said;  // by the player
    engine::Instant now = 0;
    std::optional<Mode> mode = {};  // empty: the setting turn.mode
    // Of Mode::kGuarded only: show the text of attempts while it streams, and withdraw it if the
    // attempt is dropped.
    bool shows_drafts = false;
    // Of a client that keeps the chat itself: sent in place of our history.
    std::optional<ClientChat> chat = {};
    // The turn is a continuation of this text, which the client shows in front of it.
    std::optional<std::string> continues = {};
    // The player's wish for this version of the reply, such as "shorter": the last message of its
    // prompt, and part of nothing else. Empty: none.
    std::string hint = {};
};

// A reply at hand: judged once, without a model, and committed even if commands were refused.
struct SuppliedReply {
    std::string text;
    std::string said = {};
    engine::Actor actor = engine::Actor::kModel;
    engine::Instant now = 0;
    std::vector<prompt::NativeToolCall> tool_calls = {};
    std::vector<proposal::Proposal> proposals = {};  // made by the host, behind those of the text
    std::optional<std::string> continues = {};       // as in TurnRequest
};

// The campaign as the turn finds it.
struct TurnStart {
    engine::State state;
    std::int64_t number = 0;  // of this turn
    std::string batch_id;
    Usage uncommitted = {};  // of turns that came to nothing since the last commit
};

// ---- commands

struct Ask {
    std::vector<prompt::Message> messages;
    std::vector<table::ToolSchema> tools;
    std::int64_t turn = 0;
    std::int64_t attempt = 1;
    std::int64_t round = 1;  // of the attempt: above 1 the model continues after tool results
    value::Value document;   // that the turn began with, for scripts
};
struct Show {
    table::PlayerText text;
};
// The text shown since the last Withdraw is void: its attempt was dropped, or, without feedback,
// it turned out to be the model's thinking. In the second case valid text is shown again.
struct Withdraw {
    std::int64_t attempt = 0;
    value::Value feedback;
};
// A turn that passed and is to be committed.
struct PendingTurn {
    std::string said;
    std::string raw;            // the replies, joined
    std::vector<Round> rounds;  // empty: there is only one
    Finished finished;
    std::vector<FailedCall> failed_calls;  // of all attempts
    Usage usage;
    std::int64_t story_tokens = 0;
    value::Array trace;  // empty unless there was more than one attempt
    std::optional<std::string> continues;
};
// Both are valid until the next event.
struct Commit {
    const Begun* begun = nullptr;
    const PendingTurn* turn = nullptr;
};
// On the heap: a piece of a stream is a vector with one Show, whose size is that of the largest.
struct Finish {
    std::unique_ptr<TurnResult> result;
};
using Command = std::variant<Ask, Show, Withdraw, Commit, Finish>;
using Commands = std::vector<Command>;

class Machine {
  public:
    Machine(Environment environment, TurnStart start);

    Commands start(TurnRequest request);
    Commands start(SuppliedReply reply);
    // A part of the reply's text, cut anywhere. Finishes the turn if the reply becomes too long.
    Commands model_piece(std::string_view bytes);
    Commands model_done(std::int64_t tokens, std::vector<prompt::NativeToolCall> tool_calls);
    Commands model_failed(base::Error error);
    // Without effect once the turn is being committed.
    Commands cancel() { return phase_ == Phase::kAsking ? end(Status::kCancelled) : Commands(); }
    Commands committed(std::string id);
    Commands commit_failed(base::Error error);

  private:
    enum class Phase : std::uint8_t { kIdle, kAsking, kCommitting, kFinished };
    struct Reply {
        std::string raw;
        std::vector<prompt::NativeToolCall> tool_calls;
        std::size_t first_native = 0;  // index of its first native call among the proposals
        bool is_silent = false;        // its prose is never shown
    };

    // The replies so far: a turn that waits for its first one has none.
    struct Past {
        std::vector<Reply> rounds;              // of this attempt
        reader::Reading reading;                // of all its rounds
        std::vector<prompt::Message> messages;  // of the rounds, behind the first messages
        std::vector<WrongSentence> mending;     // asked for again; empty: a reply is asked for
        std::string cut_lines;                  // for the player, about sentences that were cut
        std::vector<FailedCall> failed_calls;   // of all attempts
        value::Array trace;                     // of all attempts
    };

    // Of notices for the player.
    [[nodiscard]] base::Language player_language() const;
    base::Result<> begin(std::string_view said, engine::Actor actor, engine::Instant now);
    // Asks for a new attempt, or for the next round of this one.
    Commands ask();
    // Nothing leads to another request: a live reply is not asked for again, and without a table no
    // tool has a result. So the messages are not kept while the reply streams in.
    [[nodiscard]] bool asks_once() const noexcept {
        return mode_ == Mode::kLive && !begun_.rules->has_table;
    }
    // Ends the turn if a cap of the settings is reached.
    std::optional<Commands> over_spent();
    Commands send(std::vector<prompt::Message> more);
    void remember_round(const Attempt& attempt);
    Commands show(std::string_view visible, bool is_first);
    // The text that this round showed was thinking, if the collector says so.
    Commands withdraw_thought();
    Commands take_round(reader::Reading reading, std::vector<prompt::NativeToolCall> tool_calls);
    base::Result<> add_round(reader::Reading reading,
                             std::vector<prompt::NativeToolCall> tool_calls);
    [[nodiscard]] reader::Reading take_reading() {
        return std::exchange(past_.change().reading, {});
    }
    void drop_rounds() {
        Past& past = past_.change();
        past.rounds.clear();
        past.messages.clear();
        past.reading = {};
        retries_.results_told = 0;
    }
    Commands decide_on(Attempt attempt);
    Commands go_on(Attempt attempt);
    Commands try_again(Attempt attempt, const Decision& decision);
    // ---- attempts with errors in the narration only (turn/narration.h)
    Commands mend(Attempt attempt, const Decision& decision);
    Commands cut(Attempt attempt, const Decision& decision);
    Commands take_mended(reader::Reading answer, std::vector<prompt::NativeToolCall> calls);
    // Reports where an attempt that is committed contradicts, or did before it was cut, as lines
    // for the player.
    std::string contradictions(const Attempt& attempt, const value::Value& feedback);
    // Judges the attempt again with these texts of its rounds.
    base::Result<Attempt> reread(std::vector<std::string> replies);
    Commands decide_again(std::vector<std::string> replies);
    // `shown_only`: those of silent rounds are empty.
    [[nodiscard]] std::vector<std::string> replies(bool shown_only = false) const;
    // ---- Mode::kResolveFirst: the narration of an attempt whose changes are settled
    Commands tell(Attempt attempt);
    [[nodiscard]] bool is_settling() const noexcept {
        return mode_ == Mode::kResolveFirst && !is_telling_;
    }
    Commands drop(const Attempt& attempt, const Decision& decision);
    Commands report(Attempt attempt, const Decision& decision);
    Commands accept(Attempt attempt, value::Value feedback);
    Commands end(Status status);
    Commands fail(base::Error error);
    void note_attempt(const Attempt& attempt);
    TurnResult& result() {
        if (result_ == nullptr) {
            result_ = std::make_unique<TurnResult>();
        }
        return *result_;
    }
    [[nodiscard]] bool shows_at_once() const noexcept;
    // The narrative as the player sees it.
    [[nodiscard]] table::PlayerText visible(const reader::Reading& reading) const;
    [[nodiscard]] std::string told() const;
    [[nodiscard]] std::string joined_raw() const {
        std::string joined;
        for (const Reply& round : past_->rounds) {
            joined += round.raw;
        }
        return joined;
    }
    [[nodiscard]] std::size_t rounds_bytes() const noexcept {
        std::size_t bytes = 0;
        for (const Reply& round : past_->rounds) {
            bytes += round.raw.size();
        }
        return bytes;
    }

    Environment environment_;
    std::unique_ptr<TurnStart> start_;  // until the turn has begun
    Usage uncommitted_;                 // TurnStart::uncommitted
    std::string said_;                  // by the player
    base::Lazy<std::optional<std::string>> continues_;
    bool shows_drafts_ = false;
    Mode mode_ = Mode::kGuarded;
    bool passes_blocks_ = false;  // the client gets the blocks of a reply
    bool is_telling_ = false;     // of Mode::kResolveFirst: the second part of the attempt
    bool is_mended_ = false;      // the text that streamed in is not that of the turn
    bool has_shown_ = false;      // text of this attempt
    Phase phase_ = Phase::kIdle;
    base::Language model_language_ = base::Language::kEnglish;
    Begun begun_;
    std::optional<table::Redactor> redactor_;
    std::vector<prompt::Message> first_messages_;
    std::vector<table::ToolSchema> tools_;  // of every request
    std::optional<ReplyStream> collector_;
    std::optional<table::RedactedStream> stream_;  // of this attempt; none for a supplied reply
    std::string raw_;                              // of the round that streams in
    base::Lazy<Past> past_;
    RetryState retries_;
    std::int64_t attempt_tokens_ = 0;
    std::unique_ptr<PendingTurn> pending_;  // of an attempt that passed
    // ---- of the result
    value::Value feedback_;
    std::int64_t attempts_ = 0;
    Usage usage_;
    // Its other members, once there is one: a turn that waits for its model has none.
    std::unique_ptr<TurnResult> result_;
};

}  // namespace arbiter::turn
