#include "cli/ledger.h"

#include <chrono>
#include <csignal>

#include "base/limits.h"
#include "cli/cards.h"
#include "cli/profiles.h"
#include "ledger/library.h"

namespace arbiter::cli {

using base::ErrorCode;
using base::Result;
using config::World;
using ledger::Campaign;
using ledger::Digest;
using value::Object;
using value::Value;

namespace {

// Somebody wants the long work to stop.
volatile std::sig_atomic_t g_interrupted = 0;

void interrupt(int) {
    g_interrupted = 1;
}

// "profile auto": how a text is called in what a turn was judged under.
std::string key_of(const config::Source& source) {
    return std::string(name(source.kind)) + " " + source.name;
}

std::optional<config::Source> source_of(std::string_view key) {
    for (const config::TextKind kind :
         {config::TextKind::kProfile, config::TextKind::kRulebook, config::TextKind::kProtocol}) {
        const std::string prefix = std::string(name(kind)) + " ";
        if (key.starts_with(prefix)) {
            return config::Source{kind, std::string(key.substr(prefix.size())), {}};
        }
    }
    return std::nullopt;
}

}  // namespace

Exit trouble(const Console& console, const base::Error& error) {
    report(console, error, "arbiter", {});
    return Exit::kTrouble;
}

std::expected<std::unique_ptr<ledger::Store>, Exit> open_store(const Call& call) {
    auto store = ledger::open_store(call.value("--store", kUsualStore));
    if (!store) {
        return std::unexpected(trouble(call.console, store.error()));
    }
    return std::move(*store);
}

namespace {

using Opener = Result<Campaign> (*)(ledger::Store&, std::string_view);

std::expected<Opened, Exit> open_with(const Call& call, Opener open) {
    auto store = open_store(call);
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
        if (all->size() != 1) {
            return std::unexpected(
                trouble(call.console, base::Error(ErrorCode::kMissingArgument, {"--campaign"})));
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
    return open_with(call, Campaign::open);
}
std::expected<Opened, Exit> look_at_campaign(const Call& call) {
    return open_with(call, Campaign::look);
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
        return std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::system_clock::now().time_since_epoch())
            .count();
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

Object rules_of(const World& world) {
    Object rules;
    for (const config::Source& source : world.sources) {
        rules = std::move(rules).set(value::Str(key_of(source)),
                                     std::string_view(ledger::sha256(source.text).hex()));
    }
    return rules;
}

std::vector<ledger::Blob> texts_of(const World& world) {
    std::vector<ledger::Blob> texts;
    for (const config::Source& source : world.sources) {
        texts.push_back({ledger::sha256(source.text), ledger::pack(source.text)});
    }
    return texts;
}

Result<World> world_of(const Campaign& campaign, const Object& rules) {
    std::vector<config::Source> sources;
    for (const auto& [key, digest] : rules) {
        // Kept with the first turn, and no rule.
        if (key == kCardKey) {
            continue;
        }
        auto source = source_of(key);
        const auto id = digest.is_string() ? Digest::from_hex(digest.as_string()) : std::nullopt;
        if (!source || !id) {
            return base::fail(ErrorCode::kRecordField, {"rules"});
        }
        const auto packed = campaign.store().blob(campaign.row().id, *id);
        if (!packed) {
            return std::unexpected(packed.error());
        }
        auto text = *packed ? ledger::unpack(**packed, base::kRecordBytesMax)
                            : Result<std::string>(std::string());
        if (!text || ledger::sha256(*text) != *id) {
            return base::fail(ErrorCode::kCorrupt,
                              {std::string(key.view()), "its text is missing or damaged"});
        }
        source->text = *std::move(text);
        sources.push_back(*std::move(source));
    }
    if (sources.empty()) {
        return base::fail(ErrorCode::kRecordField, {"rules"});
    }
    const std::string profile = sources[0].name;
    auto world = config::load_world(profile, std::move(sources));
    if (!world) {
        return std::unexpected(std::move(world.error().errors[0]));
    }
    return *std::move(world);
}

ledger::Progress progress_of(const Console& console) {
    std::signal(SIGINT, interrupt);
    return [&console, last = std::size_t{0}](std::size_t done, std::size_t all) mutable {
        constexpr std::size_t kStep = 500;
        if (console.color_err && done >= last + kStep) {
            last = done;
            console.complain("\r" + std::to_string(done) + " / " + std::to_string(all) +
                             (done + kStep >= all ? "\r" : ""));
        }
        return g_interrupted == 0;
    };
}

}  // namespace arbiter::cli
