// One turn of a role-play: a model's reply on a state. Prints what the player sees, what became of
// every command, and the new state.
#include <cstdio>
#include <string>

#include <arbiter/arbiter.h>

using namespace arbiter;

int main() {
    const auto document = value::parse_json(R"({"角色":{"气血":100,"心情":"平静"},"金币":12})");
    if (!document) {
        std::puts(base::explain(document.error(), base::Language::kEnglish).c_str());
        return 1;
    }
    const engine::State before{*document, {}};

    // The rules of the turn: here one dialect, no rulebooks and no protocols.
    turn::BaseRules base;
    base.profile.of_model = {proposal::Dialect::kMvu};
    turn::RulesCache rules(base, base::Language::kEnglish);
    const protocol::Library protocols;

    turn::Input input;
    input.state = before;
    input.said = "I draw my sword.";
    input.number = 1;
    input.context.now = *engine::parse_instant("2026-01-01T00:00:00Z");
    input.context.batch_id = "turn-1";
    const auto begun = turn::begin(input, rules, protocols);
    if (!begun) {
        std::puts(base::explain(begun.error(), base::Language::kEnglish).c_str());
        return 1;
    }

    // A reply comes in pieces, cut anywhere; feed() returns the narrative that can be shown.
    reader::Collector collector(begun->rules->reading(engine::Actor::kModel));
    for (const char* piece :
         {"狼扑了上来，木剑断了。\n<Update", "Variable>\n_.add('角色.气血', -18);",
          "//被咬伤\n_.set('角色.心情', “惊恐”);\n_.add('灵石', 3);\n",
          "</UpdateVariable>\n你退到了墙边。"}) {
        collector.feed(piece);
    }
    const turn::Finished finished =
        turn::apply_reply(*begun, collector.finish(), {}, base::Language::kEnglish);
    const engine::Outcome& outcome = finished.attempt.outcome;

    std::printf("%s\n--\n", finished.attempt.reading.text.c_str());
    for (const engine::Verdict& verdict : outcome.verdicts) {
        std::puts(engine::describe(verdict).c_str());
        if (verdict.problem) {
            std::printf("    %s\n", explain(*verdict.problem, base::Language::kChinese).c_str());
        }
    }
    std::printf("--\n%s\n", value::print_json(outcome.state.document).c_str());
    // The state before is still there, and untouched.
    std::printf("%s\n", value::print_json(before.document).c_str());
    return 0;
}
