// The command profiles: lists, shows and validates profiles.
#include "cli/profiles.h"

#include <algorithm>

#include "base/limits.h"
#include "base/phrases.h"
#include "cli/ledger.h"
#include "cli/lint.h"
#include "config/embedded.h"
#include "config/rulebooks.h"
#include "engine/features.h"
#include "profile/keys.h"
#include "text/utf8.h"

namespace arbiter::cli {
namespace {

using base::ErrorCode;

// Pads a text with blanks to a width; adds at least two.
std::string padded(std::string_view text, std::size_t width) {
    const std::size_t length = text::count(text);
    return std::string(text) + std::string(std::max(width, length + 2) - length, ' ');
}

Exit list_profiles(const Console& console) {
    std::string out;
    for (const config::EmbeddedFile& each : config::built_in_profiles()) {
        const auto profile = config::load_profile(each.name);
        if (!profile) {
            report(console, profile.error());
            return Exit::kTrouble;
        }
        out += console.painted(padded(each.name, 18), Color::kCyan);
        out += profile->summary.in(console.language);
        out += '\n';
    }
    console.print(out);
    return Exit::kDone;
}

Exit show_profile(const Console& console, const std::string& name) {
    const auto found =
        std::ranges::find(config::built_in_profiles(), name, &config::EmbeddedFile::name);
    if (found != config::built_in_profiles().end()) {
        console.print_data(found->text);
        return Exit::kDone;
    }
    const auto loaded = config::load_profile(name);
    if (!loaded) {
        report(console, loaded.error());
        return Exit::kTrouble;
    }
    const auto text = read_file(console, name, base::kYamlBytesMax);
    console.print_data(text ? *text : std::string());
    return Exit::kDone;
}

Exit list_keys(const Console& console) {
    std::string out;
    const auto line = [&](std::string_view name, std::string_view takes, base::TextView help) {
        out += console.painted(padded(name, 26), Color::kCyan);
        out += console.say(help);
        out +=
            takes.empty()
                ? ""
                : console.painted(" (" + std::string(base::in_words(takes, console.language)) + ")",
                                  Color::kDim);
        out += '\n';
    };
    for (const profile::Key& key : profile::keys()) {
        const std::string name = (key.group.empty() ? "" : std::string(key.group) + ".");
        line(name + std::string(key.name), key.takes, key.help);
    }
    line("features.all", "true | false", {"all of the following", "以下全部"});
    for (std::size_t i = 0; i < engine::feature_count(); ++i) {
        const engine::Feature feature = engine::feature(i);
        line("features." + std::string(feature.name), "true | false",
             {feature.english, feature.chinese});
    }
    console.print(out);
    return Exit::kDone;
}

}  // namespace

void report(const Console& console, const config::FileDiagnostics& diagnostics) {
    for (const base::Error& error : diagnostics.errors) {
        report(console, error, diagnostics.file, diagnostics.text);
    }
}

std::expected<profile::Profile, Exit> profile_of(const Call& call, std::string_view option) {
    auto profile = config::load_profile(call.value(option, "auto"));
    if (!profile) {
        report(call.console, profile.error());
        return std::unexpected(Exit::kTrouble);
    }
    return std::move(*profile);
}

Exit run_profiles(const Call& call) {
    const Console& console = call.console;
    const std::string action = call.arguments.empty() ? "list" : call.arguments[0];
    if (action == "lint") {
        return lint_files(call, {base::kYamlBytesMax}, config::lint_profiles);
    }
    const bool is_show = action == "show";
    if (!is_show && action != "list" && action != "keys") {
        return trouble(console, base::Error(ErrorCode::kBadOptionValue,
                                            {"ACTION", action, "list, show, lint, keys"}));
    }
    if (is_show && call.arguments.size() < 2) {
        return trouble(console, base::Error(ErrorCode::kMissingArgument, {"NAME"}));
    }
    if (call.arguments.size() > (is_show ? 2 : 1)) {
        return trouble(console, base::Error(ErrorCode::kTooManyArguments, {call.arguments.back()}));
    }
    if (is_show) {
        return show_profile(console, call.arguments[1]);
    }
    return action == "keys" ? list_keys(console) : list_profiles(console);
}

}  // namespace arbiter::cli
