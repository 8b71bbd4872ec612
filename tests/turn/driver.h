// A simulated driver of turn::Machine: scripted answers in pieces of any size, and a store that is
// a variable. It keeps everything that the machine asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "proposal/codec.h"
#include "tests/turn/game.h"
#include "turn/machine.h"
#include "turn/replay.h"

namespace arbiter::tests {

struct Answer {
    std::string text;
    std::vector<prompt::NativeToolCall> calls = {};
    std::int64_t tokens = 100;
    std::optional<base::Error> error = {};         // after the text has streamed in
    std::optional<std::size_t> cancel_after = {};  // so many pieces
};

inline prompt::NativeToolCall native(std::string id, std::string name, std::string arguments) {
    return {std::move(id), std::move(name), std::move(arguments)};
}
inline std::string tag(std::string_view tool, std::string_view args, std::string_view id = "c1") {
    return R"(<tool_call>{"tool":")" + std::string(tool) + R"(","args":)" + std::string(args) +
           R"(,"id":")" + std::string(id) + R"("}</tool_call>)";
}

class Driver {
  public:
    // A turn that was handed over to be kept, and the state before it.
    struct Kept {
        engine::State before;
        turn::Begun begun;
        turn::PendingTurn turn;
        turn::Usage uncommitted;  // of the turns before it that came to nothing
    };

    Driver(engine::State first, turn::BaseRules base,
           const protocol::Library& library = no_protocols())
        : state(std::move(first)),
          cache_(std::move(base), base::Language::kEnglish),
          library_(library) {}
    explicit Driver(const Game& game) : Driver(game.state, base_of(game)) {}

    // Answers are given in order; the last one again and again.
    turn::TurnResult turn(turn::TurnRequest request, std::vector<Answer> answers) {
        request.now = now += 1000;
        turn::Machine machine = make();
        answers_ = std::move(answers);
        return run(machine, machine.start(std::move(request)));
    }
    turn::TurnResult turn(std::string said, std::vector<Answer> answers,
                          turn::Mode mode = turn::Mode::kGuarded) {
        turn::TurnRequest request;
        request.said = std::move(said);
        request.mode = mode;
        return turn(std::move(request), std::move(answers));
    }
    turn::TurnResult apply(turn::SuppliedReply reply) {
        reply.now = now += 1000;
        turn::Machine machine = make();
        answers_.clear();
        return run(machine, machine.start(std::move(reply)));
    }

    [[nodiscard]] std::string at(std::string_view path) const {
        return Game::in(state.document, path);
    }
    [[nodiscard]] turn::RulesCache& cache() noexcept { return cache_; }
    [[nodiscard]] const protocol::Library& library() const noexcept { return library_; }

    engine::State state;  // committed
    engine::Instant now = 2000;
    std::int64_t number = 0;  // of turns committed
    turn::Usage uncommitted;
    std::size_t piece = 0;                 // bytes; 0: the whole reply at once
    std::optional<base::Error> disk = {};  // why nothing can be committed
    std::vector<prompt::Message> history;
    // ---- of the last turn
    std::vector<turn::Ask> asked;
    std::string shown;               // since the last Withdraw
    std::string shown_while_asking;  // before the reply was complete
    std::vector<turn::Withdraw> withdrawn;
    std::optional<Kept> kept;

    static const protocol::Library& no_protocols() {
        static const protocol::Library kNone = protocol::Library::make({});
        return kNone;
    }
    static turn::BaseRules base_of(const Game& game) {
        turn::BaseRules base;
        base.profile.of_model = reader::Dialects::all();
        base.books = game.books;
        base.registries = game.registries;
        base.globals = game.globals;
        return base;
    }

  private:
    turn::Machine make() {
        turn::Environment environment{cache_, library_};
        environment.history = &history;
        environment.native_tools = true;
        environment.memories = &memories_;
        turn::TurnStart start;
        start.state = state;
        start.number = number + 1;
        start.batch_id = "t" + std::to_string(number + 1);
        start.uncommitted = uncommitted;
        asked.clear();
        shown.clear();
        shown_while_asking.clear();
        withdrawn.clear();
        kept.reset();
        return {std::move(environment), std::move(start)};
    }

