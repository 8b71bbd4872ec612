#include "cli/archives.h"

#include <span>
#include <thread>

#include "base/limits.h"
#include "base/phrases.h"
#include "campaign/archive.h"
#include "campaign/replay.h"
#include "cli/documents.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "config/embedded.h"
#include "config/files.h"
#include "ledger/rebuild.h"
#include "ledger/salvage.h"
#include "table/layout.h"
#include "text/utf8.h"
#include "value/diff.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using ledger::Campaign;
using ledger::CheckReport;
using ledger::TurnDefect;
using value::Object;
using value::Value;

// 12 7c1c233dad: a rule text is missing or damaged (profile mvu)
std::string defect_line(const Console& console, const TurnDefect& defect) {
    return std::to_string(defect.number) + " " + defect.turn.brief() + ": " +
           std::string(base::in_words(defect.message, console.language)) +
           (defect.about.empty() ? "" : " (" + on_one_line(defect.about) + ")");
}

Object defect_json(const TurnDefect& defect) {
    Object json = {{"number", defect.number},
                   {"id", std::string_view(defect.turn.hex())},
                   {"message", std::string_view(defect.message)},
                   {"message_zh", base::in_words(defect.message, base::Language::kChinese)}};
    return defect.about.empty() ? json : json.set("about", std::string_view(defect.about));
}

value::Array defects_json(const std::vector<TurnDefect>& defects) {
    value::Array list;
    for (const TurnDefect& each : defects) {
        list = std::move(list).push_back(defect_json(each));
    }
    return list;
}

std::string problems_text(const Console& console, const std::vector<base::Error>& problems) {
    std::string out;
    for (const base::Error& each : problems) {
        out +=
            console.painted(on_one_line(base::explain(each, console.language)), Color::kRed) + "\n";
    }
    return out;
}

value::Array problems_json(const std::vector<base::Error>& problems) {
    value::Array list;
    for (const base::Error& each : problems) {
        const std::string english = base::explain(each, base::Language::kEnglish);
        const std::string chinese = base::explain(each, base::Language::kChinese);
        list = std::move(list).push_back(Object{{"message", std::string_view(english)},
                                                {"message_zh", std::string_view(chinese)}});
    }
    return list;
}

bool is_clean(const CheckReport& report) {
    return report.defects.empty() && !report.is_stopped;
}

std::string report_text(const Console& console, const CheckReport& report) {
    std::string out;
    for (const TurnDefect& defect : report.defects) {
        out += console.painted(defect_line(console, defect), Color::kRed) + "\n";
    }
    for (const TurnDefect& defect : report.repaired) {
        out += console.painted(defect_line(console, defect), Color::kYellow) + "\n";
    }
    const std::string words[] = {std::to_string(report.turns), std::to_string(report.commands),
                                 std::to_string(report.defects.size())};
    out += base::format_message(
        report.is_stopped ? console.say({"stopped after {0} turns\n", "已在 {0} 回合后停止\n"})
                          : console.say({"{0} turns, {1} commands, {2} findings\n",
                                         "{0} 回合，{1} 条指令，{2} 处问题\n"}),
        words);
    if (!report.repaired.empty()) {
        const std::string repaired[] = {std::to_string(report.repaired.size())};
        out += base::format_message(
            console.say({"{0} turns are read with U+FFFD for bytes that are not UTF-8\n",
                         "{0} 个回合含有不是 UTF-8 的字节，读取时以 U+FFFD 代替\n"}),
            repaired);
    }
    if (report.unjudged > 0) {
        const std::string unjudged[] = {std::to_string(report.unjudged)};
        out += base::format_message(
            console.say({"{0} turns were judged by an older version; their recorded changes were "
                         "applied\n",
                         "{0} 个回合由旧版本裁决，已按记录的变化应用\n"}),
            unjudged);
    }
    return out;
}

Object report_json(std::string_view campaign, const CheckReport& report) {
    return {{"campaign", campaign},
            {"turns", static_cast<std::int64_t>(report.turns)},
            {"commands", static_cast<std::int64_t>(report.commands)},
            {"findings", defects_json(report.defects)},
            {"repaired", defects_json(report.repaired)},
            {"is_stopped", report.is_stopped}};
}

// Checks the campaigns of a store and the store itself.
class Verification {
  public:
    Verification(const Call& call, ledger::Store& store) : call_(call), store_(store) {}

    Exit run(const std::vector<ledger::CampaignRow>& rows) {
        const auto problems = store_.check();
        if (!problems) {
            return trouble(call_.console, problems.error());
        }
        is_clean_ = problems->empty();
        print(problems_text(call_.console, *problems));
        for (const ledger::CampaignRow& row : rows) {
            if (rows.size() > 1 || call_.has("--all")) {
                print(call_.console.painted(on_one_line(text::repair(row.id)), Color::kCyan) +
                      "  ");
            }
            check(row);
        }
        if (call_.has("--json")) {
            call_.console.print(json_line({{"is_intact", is_clean_},
                                           {"store", problems_json(*problems)},
                                           {"campaigns", std::move(reports_)}}));
        }
        return is_clean_ ? Exit::kDone : Exit::kNo;
    }

