#include "cli/prompt.h"

#include "chat/client_request.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "prompt/explain.h"
#include "value/json.h"

namespace arbiter::cli {

namespace {

// The words of --tools.
std::expected<bool, Exit> native_tools_of(const Call& call) {
    const std::string word(call.value("--tools", "text"));
    if (word != "text" && word != "native") {
        return std::unexpected(trouble(
            call.console,
            base::Error(base::ErrorCode::kBadOptionValue, {"--tools", word, "text | native"})));
    }
    return word == "native";
}

// The request of a chat client that --chat names, and the words of the player in it.
struct ClientAsking {
    turn::ClientChat chat;
    std::string said;
};
std::expected<ClientAsking, Exit> client_of(const Call& call) {
    const std::string file(call.value("--chat", ""));
    const auto body = load_document(call.console, file);
    if (!body) {
        return std::unexpected(body.error());
    }
    auto request = chat::parse_client_request(*body);
    if (!request) {
        report(call.console, request.error(), file, {});
        return std::unexpected(Exit::kTrouble);
    }
    chat::History history = chat::read_history(request->messages, request->hints->generation);
    return ClientAsking{
        {std::move(request->messages), turn::find_injection(request->hints->inject)},
        std::move(history.said)};
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
    auto playing = open_session(call, ledger::Access::kRead);
    if (!playing) {
        return playing.error();
    }
    campaign::Session::PromptOptions options;
    const auto native = native_tools_of(call);
    if (!native) {
        return native.error();
    }
    options.native_tools = *native;
    if (call.has("--type")) {
        options.settings = value::Object{{"dialog.manual_type", call.value("--type", "")}};
    }
    if (const std::string file(call.value("--lore", "")); !file.empty()) {
        auto loaded = load_document(console, file);
        if (!loaded) {
            return loaded.error();
        }
        for (const value::Diagnostic& fault :
             playing->session->add_lore(file, *std::move(loaded))) {
            const std::string place = value::print_path(fault.path, value::PathSyntax::kDotted);
            warn(console, fault.error, file + ": " + place);
        }
    }
    std::string said(call.value("--said", ""));
    if (call.has("--chat")) {
        auto client = client_of(call);
        if (!client) {
            return client.error();
        }
        options.chat = std::move(client->chat);
        said = call.has("--said") ? std::move(said) : std::move(client->said);
    }
    const auto built = playing->session->prompt(said, *now, options);
    if (!built) {
        return trouble(console, built.error());
    }
    const prompt::Assembly& assembly = *built;
    if (call.has("--json")) {
        console.print(value::print_json(call.has("--explain") ? prompt::explained(assembly)
                                                              : prompt::messages_value(assembly),
                                        value::JsonStyle::kPretty) +
                      "\n");
    } else if (call.has("--explain")) {
        console.print(prompt::explain(assembly, console.language));
    } else {
        console.print_data(prompt::plain_text(assembly));
    }
    return Exit::kDone;
}

}  // namespace arbiter::cli