    turn::TurnResult run(turn::Machine& machine, turn::Commands commands) {
        std::optional<turn::TurnResult> result;
        while (!result) {
            EXPECT_FALSE(commands.empty());
            turn::Commands next;
            for (turn::Command& command : commands) {
                // A command that leads to events is the last one of its list.
                EXPECT_TRUE(next.empty());
                if (auto* ask = std::get_if<turn::Ask>(&command)) {
                    asked.push_back(std::move(*ask));
                    next = answer(machine);
                } else if (auto* show = std::get_if<turn::Show>(&command)) {
                    shown += show->text.str();
                } else if (auto* withdraw = std::get_if<turn::Withdraw>(&command)) {
                    shown.clear();
                    withdrawn.push_back(std::move(*withdraw));
                } else if (auto* commit = std::get_if<turn::Commit>(&command)) {
                    next = keep(machine, *commit);
                } else {
                    result = std::move(*std::get<turn::Finish>(command).result);
                }
            }
            commands = std::move(next);
        }
        EXPECT_TRUE(machine.cancel().empty());  // a finished machine takes no more events
        EXPECT_TRUE(machine.cancel().empty());
        EXPECT_TRUE(machine.model_piece("late").empty());
        EXPECT_TRUE(machine.model_done(1, {}).empty());
        if (result->status != turn::Status::kCommitted) {
            uncommitted += result->usage;
        }
        return *std::move(result);
    }

    turn::Commands answer(turn::Machine& machine) {
        const Answer answer = answers_.at(std::min(asked.size(), answers_.size()) - 1);
        const std::size_t size = piece == 0 ? std::max<std::size_t>(1, answer.text.size()) : piece;
        std::size_t pieces = 0;
        for (std::size_t at = 0; at < answer.text.size(); at += size) {
            if (answer.cancel_after && pieces++ >= *answer.cancel_after) {
                return machine.cancel();
            }
            for (turn::Command& command :
                 machine.model_piece(std::string_view(answer.text).substr(at, size))) {
                if (std::holds_alternative<turn::Finish>(command)) {
                    turn::Commands end;
                    end.push_back(std::move(command));
                    return end;
                }
                const std::string& text = std::get<turn::Show>(command).text.str();
                shown += text;
                shown_while_asking += text;
            }
        }
        return answer.error ? machine.model_failed(*answer.error)
                            : machine.model_done(answer.tokens, answer.calls);
    }

    turn::Commands keep(turn::Machine& machine, const turn::Commit& commit) {
        EXPECT_TRUE(machine.cancel().empty());  // too late
        if (disk) {
            return machine.commit_failed(*disk);
        }
        kept = Kept{state, *commit.begun, *commit.turn, uncommitted};
        state = commit.turn->finished.attempt.candidate();
        prompt::append_turn(history, commit.begun->context.actor, commit.turn->said,
                            commit.turn->finished.attempt.reading.text);
        uncommitted = {};
        ++number;
        return machine.committed(std::to_string(number));
    }

    turn::RulesCache cache_;
    const protocol::Library& library_;
    rules::Memories memories_;
    std::vector<Answer> answers_;
};

// The kept turn, judged again from what a record holds.
inline turn::Finished replay(const Driver::Kept& kept) {
    const turn::Attempt& attempt = kept.turn.finished.attempt;
    turn::ReplayInputs inputs;
    inputs.context = kept.begun.context;
    inputs.shown = attempt.reading.text;
    inputs.meta = kept.turn.finished.meta;
    inputs.usage = kept.turn.usage;
    inputs.story_tokens = kept.turn.story_tokens;
    inputs.failed_calls = kept.turn.failed_calls;
    // As they are read back from a file.
    auto proposals =
        proposal::decode(proposal::encode(attempt.reading.proposals, kept.turn.raw), kept.turn.raw);
    EXPECT_TRUE(proposals.has_value());
    return turn::replay(kept.before, std::move(proposals).value(), kept.begun.rules, inputs);
}

// Both halves of a state, as bytes.
inline std::string print(const engine::State& state) {
    return value::print_json(state.document) + "\n" + value::print_json(state.meta);
}

// Everything of a kept turn that a store would write down.
inline std::string print(const Driver::Kept& kept) {
    const turn::PendingTurn& turn = kept.turn;
    std::string all =
        turn.said + "\n" + turn.raw + "\n" + turn.finished.attempt.reading.text + "\n" +
        print(turn.finished.attempt.candidate()) + "\n" +
        value::print_json(proposal::encode(turn.finished.attempt.reading.proposals, turn.raw)) +
        "\n" + print(turn.finished.attempt.actions) + value::print_json(turn.finished.meta.before) +
        value::print_json(turn.finished.meta.after) + value::print_json(turn.trace) +
        std::to_string(turn.usage.tokens) + "/" + std::to_string(turn.usage.calls);
    for (const turn::FailedCall& failed : turn.failed_calls) {
        all +=
            "\n" + failed.id + " " + failed.tool + " " + failed.refusal.reason + " " + failed.key;
    }
    for (const turn::Round& round : turn.rounds) {
        all += "\n" + std::to_string(round.raw_end) + " " + std::to_string(round.native_calls);
    }
    return all;
}

}  // namespace arbiter::tests
