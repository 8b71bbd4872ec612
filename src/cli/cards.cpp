// The command card (shows and checks character cards), and starting a campaign from one.
#include "cli/cards.h"

#include <algorithm>

#include "base/limits.h"
#include "campaign/greeting.h"
#include "cli/card_report.h"
#include "cli/ledger.h"
#include "cli/ledger_options.h"
#include "cli/lint.h"
#include "cli/profiles.h"
#include "cli/verdicts.h"
#include "config/card_files.h"
#include "config/card_lint.h"
#include "config/card_report.h"
#include "engine/initvar.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using card::Card;
using value::Array;
using value::Object;
using value::Value;

constexpr std::size_t kShownMax = 60;

std::string_view name_of(Card::Form form) {
    switch (form) {
        case Card::Form::kPng:
            return "PNG";
        case Card::Form::kJson:
            return "JSON";
        case Card::Form::kYaml:
            return "YAML";
        case Card::Form::kCharx:
            return "CHARX";
    }
    return "";
}

Array list_of(const std::vector<std::string>& texts) {
    Array list;
    for (const std::string& text : texts) {
        list = std::move(list).push_back(std::string_view(text));
    }
    return list;
}

Object json_of(const Card& card, const Value& variables) {
    const auto text = [](const std::string& field) { return Value(std::string_view(field)); };
    return Object{{"name", text(card.name)},
                  {"nickname", text(card.nickname)},
                  {"version", card.version},
                  {"form", name_of(card.form)},
                  {"description", text(card.description)},
                  {"personality", text(card.personality)},
                  {"scenario", text(card.scenario)},
                  {"greetings", list_of(card.greetings)},
                  {"group_greetings", list_of(card.group_greetings)},
                  {"example_messages", text(card.example_messages)},
                  {"system_prompt", text(card.system_prompt)},
                  {"post_history_instructions", text(card.post_history_instructions)},
                  {"creator", text(card.creator)},
                  {"creator_notes", text(card.creator_notes)},
                  {"character_version", text(card.character_version)},
                  {"tags", list_of(card.tags)},
                  {"protocols", list_of(card.protocols)},
                  {"linked_world", text(card.linked_world)},
                  {"profile", card::usual_profile(card)},
                  {"report", config::report_value(config::card_report(card))},
                  {"initial_state", variables},
                  {"card", card.whole}};
}

// Lines of the form "label   text"; skips empty texts.
class Lines {
  public:
    explicit Lines(const Console& console) : console_(console) {}
    std::string out;

    void add(const base::TextView& label, std::string_view text) {
        if (!text.empty()) {
            out += console_.painted(console_.say(label), Color::kCyan) + "  " + std::string(text) +
                   "\n";
        }
    }
    // Adds the length of a long text and its first words.
    void add_long(const base::TextView& label, std::string_view text) {
        if (!text.empty()) {
            const std::string words[] = {std::to_string(text::count(text::repair(text))),
                                         first_words(text)};
            add(label,
                base::format_message(console_.say({"{0} characters: {1}", "{0} 字：{1}"}), words));
        }
    }

  private:
    const Console& console_;
};

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + on_one_line(text);
    }
    return all;
}

std::size_t entries_in(const Value& book) {
    const Value* entries = book.is_object() ? book.as_object().find("entries") : nullptr;
    if (entries == nullptr) {
        return 0;
    }
    return entries->is_array()    ? entries->as_array().size()
           : entries->is_object() ? entries->as_object().size()
                                  : 0;
}

std::string lines_of(const Console& console, const Card& card, const Value& document) {
    Lines lines(console);
    lines.add({"name", "名字"}, on_one_line(card.name));
    lines.add({"nickname", "昵称"}, on_one_line(card.nickname));
    lines.add({"card", "卡片"},
              "V" + std::to_string(card.version) + " " + std::string(name_of(card.form)));
    lines.add({"creator", "作者"}, first_words(card.creator));
    lines.add({"tags", "标签"}, joined(card.tags));
    lines.add_long({"description", "描述"}, card.description);
    lines.add_long({"personality", "性格"}, card.personality);
    lines.add_long({"scenario", "情景"}, card.scenario);
    lines.add_long({"examples", "示例对话"}, card.example_messages);
    lines.add_long({"system prompt", "系统提示"}, card.system_prompt);
    lines.add_long({"after the history", "历史之后"}, card.post_history_instructions);
    lines.add_long({"creator's notes", "作者备注"}, card.creator_notes);
    for (std::size_t i = 0; i < card.greetings.size(); ++i) {
        const std::string label = std::to_string(i);
        const std::string english = "greeting " + label;
        const std::string chinese = "开场白 " + label;
        lines.add({english, chinese}, first_words(card.greetings[i]));
    }
    if (!card.character_book.is_null()) {
        const std::string words[] = {std::to_string(entries_in(card.character_book)),
                                     std::to_string(card.initvars.size())};
        lines.add({"lorebook", "世界书"},
                  base::format_message(console.say({"{0} entries, {1} of them [initvar]",
                                                    "{0} 条，其中 [initvar] {1} 条"}),
                                       words));
    }
    lines.add({"protocols", "协议"}, joined(card.protocols));
    lines.add({"profile", "配置方案"}, card::usual_profile(card));
    lines.out += report_lines(console, config::card_report(card));
    if (document.as_object().size() > 0) {
        lines.add({"begins with", "初始状态"},
                  value::print_json(document, value::JsonStyle::kPretty));
    }
    return std::move(lines.out);
}

// Loads the card stored in the campaign that --campaign names.
std::expected<Card, Exit> kept_card(const Call& call) {
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    auto card = campaign::card_of(opened->campaign);
    if (!card) {
        return std::unexpected(trouble(call.console, card.error()));
    }
    if (!*card) {
        return std::unexpected(
            trouble(call.console, base::Error(ErrorCode::kMissingArgument, {"FILE"})));
    }
    return **std::move(card);
}

}  // namespace

