#include "cli/command.h"

#include <algorithm>

#include "text/nearest.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

constexpr Option kCommon[] = {
    {"--help", "", {"show help", "显示帮助"}},
    {"--lang", "zh|en", {"language of messages; default: by LANG", "消息语言；默认取自 LANG"}},
    {"--color",
     "auto|always|never",
     {"colours; auto means on a terminal only", "颜色；auto 表示仅在终端中使用"}},
};

const Option* find_option(const Command& command, std::string_view name) {
    for (const std::span<const Option> group :
         {command.options, std::span<const Option>(kCommon)}) {
        const auto found = std::ranges::find(group, name, &Option::name);
        if (found != group.end()) {
            return &*found;
        }
    }
    return nullptr;
}

// True if the value is one of the choices "a|b|c", or if any value is allowed.
bool is_allowed(std::string_view choices, std::string_view value) {
    if (!choices.contains('|')) {
        return true;
    }
    while (!choices.empty()) {
        const std::size_t bar = std::min(choices.find('|'), choices.size());
        if (choices.substr(0, bar) == value) {
            return true;
        }
        choices.remove_prefix(std::min(bar + 1, choices.size()));
    }
    return false;
}

}  // namespace

std::span<const Option> common_options() {
    return kCommon;
}

std::string_view Call::value(std::string_view option, std::string_view otherwise) const {
    const auto found = options_.find(option);
    return found == options_.end() ? otherwise : std::string_view(found->second.back());
}

std::span<const std::string> Call::values(std::string_view option) const {
    const auto found = options_.find(option);
    return found == options_.end() ? std::span<const std::string>() : found->second;
}

base::Result<Call> parse_call(const Command& command, std::span<const std::string> words,
                              const Console& console) {
    std::vector<std::string> arguments;
    Call::Options options;
    bool only_arguments = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--" && !only_arguments) {
            only_arguments = true;
            continue;
        }
        if (only_arguments || !word.starts_with('-') || word == "-") {
            const bool many = !command.arguments.empty() && command.arguments.back().many;
            if (arguments.size() >= command.arguments.size() && !many) {
                return base::fail(ErrorCode::kTooManyArguments, {word});
            }
            arguments.push_back(word);
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string name = word == "-h" ? "--help" : word.substr(0, equals);
        const Option* option = find_option(command, name);
        if (option == nullptr) {
            return base::fail(ErrorCode::kUnknownOption, {name});
        }
        std::string value;
        if (!option->value.empty()) {
            if (equals != std::string::npos) {
                value = word.substr(equals + 1);
            } else if (i + 1 < words.size()) {
                value = words[++i];
            } else {
                return base::fail(ErrorCode::kMissingValue, {name});
            }
        }
        if (option->value.empty() && equals != std::string::npos) {
            return base::fail(ErrorCode::kNoOptionValue, {name, word.substr(equals + 1)});
        }
        if (!is_allowed(option->value, value)) {
            return base::fail(ErrorCode::kBadOptionValue,
                              {name, value, std::string(option->value)});
        }
        options[name].push_back(std::move(value));
    }
    return Call(console, std::move(arguments), std::move(options));
}

}  // namespace arbiter::cli
