#include "rules/turn.h"

#include "value/diff.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::rules {

using value::Object;
using value::Value;

Setting make_setting(engine::Policy policy, std::vector<std::shared_ptr<const Rulebook>> books) {
    for (const auto& book : books) {
        book->add_to(policy);
    }
    return {std::move(policy), std::move(books)};
}

Played play(const engine::State& state, std::span<const proposal::Proposal> proposals,
            std::string_view narrative, const Setting& setting, const engine::Context& context,
            Memories* memories) {
    Played played;
    played.outcome = engine::apply(state, proposals, setting.policy, context);
    const Turn turn{state, proposals, played.outcome, narrative, context.actor};
    Reacted reacted = react(setting.books, turn, memories);
    played.outcome.state = std::move(reacted.state);
    played.effects = std::move(reacted.effects);
    played.settled = reacted.settled;
    return played;
}

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
