#include "engine/engine.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/batch.h"
#include "engine/internal/downgrade.h"
#include "engine/internal/remarks.h"
#include "engine/internal/structure.h"
#include "engine/internal/work.h"
#include "engine/internal/world.h"
#include "proposal/operations.h"
#include "value/hash.h"

namespace arbiter::engine {

using internal::begins_with;
using internal::canonical;
using internal::Work;
using proposal::Code;
using proposal::Instruction;
using proposal::Mount;
using proposal::Op;
using proposal::Problem;
using proposal::Proposal;
using proposal::Status;
using value::Path;
using value::Segment;
using value::Value;

namespace {

// Whether some key of a root could be a path of several names. A quick look, before the path is
// printed; a large root is not looked through.
bool may_be_one_key(const Value* root, const Path& path) {
    constexpr std::size_t kLookedAt = 16;
    if (root == nullptr || !root->is_object()) {
        return false;
    }
    // Printed, a path begins with its first name, or with the bracket around it.
    const std::string_view first = path[0].is_index() ? std::string_view("[") : path[0].key();
    const value::Object& members = root->as_object();
    return members.size() > kLookedAt ||
           std::ranges::any_of(members, [first](const value::Member& member) {
               const std::string_view key = member.key.view();
               return (key.size() > first.size() && key.starts_with(first)) || key.starts_with('[');
           });
}

// Where an instruction's path stands in the document.
Path mounted(const Instruction& instruction, const Path& path, const Value& document) {
    Path full;
    if (instruction.op == Op::kCallback) {
        return path;
    }
    full.reserve(path.size() + 2);  // the place of a described value comes behind it
    std::string_view key = name(instruction.mount);
    if (instruction.mount == Mount::kMvu && document.is_object() &&
        document.as_object().contains("stat_data")) {
        key = "stat_data";
    }
    if (!key.empty()) {
        full.emplace_back(key);
    }
    const std::size_t root = full.size();
    full.insert(full.end(), path.begin(), path.end());
    // MVU takes a text that is a key of its root as that key, dots and all. A path that says where
    // its names end means that only where it leads nowhere else.
    if (instruction.mount == Mount::kMvu && path.size() > 1 &&
        may_be_one_key(value::find(document, full, root), path) &&
        (instruction.dotted || value::find(document, full) == nullptr)) {
        const std::string joined = value::print_path(path, value::PathSyntax::kDotted);
        if (value::find(document, full, root)->as_object().contains(joined)) {
            full.erase(full.begin() + static_cast<std::ptrdiff_t>(root), full.end());
            full.emplace_back(std::string_view(joined));
        }
    }
    return full;
}

bool counts_from_the_end(const Path& path) {
    return std::ranges::any_of(
        path, [](const Segment& segment) { return segment.is_index() && segment.index() < 0; });
}

// As `canonical`, and a place that is counted from the end as the one it means.
Path counted(Path path, const Value& document) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i].is_index() && path[i].index() < 0) {
            const Value* list = value::find(document, path, i);
            if (list != nullptr && list->is_array()) {
                path[i] =
                    Segment(static_cast<std::int64_t>(list->as_array().size()) + path[i].index());
            }
        }
    }
    return canonical(std::move(path), document);
}

// Everything that an instruction may change, of which its path is only the first.
std::vector<Path> touched(const Instruction& instruction, const Path& path, const Policy& policy,
                          const Value& document) {
    std::vector<Path> places = {counted(path, document)};
    const Value* at = value::find(document, path);
    // A member that is named beside the path; places in a list shift all that follow.
    if (instruction.key && instruction.key->is_string() && (at == nullptr || !at->is_array()) &&
        (instruction.op == Op::kInsert || instruction.op == Op::kDelete)) {
        places[0].emplace_back(instruction.key->as_str());
    }
    if (instruction.op == Op::kMove) {
        places.push_back(counted(mounted(instruction, instruction.from, document), document));
    }
    const Value* soft = instruction.options.find("softDelete");
    const bool bins = soft != nullptr && soft->is_bool() && soft->as_bool();
    if (bins || instruction.op == Op::kRestore) {
        const Value* bin = instruction.options.find("recycleBinKey");
        const auto named = bin != nullptr && bin->is_string()
                               ? value::parse_path(bin->as_string(), value::PathSyntax::kDotted)
                               : policy.recycle_bin;
        places.push_back(counted(named.value_or(policy.recycle_bin), document));
    }
    return places;
}

