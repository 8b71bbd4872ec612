// The seven kinds of value.
#pragma once

#include <cstdint>

namespace arbiter::value {

enum class Kind : std::uint8_t { kNull, kBool, kInt, kDouble, kString, kArray, kObject };

}  // namespace arbiter::value
