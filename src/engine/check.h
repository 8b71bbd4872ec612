// Check: a condition that changes of certain places must meet. Rulebooks and protocols compile
// their limits into checks of the Policy.
//
// The engine runs a check for every place of its pattern that an instruction changed, before the
// instruction takes effect. Checks are immutable and may be shared between threads.
#pragma once

#include <optional>

#include "engine/engine.h"
#include "proposal/proposal.h"
#include "value/pattern.h"

namespace arbiter::engine {

struct CheckResult {
    enum class Action : std::uint8_t { kAllow, kReplace, kRefuse };
    Action action = Action::kAllow;
    value::Value value = {};                        // kReplace: the value to write instead
    std::optional<proposal::Problem> problem = {};  // kRefuse
    std::vector<proposal::Remark> remarks = {};
};

class Check {
  public:
    struct Case {
        const State& start;          // before the turn
        const value::Value& before;  // before the instruction
        const value::Value& after;
        const value::Object& meta;
        const value::Path& path;
        const value::Bindings& bindings;
        const value::Value* old;  // at the path before; nullptr if it did not exist
        const value::Value* now;  // at the path after; nullptr if it was removed
        Actor actor;
        bool is_text;          // of the context
        base::Budget& budget;  // for formulas
    };

    Check() = default;
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;
    virtual ~Check() = default;
    [[nodiscard]] virtual const value::Pattern& place() const noexcept = 0;
    [[nodiscard]] virtual CheckResult judge(const Case& about) const = 0;
    // Whether it also judges commands of the system that a text holds (Context::is_text).
    [[nodiscard]] virtual bool binds_texts() const noexcept { return false; }
    // Whether it limits how much a number changes. Then the engine remembers the last number of its
    // places (engine/numbers.h).
    [[nodiscard]] virtual bool counts_changes() const noexcept { return false; }
    // Whether follow() does something.
    [[nodiscard]] virtual bool follows() const noexcept { return false; }
    // Called before the first instruction of a call and after each one that took effect. May keep
    // data in `meta` for the judgement of the next ones. `start` is the state before the turn.
    virtual void follow(value::Object& meta, const State& start,
                        const value::Value& document) const {
        static_cast<void>(meta);
        static_cast<void>(start);
        static_cast<void>(document);
    }
};

}  // namespace arbiter::engine
