#include "ejs/template.h"

#include "ejs/internal/parser.h"
#include "ejs/internal/runner.h"
#include "ejs/internal/tags.h"

namespace arbiter::ejs {

bool has_tags(std::string_view text) noexcept {
    return text.find("<%") != std::string_view::npos;
}

std::expected<std::string, Failure> render(std::string_view text, const Environment& environment) {
    if (!has_tags(text)) {
        return std::string(text);
    }
    const auto program = internal::parse(text);
    if (!program) {
        return std::unexpected(program.error());
    }
    Budget own;
    Budget& budget = environment.budget != nullptr ? *environment.budget : own;
    internal::Runner runner(environment, budget);
    return runner.run(*program);
}

std::string without_tags(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = std::min(text.find("<%", at), text.size());
        out += text.substr(at, open - at);
        const std::size_t close = text.find("%>", std::min(open + 2, text.size()));
        at = open == text.size() || close == std::string_view::npos ? text.size() : close + 2;
    }
    return out;
}

}  // namespace arbiter::ejs
