#include "engine/internal/timers.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "engine/internal/soft_delete.h"
#include "engine/marks.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

constexpr std::string_view kTimers = "timers";

Array timers_of(const Object& meta) {
    const Value* timers = meta.find(kTimers);
    return timers != nullptr && timers->is_array() ? timers->as_array() : Array();
}

void set_timers(Object& meta, Array timers) {
    meta = timers.empty() ? std::move(meta).erase(kTimers)
                          : std::move(meta).set(kTimers, std::move(timers));
}

std::optional<Path> path_of(const Value& timer) {
    const Value* path = value::find_member(&timer, "path");
    auto parsed = path != nullptr ? value::path_from_value(*path) : base::Result<Path>(Path());
    return parsed && !parsed->empty() ? std::optional(std::move(*parsed)) : std::nullopt;
}

// Whether the operation writes the whole subtree at its path, not only the members it names.
bool replaces_subtree(const Work& work) {
    const Op op = work.instruction.op;
    return op == Op::kMove || op == Op::kCopy ||
           (op == Op::kSet && work.text_option("mergeStrategy", "replace") == "replace");
}

// The path of a timer after the instruction; nothing if the timer ends.
std::optional<Path> followed_path(const Work& work, const Path& old, const Value& before,
                                  const std::vector<Path>& written) {
    if (work.instruction.op == Op::kMove) {
        const Path from = canonical(work.from, before);
        if (begins_with(old, from)) {
            // The timer moves with its node.
            Path moved = canonical(work.path, work.document());
            moved.insert(moved.end(), old.begin() + static_cast<std::ptrdiff_t>(from.size()),
                         old.end());
            return work.at(moved) != nullptr ? std::optional(std::move(moved)) : std::nullopt;
        }
    }
    Path path = old;
    for (const Shift& shift : work.shifts) {
        if (!follow(path, shift)) {
            return std::nullopt;
        }
    }
    const Value* now = work.at(path);
    const Value* was = value::find(before, old);
    if (now == nullptr || was == nullptr) {
        return std::nullopt;
    }
    for (const Path& place : written) {
        const bool below = begins_with(path, place);
        if (below && (path.size() == place.size() || replaces_subtree(work) || *now != *was)) {
            return std::nullopt;
        }
    }
    return path;
}

Value new_timer(const Work& work, const Path& path, Instant at) {
    Object timer = {{"path", value::path_to_value(path)},
                    {"at", at},
                    {"opId", std::string_view(work.verdict.id)}};
    if (work.has_flag("softDelete")) {
        const Value* bin = work.option("recycleBinKey");
        const auto named = bin != nullptr && bin->is_string()
                               ? value::parse_path(bin->as_string(), value::PathSyntax::kDotted)
                               : work.policy.recycle_bin;
        timer = std::move(timer).set(
            "bin", value::path_to_value(named ? *named : work.policy.recycle_bin));
        if (!work.instruction.reason.empty()) {
            timer = std::move(timer).set("reason", work.instruction.reason);
        }
    }
    return timer;
}

// The earlier of ttl and expiresAt.
std::optional<Instant> expiry_of(Work& work) {
    const Value* ttl = work.option("ttl");
    const Value* expires = work.option("expiresAt");
    std::optional<Instant> at;
    if (ttl != nullptr) {
        at = work.context.now + static_cast<Instant>(std::min(ttl->as_double(), 1e12) * 1000);
    }
    if (expires != nullptr) {
        const auto given = parse_instant(expires->as_string());
        at = at && given ? std::min(*at, *given) : given ? given : at;
    }
    if (ttl != nullptr && expires != nullptr) {
        work.warn(Warning::kBothExpiries);
    }
    return at;
}

// A timer while others expire. Its path is reset when its node is gone.
struct Running {
    Value timer;
    std::optional<Path> path;
    Instant at;
};

// The place and the record of an expired node in the recycle bin of its timer. Nothing if there is
// no bin or it is unusable: that does not prolong the node's life.
std::optional<std::pair<Path, Value>> slot_for(const Value& timer, const Path& path,
                                               const Value& document, std::string_view id,
                                               Instant now) {
    const Value* named = value::find_member(&timer, "bin");
    const auto bin = named != nullptr ? value::path_from_value(*named) : base::Result<Path>(Path());
    if (!bin || bin->empty() || begins_with(path, *bin) || begins_with(*bin, path)) {
        return std::nullopt;
    }
    Object record = {{"key", std::string_view(detail_of(path))},
                     {"value", *value::find(document, path)},
                     {"deletedAt", std::string_view(print_instant(now))},
                     {"opId", id}};
    if (const Value* reason = value::find_member(&timer, "reason")) {
        record = std::move(record).set("reason", *reason);
    }
    return bin_slot(document, *bin, std::move(record));
}

// Removes the node of a timer, into its recycle bin if it has one.
void expire(value::Editor& editor, const Running& running, Expired& gone, const Context& context) {
    gone.path = *running.path;
    gone.value = *value::find(editor.root(), gone.path);
    if (auto slot = slot_for(running.timer, gone.path, editor.root(), gone.id, context.now)) {
        gone.binned =
            editor.set(slot->first, std::move(slot->second), value::Parents::kCreate).has_value();
    }
    CHECK(editor.erase(gone.path));
}

