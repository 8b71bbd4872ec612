// The first line of the input is a state as JSON, the rest a template. Rendering ends within its
// limits, gives the same text twice, and never changes the state.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "ejs/template.h"
#include "value/json.h"

using namespace arbiter;

namespace {

std::expected<std::string, ejs::Failure> rendered(std::string_view text,
                                                  const value::Value& state) {
    // Fewer steps than a prompt has: longer loops only make a run slow.
    ejs::Budget budget{20'000};
    value::Object defined;
    ejs::Environment environment;
    environment.document = &state;
    environment.user = "阿明";
    environment.character = "灯";
    environment.message_count = 2;
    environment.message = [](std::size_t i) {
        return i == 0 ? ejs::ChatMessage{ejs::ChatMessage::Role::kAssistant, "欢迎"}
                      : ejs::ChatMessage{ejs::ChatMessage::Role::kUser, "走吧"};
    };
    // Every entry is the template itself.
    environment.entry = [text](std::string_view, std::string_view) -> std::optional<std::string> {
        return std::string(text);
    };
    environment.defined = &defined;
    environment.budget = &budget;
    return ejs::render(text, environment);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::size_t line = input.find('\n');
    if (line == std::string_view::npos) {
        return 0;
    }
    const auto state = value::parse_json(input.substr(0, line));
    const value::Value document = state ? *state : value::Value();
    const std::string before = value::print_json(document);
    const std::string_view text = input.substr(line + 1);
    const auto once = rendered(text, document);
    const auto again = rendered(text, document);
    CHECK(once.has_value() == again.has_value());
    if (once) {
        CHECK(*once == *again);
        CHECK(once->size() <= base::kTemplateOutputBytesMax || !ejs::has_tags(text));
    } else {
        CHECK(once.error().line == again.error().line && once.error().line >= 1);
        CHECK(!once.error().words.empty());
    }
    CHECK(value::print_json(document) == before);
    return 0;
}
