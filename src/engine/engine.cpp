#include "engine/engine.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/batch.h"
#include "engine/internal/access.h"
#include "engine/internal/check_run.h"
#include "engine/internal/expiry.h"
#include "engine/internal/feature_fallback.h"
#include "engine/internal/guards.h"
#include "engine/internal/idempotency.h"
#include "engine/internal/ops.h"
#include "engine/internal/redirect.h"
#include "engine/internal/remarks.h"
#include "engine/internal/structure.h"
#include "engine/internal/structure_rules.h"
#include "engine/internal/timers.h"
#include "engine/internal/versions.h"
#include "engine/internal/work.h"
#include "engine/internal/world.h"
#include "engine/numbers.h"
#include "engine/place.h"
#include "value/hash.h"

namespace arbiter::engine {

using internal::canonical;
using internal::Work;
using proposal::Code;
using proposal::Instruction;
using proposal::Op;
using proposal::Problem;
using proposal::Proposal;
using proposal::Status;
using value::Path;
using value::Value;

namespace {

// Whether the path addresses an element of an array. Requires a non-empty path.
bool is_element(const Value& document, const Path& path) {
    const Value* parent = value::find(document, path, path.size() - 1);
    return parent != nullptr && parent->is_array();
}

std::string tool_of(const Proposal& proposal) {
    const proposal::ToolCall* call = proposal.tool_call();
    return call != nullptr ? std::string(call->tool.view()) : std::string("tool");
}

bool takes_away(const value::Change& change) {
    return change.kind == value::Change::Kind::kRemove || change.before.is_container();
}

// Judges proposals one by one. The state changes only with a verdict "applied".
class Judge {
  public:
    Judge(State& state, const Policy& policy, const Context& context, std::vector<Event>& events)
        : state_(state),
          start_(context.turn_start.value_or(state)),
          policy_(policy),
          context_(context),
          budget_(context.budget != nullptr ? *context.budget : own_budget_),
          events_(events),
          timers_(state.meta),
          redirects_(policy, budget_) {
        for (const auto& check : policy.checks) {
            if (check->follows()) {
                followers_.push_back(check.get());
            }
        }
        follow(state_.meta, state_.document);
    }

    // The id of the operation that the proposal at `index` asks for.
    [[nodiscard]] std::string id_of(std::size_t index) const {
        return context_.batch_id + "-" + std::to_string(index);
    }

    [[nodiscard]] Actor actor() const noexcept { return context_.actor; }

    void begin_batch() { timers_.begin_batch(); }
    // The state is that of the last begin_batch() again.
    void roll_back() {
        timers_.roll_back();
        redirects_.forget_names();
    }
    // After the last proposal.
    void save(value::Object& meta) const { timers_.save(meta); }

    // `verdict` must be new.

    void judge(const Proposal& asked, std::size_t index, Verdict& verdict) {
        const auto fallback = internal::fall_back(asked, policy_.features);
        if (!fallback) {
            judge_as_is(asked, index, verdict);
            return;
        }
        judge_as_is(fallback->proposal, index, verdict);
        verdict.warnings.add(proposal::Warning::kDowngraded);
        verdict.left_out = fallback->left_out;
    }

  private:
    void follow(value::Object& meta, const Value& document) const {
        for (const Check* check : followers_) {
            check->follow(meta, start_, document);
        }
    }

