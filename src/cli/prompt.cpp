// The command prompt: shows the prompt of the next turn.
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "prompt/explain.h"
#include "value/json.h"

namespace arbiter::cli {

namespace {

std::string as_text(const Console& console, const prompt::Assembly& assembly) {
    std::string out;
    for (const prompt::Message& message : assembly.messages) {
        out += console.painted("--- " + std::string(name(message.role)), Color::kCyan) + "\n" +
               std::string(message.content) + (message.content.view().ends_with('\n') ? "" : "\n");
    }
    return out;
}

}  // namespace

Exit run_prompt(const Call& call) {
    const Console& console = call.console;
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    if (const auto window = window_of(call); !window) {
        return window.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    value::Object settings;
    if (call.has("--type")) {
        settings = value::Object{{"dialog.manual_type", call.value("--type", "")}};
    }
    if (const std::string file(call.value("--lore", "")); !file.empty()) {
        auto loaded = load_document(console, file);
        if (!loaded) {
            return loaded.error();
        }
        for (const value::Diagnostic& fault :
             playing->session->add_lore(file, *std::move(loaded))) {
            const std::string place = value::print_path(fault.path, value::PathSyntax::kDotted);
            console.complain(
                file + ": " + place + ": " +
                console.painted_error(console.say({"warning", "警告"}), Color::kYellow) + ": " +
                base::explain(fault.error, console.language) + "\n");
        }
    }
    const auto assembly = playing->session->prompt(call.value("--said", ""), *now, settings);
    if (!assembly) {
        return trouble(console, assembly.error());
    }
    if (call.has("--json")) {
        console.print(value::print_json(call.has("--explain") ? prompt::explained(*assembly)
                                                              : prompt::messages_value(*assembly),
                                        value::JsonStyle::kPretty) +
                      "\n");
    } else {
        console.print(call.has("--explain") ? prompt::explain(*assembly, console.language)
                                            : as_text(console, *assembly));
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
