#include "engine/internal/details.h"

#include "value/json.h"

namespace arbiter::engine::internal {
namespace {

// Long enough to recognise a value, short enough for one line of a message.
constexpr std::size_t kValueBytesMax = 120;

}  // namespace

std::string detail_of(const value::Path& path) {
    return path.empty() ? "$" : value::print_path(path, value::PathSyntax::kDotted);
}

std::string detail_of(const value::Value& value) {
    std::string text = value::print_json(value);
    if (text.size() > kValueBytesMax) {
        std::size_t end = kValueBytesMax;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
            --end;
        }
        text.resize(end);
        text += "…";
    }
    return text;
}

}  // namespace arbiter::engine::internal
