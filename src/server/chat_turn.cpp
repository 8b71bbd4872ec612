#include "server/chat_turn.h"

#include <unistd.h>

#include <array>
#include <span>

#include "base/check.h"
#include "base/release.h"
#include "campaign/running_turn.h"
#include "reader/reader.h"
#include "server/chat_answer.h"
#include "server/client_model.h"
#include "server/errors.h"
#include "table/layout.h"

namespace arbiter::server {

using base::ErrorCode;
using base::Result;
using campaign::Session;
using chat::Generation;
using ledger::TurnId;
using turn::TurnResult;
using value::Value;

namespace {

// Another writer may move the head while the model answers.
constexpr int kHeadMovesMax = 3;
// A client that waits longer for the first text is sent comments.
constexpr std::chrono::seconds kPatience{5};

// A name for a reply that is not stored yet: streams send it before the id is known. Random bytes
// are asked for several names at once.
std::string fresh_key() {
    constexpr std::size_t kBytes = 12;
    thread_local std::array<unsigned char, 20 * kBytes> random{};
    thread_local std::size_t used = random.size();
    if (used == random.size()) {
        CHECK(getentropy(random.data(), random.size()) == 0);
        used = 0;
    }
    std::string key = "reply-";
    for (const unsigned char byte : std::span(random).subspan(used, kBytes)) {
        key += "0123456789abcdef"[byte / 16];
        key += "0123456789abcdef"[byte % 16];
    }
    used += kBytes;
    return key;
}

class ChatTurn : public std::enable_shared_from_this<ChatTurn> {
  public:
    ChatTurn(Host& host, ChatOrder order, std::shared_ptr<net::Exchange> exchange,
             std::shared_ptr<Session> session)
        : host_(host),
          order_(std::move(order)),
          exchange_(std::move(exchange)),
          session_(std::move(session)),
          model_(order_.model, order_.request, exchange_->loop().index()),
          answer_(exchange_, {"chatcmpl-" + key_, order_.request.model, host.now() / 1000,
                              order_.request.is_streamed, order_.request.asks_for_usage}) {}

    void begin(const model::Post& post, Host::Done done) {
        const auto started = std::chrono::steady_clock::now();
        post_ = post;
        done_ = std::move(done);
        if (exchange_->is_gone()) {
            finish();
            return;
        }
        exchange_->on_gone(
            [self = shared_from_this()] { self->post_([self] { self->take_gone(); }); });
        if (session_ != nullptr) {
            exchange_->add_header("X-Arbiter-Campaign", order_.request.campaign);
        }
        // Only what Gateway::is_quick() has looked at begins on the loop; what had to wait for the
        // campaign begins on another thread.
        if (auto found = locate(exchange_->loop().is_current()); !found) {
            fail(found.error());
            return;
        }
        if (is_quiet()) {
            ask_quietly();
            return;
        }
        if (order_.request.is_streamed) {
            exchange_->add_header("X-Arbiter-Turn", key_);
        }
        // Other moves may wait for the store, which a loop must not.
        if (is_moved() && !follows_at_once() && exchange_->loop().is_current()) {
            post_([self = shared_from_this()] { self->go_and_play(); });
            return;
        }
        go_and_play();
        host_.gateway().note_start(order_.request.campaign,
                                   std::chrono::steady_clock::now() - started);
    }

  private:
    [[nodiscard]] bool is_quiet() const noexcept {
        return generation_ == Generation::kQuiet || generation_ == Generation::kImpersonate;
    }

    // ---- the place of the chat

    // Finds the turn that the history leads to. `is_current`: the session has just been compared
    // with the store.
    Result<> locate(bool is_current) {
        const chat::Hints& hints = *order_.request.hints;
        chat::History history = chat::read_history(order_.request.messages, hints.generation);
        generation_ = history.generation;
        if (session_ == nullptr) {
            return {};
        }
        if (!is_current) {
            if (auto fresh = session_->refresh(); !fresh) {
                return std::unexpected(std::move(fresh).error());
            }
        }
        chat::AlignmentOptions options;
        options.reads_commands = true;
        options.messages = chat::messages_before(hints, generation_);
        // Of a swipe the number is that of the reply to be made.
        const bool is_made =
            generation_ == Generation::kSwipe || generation_ == Generation::kRegenerate;
        options.swipe = is_made ? std::nullopt : hints.swipe;
        auto found = host_.gateway().locate(order_.request.campaign, session_->head().hex(),
                                            is_current, std::move(history), options);
        if (!found) {
            return std::unexpected(std::move(found).error());
        }
        place_ = *std::move(found);
        generation_ = place_.history.generation;
        take_unknown_end(hints);
        if (is_quiet()) {
            exchange_->add_header("X-Arbiter-Turn", session_->head().hex());
        }
        return {};
    }

