// The command play: a campaign at the terminal with a scripted narrator.
#include "cli/play.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <ranges>

#include "base/limits.h"
#include "cli/commands.h"
#include "cli/demo.h"
#include "cli/documents.h"
#include "cli/player_actions.h"
#include "cli/profiles.h"
#include "cli/settings.h"
#include "cli/verdicts.h"
#include "ledger/history.h"
#include "model/scripted.h"
#include "prompt/explain.h"
#include "table/layout.h"
#include "table/life.h"
#include "value/json.h"

namespace arbiter::cli {

namespace {

using value::Object;
using value::Value;

// Set by SIGINT to cancel the current turn.
volatile std::sig_atomic_t g_cancelled = 0;

void cancel(int) {
    g_cancelled = 1;
}

// Reads a line without its line break; nullopt at the end of the input.
std::optional<std::string> read_line(std::FILE* in) {
    std::string line;
    for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
        if (c == '\n') {
            return line;
        }
        // One byte more than a turn takes, so that a line that is too long is refused.
        if (line.size() <= base::kTurnTextBytesMax) {
            line += static_cast<char>(c);
        }
    }
    return line.empty() ? std::nullopt : std::optional(line);
}

std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    std::string_view rest = line.substr(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return {line.substr(0, end), rest};
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    while (!line.empty()) {
        const auto [word, rest] = first_word(line);
        words.emplace_back(word);
        line = rest;
    }
    return words;
}

}  // namespace

engine::Instant Play::now() const {
    const auto time = now_of(call_);
    return time.value_or(0);
}

void Play::show_error(const base::Error& error) {
    out_.show_line(session_.redactor().text(base::explain(error, out_.language())), Color::kYellow);
}

void Play::show_status() {
    const ledger::Campaign campaign = session_.campaign();
    const Value& document = campaign.state().document;
    const Value* actor = table::find_character(document, table::active_actor(document));
    std::string line = "[" + std::to_string(campaign.story_number()) + "]";
    if (actor != nullptr) {
        line += " " + on_one_line(table::text_in(actor, "name"));
        if (const auto hp = table::hp_of(actor)) {
            line += "  HP " + std::to_string(hp->current) + "/" + std::to_string(hp->max);
        }
        const Value* area = table::find_area(document, table::text_in(actor, "area_id"));
        if (area != nullptr) {
            line += "  @ " + on_one_line(table::text_in(area, "name"));
        }
    }
    out_.show_line(session_.redactor().text(line), Color::kDim);
}

void Play::show_turn(const turn::TurnResult& result) {
    const table::Redactor redactor = session_.redactor();
    switch (result.status) {
        case turn::Status::kCommitted:
            out_.show_line(result.shown);
            for (const turn::Action& action : result.attempt.actions) {
                if (action.kind == turn::Action::Kind::kTool) {
                    const Value about = action.about;
                    const Value* value = value::find_member(&about, "result");
                    const std::string tool(table::text_in(&about, "tool"));
                    out_.show_line(
                        redactor.text("  " + tool + (value != nullptr ? "  " + brief(*value) : "")),
                        Color::kCyan);
                }
            }
            break;
        case turn::Status::kReported:
            if (!result.shown.empty()) {
                out_.show_line(result.shown);
            }
            out_.say({"The narrator could not tell it truly; nothing has changed.\n",
                      "说书人没能讲出与事实相符的内容；什么都没有改变。\n"});
            show_report(out_, result, redactor);
            break;
        case turn::Status::kCancelled:
            out_.say({"Cancelled; nothing has changed.\n", "已取消；什么都没有改变。\n"});
            break;
        case turn::Status::kBlocked:
        case turn::Status::kOverSpent:
        case turn::Status::kFailed:
            break;
    }
    if (!result.notice.empty()) {
        out_.show_line(result.notice, Color::kYellow);
    }
    if (result.attempts > 1) {
        const table::PlayerText words[] = {redactor.text(std::to_string(result.attempts))};
        out_.say({"  ({0} attempts; /why tells)\n", "  （{0} 次尝试；/why 查看原因）\n"},
                 Color::kDim, words);
    }
    if (result.advanced) {
        out_.say({"  A milestone is passed.\n", "  剧情推进了一步。\n"}, Color::kGreen);
    }
    if (result.attempt.ended) {
        const base::Text why = table::end_words(*result.attempt.ended);
        const table::PlayerText words[] = {redactor.text(why.in(out_.language()))};
        out_.say({"  The campaign has ended: {0}.\n", "  战役结束：{0}。\n"}, Color::kRed, words);
    }
}

