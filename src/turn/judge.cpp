#include "turn/judge.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/batch.h"
#include "proposal/operations.h"
#include "table/dialog.h"
#include "table/layout.h"
#include "table/life.h"
#include "text/truncate.h"
#include "turn/internal/call_judge.h"
#include "value/diff.h"

namespace arbiter::turn {

using engine::State;
using engine::Verdict;
using proposal::Code;
using proposal::Problem;
using proposal::Proposal;
using proposal::Status;
using value::Object;
using value::Value;

namespace {

class Judge {
  public:
    Judge(const Begun& begun, reader::Reading reading)
        : before_(begun.state),
          rules_(*begun.rules),
          settings_(begun.settings),
          context_(begun.context),
          dialog_(table::chosen_dialog(before_.document, rules_.registries->dialogs, settings_)),
          calls_(rules_, settings_, context_, dialog_, table::seeded(before_.document)),
          state_(before_) {
        context_.turn_start = before_;
        context_.budget = &budget_;
        attempt_.reading = std::move(reading);
        attempt_.player_proposals = begun.heard.size();
        std::vector<Proposal>& all = attempt_.reading.proposals;
        all.insert(all.begin(), begun.heard.begin(), begun.heard.end());
        attempt_.settings_revision = table::settings_revision(before_);
        attempt_.outcome.verdicts.reserve(proposals().size());
    }

    // Judges the player's commands alone.
    Value open() && {
        judge_heard();
        return std::move(state_).document;
    }

    Attempt run(rules::Memories* memories) && {
        judge_heard();
        if (dialog_.changes_state || context_.actor != engine::Actor::kModel) {
            judge_range(attempt_.player_proposals, proposals().size());
            const Value judged = state_.document;
            react(memories);
            settle(judged);
        } else {
            const Value judged = state_.document;
            refuse_range(attempt_.player_proposals, proposals().size());
            if (attempt_.player_proposals > 0) {
                react(memories);
                settle(judged);
            }
        }
        attempt_.conflicts = structural_conflicts(
            before_.document, state_.document, attempt_.actions, context_.actor, rules_.authority);
        const Value* ended = table::find_in_campaign(state_.document, {"ended"});
        if (ended != nullptr && ended->is_object()) {
            attempt_.ended = std::string(table::text_in(ended, "reason"));
        }
        attempt_.outcome.state = std::move(state_);
        return std::move(attempt_);
    }

  private:
    // The point to which a failed transaction returns.
    struct Savepoint {
        State state;
        std::size_t actions;
        std::size_t effects;
        std::size_t events;
        std::size_t expired;
        std::size_t results;
    };

    [[nodiscard]] std::span<const Proposal> proposals() const noexcept {
        return attempt_.reading.proposals;
    }
    std::vector<Verdict>& verdicts() noexcept { return attempt_.outcome.verdicts; }
    [[nodiscard]] std::string id_of(std::size_t i) const {
        return context_.batch_id + "-" + std::to_string(i);
    }

    // True for a tool call, and for a direct command of the model that stands for one.
    [[nodiscard]] bool is_call(const Proposal& proposal) const {
        if (proposal.tool_call() != nullptr) {
            return true;
        }
        return context_.actor == engine::Actor::kModel && proposal.instruction() != nullptr &&
               proposal.problems.empty() &&
               table::redirect(*proposal.instruction(), state_.document, rules_.authority);
    }

    void judge_heard() {
        if (attempt_.player_proposals == 0) {
            return;
        }
        const engine::Actor author = std::exchange(context_.actor, engine::Actor::kPlayer);
        judge_range(0, attempt_.player_proposals);
        context_.actor = author;
    }

    // Proposals [first, last), of one author. A batch does not reach beyond them.
    void judge_range(std::size_t first, std::size_t last) {
        const auto all = proposals().first(last);
        std::size_t pending = first;  // commands from here on go to the engine in one call
        for (std::size_t begin = first; begin < all.size();) {
            const engine::Batch batch = engine::next_batch(all, begin, rules_.policy);
            const auto own = all.subspan(batch.begin, batch.end - batch.begin);
            if (std::ranges::any_of(own, [this](const Proposal& each) { return is_call(each); })) {
                apply(pending, batch.begin);
                judge_batch(batch);
                pending = batch.end;
            }
            begin = batch.end;
        }
        apply(pending, all.size());
    }

