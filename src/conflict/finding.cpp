#include "conflict/finding.h"

#include <array>

namespace arbiter::conflict {

std::string_view name(Type type) noexcept {
    static constexpr std::array<std::string_view, 8> kNames = {
        "hp", "position", "alive_state", "rules", "map", "character_sheet", "inventory", "other"};
    return kNames.at(static_cast<std::size_t>(type));
}

std::string_view name(Layer layer) noexcept {
    return layer == Layer::kDeclared ? "declared" : "text";
}

std::string_view name(Reading reading) noexcept {
    static constexpr std::array<std::string_view, 16> kNames = {
        "contradicted", "supported", "unclear",  "quoted",      "reported",   "negated",
        "planned",      "possible",  "question", "conditional", "remembered", "unreal",
        "near_miss",    "compared",  "option",   "price"};
    return kNames.at(static_cast<std::size_t>(reading));
}

}  // namespace arbiter::conflict
