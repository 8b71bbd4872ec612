#include "cli/lint.h"

#include <algorithm>

#include "cli/documents.h"
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

}  // namespace

Exit report_lint(const Call& call, const config::Lint& lint,
                 const std::vector<std::string>& names) {
    const Console& console = call.console;
    bool is_unreadable = false;
    Array listed;
    for (const config::FileDiagnostics& each : lint.diagnostics) {
        for (const base::Error& error : each.errors) {
            is_unreadable = is_unreadable || ((error.code == ErrorCode::kFileUnreadable ||
                                               error.code == ErrorCode::kFileMissing) &&
                                              std::ranges::find(names, each.file) != names.end());
            listed = std::move(listed).push_back(to_object(each.file, error, console.language));
        }
        if (!call.has("--json")) {
            report(console, each);
        }
    }
    const std::size_t mistakes = listed.size();
    if (call.has("--json")) {
        print_json(console, Object{{"files", static_cast<std::int64_t>(lint.files)},
                                   {"mistakes", std::move(listed)}});
    } else {
        const std::string words[] = {std::to_string(lint.files), std::to_string(mistakes),
                                     lint.files == 1 ? "file" : "files",
                                     mistakes == 1 ? "mistake" : "mistakes"};
        console.print(base::format_message(
            console.say(mistakes == 0 ? base::TextView{"{0} {2} checked, no mistakes\n",
                                                       "检查了 {0} 个文件，没有问题\n"}
                                      : base::TextView{"{0} {2} checked, {1} {3}\n",
                                                       "检查了 {0} 个文件，发现 {1} 处问题\n"}),
            words));
    }
    if (is_unreadable) {
        return Exit::kTrouble;
    }
    return mistakes > 0 ? Exit::kNo : Exit::kDone;
}

}  // namespace arbiter::cli
