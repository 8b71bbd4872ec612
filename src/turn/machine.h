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

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "prompt/message.h"
#include "prompt/sources.h"
#include "table/player_view.h"
#include "turn/rounds.h"
#include "turn/turn.h"

namespace arbiter::turn {

struct TurnRequest {
    std::string said;  // by the player
    engine::Instant now = 0;
    Mode mode = Mode::kGuarded;
    // Guarded only: show the text of attempts while it streams, and withdraw it if the attempt is
    // dropped.
    bool shows_drafts = false;
};

// A reply at hand: judged once, without a model, and committed whatever was refused of it.
struct SuppliedReply {
    std::string text;
    std::string said = {};
    engine::Actor actor = engine::Actor::kModel;
    engine::Instant now = 0;
    std::vector<prompt::NativeToolCall> tool_calls = {};
    std::vector<proposal::Proposal> proposals = {};  // made by the host, behind those of the text
};

// The campaign as the turn finds it.
struct TurnStart {
    engine::State state;
    std::int64_t number = 0;  // of this turn
    std::string batch_id;
    Usage uncommitted = {};  // of turns that came to nothing since the last commit
};

// Everything else that a turn uses. Borrowed: it must outlive the machine.
struct Environment {
    RulesCache& rules;
    const protocol::Library& library;
    rules::Memories* memories = nullptr;
    base::Language language = base::Language::kEnglish;
    // ---- for the prompt
    const card::Card* card = nullptr;  // nullptr: none
    // The card's regex scripts, for the history and for what is shown; nullptr: none.
    const card::Replacements* replacements = nullptr;
    prompt::Lore* lore = nullptr;                     // nullptr: none
    std::span<const prompt::LoreSource> books = {};   // of the lore
    prompt::Cache* prompt_cache = nullptr;            // only saves work; nullptr: none
    std::vector<prompt::Message>* history = nullptr;  // oldest first; nullptr: none
    std::size_t context_tokens = prompt::kContextTokens;
    // The model takes tool schemas beside the messages. Otherwise the prompt describes the tools.
    bool native_tools = false;
    value::Object more_settings = {};  // over those of the campaign, for this prompt only
};

// The prompt of a turn that has begun: what `arbiter prompt` shows is what a model is asked.
struct TurnPrompt {
    prompt::Assembly assembly;
    std::vector<table::ToolSchema> tools;                // sent beside the messages; empty: none
    base::Language language = base::Language::kEnglish;  // of our texts in it
};
TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment);

enum class Status : std::uint8_t {
    kCommitted,
    kReported,   // the retries are used up: `report` is for the player, nothing has changed
    kCancelled,  // nothing has changed
    kBlocked,    // no turn can begin: `notice` says why
    kOverSpent,  // a spending cap of the settings is reached; nothing has changed
    kFailed      // `error` says why; nothing has changed
};
std::string_view name(Status status) noexcept;  // "committed", …

struct TurnResult {
    Status status = Status::kCommitted;
    std::string id;  // of the committed turn
    // The whole narrative of a committed turn; of a reported one if conflict.intercept_output is
    // off.
    table::PlayerText shown;
    table::PlayerText notice;           // beside the story, for the player
    table::PlayerText protocol_notice;  // the part of `notice` about protocols
    Attempt attempt;                    // the last one
    value::Value feedback;              // problems of all attempts; null: none
    value::Value report;                // conflict_report()
    value::Array trace;                 // of every attempt: {raw, tokens, feedback?}
    std::int64_t attempts = 0;
    Usage usage;            // of this turn, committed or not
    bool advanced = false;  // a milestone was passed
    // The turn was stored by an earlier request with the same key: this is its result.
    bool already_stored = false;
    std::optional<base::Error> error;
};

// ---- commands

struct Ask {
    std::vector<prompt::Message> messages;
    std::vector<table::ToolSchema> tools;
    std::int64_t turn = 0;
    std::int64_t attempt = 1;
    std::int64_t round = 1;  // of the attempt: above 1 the model goes on after tool results
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
};
// Both are valid until the next event.
struct Commit {
    const Begun* begun = nullptr;
    const PendingTurn* turn = nullptr;
};
struct Finish {
    TurnResult result;
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
    Commands cancel();
    Commands committed(std::string id);
    Commands commit_failed(base::Error error);

  private:
    enum class Phase : std::uint8_t { kIdle, kAsking, kCommitting, kFinished };
    struct Reply {
        std::string raw;
        std::vector<prompt::NativeToolCall> tool_calls;
        std::size_t first_native = 0;  // index of its first native call among the proposals
    };

    // Of notices for the player.
    [[nodiscard]] base::Language player_language() const;
    base::Result<> begin(std::string_view said, engine::Actor actor, engine::Instant now);
    Commands ask();
    Commands show(std::string_view visible, bool is_first);
    // The text that this round showed was thinking, if the collector says so.
    Commands withdraw_thought();
    base::Result<> add_round(reader::Reading reading,
                             std::vector<prompt::NativeToolCall> tool_calls);
    Commands decide_on(Attempt attempt);
    Commands go_on(Attempt attempt);
    Commands try_again(Attempt attempt, const Decision& decision);
    Commands accept(Attempt attempt, value::Value feedback);
    Commands end(Status status);
    Commands fail(base::Error error);
    void note_attempt(const Attempt& attempt);
    [[nodiscard]] bool shows_at_once() const noexcept;
    // The narrative as the player sees it.
    [[nodiscard]] table::PlayerText visible(const reader::Reading& reading) const;
    [[nodiscard]] std::string joined_raw() const;
    [[nodiscard]] std::size_t rounds_bytes() const noexcept;

    Environment environment_;
    TurnStart start_;
    TurnRequest request_;
    Phase phase_ = Phase::kIdle;
    Begun begun_;
    std::optional<table::Redactor> redactor_;
    std::vector<prompt::Message> first_messages_;
    std::vector<table::ToolSchema> tools_;  // of every request
    base::Language model_language_ = base::Language::kEnglish;
    std::vector<prompt::Message> round_messages_;  // of this attempt, behind the first ones
    std::optional<reader::Collector> collector_;
    std::optional<table::RedactedStream> stream_;  // of this attempt; none for a supplied reply
    bool has_shown_ = false;                       // text of this attempt
    std::string raw_;                              // of the round that streams in
    std::vector<Reply> rounds_;                    // of this attempt
    reader::Reading reading_;                      // of all its rounds
    RetryState retries_;
    std::vector<FailedCall> failed_calls_;
    std::int64_t attempt_tokens_ = 0;
    PendingTurn pending_;
    TurnResult result_;
};

}  // namespace arbiter::turn
