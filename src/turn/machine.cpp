#include "turn/machine.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "prompt/language.h"
#include "reader/told.h"
#include "table/layout.h"
#include "table/life.h"
#include "table/settings.h"
#include "turn/feedback.h"
#include "turn/intake.h"
#include "turn/visible.h"
#include "value/json.h"

namespace arbiter::turn {

using base::Result;
using prompt::Message;
using prompt::NativeToolCall;
using prompt::Role;
using proposal::Proposal;
using value::Object;
using value::Value;

namespace {

Commands one(Command command) {
    Commands commands;
    commands.push_back(std::move(command));
    return commands;
}

void append(Commands& commands, Commands more) {
    for (Command& command : more) {
        commands.push_back(std::move(command));
    }
}

// The answer to a native call: its result, or why it was refused.
std::string answer_to(const Attempt& attempt, std::size_t proposal,
                      const table::ToolRegistry& tools, base::Language language) {
    for (const FailedCall& failed : attempt.failed_calls) {
        if (failed.proposal == proposal) {
            return table::explain_reason(tools, failed.tool, failed.refusal, language);
        }
    }
    const auto& result = attempt.outcome.verdicts[proposal].value;
    return result ? value::print_json(*result) : "{}";
}

std::string lines_of(const std::vector<base::Text>& texts, base::Language language) {
    std::string lines;
    for (const base::Text& text : texts) {
        lines += std::string(text.in(language)) + "\n";
    }
    return lines;
}

// Results of calls that were written in the text, as one message.
std::string results_text(std::span<const ToolResult> results, base::Language language) {
    std::string text =
        language == base::Language::kChinese
            ? "工具结果如下。请接着上文继续叙述，以这些结果为准，不要重复已写的内容。\n"
            : "Results of your tool calls. Go on from where your reply ended, follow "
              "these results, and do not repeat what is written already.\n";
    for (const ToolResult& each : results) {
        text += "- " + each.id + " " + each.tool + ": " + value::print_json(each.result) + "\n";
    }
    return text;
}

}  // namespace

std::string_view name(Status status) noexcept {
    switch (status) {
        case Status::kCommitted:
            return "committed";
        case Status::kReported:
            return "reported";
        case Status::kCancelled:
            return "cancelled";
        case Status::kBlocked:
            return "blocked";
        case Status::kOverSpent:
            return "over_spent";
        case Status::kFailed:
            return "failed";
    }
    return "";
}

namespace {

using proposal::Dialect;

// Whether the model writes in no other dialects; tool calls do not count.
bool reads_only(const Rules& rules, reader::Dialects dialects) {
    const reader::Dialects read = rules.reading(engine::Actor::kModel).dialects;
    dialects.add(Dialect::kTool);
    for (std::size_t i = 0; i < static_cast<std::size_t>(Dialect::kCount); ++i) {
        const auto each = static_cast<Dialect>(i);
        if (read.has(each) && !dialects.has(each)) {
            return false;
        }
    }
    return true;
}

bool plays_mvu(const Rules& rules) {
    return !reads_only(rules, {}) && reads_only(rules, {Dialect::kMvu, Dialect::kPatch});
}

// The roots whose names no command of the model writes, because every dialect that is read puts
// them before the path itself. Where dialects differ, paths are shown from the top.
std::vector<prompt::StateRoot> state_roots(const Rules& rules) {
    if (reads_only(rules, {})) {
        return {};
    }
    if (reads_only(rules, {Dialect::kMemory})) {
        return {{"play_character_data",
                 {"# State: paths for set_attribute", "# 当前状态：set_attribute 的路径"}},
                {"stat_data", {"# State: paths for set_status", "# 当前状态：set_status 的路径"}},
                {"assa_data",
                 {"# State: paths for memory and delete", "# 当前状态：memory 与 delete 的路径"}}};
    }
    if (plays_mvu(rules)) {
        return {
            {"stat_data", {"# State: paths as commands write them", "# 当前状态：指令中的路径"}}};
    }
    return {};
}

}  // namespace

TurnPrompt build_prompt(const Begun& begun, std::string_view said, const Environment& environment) {
    std::vector<Message> none;
    std::vector<Message>& history = environment.history != nullptr ? *environment.history : none;
    // The player's words are part of the history only while the prompt is built.
    const std::size_t known = history.size();
    if (!said.empty()) {
        history.push_back({Role::kUser, value::Str(said)});
    }
    const Object settings = with_members(begun.settings, environment.more_settings);
    TurnPrompt made;
    made.language = prompt::prompt_language(begun.opened, settings, said, environment.language);
    const table::DialogType dialog =
        table::chosen_dialog(begun.opened, begun.rules->registries->dialogs, settings);
    const OfferedTools& offered =
        environment.rules.offered_tools(*begun.rules, begun.opened, dialog, made.language);
    prompt::PromptInputs inputs{begun.opened, settings, begun.rules->protocols};
    inputs.state = &begun.state;
    if (environment.native_tools) {
        made.tools = offered.schemas;
        inputs.native_tools = made.tools;
    } else {
        inputs.tools = offered.document;
    }
    inputs.dialog = &dialog;
    const std::vector<prompt::StateRoot> roots = state_roots(*begun.rules);
    inputs.roots = roots;
    inputs.lessons = environment.rules.lessons(*begun.rules, begun.opened,
                                               environment.card != nullptr, made.language);
    inputs.card = environment.card;
    inputs.replacements = environment.replacements;
    inputs.history = history;
    inputs.lore = environment.lore;
    inputs.plays_mvu = plays_mvu(*begun.rules);
    inputs.cache = environment.prompt_cache;
    inputs.books = environment.books;
    inputs.now = begun.context.now;
    inputs.input = said;
    inputs.seed = static_cast<std::uint64_t>(begun.number);
    inputs.context_tokens = environment.context_tokens;
    inputs.language = made.language;
    const Value pending = pending_feedback(begun.state.meta);
    const std::string late =
        pending.is_null() ? std::string() : late_feedback_text(pending, made.language);
    inputs.feedback = late;
    inputs.remarks = begun.switched;
    std::ranges::move(protocol::new_warnings({}, begun.rules->protocols.warnings),
                      std::back_inserter(inputs.remarks));
    made.assembly = prompt::build_prompt(inputs);
    history.resize(known);
    return made;
}

Machine::Machine(Environment environment, TurnStart start)
    : environment_(std::move(environment)), start_(std::move(start)) {}

base::Language Machine::player_language() const {
    return prompt::chosen_language(begun_.settings).value_or(environment_.language);
}

Result<> Machine::begin(std::string_view said, engine::Actor actor, engine::Instant now) {
    CHECK(phase_ == Phase::kIdle);
    Input input{start_.state, std::string(said), start_.number, {now, actor, start_.batch_id}};
    auto begun = turn::begin(input, environment_.rules, environment_.library);
    if (!begun) {
        return std::unexpected(std::move(begun).error());
    }
    begun_ = *std::move(begun);
    redactor_.emplace(begun_.state.document);
    model_language_ = prompt::prompt_language(begun_.state.document, begun_.settings, said,
                                              environment_.language);
    return {};
}

Commands Machine::fail(base::Error error) {
    result_.error = std::move(error);
    return end(Status::kFailed);
}

Commands Machine::start(TurnRequest request) {
    request_ = std::move(request);
    auto said = take_said(std::move(request_.said));
    if (!said) {
        return fail(std::move(said).error());
    }
    request_.said = *std::move(said);
    if (auto begun = begin(request_.said, engine::Actor::kModel, request_.now); !begun) {
        return fail(std::move(begun).error());
    }
    if (table::has_campaign(begun_.state.document)) {
        if (const auto block = table::turn_block(begun_.state.document)) {
            result_.notice = redactor_->text(block->text.in(player_language()));
            return end(Status::kBlocked);
        }
    }
    TurnPrompt prompt = build_prompt(begun_, request_.said, environment_);
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
    request_.said = *std::move(said);
    request_.mode = Mode::kLive;
    if (auto fits = check_reply(reply.text); !fits) {
        return fail(std::move(fits).error());
    }
    if (auto begun = begin(request_.said, reply.actor, reply.now); !begun) {
        return fail(std::move(begun).error());
    }
    result_.attempts = 1;
    retries_.can_continue = false;
    raw_ = std::move(reply.text);
    reader::Reading reading = reader::read(raw_, begun_.rules->reading(reply.actor));
    for (Proposal& each : reply.proposals) {
        reading.proposals.push_back(std::move(each));
    }
    if (auto added = add_round(std::move(reading), std::move(reply.tool_calls)); !added) {
        return fail(std::move(added).error());
    }
    return decide_on(judge(begun_, std::move(reading_), environment_.memories));
}

Commands Machine::ask() {
    const Usage total = usage_of(begun_.state.meta) + start_.uncommitted + result_.usage;
    if (const auto cap = reached_cap(begun_.settings, result_.usage, total)) {
        result_.notice = redactor_->text(cap->in(player_language()));
        return end(Status::kOverSpent);
    }
    if (rounds_.empty()) {
        retries_.attempts = ++result_.attempts;
        retries_.rounds = 1;
        attempt_tokens_ = 0;
        stream_.emplace(*redactor_);
        has_shown_ = false;
    } else {
        ++retries_.rounds;
    }
    Ask ask;
    ask.messages = first_messages_;
    ask.messages.insert(ask.messages.end(), round_messages_.begin(), round_messages_.end());
    if (rounds_.empty() && !result_.feedback.is_null() &&
        table::is_on(begun_.settings, "conflict.retry_with_debug")) {
        ask.messages.push_back(
            {Role::kSystem, std::string_view(feedback_text(result_.feedback, model_language_))});
    }
    ask.tools = tools_;
    ask.turn = start_.number;
    ask.attempt = result_.attempts;
    ask.round = retries_.rounds;
    // Counted when it is made, so that a call that fails or is cancelled counts once.
    result_.usage.calls += 1;
    raw_.clear();
    collector_.emplace(begun_.rules->reading(engine::Actor::kModel));
    phase_ = Phase::kAsking;
    return one(std::move(ask));
}

// A replacement may need the end of the text, so replaced texts are shown when they are whole.
bool Machine::shows_at_once() const noexcept {
    const bool is_replaced =
        environment_.replacements != nullptr &&
        environment_.replacements->has_any(card::Side::kDisplay, card::Speaker::kCharacter);
    return (request_.mode == Mode::kLive || request_.shows_drafts) && !is_replaced;
}

// Redacted last: a replacement must not put a secret together.
table::PlayerText Machine::visible(const reader::Reading& reading) const {
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
        commands.push_back(Withdraw{result_.attempts, {}});
    }
    has_shown_ = false;
    stream_.emplace(*redactor_);
    append(commands, show(reading_.text, false));  // of the rounds before
    return commands;
}

