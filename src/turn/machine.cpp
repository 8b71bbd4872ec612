#include "turn/machine.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "prompt/language.h"
#include "reader/told.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/settings.h"
#include "turn/feedback.h"
#include "turn/intake.h"
#include "turn/round_texts.h"
#include "turn/visible.h"

namespace arbiter::turn {

using base::Result;
using prompt::Message;
using prompt::NativeToolCall;
using prompt::Role;
using value::Value;

namespace {

Commands one(Command command) {
    Commands commands;
    commands.push_back(std::move(command));
    return commands;
}

void append(Commands& commands, Commands more) {
    if (commands.empty()) {
        commands.swap(more);
    }
    std::ranges::move(more, std::back_inserter(commands));
}

std::string lines_of(const std::vector<base::Text>& texts, base::Language language) {
    std::string lines;
    for (const base::Text& text : texts) {
        lines += std::string(text.in(language)) + "\n";
    }
    return lines;
}

}  // namespace

Machine::Machine(Environment environment, TurnStart start)
    : environment_(std::move(environment)),
      start_(std::make_unique<TurnStart>(std::move(start))),
      uncommitted_(start_->uncommitted) {}

base::Language Machine::player_language() const {
    return prompt::chosen_language(begun_.settings).value_or(environment_.language);
}

Result<> Machine::begin(std::string_view said, engine::Actor actor, engine::Instant now) {
    CHECK(phase_ == Phase::kIdle);
    const std::unique_ptr<TurnStart> start = std::move(start_);
    engine::Context by{now, actor, std::move(start->batch_id)};
    const Input input{std::move(start->state), std::string(said), start->number, std::move(by)};
    auto begun = turn::begin(input, environment_.rules, environment_.library);
    if (!begun) {
        return std::unexpected(std::move(begun).error());
    }
    begun_ = *std::move(begun);
    redactor_.emplace(begun_.state.document);
    return {};
}

Commands Machine::fail(base::Error error) {
    result().error = std::move(error);
    return end(Status::kFailed);
}

Commands Machine::start(TurnRequest request) {
    continues_.set(std::move(request.continues));
    shows_drafts_ = request.shows_drafts;
    auto said = take_said(std::move(request.said));
    if (!said) {
        return fail(std::move(said).error());
    }
    said_ = *std::move(said);
    if (auto begun = begin(said_, engine::Actor::kModel, request.now); !begun) {
        return fail(std::move(begun).error());
    }
    if (table::has_campaign(begun_.state.document)) {
        if (const auto block = table::turn_block(begun_.state.document)) {
            result().notice = redactor_->text(block->text.in(player_language()));
            return end(Status::kBlocked);
        }
    }
    mode_ = request.mode.value_or(mode_of(begun_.settings));
    retries_.can_continue = !asks_once();
    passes_blocks_ = request.chat && table::is_on(begun_.settings, "chat.passthrough_blocks");
    TurnPrompt prompt = request.chat
                            ? build_prompt(begun_, said_, environment_, *std::move(request.chat))
                            : build_prompt(begun_, said_, environment_);
    append_hint(prompt, request.hint);
    first_messages_ = std::move(prompt.assembly.messages);
    tools_ = std::move(prompt.tools);
    model_language_ = prompt.language;
    return ask();
}

Commands Machine::start(SuppliedReply reply) {
    auto said = take_said(std::move(reply.said));
    if (!said) {
        return fail(std::move(said).error());
    }
    said_ = *std::move(said);
    continues_.set(std::move(reply.continues));
    mode_ = Mode::kLive;
    if (auto fits = check_reply(reply.text); !fits) {
        return fail(std::move(fits).error());
    }
    if (auto begun = begin(said_, reply.actor, reply.now); !begun) {
        return fail(std::move(begun).error());
    }
    model_language_ = prompt::prompt_language(begun_.state.document, begun_.settings, said_,
                                              environment_.language);
    attempts_ = 1;
    retries_.can_continue = false;
    raw_ = std::move(reply.text);
    reader::Reading reading = reader::read(raw_, begun_.rules->reading(reply.actor));
    const std::uint32_t host_batch =
        reading.proposals.empty() ? 0 : reading.proposals.back().batch + 1;
    for (proposal::Proposal& each : reply.proposals) {
        each.batch += host_batch;
        reading.proposals.push_back(std::move(each));
    }
    if (auto added = add_round(std::move(reading), std::move(reply.tool_calls)); !added) {
        return fail(std::move(added).error());
    }
    return decide_on(judge(begun_, take_reading(), environment_.memories));
}

std::optional<Commands> Machine::over_spent() {
    const Usage total = usage_of(begun_.state.meta) + uncommitted_ + usage_;
    const auto cap = reached_cap(begun_.settings, usage_, total);
    if (!cap) {
        return std::nullopt;
    }
    result().notice = redactor_->text(cap->in(player_language()));
    return end(Status::kOverSpent);
}

Commands Machine::ask() {
    if (auto ended = over_spent()) {
        return *std::move(ended);
    }
    if (past_->rounds.empty()) {
        retries_.attempts = ++attempts_;
        retries_.rounds = 1;
        attempt_tokens_ = 0;
        stream_.emplace(*redactor_);
        has_shown_ = false;
    } else {
        ++retries_.rounds;
    }
    std::vector<Message> more = past_->messages;
    if (past_->rounds.empty() && !feedback_.is_null() &&
        table::is_on(begun_.settings, "conflict.retry_with_debug")) {
        more.push_back(
            {Role::kSystem, std::string_view(feedback_text(feedback_, model_language_))});
    }
    if (is_settling()) {
        more.push_back({Role::kSystem, settling_request().in(model_language_)});
    }
    return send(std::move(more));
}

Commands Machine::send(std::vector<Message> more) {
    Ask ask;
    ask.messages = asks_once() ? std::move(first_messages_) : first_messages_;
    std::ranges::move(more, std::back_inserter(ask.messages));
    ask.tools = tools_;
    ask.turn = begun_.number;
    ask.attempt = attempts_;
    ask.round = past_->mending.empty() ? retries_.rounds : 1;
    ask.document = begun_.opened;
    // Counted when it is made, so that a call that fails or is cancelled counts once.
    usage_.calls += 1;
    raw_.clear();
    collector_.emplace(begun_.rules->model_reading);
    if (passes_blocks_) {
        collector_->keep_blocks(begun_.rules->reading(engine::Actor::kModel));
    }
    phase_ = Phase::kAsking;
    return one(std::move(ask));
}

// A replacement may need the end of the text, so replaced texts are shown when they are whole.
bool Machine::shows_at_once() const noexcept {
    const bool is_replaced =
        environment_.replacements != nullptr && !passes_blocks_ &&
        environment_.replacements->has_any(card::Side::kDisplay, card::Speaker::kCharacter);
    const bool is_shown = mode_ == Mode::kLive || (mode_ == Mode::kGuarded && shows_drafts_);
    return is_shown && !is_mended_ && !is_replaced;
}

// The rounds so far as they are shown.
std::string Machine::told() const {
    return passes_blocks_ ? with_blocks(replies(true), begun_.rules->reading(engine::Actor::kModel))
                          : past_->reading.text;
}

// Redacted last: a replacement must not put a secret together.
table::PlayerText Machine::visible(const reader::Reading& reading) const {
    if (passes_blocks_) {
        return redactor_->text(told());
    }
    const card::Replacements none;
    const card::Replacements& replacements =
        environment_.replacements != nullptr ? *environment_.replacements : none;
    return redactor_->text(visible_text(reading.text, reader::told(reading), replacements, 0));
}

Commands Machine::model_piece(std::string_view bytes) {
    if (phase_ != Phase::kAsking) {
        return {};
    }
    if (auto fits = check_reply_size(rounds_bytes() + raw_.size() + bytes.size()); !fits) {
        return fail(std::move(fits).error());
    }
    raw_ += bytes;
    const std::string_view visible = collector_->feed(bytes);
    Commands commands = withdraw_thought();
    append(commands, show(visible, visible.size() == collector_->text().size()));
    return commands;
}

Commands Machine::withdraw_thought() {
    if (!collector_->withdrew() || !shows_at_once()) {
        return {};
    }
    Commands commands;
    if (has_shown_) {
        commands.push_back(Withdraw{attempts_, {}});
    }
    has_shown_ = false;
    stream_.emplace(*redactor_);
    append(commands, show(told(), false));  // of the rounds before
    return commands;
}

// Text of the round that streams in, joined to the rounds before it as append_reading() joins them.
Commands Machine::show(std::string_view visible, bool is_first) {
    if (!shows_at_once() || visible.empty()) {
        return {};
    }
    table::PlayerText shown =
        is_first && !told().empty()
            ? stream_->feed(std::string(kBetweenRounds) + std::string(visible))
            : stream_->feed(visible);
    has_shown_ = has_shown_ || !shown.empty();
    return shown.empty() ? Commands() : one(Show{std::move(shown)});
}

Commands Machine::model_done(std::int64_t tokens, std::vector<NativeToolCall> tool_calls) {
    if (phase_ != Phase::kAsking) {
        return {};
    }
    usage_.tokens += tokens;
    attempt_tokens_ += tokens;
    std::size_t given = collector_->text().size();
    auto [reading, shown] = collector_->finish();
    given = collector_->withdrew() ? 0 : given;
    Commands commands = withdraw_thought();
    append(commands, show(std::string_view(shown).substr(given), given == 0));
    append(commands, past_->mending.empty()
                         ? take_round(std::move(reading), std::move(tool_calls))
                         : take_mended(std::move(reading), std::move(tool_calls)));
    return commands;
}

Commands Machine::take_round(reader::Reading reading, std::vector<NativeToolCall> tool_calls) {
    if (auto added = add_round(std::move(reading), std::move(tool_calls)); !added) {
        return fail(std::move(added).error());
    }
    return decide_on(judge(begun_, take_reading(), environment_.memories));
}

Result<> Machine::add_round(reader::Reading reading, std::vector<NativeToolCall> tool_calls) {
    // The reader replaced broken bytes in the same way, so its spans are those of this text.
    auto raw = take_reply(std::move(raw_));
    const std::size_t offset = rounds_bytes();
    auto fits = raw ? check_reply_size(offset + raw->size()) : std::unexpected(raw.error());
    auto calls = take_calls(std::move(tool_calls));
    if (!fits || !calls) {
        return std::unexpected(fits ? std::move(calls).error() : std::move(fits).error());
    }
    if (is_settling()) {
        silence(reading);
    }
    Past& past = past_.change();
    append_reading(past.reading, std::move(reading), offset);
    std::vector<proposal::Proposal>& proposals = past.reading.proposals;
    const std::uint32_t batch = proposals.empty() ? 0 : proposals.back().batch + 1;
    const std::size_t first_native = proposals.size();
    for (proposal::Proposal& call : proposals_of(*calls, batch)) {
        proposals.push_back(std::move(call));
    }
    past.rounds.push_back({*std::move(raw), *std::move(calls), first_native, is_settling()});
    raw_.clear();
    return {};
}

Commands Machine::decide_on(Attempt attempt) {
    if (!is_settling() && begun_.context.actor == engine::Actor::kModel) {
        attempt.narration = narration_findings(attempt, begun_, environment_.rules.names());
    }
    retries_.can_mend =
        !attempt.narration.empty() && can_mend(replies(), attempt.reading.text, attempt.narration);
    Decision decision = decide(attempt, begun_, mode_, retries_, model_language_);
    switch (decision.kind) {
        case Decision::Kind::kAccept:
            return is_settling() ? tell(std::move(attempt))
                                 : accept(std::move(attempt), std::move(decision.feedback));
        case Decision::Kind::kContinue:
            remember_round(attempt);
            return ask();
        case Decision::Kind::kAskAgain:
            return try_again(std::move(attempt), decision);
        case Decision::Kind::kMend:
            return mend(std::move(attempt), decision);
        case Decision::Kind::kCut:
            return cut(std::move(attempt), decision);
        case Decision::Kind::kReport:
            return report(std::move(attempt), decision);
    }
    return {};
}

// All rounds of an attempt are judged together from the state before the turn, so the results that
// the model is given are those that will be committed.
void Machine::remember_round(const Attempt& attempt) {
    Past& past = past_.change();
    const Reply& round = past.rounds.back();
    const RoundOfMessages told{round.raw, round.tool_calls,
                               attempt.player_proposals + round.first_native,
                               retries_.results_told};
    std::ranges::move(messages_of(told, attempt, begun_.rules->registries->tools, model_language_),
                      std::back_inserter(past.messages));
    retries_.results_told = attempt.tool_results.size();
    past.reading = attempt.reading;
    std::vector<proposal::Proposal>& proposals = past.reading.proposals;
    const auto players = static_cast<std::ptrdiff_t>(attempt.player_proposals);
    proposals.erase(proposals.begin(), proposals.begin() + players);
}

Commands Machine::tell(Attempt attempt) {
    remember_round(attempt);
    is_telling_ = true;
    past_.change().messages.push_back(
        {Role::kSystem,
         std::string_view(telling_request(attempt, begun_.state.document,
                                          begun_.rules->registries->tools, model_language_))});
    return ask();
}

void Machine::note_attempt(const Attempt& attempt) {
    Past& past = past_.change();
    std::ranges::copy(attempt.failed_calls, std::back_inserter(past.failed_calls));
    value::Object entry = {{"raw", std::string_view(joined_raw())}, {"tokens", attempt_tokens_}};
    past.trace = std::move(past.trace).push_back(std::move(entry));
}

// Notes what was wrong with an attempt, and withdraws it.
Commands Machine::drop(const Attempt& attempt, const Decision& decision) {
    note_attempt(attempt);
    const Value own = feedback(attempt, begun_.rules->registries->tools, model_language_);
    value::Array& trace = past_.change().trace;
    const std::size_t last = trace.size() - 1;
    trace = trace.set(last, trace[last].as_object().set("feedback", own));
    feedback_ = decision.feedback;
    retries_.feedback = decision.feedback;
    return one(Withdraw{attempts_, own});
}

Commands Machine::try_again(Attempt attempt, const Decision& decision) {
    Commands commands = drop(attempt, decision);
    result().attempt = std::move(attempt);
    drop_rounds();
    is_telling_ = false;
    append(commands, ask());
    return commands;
}

Commands Machine::report(Attempt attempt, const Decision& decision) {
    Commands commands = drop(attempt, decision);
    result().report = decision.report;
    result().notice =
        redactor_->text(notice_of(attempt, begun_.rules->registries->tools, player_language()));
    // Beside the report, where the settings do not withhold it; nothing is committed.
    if (!table::is_on(begun_.settings, "conflict.intercept_output")) {
        result().shown = visible(attempt.reading);
        commands.push_back(Show{result().shown});
    }
    result().attempt = std::move(attempt);
    append(commands, end(Status::kReported));
    return commands;
}

Commands Machine::mend(Attempt attempt, const Decision& decision) {
    Commands commands = drop(attempt, decision);
    if (auto ended = over_spent()) {
        append(commands, *std::move(ended));
        return commands;
    }
    Past& past = past_.change();
    past.mending = wrong_sentences(attempt.reading.text, attempt.narration);
    is_mended_ = true;
    retries_.attempts = ++attempts_;
    attempt_tokens_ = 0;
    const std::size_t known = past.messages.size();
    remember_round(attempt);
    std::vector<Message> more = past.messages;
    past.messages.resize(known);
    more.push_back({Role::kSystem, std::string_view(mending_request(past.mending, attempt.narration,
                                                                    attempt.candidate().document,
                                                                    model_language_))});
    result().attempt = std::move(attempt);
    append(commands, send(std::move(more)));
    return commands;
}

Commands Machine::take_mended(reader::Reading answer, std::vector<NativeToolCall> calls) {
    const std::vector<WrongSentence> wrong = std::exchange(past_.change().mending, {});
    const auto sentences = answer.proposals.empty() && calls.empty()
                               ? mended_sentences(answer.text, wrong.size())
                               : std::nullopt;
    if (sentences) {
        return decide_again(with_sentences(replies(), wrong, *sentences));
    }
    if (answer.text.find_first_not_of(" \t\r\n") == std::string::npos && answer.proposals.empty() &&
        calls.empty()) {
        return decide_again(replies());
    }
    // A whole reply instead.
    drop_rounds();
    return take_round(std::move(answer), std::move(calls));
}

Commands Machine::decide_again(std::vector<std::string> replies) {
    auto attempt = reread(std::move(replies));
    return attempt ? decide_on(*std::move(attempt)) : fail(std::move(attempt).error());
}

Commands Machine::cut(Attempt attempt, const Decision& decision) {
    const std::vector<WrongSentence> wrong =
        wrong_sentences(attempt.reading.text, attempt.narration);
    const bool has_notice = table::word_in(begun_.settings, "conflict.fallback") == "notice";
    const std::string instead(has_notice ? cut_notice().in(model_language_) : std::string_view());
    const std::vector<std::optional<std::string>> sentences(wrong.size(), instead);
    const std::vector<Reply> uncut = past_->rounds;
    auto shorter = reread(with_sentences(replies(), wrong, sentences));
    if (shorter) {
        shorter->narration = narration_findings(*shorter, begun_, environment_.rules.names());
    }
    if (!shorter || !shorter->narration.empty() || asks_again(*shorter)) {
        past_.change().rounds = uncut;
        retries_.can_mend = false;
        const Decision withheld = decide(attempt, begun_, mode_, retries_, model_language_);
        return report(std::move(attempt), withheld);
    }
    is_mended_ = true;
    Commands commands = drop(attempt, decision);
    past_.change().cut_lines = contradictions(attempt, decision.feedback);
    append(commands, accept(*std::move(shorter), decision.feedback));
    return commands;
}

std::vector<std::string> Machine::replies(bool shown_only) const {
    std::vector<std::string> texts;
    for (const Reply& round : past_->rounds) {
        texts.push_back(shown_only && round.is_silent ? std::string() : round.raw);
    }
    return texts;
}

Result<Attempt> Machine::reread(std::vector<std::string> replies) {
    std::vector<Reply> rounds = std::exchange(past_.change().rounds, {});
    const bool was_telling = is_telling_;
    past_.change().reading = {};
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        is_telling_ = !rounds[i].is_silent;
        raw_ = std::move(replies[i]);
        reader::Reading reading = reader::read(raw_, begun_.rules->reading(engine::Actor::kModel));
        auto added = add_round(std::move(reading), std::move(rounds[i].tool_calls));
        if (!added) {
            return std::unexpected(std::move(added).error());
        }
    }
    is_telling_ = was_telling;
    return judge(begun_, take_reading(), environment_.memories);
}

