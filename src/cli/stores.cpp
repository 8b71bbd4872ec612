#include "cli/stores.h"

#include "cli/ledger.h"
#include "ledger/archive.h"
#include "ledger/backup.h"
#include "ledger/keyframes.h"

namespace arbiter::cli {

using ledger::Campaign;

namespace {

// Copies all campaigns and named texts of a store into another. Skips existing campaigns, so that
// an interrupted copy can be resumed.
Exit copy_all(const Call& call, ledger::Store& from, ledger::Store& to) {
    const Console& console = call.console;
    const auto rows = from.campaigns();
    if (!rows) {
        return trouble(console, rows.error());
    }
    for (const ledger::CampaignRow& row : *rows) {
        const auto campaign = Campaign::open_without_state(from, row.id);
        const auto copied = campaign ? ledger::copy_campaign(*campaign, to, progress_of(console))
                                     : std::unexpected(campaign.error());
        if (!copied) {
            // Nothing stays of a campaign that was not copied to its end.
            if (const auto rest = to.campaign(row.id); rest && !rest->head) {
                (void)to.delete_campaign(row.id);
            }
            return trouble(console, copied.error());
        }
        console.print(console.painted(row.id, Color::kCyan) + "  " +
                      std::string(*copied ? console.say({"copied", "已复制"})
                                          : console.say({"is there already", "已存在"})) +
                      "\n");
    }
    const auto copied = ledger::copy_named_texts(from, to);
    return copied ? Exit::kDone : trouble(console, copied.error());
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
    const auto from = open_store(call, ledger::Access::kRead);
    if (!from) {
        return from.error();
    }
    const auto to = ledger::open_store(call.arguments[0], ledger::Access::kCreate);
    if (!to) {
        return trouble(console, to.error());
    }
    return copy_all(call, **from, **to);
}

Exit run_backup(const Call& call) {
    const Console& console = call.console;
    const auto store = open_store(call, ledger::Access::kRead);
    if (!store) {
        return store.error();
    }
    const std::string& file = call.arguments[0];
    if (const auto done = ledger::back_up(**store, file); !done) {
        return trouble(console, done.error());
    }
    const std::string words[] = {file};
    console.print(base::format_message(
        console.say({"the store was copied to {0}\n", "存储已备份到 {0}\n"}), words));
    return Exit::kDone;
}

Exit run_thin(const Call& call) {
    const Console& console = call.console;
    ledger::Thinning thinning;
    const auto recent = number_of(call, "--recent", static_cast<std::size_t>(thinning.recent));
    const auto every = number_of(call, "--every", static_cast<std::size_t>(thinning.every));
    if (!recent || !every) {
        return Exit::kTrouble;
    }
    thinning.recent = static_cast<std::int64_t>(*recent);
    thinning.every = static_cast<std::int64_t>(*every);
    const auto opened = look_at_campaign(call, ledger::Access::kWrite);
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
