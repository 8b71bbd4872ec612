// A whole turn with a model: turn::Machine returns commands, and this program executes them. The
// model is two prepared replies. The first one has a command that does not exist, so the machine
// drops it and asks again.
#include <arbiter/arbiter.h>

#include <cstdio>
#include <iterator>
#include <string>
#include <utility>
#include <variant>

using namespace arbiter;

namespace {

constexpr const char* kReplies[] = {
    "The chest is full of gold.\n<UpdateVariable>_.fly('gold', 99);</UpdateVariable>",
    "Five coins lie in the chest.\n<UpdateVariable>_.add('gold', 5);</UpdateVariable>"};

// The host's side of a turn: it asks the model, shows text and stores the result.
class Host {
  public:
    explicit Host(engine::State before) : state(std::move(before)) {}

    // Executes a command; the events that follow from it return further commands.
    turn::Commands execute(turn::Machine& machine, turn::Command& command) {
        turn::Commands next;
        if (const auto* ask = std::get_if<turn::Ask>(&command)) {
            std::printf("ask: %zu messages\n", ask->messages.size());
            next = machine.model_piece(kReplies[asked_++ % std::size(kReplies)]);
            turn::Commands done = machine.model_done(/*tokens=*/50, /*tool_calls=*/{});
            std::move(done.begin(), done.end(), std::back_inserter(next));
        } else if (const auto* show = std::get_if<turn::Show>(&command)) {
            std::printf("show: %s\n", show->text.str().c_str());
        } else if (const auto* dropped = std::get_if<turn::Withdraw>(&command)) {
            std::printf("withdraw: attempt %d\n", static_cast<int>(dropped->attempt));
        } else if (const auto* commit = std::get_if<turn::Commit>(&command)) {
            // Store the turn here; if that fails, call commit_failed() instead.
            state = commit->turn->finished.attempt.outcome.state;
            next = machine.committed("turn-1");
        } else if (const auto* finish = std::get_if<turn::Finish>(&command)) {
            std::printf("finish: %s\n", std::string(turn::name(finish->result->status)).c_str());
        }
        return next;
    }

    engine::State state;

  private:
    std::size_t asked_ = 0;
};

}  // namespace

int main() {
    turn::BaseRules base;
    base.profile.of_model = {proposal::Dialect::kMvu};
    turn::RulesCache rules(base, base::Language::kEnglish);
    const protocol::Library protocols;

    Host host({value::parse_json(R"({"gold":12})").value(), {}});
    turn::Machine machine(turn::Environment{rules, protocols},
                          {.state = host.state, .number = 1, .batch_id = "turn-1"});
    turn::TurnRequest request;
    request.said = "I open the chest.";
    request.now = *engine::parse_instant("2026-01-01T00:00:00Z");
    turn::Commands queue = machine.start(std::move(request));
    for (std::size_t i = 0; i < queue.size(); ++i) {
        turn::Commands next = host.execute(machine, queue[i]);
        std::move(next.begin(), next.end(), std::back_inserter(queue));
    }
    std::printf("%s\n", value::print_json(host.state.document).c_str());
    return 0;
}
