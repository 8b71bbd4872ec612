// Lookup: one walk along a path, with the facts about it that several checks need.
#pragma once

#include "value/path.h"

namespace arbiter::engine::internal {

struct Lookup {
    const value::Value* target = nullptr;  // the value at the path, or nullptr
    bool marked = false;  // an object on the path, the target included, has an engine mark
    bool plain = true;    // keys led through objects and indexes through arrays only
};
Lookup look_up(const value::Value& document, const value::Path& path) noexcept;

}  // namespace arbiter::engine::internal