std::string Machine::contradictions(const Attempt& attempt, const Value& feedback) {
    std::string lines = std::exchange(past_.change().cut_lines, {});
    if (!attempt.narration.empty()) {
        result().report = conflict_report(feedback, player_language());
    }
    for (const conflict::Finding& each : attempt.narration) {
        lines += mismatch_of(each, attempt.candidate().document, player_language()) + "\n";
    }
    return lines;
}

Commands Machine::accept(Attempt attempt, Value feedback) {
    note_attempt(attempt);
    std::string failed = notice_of(attempt, begun_.rules->registries->tools, player_language());
    failed += contradictions(attempt, feedback);
    pending_ = std::make_unique<PendingTurn>();
    pending_->said = said_;
    pending_->continues = *continues_;
    pending_->raw = joined_raw();
    if (past_->rounds.size() > 1) {
        std::size_t end = 0;
        for (const Reply& round : past_->rounds) {
            end += round.raw.size();
            pending_->rounds.push_back({end, round.tool_calls.size()});
        }
    }
    Ending ending;
    ending.usage = usage_;
    ending.failed_calls = past_->failed_calls;
    ending.feedback = std::move(feedback);
    ending.uncommitted = uncommitted_;
    ending.library = &environment_.library;
    pending_->story_tokens = story_tokens(said_, attempt.reading.text, begun_.settings);
    ending.story_tokens = pending_->story_tokens;
    pending_->finished = finish(std::move(attempt), begun_, std::move(ending));
    const std::string switched = lines_of(begun_.switched, player_language()) +
                                 lines_of(begun_.losing, player_language()) +
                                 lines_of(pending_->finished.notices, player_language());
    result().protocol_notice = redactor_->text(switched);
    result().notice = redactor_->text(failed + switched);
    pending_->failed_calls = past_->failed_calls;
    pending_->usage = usage_;
    if (attempts_ > 1) {
        pending_->trace = past_->trace;
    }
    phase_ = Phase::kCommitting;
    Commands commands;
    if (stream_ && shows_at_once()) {
        if (table::PlayerText rest = stream_->finish(); !rest.empty()) {
            commands.push_back(Show{std::move(rest)});
        }
        for (const proposal::Component& each : pending_->finished.attempt.reading.components) {
            if (const auto text = reader::displayed(each); !passes_blocks_ && !text.empty()) {
                commands.push_back(Show{redactor_->text("\n" + text + "\n")});
            }
        }
    }
    commands.push_back(Commit{&begun_, pending_.get()});
    return commands;
}

Commands Machine::model_failed(base::Error error) {
    if (phase_ != Phase::kAsking) {
        return {};
    }
    return error.code == base::ErrorCode::kModelCancelled ? end(Status::kCancelled)
                                                          : fail(std::move(error));
}

Commands Machine::committed(std::string id) {
    CHECK(phase_ == Phase::kCommitting);
    result().id = std::move(id);
    result().advanced = pending_->finished.advanced;
    result().attempt = std::move(pending_->finished.attempt);
    result().shown = visible(result().attempt.reading);
    Commands commands;
    if (!shows_at_once() && !result().shown.empty()) {
        commands.push_back(Show{result().shown});
    }
    append(commands, end(Status::kCommitted));
    return commands;
}

Commands Machine::commit_failed(base::Error error) {
    CHECK(phase_ == Phase::kCommitting);
    return fail(std::move(error));
}

Commands Machine::end(Status status) {
    phase_ = Phase::kFinished;
    TurnResult& ended = result();
    ended.status = status;
    ended.feedback = std::move(feedback_);
    ended.trace = std::move(past_.change().trace);
    ended.attempts = attempts_;
    ended.usage = usage_;
    return one(Finish{std::move(result_)});
}

}  // namespace arbiter::turn
