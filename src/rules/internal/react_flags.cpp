// Flags: a container that is full, and what happens when it is settled.
#include "engine/marks.h"
#include "rules/internal/reactor.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Array;
using value::Bindings;
using value::Object;
using value::Path;
using value::Pattern;
using value::Value;

// ---- flags

bool Reactor::is_up(const Flag& flag) const {
    const Value* found = at(flag.flag);
    return found != nullptr && expr::is_true(expr::undescribed(*found));
}

void Reactor::flags() {
    Object baselines = recalled("flags");
    for (const Flag& flag : book_.flags) {
        const Value* kept = baselines.find(flag.id);
        const std::size_t baseline = kept != nullptr && kept->is_int()
                                         ? static_cast<std::size_t>(kept->as_int())
                                         : size_at(turn_.before.document, flag.until);
        if (is_up(flag) && size_at(document_, flag.until) > baseline) {
            settle(flag);
            put(flag.id, flag.flag, false, false);
            baselines = std::move(baselines).erase(flag.id);
        }
    }
    for (const Flag& flag : book_.flags) {
        const Known at = flag.at.evaluate({document_, {}});
        const auto limit = at ? expr::number_of(*at) : std::nullopt;
        const std::size_t count = size_at(document_, flag.count);
        if (!is_up(flag) && limit && *limit > 0 && static_cast<double>(count) >= *limit) {
            put(flag.id, flag.flag, true, true);
            baselines = std::move(baselines).set(
                value::Str(flag.id), static_cast<std::int64_t>(size_at(document_, flag.until)));
        }
    }
    remember("flags", std::move(baselines));
}

// Clears a container but for its newest members; what goes is archived.
void Reactor::settle(const Flag& flag) {
    const Value* found = at(flag.clear);
    if (found == nullptr || !found->is_object()) {
        return;
    }
    const Object& all = found->as_object();
    const Value* before = value::find(turn_.before.document, flag.clear);
    Object kept;
    Object gone;
    std::size_t position = 0;
    for (const auto& [key, value] : all) {
        const bool newest = position++ + flag.keep >= all.size();
        const bool fresh = flag.keep_this_turn && !(before != nullptr && before->is_object() &&
                                                    before->as_object().contains(key));
        if (newest || fresh || engine::has_protected(value)) {
            kept = std::move(kept).set(key, value);
        } else {
            gone = std::move(gone).set(key, value);
        }
    }
    if (gone.empty()) {
        return;
    }
    Object archive = recalled("archive");
    const Value* list = archive.find(flag.id);
    Array entries = list != nullptr && list->is_array() ? list->as_array() : Array();
    remember("archive",
             std::move(archive).set(value::Str(flag.id), std::move(entries).push_back(gone)));
    put(flag.id, flag.clear, std::move(kept), false);
}

}  // namespace arbiter::rules::internal
