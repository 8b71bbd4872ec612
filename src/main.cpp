// The arbiter command.
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace {

// The first of LC_ALL, LC_MESSAGES and LANG that is set decides, as everywhere.
arbiter::base::Language system_language() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') {
            return std::string_view(value).starts_with("zh") ? arbiter::base::Language::kChinese
                                                             : arbiter::base::Language::kEnglish;
        }
    }
    return arbiter::base::Language::kEnglish;
}

}  // namespace

int main(int argc, char** argv) {
    arbiter::cli::Console console;
    console.language = system_language();
    const char* no_color = std::getenv("NO_COLOR");
    const bool colors = no_color == nullptr || *no_color == '\0';
    console.color_out = colors && isatty(STDOUT_FILENO) == 1;
    console.color_err = colors && isatty(STDERR_FILENO) == 1;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return arbiter::cli::run(words, console);
}