  private:
    void print(const std::string& text) {
        if (!call_.has("--json")) {
            call_.console.print(text);
        }
    }
    void check(const ledger::CampaignRow& row) {
        const auto campaign = Campaign::open_without_state(store_, row.id);
        const auto report = campaign ? ledger::verify(*campaign, progress_of(call_.console))
                                     : std::unexpected(campaign.error());
        const std::string id = text::repair(row.id);
        if (!report) {
            is_clean_ = false;
            const std::string why = base::explain(report.error(), call_.console.language);
            print(call_.console.painted(why, Color::kRed) + "\n");
            reports_ = std::move(reports_).push_back(
                Object{{"campaign", std::string_view(id)}, {"error", std::string_view(why)}});
            return;
        }
        is_clean_ = is_clean_ && is_clean(*report);
        print(report_text(call_.console, *report));
        reports_ = std::move(reports_).push_back(report_json(id, *report));
    }

    const Call& call_;
    ledger::Store& store_;
    bool is_clean_ = true;
    value::Array reports_;
};

// Texts that a damaged store may have lost: those of other campaigns in it, and those that are part
// of the program.
std::optional<std::string> find_text(ledger::Store& store,
                                     const std::vector<ledger::CampaignRow>& rows,
                                     const ledger::Digest& digest) {
    for (const ledger::CampaignRow& row : rows) {
        if (auto text = ledger::load_text(store, row.id, digest)) {
            return *std::move(text);
        }
    }
    for (const auto& files : {config::built_in_profiles(), config::built_in_rulebooks(),
                              config::built_in_protocols(), config::built_in_tools()}) {
        for (const config::EmbeddedFile& file : files) {
            if (ledger::sha256(file.text) == digest) {
                return std::string(file.text);
            }
        }
    }
    return std::nullopt;
}

std::string salvage_text(const Console& console, std::string_view id,
                         const ledger::SalvageReport& report) {
    const std::string words[] = {std::string(id), std::to_string(report.kept),
                                 std::to_string(report.lost.size())};
    std::string out = base::format_message(
        !report.is_written
            ? console.say({"{0}: nothing could be saved\n", "{0}：没有可以抢救的内容\n"})
        : report.lost.empty() ? console.say({"{0}: {1} turns copied, nothing is missing\n",
                                             "{0}：已复制 {1} 个回合，没有缺失\n"})
                              : console.say({"{0}: {1} turns copied, {2} items are missing\n",
                                             "{0}：已复制 {1} 个回合，缺失 {2} 项\n"}),
        words);
    for (const TurnDefect& each : report.lost) {
        out += "\t" + console.painted(defect_line(console, each), Color::kRed) + "\n";
    }
    if (report.added_state) {
        const std::string number[] = {std::to_string(*report.added_state)};
        out += base::format_message(
            console.say(
                {"\tthe state of turn {0} was added as an edit: the story goes on from it\n",
                 "\t已把第 {0} 回合的状态作为一次修改加入，故事可以由此继续\n"}),
            number);
    }
    return out;
}

Object salvage_json(std::string_view id, const ledger::SalvageReport& report) {
    Object json = {{"campaign", id},
                   {"is_written", report.is_written},
                   {"kept", static_cast<std::int64_t>(report.kept)},
                   {"lost", defects_json(report.lost)}};
    return report.added_state ? json.set("added_state", *report.added_state) : json;
}

}  // namespace

Exit run_verify(const Call& call) {
    if (call.has("--all")) {
        const auto store = open_store(call, ledger::Access::kRead);
        if (!store) {
            return store.error();
        }
        const auto rows = (*store)->campaigns();
        return rows ? Verification(call, **store).run(*rows) : trouble(call.console, rows.error());
    }
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    return Verification(call, *opened->store).run({opened->campaign.row()});
}

namespace {

// Stores the state that the history leads to as an edit, if it is not the present one.
Exit repair(const Call& call, const Campaign& seen, const ledger::Replayer& replayer) {
    const Console& console = call.console;
    const auto now = now_of(call);
    if (!now) {
        return now.error();
    }
    const auto rebuilt = ledger::replayed_state(seen, replayer, progress_of(console));
    if (!rebuilt) {
        return trouble(console, rebuilt.error());
    }
    if (!*rebuilt) {
        return Exit::kNo;  // stopped
    }
    auto campaign = Campaign::open(seen.store(), seen.row().id);
    if (!campaign) {
        return trouble(console, campaign.error());
    }
    if (ledger::hash_of(**rebuilt) == ledger::hash_of(campaign->state())) {
        console.print(console.say({"The history leads to the present state: nothing to repair.\n",
                                   "重演历史得到的就是当前状态，无需修复。\n"}));
        return Exit::kDone;
    }
    std::size_t changes = 0;
    for (const value::Change& change :
         value::diff(campaign->state().document, (*rebuilt)->document)) {
        changes += table::is_bookkeeping(change.path) ? 0 : 1;
    }
    if (auto kept = campaign->edit(**rebuilt, *now, "rebuilt from the history"); !kept) {
        return trouble(console, kept.error());
    }
    const std::string words[] = {std::to_string(changes)};
    console.print(base::format_message(
        console.say({"The state is now the one that the history leads to: {0} places changed.\n",
                     "状态已恢复为历史重演的结果：改动 {0} 处。\n"}),
        words));
    return Exit::kDone;
}

}  // namespace

