#include "rules/effect.h"

#include "value/json.h"
#include "value/object.h"

namespace arbiter::rules {

using value::Object;
using value::Value;

std::string describe(const Effect& effect) {
    const auto shown = [](const std::optional<Value>& value) {
        return value ? value::print_json(*value) : std::string("-");
    };
    return effect.rule + " " + value::print_path(effect.path, value::PathSyntax::kDotted) + ": " +
           shown(effect.before) + " → " + shown(effect.after);
}

Value audit_record(const Effect& effect, std::size_t index, const engine::Context& context) {
    Object record = {
        {"opId", std::string_view(context.batch_id + "-r" + std::to_string(index))},
        {"time", std::string_view(engine::print_instant(context.now))},
        {"actor", name(engine::Actor::kSystem)},
        {"action", effect.after ? "set" : "delete"},
        {"key", std::string_view(value::print_path(effect.path, value::PathSyntax::kDotted))},
        {"status", "applied"}};
    if (effect.before) {
        record = std::move(record).set("before", *effect.before);
    }
    if (effect.after) {
        record = std::move(record).set("after", *effect.after);
    }
    return std::move(record)
        .set("reason", std::string_view(effect.rule))
        .set("changes", value::diff_to_value(effect.changes));
}

}  // namespace arbiter::rules
