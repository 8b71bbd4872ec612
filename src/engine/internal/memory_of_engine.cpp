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

std::string mark_key(const Work& work) {
    return shown(work.path) + "\n" + work.text_option("idempotencyKey", "");
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

// A write clears the timer of its path and of everything below it; one with ttl or expiresAt sets
// a new one. On a push the timer belongs to the element.
void keep_timers(Work& work) {
    const Value* ttl = work.option("ttl");
    const Value* expires = work.option("expiresAt");
    const Array old = timers_of(work.meta);
    if (old.empty() && ttl == nullptr && expires == nullptr) {
        return;
    }
    const bool push = work.instruction.op == Op::kPush;
    Array kept;
    for (const Value& timer : old) {
        const auto path = value::path_from_value(member(timer, "path"));
        const bool element = timer.as_object().contains("element");
        const bool cleared = path && begins_with(*path, work.path) && !push &&
                             !(element && *path == work.path && work.instruction.op != Op::kSet &&
                               work.instruction.op != Op::kDelete);
        if (!cleared) {
            kept = std::move(kept).push_back(timer);
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
        Object timer = {{"path", value::path_to_value(work.path)},
                        {"at", at.value_or(work.context.now)},
                        {"opId", std::string_view(work.verdict.id)}};
        if (push) {
            timer = std::move(timer).set("element", *work.instruction.value);
        }
        kept = std::move(kept).push_back(std::move(timer));
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
        auto path = value::path_from_value(member(timer, "path"));
        if (!path) {
            continue;
        }
        if (const Value* element = timer.as_object().find("element")) {
            const Value* list = value::find(editor.root(), *path);
            if (list == nullptr || !list->is_array()) {
                continue;
            }
            const Array& array = list->as_array();
            std::size_t index = 0;
            while (index < array.size() && !(array[index] == *element)) {
                ++index;
            }
            if (index == array.size()) {
                continue;
            }
            path->emplace_back(static_cast<std::int64_t>(index));
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
