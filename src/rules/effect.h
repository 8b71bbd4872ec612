// Effect: one change that a rule made, as the audit records it (actor: system).
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/text.h"
#include "engine/engine.h"
#include "value/diff.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::rules {

struct Effect {
    std::string rule;
    value::Path path;
    std::optional<value::Value> before;
    std::optional<value::Value> after;
    value::Diff changes;
};

// A rule that would have made the document larger than it may be: the change was not made.
struct OversizeRule {
    std::string rule;
    value::Path path;
};
base::Text explain(const OversizeRule& oversize);
// The steps of the turn were spent: rules that needed more did nothing.
base::Text explain_spent();

// `传奇 a.b: 1 → 2`: one line, independent of the language.
std::string describe(const Effect& effect);

// The audit record of an effect, in the form of engine::audit_records(); with or without changes.
value::Value audit_record(const Effect& effect, std::size_t index, const engine::Context& context,
                          bool has_changes = true);

}  // namespace arbiter::rules