// Whether an instruction changes what is at its path and nothing else.
bool is_plain_write(const Instruction& instruction, const Path& path) {
    return instruction.options.empty() && !instruction.key && instruction.op != Op::kMove &&
           instruction.op != Op::kRestore && !counts_from_the_end(path);
}

std::optional<Problem> check_policy(const Proposal& proposal, const Path& path,
                                    const internal::Way& way, const Policy& policy,
                                    const Context& context, const Value& document) {
    const Instruction& instruction = *proposal.instruction();
    if (instruction.in_save && !policy.tavern_root.empty()) {
        const std::string root = internal::shown(policy.tavern_root);
        if (!begins_with(path, policy.tavern_root)) {
            return Problem{Code::kBadPrefix, {internal::shown(path), root + "."}};
        }
        if (path.size() == policy.tavern_root.size()) {
            return Problem{Code::kBadPath, {internal::shown(path)}};
        }
    }
    // Whoever can write into the bin can say where things come from; so what is put back goes only
    // where the model may write, whoever puts it there.
    const bool restores = instruction.op == Op::kRestore;
    if (instruction.op == Op::kGet || instruction.op == Op::kCallback ||
        (context.actor == Actor::kSystem && !restores)) {
        return std::nullopt;
    }
    // The model deletes; what comes back is for others to say.
    if (restores && context.actor == Actor::kModel) {
        return Problem{Code::kNotAllowed, {internal::shown(path)}};
    }
    // What the engine counts is counted by nobody else.
    if (std::ranges::any_of(path, [](const Segment& segment) {
            return !segment.is_index() && segment.key() == "__version";
        })) {
        return Problem{Code::kNotAllowed, {internal::shown(path)}};
    }
    if (policy.closed.empty() && policy.derived.empty() && is_plain_write(instruction, path) &&
        internal::is_open(path, way.end)) {
        return std::nullopt;
    }
    const std::vector<Path> places = touched(instruction, path, policy, document);
    if (auto problem = internal::check_places(instruction, places, policy, context, document)) {
        return problem;
    }
    for (const ClosedPath& closed : policy.closed) {
        if (context.actor != Actor::kModel && !closed.to_player && !restores) {
            continue;
        }
        const Path kept = counted(closed.path, document);
        for (const Path& place : places) {
            if (begins_with(place, kept) || begins_with(kept, place)) {
                return Problem{Code::kNotAllowed, {internal::shown(place)}};
            }
        }
    }
    return std::nullopt;
}

bool check_old(Work& work) {
    if (!work.instruction.old || work.policy.old_check == OldCheck::kOff ||
        work.instruction.described == proposal::Described::kMvu) {
        return true;
    }
    const Value& stated = *work.instruction.old;
    const Value* present = work.scalar();
    bool same = present == nullptr ? stated.is_null() : internal::equal_content(*present, stated);
    if (!same && present != nullptr && work.instruction.op == Op::kMerge && present->is_object() &&
        stated.is_object()) {
        same = std::ranges::all_of(stated.as_object(), [&](const value::Member& member) {
            const Value* found = present->as_object().find(member.key);
            return found != nullptr && internal::equal_content(*found, member.value);
        });
    }
    if (same) {
        return true;
    }
    if (work.policy.old_check == OldCheck::kStrict) {
        return work.fail(Code::kOldMismatch,
                         {internal::shown(work.path), internal::shown(stated),
                          present == nullptr ? "-" : internal::shown(*present)});
    }
    work.warn(proposal::Warning::kOldMismatch);
    return true;
}

bool run(Work& work) {
    switch (work.instruction.op) {
        case Op::kSet:
            return run_set(work);
        case Op::kMerge:
            return run_merge(work);
        case Op::kEnsure:
            return run_ensure(work);
        case Op::kAdd:
            return run_add(work);
        case Op::kIncrement:
            return run_increment(work);
        case Op::kInsert:
            return run_insert(work);
        case Op::kPush:
            return run_push(work);
        case Op::kPull:
            return run_pull(work);
        case Op::kPop:
            return run_pop(work);
        case Op::kSplice:
            return run_splice(work);
        case Op::kDelete:
            return run_delete(work);
        case Op::kMove:
            return run_move(work);
        case Op::kCopy:
            return run_copy(work);
        case Op::kGet:
            return run_get(work);
        case Op::kCallback:
            return run_callback(work);
        case Op::kTest:
            return run_test(work);
        case Op::kRestore:
            return run_restore(work);
        case Op::kCount:
            break;
    }
    return false;
}