    // The dialog type changes nothing: only timers run, which are not the model's doing.
    void refuse_range(std::size_t begin, std::size_t end) {
        apply(begin, begin);
        for (std::size_t i = begin; i < end; ++i) {
            Verdict& verdict = verdicts().emplace_back();
            verdict.id = id_of(i);
            verdict.warnings = proposals()[i].warnings;
            if (const proposal::ToolCall* asked = proposals()[i].tool_call()) {
                FailedCall failed;
                failed.id = text::truncate(asked->id, base::kDetailBytesMax);
                failed.tool = text::truncate(asked->tool, base::kDetailBytesMax);
                failed.refusal = {"dialog_changes_nothing", {dialog_.id}};
                fail(i, std::move(failed));
                continue;
            }
            // A block that could not be read has no instruction.
            if (const proposal::Instruction* asked = proposals()[i].instruction()) {
                verdict.op = asked->op;
                verdict.path = asked->path;
            }
            verdict.status = Status::kRejected;
            verdict.problem = proposals()[i].problems.empty()
                                  ? Problem{Code::kDialogType, {dialog_.id}}
                                  : proposals()[i].problems[0];
            attempt_.refused.push_back(i);
        }
    }

    // Commands and calls of one batch, one by one.
    void judge_batch(const engine::Batch& batch) {
        const Savepoint savepoint{state_,
                                  attempt_.actions.size(),
                                  attempt_.effects.size(),
                                  attempt_.outcome.events.size(),
                                  attempt_.outcome.expired.size(),
                                  attempt_.tool_results.size()};
        for (std::size_t i = batch.begin; i < batch.end; ++i) {
            if (is_call(proposals()[i])) {
                call(i);
            } else {
                apply(i, i + 1);
            }
            const Status status = verdicts().back().status;
            if (batch.transaction && (status == Status::kRejected || status == Status::kFailed)) {
                roll_back(savepoint, batch, i);
                return;
            }
        }
    }

    void roll_back(const Savepoint& savepoint, const engine::Batch& batch, std::size_t culprit) {
        state_ = savepoint.state;
        attempt_.actions.resize(savepoint.actions);
        attempt_.effects.resize(savepoint.effects);
        attempt_.outcome.events.resize(savepoint.events);
        attempt_.outcome.expired.resize(savepoint.expired);
        attempt_.tool_results.resize(savepoint.results);
        for (std::size_t i = batch.begin; i < batch.end; ++i) {
            if (i > culprit) {
                verdicts().emplace_back().id = id_of(i);
                verdicts().back().actor = context_.actor;
            }
            Verdict& verdict = verdicts()[i];
            if (i == culprit || (i < culprit && verdict.status != Status::kApplied)) {
                continue;
            }
            verdict.status = Status::kRolledBack;
            verdict.changes.clear();
            verdict.value.reset();
            verdict.after = verdict.before;
            if (const proposal::ToolCall* asked = proposals()[i].tool_call()) {
                FailedCall failed;
                failed.id = text::truncate(asked->id, base::kDetailBytesMax);
                failed.tool = text::truncate(asked->tool, base::kDetailBytesMax);
                failed.refusal = {"rolled_back", {}};
                failed.proposal = i;
                attempt_.failed_calls.push_back(std::move(failed));
            }
        }
    }

    // Commands [begin, end), judged by the engine. The first call of a turn is made even without
    // commands: timers run out before anything else happens.
    void apply(std::size_t begin, std::size_t end) {
        if (begin >= end && applied_ > 0) {
            return;
        }
        engine::Context own = context_;
        own.is_text = true;
        if (applied_++ > 0) {
            own.batch_id += ".p" + std::to_string(begin);
        }
        const Value before = state_.document;
        engine::Outcome outcome =
            engine::apply(state_, proposals().subspan(begin, end - begin), rules_.policy, own);
        engine::Outcome& all = attempt_.outcome;
        for (engine::Expired& expired : outcome.expired) {
            add_action(Action::Kind::kExpire, all.expired.size(), {}, expired.changes);
            all.expired.push_back(std::move(expired));
        }
        for (engine::Event& event : outcome.events) {
            event.proposal += begin;
            all.events.push_back(std::move(event));
        }
        for (std::size_t i = begin; i < end; ++i) {
            Verdict& verdict = outcome.verdicts[i - begin];
            if (!verdict.changes.empty()) {
                add_action(Action::Kind::kCommand, i, {}, verdict.changes);
            }
            if (verdict.status == Status::kRejected || verdict.status == Status::kFailed) {
                refuse(i, verdict);
            }
            all.verdicts.push_back(std::move(verdict));
        }
        state_ = std::move(outcome.state);
        settle(before);
    }

