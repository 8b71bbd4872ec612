#include "rules/worlds.h"

#include <algorithm>

#include "expr/coercion.h"
#include "rules/blueprint.h"
#include "rules/rulebook.h"
#include "value/array.h"
#include "value/editor.h"

namespace arbiter::rules {

using engine::State;
using value::Array;
using value::Object;
using value::Value;

std::vector<Backup> backups(const Object& meta) {
    std::vector<Backup> all;
    const Value* worlds = meta.find(kWorldsKey);
    for (const Value& entry :
         worlds != nullptr && worlds->is_array() ? worlds->as_array() : Array()) {
        const auto member = [&entry](std::string_view key) {
            return entry.is_object() ? entry.as_object().find(key) : nullptr;
        };
        const Value* world = member("world");
        const Value* contents = member("contents");
        const Value* date = member("date");
        if (world != nullptr && world->is_string() && contents != nullptr &&
            contents->is_object()) {
            const Value* named_at = member("named_at");
            std::optional<value::Path> name;
            if (named_at != nullptr && named_at->is_string()) {
                auto path = value::parse_path(named_at->as_string(), value::PathSyntax::kDotted);
                name = path ? std::optional(std::move(*path)) : std::nullopt;
            }
            all.push_back({std::string(world->as_string()), contents->as_object(),
                           date != nullptr ? std::optional(*date) : std::nullopt, std::move(name)});
        }
    }
    return all;
}

namespace {

// The metadata with which the rulebooks look at the whole document in their next turn.
Object unseen(Object meta) {
    const Value* books = meta.find(kRulesKey);
    Object all = books != nullptr && books->is_object() ? books->as_object() : Object();
    for (const auto& [name, memory] : Object(all)) {
        if (memory.is_object()) {
            all = std::move(all).set(name, memory.as_object().erase("seen"));
        }
    }
    return all.empty() ? meta : std::move(meta).set(kRulesKey, std::move(all));
}

}  // namespace

base::Result<State> restore_world(const State& state, std::string_view world) {
    const std::vector<Backup> all = backups(state.meta);
    const Backup* backup = nullptr;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].world == world) {
            backup = &all[i];
        }
    }
    for (std::size_t i = 0; i < all.size() && backup == nullptr; ++i) {
        backup = std::to_string(i + 1) == world ? &all[i] : nullptr;
    }
    if (backup == nullptr) {
        return base::fail(base::ErrorCode::kNotFound, {std::string(world)});
    }
    State restored{state.document, unseen(state.meta)};
    for (const auto& [place, content] : backup->contents) {
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
    const Value* name =
        backup->named_at ? value::find(restored.document, *backup->named_at) : nullptr;
    if (name != nullptr) {
        value::Path path = *backup->named_at;
        if (&expr::undescribed(*name) != name) {
            path.emplace_back(std::int64_t{0});
        }
        auto named = value::set(restored.document, path, std::string_view(backup->world));
        restored.document = named ? std::move(*named) : restored.document;
    }
    return restored;
}

}  // namespace arbiter::rules
