// Tool: something that a model may ask for, and all that must be known of it before anybody can.
//
// A registration says the name, the arguments, every reason for which a call may be refused, the
// conditions of the state machine, what it does (as canonical instructions), how to see afterwards
// that nothing else was done, and the words for agents and for people. One that lacks any of these
// is refused: it could not be checked, or not be explained.
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
#include "proposal/instruction.h"
#include "rules/calendar.h"
#include "table/random.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

struct Parameter {
    enum class Type : std::uint8_t { kText, kInteger, kTexts, kObject, kObjects };
    std::string name;
    Type type = Type::kText;
    bool required = true;
    base::Text about = {};
    // Of an integer.
    std::int64_t min = -base::kToolNumberMax;
    std::int64_t max = base::kToolNumberMax;
};
std::string_view name(Parameter::Type type) noexcept;  // as JSON Schema has it

// A reason for a refusal; {0} … stand for its details.
struct Reason {
    std::string id;
    base::Text text;
};

struct Refusal {
    std::string reason;
    std::vector<std::string> details = {};
};

// What a call is judged on.
struct Situation {
    const value::Value& document;
    const value::Object& args;      // as the parameters say
    const value::Object& settings;  // effective
    std::string_view reason;        // of the call
    const rules::Calendars* calendars = nullptr;
    const value::Path& clock;
    const value::Path& timeline;
};

// A condition for a call; the state machine is asked before the rules of the campaign's settings.
struct Condition {
    enum class Stage : std::uint8_t { kState, kSetting };
    Stage stage = Stage::kState;
    std::string reason;
    base::Text about;
    // The details of the reason if it does not hold.
    std::function<std::optional<std::vector<std::string>>(const Situation&)> broken;
};

struct Effect {
    std::vector<proposal::Instruction> instructions;
    value::Value result;
};

// What is there against what should be.
struct Mismatch {
    std::string field;
    value::Value expected;
    value::Value found;
};

struct Aftermath {
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
    std::function<std::expected<Effect, Refusal>(const Situation&, Random&)> effect;
    std::function<std::optional<Mismatch>(const Aftermath&)> check;
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

// move, hp_delta, map_generate, character_generate, item_transfer, roll, time_advance.
ToolRegistry shipped_tools();

// Reasons that every tool has: not on the list, switched off, malformed …
std::span<const Reason> common_reasons();
// The words of a reason; the id itself where there are none.
std::string explain_reason(const ToolRegistry& registry, std::string_view tool,
                           const Refusal& refusal, base::Language language);

// Arguments are what the parameters say: every required one, none beside them, each of its type and
// within its bounds. The first fault: missing_arg, extra_arg, bad_arg or args_too_large.
std::optional<Refusal> check_args(const Tool& tool, const value::Value& args);

// The tools that a campaign may use now: on its list, registered, not switched off.
std::vector<const Tool*> advertised(const ToolRegistry& registry, const value::Value& document);
// The turn until which a tool is switched off, if it is now.
std::optional<std::int64_t> disabled_until(const value::Value& document, std::string_view tool);

// Both generated from the registrations: how to call each tool, and what each does and refuses.
std::string agent_document(std::span<const Tool* const> tools, base::Language language);
std::string agent_document(const ToolRegistry& registry, base::Language language);
std::string people_document(const ToolRegistry& registry, base::Language language);
// [{type: "function", function: {name, description, parameters}}], as models take it.
value::Value function_schemas(std::span<const Tool* const> tools, base::Language language);

}  // namespace arbiter::table
