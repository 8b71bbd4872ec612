// ChatDecoder: the bytes of an answer → pieces as they come, and at the end the reply or the error.
//
//   ChatDecoder decoder(head, options);
//   decoder.feed(bytes, on_piece);            // any split of the body
//   auto reply = decoder.finish(ended, on_piece);
//
// Reads streams of events and single JSON bodies, whatever was asked for and whatever the content
// type says: the first byte decides. A stream is complete with [DONE] or a finish_reason; one that
// ends before is kModelCutOff. Any bytes give a reply or an error; the result does not depend on
// the split. Pieces are valid UTF-8 and end between characters. Errors never hold the key. Pure;
// for one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "model/model.h"
#include "net/client.h"
#include "net/sse.h"
#include "openai/internal/raw_json.h"
#include "openai/internal/tool_call_joiner.h"
#include "openai/internal/utf8_joiner.h"

namespace arbiter::openai {

struct ChatDecoderOptions {
    std::string secret = {};  // the key
    // Estimates the tokens of the prompt, for servers that do not count; empty: 0.
    std::function<std::int64_t()> prompt_tokens = {};
    // A reply without text and calls is an answer too: after tool results there may be nothing to
    // add.
    bool may_be_empty = false;
};

class ChatDecoder {
  public:
    using OnPiece = std::function<void(const model::Piece& piece)>;

    ChatDecoder(net::ResponseHead head, ChatDecoderOptions options);

    // Fails if nothing that follows could make it an answer; the caller hangs up then.
    base::Result<> feed(std::string_view bytes, const OnPiece& on_piece);
    // [DONE] came: the rest of the body is ignored.
    [[nodiscard]] bool is_done() const noexcept { return is_done_; }
    // The body ended: as it should, or with an error of the connection.
    base::Result<model::Reply> finish(const base::Result<>& connection, const OnPiece& on_piece);

  private:
    enum class Form : std::uint8_t { kUnknown, kEvents, kBody };

    base::Result<> read(std::string_view bytes, const OnPiece& on_piece);
    void take_event(const net::SseEvent& event, const OnPiece& on_piece);
    bool take_known(std::string_view data, const OnPiece& on_piece);
    void learn(std::string_view data, const value::Value& answer, std::size_t added);
    void take_answer(const internal::RawJson& json, const OnPiece& on_piece);
    void take_choice(const internal::RawJson& json, const value::Value& choice,
                     const OnPiece& on_piece);
    void take_content(const internal::RawJson& json, const value::Value& content,
                      model::Piece::Kind kind, const OnPiece& on_piece);
    void take_calls(const internal::RawJson& json, const value::Value& message);
    void take_finish(std::string_view reason);
    void take_usage(const value::Value& usage);
    void add(std::string text, model::Piece::Kind kind, const OnPiece& on_piece);
    void show(std::string_view piece, model::Piece::Kind kind, const OnPiece& on_piece);
    void count(std::size_t bytes);
    void take_body(const base::Result<>& connection, const OnPiece& on_piece);
    void end_events(const base::Result<>& connection, const OnPiece& on_piece);
    model::Reply take_reply();
    void fail(base::ErrorCode code, std::string_view phrase, std::string_view quotation = {});
    void fail(base::Error error);

    const int status_;
    std::unique_ptr<const net::ResponseHead> refusal_head_;  // nullptr: the status is a success
    ChatDecoderOptions options_;
    net::SseDecoder events_;
    std::string body_;  // of a single answer or an error; of a stream its beginning
    Form form_ = Form::kUnknown;
    bool is_ending_ = false;  // an event that is not JSON now was cut off
    bool is_done_ = false;
    bool has_answered_ = false;  // an event with JSON came
    std::unique_ptr<const base::Error> error_;

    // The bytes around the text of the last event that had a text and nothing else: most events of
    // a stream differ in their text alone, and need not be parsed.
    std::string before_text_;  // with the opening quote; empty: none is known
    std::string after_text_;

    internal::Utf8Joiner text_;
    internal::Utf8Joiner reasoning_;
    internal::ToolCallJoiner calls_;
    std::string refusal_;
    std::size_t bytes_ = 0;  // of everything in the reply
    std::optional<model::Finish> finish_;
    std::optional<std::int64_t> prompt_tokens_;
    std::optional<std::int64_t> completion_tokens_;
    model::Reply reply_;
};

}  // namespace arbiter::openai
