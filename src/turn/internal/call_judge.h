// CallJudge: judges the tool calls of one turn, in order. Also applies changes of the table itself.
#pragma once

#include <expected>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "table/dialog.h"
#include "table/random.h"
#include "turn/attempt.h"
#include "turn/rules.h"

namespace arbiter::turn::internal {

// Equal for the same request in different turns.
std::string request_key(std::string_view tool, const value::Value& args);

struct AcceptedCall {
    engine::State state;
    value::Value result;
    value::Path path;     // of the first instruction
    bool continues_turn;  // the model needs the result before it can continue
};

class CallJudge {
  public:
    // All references must outlive the judge. `settings` are those in effect at the turn's start.
    CallJudge(const Rules& rules, const value::Object& settings, const engine::Context& context,
              const table::DialogType& dialog, table::Random random)
        : rules_(rules), settings_(settings), context_(context), dialog_(dialog), random_(random) {}

    // Checks, each before any effect: the call is well-formed; its id is new in this turn; the tool
    // is allowed, offered by the dialog type, registered and enabled; the arguments; the state
    // machine; the settings; the tool's own conditions. Then applies the effect with the rights of
    // the tool, all or none, and runs the tool's check. A call that was refused in the turns
    // before as well is refused as kRepeated. `redirected`: the call was made from a direct command
    // and has an id of ours.
    std::expected<AcceptedCall, FailedCall> judge(const proposal::ToolCall& call, bool redirected,
                                                  const engine::State& state);

  private:
    std::expected<AcceptedCall, FailedCall> judge_once(const proposal::ToolCall& call,
                                                       bool redirected, const engine::State& state);

    const Rules& rules_;
    const value::Object& settings_;
    const engine::Context& context_;
    const table::DialogType& dialog_;
    table::Random random_;
    std::set<std::string, std::less<>> ids_;  // of the calls of this turn
    std::size_t judged_ = 0;
};

// Applies instructions as the system, as one transaction.
engine::Outcome apply_as_system(const engine::State& state,
                                std::span<const proposal::Instruction> instructions,
                                const engine::Policy& policy, const engine::Context& context,
                                std::string batch_id);
bool all_applied(const engine::Outcome& outcome) noexcept;
// The changes of such an outcome as effects of a rule.
std::vector<rules::Effect> effects_of(const engine::Outcome& outcome, std::string_view rule);
// Appends an effect, and its action if it changed something.
void add_effect(Attempt& attempt, rules::Effect effect);

}  // namespace arbiter::turn::internal