    // Notes a refused command. One on a path of the system counts as a failed call as well.
    void refuse(std::size_t i, const Verdict& verdict) {
        attempt_.refused.push_back(i);
        if (context_.actor != engine::Actor::kModel || !verdict.problem ||
            verdict.problem->code != Code::kNotAllowed ||
            !table::is_authoritative(rules_.authority, verdict.path)) {
            return;
        }
        FailedCall failed;
        failed.id = verdict.id;
        failed.tool = "direct_command";
        failed.refusal = {"authoritative_path",
                          {value::print_path(verdict.path, value::PathSyntax::kDotted)}};
        failed.proposal = i;
        failed.key = internal::request_key(failed.tool, value::path_to_value(verdict.path));
        attempt_.failed_calls.push_back(std::move(failed));
    }

    void call(std::size_t i) {
        Verdict& verdict = verdicts().emplace_back();
        verdict.id = id_of(i);
        verdict.actor = context_.actor;
        verdict.warnings = proposals()[i].warnings;
        const proposal::ToolCall* asked = proposals()[i].tool_call();
        std::optional<table::Redirected> redirected;
        if (asked == nullptr) {
            redirected =
                table::redirect(*proposals()[i].instruction(), state_.document, rules_.authority);
            verdict.op = proposals()[i].instruction()->op;
            verdict.path = redirected->place;
            if (redirected->call) {
                redirected->call->id = std::string_view(verdict.id);
                asked = &*redirected->call;
            }
        }
        verdict.tool =
            redirected ? redirected->tool : text::truncate(asked->tool, base::kDetailBytesMax);
        const auto refused = [&](FailedCall failed) {
            if (redirected) {
                failed.path = value::print_path(redirected->place, value::PathSyntax::kDotted);
            }
            fail(i, std::move(failed));
        };
        if (asked == nullptr || !proposals()[i].problems.empty()) {
            refused(unreadable_call(i, asked, redirected));
            return;
        }
        const Value before = state_.document;
        auto accepted = calls_.judge(*asked, redirected.has_value(), state_);
        if (!accepted) {
            refused(std::move(accepted.error()));
            return;
        }
        state_ = std::move(accepted->state);
        verdict.path = accepted->path;
        verdict.value = accepted->result;
        verdict.changes = value::diff_of_step(before, state_.document);
        show_change(verdict);
        if (accepted->continues_turn) {
            attempt_.tool_results.push_back({i, std::string(asked->id.view()),
                                             std::string(asked->tool.view()), accepted->result});
        }
        Object about = {{"id", asked->id},
                        {"tool", asked->tool},
                        {"args", asked->args},
                        {"result", accepted->result},
                        {"actor_id", table::active_actor(before)},
                        {"time", std::string_view(engine::print_instant(context_.now))}};
        if (!asked->reason.empty()) {
            about = std::move(about).set("reason", asked->reason);
        }
        if (redirected) {
            about = std::move(about).set(
                "from_command",
                std::string_view(value::print_path(redirected->place, value::PathSyntax::kDotted)));
        }
        add_action(Action::Kind::kTool, i, std::move(about), verdict.changes);
        settle(before);
    }

    // A verdict on a call shows one of its changes: that of its first instruction, else the first.
    static void show_change(Verdict& verdict) {
        if (verdict.changes.empty()) {
            return;
        }
        auto shown = std::ranges::find(verdict.changes, verdict.path, &value::Change::path);
        shown = shown != verdict.changes.end() ? shown : verdict.changes.begin();
        verdict.path = shown->path;
        if (shown->kind != value::Change::Kind::kAdd) {
            verdict.before = shown->before;
        }
        if (shown->kind != value::Change::Kind::kRemove) {
            verdict.after = shown->after;
        }
    }