bool writes(Op op) {
    return op != Op::kGet && op != Op::kCallback && op != Op::kTest;
}

// Whether the container of a path is a list.
bool is_list_at(const Value& document, const Path& path) {
    const Value* parent = value::find(document, path, path.size() - 1);
    return parent != nullptr && parent->is_array();
}

// One proposal on a state, which changes only if the verdict is "applied".
class Judge {
  public:
    Judge(State& state, const Policy& policy, const Context& context, std::vector<Event>& events)
        : state_(state),
          start_(context.turn_start.value_or(state.document)),
          policy_(policy),
          context_(context),
          events_(events) {}

    // Of the operation that the proposal at an index is.
    [[nodiscard]] std::string id_of(std::size_t index) const {
        return context_.batch_id + "-" + std::to_string(index);
    }

    // `verdict` is a new one.
    void judge(const Proposal& asked, std::size_t index, Verdict& verdict) {
        const auto lesser = internal::downgrade(asked, policy_.features);
        if (!lesser) {
            judge_as_is(asked, index, verdict);
            return;
        }
        judge_as_is(lesser->proposal, index, verdict);
        verdict.warnings.add(proposal::Warning::kDowngraded);
        verdict.left_out = lesser->left_out;
    }

  private:
    void judge_as_is(const Proposal& proposal, std::size_t index, Verdict& verdict) {
        verdict.id = id_of(index);
        verdict.warnings = proposal.warnings;
        const Instruction* instruction = proposal.instruction();
        if (instruction != nullptr) {
            verdict.op = instruction->op;
            verdict.path = internal::redirected(
                *instruction, mounted(*instruction, instruction->path, state_.document), policy_,
                state_.document);
        }
        if (!proposal.problems.empty() || instruction == nullptr) {
            verdict.status = Status::kRejected;
            verdict.problem = proposal.problems.empty() ? Problem{Code::kNotAllowed, {"tool"}}
                                                        : proposal.problems[0];
            return;
        }
        const internal::Way way = internal::way_of(state_.document, verdict.path);
        if (auto problem =
                check_policy(proposal, verdict.path, way, policy_, context_, state_.document)) {
            verdict.status = proposal::status_of(problem->code);
            verdict.problem = std::move(problem);
            return;
        }
        Work work(state_, proposal, *instruction, policy_, context_, verdict, way);
        carry_out(work, index);
    }