    // Whether the place is another one than the head.
    [[nodiscard]] bool is_moved() const {
        const auto id = TurnId::from_hex(place_.turn);
        return !place_.adopted.empty() || (id && session_->head() != *id);
    }

    [[nodiscard]] bool follows_at_once() const {
        const auto id = TurnId::from_hex(place_.turn);
        return place_.adopted.empty() && id && session_->follows_at_once(*id);
    }

    // Goes to the place.
    Result<> go() {
        // The client asks for another reply.
        replaced_ = place_.replaces_head ? std::optional(session_->head()) : std::nullopt;
        auto moved = go_to(place_.turn);
        bool is_first = place_.is_beginning;
        for (const Gateway::AdoptedReply& each : place_.adopted) {
            const chat::HistoryReply& reply = place_.history.replies[each.reply];
            if (moved && each.parts.empty()) {
                const bool is_greeting = is_first && reply.said.empty();
                moved = store_foreign(*session_, reply, is_greeting, host_.now());
            } else if (moved) {
                moved = repeat(*session_, each.parts, reply.said, host_.now());
            }
            is_first = false;
        }
        // The reply is added to the replies of the campaign behind what was stored here.
        if (moved && session_->head().hex() != place_.turn) {
            host_.gateway().catch_up(order_.request.campaign);
        }
        return moved;
    }

    void go_and_play() {
        if (is_gone_) {
            finish();
            return;
        }
        if (auto moved = go(); !moved) {
            fail(moved.error());
            return;
        }
        play();
    }

    // A message of the client's own behind the player's words is not a reply to be continued.
    void take_unknown_end(const chat::Hints& hints) {
        std::vector<chat::HistoryReply>& replies = place_.history.replies;
        if (generation_ != Generation::kContinue || (hints.generation && !replies.empty())) {
            return;
        }
        if (replies.empty() || !place_.has_last) {
            generation_ = Generation::kNormal;
            if (!replies.empty()) {
                place_.history.said = replies.back().said;
            }
        }
    }

    // The client did not get another reply, so it shows the old one.
    void keep_replaced() {
        const bool is_unseen = answer_.sent().empty() || !order_.request.is_streamed;
        if (const auto replaced = std::exchange(replaced_, {}); replaced && is_unseen) {
            (void)session_->go_to(*replaced);
        }
    }

    // Without a turn or an edit behind it, the place of the chat is stored alone. If that fails,
    // the head stays where it was.
    void settle() {
        if (session_ != nullptr) {
            (void)session_->settle();
        }
    }

    Result<> go_to(const std::string& turn) {
        const auto id = TurnId::from_hex(turn);
        return !id || session_->head() == *id ? Result<>()
                                              : session_->follow_chat(*id, host_.now());
    }

    // ---- the turn

    void play() {
        parent_ = session_->head();
        turn::TurnRequest request;
        request.now = host_.now();
        // Where the engine owns paths, a reply is shown when it has passed the check.
        if (!table::has_campaign(session_->campaign().state().document)) {
            request.mode = turn::Mode::kLive;
        }
        request.chat = turn::ClientChat{order_.request.messages,
                                        turn::find_injection(order_.request.hints->inject)};
        if (generation_ == Generation::kContinue) {
            continued_ = place_.history.replies.back().text;
            request.continues = continued_;
        } else {
            request.said = place_.history.said;
        }
        base::release(place_.history.replies);  // a stream may stay open for a long time
        campaign::TurnCondition condition;
        condition.key = key_;
        condition.is_key_new = true;
        const auto self = shared_from_this();
        cancel_ = campaign::start_turn(
            *session_, std::move(request), condition,
            {model_, host_.committer(), post_,
             [self](const table::PlayerText& text) {
                 // Only a turn that has shown nothing is begun again.
                 base::release(self->order_.request.messages);
                 self->answer_.text(text.str());
             },
             [self](std::int64_t, const Value&) { self->answer_.restart(); },
             [self](Result<TurnResult> result) { self->take(std::move(result)); }});
        // While the model thinks.
        answer_.prepare();
        wait_for_text();
    }

