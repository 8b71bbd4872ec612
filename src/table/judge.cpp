#include "table/judge.h"

#include <algorithm>

#include "calendar/shipped.h"
#include "proposal/operations.h"
#include "table/internal/calls.h"
#include "table/layout.h"
#include "table/life.h"
#include "value/diff.h"

namespace arbiter::table {

using engine::State;
using engine::Verdict;
using proposal::Code;
using proposal::Problem;
using proposal::Proposal;
using proposal::Status;
using value::Array;
using value::Object;
using value::Value;

std::shared_ptr<const Kit> shipped_kit() {
    static const std::shared_ptr<const Kit> kKit = [] {
        auto kit = std::make_shared<Kit>();
        kit->dialogs = shipped_dialogs();
        kit->settings = shipped_settings(kit->dialogs);
        kit->tools = shipped_tools();
        return kit;
    }();
    return kKit;
}

base::Result<TableSetting> make_table_setting(rules::Setting rules, std::shared_ptr<const Kit> kit,
                                              const Value& document, Object globals) {
    auto rows = rows_of(document);
    if (!rows) {
        return std::unexpected(std::move(rows.error()));
    }
    TableSetting setting;
    setting.rules = std::move(rules);
    setting.kit = std::move(kit);
    setting.authority = std::move(*rows);
    setting.globals = std::move(globals);
    setting.calendars = &calendar::default_calendars();
    for (const auto& book : setting.rules.books) {
        if (book->calendars != nullptr) {
            setting.calendars = book->calendars.get();
        }
    }
    const engine::Policy& policy = setting.rules.policy;
    const bool told = !policy.clock.empty() && !policy.timeline.empty();
    setting.clock = told ? policy.clock : value::Path{"时间", "当前"};
    setting.timeline = told ? policy.timeline : value::Path{"时间", "时间轴"};
    close(setting.rules.policy, setting.authority);
    return setting;
}

Object effective_settings(const Value& document, const TableSetting& setting) {
    const Value* values = find_in_campaign(document, {"settings", "values"});
    return setting.kit->settings.effective(object_or_empty(values), setting.globals).values;
}

std::int64_t settings_revision(const Value& document) noexcept {
    return int_in(find_in_campaign(document, {"settings"}), "revision").value_or(0);
}

namespace {

// One turn while it is judged.
class Turn {
  public:
    Turn(const State& before, std::span<const Proposal> proposals, const TableSetting& setting,
         const Object& settings, const engine::Context& context, Random& random)
        : before_(before),
          proposals_(proposals),
          setting_(setting),
          settings_(settings),
          context_(context),
          random_(random),
          desk_{setting, settings, {}, 0},
          state_(before) {
        context_.turn_start = before.document;
        judged_.settings_revision = table::settings_revision(before.document);
        judged_.played.outcome.verdicts.reserve(proposals.size());
    }

    Judged take(std::string_view narrative, rules::Memories* memories) && {
        judge_all();
        const Value played = state_.document;
        react(narrative, memories);
        settle(played);
        judged_.conflicts = structural_conflicts(before_.document, state_.document,
                                                 judged_.applied_actions, setting_.authority);
        const Value* ended = find_in_campaign(state_.document, {"ended"});
        if (ended != nullptr && ended->is_object()) {
            judged_.ended = std::string(text_in(ended, "reason"));
        }
        judged_.played.outcome.state = std::move(state_);
        return std::move(judged_);
    }

  private:
    // What a transaction that fails goes back to.
    struct Mark {
        State state;
        Array actions;
        std::size_t events;
        std::size_t expired;
    };

    [[nodiscard]] bool is_call(const Proposal& proposal) const {
        if (proposal.tool_call() != nullptr) {
            return true;
        }
        return context_.actor == engine::Actor::kModel && proposal.instruction() != nullptr &&
               proposal.problems.empty() &&
               redirect(*proposal.instruction(), state_.document, setting_.authority);
    }

    void judge_all() {
        std::size_t waiting = 0;  // commands from here on go to the engine together
        for (std::size_t begin = 0; begin < proposals_.size();) {
            std::size_t end = begin;
            bool transaction = false;
            bool calls = false;
            while (end < proposals_.size() && proposals_[end].batch == proposals_[begin].batch) {
                const auto* instruction = proposals_[end].instruction();
                transaction = transaction || proposals_[end].transaction ||
                              (instruction != nullptr && instruction->op == proposal::Op::kTest);
                calls = calls || is_call(proposals_[end]);
                ++end;
            }
            if (calls) {
                run(waiting, begin);
                judge_group(begin, end, transaction);
                waiting = end;
            }
            begin = end;
        }
        run(waiting, proposals_.size());
    }

