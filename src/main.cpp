// The arbiter command.
#include <fcntl.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"

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

// Opens standard streams that the caller has closed, so that no other file gets their numbers:
// output would be written into it. Writing to them still fails.
void occupy_closed_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(stream, F_GETFD) == -1) {
            (void)open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    occupy_closed_streams();
    arbiter::cli::Console console;
    console.language = system_language();
    const char* no_color = std::getenv("NO_COLOR");
    const bool colors = no_color == nullptr || *no_color == '\0';
    console.color_out = colors && isatty(STDOUT_FILENO) == 1;
    console.terminal_out = isatty(STDOUT_FILENO) == 1;
    console.color_err = colors && isatty(STDERR_FILENO) == 1;
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return arbiter::cli::run(words, console);
}
