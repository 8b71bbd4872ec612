#include "engine/internal/details.h"

#include "value/preview.h"

namespace arbiter::engine::internal {
namespace {

// Long enough to recognise a value, short enough for one line of a message.
constexpr std::size_t kValueBytesMax = 120;

}  // namespace

std::string detail_of(const value::Path& path) {
    return path.empty() ? "$" : value::print_path(path, value::PathSyntax::kDotted);
}

std::string detail_of(const value::Value& value) {
    return value::preview(value, kValueBytesMax);
}

}  // namespace arbiter::engine::internal
