// Model: the interface of a language model: an endpoint or a script.
//
//   auto reply = model.answer(request, [&](const Piece& piece) { show(piece.text); return true; });
//
// A failure is an Error (kModel…). Pieces that were streamed before a failure are not a reply: the
// caller discards them or keeps them as unfinished, but never executes commands from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "prompt/message.h"
#include "table/tool.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::model {

// Absent members use the default of the model.
struct Sampling {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<double> presence_penalty = {};
    std::optional<double> frequency_penalty = {};
    std::optional<std::int64_t> tokens_max = {};  // of the reply
    std::vector<std::string> stop = {};
    value::Object more = {};  // passed on unchanged
};

struct Request {
    std::vector<prompt::Message> messages;
    std::vector<table::ToolSchema> tools = {};
    Sampling sampling = {};
    std::optional<std::int64_t> seed = {};
    // The turn of the request. A script may use them; they are not sent to an endpoint.
    std::int64_t turn = 0;
    std::int64_t attempt = 1;    // of this turn; 2 for the first retry
    std::int64_t round = 1;      // of the attempt; 2 continues after tool results
    value::Value document = {};  // that the turn began with; null: none
    // The event loop on which the answer is wanted; nothing: any.
    std::optional<std::size_t> loop = {};
};

enum class Finish : std::uint8_t {
    kStop,       // complete
    kLength,     // token limit
    kToolCalls,  // waits for the results of tools
    kFilter      // content filter
};
std::string_view name(Finish finish) noexcept;  // "stop", "length", "tool_calls", "content_filter"

struct Usage {
    std::int64_t prompt = 0;
    std::int64_t completion = 0;
    bool estimated = false;  // the model did not report both
    friend bool operator==(const Usage&, const Usage&) = default;
};

struct Reply {
    std::string text;
    std::string reasoning;  // if the model separates it from its text
    std::vector<prompt::NativeToolCall> tool_calls;
    Finish finish = Finish::kStop;
    Usage usage;
    std::string model;  // the name that the model reports
};

// A part of a streamed reply. A piece may end anywhere, also inside a character.
struct Piece {
    enum class Kind : std::uint8_t { kText, kReasoning };
    std::string_view text;
    Kind kind = Kind::kText;
};
// Returning false cancels the answer with kModelCancelled.
using OnPiece = std::function<bool(const Piece& piece)>;

class Model {
  public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    virtual ~Model() = default;

    // Blocks until the reply is complete. The joined pieces are its text and reasoning.
    virtual base::Result<Reply> answer(const Request& request, const OnPiece& on_piece) = 0;
    base::Result<Reply> answer(const Request& request) { return answer(request, {}); }

    // Whether it takes tool schemas beside the messages and answers with native calls. A model that
    // does not gets the tools as text in the prompt.
    [[nodiscard]] virtual bool takes_tools() const { return false; }
};

// Estimates of tokens (text/tokens.h), with the frames of messages and tools.
std::int64_t estimate_tokens(const Request& request) noexcept;
std::int64_t estimate_tokens(const Reply& reply) noexcept;

}  // namespace arbiter::model
