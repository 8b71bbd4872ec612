// Check: a rule of the world that an instruction must keep, as rulebooks and protocols compile it
// into the Policy. It is asked about every place of its pattern that an instruction changed, before
// the instruction stands.
#pragma once

#include <optional>

#include "engine/policy.h"
#include "proposal/proposal.h"
#include "value/pattern.h"

namespace arbiter::engine {

struct Finding {
    enum class What : std::uint8_t { kFine, kClamp, kRefuse };
    What what = What::kFine;
    value::Value value = {};                        // kClamp: what it becomes
    std::optional<proposal::Problem> problem = {};  // kRefuse
    std::optional<proposal::Warning> warning = {};
};

class Check {
  public:
    struct Case {
        const value::Value& start;   // the document before the batch
        const value::Value& before;  // before the instruction
        const value::Value& after;
        const value::Object& meta;
        const value::Path& path;
        const value::Bindings& bindings;
        const value::Value* old;  // at the path; nullptr where nothing was
        const value::Value* now;  // nullptr where nothing is left
        Actor actor;
    };

    Check() = default;
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;
    virtual ~Check() = default;
    [[nodiscard]] virtual const value::Pattern& place() const noexcept = 0;
    [[nodiscard]] virtual Finding judge(const Case& about) const = 0;
};

}  // namespace arbiter::engine
