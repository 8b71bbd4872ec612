#include "table/internal/data_tool.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/limits.h"
#include "proposal/shape.h"
#include "table/internal/tools_dice.h"
#include "table/internal/write.h"
#include "table/layout.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::table::internal {

using expr::Known;
using expr::Variable;
using proposal::Instruction;
using proposal::Op;
using value::Object;
using value::Path;
using value::Pattern;
using value::PatternStep;
using value::Value;

namespace {

// Parts of a campaign that a tool of data may change. The others belong to the player (settings,
// goal) or to the table itself (turn, milestone, the list of tools …).
constexpr auto kOpenParts =
    std::to_array<std::string_view>({"characters", "areas", "paths", "world", "rules"});

}  // namespace

bool is_open_part(std::string_view part) noexcept {
    return std::ranges::find(kOpenParts, part) != kOpenParts.end();
}
namespace {

Known value_of(const Template& written, const expr::Scope& scope) {
    if (written.formula) {
        return written.formula->evaluate(scope);
    }
    if (written.kind == value::Kind::kObject) {
        Object made;
        for (std::size_t i = 0; i < written.keys.size(); ++i) {
            Known value = value_of(written.elements[i], scope);
            if (!value) {
                return std::nullopt;
            }
            made = std::move(made).set(std::string_view(written.keys[i]), *std::move(value));
        }
        return Value(std::move(made));
    }
    if (written.kind == value::Kind::kArray) {
        value::Array made;
        for (const Template& element : written.elements) {
            Known value = value_of(element, scope);
            if (!value) {
                return std::nullopt;
            }
            made = std::move(made).push_back(*std::move(value));
        }
        return Value(std::move(made));
    }
    return written.constant;
}

bool is_open(const Path& path) {
    if (path.empty() || path[0].is_index() || path[0].key() != kCampaignKey) {
        return !path.empty();
    }
    return path.size() >= 3 && !path[1].is_index() && is_open_part(path[1].key());
}

std::vector<Variable> variables_of(const Object& args) {
    std::vector<Variable> variables;
    for (const auto& [key, value] : args) {
        variables.push_back({key.view(), value});
    }
    return variables;
}

// The values that an evaluation knows, in order: arguments, surroundings, lets.
std::vector<Variable> variables_of(const ToolContext& at) {
    std::vector<Variable> variables = variables_of(at.args);
    variables.push_back({kSettings, at.settings});
    variables.push_back({kActor, active_actor(at.document)});
    return variables;
}

// Adds the lets up to the first dice, or all of them. One without a value stays unknown.
void add_lets(const DataTool& tool, const Value& document, std::vector<Variable>& variables,
              Random* random) {
    for (const Let& let : tool.lets) {
        Known value;
        if (let.formula) {
            value = let.formula->evaluate({document, variables});
        } else if (random != nullptr) {
            value = throw_dice(let.dice, *random);
        } else {
            return;
        }
        if (value) {
            variables.push_back({let.name, *std::move(value)});
        }
    }
}

const Value* find_variable(std::span<const Variable> variables, std::string_view name) {
    const auto found = std::ranges::find(variables, name, &Variable::name);
    return found != variables.end() ? &found->value : nullptr;
}

// Works out the instructions of a call.
class Working {
  public:
    Working(const DataTool& tool, const ToolContext& at, Random& random)
        : tool_(tool), at_(at), variables_(variables_of(at)) {
        add_lets(tool, at.document, variables_, &random);
    }

    std::expected<Effect, Refusal> run() {
        for (const Row& row : tool_.effect) {
            if (auto done = add(row); !done) {
                return std::unexpected(std::move(done.error()));
            }
        }
        Object lets;
        for (const Let& let : tool_.lets) {
            if (const Value* value = find_variable(variables_, let.name)) {
                lets = std::move(lets).set(std::string_view(let.name), *value);
            }
        }
        made_.result = std::move(lets);
        return std::move(made_);
    }

  private:
    std::expected<void, Refusal> add(const Row& row) {
        auto place = placed(row.place);
        if (!place) {
            return std::unexpected(std::move(place.error()));
        }
        if (const auto path = value::bound_path(*place, {})) {
            return add_at(row, *path, {});
        }
        // For each place that exists. Paths are collected first: a row sees the state before it.
        std::expected<void, Refusal> done;
        value::visit_matches(*place, at_.document,
                             [&](const Path& path, const value::Bindings& bindings, const Value&) {
                                 done = add_at(row, path, bindings);
                                 return done.has_value();
                             });
        return done;
    }

