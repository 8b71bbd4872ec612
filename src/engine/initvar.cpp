#include "engine/initvar.h"

#include "engine/internal/structure_rules.h"
#include "value/editor.h"

namespace arbiter::engine {

using value::Path;
using value::Value;

State take_structure(Value document) {
    State state;
    internal::derive_structure(state.meta, document);
    const Path root = internal::structure_root(document);
    auto cleaned =
        value::set(document, root, internal::without_rules(*value::find(document, root)));
    state.document = cleaned ? std::move(*cleaned) : std::move(document);
    return state;
}

}  // namespace arbiter::engine
