#include "campaign/turning.h"

#include <algorithm>

#include "base/messages.h"
#include "campaign/judging.h"
#include "campaign/replay.h"
#include "protocol/activation.h"
#include "table/layout.h"
#include "table/life.h"

namespace arbiter::campaign {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Array;
using value::Object;
using value::Value;

namespace {

// A reply as it streams in: read piece by piece, its visible part handed on at once.
class Stream final : public reader::Sink {
  public:
    Stream(const reader::Options& options, const Wanted& wanted)
        : reader_(options), wanted_(wanted) {}

    void feed(std::string_view bytes) { reader_.feed(bytes, *this); }

    void text(std::string_view text) override {
        if (wanted_.on_draft) {
            wanted_.on_draft(text);
        }
    }
    void candidate(proposal::Proposal&&) override {}
    void lost(std::size_t, std::string_view) override {}

  private:
    reader::Reader reader_;
    const Wanted& wanted_;
};

std::vector<model::Tool> tools_of(const table::Kit& kit, const Value& document,
                                  base::Language language) {
    std::vector<model::Tool> tools;
    for (const table::Tool* tool : table::advertised(kit.tools, document)) {
        const Value schemas =
            table::function_schemas(std::span<const table::Tool* const>(&tool, 1), language);
        const Value* function =
            schemas.is_array() && !schemas.as_array().empty() && schemas.as_array()[0].is_object()
                ? schemas.as_array()[0].as_object().find("function")
                : nullptr;
        const Value* parameters = table::member_of(function, "parameters");
        tools.push_back({tool->name, std::string(table::text_in(function, "description")),
                         parameters != nullptr ? *parameters : Value(Object())});
    }
    return tools;
}

}  // namespace

Session::Turning::Turning(Session& session, engine::Instant now) : session_(session), now_(now) {}

Result<> Session::Turning::begin(std::string_view said) {
    const ledger::Campaign& campaign = session_.campaign_;
    // Somebody may have written in a protocol since.
    if (session_.gear_.protocols.reload()) {
        session_.stage_.reset();
    }
    begun_ = begin_turn(campaign.state(), said, campaign.number() + 1,
                        *session_.gear_.protocols.library());
    auto stage = session_.stage_for(begun_);
    if (!stage) {
        return std::unexpected(std::move(stage).error());
    }
    stage_ = *std::move(stage);
    settings_ = table::effective_settings(begun_.document, stage_->table);
    return {};
}

std::optional<std::string> Session::Turning::over_spent() const {
    const Spent before = spent_of(begun_.meta);
    const auto reached = [&](std::string_view key, std::int64_t spent) {
        const std::int64_t cap = table::number_in(settings_, key);
        return cap > 0 && spent >= cap;
    };
    const struct {
        std::string_view key;
        std::int64_t spent;
    } kCaps[] = {
        {"spend.turn_tokens_max", turned_.tokens},
        {"spend.turn_calls_max", calls_},
        {"spend.campaign_tokens_max", before.tokens + session_.unkept_.tokens + turned_.tokens},
        {"spend.campaign_calls_max", before.calls + session_.unkept_.calls + calls_},
    };
    for (const auto& [key, spent] : kCaps) {
        if (reached(key, spent)) {
            const bool chinese = session_.gear_.language == base::Language::kChinese;
            return (chinese ? "已达到上限：" : "A limit is reached: ") + std::string(key) + " = " +
                   std::to_string(table::number_in(settings_, key));
        }
    }
    return std::nullopt;
}

Session::Turning::Attempt Session::Turning::judge(std::string raw, reader::Reading reading,
                                                  std::span<const prompt::NativeToolCall> calls,
                                                  engine::Actor actor) {
    Attempt attempt;
    attempt.raw = std::move(raw);
    std::vector<proposal::Proposal>& proposals = reading.proposals;
    const std::uint32_t batch = proposals.empty() ? 0 : proposals.back().batch + 1;
    for (proposal::Proposal& call : proposals_of(calls, batch)) {
        proposals.push_back(std::move(call));
    }
    attempt.reading = std::move(reading);
    const engine::Context context{now_, actor, session_.campaign_.next_batch()};
    // The same dice for every attempt: asking again is no way to a better throw.
    table::Random random = table::seeded(begun_.document);
    attempt.judged = table::judge(begun_, attempt.reading.proposals, attempt.reading.text,
                                  stage_->table, settings_, context, random, &session_.memories_);
    failed_.insert(failed_.end(), attempt.judged.failed_calls.begin(),
                   attempt.judged.failed_calls.end());
    return attempt;
}

// Nothing when somebody cancelled it.
Result<std::optional<Session::Turning::Attempt>> Session::Turning::ask(
    const Wanted& wanted, model::Model& model, const model::Request& request) {
    const reader::Options options = stage_->reading(engine::Actor::kModel);
    Stream stream(options, wanted);
    const auto reply = model.answer(request, [&](const model::Piece& piece) {
        if (wanted.is_cancelled && wanted.is_cancelled()) {
            return false;
        }
        // What nobody watches is read once, when it is whole.
        if (piece.kind == model::Piece::Kind::kText && wanted.on_draft) {
            stream.feed(piece.text);
        }
        return true;
    });
    ++calls_;
    if (!reply) {
        session_.unkept_.calls += 1;
        if (reply.error().code == ErrorCode::kModelCancelled) {
            return std::nullopt;
        }
        return std::unexpected(reply.error());
    }
    turned_.tokens += reply->usage.prompt + reply->usage.completion;
    return judge(reply->text, reader::read(reply->text, options), reply->tool_calls,
                 engine::Actor::kModel);
}

void Session::Turning::note(const Attempt& attempt, const Value& feedback, std::int64_t tokens) {
    Object entry = {{"raw", std::string_view(attempt.raw)}, {"tokens", tokens}};
    if (!feedback.is_null()) {
        entry = std::move(entry).set("feedback", feedback);
    }
    turned_.trace = std::move(turned_.trace).push_back(std::move(entry));
}

std::string Session::Turning::notice_of(const table::Judged& judged) const {
    std::string notice;
    for (const table::FailedCall& call : judged.failed_calls) {
        notice += call.tool + ": " +
                  table::explain_reason(session_.gear_.kit->tools, call.tool, call.refusal,
                                        session_.gear_.language) +
                  "\n";
    }
    return notice;
}

Result<Turned> Session::Turning::run(const Wanted& wanted, model::Model& model) {
    if (auto begun = begin(wanted.said); !begun) {
        return std::unexpected(std::move(begun).error());
    }
    const base::Language language = session_.gear_.language;
    // Without a table there is nobody who could not act.
    const auto block =
        table::has_campaign(begun_.document) ? table::turn_block(begun_.document) : std::nullopt;
    if (block) {
        turned_.status = Turned::Status::kBlocked;
        turned_.notice = block->text.in(language);
        return std::move(turned_);
    }
    model::Request first;
    first.messages = session_.tell(begun_, *stage_, wanted.said, settings_, now_).messages;
    const std::int64_t retries = table::number_in(settings_, "turn.max_retries");
    const bool asks = table::word_in(settings_, "turn.feedback_mode") != "next_turn";
    while (true) {
        if (auto cap = over_spent()) {
            turned_.status = Turned::Status::kOverSpent;
            turned_.notice = *std::move(cap);
            break;
        }
        // The same request, with one message of feedback in place of the one before.
        model::Request request = first;
        if (!turned_.feedback.is_null()) {
            request.messages.push_back({prompt::Role::kSystem, value::Str(table::feedback_text(
                                                                   turned_.feedback, language))});
        }
        request.tools = tools_of(*session_.gear_.kit, begun_.document, language);
        request.turn = session_.campaign_.number() + 1;
        request.attempt = ++turned_.attempts;
        const std::int64_t tokens_before = turned_.tokens;
        auto attempt = ask(wanted, model, request);
        if (!attempt) {
            session_.unkept_.tokens += turned_.tokens;
            return std::unexpected(std::move(attempt).error());
        }
        if (!*attempt) {
            turned_.status = Turned::Status::kCancelled;
            break;
        }
        const Value feedback = table::feedback((*attempt)->judged, (*attempt)->reading.proposals,
                                               stage_->table, language);
        const bool again = table::asks_again((*attempt)->judged, (*attempt)->reading.proposals);
        note(**attempt, again ? feedback : Value(), turned_.tokens - tokens_before);
        if (!again || !asks) {
            turned_.notice = notice_of((*attempt)->judged);
            if (auto kept = keep(**std::move(attempt), wanted.said, engine::Actor::kModel); !kept) {
                return std::unexpected(std::move(kept).error());
            }
            return std::move(turned_);
        }
        turned_.feedback = turned_.feedback.is_null()
                               ? feedback
                               : table::joined_feedback(turned_.feedback, feedback);
        if (wanted.on_dropped) {
            wanted.on_dropped(turned_.attempts, feedback);
        }
        turned_.judged = (*attempt)->judged;
        if (turned_.attempts > retries) {
            turned_.status = Turned::Status::kReported;
            turned_.notice = notice_of((*attempt)->judged);
            turned_.report = table::conflict_report(
                turned_.feedback, turned_.attempts,
                table::number_in(settings_, "rollback.max_checkpoints") > 0, language);
            break;
        }
    }
    // Nothing was kept, but it was paid for.
    session_.unkept_.tokens += turned_.tokens;
    session_.unkept_.calls += calls_;
    return std::move(turned_);
}

Result<Turned> Session::Turning::run(const Given& given) {
    if (given.world) {
        session_.world_ = *given.world;
        session_.stage_.reset();
    }
    if (auto begun = begin(given.said); !begun) {
        return std::unexpected(std::move(begun).error());
    }
    turned_.attempts = 1;
    Attempt attempt = judge(given.reply, reader::read(given.reply, stage_->reading(given.actor)),
                            given.tool_calls, given.actor);
    turned_.notice = notice_of(attempt.judged);
    if (auto kept = keep(std::move(attempt), given.said, given.actor); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    return std::move(turned_);
}

Result<> Session::Turning::keep(Attempt attempt, std::string said, engine::Actor actor) {
    const ledger::Campaign& campaign = session_.campaign_;
    Around around;
    around.globals = session_.gear_.globals;
    around.tokens = turned_.tokens;
    around.failed = failed_;
    ledger::Said words;
    words.context = {now_, actor, campaign.next_batch()};
    table::Closed closed =
        close(attempt.judged.candidate(), *stage_, settings_, words.context, around);
    turned_.advanced = closed.advanced;
    turned_.ended = attempt.judged.ended;

    // What was said of protocols counts from the next turn on, and so does what was spent.
    const Object settled = closed.state.meta;
    State after = std::move(closed.state);
    after.meta = protocol::update_activation(settled, attempt.reading, campaign.number() + 1,
                                             *session_.gear_.protocols.library())
                     .meta;
    const Spent spent = spent_of(settled);
    if (calls_ > 0) {
        after.meta = with_spent(std::move(after.meta),
                                {spent.tokens + session_.unkept_.tokens + turned_.tokens,
                                 spent.calls + session_.unkept_.calls + calls_});
    }

    Array actions = attempt.judged.applied_actions;
    for (const Value& action : closed.applied_actions) {
        actions = std::move(actions).push_back(action);
    }
    Object extra = with_around({}, around);
    extra = with_host_meta(std::move(extra), {changed_meta(campaign.state().meta, begun_.meta),
                                              changed_meta(settled, after.meta)});
    if (!actions.empty()) {
        words.notes = std::move(words.notes).set("actions", actions);
    }
    if (table::has_campaign(after.document)) {
        extra = std::move(extra)
                    .set("actor_id", table::active_actor(begun_.document))
                    .set("settings_revision", attempt.judged.settings_revision);
    }
    if (turned_.attempts > 1) {
        words.notes = std::move(words.notes).set("trace", turned_.trace);
    }
    rules::Played played = attempt.judged.played;
    played.outcome.state = std::move(after);
    words.said = std::move(said);
    words.raw = attempt.raw;
    words.shown = attempt.reading.text;
    words.proposals = attempt.reading.proposals;
    words.played = &played;
    words.rules = stage_->rules;
    // Kept once is enough.
    const bool known = Value(session_.kept_rules_) == Value(words.rules);
    if (!known) {
        words.texts = stage_->texts();
    }
    words.extra = std::move(extra);
    ledger::Prepared prepared = campaign.prepare(words);
    if (auto kept = campaign.store().commit(prepared.commit); !kept) {
        return std::unexpected(std::move(kept).error());
    }
    turned_.id = prepared.id;
    turned_.shown = attempt.reading.text;
    turned_.reading = std::move(attempt.reading);
    turned_.judged = std::move(attempt.judged);
    const std::scoped_lock moment(session_.looking_);
    session_.campaign_.accept(std::move(prepared));
    session_.unkept_ = {};
    session_.kept_rules_ = words.rules;
    prompt::append_turn(session_.history_, actor, words.said, words.shown);
    return {};
}

Result<Turned> Session::turn(const Wanted& wanted, model::Model& model) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    return Turning(*this, wanted.now).run(wanted, model);
}

Result<Turned> Session::apply(const Given& given) {
    const auto lock = begin_work();
    if (!lock) {
        return std::unexpected(lock.error());
    }
    return Turning(*this, given.now).run(given);
}

}  // namespace arbiter::campaign