// Text of the round that streams in, joined to the rounds before it as append_reading() joins them.
Commands Machine::show(std::string_view visible, bool is_first) {
    if (!shows_at_once() || visible.empty()) {
        return {};
    }
    table::PlayerText shown =
        is_first && !reading_.text.empty()
            ? stream_->feed(std::string(kBetweenRounds) + std::string(visible))
            : stream_->feed(visible);
    has_shown_ = has_shown_ || !shown.empty();
    return shown.empty() ? Commands() : one(Show{std::move(shown)});
}

Commands Machine::model_done(std::int64_t tokens, std::vector<NativeToolCall> tool_calls) {
    if (phase_ != Phase::kAsking) {
        return {};
    }
    result_.usage.tokens += tokens;
    attempt_tokens_ += tokens;
    std::size_t given = collector_->text().size();
    reader::Reading reading = collector_->finish();
    given = collector_->withdrew() ? 0 : given;
    Commands commands = withdraw_thought();
    append(commands, show(std::string_view(reading.text).substr(given), given == 0));
    if (auto added = add_round(std::move(reading), std::move(tool_calls)); !added) {
        append(commands, fail(std::move(added).error()));
        return commands;
    }
    append(commands, decide_on(judge(begun_, std::move(reading_), environment_.memories)));
    return commands;
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
    append_reading(reading_, std::move(reading), offset);
    const std::uint32_t batch =
        reading_.proposals.empty() ? 0 : reading_.proposals.back().batch + 1;
    const std::size_t first_native = reading_.proposals.size();
    for (Proposal& call : proposals_of(*calls, batch)) {
        reading_.proposals.push_back(std::move(call));
    }
    rounds_.push_back({*std::move(raw), *std::move(calls), first_native});
    raw_.clear();
    return {};
}