std::string first_words(std::string_view text) {
    std::string words;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size() && count < kShownMax; ++count) {
        const text::Decoded next = text::decode(text.substr(at));
        const bool blank = next.code_point < 0x21;
        words += blank ? " " : std::string(text.substr(at, next.size));
        at += next.size;
    }
    return on_one_line(words) + (count == kShownMax ? "…" : "");
}

std::expected<Card, Exit> load_card(const Call& call, const std::string& file) {
    auto card = config::load_card(file);
    if (!card) {
        report(call.console, card.error());
        return std::unexpected(Exit::kTrouble);
    }
    return *std::move(card);
}

std::expected<std::vector<card::Initvar>, Exit> initvars_of(const Call& call) {
    const std::string file(call.value("--initvar", ""));
    if (file.empty()) {
        return std::vector<card::Initvar>();
    }
    auto variables = config::load_initvars(file);
    if (!variables) {
        report(call.console, variables.error());
        return std::unexpected(Exit::kTrouble);
    }
    return *std::move(variables);
}

namespace {

// The mistakes of some cards, and below them the parts that are not taken over.
Exit lint_cards(const Call& call) {
    const config::Protocols protocols = protocols_of(call);
    std::string notes;
    const Exit exit = lint_files(call, {base::kPngBytesMax, config::kCardExtensions},
                                 [&](std::span<const config::SourceText> texts) {
                                     config::CardLint found =
                                         config::lint_cards(texts, *protocols.library());
                                     for (const config::CardLint::Notes& each : found.notes) {
                                         notes += texts.size() > 1 ? each.file + ":\n" : "";
                                         notes += report_lines(call.console, each.notes);
                                     }
                                     return std::move(found.lint);
                                 });
    if (!call.has("--json")) {
        call.console.print(notes);
    }
    return exit;
}

Exit run_card(const Call& call) {
    const Console& console = call.console;
    const std::string& action = call.arguments[0];
    if (action == "lint") {
        return lint_cards(call);
    }
    if (action != "show" && action != "report") {
        return trouble(console, base::Error(ErrorCode::kBadOptionValue,
                                            {"card", action, "show, report, lint"}));
    }
    if (call.arguments.size() > 2) {
        return trouble(console, base::Error(ErrorCode::kTooManyArguments, {call.arguments[2]}));
    }
    auto card = call.arguments.size() > 1 ? load_card(call, call.arguments[1]) : kept_card(call);
    if (!card) {
        return card.error();
    }
    if (action == "report") {
        const auto notes = config::card_report(*card);
        console.print(
            call.has("--json")
                ? value::print_json(config::report_value(notes), value::JsonStyle::kPretty) + "\n"
                : report_lines(console, notes));
        return Exit::kDone;
    }
    const auto greeting = number_of(call, "--greeting", 0);
    auto variables = initvars_of(call);
    if (!greeting || !variables) {
        return Exit::kTrouble;
    }
    const auto start = config::initial_state(
        *card, campaign::start_options({}, *greeting, std::string(call.value("--user", "User")),
                                       {*std::move(variables)}));
    if (!start) {
        config::FileDiagnostics wrong = start.error();
        if (call.arguments.size() > 1 && wrong.file != "arbiter") {
            wrong.file = call.arguments[1] + ": " + wrong.file;
        }
        report(console, wrong);
        return Exit::kTrouble;
    }
    console.print(
        call.has("--json")
            ? value::print_json(json_of(*card, start->document), value::JsonStyle::kPretty) + "\n"
            : lines_of(console, *card, start->document));
    return Exit::kDone;
}

constexpr Argument kCardArguments[] = {
    {"ACTION",
     true,
     {"show; report: which of its parts are taken over, and why; lint: every mistake",
      "show；report：哪些部分被采用及其原因；lint：逐处指出问题"},
     false,
     "show|report|lint"},
    {"FILE",
     false,
     {"a character card: PNG, JSON, YAML or CHARX; default: the card of the campaign; lint: files "
      "and folders",
      "角色卡：PNG、JSON、YAML 或 CHARX；省略则为战役开始时所用的那张；lint：文件和文件夹"},
     true}};
constexpr Option kCardOptions[] = {kStore,
                                   kCampaign,
                                   kInitvar,
                                   kGreeting,
                                   kUser,
                                   kProtocols,
                                   {"--json", "", {"all of it as JSON", "以 JSON 输出全部内容"}}};
constexpr Example kCardExamples[] = {
    {"arbiter card show mei.png", {"what is in it", "查看卡片内容"}},
    {"arbiter card lint mei.yaml", {"every mistake with its line", "逐行指出问题"}},
    {"arbiter campaign new 山中 --card mei.png --greeting 1", {"play it", "以此开始"}}};

constexpr Command kCommands[] = {
    {"card",
     {"show and check a character card", "查看和检查角色卡"},
     {"Prints the fields of a card of any version, its greetings, and the state with which a "
      "campaign\n"
      "would begin. Scripts in it are named and never run. Exit code 2 when it is not a card. "
      "lint\n"
      "names every mistake: misspelled fields, variables that cannot be read, unknown protocols "
      "(exit\n"
      "code 1).",
      "显示任意版本角色卡的字段、开场白，以及战役的初始状态。其中的脚本只列出，从不运行。\n"
      "不是角色卡时退出码为 2。lint 逐处指出问题：写错的字段、读不懂的变量、不存在的协议\n"
      "（有问题时退出码为 1）。"},
     kCardArguments,
     kCardOptions,
     kCardExamples,
     run_card},
};

}  // namespace

std::span<const Command> card_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
