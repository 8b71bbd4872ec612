#include "cli/doctor.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/explain.h"
#include "cli/check_steps.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "cli/narrator.h"
#include "config/protocols.h"
#include "ledger/campaign.h"
#include "ledger/library.h"
#include "openai/models.h"
#include "value/array.h"

namespace arbiter::cli {
namespace {

using base::Text;
using openai::CheckStep;
using Outcome = CheckStep::Outcome;

// Campaigns whose present state is loaded; `arbiter verify --all` looks at everything.
constexpr std::size_t kLoadedMax = 100;
// Free bytes: a busy server writes some hundred megabytes a day.
constexpr std::uintmax_t kFreeBytesMin = std::uintmax_t{100} << 20;
constexpr std::uintmax_t kFreeBytesLow = std::uintmax_t{1} << 30;
// Open files: a connection each for players and models, and those of the store.
constexpr rlim_t kFilesLow = 4096;
constexpr rlim_t kFilesMin = 256;
// A turn that is later than this shows that the clock was, or is, wrong.
constexpr engine::Instant kDay = engine::Instant{24} * 60 * 60 * 1000;

Text words(const base::TextView& pattern, const std::vector<std::string>& arguments) {
    return {base::format_message(pattern.english, arguments),
            base::format_message(pattern.chinese, arguments)};
}

Text words_of(const base::Error& error) {
    return {base::explain(error, base::Language::kEnglish),
            base::explain(error, base::Language::kChinese)};
}

std::string megabytes(std::uintmax_t bytes) {
    return std::to_string(bytes >> 20) + " MB";
}

class Doctor {
  public:
    explicit Doctor(const Call& call) : call_(call), url_(call.value("--store", kUsualStore)) {}

    std::vector<CheckStep> run() {
        check_store();
        check_clock();
        check_disk();
        check_protocols();
        check_upstream();
        check_files();
        return std::move(steps_);
    }

  private:
    void add(std::string_view name, Outcome outcome, Text said, Text advice = {}) {
        steps_.push_back({name, outcome, std::move(said), std::move(advice)});
    }

    void check_store() {
        if (!call_.has("--store") && !std::filesystem::exists(kUsualStoreFile)) {
            add("store", Outcome::kWarned,
                {"There is no store arbiter.db in this folder.",
                 "当前文件夹中没有存储 arbiter.db。"},
                {"Begin a campaign with `arbiter campaign new NAME`, or name a store with --store.",
                 "请用 `arbiter campaign new` 开始一场战役，或用 --store 指定存储。"});
            return;
        }
        const auto store = ledger::open_store(url_, ledger::Access::kRead);
        if (!store) {
            add("store", Outcome::kFailed, words_of(store.error()), advice_on(store.error()));
            return;
        }
        auto campaigns = (*store)->campaigns();
        if (!campaigns) {
            add("store", Outcome::kFailed, words_of(campaigns.error()),
                advice_on(campaigns.error()));
            return;
        }
        std::erase_if(*campaigns, [](const auto& row) { return row.id == ledger::kLibraryId; });
        add("store", Outcome::kPassed,
            words({"The store {0} opens, its schema is up to date. Campaigns: {1}",
                   "存储 {0} 可以打开，数据库模式是最新的。战役数：{1}"},
                  {url_, std::to_string(campaigns->size())}));
        load_campaigns(**store, *campaigns);
    }

    static Text advice_on(const base::Error& error) {
        if (error.code == base::ErrorCode::kStoreOld) {
            return {"Bring it up to date with `arbiter migrate`; make a backup first.",
                    "请先备份，再用 `arbiter migrate` 更新。"};
        }
        if (error.code == base::ErrorCode::kStoreMissing) {
            return {"Check the path; `arbiter campaign new` creates a store.",
                    "请检查路径；`arbiter campaign new` 会新建存储。"};
        }
        if (error.code == base::ErrorCode::kStoreVersion) {
            return {"Use the newer version of Arbiter that wrote it.",
                    "请使用写入它的较新版本的 Arbiter。"};
        }
        return {};
    }

