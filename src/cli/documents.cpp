// The commands json, get and diff on JSON files; diff also compares turns of a campaign.
#include <filesystem>
#include <vector>

#include "base/limits.h"
#include "cli/documents.h"
#include "cli/ledger.h"
#include "text/nearest.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/json.h"
#include "value/object.h"
#include "value/path.h"

namespace arbiter::cli {
namespace {

using value::Change;
using value::JsonNotice;
using value::JsonStyle;
using value::Value;

// The file name shown in messages.
std::string_view shown_name(std::string_view file) {
    return file == "-" ? "<stdin>" : file;
}

base::TextView notice_text(JsonNotice::What what) {
    switch (what) {
        case JsonNotice::What::kRoundedNumber:
            return {"a whole number beyond 64 bits; taken as the nearest double",
                    "整数超出 64 位，取最接近的浮点数"};
        case JsonNotice::What::kDuplicateKey:
            return {"an object has one key twice; the last value stands",
                    "对象里有重复的键，以最后一个值为准"};
        case JsonNotice::What::kLoneSurrogate:
            return {"half of a surrogate pair; taken as U+FFFD", "孤立的代理项，替换为 U+FFFD"};
    }
    return {};
}

void show_notices(const Console& console, const value::JsonNotices& notices,
                  std::string_view file) {
    for (const JsonNotice& notice : notices.list) {
        warn(console, notice_text(notice.what), notice.place, file);
    }
    if (notices.total > notices.list.size()) {
        const std::string words[] = {std::to_string(notices.total - notices.list.size())};
        console.complain(
            base::format_message(console.say({"… and {0} more\n", "……另有 {0} 条\n"}), words));
    }
}

}  // namespace

MissingValue explain_missing(const Value& document, const value::Path& path,
                             base::Language language) {
    value::Path known;
    const Value* at = &document;
    for (const value::Segment& segment : path) {
        const auto step = value::step_into(*at, segment);
        if (!step) {
            break;
        }
        at = step->value;
        known.push_back(segment);
    }
    const value::Segment& missing = path[known.size()];
    value::Path whole = known;
    whole.push_back(missing);
    const auto dotted = [](const value::Path& each) {
        return value::print_path(each, value::PathSyntax::kDotted);
    };
    const auto say = [&](const base::TextView& text) { return std::string(text.in(language)); };
    if (!at->is_container()) {
        return {base::Error(base::ErrorCode::kNotContainer,
                            {known.empty() ? say({"The document", "文档"}) : dotted(known),
                             std::string(value::name(at->kind()))}),
                ""};
    }
    MissingValue found{base::Error(base::ErrorCode::kNotFound, {dotted(whole)}), ""};
    if (at->is_array()) {
        const std::string words[] = {std::to_string(at->as_array().size())};
        found.hint = base::format_message(say({"The array has {0} elements, counted from 0.",
                                               "数组有 {0} 个元素，下标从 0 开始。"}),
                                          words);
        return found;
    }
    std::vector<std::string_view> names;
    for (const auto& [key, member] : at->as_object()) {
        names.push_back(key);
    }
    if (const auto meant = text::nearest(missing.as_key(), names)) {
        known.emplace_back(*meant);
        found.hint = say({"Did you mean ", "是不是想写 "}) + dotted(known) + say({"?", "？"});
    }
    return found;
}

std::expected<Value, Exit> load_document(const Console& console, const std::string& file) {
    const auto text = read_file(console, file, base::kJsonBytesMax);
    if (!text) {
        report(console, text.error(), shown_name(file), {});
        return std::unexpected(Exit::kTrouble);
    }
    value::JsonNotices notices;
    const auto document = value::parse_json(*text, {.notices = &notices});
    if (!document) {
        report(console, document.error(), shown_name(file), *text);
        return std::unexpected(Exit::kNo);
    }
    show_notices(console, notices, shown_name(file));
    return *document;
}

void print_json(const Console& console, const value::Value& value) {
    console.print(value::print_json(value, value::JsonStyle::kPretty) + "\n");
}

std::string brief(const Value& value) {
    constexpr std::size_t kBytesMax = 160;
    std::string text = value::print_json(value);
    return text.size() <= kBytesMax ? text : std::string(text::truncate(text, kBytesMax)) + "…";
}

std::string change_line(const Console& console, const Change& change) {
    const std::string path = change.path.empty()
                                 ? std::string(console.say({"(document)", "（整个文档）"}))
                                 : value::print_path(change.path, value::PathSyntax::kDotted);
    switch (change.kind) {
        case Change::Kind::kAdd:
            return console.painted("+ " + path, Color::kGreen) + ": " + brief(change.after) + "\n";
        case Change::Kind::kRemove:
            return console.painted("- " + path, Color::kRed) + ": " + brief(change.before) + "\n";
        case Change::Kind::kReplace:
            break;
    }
    return console.painted("~ " + path, Color::kYellow) + ": " + brief(change.before) + " → " +
           brief(change.after) + "\n";
}

Exit run_json(const Call& call) {
    const std::string file = call.arguments.empty() ? "-" : call.arguments[0];
    const auto document = load_document(call.console, file);
    if (!document) {
        return document.error();
    }
    if (call.has("--check")) {
        return Exit::kDone;
    }
    const JsonStyle style = call.has("--pretty")    ? JsonStyle::kPretty
                            : call.has("--compact") ? JsonStyle::kCompact
                                                    : JsonStyle::kCanonical;
    call.console.print(value::print_json(*document, style) + "\n");
    return Exit::kDone;
}

Exit run_get(const Call& call) {
    const auto path = value::parse_any_path(call.arguments[1]);
    if (!path) {
        report(call.console, path.error(), "PATH", call.arguments[1]);
        return Exit::kTrouble;
    }
    const auto document = load_document(call.console, call.arguments[0]);
    if (!document) {
        return Exit::kTrouble;
    }
    const Value* found = value::find(*document, *path);
    if (found == nullptr) {
        const MissingValue missing = explain_missing(*document, *path, call.console.language);
        report(call.console, missing.error, shown_name(call.arguments[0]), {});
        if (!missing.hint.empty()) {
            call.console.complain(missing.hint + "\n");
        }
        return Exit::kNo;
    }
    if (call.has("--raw") && found->is_string()) {
        call.console.print_data(std::string(found->as_string()) + "\n");
    } else {
        const JsonStyle style = call.has("--pretty") ? JsonStyle::kPretty : JsonStyle::kCompact;
        call.console.print(value::print_json(*found, style) + "\n");
    }
    return Exit::kDone;
}

namespace {

using TwoDocuments = std::expected<std::pair<Value, Value>, Exit>;

// Loads the documents after two turns of a campaign.
TwoDocuments documents_of_turns(const Call& call) {
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    const table::Redactor redactor = redactor_of(call, opened->campaign);
    std::pair<Value, Value> documents;
    for (const auto& [argument, document] :
         {std::pair(0, &documents.first), std::pair(1, &documents.second)}) {
        const auto turn = turn_of(call, opened->campaign, static_cast<std::size_t>(argument));
        if (!turn) {
            return std::unexpected(turn.error());
        }
        const auto state = opened->campaign.state_at(*turn);
        if (!state) {
            return std::unexpected(trouble(call.console, state.error()));
        }
        *document = redactor.value(state->document).get();
    }
    return documents;
}

TwoDocuments documents_of_files(const Call& call) {
    if (call.arguments[0] == "-" && call.arguments[1] == "-") {
        report(call.console, base::Error(base::ErrorCode::kTwiceStdin), "arbiter", {});
        return std::unexpected(Exit::kTrouble);
    }
    auto before = load_document(call.console, call.arguments[0]);
    auto after =
        before ? load_document(call.console, call.arguments[1]) : std::unexpected(Exit::kTrouble);
    if (!after) {
        return std::unexpected(Exit::kTrouble);
    }
    return std::pair(*std::move(before), *std::move(after));
}

}  // namespace

Exit run_diff(const Call& call) {
    // 3 and head~1 are turns unless files with these names exist.
    const auto is_file = [](const std::string& name) {
        std::error_code ignored;
        return name == "-" || name.ends_with(".json") || std::filesystem::exists(name, ignored);
    };
    const bool of_turns = call.has("--campaign") || call.has("--store") ||
                          (!is_file(call.arguments[0]) && !is_file(call.arguments[1]));
    const auto documents = of_turns ? documents_of_turns(call) : documents_of_files(call);
    if (!documents) {
        return documents.error();
    }
    const value::Diff changes = value::diff(documents->first, documents->second);
    if (call.has("--json")) {
        call.console.print(value::print_json(value::diff_to_value(changes)) + "\n");
    } else if (call.has("--patch")) {
        call.console.print(value::print_json(value::diff_to_patch(changes)) + "\n");
    } else {
        for (const Change& change : changes) {
            call.console.print(change_line(call.console, change));
        }
    }
    return changes.empty() ? Exit::kDone : Exit::kNo;
}

}  // namespace arbiter::cli