// Removes what is not protected of a node.
void expire_in_part(value::Editor& editor, const Running& running, Value kept, Expired& gone) {
    gone.path = *running.path;
    gone.value = *value::find(editor.root(), gone.path);
    gone.kept = protected_paths(gone.value, gone.path, base::kRemarksMax);
    CHECK(editor.set(gone.path, std::move(kept)));
}

// Removes nodes that were written when their time was already over, so that the next command does
// not find them.
void remove_expired(Work& work, std::vector<Path> over) {
    // Later elements of a list first: the others keep their indexes.
    std::ranges::reverse(over);
    for (const Path& path : over) {
        if (work.at(path) == nullptr) {
            continue;
        }
        auto slot = slot_for(new_timer(work, path, work.context.now), path, work.document(),
                             work.verdict.id, work.context.now);
        if (slot &&
            value::set(work.document(), slot->first, slot->second, value::Parents::kCreate)) {
            CHECK(work.put(slot->first, std::move(slot->second), true));
        }
        CHECK(work.erase(path));
    }
}

}  // namespace

bool check_timers(Work& work) {
    const bool timed = work.option("ttl") != nullptr || work.option("expiresAt") != nullptr;
    // The model must not remove by a timer what it must not delete.
    if (timed && work.context.actor == Actor::kModel && work.target() != nullptr &&
        has_filtered_out(*work.target())) {
        return work.fail(Code::kHiddenNode, {detail_of(work.path), "inside"});
    }
    return !timed || work.instruction.op == Op::kDelete || !work.has_flag("softDelete") ||
           find_bin(work, work.path).has_value();
}

// A write clears the timer of its path and those of nodes that it replaces below. With ttl or
// expiresAt it sets a new one for each path that it wrote.
void update_timers(Work& work, const Value& before) {
    const Array old = timers_of(work.meta);
    const std::optional<Instant> at = expiry_of(work);
    if (old.empty() && !at) {
        return;
    }
    std::vector<Path> written = work.written.value_or(std::vector<Path>{work.path});
    for (Path& path : written) {
        path = canonical(std::move(path), work.document());
    }
    Array kept;
    for (const Value& timer : old) {
        const auto was = path_of(timer);
        if (auto path = was ? followed_path(work, *was, before, written) : std::nullopt) {
            kept = std::move(kept).push_back(
                *path == *was ? timer : timer.as_object().set("path", path_to_value(*path)));
        }
    }
    std::vector<Path> over;
    for (const Path& path : written) {
        const Value* node = at && !path.empty() ? work.at(path) : nullptr;
        if (node == nullptr) {
            continue;
        }
        if (*at <= work.context.now && !has_protected(*node)) {
            over.push_back(path);
        } else {
            kept = std::move(kept).push_back(new_timer(work, path, *at));
        }
    }
    set_timers(work.meta, std::move(kept));
    remove_expired(work, std::move(over));
}

void expire_nodes(State& state, const Context& context, std::vector<Expired>& expired) {
    std::vector<Running> all;
    bool any = false;
    for (const Value& timer : timers_of(state.meta)) {
        const Value* at = value::find_member(&timer, "at");
        const bool sound = at != nullptr && at->is_int();
        all.push_back({timer, path_of(timer), sound ? at->as_int() : context.now});
        any = any || all.back().at <= context.now;
    }
    if (!any) {
        return;
    }
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].at <= context.now) {
            due.push_back(i);
        }
    }
    std::ranges::sort(due, {}, [&](std::size_t i) { return std::pair(all[i].at, i); });
    value::Editor editor(state.document);
    for (const std::size_t i : due) {
        if (!all[i].path || value::find(editor.root(), *all[i].path) == nullptr) {
            continue;
        }
        const Path path = *all[i].path;
        const Value before = editor.root();
        Expired gone;
        gone.id = context.batch_id + "-expired-" + std::to_string(expired.size());
        auto kept = protected_part(*value::find(editor.root(), path));
        const bool stays = kept.has_value();
        if (stays) {
            expire_in_part(editor, all[i], *std::move(kept), gone);
        } else {
            expire(editor, all[i], gone, context);
        }
        gone.changes = value::diff(before, editor.root());
        expired.push_back(std::move(gone));
        const Path list(path.begin(), path.end() - 1);
        const Value* around = value::find(before, list);
        const bool shifts = !stays && around != nullptr && around->is_array();
        for (Running& other : all) {
            if (!other.path) {
                continue;
            }
            if ((begins_with(*other.path, path) &&
                 (!stays || value::find(editor.root(), *other.path) == nullptr)) ||
                (shifts &&
                 !follow(*other.path, {list, path.back().as_position().value_or(0), 1, 0}))) {
                other.path.reset();
            }
        }
    }
    Array kept;
    for (Running& each : all) {
        if (each.at > context.now && each.path) {
            kept = std::move(kept).push_back(
                each.timer.as_object().set("path", value::path_to_value(*each.path)));
        }
    }
    state.document = std::move(editor).take();
    set_timers(state.meta, std::move(kept));
}

}  // namespace arbiter::engine::internal