    void load_campaigns(ledger::Store& store, const std::vector<ledger::CampaignRow>& rows) {
        std::string damaged;
        std::size_t count = 0;
        for (const ledger::CampaignRow& row : rows) {
            if (!row.head || count++ >= kLoadedMax) {
                continue;
            }
            const auto campaign = ledger::Campaign::open(store, row.id);
            if (!campaign) {
                damaged += (damaged.empty() ? "" : ", ") + row.id;
                continue;
            }
            if (const auto turn = store.turn(row.id, *row.head); turn && *turn) {
                newest_ = std::max(newest_, (*turn)->time);
            }
        }
        if (!damaged.empty()) {
            add("campaigns", Outcome::kFailed,
                words({"The present state cannot be loaded: {0}", "无法载入当前状态：{0}"},
                      {damaged}),
                {"`arbiter verify --all` names the damage; `arbiter rollback` goes back to an "
                 "intact turn, `arbiter salvage` writes the good part into a new store.",
                 "`arbiter verify --all` 指出损坏之处；`arbiter rollback` 回到完好的回合，"
                 "`arbiter salvage` 把完好的部分写入新的存储。"});
        } else if (count > 0) {
            add("campaigns", Outcome::kPassed,
                words({"Present states that were loaded: {0}. `arbiter verify --all` checks every "
                       "turn.",
                       "已载入的当前状态：{0}。`arbiter verify --all` 会检查每个回合。"},
                      {std::to_string(std::min(count, kLoadedMax))}));
        }
    }

    void check_clock() {
        const auto now = now_of(call_);
        if (!now) {
            return;
        }
        const std::string shown = engine::print_instant(*now);
        // 2025-01-01: no build of Arbiter is older.
        constexpr engine::Instant kEarliest = 1'735'689'600'000;
        if (*now < kEarliest || newest_ > *now + kDay) {
            add("clock", Outcome::kFailed,
                words({"The clock says {0}, which is before the newest turn or before Arbiter "
                       "existed.",
                       "系统时钟为 {0}，早于最新的回合或 Arbiter 的诞生。"},
                      {shown}),
                {"Set the clock: turns, tokens and certificates depend on it.",
                 "请校准时钟：回合、令牌与证书都依赖它。"});
            return;
        }
        add("clock", Outcome::kPassed, words({"The clock says {0}.", "系统时钟为 {0}。"}, {shown}));
    }

    void check_disk() {
        constexpr std::string_view kSqlite = "sqlite:";
        std::filesystem::path folder = ".";
        if (url_.starts_with(kSqlite)) {
            const std::filesystem::path file(url_.substr(kSqlite.size()));
            folder = file.has_parent_path() ? file.parent_path() : folder;
        }
        std::error_code failed;
        const std::filesystem::space_info space = std::filesystem::space(folder, failed);
        if (failed) {
            return;  // the store has reported it
        }
        const std::vector<std::string> about = {megabytes(space.available), folder.string()};
        const Text said = words({"Free space in {1}: {0}", "{1} 的可用空间：{0}"}, about);
        if (space.available >= kFreeBytesLow) {
            add("disk", Outcome::kPassed, said);
            return;
        }
        add("disk", space.available < kFreeBytesMin ? Outcome::kFailed : Outcome::kWarned, said,
            {"Make room: a turn that cannot be written is refused.",
             "请腾出空间：写不下的回合会被拒绝。"});
    }

    void check_protocols() {
        std::vector<std::string> folders;
        if (call_.has("--protocols")) {
            folders.emplace_back(call_.value("--protocols", ""));
        }
        const config::Protocols protocols(std::move(folders));
        for (const config::FileDiagnostics& each : protocols.diagnostics()) {
            const Text why = each.errors.empty() ? Text{"", ""} : words_of(each.errors[0]);
            add("protocols", Outcome::kFailed,
                {each.file + ": " + why.english, each.file + "：" + why.chinese},
                words({"`arbiter protocol lint {0}` shows the lines.",
                       "`arbiter protocol lint {0}` 会指出具体的行。"},
                      {each.file}));
        }
        if (protocols.diagnostics().empty()) {
            add("protocols", Outcome::kPassed,
                words({"Protocols that can be used: {0}", "可用的协议：{0}"},
                      {std::to_string(protocols.library()->rows().size())}));
        }
    }

