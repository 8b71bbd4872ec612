#include "value/merge.h"

#include "value/object.h"

namespace arbiter::value {

Value merge(const Value& base, const Value& patch, Merge strategy) {
    if (strategy == Merge::kReplace || !base.is_object() || !patch.is_object()) {
        return patch;
    }
    Object result = base.as_object();
    for (const auto& [key, value] : patch.as_object()) {
        const Value* old = strategy == Merge::kDeep ? result.find(key) : nullptr;
        Value merged = old != nullptr ? merge(*old, value, strategy) : value;
        result = std::move(result).set(key, std::move(merged));
    }
    return result;
}

}  // namespace arbiter::value
