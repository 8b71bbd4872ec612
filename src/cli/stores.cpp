// migrate, thin: looking after stores.
#include <charconv>

#include "cli/commands.h"
#include "cli/ledger.h"
#include "ledger/archive.h"

namespace arbiter::cli {

using base::ErrorCode;
using ledger::Campaign;

namespace {

// All campaigns of a store into another. What is there already is left, so that it can be done in
// several goes.
Exit copy_all(const Call& call, ledger::Store& from, ledger::Store& to) {
    const Console& console = call.console;
    const auto rows = from.campaigns();
    if (!rows) {
        return trouble(console, rows.error());
    }
    for (const ledger::CampaignRow& row : *rows) {
        const auto campaign = Campaign::look(from, row.id);
        const auto copied = campaign ? ledger::copy_campaign(*campaign, to, progress_of(console))
                                     : std::unexpected(campaign.error());
        if (!copied) {
            return trouble(console, copied.error());
        }
        console.print(console.painted(row.id, Color::kCyan) + "  " +
                      std::string(*copied ? console.say({"copied", "已复制"})
                                          : console.say({"is there already", "已存在"})) +
                      "\n");
    }
    return Exit::kDone;
}

}  // namespace

Exit run_migrate(const Call& call) {
    const Console& console = call.console;
    if (call.arguments.empty()) {
        const auto version = ledger::migrate_store(std::string(call.value("--store", kUsualStore)));
        if (!version) {
            return trouble(console, version.error());
        }
        const std::string words[] = {std::to_string(*version)};
        console.print(base::format_message(
            console.say({"the store is of version {0}\n", "存储版本为 {0}\n"}), words));
        return Exit::kDone;
    }
    const auto from = open_store(call);
    if (!from) {
        return from.error();
    }
    const auto to = ledger::open_store(call.arguments[0]);
    if (!to) {
        return trouble(console, to.error());
    }
    return copy_all(call, **from, **to);
}

Exit run_thin(const Call& call) {
    const Console& console = call.console;
    ledger::Thinning thinning;
    for (const auto& [option, number] :
         {std::pair("--recent", &thinning.recent), std::pair("--every", &thinning.every)}) {
        if (!call.has(option)) {
            continue;
        }
        const std::string text(call.value(option, ""));
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *number);
        if (error != std::errc() || end != text.data() + text.size() || *number < 0) {
            return trouble(console, base::Error(ErrorCode::kBadOptionValue, {option, text, "500"}));
        }
    }
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const auto dropped = ledger::thin(opened->campaign, thinning);
    if (!dropped) {
        return trouble(console, dropped.error());
    }
    const std::string words[] = {std::to_string(*dropped)};
    console.print(base::format_message(
        console.say({"{0} kept states dropped\n", "已去掉 {0} 个完整状态\n"}), words));
    return Exit::kDone;
}

}  // namespace arbiter::cli
