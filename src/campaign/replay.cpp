#include "campaign/replay.h"

#include <algorithm>
#include <memory>

#include "campaign/display.h"
#include "campaign/rule_texts.h"
#include "proposal/codec.h"
#include "table/layout.h"
#include "turn/replay.h"
#include "turn/rounds.h"

namespace arbiter::campaign {

using base::Result;
using engine::State;
using value::Object;
using value::Value;

namespace {

// The rules of consecutive turns, loaded again only where they change.
class RecordedRules {
  public:
    explicit RecordedRules(const ledger::Campaign& campaign) : campaign_(campaign) {}

    Result<std::shared_ptr<const turn::Rules>> of(const ledger::Record& record,
                                                  const Value& document) {
        const Value* found = table::find_in_campaign(document, {"authority"});
        const Value authority = found != nullptr ? *found : Value();
        if (rules_ && Value(digests_) == Value(record.rules) &&
            Value(globals_) == Value(record.globals) && authority_ == authority &&
            has_campaign_ == table::has_campaign(document)) {
            return rules_;
        }
        auto loaded = recorded_rules(campaign_, record.rules, document, record.globals);
        if (!loaded) {
            return loaded;
        }
        rules_ = *std::move(loaded);
        digests_ = record.rules;
        globals_ = record.globals;
        authority_ = authority;
        has_campaign_ = table::has_campaign(document);
        memories_.clear();
        return rules_;
    }
    rules::Memories* memories() noexcept { return &memories_; }

  private:
    const ledger::Campaign& campaign_;
    std::shared_ptr<const turn::Rules> rules_;
    Object digests_;
    Object globals_;
    Value authority_;
    bool has_campaign_ = false;
    rules::Memories memories_;
};

std::vector<turn::FailedCall> failed_calls_of(const ledger::Record& turn) {
    std::vector<turn::FailedCall> calls;
    for (const ledger::RecordedCall& each : turn.failed_calls) {
        turn::FailedCall call;
        call.tool = each.tool;
        call.key = each.key;
        call.refusal.reason = each.reason;
        call.status =
            each.is_error ? turn::FailedCall::Status::kError : turn::FailedCall::Status::kRejected;
        calls.push_back(std::move(call));
    }
    return calls;
}

turn::Finished judge_again(const State& before, const ledger::Record& turn,
                           ledger::TurnCommands commands, std::shared_ptr<const turn::Rules> rules,
                           rules::Memories* memories) {
    const std::vector<turn::FailedCall> failed = failed_calls_of(turn);
    turn::ReplayInputs inputs;
    inputs.heard = std::move(commands.said);
    inputs.context = {turn.time, turn.actor, turn.batch};
    inputs.shown = turn.shown;
    inputs.meta = turn.host;
    inputs.usage = turn.usage;
    inputs.story_tokens = turn.story_tokens;
    inputs.failed_calls = failed;
    return turn::replay(before, std::move(commands.reply), std::move(rules), inputs, memories);
}

// The replies of a turn, read again. Native calls and proposals of the host are not in the text:
// taken as they were stored.
reader::Reading read_again(const turn::Rules& rules, const ledger::Record& turn) {
    std::vector<proposal::Proposal> unwritten;
    for (proposal::Proposal& each :
         proposal::decode(turn.proposals, turn.raw).value_or(std::vector<proposal::Proposal>())) {
        if (each.span.begin == each.span.end) {
            unwritten.push_back(std::move(each));
        }
    }
    std::vector<turn::Round> rounds = turn.rounds;
    if (rounds.empty()) {
        rounds.push_back({turn.raw.size(), unwritten.size()});
    }
    reader::Reading all;
    std::size_t begin = 0;
    auto next = unwritten.begin();
    for (const turn::Round& round : rounds) {
        const std::size_t end = std::clamp(round.raw_end, begin, turn.raw.size());
        const std::string_view reply = std::string_view(turn.raw).substr(begin, end - begin);
        turn::append_reading(all, reader::read(reply, rules.reading(turn.actor)), begin);
        for (std::size_t i = 0; i < round.native_calls && next != unwritten.end(); ++i) {
            all.proposals.push_back(std::move(*next++));
        }
        begin = end;
    }
    return all;
}

}  // namespace

ledger::ReplayStep replay_step(const ledger::Campaign& campaign) {
    return [recorded = std::make_shared<RecordedRules>(campaign)](
               const State& before, const ledger::Record& turn,
               ledger::TurnCommands commands) -> Result<State> {
        auto rules = recorded->of(turn, before.document);
        if (!rules) {
            return std::unexpected(std::move(rules).error());
        }
        return judge_again(before, turn, std::move(commands), *std::move(rules),
                           recorded->memories())
            .attempt.outcome.state;
    };
}

ledger::Reread reread_step(const ledger::Campaign& campaign) {
    return [recorded = std::make_shared<RecordedRules>(campaign)](
               const State& before, const ledger::Record& turn) -> Result<ledger::TurnCommands> {
        const auto rules = recorded->of(turn, before.document);
        if (!rules) {
            return std::unexpected(rules.error());
        }
        return ledger::TurnCommands{turn::player_commands(**rules, turn.said, turn.actor),
                                    read_again(**rules, turn).proposals};
    };
}

Result<turn::TurnResult> stored_result(const ledger::Campaign& campaign, const ledger::TurnId& id,
                                       const ledger::Record& turn, const Object& globals) {
    auto before = turn.parent ? campaign.state_at(*turn.parent) : Result<State>(State());
    auto said = proposal::decode(turn.said_proposals, turn.said);
    auto reply = proposal::decode(turn.proposals, turn.raw);
    const auto display = Display::of(campaign, globals);
    if (!before || !display) {
        return std::unexpected(!before ? before.error() : display.error());
    }
    if (!said || !reply) {
        return std::unexpected(!said ? said.error() : reply.error());
    }
    RecordedRules recorded(campaign);
    auto rules = recorded.of(turn, before->document);
    if (!rules) {
        return std::unexpected(std::move(rules).error());
    }
    reader::Reading reading = read_again(**rules, turn);
    turn::Finished finished = judge_again(*before, turn, {*std::move(said), *std::move(reply)},
                                          *std::move(rules), recorded.memories());
    turn::TurnResult result;
    result.already_stored = true;
    result.id = id.hex();
    result.attempts = std::max<std::int64_t>(1, static_cast<std::int64_t>(turn.trace.size()));
    result.usage = turn.usage;
    result.trace = turn.trace;
    result.advanced = finished.advanced;
    result.attempt = std::move(finished.attempt);
    result.attempt.reading.components = std::move(reading.components);
    result.attempt.reading.lost = std::move(reading.lost);
    result.attempt.reading.notices = std::move(reading.notices);
    result.shown = table::Redactor(result.attempt.candidate().document).text(display->shown(turn));
    return result;
}

}  // namespace arbiter::campaign