    void judge_as_is(const Proposal& proposal, std::size_t index, Verdict& verdict) {
        verdict.id = id_of(index);
        verdict.warnings = proposal.warnings;
        verdict.remarks = proposal.remarks;
        const Instruction* instruction = proposal.instruction();
        bool foreign = false;
        if (instruction != nullptr) {
            verdict.op = instruction->op;
            Place place = place_of(*instruction, instruction->path, state_.document);
            foreign = place.foreign;
            if (place.is_repaired()) {
                verdict.warnings.add(proposal::Warning::kRepaired);
                verdict.remarks.push_back(
                    {proposal::Warning::kRepaired,
                     {internal::detail_of(place.written), internal::detail_of(place.path)}});
            }
            verdict.path =
                redirects_.redirect(*instruction, std::move(place.path), state_.document);
        }
        if (!proposal.problems.empty() || instruction == nullptr) {
            verdict.status = Status::kRejected;
            verdict.problem =
                proposal.problems.empty()
                    ? Problem{Code::kNotAllowed,
                              {tool_of(proposal), "tools need a campaign with a table"}}
                    : proposal.problems[0];
            return;
        }
        const internal::Lookup lookup = internal::look_up(state_.document, verdict.path);
        const internal::WorkInputs inputs{state_,   proposal, *instruction, policy_,
                                          context_, lookup,   budget_};
        std::optional<Problem> problem = internal::check_module(inputs, verdict.path, foreign);
        if (!problem) {
            problem = internal::check_access(inputs, verdict.path);
        }
        if (problem) {
            verdict.status = proposal::status_of(problem->code);
            verdict.problem = std::move(problem);
            return;
        }
        Work work(inputs, verdict);
        carry_out(work, index);
    }

    void carry_out(Work& work, std::size_t index) {
        const Instruction& instruction = work.instruction;
        Verdict& verdict = work.verdict;
        if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
            work.from = place_of(instruction, instruction.from, state_.document).path;
        }
        switch (internal::find_key(work)) {
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
            work.has_flag("ifExists") && work.has_flag("allowMissing") && work.target() == nullptr;
        const bool done = check_guards(work) && check_old(work) && check_timers(work) &&
                          (nothing_to_do ||
                           (internal::check_requirements(work) && internal::run_operation(work))) &&
                          timers_.prepare(work) && keeps_structure(work, state_.document) &&
                          internal::check_world(work, start_) && check_expect(work) && fits(work);
        if (!done) {
            if (verdict.status == Status::kSkipped) {
                internal::remember_key(work);
                state_.meta = std::move(work.meta);
            }
            verdict.path = canonical(work.path, state_.document);
            verdict.value.reset();
            return;
        }
        accept(work, index);
    }

    void accept(Work& work, std::size_t index) {
        if (internal::is_write(work.instruction.op) && !work.deduped) {
            internal::count_version(work);
            timers_.update(work);
        }
        internal::remember_key(work);
        for (Event& event : work.events) {
            event.proposal = index;
            events_.push_back(std::move(event));
        }
        Verdict& verdict = work.verdict;
        verdict.path = canonical(work.path, work.document());
        const Path& path = verdict.path;
        // After an insertion the element that was at this path is elsewhere.
        const bool inserted = std::ranges::any_of(work.shifts, [&](const internal::Shift& shift) {
            return shift.inserted > shift.removed && path.size() == shift.list.size() + 1 &&
                   internal::begins_with(path, shift.list);
        });
        const bool deletes =
            work.instruction.op == Op::kDelete && !work.instruction.key && !work.instruction.all;
        const Value* before = work.target_before();
        const Value* after = work.target();
        verdict.before = before != nullptr && !inserted ? std::optional(*before) : std::nullopt;
        // After a deletion another element may have moved to this path.
        const bool shifted = deletes && !path.empty() && is_element(work.document(), path);
        verdict.after = after != nullptr && !shifted ? std::optional(*after) : std::nullopt;
        const value::Diff& changes = work.changes();
        if (internal::index_of(policy_).counts_changes) {
            const std::vector<Path> places = value::touched_places(changes);
            follow_numbers(work.meta, internal::counting_checks(policy_, places), state_.document,
                           work.document(), places);
        }
        if (std::ranges::any_of(changes, takes_away)) {
            redirects_.forget_names();
        }
        follow(work.meta, work.document());
        verdict.changes = std::move(work).take_changes();
        // NOLINTNEXTLINE(bugprone-use-after-move): the other half of `work` was taken.
        state_ = std::move(work).take_state();
    }

    // The weight limit counts shared parts as often as they appear.
    bool fits(Work& work) {
        if (!internal::is_write(work.instruction.op) ||
            value::weigh(work.document()) <= base::kDocumentWeightMax) {
            return true;
        }
        return work.fail(Code::kTooLarge, {"document", std::to_string(base::kDocumentWeightMax)});
    }

