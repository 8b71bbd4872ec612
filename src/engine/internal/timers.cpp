#include "engine/internal/timers.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/internal/ops.h"
#include "engine/internal/soft_delete.h"
#include "engine/marks.h"
#include "value/pattern.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

constexpr std::string_view kTimers = "timers";

// Whether the operation writes the whole subtree at its path, not only the members it names.
bool replaces_subtree(const Work& work) {
    const Op op = work.instruction.op;
    return op == Op::kMove || op == Op::kCopy ||
           (op == Op::kSet && work.text_option("mergeStrategy", "replace") == "replace");
}

// The path of a timer after the instruction; nothing if the timer ends.
std::optional<Path> followed_path(const Work& work, const Path& old, const PathIndex& written) {
    const Value& before = work.before.document;
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
    const bool is_below = written.has_above(path);
    const bool is_itself = is_below && written.has_at(path);
    if (is_below && (is_itself || replaces_subtree(work) || *now != *was)) {
        return std::nullopt;
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

// The earlier of ttl and expiresAt.
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
            work.put(slot->first, std::move(slot->second), true);
        }
        work.erase(path);
    }
}

// The members or elements that the instruction wrote, else its path.
std::vector<Path> written_by(const Work& work) {
    std::vector<Path> written = work.written.value_or(std::vector<Path>{work.path});
    for (Path& path : written) {
        path = canonical(std::move(path), work.document());
    }
    return written;
}

bool is_timed(const Work& work) {
    return work.option("ttl") != nullptr || work.option("expiresAt") != nullptr;
}

}  // namespace

// ---- records

Array timers_of(const Object& meta) {
    const Value* timers = meta.find(kTimers);
    return timers != nullptr && timers->is_array() ? timers->as_array() : Array();
}

void set_timers(Object& meta, Array timers) {
    meta = timers.empty() ? std::move(meta).erase(kTimers)
                          : std::move(meta).set(kTimers, std::move(timers));
}

std::optional<Path> path_of_timer(const Value& timer) {
    const Value* path = value::find_member(&timer, "path");
    auto parsed = path != nullptr ? value::path_from_value(*path) : base::Result<Path>(Path());
    return parsed && !parsed->empty() ? std::optional(std::move(*parsed)) : std::nullopt;
}

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

// ---- the running timers

namespace {

// Whether a path is the mark of a protected node. The model may set it again, but not for a time.
bool is_protection(const Path& path, const Value& document) {
    return !path.empty() && !path.back().is_index() && path.back().key() == "_is_protected" &&
           is_mark_set(value::find(document, path));
}

}  // namespace

bool check_timers(Work& work) {
    const bool timed = is_timed(work);
    // The model must not remove by a timer what it must not delete.
    if (timed && work.context.actor == Actor::kModel && work.target() != nullptr &&
        has_filtered_out(*work.target())) {
        return work.fail(Code::kHiddenNode, {detail_of(work.path), "inside"});
    }
    return !timed || work.instruction.op == Op::kDelete || !work.has_flag("softDelete") ||
           find_bin(work, work.path).has_value();
}

// Timers whose node was removed, by a rule for example, end with the next write.
void Timers::load(const Value& document) {
    if (loaded_) {
        return;
    }
    loaded_ = true;
    live_ = 0;
    for (const Value& timer : stored_) {
        auto path = path_of_timer(timer);
        if (path && value::find(document, *path) == nullptr) {
            path.reset();
        }
        running_.push_back({timer, std::nullopt});
        move(static_cast<PathIndex::Number>(running_.size() - 1), std::move(path));
    }
    is_pruned_ = live_ < running_.size();
}

bool Timers::prepare(Work& work) {
    affected_.clear();
    const bool timed = is_timed(work);
    if (!is_write(work.instruction.op) || work.deduped || (live_ == 0 && !timed)) {
        return true;
    }
    load(work.before.document);
    const std::vector<Path> written = written_by(work);
    if (timed && work.context.actor == Actor::kModel) {
        for (const Path& path : written) {
            if (is_protection(path, work.before.document)) {
                return work.fail(Code::kNotAllowed, {detail_of(path)});
            }
        }
    }
    if (timed && written.size() > base::kTimersMax - std::min(live_, base::kTimersMax)) {
        return work.fail(Code::kTooLarge,
                         {"the number of timers", std::to_string(base::kTimersMax)});
    }
    if (live_ > 0) {
        find_affected(work, written);
    }
    const std::uint64_t looks = affected_.size() * (1 + work.shifts.size());
    return work.spend(looks * base::kRuleLookCost);
}

void Timers::find_affected(Work& work, const std::vector<Path>& written) {
    std::ranges::for_each(written, [&](const Path& path) { index_.find_below(path, affected_); });
    for (const Shift& shift : work.shifts) {
        index_.find_below(shift.list, affected_);
    }
    if (work.instruction.op == Op::kMove) {
        index_.find_below(canonical(work.from, work.before.document), affected_);
    }
    for (const Path& path : value::touched_places(work.changes())) {
        index_.find_below(path, affected_);
    }
    std::ranges::sort(affected_);
    const auto rest = std::ranges::unique(affected_);
    affected_.erase(rest.begin(), rest.end());
}

void Timers::place(PathIndex::Number number, std::optional<Path> path) {
    Running& timer = running_[number];
    journal_.emplace_back(number, timer.path);
    move(number, std::move(path));
}

void Timers::move(PathIndex::Number number, std::optional<Path> path) {
    Running& timer = running_[number];
    if (timer.path) {
        index_.remove(*timer.path, number);
        --live_;
    }
    timer.path = std::move(path);
    if (timer.path) {
        index_.add(*timer.path, number);
        ++live_;
    }
}

void Timers::update(Work& work) {
    const std::optional<Instant> at = expiry_of(work);
    is_written_ = is_written_ || (loaded_ && is_pruned_) || at || !affected_.empty();
    if (affected_.empty() && !at) {
        return;
    }
    const std::vector<Path> written = written_by(work);
    PathIndex written_index;
    if (!affected_.empty()) {
        for (const Path& path : written) {
            written_index.add(path, 0);
        }
    }
    for (const PathIndex::Number number : affected_) {
        const Path was = *running_[number].path;
        auto path = followed_path(work, was, written_index);
        if (!path || *path != was) {
            place(number, std::move(path));
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
            running_.push_back({new_timer(work, path, *at), std::nullopt});
            place(static_cast<PathIndex::Number>(running_.size() - 1), path);
        }
    }
    // The list itself is written once, by save(); its key has its place among the metadata now.
    if (live_ == 0) {
        work.meta = std::move(work.meta).erase(kTimers);
    } else if (!work.meta.contains(kTimers)) {
        work.meta = std::move(work.meta).set(kTimers, Array());
    }
    remove_expired(work, std::move(over));
}

void Timers::roll_back() {
    while (!journal_.empty()) {
        auto [number, path] = std::move(journal_.back());
        journal_.pop_back();
        move(number, std::move(path));
    }
}

void Timers::save(Object& meta) const {
    if (!is_written_) {
        return;
    }
    Array timers;
    for (const Running& each : running_) {
        if (each.path) {
            const bool stays = path_of_timer(each.timer) == each.path;
            timers = std::move(timers).push_back(
                stays ? each.timer
                      : each.timer.as_object().set("path", value::path_to_value(*each.path)));
        }
    }
    set_timers(meta, std::move(timers));
}

}  // namespace arbiter::engine::internal
