// The command play: a campaign at the terminal.
#include "cli/play.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <ranges>

#include "base/limits.h"
#include "campaign/demo.h"
#include "cli/documents.h"
#include "cli/look.h"
#include "cli/narrator.h"
#include "cli/player_actions.h"
#include "cli/profiles.h"
#include "cli/settings.h"
#include "cli/tool_words.h"
#include "cli/verdicts.h"
#include "cli/why.h"
#include "ledger/history.h"
#include "prompt/explain.h"
#include "table/layout.h"
#include "table/life.h"
#include "turn/feedback.h"
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

bool Play::is_cancelled() {
    return g_cancelled != 0;
}

engine::Instant Play::now() const {
    const auto time = now_of(call_);
    return time.value_or(0);
}

void Play::show_piece(const table::PlayerText& text) {
    if (text.empty()) {
        return;
    }
    out_.tell(text);
    has_shown_ = true;
}

void Play::end_pieces() {
    out_.end_telling();
}

void Play::take_back() {
    end_pieces();
    if (has_shown_) {
        out_.say({"  (This does not count; the narrator begins again.)\n",
                  "  （以上作废，说书人重新讲述。）\n"},
                 Color::kDim);
    }
    has_shown_ = false;
}

void Play::show_turn(const turn::TurnResult& result) {
    const table::Redactor redactor = session_.redactor();
    end_pieces();
    switch (result.status) {
        case turn::Status::kCommitted:
            if (!has_shown_) {
                out_.tell_line(result.shown);
            }
            for (const turn::Action& action : result.attempt.actions) {
                if (action.kind == turn::Action::Kind::kTool) {
                    out_.tell_line(
                        redactor.text("  " + tool_words(action.about,
                                                        result.attempt.candidate().document,
                                                        out_.language())),
                        Color::kCyan);
                }
            }
            break;
        case turn::Status::kReported:
            if (!result.shown.empty()) {
                out_.tell_line(result.shown);
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
        out_.tell_line(result.notice, Color::kYellow);
    }
    if (result.attempts > 1) {
        // The reasons stand here; /why repeats them later.
        for (const std::string& line : turn::problem_lines(result.feedback, out_.language())) {
            const table::PlayerText words[] = {redactor.text(on_one_line(line))};
            out_.say({"  (asked again: {0})\n", "  （已要求重讲：{0}）\n"}, Color::kDim, words);
        }
    }
    if (result.advanced) {
        out_.say({"  The story has moved on a step.\n", "  剧情推进了一步。\n"}, Color::kGreen);
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
            show_error(out_, session_, moved.error());
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
        show_error(out_, session_, !visited ? visited.error() : display.error());
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

bool Play::speak(const std::string& words) {
    g_cancelled = 0;
    ++spoken_;
    withheld_.reset();
    turn::TurnRequest request;
    request.said = words;
    request.now = now();
    model::TurnCallbacks callbacks;
    callbacks.is_cancelled = Play::is_cancelled;
    callbacks.on_show = [this](const table::PlayerText& text) { show_piece(text); };
    callbacks.on_withdraw = [this](std::int64_t, const Value&) { take_back(); };
    has_shown_ = false;
    const auto result = play_turn(request, callbacks);
    if (!result) {
        end_pieces();
        show_error(out_, session_, result.error());
        return false;
    }
    told_ += result->status == turn::Status::kCommitted ? 1 : 0;
    show_turn(*result);
    if (result->status == turn::Status::kReported) {
        withheld_.emplace(*result, words);
    }
    show_status(out_, session_);
    return result->status == turn::Status::kCommitted;
}

void Play::retry() {
    const ledger::Campaign campaign = session_.campaign();
    const auto record = campaign.record(campaign.head());
    if (!record) {
        show_error(out_, session_, record.error());
        return;
    }
    if (record->edit || record->said.empty() || !record->parent) {
        out_.say({"The last turn is not an answer to your words; there is nothing to ask again.\n",
                  "上一回合不是对你的话的回复，没有可以重新生成的内容。\n"});
        return;
    }
    const ledger::TurnId old = campaign.head();
    if (const auto moved = session_.go_to(*record->parent); !moved) {
        show_error(out_, session_, moved.error());
    } else if (!speak(record->said)) {
        // The old answer stays.
        if (const auto back = session_.go_to(old); !back) {
            show_error(out_, session_, back.error());
        }
    }
}

void Play::show_usage(std::string_view command) {
    out_.tell_line(session_.redactor().text(play_usage(command, out_.language())), Color::kYellow);
}

void Play::refuse(std::string_view command) {
    const table::Redactor redactor = session_.redactor();
    const auto meant = nearest_command(command);
    const table::PlayerText words[] = {redactor.text(on_one_line(command)),
                                       redactor.text(meant.value_or(""))};
    if (meant) {
        out_.say(
            {"There is no command {0}. Did you mean {1}?\n", "没有命令 {0}。是不是想写 {1}？\n"},
            Color::kYellow, words);
    } else {
        out_.say({"There is no command {0}. /help lists them.\n",
                  "没有命令 {0}。/help 列出全部命令。\n"},
                 Color::kYellow, words);
    }
}

void Play::choose_about_report(turn::ReportChoice choice, std::string_view rest) {
    if (!withheld_) {
        out_.say({"No reply waits for a decision.\n", "现在没有待处理的回复。\n"});
        return;
    }
    if (choice == turn::ReportChoice::kEdit && rest.empty()) {
        show_error(out_, session_, base::Error(base::ErrorCode::kMissingArgument, {"/edit TEXT"}));
        return;
    }
    const auto result = campaign::choose(session_, *withheld_, choice, rest, now());
    if (!result) {
        show_error(out_, session_, result.error());
        return;
    }
    withheld_.reset();
    has_shown_ = false;
    show_turn(*result);
    show_status(out_, session_);
}

void Play::show_state(std::string_view path) {
    const auto where = value::parse_any_path(path);
    if (!where) {
        show_error(out_, session_, where.error());
        return;
    }
    const Value document = session_.campaign().state().document;
    const table::PlayerValue visible = session_.redactor().value(document);
    const Value* found = value::find(visible.get(), *where);
    if (found == nullptr) {
        const MissingValue missing = explain_missing(visible.get(), *where, out_.language());
        show_error(out_, session_, missing.error);
        if (!missing.hint.empty()) {
            out_.tell_line(session_.redactor().text(missing.hint), Color::kYellow);
        }
        return;
    }
    out_.show(session_.redactor().value(*found));
}

void Play::show_why(std::string_view words) {
    const bool shows_all = words == "--all";
    const std::string_view path = shows_all ? std::string_view() : words;
    const ledger::Campaign campaign = session_.campaign();
    const table::Redactor redactor = session_.redactor();
    if (!path.empty()) {
        const auto where = value::parse_any_path(path);
        const auto entries =
            where ? ledger::blame(campaign, *where) : std::unexpected(where.error());
        if (!entries) {
            show_error(out_, session_, entries.error());
            return;
        }
        if (entries->empty()) {
            const table::PlayerText names[] = {redactor.text(on_one_line(path))};
            out_.say({"Nothing is recorded about {0}.\n", "没有关于 {0} 的记录。\n"},
                     Color::kYellow, names);
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
    // The last turn of the story: a change of settings is none.
    ledger::TurnId id = campaign.head();
    auto record = campaign.record(id);
    while (record && record->edit && record->parent) {
        id = *record->parent;
        record = campaign.record(id);
    }
    const auto after = record ? campaign.state_at(id) : std::unexpected(record.error());
    if (!after) {
        show_error(out_, session_, after.error());
        return;
    }
    const auto row = campaign.store().turn(campaign.row().id, id);
    const Value before = row && *row ? ledger::LineDocuments(campaign).at(**row).before : Value();
    const table::Redactor then = redactor.during(before, after->document);
    if (!shows_all) {
        out_.tell_line(redactor.text(why_words(*record, then, *after, out_.language())));
        return;
    }
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
        show_error(out_, session_, before.error());
        return;
    }
    const table::Redactor redactor = session_.redactor();
    for (const value::Change& change :
         value::diff(redactor.value(before->document).get(),
                     redactor.value(campaign.state().document).get())) {
        if (!table::is_bookkeeping(change.path)) {
            out_.show(redactor.text(change_line(call_.console, change)));
        }
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
        show_error(out_, session_, done.error());
        return;
    }
    out_.show(redactor.text(settings_lines(*patch, session_.settings())), Color::kGreen);
}

bool Play::change_table(std::string_view action, std::string_view rest) {
    const std::vector<std::string> words = words_of(rest);
    const auto done =
        do_player_action(session_, {action, words, now(), false, &model_}, out_.language());
    if (!done) {
        show_error(out_, session_, done.error());
        return true;
    }
    out_.show_line(session_.redactor().text(*done), Color::kGreen);
    show_status(out_, session_);
    return true;
}

void Play::show_help() {
    out_.show(session_.redactor().text(play_help(out_.language(), out_.columns())));
}

bool Play::execute(std::string_view line) {
    const auto [command, rest] = first_word(line);
    const auto done = [&](const base::Result<>& result) {
        if (!result) {
            show_error(out_, session_, result.error());
        }
        return true;
    };
    const auto show_words = [&](const std::string& words) {
        out_.tell_line(session_.redactor().text(
            !words.empty() ? words
                           : std::string(call_.console.say(
                                 {"There is nothing to show.\n", "没有可显示的内容。\n"}))));
    };
    const Value document = session_.campaign().state().document;
    if (command == "/quit" || command == "/exit") {
        return false;
    }
    if (const auto choice = report_choice_of(command)) {
        choose_about_report(*choice, rest);
        return true;
    }
    const bool needs_words = command == "/rollback" || command == "/checkpoint" ||
                             command == "/actor" || command == "/join" || command == "/leave";
    if (needs_words && rest.empty()) {
        show_usage(command);
        return true;
    }
    if (is_player_action(command.substr(1))) {
        return change_table(command.substr(1), rest);
    }
    if (command == "/look") {
        show_words(look_words(document, out_.language()));
    } else if (command == "/map") {
        show_words(map_words(document, out_.language()));
    } else if (command == "/items") {
        show_words(item_words(document, rest, out_.language()));
    } else if (command == "/retry") {
        retry();
    } else if (command == "/state") {
        show_state(rest);
    } else if (command == "/why") {
        show_why(rest);
    } else if (command == "/settings") {
        change_settings(rest);
    } else if (command == "/checkpoint") {
        name_turn(out_, session_, rest, now());
    } else if (command == "/checkpoints") {
        list_checkpoints(out_, session_);
    } else if (command == "/rollback" || (command == "/branch" && !rest.empty())) {
        move_to(out_, session_, command, rest);
    } else if (command == "/undo") {
        undo_move(out_, session_);
    } else if (command == "/diff") {
        show_differences(rest);
    } else if (command == "/branch" || command == "/history") {
        const auto display = session_.display();
        if (!display) {
            return done(std::unexpected(display.error()));
        }
        out_.show(session_.redactor().text(tree_of(call_.console, session_.campaign(), *display)));
    } else if (command == "/prompt") {
        const auto built = session_.prompt("", now(), {.native_tools = model_.takes_tools()});
        if (!built) {
            return done(std::unexpected(built.error()));
        }
        out_.show(session_.redactor().text(prompt::explain(*built, out_.language())));
    } else if (command == "/help") {
        show_help();
    } else {
        refuse(command);
    }
    return true;
}

Exit Play::exit() const noexcept {
    return spoken_ > 0 && told_ == 0 ? Exit::kNo : Exit::kDone;
}

Exit Play::run() {
    std::signal(SIGINT, cancel);
    // Shows the last narrative, so that a returning player knows where the story is.
    if (const std::string words = last_words(session_); !words.empty()) {
        out_.tell_line(session_.redactor().text(words));
    }
    show_status(out_, session_);
    bool was_interrupted = false;
    while (true) {
        const LineEditor::Input input = editor_.read("> ");
        out_.set_columns(columns_of(call_.console));
        if (input.kind == LineEditor::Input::Kind::kInterrupted) {
            // Dropping a line is not leaving: only two on empty lines are.
            if (was_interrupted && !input.had_text) {
                return exit();
            }
            was_interrupted = true;
            out_.say(
                {"(Ctrl-C again or /quit leaves)\n", "（再按一次 Ctrl-C 或输入 /quit 退出）\n"},
                Color::kDim);
            continue;
        }
        was_interrupted = false;
        if (input.kind == LineEditor::Input::Kind::kEnd) {
            out_.say({"\n", "\n"});
            return exit();
        }
        const std::string& line = input.text;
        if (line.find_first_not_of(' ') == std::string::npos) {
            continue;
        }
        (void)follow_others();
        if (line.front() == '/') {
            if (!execute(line)) {
                return exit();
            }
        } else {
            (void)speak(line);
        }
    }
}

}  // namespace arbiter::cli