Commands Machine::decide_on(Attempt attempt) {
    Decision decision = decide(attempt, begun_, request_.mode, retries_, model_language_);
    switch (decision.kind) {
        case Decision::Kind::kAccept:
            return accept(std::move(attempt), std::move(decision.feedback));
        case Decision::Kind::kContinue:
            return go_on(std::move(attempt));
        case Decision::Kind::kAskAgain:
        case Decision::Kind::kReport:
            return try_again(std::move(attempt), decision);
    }
    return {};
}

// All rounds of an attempt are judged together from the state before the turn, so the results that
// the model is given are those that will be committed.
Commands Machine::go_on(Attempt attempt) {
    const Reply& round = rounds_.back();
    const std::size_t first_native = attempt.player_proposals + round.first_native;
    Message said;
    said.role = Role::kAssistant;
    said.content = std::string_view(round.raw);
    said.tool_calls = round.tool_calls;
    round_messages_.push_back(std::move(said));
    for (std::size_t i = 0; i < round.tool_calls.size(); ++i) {
        Message answer;
        answer.role = Role::kTool;
        answer.tool_call_id = round.tool_calls[i].id;
        answer.content = std::string_view(
            answer_to(attempt, first_native + i, begun_.rules->registries->tools, model_language_));
        round_messages_.push_back(std::move(answer));
    }
    std::vector<ToolResult> written;  // results of calls in the text of this round
    for (std::size_t i = retries_.results_told; i < attempt.tool_results.size(); ++i) {
        if (attempt.tool_results[i].proposal < first_native) {
            written.push_back(attempt.tool_results[i]);
        }
    }
    if (!written.empty()) {
        round_messages_.push_back(
            {Role::kSystem, std::string_view(results_text(written, model_language_))});
    }
    retries_.results_told = attempt.tool_results.size();
    reading_ = std::move(attempt.reading);
    reading_.proposals.erase(
        reading_.proposals.begin(),
        reading_.proposals.begin() + static_cast<std::ptrdiff_t>(attempt.player_proposals));
    return ask();
}

