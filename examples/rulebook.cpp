// The rules of a world, from data: a command above a limit is clamped, a derived value cannot be
// set and follows the others. Prints what became of every command, and what the rules changed.
#include <arbiter/arbiter.h>

#include <cstdio>
#include <memory>
#include <string>

using namespace arbiter;

namespace {

// In a file this would be YAML (docs/rules.md); <arbiter/config/rulebooks.h> reads it.
constexpr const char* kRules = R"json({
    "rulebook": "harbour",
    "names": {"oil": "harbour.oil"},
    "limits": [{"id": "oil", "place": "harbour.oil", "min": 0, "max": 20}],
    "derived": [{"id": "light", "place": "keeper.light", "formula": "min(oil, keeper.skill * 2)"}]
})json";
constexpr const char* kState = R"json({"harbour":{"oil":12},"keeper":{"skill":5,"light":10}})json";
constexpr const char* kReply = R"text(Ann fills the lamp to the brim.
<UpdateVariable>
_.add('harbour.oil', 30);
_.set('keeper.light', 99);
_.set('keeper.skill', 8);
</UpdateVariable>)text";

// A document of this file, which is known to be JSON.
value::Value parsed(const char* json) {
    return value::parse_json(json).value();
}

}  // namespace

int main() {
    auto book = rules::Rulebook::compile(parsed(kRules));
    if (!book) {
        for (const value::Diagnostic& mistake : book.error()) {
            std::puts(base::explain(mistake.error, base::Language::kEnglish).c_str());
        }
        return 1;
    }
    turn::BaseRules base;
    base.profile.of_model = {proposal::Dialect::kMvu};
    base.books = {std::make_shared<const rules::Rulebook>(std::move(*book))};
    turn::RulesCache rules(base, base::Language::kEnglish);
    const protocol::Library protocols;

    turn::Input input;
    input.state.document = parsed(kState);
    input.number = 1;
    input.context.now = *engine::parse_instant("2026-01-01T00:00:00Z");
    input.context.batch_id = "turn-1";
    const auto begun = turn::begin(input, rules, protocols);
    if (!begun) {
        std::puts(base::explain(begun.error(), base::Language::kEnglish).c_str());
        return 1;
    }
    reader::Reading reading = reader::read(kReply, begun->rules->reading(engine::Actor::kModel));
    const turn::Finished finished =
        turn::apply_reply(*begun, std::move(reading), {}, base::Language::kEnglish);
    for (const engine::Verdict& verdict : finished.attempt.outcome.verdicts) {
        std::puts(engine::describe(verdict).c_str());
    }
    std::puts(value::print_json(finished.attempt.outcome.state.document).c_str());
    return 0;
}
