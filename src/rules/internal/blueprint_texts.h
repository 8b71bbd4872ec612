// Texts of a blueprint: the values that a rulebook's initial document has as texts.
#pragma once

#include <vector>

#include "value/object.h"
#include "value/path.h"

namespace arbiter::rules::internal {

// The paths of the texts, described or not.
std::vector<value::Path> blueprint_texts(const value::Object& blueprint);

}  // namespace arbiter::rules::internal
