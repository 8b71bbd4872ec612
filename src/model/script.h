// Script: the answers of the scripted model, parsed from YAML.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "config/diagnostics.h"
#include "expr/formula.h"
#include "model/model.h"
#include "text/regex.h"

namespace arbiter::model {

// The condition of an answer. Absent members always match.
struct Condition {
    // The messages that `contains` and `regex` search.
    enum class In : std::uint8_t { kLast, kUser, kSystem, kAll };
    std::optional<std::string> contains;
    std::optional<text::Regex> regex;
    In in = In::kLast;
    std::optional<prompt::Role> role;  // of the last message
    std::optional<std::int64_t> turn;
    std::optional<std::int64_t> attempt;
    std::int64_t round = 1;               // of the attempt; 2 continues after tool results
    std::optional<std::int64_t> request;  // counted from 1
    std::optional<expr::Formula> state;   // over the document that the turn began with

    [[nodiscard]] bool holds(const Request& asked, std::int64_t number) const;
};

struct Answer {
    std::string say;
    std::string think;
    std::vector<std::size_t>
        pieces;  // sizes in bytes, whole characters; the rest of the text is the last piece
    std::vector<prompt::NativeToolCall> tool_calls;
    std::optional<base::Error> fail;
    std::optional<std::size_t> fail_after;  // number of pieces; absent: before the first one
    std::optional<Finish> finish;
    std::optional<std::int64_t> prompt_tokens;
    std::optional<std::int64_t> completion_tokens;
};

struct Line {
    std::optional<Condition> when;
    std::optional<std::size_t> times;  // absent: without limit
    std::vector<Answer> answers;       // the first time, the second …; the last one repeats
};

struct Script {
    std::string model = "scripted";
    bool native_tools = false;  // takes schemas instead of a text about tools
    std::vector<Line> lines;
    std::optional<Answer> otherwise;
};

// Fails with all mistakes.
std::expected<Script, config::FileDiagnostics> parse_script(std::string file, std::string text);
std::expected<Script, config::FileDiagnostics> load_script(const std::string& file);

}  // namespace arbiter::model
