// What the engine remembers beside the document: idempotency marks and timers.
#include <algorithm>

#include "engine/internal/work.h"
#include "proposal/operations.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kMarks = "idempotency";
constexpr std::string_view kTimers = "timers";

Object marks_of(const Object& meta) {
    const Value* marks = meta.find(kMarks);
    return marks != nullptr && marks->is_object() ? marks->as_object() : Object();
}

// By the path as it was asked for: what [-1] means changes with the first time. Keys of digits and
// indexes are one.
std::string mark_key(const Work& work) {
    Path asked = work.verdict.path;
    for (value::Segment& segment : asked) {
        segment = value::Segment(segment.as_key());
    }
    return shown(asked) + "\n" + work.text_option("idempotencyKey", "");
}

// What was asked for, to tell the same command from another with the same key.
Value mark_of(const Work& work) {
    const Value value = work.instruction.value.value_or(Value());
    return Object{{"op", proposal::name(work.instruction.op)},
                  {"value", static_cast<std::int64_t>(value::fingerprint_of(value).loose >> 1)}};
}

Array timers_of(const Object& meta) {
    const Value* timers = meta.find(kTimers);
    return timers != nullptr && timers->is_array() ? timers->as_array() : Array();
}

void set_timers(Object& meta, Array timers) {
    meta = timers.empty() ? std::move(meta).erase(kTimers)
                          : std::move(meta).set(kTimers, std::move(timers));
}

const Value& member(const Value& object, std::string_view key) {
    static const Value kNull;
    const Value* found = object.as_object().find(key);
    return found != nullptr ? *found : kNull;
}

bool begins_with(const Path& path, const Path& outer) {
    return path.size() >= outer.size() && std::equal(outer.begin(), outer.end(), path.begin());
}

}  // namespace

Seen find_mark(const Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return Seen::kNew;
    }
    const Object marks = marks_of(work.meta);
    const Value* mark = marks.find(mark_key(work));
    if (mark == nullptr) {
        return Seen::kNew;
    }
    return *mark == mark_of(work) ? Seen::kSame : Seen::kDifferent;
}

void keep_mark(Work& work) {
    if (work.option("idempotencyKey") == nullptr) {
        return;
    }
    Object marks = marks_of(work.meta).set(value::Str(mark_key(work)), mark_of(work));
    while (marks.size() > work.policy.marks_max) {
        marks = std::move(marks).erase(marks.at(0).key);
    }
    work.meta = std::move(work.meta).set(kMarks, std::move(marks));
}

namespace {

// What a timer is about, in a document; nothing where that is not there.
std::optional<Path> timed_path(const Value& timer, const Value& document) {
    auto path = value::path_from_value(member(timer, "path"));
    if (!path) {
        return std::nullopt;
    }
    const Value* found = value::find(document, *path);
    const Value* element = timer.as_object().find("element");
    if (found == nullptr || element == nullptr) {
        return found == nullptr ? std::nullopt : std::optional(std::move(*path));
    }
    if (!found->is_array()) {
        return std::nullopt;
    }
    const Array& list = found->as_array();
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i] == *element) {
            path->emplace_back(static_cast<std::int64_t>(i));
            return std::move(*path);
        }
    }
    return std::nullopt;
}

// A write puts down everything anew that is below its path, not only what it names.
bool replaces(const Work& work) {
    switch (work.instruction.op) {
        case Op::kSet:
            return work.text_option("mergeStrategy", "replace") == "replace";
        case Op::kDelete:
            return !work.instruction.key && !work.instruction.all;
        default:
            return work.instruction.op == Op::kMove || work.instruction.op == Op::kCopy;
    }
}

// The timer after the write, or nothing.
std::optional<Value> kept_timer(const Work& work, const Value& timer, const Value& before,
                                const Path& written) {
    const auto path = timed_path(timer, before);
    if (!path) {
        return std::nullopt;
    }
    if (work.instruction.op == Op::kMove && begins_with(*path, work.from)) {
        return std::nullopt;
    }
    const Value* now = work.at(*path);
    if (*path == written) {
        return work.instruction.op == Op::kPush ? std::optional(timer) : std::nullopt;
    }
    if (begins_with(written, *path)) {
        // Something inside of it: an element goes by its new content from now on.
        return timer.as_object().contains("element") && now != nullptr
                   ? Value(timer.as_object().set("element", *now))
                   : timer;
    }
    if (!begins_with(*path, written)) {
        return timer;
    }
    const bool element = timer.as_object().contains("element");
    const bool same = element ? timed_path(timer, work.document()).has_value()
                              : now != nullptr && *now == *value::find(before, *path);
    return !replaces(work) && same ? std::optional(timer) : std::nullopt;
}

Value new_timer(const Work& work, const Path& path, Instant at) {
    Object timer = {{"path", value::path_to_value(path)},
                    {"at", at},
                    {"opId", std::string_view(work.verdict.id)}};
    const Path parent(path.begin(), path.end() - 1);
    const Value* around = work.at(parent);
    if (around != nullptr && around->is_array()) {
        // Places shift; an element goes by what it is.
        timer = std::move(timer)
                    .set("path", value::path_to_value(parent))
                    .set("element", *work.at(path));
    }
    return timer;
}

}  // namespace

// A write clears the timer of its path and of what it replaces below it; one with ttl or expiresAt
// sets a new one, for the members and elements that it brought where it brought such.
void keep_timers(Work& work, const Value& before) {
    const Value* ttl = work.option("ttl");
    const Value* expires = work.option("expiresAt");
    const Array old = timers_of(work.meta);
    if (old.empty() && ttl == nullptr && expires == nullptr) {
        return;
    }
    Path written;
    const Value* at_way = &before;
    for (const value::Segment& segment : work.path) {
        const auto step = at_way != nullptr ? value::step_into(*at_way, segment) : std::nullopt;
        written.push_back(step && at_way->is_array()
                              ? value::Segment(static_cast<std::int64_t>(step->position))
                              : segment);
        at_way = step ? step->value : nullptr;
    }
    Array kept;
    for (const Value& timer : old) {
        if (auto still = kept_timer(work, timer, before, written)) {
            kept = std::move(kept).push_back(std::move(*still));
        }
    }
    if (ttl != nullptr || expires != nullptr) {
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
        for (const Path& path : work.brought.value_or(std::vector<Path>{work.path})) {
            if (!path.empty() && work.at(path) != nullptr) {
                kept =
                    std::move(kept).push_back(new_timer(work, path, at.value_or(work.context.now)));
            }
        }
    }
    set_timers(work.meta, std::move(kept));
}

void sweep(State& state, const Context& context, std::vector<Expired>& expired) {
    const Array timers = timers_of(state.meta);
    if (timers.empty()) {
        return;
    }
    value::Editor editor(state.document);
    Array kept;
    bool any = false;
    for (const Value& timer : timers) {
        const Value& at = member(timer, "at");
        if (!at.is_int() || at.as_int() > context.now) {
            kept = std::move(kept).push_back(timer);
            continue;
        }
        any = true;
        const auto path = timed_path(timer, editor.root());
        if (!path) {
            continue;
        }
        if (auto gone = editor.erase(*path)) {
            expired.push_back({*path, *gone});
        }
    }
    if (any) {
        state.document = std::move(editor).take();
        set_timers(state.meta, std::move(kept));
    }
}

}  // namespace arbiter::engine::internal
