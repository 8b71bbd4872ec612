// Idempotency: commands with an idempotencyKey take effect once.
//
// The state's meta remembers path and key of the last Policy::marks_max such commands.
#pragma once

#include <cstdint>

#include "engine/internal/work.h"

namespace arbiter::engine::internal {

enum class Seen : std::uint8_t {
    kNew,       // no key, or a key that is not remembered
    kSame,      // the same operation and value under this key
    kDifferent  // another operation or value under this key
};
Seen find_key(const Work& work);
// Does nothing for a command without a key.
void remember_key(Work& work);

}  // namespace arbiter::engine::internal