    // Commands and calls of one block, one after the other.
    void judge_group(std::size_t begin, std::size_t end, bool transaction) {
        const Mark mark{state_, judged_.applied_actions, judged_.played.outcome.events.size(),
                        judged_.played.outcome.expired.size()};
        for (std::size_t i = begin; i < end; ++i) {
            if (is_call(proposals_[i])) {
                call(i);
            } else {
                run(i, i + 1);
            }
            const Status status = verdicts().back().status;
            if (transaction && (status == Status::kRejected || status == Status::kFailed)) {
                undo(mark, begin, i, end);
                return;
            }
        }
    }

    void undo(const Mark& mark, std::size_t begin, std::size_t fault, std::size_t end) {
        state_ = mark.state;
        judged_.applied_actions = mark.actions;
        judged_.played.outcome.events.resize(mark.events);
        judged_.played.outcome.expired.resize(mark.expired);
        for (std::size_t i = begin; i < end; ++i) {
            if (i > fault) {
                verdicts().emplace_back().id = id_of(i);
            }
            Verdict& verdict = verdicts()[i];
            if (i == fault || (i < fault && verdict.status != Status::kApplied)) {
                continue;
            }
            verdict.status = Status::kRolledBack;
            verdict.changes.clear();
            verdict.value.reset();
            verdict.after = verdict.before;
            if (const proposal::ToolCall* asked = proposals_[i].tool_call()) {
                FailedCall failed;
                failed.id = asked->id.view().substr(0, base::kDetailBytesMax);
                failed.tool = asked->tool.view().substr(0, base::kDetailBytesMax);
                failed.refusal = {"rolled_back", {}};
                failed.proposal = i;
                judged_.failed_calls.push_back(std::move(failed));
            }
        }
    }

    // Commands that the engine judges by itself. The first run may have none: what has run out
    // goes before anything else happens.
    void run(std::size_t begin, std::size_t end) {
        if (begin >= end && runs_ > 0) {
            return;
        }
        engine::Context own = context_;
        if (runs_++ > 0) {
            own.batch_id += ".p" + std::to_string(begin);
        }
        const Value before = state_.document;
        engine::Outcome outcome = engine::apply(state_, proposals_.subspan(begin, end - begin),
                                                setting_.rules.policy, own);
        engine::Outcome& all = judged_.played.outcome;
        for (engine::Expired& expired : outcome.expired) {
            act("expire", expired.changes, {});
            all.expired.push_back(std::move(expired));
        }
        for (engine::Event& event : outcome.events) {
            event.proposal += begin;
            all.events.push_back(std::move(event));
        }
        for (std::size_t i = begin; i < end; ++i) {
            Verdict& verdict = outcome.verdicts[i - begin];
            if (!verdict.changes.empty()) {
                act("command", verdict.changes,
                    Object{{"actor", name(context_.actor)},
                           {"op", verdict.op ? proposal::name(*verdict.op) : ""},
                           {"path", value::path_to_value(verdict.path)}});
            }
            if (verdict.status == Status::kRejected || verdict.status == Status::kFailed) {
                refuse(i, verdict);
            }
            all.verdicts.push_back(std::move(verdict));
        }
        state_ = std::move(outcome.state);
        settle(before);
    }

    // A command that was refused; one on a place of the system is a failed call as well.
    void refuse(std::size_t i, const Verdict& verdict) {
        judged_.refused.push_back(i);
        if (context_.actor != engine::Actor::kModel || !verdict.problem ||
            verdict.problem->code != Code::kNotAllowed ||
            !is_authoritative(setting_.authority, verdict.path)) {
            return;
        }
        FailedCall failed;
        failed.id = verdict.id;
        failed.tool = "direct_command";
        failed.refusal = {"authoritative_path",
                          {value::print_path(verdict.path, value::PathSyntax::kDotted)}};
        failed.proposal = i;
        failed.key = internal::request_key(failed.tool, value::path_to_value(verdict.path));
        judged_.failed_calls.push_back(std::move(failed));
    }

    void call(std::size_t i) {
        Verdict& verdict = verdicts().emplace_back();
        verdict.id = id_of(i);
        verdict.warnings = proposals_[i].warnings;
        const proposal::ToolCall* asked = proposals_[i].tool_call();
        std::optional<Redirected> redirected;
        if (asked == nullptr) {
            redirected =
                redirect(*proposals_[i].instruction(), state_.document, setting_.authority);
            verdict.op = proposals_[i].instruction()->op;
            if (redirected->call) {
                redirected->call->id = std::string_view(verdict.id);
                asked = &*redirected->call;
            }
        }
        if (asked == nullptr || !proposals_[i].problems.empty()) {
            FailedCall failed;
            failed.id = asked != nullptr ? std::string(asked->id.view()) : verdict.id;
            failed.tool = redirected ? redirected->tool : std::string(asked->tool.view());
            failed.status = redirected ? FailedCall::Status::kRejected : FailedCall::Status::kError;
            failed.refusal =
                redirected ? Refusal{"no_such_tool_call", {redirected->path, redirected->tool}}
                           : Refusal{"unreadable_call",
                                     {std::string(proposal::name(proposals_[i].problems[0].code))}};
            fail(i, std::move(failed));
            return;
        }
        const Value before = state_.document;
        auto done =
            internal::judge_call(*asked, redirected.has_value(), state_, desk_, context_, random_);
        if (!done) {
            fail(i, std::move(done.error()));
            return;
        }
        state_ = std::move(done->state);
        verdict.path = done->path;
        verdict.value = done->result;
        verdict.changes = value::diff_of_step(before, state_.document);
        Object about = {{"id", asked->id},
                        {"tool", asked->tool},
                        {"args", asked->args},
                        {"result", done->result},
                        {"actor_id", active_actor(before)},
                        {"time", std::string_view(engine::print_instant(context_.now))}};
        if (!asked->reason.empty()) {
            about = std::move(about).set("reason", asked->reason);
        }
        if (redirected) {
            about = std::move(about).set("from_command", std::string_view(redirected->path));
        }
        act("tool", verdict.changes, std::move(about), true);
        settle(before);
    }

