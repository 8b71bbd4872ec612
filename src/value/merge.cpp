#include "value/merge.h"

#include "value/array.h"
#include "value/object.h"

namespace arbiter::value {

namespace {

Array merge_elements(const Array& base, const Array& patch) {
    Array result = base;
    for (std::size_t i = 0; i < patch.size(); ++i) {
        result = i < result.size()
                     ? std::move(result).set(i, merge(base[i], patch[i], Merge::kIndexed))
                     : std::move(result).push_back(patch[i]);
    }
    return result;
}

}  // namespace

Value merge(const Value& base, const Value& patch, Merge strategy) {
    if (strategy == Merge::kIndexed && base.is_array() && patch.is_array()) {
        return merge_elements(base.as_array(), patch.as_array());
    }
    if (strategy == Merge::kReplace || !base.is_object() || !patch.is_object()) {
        return patch;
    }
    Object result = base.as_object();
    for (const auto& [key, value] : patch.as_object()) {
        const Value* old = strategy != Merge::kShallow ? result.find(key) : nullptr;
        Value merged = old != nullptr ? merge(*old, value, strategy) : value;
        result = std::move(result).set(key, std::move(merged));
    }
    return result;
}

}  // namespace arbiter::value
