// Marks that nodes of a document carry for the engine: they hold for every dialect, are never shown
// to a model, and only some actors may take them away.
#pragma once

#include "value/value.h"

namespace arbiter::engine {

// A node with "_is_protected": true cannot be deleted, nor replaced by something else.
bool is_protected(const value::Value& value);
// Holds such a node somewhere, or is one.
bool has_protected(const value::Value& value);
// A node with "_filter" that is switched off: the model does not see what is in it.
bool is_hidden(const value::Value& value);

}  // namespace arbiter::engine
