// DataTool: a compiled tool of data, and the evaluation of a call. Immutable once made; pure.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "expr/formula.h"
#include "proposal/instruction.h"
#include "table/tool.h"
#include "value/kind.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::table::internal {

// A value of a file in which every text is a formula.
struct Template {
    value::Value constant;
    std::optional<expr::Formula> formula;
    std::vector<std::string> keys;          // of an object
    std::vector<Template> elements;         // of an object or a list
    value::Kind kind = value::Kind::kNull;  // kObject, kArray, or kNull for a scalar
};

struct Let {
    std::string name;
    std::optional<expr::Formula> formula;
    std::string dice;  // thrown instead
};

// A row of the effect.
struct Row {
    proposal::Op op = proposal::Op::kSet;
    value::Pattern place;
    std::optional<Template> value;
    std::optional<expr::Formula> condition;
    bool unique = false;  // push: not if it is there already
};

struct Check {
    expr::Formula holds;
    std::string field;
};

struct DataTool {
    std::vector<std::string> names;  // of arguments and lets
    std::vector<Let> lets;
    std::vector<Row> effect;
    std::vector<Check> checks;
    std::vector<std::pair<std::string, Template>> result;
};

// Names that formulas may use beside arguments and lets.
inline constexpr std::string_view kSettings = "settings";
inline constexpr std::string_view kActor = "actor";

// True for a part of the campaign that a tool of data may change.
bool is_open_part(std::string_view part) noexcept;

// The values that conditions know: arguments, surroundings, and lets up to the first dice.
std::vector<expr::Variable> condition_variables(const DataTool& tool, const ToolContext& at);

// The instructions of a call; the result holds the lets.
std::expected<Effect, Refusal> effect_of(const DataTool& tool, const ToolContext& at,
                                         Random& random);
// The first check that does not hold after the effect.
std::optional<Mismatch> broken_check(const DataTool& tool, const EffectCheck& seen);
// The result of a call, on the state after it.
value::Value report_of(const DataTool& tool, const EffectCheck& seen);

}  // namespace arbiter::table::internal
