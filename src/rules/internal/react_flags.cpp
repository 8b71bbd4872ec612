// Flags: a container that is full, and what happens when it is settled.
#include <algorithm>

#include "base/limits.h"
#include "engine/marks.h"
#include "rules/internal/reactor.h"
#include "rules/limit.h"

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
        if (!is_up(flag)) {
            continue;
        }
        // How many there were when it went up; of a flag that came with a save, before this turn.
        const auto was = static_cast<std::int64_t>(size_at(turn_.before.document, flag.until));
        const auto is = static_cast<std::int64_t>(size_at(document(), flag.until));
        const Value* kept = baselines.find(flag.id);
        const std::int64_t baseline =
            kept != nullptr && kept->is_int() ? std::min(kept->as_int(), was) : was;
        if (is > baseline) {
            settle(flag);
            put(flag.id, flag.flag, false, false);
            baselines = std::move(baselines).erase(flag.id);
        } else {
            // Whatever was taken out since does not have to come back first.
            baselines = std::move(baselines).set(value::Str(flag.id), is);
        }
    }
    for (const Flag& flag : book_.flags) {
        const Known at = flag.at.evaluate({document(), {}});
        const auto limit = at ? expr::number_of(*at) : std::nullopt;
        const std::size_t count = size_at(document(), flag.count);
        if (!is_up(flag) && limit && *limit > 0 && static_cast<double>(count) >= *limit) {
            put(flag.id, flag.flag, true, true);
            baselines = std::move(baselines).set(
                value::Str(flag.id), static_cast<std::int64_t>(size_at(document(), flag.until)));
        }
    }
    if (!book_.flags.empty()) {
        remember("flags", std::move(baselines));
    }
}

// Clears a container but for its newest members; what goes is archived.
void Reactor::settle(const Flag& flag) {
    const Value* found = at(flag.clear);
    const Value* earlier = value::find(turn_.before.document, flag.clear);
    const Value all = found != nullptr ? contained(*found) : Value();
    const Value before = earlier != nullptr ? contained(*earlier) : Value();
    if (all.is_array()) {
        // What came this turn stands behind what was there.
        const std::size_t size = all.as_array().size();
        const std::size_t old = !flag.keep_this_turn ? size
                                : before.is_array()  ? std::min(size, before.as_array().size())
                                                     : 0;
        const std::size_t gone = std::min(old, size - std::min(size, flag.keep));
        Array kept = all.as_array();
        Array left;
        for (std::size_t i = 0; i < gone; ++i) {
            left = std::move(left).push_back(kept[0]);
            kept = std::move(kept).erase(0);
        }
        if (gone > 0) {
            archive(flag, std::move(left));
            put(flag.id, flag.clear, std::move(kept), false);
        }
        return;
    }
    if (!all.is_object()) {
        return;
    }
    const Object& members = all.as_object();
    const Object old = before.is_object() ? before.as_object() : Object();
    // A memory that only got another name is no new one.
    std::vector<Value> renamed;
    for (const auto& [key, value] : old) {
        if (!members.contains(key)) {
            renamed.push_back(value);
        }
    }
    Object kept;
    Object gone;
    std::size_t position = 0;
    for (const auto& [key, value] : members) {
        const bool newest = position++ + flag.keep >= members.size();
        const bool fresh = flag.keep_this_turn && !old.contains(key) &&
                           std::ranges::find(renamed, value) == renamed.end();
        if (newest || fresh || engine::has_protected(value)) {
            kept = std::move(kept).set(key, value);
        } else {
            gone = std::move(gone).set(key, value);
        }
    }
    if (!gone.empty()) {
        archive(flag, std::move(gone));
        put(flag.id, flag.clear, std::move(kept), false);
    }
}

// The newest so many clearings; older ones are in the records of their turns.
void Reactor::archive(const Flag& flag, Value gone) {
    Object all = recalled("archive");
    const Value* list = all.find(flag.id);
    Array entries = list != nullptr && list->is_array() ? list->as_array() : Array();
    entries = std::move(entries).push_back(std::move(gone));
    while (entries.size() > base::kArchiveMax) {
        entries = std::move(entries).erase(0);
    }
    remember("archive", std::move(all).set(value::Str(flag.id), std::move(entries)));
}

}  // namespace arbiter::rules::internal
