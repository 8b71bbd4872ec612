#include "prompt/message.h"

#include <algorithm>
#include <array>

namespace arbiter::prompt {
namespace {

constexpr std::array<std::string_view, 4> kRoles = {"system", "user", "assistant", "tool"};

}  // namespace

std::string_view name(Role role) noexcept {
    return kRoles[static_cast<std::size_t>(role)];
}

std::optional<Role> find_role(std::string_view name) noexcept {
    const auto found = std::ranges::find(kRoles, name);
    if (found == kRoles.end()) {
        return std::nullopt;
    }
    return static_cast<Role>(found - kRoles.begin());
}

}  // namespace arbiter::prompt