    // The pattern with arguments and values in the place of their names.
    std::expected<Pattern, Refusal> placed(Pattern place) {
        for (PatternStep& step : place) {
            if (step.kind != PatternStep::Kind::kOpen || step.name.empty()) {
                continue;
            }
            // Other names stand for every member.
            if (std::ranges::find(tool_.names, step.name.view()) == tool_.names.end()) {
                continue;
            }
            const Value* value = find_variable(variables_, step.name.view());
            if (value != nullptr && value->is_string()) {
                const std::string_view key = value->as_string();
                // Names that begin so belong to the engine: marks, versions, rules of structure.
                if (key.empty() || key.front() == '_' || key.front() == '$' ||
                    proposal::is_dangerous(key)) {
                    return std::unexpected(Refusal{"closed_path", {truncated_id(key)}});
                }
                step = {PatternStep::Kind::kPlain, value::Segment(value->as_str()), {}};
            } else if (value != nullptr && value->is_int()) {
                step = {PatternStep::Kind::kPlain, value::Segment(value->as_int()), {}};
            } else {
                return std::unexpected(Refusal{"no_value", {"$" + std::string(step.name.view())}});
            }
        }
        return place;
    }

    std::expected<void, Refusal> add_at(const Row& row, const Path& path,
                                        const value::Bindings& bindings) {
        std::vector<Variable> variables = variables_;
        for (const value::Binding& binding : bindings) {
            variables.push_back({binding.name.view(), binding.segment.value()});
        }
        const expr::Scope scope{at_.document, variables};
        if (row.condition && !row.condition->holds(scope)) {
            return {};
        }
        const std::string dotted = value::print_path(path, value::PathSyntax::kDotted);
        if (!is_open(path)) {
            return std::unexpected(Refusal{"closed_path", {truncated_id(dotted)}});
        }
        if (made_.instructions.size() == base::kToolChangesMax) {
            return std::unexpected(
                Refusal{"too_many_changes", {std::to_string(base::kToolChangesMax)}});
        }
        Instruction instruction = proposal::instruction_of(proposal::Dialect::kTool, row.op);
        instruction.path = path;
        instruction.forgiving = row.op == Op::kPull || row.op == Op::kDelete;
        if (row.op == Op::kPush) {
            instruction.options = Object{{"dedupe", row.unique}};
        }
        if (row.value) {
            instruction.value = value_of(*row.value, scope);
            if (!instruction.value) {
                return std::unexpected(Refusal{"no_value", {truncated_id(dotted)}});
            }
        }
        made_.instructions.push_back(std::move(instruction));
        return {};
    }

    const DataTool& tool_;
    const ToolContext& at_;
    std::vector<Variable> variables_;
    Effect made_;
};

// The arguments and lets of a call, on the state after it.
std::vector<Variable> variables_of(const EffectCheck& seen) {
    std::vector<Variable> variables = variables_of(seen.args);
    for (const auto& [key, value] : object_or_empty(&seen.result)) {
        variables.push_back({key.view(), value});
    }
    return variables;
}

}  // namespace

std::vector<Variable> condition_variables(const DataTool& tool, const ToolContext& at) {
    std::vector<Variable> variables = variables_of(at);
    add_lets(tool, at.document, variables, nullptr);
    return variables;
}

std::expected<Effect, Refusal> effect_of(const DataTool& tool, const ToolContext& at,
                                         Random& random) {
    return Working(tool, at, random).run();
}

std::optional<Mismatch> broken_check(const DataTool& tool, const EffectCheck& seen) {
    const std::vector<Variable> variables = variables_of(seen);
    for (const Check& check : tool.checks) {
        if (!check.holds.holds({seen.after, variables})) {
            return Mismatch{check.field, true, false};
        }
    }
    return std::nullopt;
}

Value report_of(const DataTool& tool, const EffectCheck& seen) {
    if (tool.result.empty()) {
        return seen.result;
    }
    const std::vector<Variable> variables = variables_of(seen);
    Object made;
    for (const auto& [name, value] : tool.result) {
        if (Known known = value_of(value, {seen.after, variables})) {
            made = std::move(made).set(std::string_view(name), *std::move(known));
        }
    }
    return made;
}

}  // namespace arbiter::table::internal
