#include "turn/turn.h"

#include <algorithm>

#include "base/limits.h"
#include "protocol/activation.h"
#include "table/settings.h"
#include "text/truncate.h"
#include "turn/accepted_claims.h"
#include "turn/feedback.h"

namespace arbiter::turn {

using base::Result;
using value::Object;
using value::Value;

namespace {

Begun begun_with(engine::State state, std::shared_ptr<const Rules> rules, engine::Context context) {
    Begun begun;
    begun.settings = rules->settings(state);
    begun.state = std::move(state);
    begun.rules = std::move(rules);
    begun.context = std::move(context);
    begun.opened = engine::current_document(begun.state, begun.context.now);
    return begun;
}

void hear(Begun& begun, std::vector<proposal::Proposal> commands) {
    if (!commands.empty()) {
        begun.heard = std::move(commands);
        begun.opened = open(begun);
    }
}

}  // namespace

Result<Begun> begin(const Input& input, RulesCache& cache, const protocol::Library& library) {
    auto heard =
        protocol::update_activation(input.state.meta, protocol::Speaker::kPlayer, input.said,
                                    input.number, library, activation_policy(cache.base().profile));
    std::vector<base::Error> known;
    if (!heard.changes.empty()) {
        const auto before = cache.for_state(input.state, library);
        known = before ? (*before)->protocols.warnings : known;
    }
    engine::State state = input.state;
    state.meta = heard.meta;
    auto rules = cache.for_state(state, library);
    if (!rules) {
        return std::unexpected(std::move(rules).error());
    }
    Begun begun = begun_with(std::move(state), *std::move(rules), input.context);
    begun.number = input.number;
    begun.meta_before = changed_members(input.state.meta, begun.state.meta);
    begun.switched = protocol::notices(heard);
    if (!heard.changes.empty()) {
        begun.losing = protocol::new_warnings(known, begun.rules->protocols.warnings);
    }
    hear(begun, player_commands(*begun.rules, input.said, input.context.actor));
    return begun;
}

std::vector<proposal::Proposal> player_commands(const Rules& rules, std::string_view said,
                                                engine::Actor actor) {
    if (said.empty() || rules.player_reading == nullptr || actor != engine::Actor::kModel) {
        return {};
    }
    return reader::read(said, rules.player_reading).proposals;
}

Begun begin_recorded(engine::State state, std::shared_ptr<const Rules> rules,
                     const Object& meta_before, engine::Context context,
                     std::vector<proposal::Proposal> heard) {
    state.meta = with_members(std::move(state.meta), meta_before);
    Begun begun = begun_with(std::move(state), std::move(rules), std::move(context));
    hear(begun, std::move(heard));
    return begun;
}

Mode mode_of(const value::Object& settings) noexcept {
    const std::string_view word = table::word_in(settings, "turn.mode");
    return word == "live"            ? Mode::kLive
           : word == "resolve_first" ? Mode::kResolveFirst
                                     : Mode::kGuarded;
}

namespace {

void make_report(Decision& decision, const Attempt& attempt, const Begun& begun,
                 const RetryState& retries, base::Language language) {
    decision.kind = Decision::Kind::kReport;
    decision.report = conflict_report(
        decision.feedback, retries.attempts,
        {.can_accept =
             accepted_changes(attempt.narration, attempt.candidate().document).has_value(),
         .can_roll_back = table::number_in(begun.settings, "rollback.max_checkpoints") > 0},
        language);
}

}  // namespace

Decision decide(const Attempt& attempt, const Begun& begun, Mode mode, const RetryState& retries,
                base::Language language) {
    Decision decision;
    Value found = feedback(attempt, begun.rules->registries->tools, language);
    const bool is_guarded =
        mode != Mode::kLive && table::word_in(begun.settings, "turn.feedback_mode") != "next_turn";
    const bool is_refused = is_guarded && asks_again(attempt);
    if (!is_refused && retries.can_continue && attempt.tool_results.size() > retries.results_told &&
        retries.rounds < base::kToolRoundsMax) {
        decision.kind = Decision::Kind::kContinue;
        return decision;
    }
    if (!is_refused && (!is_guarded || attempt.narration.empty())) {
        // The model of an accepted attempt learns of its refused commands in the next turn.
        decision.feedback = is_empty_feedback(found) ? Value() : std::move(found);
        return decision;
    }
    decision.feedback =
        retries.feedback.is_null() ? std::move(found) : joined_feedback(retries.feedback, found);
    std::int64_t most = table::number_in(begun.settings, "turn.max_retries");
    if (!is_refused) {
        most = std::min(most, table::number_in(begun.settings, "conflict.max_retries"));
    }
    const bool mends = !is_refused && retries.can_mend;
    if (retries.attempts <= most) {
        decision.kind = mends && table::is_on(begun.settings, "conflict.retry_with_debug")
                            ? Decision::Kind::kMend
                            : Decision::Kind::kAskAgain;
    } else if (mends && table::word_in(begun.settings, "conflict.fallback") != "report") {
        decision.kind = Decision::Kind::kCut;
    } else {
        make_report(decision, attempt, begun, retries, language);
    }
    return decision;
}

namespace {

// "Not applied: set_status(…): …", with the author if it is the player.
std::string not_carried_out(const proposal::Proposal& proposal, const engine::Verdict& verdict,
                            base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    const bool own = verdict.actor == engine::Actor::kPlayer;
    std::string line = chinese ? (own ? "你的指令未执行：" : "未执行：")
                               : (own ? "Your command was not applied: " : "Not applied: ");
    if (!proposal.raw.empty()) {
        std::string quoted = text::truncate_with_ellipsis(proposal.raw, base::kDetailBytesMax);
        std::ranges::replace(quoted, '\n', ' ');
        line += quoted + (chinese ? " —— " : " — ");
    }
    return line + explain(*verdict.problem, language);
}

}  // namespace

std::string notice_of(const Attempt& attempt, const table::ToolRegistry& tools,
                      base::Language language) {
    std::string notice;
    for (const FailedCall& call : attempt.failed_calls) {
        notice += (call.path.empty() ? "" : call.path + " → ") + call.tool + ": " +
                  table::explain_reason(tools, call.tool, call.refusal, language) + "\n";
    }
    for (const std::size_t i : attempt.refused) {
        const engine::Verdict& verdict = attempt.outcome.verdicts[i];
        const bool is_told = std::ranges::find(attempt.failed_calls, i, &FailedCall::proposal) !=
                             attempt.failed_calls.end();
        if (verdict.problem && !is_told) {
            notice += not_carried_out(attempt.reading.proposals[i], verdict, language) + "\n";
        }
    }
    return notice;
}

std::int64_t story_tokens(std::string_view said, std::string_view shown, const Object& settings) {
    const text::TokenRates rates = table::token_rates(settings);
    return static_cast<std::int64_t>(text::estimate_tokens(said, rates) +
                                     text::estimate_tokens(shown, rates));
}

Finished finish(Attempt attempt, const Begun& begun, Ending ending) {
    ending.number = begun.number;
    ending.before = begun.state.document;
    Finished finished =
        finish(std::move(attempt), *begun.rules, begun.settings, begun.context, ending);
    finished.meta.before = begun.meta_before;
    return finished;
}

Finished apply_reply(const Begun& begun, reader::Reading reading, Ending ending,
                     base::Language language, rules::Memories* memories) {
    Attempt attempt = judge(begun, std::move(reading), memories);
    RetryState retries;
    retries.can_continue = false;
    ending.feedback = decide(attempt, begun, Mode::kLive, retries, language).feedback;
    const std::vector<FailedCall> failed = attempt.failed_calls;
    ending.failed_calls = failed;
    if (!ending.story_tokens) {
        ending.story_tokens = story_tokens("", attempt.reading.text, begun.settings);
    }
    return finish(std::move(attempt), begun, std::move(ending));
}

}  // namespace arbiter::turn
