#include "cli/ledger.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>

#include "campaign/clock.h"
#include "campaign/globals.h"
#include "campaign/redaction.h"
#include "cli/json_lines.h"
#include "cli/profiles.h"
#include "ledger/history.h"
#include "ledger/library.h"
#include "text/join.h"

namespace arbiter::cli {

using base::ErrorCode;
using base::Result;
using ledger::Campaign;

namespace {

// Set by SIGINT to stop a long operation.
volatile std::sig_atomic_t g_interrupted = 0;

void interrupt(int) {
    g_interrupted = 1;
}

}  // namespace

Exit trouble(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    if (console.json) {
        const std::string message = base::explain(error, console.language);
        console.print(
            json_line({{"error", base::name(error.code)}, {"message", std::string_view(message)}}));
    }
    switch (error.code) {
        case ErrorCode::kHeadMoved:
        case ErrorCode::kHeadElsewhere:
            return Exit::kHeadMoved;
        case ErrorCode::kTurnUncertain:
            return Exit::kUncertain;
        case ErrorCode::kKeyReused:
            return Exit::kKeyReused;
        default:
            return Exit::kTrouble;
    }
}

std::expected<std::unique_ptr<ledger::Store>, Exit> open_store(const Call& call,
                                                               ledger::Access access) {
    auto store = ledger::open_store(call.value("--store", kUsualStore), access);
    if (!store) {
        return std::unexpected(trouble(call.console, store.error()));
    }
    return std::move(*store);
}

namespace {

using Opener = Result<Campaign> (*)(ledger::Store&, std::string_view);

std::expected<Opened, Exit> open_with(const Call& call, Opener open, ledger::Access access) {
    auto store = open_store(call, access);
    if (!store) {
        return std::unexpected(store.error());
    }
    std::string id(call.value("--campaign", ""));
    if (id.empty()) {
        auto all = (*store)->campaigns();
        if (!all) {
            return std::unexpected(trouble(call.console, all.error()));
        }
        std::erase_if(*all, [](const auto& row) { return row.id == ledger::kLibraryId; });
        // A copy that was interrupted has no head; it is not meant while there are others.
        if (std::ranges::any_of(*all, [](const auto& row) { return row.head.has_value(); })) {
            std::erase_if(*all, [](const auto& row) { return !row.head; });
        }
        if (all->empty()) {
            return std::unexpected(trouble(
                call.console, base::Error(ErrorCode::kNoCampaigns,
                                          {std::string(call.value("--store", kUsualStore))})));
        }
        if (all->size() > 1) {
            constexpr std::size_t kListedMax = 20;
            const std::size_t listed = std::min(all->size(), kListedMax);
            std::string ids =
                text::join(std::span(*all).first(listed), ", ", &ledger::CampaignRow::id);
            if (listed < all->size()) {
                ids += ", …";
            }
            return std::unexpected(
                trouble(call.console, base::Error(ErrorCode::kWhichCampaign, {std::move(ids)})));
        }
        id = (*all)[0].id;
    }
    auto campaign = open(**store, id);
    if (!campaign) {
        return std::unexpected(trouble(call.console, campaign.error()));
    }
    return Opened{std::move(*store), *std::move(campaign)};
}

}  // namespace

std::expected<Opened, Exit> open_campaign(const Call& call) {
    return open_with(call, Campaign::open, ledger::Access::kRead);
}
std::expected<Opened, Exit> look_at_campaign(const Call& call, ledger::Access access) {
    return open_with(call, Campaign::open_without_state, access);
}

std::expected<ledger::TurnId, Exit> turn_of(const Call& call, const Campaign& campaign,
                                            std::size_t argument) {
    const std::string text = argument < call.arguments.size() ? call.arguments[argument] : "head";
    const auto found = campaign.find(text);
    if (!found) {
        return std::unexpected(trouble(call.console, found.error()));
    }
    return *found;
}

std::expected<engine::Instant, Exit> now_of(const Call& call) {
    if (!call.has("--now")) {
        return campaign::clock_now();
    }
    const std::string text(call.value("--now", ""));
    const auto now = engine::parse_instant(text);
    if (!now) {
        return std::unexpected(trouble(
            call.console,
            base::Error(ErrorCode::kBadOptionValue, {"--now", text, "2026-01-01T00:00:00Z"})));
    }
    return *now;
}

std::expected<std::size_t, Exit> number_of(const Call& call, std::string_view option,
                                           std::size_t otherwise) {
    if (!call.has(option)) {
        return otherwise;
    }
    const std::string text(call.value(option, ""));
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        const std::string wanted(call.console.say({"a whole number, such as 20", "整数，例如 20"}));
        return std::unexpected(
            trouble(call.console,
                    base::Error(ErrorCode::kBadOptionValue, {std::string(option), text, wanted})));
    }
    return number;
}