    void fail(std::size_t i, FailedCall failed) {
        Verdict& verdict = verdicts().back();
        verdict.status = Status::kRejected;
        const bool error = failed.status == FailedCall::Status::kError;
        verdict.problem = error ? Problem{Code::kBadValue, {failed.tool, failed.refusal.reason}}
                                : Problem{Code::kNotAllowed, {failed.tool}};
        if (!proposals_[i].problems.empty()) {
            verdict.problem = proposals_[i].problems[0];
        }
        failed.proposal = i;
        judged_.failed_calls.push_back(std::move(failed));
    }

    // What follows from a step, as the system's own doing: the places of rows and the campaign
    // agree, hit points lie in their range, whoever has none is down.
    void settle(const Value& before) {
        constexpr int kRounds = 3;
        Value from = before;
        for (int round = 0; round < kRounds && !from.is_identical(state_.document); ++round) {
            std::vector<proposal::Instruction> due =
                agreement(from, state_.document, setting_.authority);
            if (due.empty()) {
                due = consequences(from, state_.document, settings_);
            }
            if (due.empty()) {
                return;
            }
            engine::Outcome outcome =
                internal::apply_as_system(state_, due, setting_.rules.policy, context_,
                                          context_.batch_id + ".s" + std::to_string(settled_++));
            if (!internal::all_applied(outcome)) {
                return;
            }
            const Value last = state_.document;
            internal::add_effects(judged_.played.effects, kSettleRule, outcome);
            state_ = std::move(outcome.state);
            act("settle", value::diff_of_step(last, state_.document), {});
        }
    }

    void react(std::string_view narrative, rules::Memories* memories) {
        engine::Outcome& outcome = judged_.played.outcome;
        outcome.state = state_;
        const rules::Turn turn{before_, proposals_, outcome, narrative, context_.actor};
        rules::Reacted reacted = rules::react(setting_.rules.books, turn, memories);
        const Value before = state_.document;
        state_ = std::move(reacted.state);
        Array names;
        for (const rules::Effect& effect : reacted.effects) {
            names = std::move(names).push_back(std::string_view(effect.rule));
        }
        act("rules", value::diff(before, state_.document), Object{{"rules", std::move(names)}});
        for (rules::Effect& effect : reacted.effects) {
            judged_.played.effects.push_back(std::move(effect));
        }
        judged_.played.settled = reacted.settled;
    }

    // Keeps an action; one that changed nothing only where it was asked for.
    void act(std::string_view kind, const value::Diff& changes, Object about, bool always = false) {
        if (changes.empty() && !always) {
            return;
        }
        Object action = {{"kind", kind}};
        for (const auto& [key, member] : about) {
            action = std::move(action).set(key, member);
        }
        judged_.applied_actions =
            std::move(judged_.applied_actions)
                .push_back(std::move(action).set("changes", value::diff_to_value(changes)));
    }

    [[nodiscard]] std::string id_of(std::size_t i) const {
        return context_.batch_id + "-" + std::to_string(i);
    }
    std::vector<Verdict>& verdicts() noexcept { return judged_.played.outcome.verdicts; }

    const State& before_;
    std::span<const Proposal> proposals_;
    const TableSetting& setting_;
    const Object& settings_;
    engine::Context context_;
    Random& random_;
    internal::CallDesk desk_;
    State state_;
    Judged judged_;
    std::size_t runs_ = 0;
    std::size_t settled_ = 0;
};

}  // namespace

void add(Judged& judged, Closed closed) {
    judged.played.outcome.state = std::move(closed.state);
    for (rules::Effect& effect : closed.effects) {
        judged.played.effects.push_back(std::move(effect));
    }
    for (const Value& action : closed.applied_actions) {
        judged.applied_actions = std::move(judged.applied_actions).push_back(action);
    }
}

Judged judge(const State& before, std::span<const Proposal> proposals, std::string_view narrative,
             const TableSetting& setting, const Object& settings, const engine::Context& context,
             Random& random, rules::Memories* memories) {
    return Turn(before, proposals, setting, settings, context, random).take(narrative, memories);
}

}  // namespace arbiter::table