bool Play::follow_others() {
    const ledger::Campaign before = session_.campaign();
    const auto moved = session_.refresh();
    if (!moved || !*moved) {
        if (!moved) {
            show_error(moved.error());
        }
        return moved.has_value();
    }
    const ledger::Campaign campaign = session_.campaign();
    const table::Redactor redactor = session_.redactor();
    const table::PlayerText where[] = {redactor.text(std::to_string(campaign.story_number()))};
    out_.say({"The campaign was changed by another process and is at turn {0} now. What is new:\n",
              "战役已被另一个进程改动，现位于第 {0} 回合。新的内容：\n"},
             Color::kYellow, where);
    // The turns since the one that was seen last; only the newest after a jump.
    constexpr std::size_t kNewsMax = 20;
    std::vector<ledger::Record> news;
    const auto add = [&](const ledger::TurnRow& row) -> base::Result<bool> {
        if (row.id == before.head() || row.number <= before.number() || news.size() == kNewsMax) {
            return false;
        }
        auto record = campaign.record_of(row);
        if (!record) {
            return std::unexpected(std::move(record).error());
        }
        news.push_back(*std::move(record));
        return true;
    };
    const auto visited = campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole, add);
    const auto display = session_.display();
    if (!visited || !display) {
        show_error(!visited ? visited.error() : display.error());
        return true;
    }
    if (news.empty()) {
        out_.show_line(redactor.text(last_words(session_)));
    }
    for (const ledger::Record& turn : std::views::reverse(news)) {
        if (!turn.said.empty()) {
            out_.show_line(redactor.text("> " + display->said(turn)), Color::kDim);
        }
        out_.show_line(
            redactor.text(turn.edit ? "(" + turn.edit->reason + ")" : display->shown(turn)));
    }
    return true;
}

base::Result<turn::TurnResult> Play::play_turn(const turn::TurnRequest& request,
                                               const model::TurnCallbacks& callbacks) {
    // Another writer may be first again and again.
    constexpr int kTriesMax = 5;
    auto result = session_.turn(request, model_, callbacks);
    for (int i = 1; i < kTriesMax && !result && g_cancelled == 0 &&
                    result.error().code == base::ErrorCode::kHeadMoved;
         ++i) {
        if (!follow_others()) {
            break;
        }
        result = session_.turn(request, model_, callbacks);
    }
    return result;
}

void Play::speak(const std::string& words) {
    g_cancelled = 0;
    ++spoken_;
    reported_.reset();
    turn::TurnRequest request;
    request.said = words;
    request.now = now();
    model::TurnCallbacks callbacks;
    callbacks.is_cancelled = [] { return g_cancelled != 0; };
    const auto result = play_turn(request, callbacks);
    if (!result) {
        show_error(result.error());
        return;
    }
    told_ += result->status == turn::Status::kCommitted ? 1 : 0;
    show_turn(*result);
    if (result->status == turn::Status::kReported) {
        reported_.emplace(*result, words);
    }
    show_status();
}

void Play::choose_about_report(std::string_view command, std::string_view rest) {
    if (!reported_) {
        out_.say({"No reply waits for a decision.\n", "现在没有待处理的回复。\n"});
        return;
    }
    const auto result = choose(session_, *reported_, command, rest, now());
    if (!result) {
        show_error(result.error());
        return;
    }
    reported_.reset();
    show_turn(*result);
    show_status();
}

void Play::show_state(std::string_view path) {
    const auto where = value::parse_any_path(path);
    if (!where) {
        show_error(where.error());
        return;
    }
    const Value document = session_.campaign().state().document;
    const table::PlayerValue visible = session_.redactor().value(document);
    const Value* found = value::find(visible.get(), *where);
    if (found == nullptr) {
        out_.say({"There is nothing.\n", "那里什么都没有。\n"});
        return;
    }
    out_.show(session_.redactor().value(*found));
}

void Play::show_why(std::string_view path) {
    const ledger::Campaign campaign = session_.campaign();
    const table::Redactor redactor = session_.redactor();
    if (!path.empty()) {
        const auto where = value::parse_any_path(path);
        const auto entries =
            where ? ledger::blame(campaign, *where) : std::unexpected(where.error());
        if (!entries) {
            show_error(entries.error());
            return;
        }
        for (const ledger::BlameEntry& entry : *entries) {
            const table::Redactor then =
                redactor.during(entry.documents.before, entry.documents.after);
            const auto shown = [&](const std::optional<Value>& value) {
                if (!value || then.hides(*where)) {
                    return std::string(value ? "……" : "-");
                }
                return brief(then.value_at(*where, *value).get());
            };
            out_.show_line(redactor.text(std::to_string(entry.number) + "  " + shown(entry.before) +
                                         " → " + shown(entry.after)));
        }
        return;
    }
    const auto record = campaign.record(campaign.head());
    if (!record) {
        show_error(record.error());
        return;
    }
    const auto row = campaign.store().turn(campaign.row().id, campaign.head());
    const auto [before, after] =
        row && *row ? ledger::LineDocuments(campaign).at(**row) : ledger::LineDocuments::Pair();
    const table::Redactor then = redactor.during(before, after);
    for (const Value& each : ledger::audit_records(*record)) {
        out_.show_line(redactor.text(value::print_json(then.records(each).get())));
    }
    for (const auto& [name, list] : {std::pair("actions", ledger::applied_actions(*record)),
                                     std::pair("trace", record->trace)}) {
        if (!list.empty()) {
            const Value visible = then.records(Value(list)).get();
            out_.show_line(redactor.text(std::string(name) + ": " +
                                         value::print_json(visible, value::JsonStyle::kPretty)));
        }
    }
}

