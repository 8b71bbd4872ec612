// play: a campaign at the terminal, with a scripted narrator.
#include "cli/play.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>

#include "base/limits.h"
#include "campaign/start.h"
#include "cli/commands.h"
#include "cli/documents.h"
#include "cli/profiles.h"
#include "cli/verdicts.h"
#include "config/embedded.h"
#include "config/text_resolver.h"
#include "config/yaml.h"
#include "ledger/history.h"
#include "model/scripted.h"
#include "prompt/explain.h"
#include "table/goal.h"
#include "table/layout.h"
#include "value/json.h"

namespace arbiter::cli {

namespace {

using value::Object;
using value::Value;

// Somebody wants the turn to stop.
volatile std::sig_atomic_t g_cancelled = 0;

void cancel(int) {
    g_cancelled = 1;
}

// One line of input, without its end; nothing when there is no more.
std::optional<std::string> read_line(std::FILE* in) {
    std::string line;
    for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) {
        if (c == '\n') {
            return line;
        }
        if (line.size() < base::kBatchBytesMax) {
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

struct Demo {
    Value table;
    std::string greeting;
    model::Script script;
};

std::expected<Demo, Exit> load_demo(const Console& console) {
    const std::string_view language = console.language == base::Language::kChinese ? "zh" : "en";
    for (const config::EmbeddedFile& each : config::built_in_demos()) {
        if (each.name != language) {
            continue;
        }
        const std::string file = "demo/" + std::string(each.name) + ".yaml";
        const auto written = config::parse_yaml(file, std::string(each.text));
        if (!written || !written->value.is_object()) {
            break;
        }
        const Object& parts = written->value.as_object();
        // The script is a document of its own, as it is when it lies in a file.
        auto script = model::parse_script(
            file, value::print_json(parts.contains("script") ? *parts.find("script") : Value()));
        if (!script) {
            report(console, script.error());
            return std::unexpected(Exit::kTrouble);
        }
        const Value* greeting = parts.find("greeting");
        return Demo{parts.contains("table") ? *parts.find("table") : Value(),
                    greeting != nullptr && greeting->is_string()
                        ? std::string(greeting->as_string())
                        : std::string(),
                    *std::move(script)};
    }
    return std::unexpected(
        trouble(console, base::Error(base::ErrorCode::kFileUnreadable, {"demo", "YAML"})));
}

// A demo campaign in a store, begun and greeted.
std::expected<std::unique_ptr<campaign::Session>, Exit> begin_demo(const Call& call,
                                                                   ledger::Store& store, Demo& demo,
                                                                   engine::Instant now) {
    const Console& console = call.console;
    auto world = config::load_world("auto");
    if (!world) {
        report(console, world.error());
        return std::unexpected(Exit::kTrouble);
    }
    campaign::Gear gear = gear_of(call, store);
    campaign::Starting starting;
    starting.id = "demo";
    starting.name = "demo";
    starting.now = now;
    starting.world = *std::move(world);
    starting.state.document = Object();
    starting.table = demo.table;
    std::vector<base::Error> warnings;
    const auto begun = campaign::start(store, std::move(starting), gear, warnings);
    if (!begun && begun.error().code != base::ErrorCode::kCampaignExists) {
        return std::unexpected(trouble(console, begun.error()));
    }
    auto session = campaign::Session::open(store, "demo", std::move(gear));
    if (!session) {
        return std::unexpected(trouble(console, session.error()));
    }
    if (begun) {
        campaign::Given greeting;
        greeting.reply = demo.greeting;
        greeting.actor = engine::Actor::kSystem;
        greeting.now = now;
        if (const auto greeted = (*session)->apply(greeting); !greeted) {
            return std::unexpected(trouble(console, greeted.error()));
        }
    }
    return *std::move(session);
}

}  // namespace

std::expected<Value, Exit> load_template(const Console& console, const std::string& file) {
    if (file == "demo") {
        auto demo = load_demo(console);
        if (!demo) {
            return std::unexpected(demo.error());
        }
        return demo->table;
    }
    const auto text = read_file(console, file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(trouble(console, text.error()));
    }
    auto written = config::parse_yaml(file, *text);
    if (!written) {
        report(console, written.error(), file, *text);
        return std::unexpected(Exit::kTrouble);
    }
    return std::move(written->value);
}

engine::Instant Play::now() const {
    const auto time = now_of(call_);
    return time.value_or(0);
}

void Play::complain_of(const base::Error& error) {
    console_.print(console_.painted(base::explain(error, console_.language), Color::kYellow) +
                   "\n");
}

void Play::show_status() {
    const Value document = session_.campaign().state().document;
    const std::string_view id = table::active_actor(document);
    const Value* actor = table::find_character(document, id);
    std::string line = "[" + std::to_string(session_.campaign().number()) + "]";
    if (actor != nullptr) {
        line += " " + std::string(table::text_in(actor, "name"));
        if (const auto hp = table::hp_of(actor)) {
            line += "  HP " + std::to_string(hp->current) + "/" + std::to_string(hp->max);
        }
        const Value* area = table::find_area(document, table::text_in(actor, "area_id"));
        if (area != nullptr) {
            line += "  @ " + std::string(table::text_in(area, "name"));
        }
    }
    console_.print(console_.painted(line, Color::kDim) + "\n");
}

void Play::show_turn(const campaign::Turned& turned) {
    using Status = campaign::Turned::Status;
    switch (turned.status) {
        case Status::kCommitted: {
            console_.print(turned.shown + (turned.shown.ends_with('\n') ? "" : "\n"));
            for (const Value& action : turned.judged.applied_actions) {
                const std::string_view tool = table::text_in(&action, "tool");
                const Value* result = table::member_of(&action, "result");
                if (!tool.empty()) {
                    console_.print(
                        console_.painted("  " + std::string(tool) +
                                             (result != nullptr ? "  " + brief(*result) : ""),
                                         Color::kCyan) +
                        "\n");
                }
            }
            break;
        }
        case Status::kReported:
            console_.print(std::string(console_.say(
                               {"The narrator could not tell it truly; nothing has changed.",
                                "说书人没能讲出与事实相符的内容；什么都没有改变。"})) +
                           "\n");
            break;
        case Status::kCancelled:
            console_.print(std::string(console_.say(
                               {"Cancelled; nothing has changed.", "已取消；什么都没有改变。"})) +
                           "\n");
            break;
        case Status::kBlocked:
        case Status::kOverSpent:
            break;
    }
    if (!turned.notice.empty()) {
        console_.print(console_.painted(turned.notice, Color::kYellow) +
                       (turned.notice.ends_with('\n') ? "" : "\n"));
    }
    if (turned.attempts > 1) {
        const std::string words[] = {std::to_string(turned.attempts)};
        console_.print(console_.painted(
            base::format_message(console_.say({"  ({0} attempts; /why tells)\n",
                                               "  （{0} 次尝试；/why 查看原因）\n"}),
                                 words),
            Color::kDim));
    }
    if (turned.advanced) {
        console_.print(console_.painted(
            console_.say({"  A milestone is passed.\n", "  剧情推进了一步。\n"}), Color::kGreen));
    }
    if (turned.ended) {
        console_.print(console_.painted(*turned.ended + "\n", Color::kRed));
    }
}

void Play::speak(const std::string& words) {
    g_cancelled = 0;
    campaign::Wanted wanted;
    wanted.said = words;
    wanted.now = now();
    wanted.is_cancelled = [] { return g_cancelled != 0; };
    const auto turned = session_.turn(wanted, model_);
    if (!turned) {
        complain_of(turned.error());
        return;
    }
    show_turn(*turned);
    show_status();
}

void Play::show_state(std::string_view path) {
    const Value document = table::for_player(session_.campaign().state().document);
    const auto where = value::parse_any_path(path);
    if (!where) {
        complain_of(where.error());
        return;
    }
    const Value* found = value::find(document, *where);
    console_.print(found != nullptr
                       ? value::print_json(*found, value::JsonStyle::kPretty) + "\n"
                       : std::string(console_.say({"There is nothing.\n", "那里什么都没有。\n"})));
}

void Play::show_why(std::string_view path) {
    const ledger::Campaign campaign = session_.campaign();
    if (!path.empty()) {
        const auto where = value::parse_any_path(path);
        const auto entries =
            where ? ledger::blame(campaign, *where) : std::unexpected(where.error());
        if (!entries) {
            complain_of(entries.error());
            return;
        }
        for (const ledger::BlameEntry& entry : *entries) {
            console_.print(std::to_string(entry.number) + "  " +
                           (entry.before ? brief(*entry.before) : "-") + " → " +
                           (entry.after ? brief(*entry.after) : "-") + "\n");
        }
        return;
    }
    const auto record = campaign.record(campaign.head());
    if (!record) {
        complain_of(record.error());
        return;
    }
    for (const Value& each : record->audit) {
        console_.print(value::print_json(each) + "\n");
    }
    for (const std::string_view part : {"actions", "trace"}) {
        const Value* found = record->notes.find(part);
        // Where turns of the first days have them.
        found = found != nullptr ? found : record->extra.find(part);
        if (found != nullptr) {
            console_.print(std::string(part) + ": " +
                           value::print_json(*found, value::JsonStyle::kPretty) + "\n");
        }
    }
}

void Play::change_settings(std::string_view words) {
    const auto [key, text] = first_word(words);
    if (text.empty()) {
        for (const auto& [each, value] : session_.settings()) {
            if (key.empty() || each.view() == key) {
                console_.print(console_.painted(each.view(), Color::kCyan) + " = " +
                               value::print_json(value) + "\n");
            }
        }
        return;
    }
    // A word that is no JSON is meant as a text.
    auto value = value::parse_json(text);
    const auto done =
        session_.patch_settings(Object{{key, value ? *std::move(value) : Value(text)}}, now());
    if (!done) {
        complain_of(done.error());
    }
}

void Play::show_help() {
    console_.print(
        console_.say({"/state [PATH]   /diff [TURN]   /why [PATH]   /history   /prompt\n"
                      "/rollback TURN  /undo  /branch [TURN]  /checkpoint NAME\n"
                      "/settings [KEY [VALUE]]  /actor ID  /type TYPE  /goal TEXT  /quit\n"
                      "Anything else is what you say or do.\n",
                      "/state [路径]   /diff [回合]   /why [路径]   /history   /prompt\n"
                      "/rollback 回合  /undo  /branch [回合]  /checkpoint 名称\n"
                      "/settings [键 [值]]  /actor ID  /type 类型  /goal 目标  /quit\n"
                      "其余内容即是你要说的话或要做的事。\n"}));
}

bool Play::obey(std::string_view line) {
    const auto [command, rest] = first_word(line);
    const ledger::Campaign campaign = session_.campaign();
    const auto done = [&](const base::Result<>& result) {
        if (!result) {
            complain_of(result.error());
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
    if (command == "/state") {
        show_state(rest);
    } else if (command == "/why") {
        show_why(rest);
    } else if (command == "/settings") {
        change_settings(rest);
    } else if (command == "/type") {
        return done(session_.patch_settings(Object{{"dialog.manual_type", rest}}, now()));
    } else if (command == "/actor") {
        return done(session_.select_actor(rest, now()));
    } else if (command == "/goal") {
        return done(session_.set_goal(rest, false, now()));
    } else if (command == "/checkpoint") {
        return done(session_.checkpoint(std::string(rest), now()));
    } else if (command == "/rollback") {
        return to_turn([&](const ledger::TurnId& turn) { return session_.rollback(turn); });
    } else if (command == "/undo") {
        return done(session_.undo());
    } else if (command == "/diff") {
        const auto turn = campaign.find(rest.empty() ? "head~1" : rest);
        const auto before = turn ? campaign.state_at(*turn) : std::unexpected(turn.error());
        if (!before) {
            return done(std::unexpected(before.error()));
        }
        for (const value::Change& change :
             value::diff(table::for_player(before->document),
                         table::for_player(campaign.state().document))) {
            console_.print(change_line(console_, change));
        }
    } else if (command == "/branch" && !rest.empty()) {
        return to_turn([&](const ledger::TurnId& turn) { return session_.go_to(turn); });
    } else if (command == "/branch" || command == "/history") {
        console_.print(tree_of(console_, campaign));
    } else if (command == "/prompt") {
        const auto assembly = session_.prompt("", now());
        console_.print(assembly ? prompt::explain(*assembly, console_.language) : "");
    } else {
        show_help();
    }
    return true;
}

Exit Play::run() {
    std::signal(SIGINT, cancel);
    // What was shown last, so that somebody who comes back knows where they are.
    const ledger::Campaign campaign = session_.campaign();
    if (const auto record = campaign.record(campaign.head()); record && !record->shown.empty()) {
        console_.print(table::for_player(campaign.state().document, record->shown) + "\n");
    }
    show_status();
    while (true) {
        console_.print(console_.painted("> ", Color::kGreen));
        std::fflush(console_.out);
        auto line = read_line(console_.in);
        if (!line) {
            console_.print("\n");
            return Exit::kDone;
        }
        if (line->empty()) {
            continue;
        }
        if (line->front() == '/') {
            if (!obey(*line)) {
                return Exit::kDone;
            }
        } else {
            speak(*line);
        }
    }
}

Exit run_play(const Call& call) {
    const Console& console = call.console;
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    if (const auto window = window_of(call); !window) {
        return window.error();
    }
    const std::string script(call.value("--script", "demo"));
    std::optional<Demo> demo;
    model::Script lines;
    if (script == "demo") {
        auto loaded = load_demo(console);
        if (!loaded) {
            return loaded.error();
        }
        demo = *std::move(loaded);
        lines = demo->script;
    } else {
        auto loaded = model::load_script(script);
        if (!loaded) {
            report(console, loaded.error());
            return Exit::kTrouble;
        }
        lines = *std::move(loaded);
    }
    model::Scripted narrator(std::move(lines));
    if (call.has("--campaign") || !demo) {
        auto playing = open_session(call);
        return playing ? Play(call, *playing->session, narrator).run() : playing.error();
    }
    // A demo leaves nothing behind, unless somebody says where.
    auto store = ledger::open_store(std::string(call.value("--store", "memory:")));
    if (!store) {
        return trouble(console, store.error());
    }
    const auto session = begin_demo(call, **store, *demo, *now);
    return session ? Play(call, **session, narrator).run() : session.error();
}

}  // namespace arbiter::cli