void Machine::note_attempt(const Attempt& attempt) {
    failed_calls_.insert(failed_calls_.end(), attempt.failed_calls.begin(),
                         attempt.failed_calls.end());
    Object entry = {{"raw", std::string_view(joined_raw())}, {"tokens", attempt_tokens_}};
    result_.trace = std::move(result_.trace).push_back(std::move(entry));
}

Commands Machine::try_again(Attempt attempt, const Decision& decision) {
    note_attempt(attempt);
    const Value own = feedback(attempt, begun_.rules->registries->tools, model_language_);
    result_.trace =
        std::move(result_.trace)
            .set(result_.trace.size() - 1,
                 result_.trace[result_.trace.size() - 1].as_object().set("feedback", own));
    result_.feedback = decision.feedback;
    retries_.feedback = decision.feedback;
    Commands commands = one(Withdraw{result_.attempts, own});
    Commands more;
    if (decision.kind == Decision::Kind::kReport) {
        result_.report = decision.report;
        result_.notice =
            redactor_->text(notice_of(attempt, begun_.rules->registries->tools, player_language()));
        // Beside the report, where the settings do not withhold it; nothing is committed.
        if (!table::is_on(begun_.settings, "conflict.intercept_output")) {
            result_.shown = visible(attempt.reading);
            commands.push_back(Show{result_.shown});
        }
        result_.attempt = std::move(attempt);
        more = end(Status::kReported);
    } else {
        result_.attempt = std::move(attempt);
        rounds_.clear();
        round_messages_.clear();
        reading_ = {};
        retries_.results_told = 0;
        more = ask();
    }
    append(commands, std::move(more));
    return commands;
}

