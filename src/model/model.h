// Model: whoever answers a prompt, behind one interface: an endpoint somewhere, or a script.
//
//   auto reply = model.answer(request, [&](const Piece& piece) { show(piece.text); return true; });
//
// What goes wrong is an Error (kModel…), never an exception. What was streamed before it is not a
// reply: whoever asked throws it away, or keeps it as unfinished, but never takes commands from it.
#pragma once

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

// What is not said is left to the model.
struct Sampling {
    std::optional<double> temperature = {};
    std::optional<double> top_p = {};
    std::optional<double> presence_penalty = {};
    std::optional<double> frequency_penalty = {};
    std::optional<std::int64_t> tokens_max = {};  // of the reply
    std::vector<std::string> stop = {};
    value::Object more = {};  // passed on as it is
};

struct Request {
    std::vector<prompt::Message> messages;
    std::vector<table::ToolSchema> tools = {};
    Sampling sampling = {};
    std::optional<std::int64_t> seed = {};
    // What the answer is for; a script may go by them, an endpoint never sees them.
    std::int64_t turn = 0;
    std::int64_t attempt = 1;  // of this turn: 2 when it is asked again with feedback
    std::int64_t round = 1;    // of the attempt: 2 when it goes on after tool results
};

enum class Finish : std::uint8_t {
    kStop,       // it had said all
    kLength,     // it was not allowed more tokens
    kToolCalls,  // it waits for the answers of tools
    kFilter      // somebody took the rest away
};
std::string_view name(Finish finish) noexcept;  // "stop", "length", "tool_calls", "content_filter"

struct Usage {
    std::int64_t prompt = 0;
    std::int64_t completion = 0;
    bool estimated = false;  // the model did not say, or not both
    friend bool operator==(const Usage&, const Usage&) = default;
};

struct Reply {
    std::string text;
    std::string reasoning;  // where the model keeps it apart from its text
    std::vector<prompt::NativeToolCall> tool_calls;
    Finish finish = Finish::kStop;
    Usage usage;
    std::string model;  // who answered, by its own name
};

// A part of the reply as it comes. Pieces may be cut anywhere, also inside a character.
struct Piece {
    enum class Kind : std::uint8_t { kText, kReasoning };
    std::string_view text;
    Kind kind = Kind::kText;
};
// False stops the answer, which is kModelCancelled then.
using OnPiece = std::function<bool(const Piece& piece)>;

class Model {
  public:
    Model() = default;
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;
    virtual ~Model() = default;

    // The pieces, joined, are the reply's text and reasoning. Blocks until it is complete.
    virtual base::Result<Reply> answer(const Request& request, const OnPiece& on_piece) = 0;
    base::Result<Reply> answer(const Request& request) { return answer(request, {}); }
};

// Whether asking again, unchanged and a little later, may help.
bool may_help_to_retry(base::ErrorCode code) noexcept;

// How many tokens they are, nearly (text/tokens.h), with what frames messages and tools.
std::int64_t estimate_tokens(const Request& request) noexcept;
std::int64_t estimate_tokens(const Reply& reply) noexcept;

}  // namespace arbiter::model