    void take(Result<TurnResult> result) {
        cancel_ = {};
        const bool has_moved = !result && result.error().code == ErrorCode::kHeadMoved;
        if (has_moved && !is_gone_ && answer_.sent().empty() && ++head_moves_ <= kHeadMovesMax) {
            if (locate(false) && go()) {
                play();
                return;
            }
        }
        host_.note(result, order_.request.campaign, order_.request_id, began_);
        if (!result) {
            if (auto kept = keep_sent(End::kCut); !kept) {
                fail(kept.error());
                return;
            }
            keep_replaced();
            fail(result.error());
            return;
        }
        end(*result);
    }

    void end(const TurnResult& result) {
        ChatEnd end;
        end.usage = model_.usage();
        switch (result.status) {
            case turn::Status::kCommitted:
                if (is_gone_) {
                    // The client did not get the end: the reply counts for nothing.
                    (void)session_->go_to(*parent_);
                    (void)keep_sent(End::kCut);
                    keep_replaced();
                    finish();
                    return;
                }
                remember(result);
                end.turn = result.id;
                end.tool_calls = model_.client_calls();
                end.finish = finish_word();
                break;
            case turn::Status::kCancelled:
            case turn::Status::kFailed:
                (void)keep_sent(End::kCut);
                keep_replaced();
                finish();
                return;
            case turn::Status::kReported:
            case turn::Status::kBlocked:
            case turn::Status::kOverSpent:
                if (answer_.sent().empty()) {
                    answer_.text(result.notice.str());
                }
                end.finish = "content_filter";
                // The client shows the notice as the reply: in its next history it has no commands.
                if (auto kept = keep_sent(End::kWhole); !kept) {
                    fail(kept.error());
                    return;
                }
                break;
        }
        settle();
        if (!order_.request.is_streamed && !end.turn.empty()) {
            exchange_->add_header("X-Arbiter-Turn", end.turn);
        }
        answer_.end(end);
        if (end.turn.empty()) {
            // Off the way of the next request.
            host_.gateway().catch_up(order_.request.campaign);
        }
        finish();
    }

    [[nodiscard]] std::string finish_word() const {
        if (!model_.client_calls().empty()) {
            return "tool_calls";
        }
        const model::Finish finish = model_.finish();
        return std::string(
            name(finish == model::Finish::kToolCalls ? model::Finish::kStop : finish));
    }

    // The reply as the client has it now.
    void remember(const TurnResult& result) {
        chat::StoredReply reply{result.id, parent_->hex(), place_.history.said, answer_.sent()};
        if (generation_ == Generation::kContinue) {
            reply.said.clear();
            reply.continues = continued_;
        }
        host_.gateway().add(order_.request.campaign, reply);
    }

    // Keeps the text of a reply that is not a turn: the client has it, and sends it back. Of one
    // that was cut it has something only if it was streamed.
    enum class End : std::uint8_t { kWhole, kCut };
    Result<> keep_sent(End end) {
        const bool is_sent = order_.request.is_streamed || end == End::kWhole;
        if (answer_.sent().empty() || !is_sent) {
            return {};
        }
        chat::StoredReply reply{{}, {}, place_.history.said, answer_.sent()};
        if (generation_ == Generation::kContinue) {
            reply.said.clear();
            reply.continues = continued_;
        }
        reply.is_aborted = end == End::kCut;
        return keep_reply(*session_, reply, host_.now());
    }

    // ---- questions beside the story

    void ask_quietly() {
        quiet_ = std::make_unique<QuietText>();
        if (session_ != nullptr) {
            quiet_->redacted.emplace(session_->redactor());
        }
        model::Request request;
        request.messages = order_.request.messages;
        const auto self = shared_from_this();
        asked_ = model_.ask(
            std::move(request),
            {.on_piece =
                 [self](const model::Piece& piece) {
                     if (piece.kind == model::Piece::Kind::kText) {
                         self->show_quiet(self->quiet_->collector.feed(piece.text));
                     }
                 },
             .on_done = [self](Result<model::Reply> reply) { self->take_quiet(std::move(reply)); }},
            post_);
        cancel_ = [self] {
            self->asked_.reset();
            self->finish();
        };
    }

