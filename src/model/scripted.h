// Scripted: a model that answers what a YAML file says, for tests and for the demo that needs no
// network. docs/scripted-model.md tells how to write one.
//
//   answers:
//     - when: {contains: 推门}
//       say: 门开了。
//     - fail: rate_limited
//   default: {say: 风声。}
//
// Deterministic: the same script and the same requests give the same pieces.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/diagnostics.h"
#include "model/model.h"
#include "text/regex.h"

namespace arbiter::model {

// When an answer is given; what is not said does not count.
struct Condition {
    // Where the words are looked for.
    enum class In : std::uint8_t { kLast, kUser, kSystem, kAll };
    std::optional<std::string> contains;
    std::optional<text::Regex> regex;
    In in = In::kLast;
    std::optional<prompt::Role> role;  // of the last message
    std::optional<std::int64_t> turn;
    std::optional<std::int64_t> attempt;
    std::int64_t round = 1;  // of the attempt: 2 goes on after tool results
    std::optional<std::int64_t> request;  // counted from 1

    [[nodiscard]] bool holds(const Request& asked, std::int64_t number) const;
};

struct Answer {
    std::string say;
    std::string think;
    std::vector<std::size_t> pieces;  // sizes in bytes, at ends of characters; the rest comes last
    std::vector<prompt::NativeToolCall> tool_calls;
    std::optional<base::Error> fail;
    std::optional<std::size_t> fail_after;  // so many pieces; none: before the first one
    std::optional<Finish> finish;
    std::optional<std::int64_t> prompt_tokens;
    std::optional<std::int64_t> completion_tokens;
};

struct Line {
    std::optional<Condition> when;
    std::optional<std::size_t> times;  // none: always
    std::vector<Answer> answers;       // the first time, the second …; the last one stays
};

struct Script {
    std::string model = "scripted";
    std::vector<Line> lines;
    std::optional<Answer> otherwise;
};

// Every fault, with its place.
std::expected<Script, config::FileDiagnostics> parse_script(std::string file, std::string text);
std::expected<Script, config::FileDiagnostics> load_script(const std::string& file);

// For one thread.
class Scripted final : public Model {
  public:
    explicit Scripted(Script script);

    using Model::answer;
    base::Result<Reply> answer(const Request& request, const OnPiece& on_piece) override;
    [[nodiscard]] std::int64_t requests() const noexcept { return requests_; }

  private:
    const Answer* choose(const Request& request);

    Script script_;
    std::vector<std::size_t> used_;  // of each line
    std::int64_t requests_ = 0;
};

}  // namespace arbiter::model
