#include "rules/effect.h"

#include "base/explain.h"
#include "base/limits.h"
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

Value audit_record(const Effect& effect, std::size_t index, const engine::Context& context,
                   bool has_changes) {
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
    record = std::move(record).set("reason", std::string_view(effect.rule));
    return has_changes ? std::move(record).set("changes", value::diff_to_value(effect.changes))
                       : record;
}

base::Text explain(const OversizeRule& oversize) {
    const std::vector<std::string> words = {
        oversize.rule, value::print_path(oversize.path, value::PathSyntax::kDotted),
        std::to_string(base::kDocumentWeightMax)};
    return {
        base::format_message(
            "The rule {0} was stopped at {1}: the document would be over the limit of {2}.", words),
        base::format_message("规则 {0} 在 {1} 处被停止：文档会超过上限 {2}。", words)};
}

base::Text explain_spent() {
    const std::vector<std::string> words = {std::to_string(base::kTurnStepsMax)};
    return {base::format_message("Some rules were left out: the conditions, patterns, formulas and "
                                 "limits of one turn may take {0} steps together.",
                                 words),
            base::format_message("有规则未执行：一回合内的条件、正则、公式和限制一共最多 {0} 步。",
                                 words)};
}

}  // namespace arbiter::rules
