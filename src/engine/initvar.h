// Initvar: documents that carry their own structure rules ($meta), as MVU's cards do.
#pragma once

#include "engine/engine.h"

namespace arbiter::engine {

// Moves the rules of a document ($meta of objects, markers and $arrayMeta of lists) into the meta
// of the returned state. Rules apply below stat_data if the document has it, else to all of it.
State take_structure(value::Value document);

}  // namespace arbiter::engine
