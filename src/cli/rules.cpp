#include "cli/rules.h"

#include <algorithm>

#include "base/limits.h"
#include "cli/documents.h"
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

Exit lint_book(const Console& console, const std::string& file) {
    if (!config::is_file(file) && file != "-") {
        const auto book = book_of(console, file);
        if (!book) {
            return Exit::kTrouble;
        }
    }
    const auto found =
        std::ranges::find(config::built_in_rulebooks(), file, &config::EmbeddedFile::name);
    auto text = found != config::built_in_rulebooks().end()
                    ? base::Result<std::string>(std::string(found->text))
                    : read_file(console, file, base::kYamlBytesMax);
    if (!text) {
        report(console, text.error(), "arbiter", {});
        return Exit::kTrouble;
    }
    const auto linted =
        config::lint_rulebook_text(file == "-" ? "<stdin>" : file, std::move(*text));
    if (!linted) {
        report(console, linted.error());
        return Exit::kNo;
    }
    const config::Book& book = linted->book;
    report(console, linted->remarks);
    const std::string words[] = {book->name, std::to_string(book->summaries.size())};
    if (!linted->remarks.errors.empty()) {
        console.print(
            base::format_message(console.say({"{0}: {1} rules, valid; see the remarks above\n",
                                              "{0}：{1} 条规则，可以使用；请看上面的提示\n"}),
                                 words));
        return Exit::kDone;
    }
    console.print(base::format_message(
        console.say({"{0}: {1} rules, no mistakes\n", "{0}：{1} 条规则，没有问题\n"}), words));
    return Exit::kDone;
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
    const auto missing = [&](std::string what) {
        report(call.console, base::Error(ErrorCode::kMissingArgument, {std::move(what)}), "arbiter",
               {});
        return Exit::kTrouble;
    };
    if (action == "list") {
        return list_books(call.console);
    }
    if (action == "init") {
        return init_save(call, argument(1).empty() ? "infinite-flow" : argument(1));
    }
    if (argument(1).empty() && (action == "show" || action == "lint" || action == "explain")) {
        return missing("RULEBOOK");
    }
    if (action == "show") {
        return show_book(call.console, argument(1));
    }
    if (action == "lint") {
        return lint_book(call.console, argument(1));
    }
    if (action == "explain") {
        return argument(2).empty() ? missing("PATH")
                                   : explain_path(call.console, argument(1), argument(2));
    }
    report(call.console,
           base::Error(ErrorCode::kBadOptionValue,
                       {"rules", action, "list, show, lint, explain, init"}),
           "arbiter", {});
    return Exit::kTrouble;
}

}  // namespace arbiter::cli
