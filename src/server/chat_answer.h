// ChatAnswer: the answer to a chat completions request, streamed or whole, in the shapes of OpenAI.
//
// A stream begins with its first text: until then an error is an HTTP error. It is never broken
// off: errors behind the first text are a chunk, and the stream ends as it should.
//
// All calls come from one executor.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "net/server.h"
#include "prompt/message.h"
#include "server/keep_alive.h"

namespace arbiter::server {

// {"error": {"message", "type", "code"}} with a reason phrase that says what is wrong, because some
// clients show nothing else.
net::Response chat_error_response(const base::Error& error);

struct ChatAnswerOptions {
    std::string id;            // of the completion
    std::string model;         // as the client named it
    std::int64_t created = 0;  // seconds
    bool is_streamed = false;
    bool asks_for_usage = false;
};

// The end of an answer.
struct ChatEnd {
    std::string finish = "stop";
    model::Usage usage = {};
    std::vector<prompt::NativeToolCall> tool_calls = {};
    std::string turn = {};  // the id of the stored reply; empty: none
};

class ChatAnswer {
  public:
    ChatAnswer(std::shared_ptr<net::Exchange> exchange, ChatAnswerOptions options);

    // Prints the parts of a stream that are known before its text. The first text does that too,
    // and takes longer then.
    void prepare();
    // Begins a stream before there is text, so that comments keep the client waiting.
    void begin() { begin({}); }
    void text(std::string_view text);
    // The text so far is void. A stream cannot take it back.
    void restart();
    void end(const ChatEnd& end);
    void fail(const base::Error& error);

    // The text that was sent, or would be if the answer is not streamed.
    [[nodiscard]] const std::string& sent() const noexcept { return sent_; }

  private:
    [[nodiscard]] value::Object frame(std::string_view object) const;
    [[nodiscard]] static value::Object usage_of(const model::Usage& usage);
    void send(std::string_view data);
    // Appends the event of a delta, the members of an object in JSON.
    void append_event(std::string& out, std::string_view delta);
    // Appends the event of a piece of text.
    void append_text(std::string& out, std::string_view text);
    // Appends the event that says why the text ends.
    void append_last(std::string& out, const ChatEnd& end);
    // Behind the members of a delta.
    [[nodiscard]] std::string_view after_delta() const noexcept;
    void begin(std::string_view first);

    std::shared_ptr<net::Exchange> exchange_;
    ChatAnswerOptions options_;
    std::optional<KeepAlive> keep_alive_;
    bool has_begun_ = false;
    std::string sent_;
    // The beginning of an event, up to the members of its delta; empty: not made yet.
    std::string before_delta_;
};

}  // namespace arbiter::server
