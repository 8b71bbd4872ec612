#include "rules/internal/flag_phase.h"

#include <algorithm>
#include <unordered_map>

#include "base/limits.h"
#include "engine/marks.h"
#include "rules/limit.h"
#include "value/array.h"
#include "value/hash.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Array;
using value::Object;
using value::Value;

bool FlagPhase::is_up(const Flag& flag) const {
    const Value* found = context_.at(flag.flag);
    return found != nullptr && expr::is_true(expr::undescribed(*found));
}

void FlagPhase::run() {
    Object baselines = context_.recalled("flags");
    for (const Flag& flag : context_.book.flags) {
        if (!is_up(flag)) {
            continue;
        }
        // The count when the flag was set; for a flag of an imported save, before this turn.
        const auto was =
            static_cast<std::int64_t>(size_at(context_.turn.before.document, flag.until));
        const auto is = static_cast<std::int64_t>(size_at(context_.document(), flag.until));
        const Value* kept = baselines.find(flag.id);
        const std::int64_t baseline =
            kept != nullptr && kept->is_int() ? std::min(kept->as_int(), was) : was;
        if (is > baseline) {
            settle(flag);
            context_.put(flag.id, flag.flag, false);
            baselines = std::move(baselines).erase(flag.id);
        } else {
            // Members that were removed since do not have to come back first.
            baselines = std::move(baselines).set(value::Str(flag.id), is);
        }
    }
    for (const Flag& flag : context_.book.flags) {
        const Known threshold = context_.evaluate(flag.at, {});
        const auto limit = threshold ? expr::number_of(*threshold) : std::nullopt;
        const std::size_t count = size_at(context_.document(), flag.count);
        if (!is_up(flag) && limit && *limit > 0 && static_cast<double>(count) >= *limit) {
            context_.put(flag.id, flag.flag, true, ReactionContext::Creates::kWithParents);
            baselines = std::move(baselines).set(
                value::Str(flag.id),
                static_cast<std::int64_t>(size_at(context_.document(), flag.until)));
        }
    }
    if (!context_.book.flags.empty()) {
        context_.remember("flags", std::move(baselines));
    }
}

// Clears a container except its newest members, and archives the others.
void FlagPhase::settle(const Flag& flag) {
    const Value* found = context_.at(flag.clear);
    const Value* earlier = value::find(context_.turn.before.document, flag.clear);
    const Value all = found != nullptr ? contained(*found) : Value();
    const Value before = earlier != nullptr ? contained(*earlier) : Value();
    if (all.is_array()) {
        // Members of this turn are at the end.
        const std::size_t size = all.as_array().size();
        std::size_t old = size;
        if (flag.keep_this_turn) {
            old = before.is_array() ? std::min(size, before.as_array().size()) : 0;
        }
        const std::size_t gone = std::min(old, size - std::min(size, flag.keep));
        Array kept = all.as_array();
        Array left;
        for (std::size_t i = 0; i < gone; ++i) {
            left = std::move(left).push_back(kept[0]);
            kept = std::move(kept).erase(0);
        }
        if (gone > 0) {
            archive(flag, std::move(left));
            context_.put(flag.id, flag.clear, std::move(kept));
        }
        return;
    }
    if (!all.is_object()) {
        return;
    }
    const Object& members = all.as_object();
    const Object old = before.is_object() ? before.as_object() : Object();
    // A member that was only renamed is not new.
    std::unordered_multimap<std::uint64_t, Value> renamed;  // by hash
    for (const auto& [key, value] : old) {
        if (!members.contains(key)) {
            renamed.emplace(value::fingerprint_of(value).loose, value);
        }
    }
    const auto is_renamed = [&renamed](const Value& value) {
        const auto [begin, end] = renamed.equal_range(value::fingerprint_of(value).loose);
        return begin != end && begin->second == value;
    };
    Object kept;
    Object gone;
    std::size_t position = 0;
    for (const auto& [key, value] : members) {
        const bool newest = position++ + flag.keep >= members.size();
        const bool fresh = flag.keep_this_turn && !old.contains(key) && !is_renamed(value);
        if (newest || fresh || engine::has_protected(value)) {
            kept = std::move(kept).set(key, value);
        } else {
            gone = std::move(gone).set(key, value);
        }
    }
    if (!gone.empty()) {
        archive(flag, std::move(gone));
        context_.put(flag.id, flag.clear, std::move(kept));
    }
}

// Keeps the newest clearings; older ones are in the records of their turns.
void FlagPhase::archive(const Flag& flag, Value gone) {
    Object all = context_.recalled("archive");
    const Value* list = all.find(flag.id);
    Array entries = list != nullptr && list->is_array() ? list->as_array() : Array();
    entries = std::move(entries).push_back(std::move(gone));
    while (entries.size() > base::kArchiveMax) {
        entries = std::move(entries).erase(0);
    }
    context_.remember("archive", std::move(all).set(value::Str(flag.id), std::move(entries)));
}

}  // namespace arbiter::rules::internal
