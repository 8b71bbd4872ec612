#include "cli/connect.h"

#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/check_steps.h"
#include "cli/json_lines.h"
#include "cli/ledger.h"
#include "cli/profiles.h"
#include "openai/models.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;
using openai::Upstream;

constexpr std::string_view kChanges[] = {"--upstream",      "--model",    "--api-key-env",
                                         "--api-key-stdin", "--no-tools", "--no-stream"};

// Switches off that a terminal repeats what is typed, while it exists.
class HiddenInput {
  public:
    explicit HiddenInput(int terminal) : terminal_(terminal) {
        is_terminal_ = isatty(terminal) != 0 && tcgetattr(terminal, &before_) == 0;
        if (is_terminal_) {
            termios hidden = before_;
            hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
            tcsetattr(terminal, TCSAFLUSH, &hidden);
        }
    }
    HiddenInput(const HiddenInput&) = delete;
    HiddenInput& operator=(const HiddenInput&) = delete;
    ~HiddenInput() {
        if (is_terminal_) {
            tcsetattr(terminal_, TCSAFLUSH, &before_);
        }
    }
    [[nodiscard]] bool is_terminal() const noexcept { return is_terminal_; }

  private:
    int terminal_;
    termios before_{};
    bool is_terminal_ = false;
};

// The first line of standard input as a key.
base::Result<openai::Secret> read_key(const Console& console) {
    const HiddenInput hidden(fileno(console.in));
    if (hidden.is_terminal()) {
        console.complain(console.say({"Key (not shown): ", "密钥（不显示）："}));
    }
    std::string line;
    constexpr std::size_t kLineMax = std::size_t{64} << 10;
    for (int c = std::fgetc(console.in); c != EOF && c != '\n' && line.size() < kLineMax;
         c = std::fgetc(console.in)) {
        line += static_cast<char>(c);
    }
    if (hidden.is_terminal()) {
        console.complain("\n");
    }
    return openai::parse_key(line);
}

std::string file_of(const Call& call) {
    return call.has("--config") ? std::string(call.value("--config", ""))
                                : openai::default_upstream_file();
}

// The upstream with the changes that the options ask for.
std::expected<Upstream, Exit> changed_upstream(const Call& call) {
    const auto failed = [&](const base::Error& error) {
        return std::unexpected(trouble(call.console, error));
    };
    Upstream upstream;
    if (call.has("--upstream")) {
        auto made = openai::make_upstream(call.value("--upstream", ""));
        if (!made) {
            return failed(made.error());
        }
        upstream = *std::move(made);
    } else {
        const std::string file = file_of(call);
        if (file.empty() || !std::filesystem::exists(file)) {
            return failed(base::Error(ErrorCode::kMissingArgument, {"--upstream URL"}));
        }
        auto loaded = openai::load_upstream(file);
        if (!loaded) {
            report(call.console, loaded.error());
            return std::unexpected(Exit::kTrouble);
        }
        upstream = *std::move(loaded);
    }
    if (call.has("--model")) {
        upstream.model = std::string(call.value("--model", ""));
    }
    if (call.has("--api-key-env") || call.has("--api-key-stdin")) {
        const std::string variable(call.value("--api-key-env", ""));
        auto key = call.has("--api-key-env") ? openai::key_from_environment(variable)
                                             : read_key(call.console);
        if (!key) {
            return failed(key.error());
        }
        upstream.key_env = variable;
        upstream.key = *std::move(key);
    }
    upstream.takes_tools = upstream.takes_tools && !call.has("--no-tools");
    upstream.is_streamed = upstream.is_streamed && !call.has("--no-stream");
    return upstream;
}

void print_upstream(const Console& console, const Upstream& upstream, const std::string& file) {
    std::string lines = "url    " + upstream.address + "\nmodel  ";
    lines += upstream.model.empty() ? console.say({"(the server chooses)", "（由服务器选择）"})
                                    : std::string_view(upstream.model);
    lines += "\nkey    ";
    if (!upstream.key_env.empty()) {
        lines += "$" + upstream.key_env;
    } else if (upstream.key.empty()) {
        lines += console.say({"(none)", "（无）"});
    } else {
        lines += console.say({"(stored)", "（已保存）"});
    }
    console.print(lines + "\nfile   " + file + "\n\n");
}

Exit print_report(const Call& call, const openai::ProbeReport& report, const std::string& file,
                  bool is_saved) {
    if (call.console.json) {
        call.console.print(json_line(
            openai::to_value(report).set("file", std::string_view(file)).set("saved", is_saved)));
    } else {
        print_steps(call.console, report.steps);
    }
    return report.is_usable() ? Exit::kDone : Exit::kNo;
}

