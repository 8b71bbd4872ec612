// Command: one subcommand of `arbiter` as data. Parsing, help and shell completion are generated
// from it, so that they always agree.
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

// Exit codes.
enum class Exit : std::uint8_t {
    kDone = 0,
    kNo = 1,         // a negative answer: broken, not found, different
    kTrouble = 2,    // the command could not be executed
    kHeadMoved = 3,  // the campaign is at another turn; nothing was stored
    kUncertain = 4,  // the turn may have been stored
    kKeyReused = 5,  // the key belongs to another reply; nothing was stored
};

struct Option {
    std::string_view name;   // "--pretty"
    std::string_view value;  // "": a switch; "zh|en": a choice; "N": any value
    base::TextView help;
};

struct Argument {
    std::string_view name;  // "FILE"
    bool required = true;
    base::TextView help;
    bool many = false;              // the last argument may be repeated
    std::string_view choices = {};  // "list|show": the words that it takes; empty: any
};

struct Example {
    std::string_view line;
    base::TextView what;
};

// A parsed command line.
class Call {
  public:
    // The values of each option that was given, in their order; a switch has an empty one.
    using Options = std::map<std::string, std::vector<std::string>, std::less<>>;

    Call(const Console& console, std::vector<std::string> arguments, Options options)
        : console(console), arguments(std::move(arguments)), options_(std::move(options)) {}

    [[nodiscard]] bool has(std::string_view option) const { return options_.contains(option); }
    // The value of an option, the last one if it was given several times. Default: `otherwise`.
    [[nodiscard]] std::string_view value(std::string_view option, std::string_view otherwise) const;
    // All values of an option that may be repeated.
    [[nodiscard]] std::span<const std::string> values(std::string_view option) const;

    const Console& console;
    const std::vector<std::string> arguments;

  private:
    Options options_;
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

// Options accepted by every command.
std::span<const Option> common_options();

// Parses the words after the command name into options and arguments. Fails on an unknown option, a
// missing or wrong value, or an extra argument.
base::Result<Call> parse_call(const Command& command, std::span<const std::string> words,
                              const Console& console);

}  // namespace arbiter::cli
