// Command: one subcommand of `arbiter` as data, from which parsing, help and shell completion are
// all made, so that they never disagree.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/console.h"

namespace arbiter::cli {

// What a command exits with.
enum class Exit : std::uint8_t {
    kDone = 0,
    kNo = 1,      // the answer is no: broken, not found, different
    kTrouble = 2  // could not do what was asked
};

struct Option {
    std::string_view name;   // "--pretty"
    std::string_view value;  // "" for a switch; "zh|en" for a choice; "N" for anything
    base::TextView help;
};

struct Argument {
    std::string_view name;  // "FILE"
    bool required = true;
    base::TextView help;
    bool many = false;  // the last one may stand any number of times
};

struct Example {
    std::string_view line;
    base::TextView what;
};

// The words of a call, sorted out.
class Call {
  public:
    Call(const Console& console, std::vector<std::string> arguments,
         std::map<std::string, std::string, std::less<>> options)
        : console(console), arguments(std::move(arguments)), options_(std::move(options)) {}

    [[nodiscard]] bool has(std::string_view option) const { return options_.contains(option); }
    // The value of an option, or `otherwise`.
    [[nodiscard]] std::string_view value(std::string_view option, std::string_view otherwise) const;

    const Console& console;
    const std::vector<std::string> arguments;

  private:
    std::map<std::string, std::string, std::less<>> options_;
};

struct Command {
    std::string_view name;
    base::TextView summary;
    base::TextView details;
    std::span<const Argument> arguments;
    std::span<const Option> options;
    std::span<const Example> examples;
    Exit (*run)(const Call& call);
};

// All commands, in the order of the help.
std::span<const Command> commands();
const Command* find_command(std::string_view name);
// Options that every command takes.
std::span<const Option> common_options();

// Sorts the words behind a command's name into options and arguments.
base::Result<Call> parse_call(const Command& command, std::span<const std::string> words,
                              const Console& console);

std::string general_help(const Console& console);
std::string command_help(const Command& command, const Console& console);
// The completion script for "bash", "zsh" or "fish".
std::string completion_script(std::string_view shell);

// What main() does: words without the program's name. Returns the exit code.
int run(std::span<const std::string> words, Console console);

}  // namespace arbiter::cli