config::Protocols load_protocols(const Console& console, const std::optional<std::string>& folder) {
    std::vector<std::string> folders;
    if (folder) {
        folders.push_back(*folder);
    }
    config::Protocols protocols(std::move(folders));
    for (const config::FileDiagnostics& each : protocols.diagnostics()) {
        report(console, each);
    }
    return protocols;
}
config::Protocols protocols_of(const Call& call) {
    return load_protocols(call.console, call.has("--protocols") ? std::optional<std::string>(
                                                                      call.value("--protocols", ""))
                                                                : std::nullopt);
}

std::expected<std::size_t, Exit> window_of(const Call& call) {
    return number_of(call, "--tokens", prompt::kContextTokens);
}

campaign::SessionOptions session_options_of(const Call& call, ledger::Store& store) {
    campaign::SessionOptions options{protocols_of(call)};
    options.language = call.console.language;
    options.context_tokens = window_of(call).value_or(prompt::kContextTokens);
    options.globals = campaign::globals_of(store);
    return options;
}

namespace {

using SessionOpener = Result<std::unique_ptr<campaign::Session>> (*)(ledger::Store&,
                                                                     std::string_view,
                                                                     campaign::SessionOptions);

std::expected<Playing, Exit> open_session_with(const Call& call, SessionOpener open,
                                               ledger::Access access) {
    auto found = look_at_campaign(call, access);
    if (!found) {
        return std::unexpected(found.error());
    }
    auto session =
        open(*found->store, found->campaign.row().id, session_options_of(call, *found->store));
    if (!session) {
        return std::unexpected(trouble(call.console, session.error()));
    }
    return Playing{std::move(found->store), *std::move(session)};
}

}  // namespace

std::expected<Playing, Exit> open_session(const Call& call, ledger::Access access) {
    return open_session_with(call, campaign::Session::open, access);
}
std::expected<Playing, Exit> open_session_to_move(const Call& call, ledger::Access access) {
    return open_session_with(call, campaign::Session::open_to_move, access);
}

namespace {

table::Viewer viewer_of(const Call& call) {
    return call.has("--reveal") ? table::Viewer::kOperator : table::Viewer::kPlayer;
}

}  // namespace

table::Redactor redactor_of(const Call& call, const Campaign& campaign) {
    return campaign::redactor_of(campaign, viewer_of(call));
}

table::Redactor redactor_during(const Call& call, const Campaign& campaign,
                                const ledger::TurnId& turn) {
    return campaign::redactor_during(campaign, turn, viewer_of(call));
}

ledger::Progress progress_of(const Console& console) {
    std::signal(SIGINT, interrupt);
    return [&console, last = std::size_t{0}](std::size_t done, std::size_t all) mutable {
        constexpr std::size_t kStep = 500;
        if (console.color_err && done >= last + kStep) {
            last = done;
            console.show_progress(std::to_string(done) + " / " + std::to_string(all));
            if (done + kStep >= all) {
                console.show_progress("");
            }
        }
        return g_interrupted == 0;
    };
}

void say_where(const Console& console, const ledger::Campaign& campaign) {
    say_where(console, campaign.row().id, campaign.story_number(), campaign.head());
}

void say_where(const Console& console, const std::string& campaign, std::int64_t number,
               const ledger::TurnId& turn) {
    const std::string words[] = {on_one_line(campaign), std::to_string(number), turn.brief()};
    console.print(base::format_message(
        console.say({"{0}: turn {1} ({2})\n", "{0}：第 {1} 回合（{2}）\n"}), words));
}

std::expected<campaign::Display, Exit> display_of(const Call& call, const Opened& opened) {
    auto display = campaign::Display::of(opened.campaign, campaign::globals_of(*opened.store));
    return display ? std::expected<campaign::Display, Exit>(*std::move(display))
                   : std::unexpected(trouble(call.console, display.error()));
}

std::string last_words(const campaign::Session& session) {
    const ledger::Campaign campaign = session.campaign();
    const auto display = session.display();
    std::string words;
    (void)campaign.visit_back(campaign.head(), ledger::Store::Content::kWhole,
                              [&](const ledger::TurnRow& row) -> base::Result<bool> {
                                  const auto record = campaign.record_of(row);
                                  if (!record || !display || !record->edit) {
                                      words = record && display ? display->shown(*record) : "";
                                      return false;
                                  }
                                  return true;
                              });
    return words;
}

}  // namespace arbiter::cli