Exit run_rebuild(const Call& call) {
    const auto opened = look_at_campaign(
        call, call.has("--repair") ? ledger::Access::kWrite : ledger::Access::kRead);
    if (!opened) {
        return opened.error();
    }
    const Campaign& campaign = opened->campaign;
    const auto player = [&] {
        return ledger::Replayer{
            campaign::replay_step(campaign),
            call.has("--from-text") ? campaign::reread_step(campaign) : ledger::Reread()};
    };
    const auto report = ledger::rebuild(campaign, player, progress_of(call.console),
                                        std::thread::hardware_concurrency());
    if (!report) {
        return trouble(call.console, report.error());
    }
    call.console.print(report_text(call.console, *report));
    if (call.has("--repair") && !report->is_stopped) {
        return repair(call, campaign, player());
    }
    return is_clean(*report) ? Exit::kDone : Exit::kNo;
}

Exit run_salvage(const Call& call) {
    const Console& console = call.console;
    const auto from = open_store(call, ledger::Access::kSalvage);
    if (!from) {
        return from.error();
    }
    const auto rows = (*from)->campaigns();
    if (!rows) {
        return trouble(console, rows.error());
    }
    const auto to = ledger::open_store(call.arguments[0]);
    if (!to) {
        return trouble(console, to.error());
    }
    const ledger::FindText texts = [&](const ledger::Digest& digest) {
        return find_text(**from, *rows, digest);
    };
    // Such as a damaged log, whose turns no campaign knows of.
    auto problems = (*from)->check();
    if (const auto copied = ledger::copy_named_texts(**from, **to); !copied && problems) {
        problems->push_back(copied.error());
    }
    const std::vector<base::Error> found =
        problems ? *std::move(problems) : std::vector{problems.error()};
    bool is_whole = found.empty();
    if (!call.has("--json")) {
        console.print(problems_text(console, found));
    }
    value::Array reports;
    for (const ledger::CampaignRow& row : *rows) {
        const auto report = ledger::salvage(**from, row, **to, texts);
        if (!report) {
            return trouble(console, report.error());
        }
        is_whole = is_whole && report->is_whole();
        const std::string id = on_one_line(text::repair(row.id));
        if (call.has("--json")) {
            reports = std::move(reports).push_back(salvage_json(id, *report));
        } else {
            console.print(salvage_text(console, id, *report));
        }
    }
    if (call.has("--json")) {
        console.print(json_line({{"is_whole", is_whole},
                                 {"store", problems_json(found)},
                                 {"campaigns", std::move(reports)}}));
    }
    return is_whole ? Exit::kDone : Exit::kNo;
}

Exit run_export(const Call& call) {
    const Console& console = call.console;
    const auto opened = look_at_campaign(call);
    if (!opened) {
        return opened.error();
    }
    const auto display = display_of(call, *opened);
    if (!display) {
        return display.error();
    }
    const auto text = call.has("--player")
                          ? campaign::export_story(opened->campaign, *display,
                                                   redactor_of(call, opened->campaign))
                          : campaign::export_archive(opened->campaign, progress_of(console));
    if (!text) {
        return trouble(console, text.error());
    }
    if (call.arguments.empty()) {
        console.print_data(*text);
        return Exit::kDone;
    }
    const auto saved = write_file(call.arguments[0], *text);
    return saved ? Exit::kDone : trouble(console, saved.error());
}

Exit run_import(const Call& call) {
    const Console& console = call.console;
    const std::string& file = call.arguments[0];
    const auto opened =
        file == "-" ? base::Result<config::OpenFile>(nullptr) : config::open_file(file);
    if (!opened) {
        return trouble(console, opened.error());
    }
    const auto store = open_store(call, ledger::Access::kCreate);
    if (!store) {
        return store.error();
    }
    std::FILE* stream = *opened != nullptr ? opened->get() : console.in;
    const auto id = campaign::import_archive(
        **store,
        [&](std::span<char> block) { return std::fread(block.data(), 1, block.size(), stream); },
        progress_of(console));
    if (!id) {
        report(console, id.error(), file, {});
        const bool is_refused = id.error().code != ErrorCode::kCampaignExists &&
                                id.error().code != ErrorCode::kStoreFailed;
        return is_refused ? Exit::kNo : Exit::kTrouble;
    }
    console.print(*id + "\n");
    return Exit::kDone;
}

}  // namespace arbiter::cli
