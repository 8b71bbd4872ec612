// Tool: an operation that a model may call, and its registration.
//
// A registration states the name, the parameters, every reason for a refusal, the conditions of the
// state machine, the effect (as canonical instructions), a check that nothing else changed, and the
// descriptions for agents and for people. An incomplete registration is rejected, because its calls
// could not be checked or explained. A registry is built once; reading is safe from any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "base/text.h"
#include "calendar/calendar.h"
#include "engine/policy.h"
#include "proposal/code.h"
#include "proposal/instruction.h"
#include "table/random.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct Parameter {
    enum class Type : std::uint8_t {
        kText,
        kInteger,
        kNumber,
        kBoolean,
        kTexts,
        kObject,
        kObjects
    };
    std::string name;
    Type type = Type::kText;
    bool required = true;
    base::Text about = {};
    // Bounds of an integer or a number.
    std::int64_t min = -base::kToolNumberMax;
    std::int64_t max = base::kToolNumberMax;
    std::vector<std::string> choices = {};  // of a text; empty: any
};
std::string_view name(Parameter::Type type) noexcept;  // as in JSON Schema

// A reason for a refusal; {0} … are placeholders for its details.
struct Reason {
    std::string id;
    base::Text text;
};

// A detail of a reason: an id or a value, or words in both languages.
struct Detail {
    base::Text text;
    Detail(base::Text words) : text(std::move(words)) {}
    Detail(std::string value) : text{value, value} {}
    Detail(std::string_view value) : Detail(std::string(value)) {}
    Detail(const char* value) : Detail(std::string(value)) {}
};
using Details = std::vector<Detail>;

struct Refusal {
    std::string reason;
    Details details = {};
    // The engine's reason, where a change of the effect was refused.
    std::optional<proposal::Problem> problem = {};
};

// The inputs for judging a call.
struct ToolContext {
    const value::Value& document;
    const value::Object& args;      // already validated by check_args()
    const value::Object& settings;  // effective
    std::string_view reason;        // stated by the call
    const calendar::Calendars* calendars = nullptr;
    const value::Path& clock;
    const value::Path& timeline;
    const value::Object* meta = nullptr;  // of the state; nullptr: none
};

// A precondition of a call. Conditions of the state machine are evaluated before those of settings.
struct Condition {
    enum class Stage : std::uint8_t { kState, kSetting };
    Stage stage = Stage::kState;
    std::string reason;
    base::Text about;
    // Returns the details of the reason if the condition does not hold, else nullopt.
    std::function<std::optional<Details>(const ToolContext&)> broken;
};

struct Effect {
    std::vector<proposal::Instruction> instructions;
    value::Value result;
    value::Object meta = {};  // members of the state's metadata to set
};

// A difference between the expected and the actual state.
struct Mismatch {
    std::string field;
    value::Value expected;
    value::Value found;
};

struct EffectCheck {
    const value::Value& before;
    const value::Value& after;
    const value::Object& args;
    const value::Value& result;
};

struct Tool {
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<Reason> reasons;
    std::vector<Condition> conditions;
    std::function<std::expected<Effect, Refusal>(const ToolContext&, Random&)> effect;
    std::function<std::optional<Mismatch>(const EffectCheck&)> check;
    // The result of a call whose effect was applied. Default: the effect's own result.
    std::function<value::Value(const EffectCheck&)> report = {};
    // The rights with which the effect is applied. The tools of an author have those of a player:
    // limits, derived values and protected nodes hold for them.
    engine::Actor rights = engine::Actor::kSystem;
    bool changes_state = true;    // false: only reads, or only throws dice
    bool continues_turn = false;  // the model needs the result to continue, e.g. dice
    base::Text for_agents;
    base::Text for_people;
};

class ToolRegistry {
  public:
    // Fails with kToolTwice or kToolIncomplete.
    base::Result<> add(Tool tool);
    [[nodiscard]] const Tool* find(std::string_view name) const noexcept;
    [[nodiscard]] const std::vector<Tool>& all() const noexcept { return all_; }

  private:
    std::vector<Tool> all_;
};

// Reasons common to all tools: not allowed, disabled, malformed …
std::span<const Reason> common_reasons();
// The text of a reason; the id if the reason is unknown.
std::string explain_reason(const ToolRegistry& registry, std::string_view tool,
                           const Refusal& refusal, base::Language language);

// Validates arguments against the parameters: all required ones present, no others, each of its
// type and within its bounds. Returns the first error (missing_arg, extra_arg, bad_arg or
// args_too_large), else nullopt.
std::optional<Refusal> check_args(const Tool& tool, const value::Value& args);

// The tools that a campaign may use now: allowed, registered and not disabled.
std::vector<const Tool*> advertised(const ToolRegistry& registry, const value::Value& document);
// The turn until which a tool is disabled; nullopt if it is enabled.
std::optional<std::int64_t> disabled_until(const value::Value& document, std::string_view tool);

// Documents generated from the registrations: how to call each tool, and what it does and refuses.
std::string agent_document(std::span<const Tool* const> tools, base::Language language);
std::string agent_document(const ToolRegistry& registry, base::Language language);
std::string people_document(std::span<const Tool* const> tools, base::Language language);
std::string people_document(const ToolRegistry& registry, base::Language language);
// A tool as described to a model; `parameters` is a JSON Schema.
struct ToolSchema {
    std::string name;
    std::string description;
    value::Value parameters = value::Object();
};
ToolSchema schema_of(const Tool& tool, base::Language language);

}  // namespace arbiter::table
