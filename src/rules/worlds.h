// Backups of worlds that were left, and their restoration. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "engine/engine.h"
#include "value/object.h"

namespace arbiter::rules {

struct Backup {
    std::string world;
    value::Object contents;  // dotted path → content
    std::optional<value::Value> date;
    std::optional<value::Path> named_at;  // the path of the world's name
};
// Oldest first.
std::vector<Backup> backups(const value::Object& meta);
// Restores the newest backup of a world, or the one of a position in backups(), from "1" on.
// Members that exist now stay, and the world gets its name back. The rules look at the whole
// document in the next turn. Fails with kNotFound.
base::Result<engine::State> restore_world(const engine::State& state, std::string_view world);

}  // namespace arbiter::rules
