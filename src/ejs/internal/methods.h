// Methods of texts, lists, numbers, sets, maps and patterns.
#pragma once

#include <span>
#include <string_view>

#include "ejs/internal/datum.h"

namespace arbiter::ejs::internal {

struct Method {
    std::string_view name;
    Datum (*call)(Machine& machine, const Datum& self, Arguments arguments);
};

const Method* find_method(const Datum& self, std::string_view name) noexcept;

// The argument at a position; undefined if there are fewer.
inline Datum argument(Arguments arguments, std::size_t at) {
    return at < arguments.size() ? arguments[at] : Datum();
}

}  // namespace arbiter::ejs::internal
