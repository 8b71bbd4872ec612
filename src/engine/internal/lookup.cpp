#include "engine/internal/lookup.h"

#include "value/object.h"

namespace arbiter::engine::internal {
namespace {

bool has_marks(const value::Object& object) noexcept {
    return object.may_have_marks() && (object.contains("_is_protected") ||
                                       object.contains("_filter") || object.contains("__version"));
}

}  // namespace

Lookup look_up(const value::Value& document, const value::Path& path) noexcept {
    Lookup lookup{&document};
    for (std::size_t i = 0;; ++i) {
        const bool is_object = lookup.target->is_object();
        lookup.marked = lookup.marked || (is_object && has_marks(lookup.target->as_object()));
        if (i == path.size()) {
            return lookup;
        }
        const bool is_index = path[i].is_index();
        lookup.plain = lookup.plain && is_object != is_index;
        if (is_object && !is_index) {
            lookup.target = lookup.target->as_object().find(path[i].key());
        } else {
            const auto step = value::step_into(*lookup.target, path[i]);
            lookup.target = step ? step->value : nullptr;
        }
        if (lookup.target == nullptr) {
            return lookup;
        }
    }
}

}  // namespace arbiter::engine::internal