void Play::show_differences(std::string_view from) {
    const ledger::Campaign campaign = session_.campaign();
    const auto turn = campaign.find(from.empty() ? "head~1" : from);
    const auto before = turn ? campaign.state_at(*turn) : std::unexpected(turn.error());
    if (!before) {
        show_error(before.error());
        return;
    }
    const table::Redactor redactor = session_.redactor();
    for (const value::Change& change :
         value::diff(redactor.value(before->document).get(),
                     redactor.value(campaign.state().document).get())) {
        out_.show(redactor.text(change_line(call_.console, change)));
    }
}

void Play::change_settings(std::string_view line) {
    const auto registries = session_.registries();
    const table::SettingsRegistry& registry = registries->settings;
    const table::Redactor redactor = session_.redactor();
    std::vector<std::string> words = words_of(line);
    if (words.empty()) {
        for (const auto& [key, value] : session_.settings()) {
            out_.show(redactor.text(key.view()), Color::kCyan);
            out_.show_line(redactor.text(" = " + value::print_json(value)));
        }
        return;
    }
    if (words.size() == 1 && registry.find(words[0]) != nullptr) {
        out_.show(redactor.text(describe_setting(
            *registry.find(words[0]), *session_.settings().find(words[0]), out_.language())));
        return;
    }
    // The value of a single key may hold spaces.
    if (words.size() > 2 && registry.find(words[2]) == nullptr &&
        words[2].find('=') == std::string::npos) {
        words = {words[0], std::string(first_word(line).second)};
    }
    const auto patch = parse_settings(words, registry);
    const auto done = patch ? session_.patch_settings(*patch, now())
                            : base::Result<>(std::unexpected(patch.error()));
    if (!done) {
        show_error(done.error());
        return;
    }
    out_.show(redactor.text(settings_lines(*patch, session_.settings())), Color::kGreen);
}

bool Play::change_table(std::string_view action, std::string_view rest) {
    const std::vector<std::string> words = words_of(rest);
    const auto done =
        do_player_action(session_, {action, words, now(), false, &model_}, out_.language());
    if (!done) {
        show_error(done.error());
        return true;
    }
    out_.show_line(session_.redactor().text(*done), Color::kGreen);
    show_status();
    return true;
}

void Play::show_help() {
    out_.say(
        {"/state [PATH]   /diff [TURN]   /why [PATH]   /history   /prompt\n"
         "/rollback TURN  /undo  /branch [TURN]  /checkpoint NAME\n"
         "/settings [KEY [VALUE] [KEY VALUE]…]  /type TYPE  /goal TEXT|generate\n"
         "/actor ID  /join ID  /leave ID  /allow [TOOL…]  /deny TOOL…\n"
         "/disable TOOL [TURNS]  /enable TOOL  /end [REASON]\n"
         "/greeting [N]  /quit\n"
         "After a withheld reply: /keep  /edit TEXT  /accept\n"
         "Anything else is what you say or do.\n",
         "/state [路径]   /diff [回合]   /why [路径]   /history   /prompt\n"
         "/rollback 回合  /undo  /branch [回合]  /checkpoint 名称\n"
         "/settings [键 [值] [键 值]…]  /type 类型  /goal 目标|generate\n"
         "/actor ID  /join ID  /leave ID  /allow [工具…]  /deny 工具…\n"
         "/disable 工具 [回合数]  /enable 工具  /end [原因]\n"
         "/greeting [编号]  /quit\n"
         "回复被拦下之后：/keep  /edit 文字  /accept\n"
         "其余内容即是你要说的话或要做的事。\n"});
}