Exit test_present(const Call& call) {
    const std::string file = file_of(call);
    if (file.empty() || (!call.has("--config") && !std::filesystem::exists(file))) {
        (void)trouble(call.console, base::Error(ErrorCode::kNoModel));
        return Exit::kNo;
    }
    const auto loaded = openai::load_upstream(file);
    if (!loaded) {
        report(call.console, loaded.error());
        return Exit::kTrouble;
    }
    if (!call.console.json) {
        print_upstream(call.console, *loaded, file);
    }
    net::Loops loops(1);
    return print_report(call, openai::probe(loops, *loaded), file, true);
}

Exit run_connect(const Call& call) {
    if (std::ranges::none_of(kChanges, [&](std::string_view each) { return call.has(each); })) {
        return test_present(call);
    }
    const auto upstream = changed_upstream(call);
    if (!upstream) {
        return upstream.error();
    }
    const std::string file = file_of(call);
    openai::ProbeReport report{.steps = {}, .models = {}, .upstream = *upstream};
    if (!call.has("--no-test")) {
        net::Loops loops(1);
        report = openai::probe(loops, *upstream);
    }
    if (report.is_usable()) {
        if (const auto saved = openai::save_upstream(file, report.upstream); !saved) {
            return trouble(call.console, saved.error());
        }
    }
    const Exit exit = print_report(call, report, file, report.is_usable());
    if (!call.console.json) {
        const std::string words[] = {file};
        call.console.print(base::format_message(
            report.is_usable()
                ? call.console.say({"Saved in {0}. Play with it: arbiter play\n",
                                    "已保存到 {0}。用它来玩：arbiter play\n"})
                : call.console.say({"Nothing was saved; --no-test saves without a test.\n",
                                    "没有保存；使用 --no-test 可不经测试直接保存。\n"}),
            words));
    }
    return exit;
}

constexpr Option kOptions[] = {
    {"--upstream",
     "URL",
     {"the model server, such as http://127.0.0.1:8080/v1",
      "模型服务器，例如 http://127.0.0.1:8080/v1"}},
    {"--model", "NAME", {"which of its models", "使用其中哪个模型"}},
    {"--api-key-env", "VAR", {"the environment variable that holds the key", "存放密钥的环境变量"}},
    {"--api-key-stdin",
     "",
     {"read the key from the terminal or standard input, and store it",
      "从终端或标准输入读取密钥并保存"}},
    {"--no-tools",
     "",
     {"the model takes no native tools: tell it about tools in the prompt",
      "模型不支持原生工具：在提示词中说明工具"}},
    {"--no-stream", "", {"the server does not stream", "服务器不支持流式输出"}},
    {"--no-test", "", {"save without a test", "不经测试直接保存"}},
    {"--config",
     "FILE",
     {"the file to write and read; ~/.config/arbiter/upstream.yaml by default",
      "读写的配置文件；默认 ~/.config/arbiter/upstream.yaml"}},
    {"--json",
     "",
     {"one JSON object (docs/scripts.md)", "输出一个 JSON 对象（见 docs/scripts.md）"}},
};
constexpr Example kExamples[] = {
    {"arbiter connect --upstream http://127.0.0.1:8080/v1",
     {"llama.cpp on this machine", "本机的 llama.cpp"}},
    {"arbiter connect --upstream https://api.example.com/v1 --model large --api-key-env MY_KEY",
     {"a vendor; the key stays in the environment", "服务商；密钥留在环境变量中"}},
    {"arbiter connect --model other", {"change the model", "更换模型"}},
    {"arbiter connect", {"show and test the present one", "显示并测试当前模型"}},
};
constexpr Command kCommands[] = {
    {"connect",
     {"set up and test the model that narrates", "设置并测试担任说书人的模型"},
     {"Tests a model server that speaks the OpenAI interface (llama.cpp, vLLM, Ollama, vendors):\n"
      "address, key, list of models, and a streamed answer. Says what is wrong and what to try;\n"
      "what works is saved for `arbiter play` and `arbiter serve`, readable by you only. Without\n"
      "options it shows and tests the present one. Exit code 1 when it does not work.\n"
      "docs/models.md explains the errors.",
      "测试提供 OpenAI "
      "接口的模型服务器（llama.cpp、vLLM、Ollama、各服务商）：地址、密钥、模型列表，\n"
      "以及一次流式回答。指出问题所在与解决办法；可用的设置会保存下来，供 `arbiter play` 和\n"
      "`arbiter serve` 使用，只有你自己能读取。不带选项时显示并测试当前设置。不可用时退出码为 1。\n"
      "各种错误的说明见 docs/models.md。"},
     {},
     kOptions,
     kExamples,
     run_connect},
};

}  // namespace

std::span<const Command> connect_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
