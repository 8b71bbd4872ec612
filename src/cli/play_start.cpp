#include "cli/play_start.h"

#include <filesystem>

#include "campaign/demo.h"
#include "cli/ledger.h"
#include "cli/line_editor.h"
#include "cli/narrator.h"
#include "cli/play.h"
#include "cli/profiles.h"

namespace arbiter::cli {
namespace {

Exit play_demo(const Call& call, engine::Instant now) {
    auto demo = campaign::load_demo(call.console.language);
    if (!demo) {
        report(call.console, demo.error());
        return Exit::kTrouble;
    }
    const auto narrator = Narrator::choose(call, demo->script, Play::is_cancelled);
    if (!narrator) {
        return narrator.error();
    }
    const std::string url(call.value("--store", "memory:"));
    auto store = ledger::open_store(url);
    if (!store) {
        return trouble(call.console, store.error());
    }
    const auto session =
        campaign::begin_demo(**store, *demo, session_options_of(call, **store), now);
    if (!session) {
        return trouble(call.console, session.error());
    }
    if (url == "memory:") {
        PlayerConsole(call.console, columns_of(call.console))
            .say({"The demo campaign; it is gone when you leave. /help lists the commands.\n",
                  "这是演示战役，退出后不保留。输入 /help 查看命令。\n"},
                 Color::kDim);
    }
    return Play(call, **session, (*narrator)->model()).run();
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
    // Without any campaign at hand it is the demo, which is never put into a store by itself. A
    // script is written for a campaign of its author.
    const bool names_campaign =
        call.has("--store") || call.has("--campaign") || call.has("--script");
    if (call.has("--demo") || (!names_campaign && !std::filesystem::exists(kUsualStoreFile))) {
        return play_demo(call, *now);
    }
    const auto narrator = Narrator::choose(call, std::nullopt, Play::is_cancelled);
    if (!narrator) {
        return narrator.error();
    }
    auto playing = open_session(call);
    if (!playing) {
        return playing.error();
    }
    return Play(call, *playing->session, (*narrator)->model()).run();
}

}  // namespace arbiter::cli
