#include "engine/internal/redirect.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/internal/check_run.h"
#include "engine/internal/versions.h"

namespace arbiter::engine::internal {

using value::Path;
using value::Segment;
using value::Value;

namespace {

// Suffixes that are tried for a memory whose name is taken.
constexpr int kNamesMax = 10'000;

bool is_meant(const KeyAlias& alias, const Path& path) {
    const std::size_t place = alias.container.size();
    return path.size() > place && !path[place].is_index() && path[place].key() == alias.name &&
           std::equal(alias.container.begin(), alias.container.end(), path.begin());
}

}  // namespace

// In the order of the policy; the key of one may be the name of a later one.
void Redirects::follow_aliases(Path& path, const Value& document) const {
    std::uint32_t next = 0;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (const std::uint32_t number : index_of(policy_).aliases.find(path)) {
            const KeyAlias& alias = policy_.aliases[number];
            if (number < next || !is_meant(alias, path)) {
                continue;
            }
            next = number + 1;
            const Value* container = value::find(document, alias.container);
            if (container != nullptr && container->is_object() &&
                !container->as_object().contains(alias.name) &&
                container->as_object().contains(alias.key)) {
                path[alias.container.size()] = Segment(std::string_view(alias.key));
                is_changed = true;
                break;
            }
        }
    }
}

void Redirects::find_free_name(Path& path, const Value& document) {
    const std::string name(path.back().key());
    int& taken = taken_[value::print_path(path, value::PathSyntax::kPointer)];
    int i = taken;
    do {
        ++i;
        path.back() = Segment(std::string_view(name + "-" + std::to_string(i)));
    } while (i + 1 < kNamesMax && value::find(document, path) != nullptr &&
             budget_.spend(base::kRuleLookCost));
    taken = i - 1;
}

Path Redirects::redirect(const Instruction& instruction, Path path, const Value& document) {
    follow_aliases(path, document);
    const bool writes = instruction.op == Op::kSet || instruction.op == Op::kMerge;
    if (!writes || path.empty() || path.back().is_index() || !instruction.value) {
        return path;
    }
    for (const std::uint32_t number : index_of(policy_).memories.find(path)) {
        value::Bindings bindings;
        const Value* present = matches(policy_.memories[number], path, bindings)
                                   ? value::find(document, path)
                                   : nullptr;
        if (present != nullptr && !equal_content(*present, *instruction.value)) {
            find_free_name(path, document);
        }
    }
    return path;
}

}  // namespace arbiter::engine::internal
