// prompt: what the model would be told for the next turn.
#include "base/limits.h"
#include "campaign/context.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "prompt/explain.h"
#include "protocol/activation.h"
#include "value/json.h"

namespace arbiter::cli {

namespace {

using value::Value;

// The settings of the campaign, with what was asked for on top.
Value settings_of(const Call& call, const engine::State& state) {
    const Value* kept = value::find(state.document, {"campaign", "settings"});
    value::Object settings =
        kept != nullptr && kept->is_object() ? kept->as_object() : value::Object();
    if (call.has("--type")) {
        settings = std::move(settings).set("dialog.manual_type", call.value("--type", ""));
    }
    return settings;
}

std::string as_text(const Console& console, const prompt::Assembly& assembly) {
    std::string out;
    for (const prompt::PromptMessage& message : assembly.messages) {
        out += console.painted("--- " + std::string(name(message.role)), Color::kCyan) + "\n" +
               message.content + (message.content.ends_with('\n') ? "" : "\n");
    }
    return out;
}

}  // namespace

Exit run_prompt(const Call& call) {
    const Console& console = call.console;
    const auto opened = open_campaign(call);
    if (!opened) {
        return opened.error();
    }
    auto world = campaign::present_world(opened->campaign);
    if (!world) {
        return trouble(console, world.error());
    }
    auto history = campaign::messages_of(opened->campaign);
    if (!history) {
        return trouble(console, history.error());
    }
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    const config::Protocols protocols = protocols_of(call);
    engine::State state = opened->campaign.state();
    const std::string said(call.value("--said", ""));
    state.meta = protocol::listen(state.meta, protocol::Speaker::kPlayer, said,
                                  opened->campaign.number() + 1, *protocols.library())
                     .meta;
    if (!said.empty()) {
        history->push_back({prompt::Role::kUser, value::Str(said), {}});
    }
    prompt::Lore lore;
    Value book;
    if (const std::string file(call.value("--lore", "")); !file.empty()) {
        auto loaded = load_document(console, file);
        if (!loaded) {
            return loaded.error();
        }
        book = *std::move(loaded);
        lore.follow(std::vector<prompt::LoreSource>{{file, book}});
        for (const value::Fault& fault : lore.faults(file)) {
            report(console, fault.error, file, {});
        }
    }
    const campaign::Stage stage =
        campaign::make_stage(*std::move(world), state.meta, protocols, console.language);
    const Value settings = settings_of(call, state);
    campaign::Telling telling{state, stage, settings};
    telling.history = *history;
    telling.lore = &lore;
    telling.world.now = *now;
    telling.world.language = console.language;
    telling.language = console.language;
    const auto tokens = number_of(call, "--tokens", 0);
    if (!tokens) {
        return tokens.error();
    }
    telling.context_tokens = *tokens;
    const prompt::Assembly assembly = campaign::tell(telling);
    if (call.has("--json")) {
        console.print(value::print_json(call.has("--explain") ? prompt::explained(assembly)
                                                              : prompt::messages_value(assembly),
                                        value::JsonStyle::kPretty) +
                      "\n");
    } else {
        console.print(call.has("--explain") ? prompt::explain(assembly, console.language)
                                            : as_text(console, assembly));
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
