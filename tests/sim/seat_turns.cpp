#include <algorithm>

#include "base/explain.h"
#include "campaign/withheld_turn.h"
#include "tests/sim/seat.h"
#include "text/utf8.h"
#include "turn/usage.h"
#include "value/hash.h"

namespace arbiter::sim {

using Check = std::optional<Failure>;
using turn::Status;

namespace {

std::int64_t setting(const value::Object& settings, std::string_view key) {
    const value::Value* found = settings.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

}  // namespace

void Seat::count_turn(const turn::TurnResult& result) {
    Coverage& coverage = around_.coverage;
    coverage.count("turn status", turn::name(result.status));
    const turn::Attempt& attempt = result.attempt;
    for (std::size_t i = 0; i < attempt.outcome.verdicts.size(); ++i) {
        const engine::Verdict& verdict = attempt.outcome.verdicts[i];
        coverage.count("verdict", proposal::name(verdict.status));
        if (verdict.problem) {
            coverage.count("code", proposal::name(verdict.problem->code));
        }
        for (const proposal::Warning each : verdict.warnings.list()) {
            coverage.count("warning", proposal::name(each));
        }
        if (i < attempt.reading.proposals.size()) {
            const proposal::Proposal& asked = attempt.reading.proposals[i];
            coverage.count("dialect", proposal::name(asked.dialect));
            if (asked.instruction() != nullptr) {
                coverage.count("operation", proposal::name(asked.instruction()->op));
            }
        }
    }
    for (const turn::Action& action : attempt.actions) {
        if (action.kind == turn::Action::Kind::kTool) {
            const value::Value* tool = action.about.find("tool");
            coverage.count("tool", tool != nullptr && tool->is_string() ? tool->as_string() : "?");
        }
    }
    for (const turn::FailedCall& each : attempt.failed_calls) {
        coverage.count("refusal", each.refusal.reason);
    }
    for (const turn::Conflict& each : attempt.conflicts) {
        coverage.count("structural conflict", each.type);
    }
    for (const conflict::Finding& each : attempt.narration) {
        coverage.count("conflict", conflict::name(each.type));
    }
}

Check Seat::after_turn(Player& player, const Before& before,
                       const base::Result<turn::TurnResult>& result, const Played& played) {
    ++around_.turns;
    around_.wants_opening = around_.storage.disarm();
    last_ = {before.state.document, played.said, played.reply, made_.setup.world.profile.name};
    if (!result) {
        player.unpaid += played.calls;
        return after_error(player, before, result.error());
    }
    count_turn(*result);
    around_.note(std::string(turn::name(result->status)));
    // Nothing that a player sees holds a secret.
    for (const std::string* text :
         {&result->shown.str(), &result->notice.str(), &result->protocol_notice.str()}) {
        if (auto wrong = secret_in(*text, "a turn", before.state)) {
            return wrong;
        }
    }
    if (played.streamed) {
        if (auto wrong = secret_in(*played.streamed, "a stream", before.state)) {
            return wrong;
        }
    }
    if (result->status == Status::kCommitted) {
        return after_commit(player, before, *result, played);
    }
    player.unpaid += played.calls;
    if (result->status == Status::kReported) {
        withheld_ = {*result, played.said};
    }
    if (auto wrong = same_as_reference(player)) {
        return failure("a turn that was not committed changes nothing", wrong->detail);
    }
    return std::nullopt;
}

// Checks a turn against the settings of its campaign.
Check Seat::check_settings(const Player& player, const Before& before,
                           const turn::TurnResult& result, const Played& played) {
    // A reply that was supplied asks nobody, so they only count for the coverage.
    if (played.calls == 0 && !result.advanced && !played.is_examined) {
        return std::nullopt;
    }
    const value::Object settings =
        table::effective_settings(before.state, *player.session->registries(), made_.globals);
    const std::int64_t cap = setting(settings, "spend.turn_calls_max");
    if (cap > 0 && played.calls > cap) {
        return failure("a spending cap holds", std::to_string(played.calls) + " calls");
    }
    if (result.attempts >
        1 + setting(settings, "turn.max_retries") + setting(settings, "conflict.max_retries")) {
        return failure("retries are limited", std::to_string(result.attempts));
    }
    if (result.advanced) {
        const value::Value* policy = settings.find("milestone.policy");
        around_.coverage.count("milestone", policy != nullptr && policy->is_string()
                                                ? policy->as_string()
                                                : std::string_view("?"));
    }
    const value::Value* dialog = settings.find("dialog.manual_type");
    if (dialog != nullptr && dialog->is_string() && made_.has_table) {
        around_.coverage.count("dialog type", dialog->as_string());
    }
    return std::nullopt;
}

Check Seat::after_commit(Player& player, const Before& before, const turn::TurnResult& result,
                         const Played& played) {
    const ledger::Campaign campaign = player.session->campaign();
    if (result.already_stored) {
        return same_as_reference(player);
    }
    if (before.is_stale) {
        return failure("of two writers one is refused", "a turn of a stale session was stored");
    }
    if (campaign.head().hex() != result.id || campaign.head() == before.parent) {
        return failure("a committed turn is the head", result.id);
    }
    if (!value::same_bytes(campaign.state().document, result.attempt.candidate().document)) {
        return failure("a committed turn is the state", result.id);
    }
    reference_.add(campaign.head(), before.parent, campaign.state(),
                   played.actor == engine::Actor::kPlayer ? Reference::Kind::kPlayerTurn
                                                          : Reference::Kind::kReply);
    if (around_.wants_opening) {
        return std::nullopt;  // the store is closed to writing; looked at when it is open again
    }
    if (auto wrong = same_as_reference(player)) {
        return wrong;
    }
    // Every call was paid for.
    const auto paid =
        turn::usage_of(campaign.state().meta).calls - turn::usage_of(before.state.meta).calls;
    if (paid != player.unpaid + played.calls) {
        return failure("every call is counted", std::to_string(paid) + " instead of " +
                                                    std::to_string(player.unpaid + played.calls));
    }
    player.unpaid = 0;
    if (auto wrong = check_settings(player, before, result, played)) {
        return wrong;
    }
    if (played.streamed && *played.streamed != result.shown.str()) {
        return failure("the stream is the narrative",
                       "[" + *played.streamed + "] is not [" + result.shown.str() + "]");
    }
    const CommittedTurn turn{before.state, campaign.state(),
                             result,       played.actor,
                             made_,        reference_.turns().at(before.parent).gold};
    auto wrong = turn_mistake(turn);
    if (!wrong && played.is_examined) {
        const auto record = campaign.record(campaign.head());
        if (!record) {
            return failure("a turn can be read back",
                           base::explain(record.error(), base::Language::kEnglish));
        }
        if (record->parent != before.parent || record->said != text::repair(played.said)) {
            return failure("a record says what happened", result.id);
        }
        wrong = record_mistake(turn, *record);
    }
    return wrong ? Check(failure(wrong->oracle, wrong->detail)) : std::nullopt;
}

Check Seat::play_turn(Player& player, tests::Random& random) {
    Before before = begin_step(player, random);
    Replies replies(random, before.state.document, made_.secrets);
    FaultModel::Options options;
    options.takes_tools = random.chance(40);
    options.hidden = hidden_in(before.state.document);
    FaultModel model(replies, random, options, around_.coverage);
    turn::TurnRequest request;
    request.said = replies.said();
    request.now = around_.now;
    request.shows_drafts = random.chance(30);
    if (random.chance(40)) {
        constexpr turn::Mode kModes[] = {turn::Mode::kGuarded, turn::Mode::kLive,
                                         turn::Mode::kResolveFirst};
        request.mode = kModes[random.below(std::size(kModes))];
    }
    Played played;
    played.said = request.said;
    played.streamed = "";
    model::TurnCallbacks callbacks;
    callbacks.on_show = [&](const table::PlayerText& text) { *played.streamed += text.str(); };
    callbacks.on_withdraw = [&](std::int64_t, const value::Value&) { played.streamed->clear(); };
    const std::size_t cancel_at = random.chance(4) ? random.below(20) : 0;
    std::size_t polls = 0;
    if (cancel_at > 0) {
        callbacks.is_cancelled = [&] { return ++polls >= cancel_at; };
    }
    std::optional<base::ErrorCode> meanwhile;
    if (random.chance(3)) {
        // Another caller uses the session while the model answers.
        model.set_meanwhile([&] {
            const auto undone = player.session->undo();
            meanwhile = undone ? base::ErrorCode::kCount : undone.error().code;
        });
    }
    campaign::TurnCondition condition;
    if (random.chance(8)) {
        condition.key = "k" + std::to_string(++keys_);
    }
    around_.note("turn");
    const std::size_t turns_before = reference_.turns().size();
    auto result = player.session->turn(request, model, callbacks, condition);
    played.calls = model.calls();
    played.reply = model.texts().empty() ? "" : model.texts().back();
    played.is_examined = random.chance(kExamined);
    if (meanwhile && *meanwhile != base::ErrorCode::kCampaignBusy) {
        return failure("a session does one thing at a time", "an undo was not refused");
    }
    if (meanwhile) {
        around_.coverage.count("error", base::name(*meanwhile));
    }
    if (!model.leak().empty()) {
        return failure("no hidden node reaches the model", model.leak());
    }
    if (result && result->status != Status::kCommitted && !played.streamed->empty() &&
        request.mode == turn::Mode::kGuarded && !request.shows_drafts && result->shown.empty()) {
        return failure("guarded shows nothing before it passed", *played.streamed);
    }
    if (auto wrong = after_turn(player, before, result, played)) {
        return wrong;
    }
    // The same request again is stored at most once (G4), by whichever player.
    if (!condition.key || around_.wants_opening ||
        (result && result->status != Status::kCommitted)) {
        return std::nullopt;
    }
    Player& again = random.chance(50) ? player : other(player);
    if (auto wrong = open(again, random)) {
        return wrong;
    }
    if (again.session->head() != reference_.head()) {
        if (const auto refreshed = again.session->refresh(); !refreshed) {
            return failure("a session can follow the head",
                           base::explain(refreshed.error(), base::Language::kEnglish));
        }
    }
    const std::size_t turns = reference_.turns().size();
    const bool was_stored = turns > turns_before;
    FaultModel second(replies, random, {FaultModel::Behaviour::kProse, false, 0, {}},
                      around_.coverage);
    before = begin_step(again, random, false);
    const auto repeated = again.session->turn(request, second, {}, condition);
    if (!repeated) {
        around_.coverage.count("error", base::name(repeated.error().code));
        return was_stored && result
                   ? Check(failure("a repeated request is answered",
                                   base::explain(repeated.error(), base::Language::kEnglish)))
                   : std::nullopt;
    }
    if (was_stored && !repeated->already_stored) {
        return failure("a request is stored at most once", *condition.key);
    }
    around_.coverage.count("checked", "requests repeated");
    Played later{played.said, "", engine::Actor::kModel, second.calls()};
    if (auto wrong = after_turn(again, before, repeated, later)) {
        return wrong;
    }
    return was_stored && reference_.turns().size() != turns
               ? Check(failure("a request is stored at most once", *condition.key))
               : std::nullopt;
}

Check Seat::play_reply(Player& player, tests::Random& random) {
    Before before = begin_step(player, random);
    Replies replies(random, before.state.document, made_.secrets);
    turn::SuppliedReply reply;
    reply.now = around_.now;
    reply.actor = random.chance(85)   ? engine::Actor::kModel
                  : random.chance(70) ? engine::Actor::kPlayer
                                      : engine::Actor::kSystem;
    // The system, which is the host, may change everything and is not hostile.
    const bool is_host = reply.actor == engine::Actor::kSystem;
    reply.text =
        is_host ? replies.prose() + "\n" + std::string(FaultModel::kStoryCommand) : replies.text();
    reply.said = random.chance(30) ? replies.said() : "";
    if (!is_host && random.chance(30)) {
        reply.tool_calls = replies.calls();
    }
    if (!is_host && random.chance(30)) {
        // A timer of the player may end in a turn of the model, and take what the model must not.
        reply.proposals = replies.proposals(reply.actor == engine::Actor::kModel);
    }
    Played played{reply.said, reply.text, reply.actor};
    played.is_examined = random.chance(kExamined);
    around_.note("reply of " + std::string(engine::name(reply.actor)));
    const auto result = player.session->apply(std::move(reply));
    if (result && result->status != Status::kCommitted && result->status != Status::kBlocked) {
        return failure("a supplied reply is committed", std::string(turn::name(result->status)));
    }
    return after_turn(player, before, result, played);
}

Check Seat::choose_withheld(Player& player, tests::Random& random) {
    auto [result, said] = *std::exchange(withheld_, std::nullopt);
    Before before = begin_step(player, random, false);
    if (before.is_stale) {
        return std::nullopt;
    }
    constexpr turn::ReportChoice kChoices[] = {
        turn::ReportChoice::kKeepState, turn::ReportChoice::kEdit, turn::ReportChoice::kAccept};
    const turn::ReportChoice choice = kChoices[random.below(std::size(kChoices))];
    around_.note("choice");
    const std::string text = "玩家改写了这一段。";
    const auto chosen =
        campaign::choose(*player.session, {result, said}, choice, text, around_.now);
    around_.coverage.count("choice", choice == turn::ReportChoice::kKeepState ? "keep"
                                     : choice == turn::ReportChoice::kEdit    ? "edit"
                                                                              : "accept");
    // An accepted report is a turn and an edit: the head is taken over as it is.
    const ledger::Campaign campaign = player.session->campaign();
    if (!chosen) {
        around_.coverage.count("error", base::name(chosen.error().code));
    }
    ++around_.turns;
    player.unpaid = campaign.head() == before.parent ? player.unpaid : 0;
    if (auto wrong = take_over(player)) {
        return wrong;
    }
    around_.wants_opening = around_.storage.disarm();
    return same_as_reference(player);
}

Check Seat::take_over(Player& player) {
    const ledger::Campaign campaign = player.session->campaign();
    std::vector<ledger::TurnId> added;
    for (ledger::TurnId at = campaign.head(); !reference_.has(at);) {
        added.push_back(at);
        const auto record = campaign.record(at);
        if (!record || !record->parent) {
            return failure("a turn can be read back", at.hex());
        }
        at = *record->parent;
    }
    for (auto each = added.rbegin(); each != added.rend(); ++each) {
        const auto record = campaign.record(*each);
        const auto state = campaign.state_at(*each);
        if (!record || !state) {
            return failure("a turn can be read back", each->hex());
        }
        reference_.add(*each, *record->parent, *state, Reference::kind_of(*record));
    }
    return std::nullopt;
}

}  // namespace arbiter::sim
