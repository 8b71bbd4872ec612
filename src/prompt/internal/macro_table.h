// The table of macros.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prompt/macros.h"

namespace arbiter::prompt::internal {

// A macro call.
struct Call {
    MacroWorld& world;
    std::uint64_t place;  // identifies the position for randomness
    Expanded& report;
    std::vector<std::string_view> arguments;
    Variables& variables;  // local or global ones, as the macro's row says
};

struct MacroRow {
    std::string_view name;  // lower case
    std::size_t least;
    std::size_t most;
    bool stable;  // same result next turn
    bool nests;   // expand macros in the result: a field of the card
    // Nothing: the call is invalid and stays as written.
    std::optional<std::string> (*give)(const Call& call);
    bool is_global = false;  // works on global variables
};

const MacroRow* find_macro(std::string_view small_name);

// Deterministic hashes.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t place) noexcept;
std::uint64_t number_of_text(std::string_view text, std::uint64_t seed) noexcept;

}  // namespace arbiter::prompt::internal
