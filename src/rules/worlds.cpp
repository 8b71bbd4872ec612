// Worlds that were left, and what is kept of them.
#include <algorithm>

#include "base/limits.h"
#include "engine/marks.h"
#include "rules/internal/reactor.h"
#include "value/editor.h"

namespace arbiter::rules {

using engine::State;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace internal {
namespace {

// What stood in a place that a command cleared: of all that was there, only what is protected is
// left. Nullptr where it did not.
const Value* cleared(const proposal::Proposal& proposal, const engine::Verdict& verdict,
                     const Path& place) {
    const proposal::Instruction* instruction = proposal.instruction();
    const bool clears = verdict.op == proposal::Op::kSet || verdict.op == proposal::Op::kDelete;
    if (!clears || verdict.status != proposal::Status::kApplied || !verdict.before ||
        verdict.path.size() > place.size() ||
        !std::equal(verdict.path.begin(), verdict.path.end(), place.begin())) {
        return nullptr;
    }
    // One member that was the last.
    if (instruction == nullptr || (instruction->key && verdict.path.size() == place.size())) {
        return nullptr;
    }
    const Path rest(place.begin() + static_cast<std::ptrdiff_t>(verdict.path.size()), place.end());
    const Value* content = value::find(*verdict.before, rest);
    if (content == nullptr || !content->is_object() || content->as_object().empty()) {
        return nullptr;
    }
    const Value* now = verdict.after ? value::find(*verdict.after, rest) : nullptr;
    const bool gone = std::ranges::all_of(content->as_object(), [&](value::Member member) {
        return now == nullptr || !now->is_object() || !now->as_object().contains(member.key) ||
               engine::has_protected(member.value);
    });
    return gone ? content : nullptr;
}

}  // namespace

// ---- leaving a world

void Reactor::leave() {
    for (const Leaving& leaving : book_.leavings) {
        Object kept;
        for (std::size_t i = 0; i < turn_.outcome.verdicts.size(); ++i) {
            for (const Path& place : leaving.places) {
                const value::Str key(printed(place));
                const Value* content =
                    kept.contains(key)
                        ? nullptr
                        : cleared(turn_.proposals[i], turn_.outcome.verdicts[i], place);
                if (content != nullptr) {
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
    const Value* all = stage_.meta.find(kWorldsKey);
    Array entries = all != nullptr && all->is_array() ? all->as_array() : Array();
    Object entry = {{"world", name}, {"contents", std::move(kept)}};
    if (book_.clock) {
        entry = std::move(entry).set(
            "date", std::string_view(text_at(turn_.before.document, book_.clock->date)));
    }
    entries = std::move(entries).push_back(std::move(entry));
    while (entries.size() > base::kBackupsMax) {
        entries = std::move(entries).erase(0);
    }
    stage_.meta = std::move(stage_.meta).set(kWorldsKey, std::move(entries));
}

}  // namespace internal

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
            all.push_back({std::string(world->as_string()), contents->as_object(),
                           date != nullptr ? std::optional(*date) : std::nullopt});
        }
    }
    return all;
}

namespace {

// The rulebooks look at everything in their next turn.
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
    const auto newest = std::ranges::find(all.rbegin(), all.rend(), world, &Backup::world);
    if (newest == all.rend()) {
        return base::fail(base::ErrorCode::kNotFound, {std::string(world)});
    }
    State restored{state.document, unseen(state.meta)};
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
