// The prompt of a turn: a shipped profile and its rulebooks, a state, the player's words. Prints
// how each message for the model begins, and the share that a model server can keep from turn to
// turn.
#include <arbiter/arbiter.h>
#include <arbiter/config/protocols.h>
#include <arbiter/config/rulebooks.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

using namespace arbiter;

int main() {
    auto world = config::load_world("mvu");
    if (!world) {
        for (const base::Error& error : world.error().errors) {
            std::puts(base::explain(error, base::Language::kEnglish).c_str());
        }
        return 1;
    }
    turn::BaseRules base;
    base.profile = std::move(world->profile);
    base.books = std::move(world->books);
    base.registries = std::move(world->registries);
    turn::RulesCache rules(std::move(base), base::Language::kEnglish);
    const auto protocols = config::Protocols().library();

    turn::Input input;
    input.state.document =
        value::parse_json(R"({"stat_data":{"hero":{"hp":82,"mood":"wary"},"gold":12}})").value();
    input.said = "I offer the ferryman two coins.";
    input.number = 7;
    input.context.now = *engine::parse_instant("2026-01-01T00:00:00Z");
    input.context.batch_id = "turn-7";
    const auto begun = turn::begin(input, rules, *protocols);
    if (!begun) {
        std::puts(base::explain(begun.error(), base::Language::kEnglish).c_str());
        return 1;
    }
    std::vector<prompt::Message> history = {
        {prompt::Role::kUser, value::Str("I walk down to the river.")},
        {prompt::Role::kAssistant, value::Str("The ferry lies in the reeds.")}};
    turn::Environment environment{rules, *protocols};
    environment.history = &history;
    const prompt::Assembly assembly = turn::build_prompt(*begun, input.said, environment).assembly;
    for (const prompt::Message& message : assembly.messages) {
        const std::string_view text = message.content.view();
        const std::string begin(text.substr(0, std::min<std::size_t>(text.find('\n'), 40)));
        std::printf("%-9s %s\n", std::string(prompt::name(message.role)).c_str(), begin.c_str());
    }
    std::printf("%zu of %zu messages stay the same next turn\n", assembly.cacheable_messages,
                assembly.messages.size());
    return 0;
}
