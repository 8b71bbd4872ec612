#include "rules/internal/world_backup.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/marks.h"
#include "value/array.h"

namespace arbiter::rules::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// The content of a place that a command cleared: only protected members are left. nullptr if the
// command did not clear it.
const Value* cleared(const proposal::Proposal& proposal, const engine::Verdict& verdict,
                     const Path& place) {
    const proposal::Instruction* instruction = proposal.instruction();
    const bool clears = verdict.op == proposal::Op::kSet || verdict.op == proposal::Op::kDelete;
    if (!clears || verdict.status != proposal::Status::kApplied || !verdict.before ||
        verdict.path.size() > place.size() ||
        !std::equal(verdict.path.begin(), verdict.path.end(), place.begin())) {
        return nullptr;
    }
    // Removing the last member is not clearing.
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

void back_up(ReactionContext& context, const Leaving& leaving, Object kept) {
    const expr::Known world =
        leaving.name->evaluate({context.turn.before.document, {}, &context.budget()});
    const value::Str name(world && world->is_string() ? world->as_string() : "?");
    const Value* all = context.meta().find(kWorldsKey);
    Array entries = all != nullptr && all->is_array() ? all->as_array() : Array();
    Object entry = {{"world", name}, {"contents", std::move(kept)}};
    if (context.book.clock) {
        entry = std::move(entry).set("date", std::string_view(text_at(context.turn.before.document,
                                                                      context.book.clock->date)));
    }
    // A name that is at one path is restored with the world.
    const auto& reads = leaving.name->reads();
    const auto named_at = reads.size() == 1 ? value::bound_path(reads[0], {}) : std::nullopt;
    if (named_at && text_at(context.turn.before.document, *named_at) == name.view()) {
        entry = std::move(entry).set("named_at", std::string_view(printed(*named_at)));
    }
    entries = std::move(entries).push_back(std::move(entry));
    while (entries.size() > base::kBackupsMax) {
        entries = std::move(entries).erase(0);
    }
    context.meta() = std::move(context.meta()).set(kWorldsKey, std::move(entries));
}

}  // namespace

void back_up_worlds(ReactionContext& context) {
    for (const Leaving& leaving : context.book.leavings) {
        Object kept;
        for (std::size_t i = 0; i < context.turn.outcome.verdicts.size(); ++i) {
            for (const Path& place : leaving.places) {
                const Value* content =
                    cleared(context.turn.proposals[i], context.turn.outcome.verdicts[i], place);
                if (content == nullptr) {
                    continue;
                }
                if (const value::Str key(printed(place)); !kept.contains(key)) {
                    kept = std::move(kept).set(key, *content);
                }
            }
        }
        if (kept.empty()) {
            continue;
        }
        if (leaving.name) {
            back_up(context, leaving, std::move(kept));
        }
        for (const Action& action : leaving.actions) {
            context.perform(leaving.id, action, {}, {});
        }
    }
}

}  // namespace arbiter::rules::internal
