// The macros by name: what each takes and gives.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "prompt/macros.h"

namespace arbiter::prompt::internal {

// One macro while it is worked out.
struct Call {
    MacroWorld& world;
    std::uint64_t place;  // a number for the text and the place in it
    Expanded& report;
    std::vector<std::string_view> arguments;
    Variables& variables;  // local or global ones, as the macro's row says
};

struct MacroRow {
    std::string_view name;  // in small letters
    std::size_t least;
    std::size_t most;
    bool stable;  // gives the same next turn
    bool nests;   // what it gives may hold macros: a text of the card
    // Nothing: it cannot be worked out, and stays as it was written.
    std::optional<std::string> (*give)(const Call& call);
    bool is_global = false;  // works on global variables
};

std::span<const MacroRow> time_rows();
const MacroRow* find_macro(std::string_view small_name);

// A number that depends on all of these and on nothing else.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t place) noexcept;
std::uint64_t number_of_text(std::string_view text, std::uint64_t seed) noexcept;

}  // namespace arbiter::prompt::internal