Commands Machine::accept(Attempt attempt, Value feedback) {
    note_attempt(attempt);
    const std::string failed =
        notice_of(attempt, begun_.rules->registries->tools, player_language());
    pending_.said = request_.said;
    pending_.raw = joined_raw();
    if (rounds_.size() > 1) {
        std::size_t end = 0;
        for (const Reply& round : rounds_) {
            end += round.raw.size();
            pending_.rounds.push_back({end, round.tool_calls.size()});
        }
    }
    Ending ending;
    ending.usage = result_.usage;
    ending.failed_calls = failed_calls_;
    ending.feedback = std::move(feedback);
    ending.uncommitted = start_.uncommitted;
    ending.library = &environment_.library;
    pending_.story_tokens = story_tokens(request_.said, attempt.reading.text, begun_.settings);
    ending.story_tokens = pending_.story_tokens;
    pending_.finished = finish(std::move(attempt), begun_, std::move(ending));
    const std::string switched = lines_of(begun_.switched, player_language()) +
                                 lines_of(begun_.losing, player_language()) +
                                 lines_of(pending_.finished.notices, player_language());
    result_.protocol_notice = redactor_->text(switched);
    result_.notice = redactor_->text(failed + switched);
    pending_.failed_calls = failed_calls_;
    pending_.usage = result_.usage;
    if (result_.attempts > 1) {
        pending_.trace = result_.trace;
    }
    phase_ = Phase::kCommitting;
    Commands commands;
    if (stream_ && shows_at_once()) {
        if (table::PlayerText rest = stream_->finish(); !rest.empty()) {
            commands.push_back(Show{std::move(rest)});
        }
        for (const proposal::Component& each : pending_.finished.attempt.reading.components) {
            if (const std::string text = reader::displayed(each); !text.empty()) {
                commands.push_back(Show{redactor_->text("\n" + text + "\n")});
            }
        }
    }
    commands.push_back(Commit{&begun_, &pending_});
    return commands;
}

Commands Machine::model_failed(base::Error error) {
    if (phase_ != Phase::kAsking) {
        return {};
    }
    return error.code == base::ErrorCode::kModelCancelled ? end(Status::kCancelled)
                                                          : fail(std::move(error));
}

Commands Machine::cancel() {
    return phase_ == Phase::kAsking ? end(Status::kCancelled) : Commands();
}

Commands Machine::committed(std::string id) {
    CHECK(phase_ == Phase::kCommitting);
    result_.id = std::move(id);
    result_.advanced = pending_.finished.advanced;
    result_.attempt = std::move(pending_.finished.attempt);
    result_.shown = visible(result_.attempt.reading);
    Commands commands;
    if (!shows_at_once() && !result_.shown.empty()) {
        commands.push_back(Show{result_.shown});
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
    result_.status = status;
    return one(Finish{std::move(result_)});
}

std::size_t Machine::rounds_bytes() const noexcept {
    std::size_t bytes = 0;
    for (const Reply& round : rounds_) {
        bytes += round.raw.size();
    }
    return bytes;
}

std::string Machine::joined_raw() const {
    std::string joined;
    for (const Reply& round : rounds_) {
        joined += round.raw;
    }
    return joined;
}

}  // namespace arbiter::turn
