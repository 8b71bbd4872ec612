#include "cli/lint.h"

#include <algorithm>
#include <set>

#include "cli/documents.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::cli {

using base::ErrorCode;
using value::Array;
using value::Object;

namespace {

Object to_object(const std::string& file, const base::Error& error, base::Language language) {
    Object one = {{"file", std::string_view(file)},
                  {"code", base::name(error.code)},
                  {"text", std::string_view(base::explain(error, language))}};
    if (error.place) {
        one = std::move(one)
                  .set("line", static_cast<std::int64_t>(error.place->line))
                  .set("column", static_cast<std::int64_t>(error.place->column));
    }
    return one;
}

Array listed(const std::vector<config::FileDiagnostics>& diagnostics, base::Language language) {
    Array list;
    for (const config::FileDiagnostics& each : diagnostics) {
        for (const base::Error& error : each.errors) {
            list = std::move(list).push_back(to_object(each.file, error, language));
        }
    }
    return list;
}

std::string summary(const Console& console, std::size_t files, std::size_t mistakes,
                    bool has_remarks) {
    const std::string words[] = {std::to_string(files), std::to_string(mistakes),
                                 files == 1 ? "file" : "files",
                                 mistakes == 1 ? "mistake" : "mistakes"};
    base::TextView text = {"{0} {2} checked, no mistakes\n", "检查了 {0} 个文件，没有问题\n"};
    if (mistakes > 0) {
        text = {"{0} {2} checked, {1} {3}\n", "检查了 {0} 个文件，发现 {1} 处问题\n"};
    } else if (has_remarks) {
        text = {"{0} {2} checked, no mistakes; see the remarks above\n",
                "检查了 {0} 个文件，没有错误；请看上面的提示\n"};
    }
    return base::format_message(console.say(text), words);
}

// A file that several files refer to is reported once.
void drop_repeated(std::vector<config::FileDiagnostics>& diagnostics) {
    std::set<std::pair<std::string, std::string>> seen;
    std::erase_if(diagnostics, [&](const config::FileDiagnostics& each) {
        std::string errors;
        for (const base::Error& error : each.errors) {
            errors += std::to_string(error.place ? error.place->offset : 0) + " " +
                      base::explain(error, base::Language::kEnglish) + "\n";
        }
        return !seen.emplace(each.file, std::move(errors)).second;
    });
}

}  // namespace

Exit lint_files(const Call& call, LintedFiles files, const LintCheck& check) {
    const Console& console = call.console;
    if (call.arguments.size() < 2) {
        return trouble(console, base::Error(ErrorCode::kMissingArgument, {"FILE"}));
    }
    config::Sources sources;
    for (std::size_t i = 1; i < call.arguments.size(); ++i) {
        if (call.arguments[i] != "-") {
            config::add_sources(sources, call.arguments[i], files.bytes_max, files.extensions);
            continue;
        }
        auto text = read_file(console, "-", files.bytes_max);
        if (!text) {
            return trouble(console, text.error());
        }
        ++sources.files;
        sources.texts.push_back({"<stdin>", *std::move(text)});
    }
    const bool is_unreadable = !sources.diagnostics.empty();
    config::Lint lint = check(sources.texts);
    std::ranges::move(lint.diagnostics, std::back_inserter(sources.diagnostics));
    drop_repeated(sources.diagnostics);
    Array mistakes = listed(sources.diagnostics, console.language);
    const std::size_t count = mistakes.size();
    if (call.has("--json")) {
        print_json(console, Object{{"files", static_cast<std::int64_t>(sources.files)},
                                   {"mistakes", std::move(mistakes)},
                                   {"remarks", listed(lint.remarks, console.language)}});
    } else {
        for (const auto* list : {&sources.diagnostics, &lint.remarks}) {
            for (const config::FileDiagnostics& each : *list) {
                report(console, each);
            }
        }
        console.print(summary(console, sources.files, count, !lint.remarks.empty()));
    }
    if (is_unreadable) {
        return Exit::kTrouble;
    }
    return count > 0 ? Exit::kNo : Exit::kDone;
}

}  // namespace arbiter::cli