    State& state_;
    const State start_;  // before the turn
    const Policy& policy_;
    const Context& context_;
    base::Budget own_budget_;
    base::Budget& budget_;
    std::vector<Event>& events_;
    internal::Timers timers_;
    internal::Redirects redirects_;
    std::vector<const Check*> followers_;
};

// Whether some of its lists are not empty, so that an index is needed.
bool has_rules(const Policy& policy) {
    return !policy.checks.empty() || !policy.derived.empty() || !policy.read_only.empty() ||
           !policy.closed.empty() || !policy.kept.empty() || !policy.memories.empty() ||
           !policy.open.empty() || !policy.aliases.empty();
}

bool is_failure(const Verdict& verdict) {
    return verdict.status == Status::kRejected || verdict.status == Status::kFailed;
}

// The verdict on a proposal that was not tried because its transaction had failed.
void roll_back_untried(const Proposal& proposal, const Value& document, Verdict& verdict) {
    verdict.status = Status::kRolledBack;
    verdict.warnings = proposal.warnings;
    if (const Instruction* instruction = proposal.instruction()) {
        verdict.op = instruction->op;
        verdict.path = place_of(*instruction, instruction->path, document).path;
    }
}

void roll_back_applied(Verdict& verdict) {
    verdict.status = Status::kRolledBack;
    verdict.changes.clear();
    verdict.value.reset();
    verdict.after = verdict.before;
}

// Appends the verdicts on one batch and updates the outcome's state and events.
void apply_batch(Judge& judge, std::span<const Proposal> proposals, const Batch& batch,
                 Outcome& outcome) {
    const State before = outcome.state;
    const std::size_t events = outcome.events.size();
    judge.begin_batch();
    bool failed = false;
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
        Verdict& verdict = outcome.verdicts.emplace_back();
        verdict.actor = judge.actor();
        if (failed) {
            verdict.id = judge.id_of(i);
            roll_back_untried(proposals[i], before.document, verdict);
            continue;
        }
        judge.judge(proposals[i], i, verdict);
        failed = batch.transaction && is_failure(verdict);
    }
    if (!failed) {
        return;
    }
    outcome.state = before;
    judge.roll_back();
    outcome.events.resize(events);
    for (std::size_t i = batch.begin; i < batch.end; ++i) {
        if (outcome.verdicts[i].status == Status::kApplied) {
            roll_back_applied(outcome.verdicts[i]);
        }
    }
}

}  // namespace

Value current_document(const State& state, Instant now) {
    Context context;
    context.now = now;
    State current = state;
    std::vector<Expired> expired;
    internal::expire_nodes(current, context, expired);
    return current.document;
}

Outcome apply(const State& state, std::span<const Proposal> proposals, const Policy& policy,
              const Context& context) {
    Outcome outcome;
    outcome.state = state;
    internal::expire_nodes(outcome.state, context, outcome.expired);
    if (!outcome.expired.empty() && counts_changes(policy.checks)) {
        follow_numbers(
            outcome.state.meta, policy.checks, state.document, outcome.state.document,
            value::touched_places(value::diff_of_step(state.document, outcome.state.document)));
    }
    std::optional<Policy> own;
    const bool is_stricter =
        !policy.strict_set && policy.locks_structure && internal::is_strict_set(state.meta);
    if (is_stricter || (policy.index == nullptr && has_rules(policy))) {
        own = policy;
        own->strict_set |= is_stricter;
        own->index = policy.index != nullptr ? policy.index : PolicyIndex::of(policy);
    }
    Judge judge(outcome.state, own ? *own : policy, context, outcome.events);
    outcome.verdicts.reserve(proposals.size());
    for (std::size_t next = 0; next < proposals.size();) {
        const Batch batch = next_batch(proposals, next, policy);
        apply_batch(judge, proposals, batch, outcome);
        next = batch.end;
    }
    judge.save(outcome.state.meta);
    if (policy.locks_structure) {
        internal::follow_structure(outcome.state.meta, state.document, outcome.state.document);
    }
    // Sealed once for all commands; the weight was checked after each.
    if (!outcome.state.document.is_identical(state.document)) {
        value::seal(outcome.state.document);
    }
    internal::add_remarks(outcome, proposals, policy);
    return outcome;
}

}  // namespace arbiter::engine
