#include "cli/projects.h"

#include <filesystem>
#include <system_error>

#include "cli/ledger.h"
#include "config/embedded.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

constexpr std::string_view kCardProject = "card-project";

// Fails for a folder that has files already: nothing is ever overwritten.
base::Result<> make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && !std::filesystem::is_empty(folder, error) && !error) {
        error = std::make_error_code(std::errc::directory_not_empty);
    }
    if (error) {
        return base::fail(ErrorCode::kFileUnwritable, {folder.string(), error.message()});
    }
    return {};
}

// Writes the files whose names begin with `prefix`; returns how many.
base::Result<std::size_t> write_files(std::string_view prefix,
                                      const std::filesystem::path& folder) {
    std::size_t count = 0;
    for (const config::EmbeddedFile& each : config::built_in_projects()) {
        if (!each.name.starts_with(prefix)) {
            continue;
        }
        const std::filesystem::path file = folder / each.name.substr(prefix.size());
        std::error_code error;
        std::filesystem::create_directories(file.parent_path(), error);
        if (error) {
            return base::fail(ErrorCode::kFileUnwritable, {file.string(), error.message()});
        }
        if (auto written = write_file(file.string(), each.text); !written) {
            return std::unexpected(std::move(written.error()));
        }
        ++count;
    }
    return count;
}

Exit run_new(const Call& call) {
    const Console& console = call.console;
    const std::string& kind = call.arguments[0];
    if (kind != kCardProject) {
        return trouble(console, base::Error(ErrorCode::kBadOptionValue,
                                            {"KIND", kind, std::string(kCardProject)}));
    }
    const std::string& folder = call.arguments[1];
    const bool is_chinese = console.language == base::Language::kChinese;
    if (const auto made = make_folder(folder); !made) {
        return trouble(console, made.error());
    }
    const auto count = write_files(kind + (is_chinese ? "/zh/" : "/en/"), folder);
    if (!count) {
        return trouble(console, count.error());
    }
    const std::string words[] = {folder, std::to_string(*count)};
    console.print(base::format_message(
        console.say({"{0}: {1} files. Go on with: cd {0}, then README.md\n",
                     "{0}：已写入 {1} 个文件。接下来：cd {0}，然后看 README.md\n"}),
        words));
    return Exit::kDone;
}

constexpr Argument kArguments[] = {
    {"KIND",
     true,
     {"card-project: card, rulebook, protocol, tool, table, tests and README",
      "card-project：角色卡、规则书、协议、工具、跑团模板、测试与说明"},
     false,
     "card-project"},
    {"DIR", true, {"a new or empty folder", "新的或空的文件夹"}},
};
constexpr Example kExamples[] = {
    {"arbiter new card-project inn", {"files in the language of your locale", "按系统语言生成"}},
    {"arbiter new card-project inn --lang zh", {"in Chinese", "生成中文文件"}},
};
constexpr Command kCommands[] = {
    {"new",
     {"make a folder with a project of your own to begin from", "新建一个可以直接改写的项目文件夹"},
     {"Writes a small project that works: a character card with variables, a profile, a rulebook, "
      "a\n"
      "protocol, a tool, a table with a map, a scripted narrator, tests, and a README whose "
      "commands\n"
      "lead from the check to a played turn. --lang chooses the language of the files. Nothing is\n"
      "overwritten: DIR must be new or empty.",
      "写出一个可以运行的小项目：带变量的角色卡、配置方案、规则书、协议、工具、带地图的跑团模板、\n"
      "剧本说书人、测试，以及一份说明。说明里的命令从检查文件一直做到玩出一个回合。--lang 决定\n"
      "文件所用的语言。不会覆盖任何文件：DIR 必须是新的或空的文件夹。"},
     kArguments,
     {},
     kExamples,
     run_new},
};

}  // namespace

std::span<const Command> project_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