    [[nodiscard]] FailedCall unreadable_call(
        std::size_t i, const proposal::ToolCall* asked,
        const std::optional<table::Redirected>& redirected) const {
        FailedCall failed;
        failed.id =
            asked != nullptr ? std::string(asked->id.view()) : attempt_.outcome.verdicts.back().id;
        if (redirected) {
            failed.tool = redirected->tool;
            failed.refusal = {"no_such_tool_call",
                              {value::print_path(redirected->place, value::PathSyntax::kDotted),
                               redirected->tool}};
            return failed;
        }
        failed.tool = std::string(asked->tool.view());
        failed.status = FailedCall::Status::kError;
        failed.refusal = {"unreadable_call", {}, proposals()[i].problems[0]};
        return failed;
    }

    void fail(std::size_t i, FailedCall failed) {
        Verdict& verdict = verdicts().back();
        verdict.status = Status::kRejected;
        const bool error = failed.status == FailedCall::Status::kError;
        verdict.problem = error ? Problem{Code::kBadValue, {failed.tool, failed.refusal.reason}}
                                : Problem{Code::kNotAllowed, {failed.tool}};
        if (!proposals()[i].problems.empty()) {
            verdict.problem = proposals()[i].problems[0];
        } else {
            verdict.reason = failed.refusal.reason;
        }
        failed.proposal = i;
        attempt_.failed_calls.push_back(std::move(failed));
    }

    // Consequences of a step, applied as the system: mapped paths and the campaign agree, hit
    // points are in their range, a character without any is down.
    void settle(const Value& before) {
        constexpr int kRounds = 3;
        Value from = before;
        for (int round = 0; round < kRounds && !from.is_identical(state_.document); ++round) {
            std::vector<proposal::Instruction> due =
                table::agreement(from, state_.document, rules_.authority);
            if (due.empty()) {
                due = table::consequences(from, state_.document, settings_);
            }
            if (due.empty()) {
                return;
            }
            engine::Outcome outcome =
                internal::apply_as_system(state_, due, rules_.policy, context_,
                                          context_.batch_id + ".s" + std::to_string(settled_++));
            if (!internal::all_applied(outcome)) {
                return;
            }
            for (rules::Effect& effect : internal::effects_of(outcome, kSettleRule)) {
                add_effect(std::move(effect));
            }
            state_ = std::move(outcome.state);
        }
    }

    void react(rules::Memories* memories) {
        attempt_.outcome.state = state_;
        const rules::Turn turn{before_,        proposals(), attempt_.outcome, attempt_.reading.text,
                               context_.actor, &budget_};
        rules::Reacted reacted = rules::react(rules_.books, turn, memories);
        state_ = std::move(reacted.state);
        for (rules::Effect& effect : reacted.effects) {
            add_effect(std::move(effect));
        }
        attempt_.settled = reacted.settled;
        attempt_.spent = reacted.spent;
        attempt_.oversize = std::move(reacted.oversize);
    }

    void add_effect(rules::Effect effect) { internal::add_effect(attempt_, std::move(effect)); }
    void add_action(Action::Kind kind, std::size_t source, Object about, value::Diff changes) {
        const bool is_expiry = kind == Action::Kind::kExpire;
        attempt_.actions.push_back({kind, source, std::move(about), std::move(changes),
                                    is_expiry ? engine::Actor::kSystem : context_.actor});
    }

    const State& before_;
    const Rules& rules_;
    const Object& settings_;
    base::Budget budget_;  // of all that is judged
    engine::Context context_;
    const table::DialogType dialog_;
    internal::CallJudge calls_;
    State state_;
    Attempt attempt_;
    std::size_t applied_ = 0;
    std::size_t settled_ = 0;
};

}  // namespace

Attempt judge(const Begun& begun, reader::Reading reading, rules::Memories* memories) {
    return Judge(begun, std::move(reading)).run(memories);
}

Value open(const Begun& begun) {
    return Judge(begun, {}).open();
}

}  // namespace arbiter::turn
