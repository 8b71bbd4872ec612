#include "cli/rules.h"

#include <algorithm>

#include "base/limits.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/lint.h"
#include "cli/profiles.h"
#include "config/embedded.h"
#include "config/rulebooks.h"
#include "rules/blueprint.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using config::Book;
using rules::Rulebook;

std::optional<Book> book_of(const Console& console, const std::string& name) {
    auto book = config::load_rulebook(name);
    if (!book) {
        report(console, book.error());
        return std::nullopt;
    }
    return std::move(*book);
}

Exit list_books(const Console& console) {
    std::string out;
    for (const config::EmbeddedFile& each : config::built_in_rulebooks()) {
        const auto book = book_of(console, std::string(each.name));
        if (!book) {
            return Exit::kTrouble;
        }
        out += console.painted(each.name, Color::kCyan) + "  " +
               std::string((*book)->title.in(console.language)) + "\n";
    }
    console.print(out);
    return Exit::kDone;
}

Exit show_book(const Console& console, const std::string& name) {
    const auto found =
        std::ranges::find(config::built_in_rulebooks(), name, &config::EmbeddedFile::name);
    if (found != config::built_in_rulebooks().end()) {
        console.print_data(found->text);
        return Exit::kDone;
    }
    report(console, config::unknown_name(config::TextKind::kRulebook, name), "arbiter", {});
    return Exit::kTrouble;
}

// Lists the rules that read or write a path.
Exit explain_path(const Console& console, const std::string& name, const std::string& text) {
    const auto book = book_of(console, name);
    if (!book) {
        return Exit::kTrouble;
    }
    const auto path = value::parse_any_path(text);
    if (!path) {
        report(console, path.error(), text, text);
        return Exit::kTrouble;
    }
    const auto meets = [&](const std::vector<value::Pattern>& places) {
        return std::ranges::any_of(
            places, [&](const value::Pattern& place) { return touches(place, *path); });
    };
    std::string out;
    for (const rules::RuleSummary& rule : (*book)->summaries) {
        const bool writes = meets(rule.writes);
        if (!writes && !meets(rule.reads)) {
            continue;
        }
        out += console.painted(rule.kind, Color::kCyan) + "  " + rule.id + "  " +
               std::string(writes ? console.say({"about it", "针对它"})
                                  : console.say({"reads it", "读取它"})) +
               "\n\t" + rule.text + "\n";
    }
    if (out.empty()) {
        const std::string words[] = {text};
        out = base::format_message(
            console.say({"No rule has to do with {0}.\n", "没有规则涉及 {0}。\n"}), words);
    }
    console.print(out);
    return Exit::kDone;
}

// Creates a save with every field of the blueprint.
Exit init_save(const Call& call, const std::string& name) {
    const Console& console = call.console;
    const auto book = book_of(console, name);
    if (!book) {
        return Exit::kTrouble;
    }
    value::Value document = value::Object();
    if (const std::string file(call.value("--state", "")); !file.empty()) {
        const auto loaded = load_document(console, file);
        if (!loaded) {
            return Exit::kTrouble;
        }
        document = *loaded;
    }
    const std::string text = value::print_json(rules::with_blueprint(document, (*book)->blueprint),
                                               value::JsonStyle::kPretty) +
                             "\n";
    if (!call.has("--out")) {
        console.print(text);
        return Exit::kDone;
    }
    if (const auto saved = write_file(std::string(call.value("--out", "")), text); !saved) {
        report(console, saved.error(), "arbiter", {});
        return Exit::kTrouble;
    }
    return Exit::kDone;
}

}  // namespace

Exit run_rules(const Call& call) {
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    const auto argument = [&](std::size_t i) -> std::string {
        return i < call.arguments.size() ? call.arguments[i] : "";
    };
    if (action == "lint") {
        return lint_files(call, {base::kYamlBytesMax}, config::lint_rulebooks);
    }
    constexpr std::pair<std::string_view, std::size_t> kArguments[] = {
        {"list", 1}, {"show", 2}, {"explain", 3}, {"init", 2}};
    const auto* const known = std::ranges::find(kArguments, std::string_view(action),
                                                &std::pair<std::string_view, std::size_t>::first);
    if (known == std::end(kArguments)) {
        return trouble(call.console,
                       base::Error(ErrorCode::kBadOptionValue,
                                   {"rules", action, "list, show, lint, explain, init"}));
    }
    if (call.arguments.size() > known->second) {
        return trouble(call.console,
                       base::Error(ErrorCode::kTooManyArguments, {argument(known->second)}));
    }
    if (action == "list") {
        return list_books(call.console);
    }
    if (action == "init") {
        return init_save(call, argument(1).empty() ? "infinite-flow" : argument(1));
    }
    const auto missing = [&](std::string_view what) {
        return trouble(call.console, base::Error(ErrorCode::kMissingArgument, {std::string(what)}));
    };
    if (argument(1).empty()) {
        return missing("RULEBOOK");
    }
    if (action == "show") {
        return show_book(call.console, argument(1));
    }
    return argument(2).empty() ? missing("PATH")
                               : explain_path(call.console, argument(1), argument(2));
}

}  // namespace arbiter::cli