    void check_upstream() {
        const std::string file = call_.has("--config") ? std::string(call_.value("--config", ""))
                                                       : openai::default_upstream_file();
        auto upstream = openai::choose_upstream(
            {.file = call_.has("--config") ? std::optional(file) : std::nullopt});
        if (!upstream) {
            for (const base::Error& error : upstream.error().errors) {
                add("upstream", Outcome::kFailed, words_of(error),
                    words({"Correct {0}, or write it again with `arbiter connect`.",
                           "请修改 {0}，或用 `arbiter connect` 重新写入。"},
                          {file}));
            }
            return;
        }
        if (!*upstream) {
            add("upstream", Outcome::kWarned, {"No model is connected.", "尚未连接模型。"},
                {"Set one up with `arbiter connect --upstream URL`.",
                 "请用 `arbiter connect --upstream URL` 设置。"});
            return;
        }
        struct stat status{};
        if ((*upstream)->key_env.empty() && !(*upstream)->key.empty() &&
            stat(file.c_str(), &status) == 0 && (status.st_mode & 0077U) != 0) {
            add("key", Outcome::kFailed,
                words({"Others can read the key in {0}.", "其他用户可以读取 {0} 中的密钥。"},
                      {file}),
                words({"chmod 600 {0}", "chmod 600 {0}"}, {file}));
        }
        net::Loops loops(1);
        openai::ProbeReport report = openai::probe(loops, **upstream);
        std::ranges::move(report.steps, std::back_inserter(steps_));
    }

    void check_files() {
        rlimit limit{};
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
            return;
        }
        const Text said = words({"Files that may be open at once: {0}", "可同时打开的文件数：{0}"},
                                {std::to_string(limit.rlim_cur)});
        if (limit.rlim_cur >= kFilesLow) {
            add("files", Outcome::kPassed, said);
            return;
        }
        add("files", limit.rlim_cur < kFilesMin ? Outcome::kFailed : Outcome::kWarned, said,
            {"A server for many players needs more: `ulimit -n 20000`, or LimitNOFILE= in its "
             "systemd unit.",
             "服务多名玩家时需要更多：`ulimit -n 20000`，或在 systemd 单元中设置 LimitNOFILE=。"});
    }

    const Call& call_;
    std::string url_;
    engine::Instant newest_ = 0;
    std::vector<CheckStep> steps_;
};

Exit run_doctor(const Call& call) {
    const std::vector<CheckStep> steps = Doctor(call).run();
    const bool is_healthy = std::ranges::none_of(
        steps, [](const CheckStep& step) { return step.outcome == Outcome::kFailed; });
    if (call.console.json) {
        value::Array list;
        for (const CheckStep& step : steps) {
            list = std::move(list).push_back(openai::to_value(step));
        }
        call.console.print(json_line({{"healthy", is_healthy}, {"checks", std::move(list)}}));
    } else {
        print_steps(call.console, steps);
    }
    return is_healthy ? Exit::kDone : Exit::kNo;
}

constexpr Option kOptions[] = {
    {"--store",
     "URL",
     {"the store to check; sqlite:arbiter.db by default", "要检查的存储；默认 sqlite:arbiter.db"}},
    {"--protocols", "FOLDER", {"folder of your own protocols", "你自己的协议文件夹"}},
    {"--config",
     "FILE",
     {"where the model is configured; see arbiter connect", "模型的配置文件；见 arbiter connect"}},
    {"--now",
     "TIME",
     {"the present, in UTC; the clock by default", "当前时间（UTC）；默认取系统时钟"}},
    {"--json",
     "",
     {"one JSON object (docs/scripts.md)", "输出一个 JSON 对象（见 docs/scripts.md）"}},
};
constexpr Example kExamples[] = {
    {"arbiter doctor", {"check this folder and the model", "检查当前文件夹与模型"}},
    {"arbiter doctor --store postgres://… --json", {"for monitoring", "供监控使用"}},
};
constexpr Command kCommands[] = {
    {"doctor",
     {"check store, protocols, model and machine", "检查存储、协议、模型与本机"},
     {"Opens the store for reading, loads the present state of its campaigns and the protocols,\n"
      "tests the connected model, and looks at clock, disk space and limits. Says what to do "
      "about\n"
      "each problem; changes nothing. Exit code 1 when something does not work.",
      "以只读方式打开存储，载入各战役的当前状态与协议，测试已连接的模型，并检查时钟、磁盘空间和限制"
      "。\n"
      "对每个问题给出解决办法；不做任何改动。有问题时退出码为 1。"},
     {},
     kOptions,
     kExamples,
     run_doctor},
};

}  // namespace

std::span<const Command> doctor_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
