// Runner: executes the statements of a template and the bodies of its functions.
#pragma once

#include <cstdint>
#include <expected>
#include <forward_list>
#include <string>

#include "ejs/internal/machine.h"

namespace arbiter::ejs::internal {

class Runner final : public Machine {
  public:
    using Machine::Machine;

    std::expected<std::string, Failure> run(const Program& program);
    Datum render_entry(std::string text, const Datum& names) override;

  private:
    enum class Flow : std::uint8_t { kNext, kBreak, kContinue, kReturn, kStop };

    Datum run_function(const Closure& closure, Arguments arguments) override;
    Flow exec(NodeId id);
    Flow exec_node(const Node& node);
    Flow exec_list(std::span<const NodeId> list);
    Flow exec_block(const Node& node);
    Flow exec_if(const Node& node);
    Flow exec_for(const Node& node);
    Flow exec_each(const Node& node);
    Flow exec_while(const Node& node);
    Flow exec_switch(const Node& node);
    Flow exec_try(const Node& node);
    void declare(const Node& node);
    void declare_functions(std::span<const NodeId> list);
    void hoist(const Node& node, Scope& scope);
    Flow exec_top();
    // Whether a loop continues after its body; otherwise `flow` is the loop's own result.
    static bool goes_on(Flow& flow);
    [[nodiscard]] Flow after() const { return failed() ? Flow::kStop : Flow::kNext; }

    Datum returned_;
    std::size_t entries_ = 0;  // that are being rendered inside each other
    std::forward_list<Program> programs_;
};

}  // namespace arbiter::ejs::internal