    void show_quiet(std::string_view visible) {
        auto& redacted = quiet_->redacted;
        answer_.text(redacted ? redacted->feed(visible).str() : std::string(visible));
    }

    void take_quiet(Result<model::Reply> reply) {
        cancel_ = {};
        if (!reply) {
            fail(reply.error());
            return;
        }
        reader::Collector& collector = quiet_->collector;
        const std::size_t given = collector.text().size();
        const reader::Reading reading = collector.finish();
        show_quiet(std::string_view(reading.text).substr(collector.withdrew() ? 0 : given));
        if (quiet_->redacted) {
            answer_.text(quiet_->redacted->finish().str());
        }
        ChatEnd end;
        end.usage = model_.usage();
        end.tool_calls = model_.client_calls();
        end.finish = finish_word();
        answer_.end(end);
        finish();
    }

    // ---- the client

    void take_gone() {
        is_gone_ = true;
        if (const auto cancel = std::move(cancel_)) {
            cancel_ = {};
            cancel();
        }
    }

    // Begins the stream if there is no text for a while.
    void wait_for_text() {
        if (!order_.request.is_streamed || timer_ != nullptr) {
            return;
        }
        timer_ = std::make_shared<std::unique_ptr<net::Loop::Timer>>();
        net::Loop& loop = exchange_->loop();
        const auto start = [&loop, timer = timer_, weak = weak_from_this()] {
            *timer = loop.after(kPatience, [weak] {
                if (const auto self = weak.lock()) {
                    self->timer_->reset();
                    self->post_([self] {
                        if (self->done_) {
                            self->answer_.begin();
                        }
                    });
                }
            });
        };
        if (loop.is_current()) {
            start();
        } else {
            loop.post(start);
        }
    }

    void fail(base::Error error) {
        settle();
        answer_.fail(session_ != nullptr ? redacted(std::move(error), session_->redactor())
                                         : std::move(error));
        finish();
    }

    void finish() {
        if (const auto done = std::exchange(done_, {})) {
            asked_.reset();
            settle();
            done();
        }
    }

    Host& host_;
    ChatOrder order_;
    const std::string key_ = fresh_key();
    std::shared_ptr<net::Exchange> exchange_;
    std::shared_ptr<Session> session_;  // nullptr: of no campaign
    ClientModel model_;
    ChatAnswer answer_;
    model::Post post_;
    Host::Done done_;
    std::function<void()> cancel_;
    Gateway::Place place_;
    std::string continued_;           // the text that the reply continues
    std::optional<TurnId> parent_;    // of the reply
    std::optional<TurnId> replaced_;  // the reply that the client asks another for
    // Of a quiet question.
    struct QuietText {
        reader::Collector collector = reader::Collector();
        std::optional<table::RedactedStream> redacted = {};  // nothing: of no campaign
    };
    std::unique_ptr<QuietText> quiet_;
    std::unique_ptr<model::PendingAnswer> asked_;
    std::shared_ptr<std::unique_ptr<net::Loop::Timer>> timer_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    Generation generation_ = Generation::kNormal;
    bool is_gone_ = false;
    int head_moves_ = 0;
};

}  // namespace

void play_chat(Host& host, ChatOrder order, const std::shared_ptr<net::Exchange>& exchange) {
    std::shared_ptr<Session> session;
    const std::string campaign = order.request.campaign;
    if (!campaign.empty()) {
        auto opened = host.session(campaign);
        if (!opened) {
            exchange->respond(chat_error_response(opened.error()));
            return;
        }
        session = *std::move(opened);
    }
    const auto turn =
        std::make_shared<ChatTurn>(host, std::move(order), exchange, std::move(session));
    if (campaign.empty()) {
        const auto strand = std::make_shared<Strand>(host.workers());
        strand->post([turn, strand] { turn->begin(strand, [] {}); });
        return;
    }
    const bool is_queued = host.enqueue(campaign, [turn](const model::Post& post, Host::Done done) {
        turn->begin(post, std::move(done));
    });
    if (!is_queued) {
        exchange->respond(chat_error_response(base::Error(ErrorCode::kOverloaded)));
    }
}

}  // namespace arbiter::server
