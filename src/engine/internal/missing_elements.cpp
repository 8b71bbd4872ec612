#include "engine/internal/missing_elements.h"

#include <unordered_map>

#include "value/array.h"
#include "value/diff.h"
#include "value/hash.h"

namespace arbiter::engine::internal {
namespace {

using value::Array;
using value::Value;

// The elements of a list by value.
class Elements {
  public:
    explicit Elements(const Array& list) {
        for (const Value& each : list) {
            by_hash_.emplace(value::fingerprint_of(each).loose, &each);
        }
    }
    [[nodiscard]] bool contains(const Value& value) const {
        const auto [begin, end] = by_hash_.equal_range(value::fingerprint_of(value).loose);
        return begin != end && *begin->second == value;
    }

  private:
    std::unordered_map<std::uint64_t, const Value*> by_hash_;
};

}  // namespace

std::vector<std::size_t> missing_elements(const Value& before, const Value* after,
                                          const std::function<bool(const Value&)>& concerns) {
    const Array& old = before.as_array();
    const Value none = Array();
    const Value& now = after != nullptr && after->is_array() ? *after : none;
    const value::ChangedRun run = value::changed_run(before, now);
    std::vector<std::size_t> positions;
    for (std::size_t i = run.begin; i < run.before_end; ++i) {
        if (concerns(old[i])) {
            positions.push_back(i);
        }
    }
    if (!positions.empty()) {
        const Elements elements(now.as_array());
        std::erase_if(positions, [&](std::size_t i) { return elements.contains(old[i]); });
    }
    return positions;
}

}  // namespace arbiter::engine::internal
