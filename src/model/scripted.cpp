#include "model/scripted.h"

#include <algorithm>

#include "text/utf8.h"

namespace arbiter::model {
namespace {

using base::ErrorCode;
using prompt::Message;
using prompt::Role;

constexpr std::size_t kShownMax = 40;

// The beginning of the last message of a request.
std::string last_words(const Request& request) {
    if (request.messages.empty()) {
        return "";
    }
    const std::string whole = text::repair(request.messages.back().content);
    std::string words;
    std::size_t count = 0;
    for (std::size_t at = 0; at < whole.size() && count < kShownMax; ++count) {
        const text::Decoded next = text::decode(std::string_view(whole).substr(at, 4));
        words += next.code_point < 0x20 ? " " : whole.substr(at, next.size);
        at += next.size;
    }
    return count == kShownMax ? words + "…" : words;
}

// Sends a text in pieces, up to a number of pieces.
class Stream {
  public:
    Stream(const OnPiece& on_piece, std::optional<std::size_t> most)
        : on_piece_(on_piece), most_(most) {}

    bool cancelled = false;

    [[nodiscard]] bool is_over() const { return cancelled || (most_ && sent_ >= *most_); }
    void send(std::string_view text, Piece::Kind kind) {
        if (is_over() || text.empty()) {
            return;
        }
        ++sent_;
        cancelled = on_piece_ && !on_piece_({text, kind});
    }

  private:
    const OnPiece& on_piece_;
    std::optional<std::size_t> most_;
    std::size_t sent_ = 0;
};

}  // namespace

bool Condition::holds(const Request& asked, std::int64_t number) const {
    if ((turn && *turn != asked.turn) || (attempt && *attempt != asked.attempt) ||
        (request && *request != number) || round != asked.round) {
        return false;
    }
    if (state && !state->holds({asked.document, {}})) {
        return false;
    }
    if (role && (asked.messages.empty() || asked.messages.back().role != *role)) {
        return false;
    }
    if (!contains && !regex) {
        return true;
    }
    const auto fits = [&](const Message& message) {
        return (!contains || message.content.view().contains(*contains)) &&
               (!regex || regex->is_in(message.content));
    };
    if (in == In::kAll) {
        return std::ranges::any_of(asked.messages, fits);
    }
    if (in == In::kSystem) {
        return std::ranges::any_of(asked.messages, [&](const Message& message) {
            return message.role == Role::kSystem && fits(message);
        });
    }
    for (auto at = asked.messages.rbegin(); at != asked.messages.rend(); ++at) {
        if (in == In::kLast || at->role == Role::kUser) {
            return fits(*at);
        }
    }
    return false;
}

Scripted::Scripted(Script script) : script_(std::move(script)), used_(script_.lines.size(), 0) {}

const Answer* Scripted::choose(const Request& request) {
    for (std::size_t i = 0; i < script_.lines.size(); ++i) {
        const Line& line = script_.lines[i];
        const bool holds = line.when ? line.when->holds(request, requests_) : request.round == 1;
        if ((line.times && used_[i] >= *line.times) || !holds) {
            continue;
        }
        const std::size_t which = std::min(used_[i]++, line.answers.size() - 1);
        return &line.answers[which];
    }
    if (request.round > 1) {
        // A script that says nothing about tool results has nothing to add to them.
        static const Answer kNothing;
        return &kNothing;
    }
    return script_.otherwise ? &*script_.otherwise : nullptr;
}

base::Result<Reply> Scripted::answer(const Request& request, const OnPiece& on_piece) {
    ++requests_;
    const Answer* answer = choose(request);
    if (answer == nullptr) {
        return base::fail(ErrorCode::kScriptSilent,
                          {std::to_string(requests_), last_words(request)});
    }
    Stream stream(on_piece,
                  answer->fail ? std::optional(answer->fail_after.value_or(0)) : std::nullopt);
    stream.send(answer->think, Piece::Kind::kReasoning);
    std::size_t at = 0;
    for (const std::size_t size : answer->pieces) {
        stream.send(std::string_view(answer->say).substr(at, size), Piece::Kind::kText);
        at = std::min(at + size, answer->say.size());
    }
    stream.send(std::string_view(answer->say).substr(at), Piece::Kind::kText);
    if (stream.cancelled) {
        return base::fail(ErrorCode::kModelCancelled);
    }
    if (answer->fail) {
        return std::unexpected(*answer->fail);
    }
    Reply reply;
    reply.text = answer->say;
    reply.reasoning = answer->think;
    reply.tool_calls = answer->tool_calls;
    reply.finish =
        answer->finish.value_or(reply.tool_calls.empty() ? Finish::kStop : Finish::kToolCalls);
    reply.model = script_.model;
    reply.usage = {answer->prompt_tokens.value_or(estimate_tokens(request)),
                   answer->completion_tokens.value_or(estimate_tokens(reply)),
                   !answer->prompt_tokens || !answer->completion_tokens};
    return reply;
}

}  // namespace arbiter::model
