// Worlds that were left, and what is kept of them.
#include <algorithm>

#include "rules/internal/reactor.h"
#include "value/editor.h"

namespace arbiter::rules {

using engine::State;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace internal {

// ---- leaving a world

void Reactor::leave() {
    for (const Leaving& leaving : book_.leavings) {
        Object kept;
        for (std::size_t i = 0; i < turn_.outcome.verdicts.size(); ++i) {
            const engine::Verdict& verdict = turn_.outcome.verdicts[i];
            const bool clears = verdict.status == proposal::Status::kApplied &&
                                verdict.op == proposal::Op::kDelete && verdict.before;
            for (const Path& place : leaving.places) {
                if (!clears || verdict.path.size() > place.size() ||
                    !std::equal(verdict.path.begin(), verdict.path.end(), place.begin())) {
                    continue;
                }
                const Path rest(place.begin() + static_cast<std::ptrdiff_t>(verdict.path.size()),
                                place.end());
                const Value* content = value::find(*verdict.before, rest);
                const value::Str key(printed(place));
                if (content != nullptr && content->is_object() && !content->as_object().empty() &&
                    !kept.contains(key)) {
                    kept = std::move(kept).set(key, *content);
                }
            }
        }
        if (!kept.empty()) {
            keep_world(leaving, std::move(kept));
        }
    }
}
void Reactor::keep_world(const Leaving& leaving, Object kept) {
    const expr::Known world = leaving.name.evaluate({turn_.before.document, {}});
    const value::Str name(world && world->is_string() ? world->as_string() : "?");
    const Value* all = meta_.find(kWorldsKey);
    Object worlds = all != nullptr && all->is_object() ? all->as_object() : Object();
    const Value* list = worlds.find(name);
    Array entries = list != nullptr && list->is_array() ? list->as_array() : Array();
    Object entry = {{"contents", std::move(kept)}};
    if (book_.clock) {
        entry = std::move(entry).set(
            "date", std::string_view(text_at(turn_.before.document, book_.clock->date)));
    }
    worlds = std::move(worlds).set(name, std::move(entries).push_back(std::move(entry)));
    meta_ = std::move(meta_).set(kWorldsKey, std::move(worlds));
}

}  // namespace internal

std::vector<Backup> backups(const Object& meta) {
    std::vector<Backup> all;
    const Value* worlds = meta.find(kWorldsKey);
    if (worlds == nullptr || !worlds->is_object()) {
        return all;
    }
    for (const auto& [world, list] : worlds->as_object()) {
        if (!list.is_array()) {
            continue;
        }
        for (const Value& entry : list.as_array()) {
            const Value* contents =
                entry.is_object() ? entry.as_object().find("contents") : nullptr;
            if (contents != nullptr && contents->is_object()) {
                const Value* date = entry.as_object().find("date");
                all.push_back({std::string(world.view()), contents->as_object(),
                               date != nullptr ? std::optional(*date) : std::nullopt});
            }
        }
    }
    return all;
}

base::Result<State> restore_world(const State& state, std::string_view world) {
    const std::vector<Backup> all = backups(state.meta);
    const auto newest = std::ranges::find(all.rbegin(), all.rend(), world, &Backup::world);
    if (newest == all.rend()) {
        return base::fail(base::ErrorCode::kNotFound, {std::string(world)});
    }
    State restored = state;
    for (const auto& [place, content] : newest->contents) {
        const auto path = value::parse_path(place, value::PathSyntax::kDotted);
        if (!path) {
            continue;
        }
        const Value* present = value::find(restored.document, *path);
        Value merged = present != nullptr && content.is_object()
                           ? with_blueprint(*present, content.as_object())
                           : content;
        auto changed =
            value::set(restored.document, *path, std::move(merged), value::Parents::kCreate);
        if (changed) {
            restored.document = std::move(*changed);
        }
    }
    return restored;
}

}  // namespace arbiter::rules