bool Play::execute(std::string_view line) {
    const auto [command, rest] = first_word(line);
    const ledger::Campaign campaign = session_.campaign();
    const auto done = [&](const base::Result<>& result) {
        if (!result) {
            show_error(result.error());
        } else {
            show_status();
        }
        return true;
    };
    const auto to_turn = [&](auto move) {
        const auto turn = campaign.find(rest);
        return turn ? done(move(*turn)) : done(std::unexpected(turn.error()));
    };
    if (command == "/quit" || command == "/exit") {
        return false;
    }
    if (is_report_choice(command)) {
        choose_about_report(command, rest);
        return true;
    }
    if (is_player_action(command.substr(1))) {
        return change_table(command.substr(1), rest);
    }
    if (command == "/state") {
        show_state(rest);
    } else if (command == "/why") {
        show_why(rest);
    } else if (command == "/settings") {
        change_settings(rest);
    } else if (command == "/checkpoint") {
        if (rest.empty()) {
            return done(base::fail(base::ErrorCode::kMissingArgument, {"/checkpoint NAME"}));
        }
        return done(session_.checkpoint(std::string(rest), now(), 0));
    } else if (command == "/rollback") {
        return to_turn([&](const ledger::TurnId& turn) { return session_.rollback(turn); });
    } else if (command == "/undo") {
        return done(session_.undo());
    } else if (command == "/diff") {
        show_differences(rest);
    } else if (command == "/branch" && !rest.empty()) {
        return to_turn([&](const ledger::TurnId& turn) { return session_.go_to(turn); });
    } else if (command == "/branch" || command == "/history") {
        const auto display = session_.display();
        if (!display) {
            return done(std::unexpected(display.error()));
        }
        out_.show(session_.redactor().text(tree_of(call_.console, campaign, *display)));
    } else if (command == "/prompt") {
        const auto built = session_.prompt("", now(), {.native_tools = model_.takes_tools()});
        if (!built) {
            return done(std::unexpected(built.error()));
        }
        out_.show(session_.redactor().text(prompt::explain(*built, out_.language())));
    } else {
        show_help();
    }
    return true;
}

Exit Play::exit() const noexcept {
    return spoken_ > 0 && told_ == 0 ? Exit::kNo : Exit::kDone;
}

Exit Play::run() {
    std::signal(SIGINT, cancel);
    // Shows the last narrative, so that a returning player knows where the story stands.
    if (const std::string words = last_words(session_); !words.empty()) {
        out_.show_line(session_.redactor().text(words));
    }
    show_status();
    while (true) {
        out_.say({"> ", "> "}, Color::kGreen);
        std::fflush(call_.console.out);
        auto line = read_line(call_.console.in);
        if (!line) {
            out_.say({"\n", "\n"});
            return exit();
        }
        if (line->empty()) {
            continue;
        }
        (void)follow_others();
        if (line->front() == '/') {
            if (!execute(*line)) {
                return exit();
            }
        } else {
            speak(*line);
        }
    }
}

namespace {

// The narrator of a campaign for which none was given: commands work, speaking says what to do.
class NoNarrator final : public model::Model {
  public:
    base::Result<model::Reply> answer(const model::Request&, const model::OnPiece&) override {
        return base::fail(base::ErrorCode::kNoNarrator);
    }
};

Exit play_demo(const Call& call, std::optional<model::Script> script, engine::Instant now) {
    auto demo = load_demo(call.console);
    if (!demo) {
        return demo.error();
    }
    const std::string url(call.value("--store", "memory:"));
    auto store = ledger::open_store(url);
    if (!store) {
        return trouble(call.console, store.error());
    }
    model::Scripted narrator(script ? *std::move(script) : demo->script);
    const auto session = begin_demo(call, **store, *demo, now);
    if (!session) {
        return session.error();
    }
    if (url == "memory:") {
        PlayerConsole(call.console)
            .say({"The demo campaign; it is gone when you leave. /help lists the commands.\n",
                  "这是演示战役，退出后不保留。输入 /help 查看命令。\n"},
                 Color::kDim);
    }
    return Play(call, **session, narrator).run();
}

}  // namespace

Exit run_play(const Call& call) {
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    if (const auto window = window_of(call); !window) {
        return window.error();
    }
    std::optional<model::Script> script;
    if (call.has("--script")) {
        auto loaded = model::load_script(std::string(call.value("--script", "")));
        if (!loaded) {
            report(call.console, loaded.error());
            return Exit::kTrouble;
        }
        script = *std::move(loaded);
    }
    // Without any campaign at hand it is the demo, which is never put into a store by itself.
    const bool names_campaign = call.has("--store") || call.has("--campaign");
    if (call.has("--demo") || (!names_campaign && !std::filesystem::exists(kUsualStoreFile))) {
        return play_demo(call, std::move(script), *now);
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    if (!script) {
        NoNarrator nobody;
        return Play(call, *playing->session, nobody).run();
    }
    model::Scripted narrator(*std::move(script));
    return Play(call, *playing->session, narrator).run();
}

}  // namespace arbiter::cli