    void carry_out(Work& work, std::size_t index) {
        const Instruction& instruction = work.instruction;
        Verdict& verdict = work.verdict;
        if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
            work.from = mounted(instruction, instruction.from, state_.document);
        }
        switch (internal::find_mark(work)) {
            case internal::Seen::kNew:
                break;
            case internal::Seen::kDifferent:
                work.warn(proposal::Warning::kIdempotencyMismatch);
                [[fallthrough]];
            case internal::Seen::kSame:
                verdict.status = Status::kDuplicate;
                return;
        }
        const bool nothing_to_do =
            work.is_on("ifExists") && work.is_on("allowMissing") && work.target() == nullptr;
        const bool done = check_guards(work) && check_old(work) && check_timers(work) &&
                          (nothing_to_do || (internal::check_needs(work) && run(work))) &&
                          keeps_structure(work, state_.document) &&
                          internal::check_world(work, start_) && check_expect(work) && fits(work);
        if (!done) {
            if (verdict.status == Status::kSkipped) {
                internal::keep_mark(work);
                state_.meta = std::move(work.meta);
            }
            verdict.path = canonical(work.path, state_.document);
            verdict.value.reset();
            return;
        }
        accept(work, index);
    }

    void accept(Work& work, std::size_t index) {
        if (writes(work.instruction.op) && !work.deduped) {
            internal::count_version(work);
            internal::keep_timers(work, state_.document);
        }
        internal::keep_mark(work);
        for (Event& event : work.events) {
            event.proposal = index;
            events_.push_back(std::move(event));
        }
        Verdict& verdict = work.verdict;
        verdict.path = canonical(work.path, work.document());
        const Path& path = verdict.path;
        // Where a list made room, what was there before is elsewhere now.
        const bool made_room = std::ranges::any_of(work.shifts, [&](const internal::Shift& shift) {
            return shift.come > shift.gone && path.size() == shift.list.size() + 1 &&
                   begins_with(path, shift.list);
        });
        const bool inserts = work.instruction.op == Op::kInsert;
        const bool deletes =
            work.instruction.op == Op::kDelete && !work.instruction.key && !work.instruction.all;
        const Value* before = work.was();
        const Value* after = work.target();
        verdict.before = before != nullptr && !made_room ? std::optional(*before) : std::nullopt;
        // An element that was deleted is gone, though another may have moved to its place.
        const bool shifted = deletes && !path.empty() && is_list_at(work.document(), path);
        verdict.after = after != nullptr && !shifted ? std::optional(*after) : std::nullopt;
        verdict.changes = std::move(work).take_changes();
        State next = std::move(work).take();
        if (inserts && policy_.locks_structure) {
            // Later commands of the reply can build on what came.
            internal::follow_structure(next.meta, state_.document, next.document);
        }
        state_ = std::move(next);
    }

    // The document as a whole stays within its limit, however little memory it takes.
    bool fits(Work& work) {
        if (!writes(work.instruction.op) ||
            value::weigh(work.document()) <= base::kDocumentWeightMax) {
            return true;
        }
        return work.fail(Code::kTooLarge, {"document", std::to_string(base::kDocumentWeightMax)});
    }

    State& state_;
    const Value start_;  // the document before the batch
    const Policy& policy_;
    const Context& context_;
    std::vector<Event>& events_;
};

bool aborts(const Verdict& verdict) {
    return verdict.status == Status::kRejected || verdict.status == Status::kFailed;
}

}  // namespace

Outcome apply(const State& state, std::span<const Proposal> proposals, const Policy& policy,
              const Context& context) {
    Outcome outcome;
    outcome.state = state;
    internal::sweep(outcome.state, context, outcome.expired);
    std::optional<Policy> stricter;
    if (!policy.strict_set && policy.locks_structure && internal::is_strict_set(state.meta)) {
        stricter = policy;
        stricter->strict_set = true;
    }
    Judge judge(outcome.state, stricter ? *stricter : policy, context, outcome.events);
    outcome.verdicts.reserve(proposals.size());
    for (std::size_t next = 0; next < proposals.size();) {
        const Batch batch = next_batch(proposals, next, policy);
        const State before = outcome.state;
        const std::size_t events = outcome.events.size();
        bool failed = false;
        for (std::size_t i = batch.begin; i < batch.end; ++i) {
            Verdict& verdict = outcome.verdicts.emplace_back();
            if (failed) {
                // Nothing after the fault is tried.
                verdict.status = Status::kRolledBack;
                verdict.id = judge.id_of(i);
                verdict.warnings = proposals[i].warnings;
                if (const Instruction* instruction = proposals[i].instruction()) {
                    verdict.op = instruction->op;
                    verdict.path = mounted(*instruction, instruction->path, before.document);
                }
                continue;
            }
            judge.judge(proposals[i], i, verdict);
            failed = batch.transaction && aborts(verdict);
        }
        if (failed) {
            outcome.state = before;
            outcome.events.resize(events);
            for (std::size_t i = batch.begin; i < batch.end; ++i) {
                Verdict& undone = outcome.verdicts[i];
                if (undone.status == Status::kApplied) {
                    undone.status = Status::kRolledBack;
                    undone.changes.clear();
                    undone.value.reset();
                    undone.after = undone.before;
                }
            }
        }
        next = batch.end;
    }
    if (policy.locks_structure) {
        internal::follow_structure(outcome.state.meta, state.document, outcome.state.document);
    }
    // Once for all commands; what they did to the weight was looked at one by one.
    if (!outcome.state.document.is_identical(state.document)) {
        value::seal(outcome.state.document);
    }
    internal::remark(outcome, proposals, policy);
    return outcome;
}

}  // namespace arbiter::engine
