// Initvar: documents that carry their own structure rules ($meta), as MVU's cards do.
#pragma once

#include "engine/engine.h"

namespace arbiter::engine {

// Takes the rules out of a document into its meta: $meta of objects, markers and $arrayMeta of
// lists. Rules hold below stat_data where the document has it, else for all of it.
State take_structure(value::Value document);

}  // namespace arbiter::engine
