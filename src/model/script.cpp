#include "model/script.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "text/join.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/json.h"

namespace arbiter::model {
namespace {

using base::ErrorCode;
using config::FileDiagnostics;
using value::Fields;
using value::Path;
using value::Value;

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

struct Failure {
    std::string_view name;
    ErrorCode code;
    std::string_view words;  // default
};
constexpr auto kFailures = std::to_array<Failure>({
    {"refused", ErrorCode::kModelRefused, "policy"},
    {"key", ErrorCode::kModelKey, "401"},
    {"rate_limited", ErrorCode::kModelRateLimited, "429"},
    {"overloaded", ErrorCode::kModelOverloaded, "503"},
    {"timeout", ErrorCode::kModelTimeout, "60 s"},
    {"unreachable", ErrorCode::kModelUnreachable, "connection refused"},
    {"cut_off", ErrorCode::kModelCutOff, "connection closed"},
    {"too_long", ErrorCode::kModelTooLong, "context length exceeded"},
    {"bad_answer", ErrorCode::kModelBadAnswer, "no JSON"},
});

constexpr value::Choice<Condition::In> kSearched[] = {{"last", Condition::In::kLast},
                                                      {"user", Condition::In::kUser},
                                                      {"system", Condition::In::kSystem},
                                                      {"all", Condition::In::kAll}};
constexpr value::Choice<prompt::Role> kRoles[] = {{"system", prompt::Role::kSystem},
                                                  {"user", prompt::Role::kUser},
                                                  {"assistant", prompt::Role::kAssistant},
                                                  {"tool", prompt::Role::kTool}};
constexpr value::Choice<Finish> kFinishes[] = {{"stop", Finish::kStop},
                                               {"length", Finish::kLength},
                                               {"tool_calls", Finish::kToolCalls},
                                               {"content_filter", Finish::kFilter}};

// Adds a piece of some characters from `at` on; returns its bytes.
std::size_t add_piece(Answer& answer, std::size_t at, std::size_t characters) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < characters && at + bytes < answer.say.size(); ++i) {
        bytes += text::decode(std::string_view(answer.say).substr(at + bytes, 4)).size;
    }
    if (bytes > 0) {
        answer.pieces.push_back(bytes);
    }
    return bytes;
}

// A number of characters, a list of such numbers, or the pieces themselves.
void read_pieces(Fields& fields, Answer& answer) {
    constexpr std::string_view kTakes = "3 | [1, 5, 2] | [\"…\", \"…\"]";
    const Value* pieces = fields.take("pieces");
    if (pieces == nullptr) {
        return;
    }
    if (pieces->is_int() && pieces->as_int() > 0) {
        const auto size = static_cast<std::size_t>(pieces->as_int());
        for (std::size_t at = 0; at < answer.say.size();) {
            at += add_piece(answer, at, size);
        }
        return;
    }
    if (!pieces->is_array() || pieces->as_array().empty()) {
        fields.reject("pieces", std::string(kTakes), *pieces);
        return;
    }
    const bool texts = pieces->as_array()[0].is_string();
    if (texts && fields.contains("say")) {
        // Two texts could differ; one is enough.
        fields.reject("pieces", "3 | [1, 5, 2]", pieces->as_array()[0]);
        return;
    }
    std::size_t at = 0;
    for (const Value& piece : pieces->as_array()) {
        if (texts && piece.is_string()) {
            answer.say += piece.as_string();
            answer.pieces.push_back(piece.as_string().size());
        } else if (!texts && piece.is_int() && piece.as_int() > 0) {
            at += add_piece(answer, at, static_cast<std::size_t>(piece.as_int()));
        } else {
            fields.reject("pieces", std::string(kTakes), piece);
            return;
        }
    }
}

prompt::NativeToolCall read_call(Fields fields, std::size_t index) {
    prompt::NativeToolCall call;
    call.id = fields.text_or_number("id").value_or("call_" + std::to_string(index + 1));
    call.name = fields.text_or_number("name").value_or("");
    if (call.name.empty()) {
        fields.missing("name");
    }
    // A text is passed on unchanged, so that a script can contain broken arguments.
    if (const Value* arguments = fields.take("arguments")) {
        call.arguments = arguments->is_string() ? std::string(arguments->as_string())
                                                : value::print_json(*arguments);
    }
    fields.finish();
    return call;
}

// The name of a failure, or {how, after, words}.
void read_failure(Fields& fields, Answer& answer) {
    const Value* written = fields.take("fail");
    if (written == nullptr) {
        return;
    }
    const Value* how = written;
    std::string words;
    if (written->is_object()) {
        Fields failure = fields.inner(*written, fields.path_of("fail"));
        if (const auto after = failure.whole("after", 0, kNoLimit)) {
            answer.fail_after = static_cast<std::size_t>(*after);
        }
        words = failure.text_or_number("words").value_or("");
        how = failure.take("how", value::Presence::kRequired);
        failure.finish();
        if (how == nullptr) {
            return;
        }
    }
    const auto found = std::ranges::find(
        kFailures, how->is_string() ? how->as_string() : std::string_view(), &Failure::name);
    if (found == kFailures.end()) {
        fields.reject("fail", text::join(kFailures, " | ", &Failure::name), *how);
        return;
    }
    answer.fail = base::Error(found->code, {words.empty() ? std::string(found->words) : words});
}

Answer read_members(Fields& fields) {
    Answer answer;
    answer.say = fields.text_or_number("say").value_or("");
    answer.think = fields.text_or_number("think").value_or("");
    read_pieces(fields, answer);
    if (answer.pieces.size() > base::kScriptPiecesMax) {
        fields.reject("pieces", "≤ " + std::to_string(base::kScriptPiecesMax),
                      *fields.take("pieces"));
    }
    for (const auto& [call, path] : fields.strict_list("tool_calls")) {
        answer.tool_calls.push_back(read_call(fields.inner(call, path, "{name: …, arguments: {…}}"),
                                              answer.tool_calls.size()));
    }
    read_failure(fields, answer);
    answer.finish = fields.one_of("finish", kFinishes);
    if (auto usage = fields.object("usage")) {
        answer.prompt_tokens = usage->whole("prompt", 0, kNoLimit);
        answer.completion_tokens = usage->whole("completion", 0, kNoLimit);
        usage->finish();
    }
    return answer;
}

// Reports unknown keys, and an answer without content.
void finish_answer(Fields& fields, const Answer& answer) {
    fields.finish();
    const bool empty = answer.say.empty() && answer.think.empty() && answer.tool_calls.empty() &&
                       !fields.contains("fail") && !fields.contains("say") &&
                       !fields.contains("pieces");
    if (empty) {
        fields.missing("say");
    }
}

constexpr std::string_view kAnswerTakes = "{say: …}";

// A text stands for {say: …}.
Answer read_answer(const Fields& parent, const Value& written, Path path) {
    if (written.is_string()) {
        Answer answer;
        answer.say = written.as_string();
        return answer;
    }
    Fields fields = parent.inner(written, std::move(path), kAnswerTakes);
    Answer answer = read_members(fields);
    finish_answer(fields, answer);
    return answer;
}

// A text stands for {contains: …}.
Condition read_condition(const Fields& parent, const Value& written, Path path) {
    Condition when;
    if (written.is_string()) {
        when.contains = written.as_string();
        return when;
    }
    Fields fields = parent.inner(written, std::move(path), "{contains: …}");
    when.contains = fields.text_or_number("contains");
    if (const auto pattern = fields.text_or_number("regex")) {
        auto regex = text::Regex::compile(*pattern);
        if (regex) {
            when.regex = *std::move(regex);
        } else {
            fields.error("regex", regex.error());
        }
    }
    when.in = fields.one_of("in", kSearched).value_or(when.in);
    when.role = fields.one_of("role", kRoles);
    when.turn = fields.whole("turn", 0, kNoLimit);
    when.attempt = fields.whole("attempt", 1, kNoLimit);
    when.round = fields.whole("round", 1, kNoLimit).value_or(1);
    when.request = fields.whole("request", 1, kNoLimit);
    if (const auto condition = fields.text("state")) {
        auto formula = expr::Formula::compile(*condition, {});
        if (formula) {
            when.state = *std::move(formula);
        } else {
            fields.error("state", formula.error());
        }
    }
    fields.finish();
    return when;
}

Line read_line(const Fields& parent, const Value& written, Path path) {
    Line line;
    if (written.is_string()) {
        line.answers.push_back(read_answer(parent, written, std::move(path)));
        line.times = 1;
        return line;
    }
    Fields fields = parent.inner(written, std::move(path), kAnswerTakes);
    line.answers.push_back(read_members(fields));
    if (const Value* when = fields.take("when")) {
        line.when = read_condition(fields, *when, fields.path_of("when"));
    }
    for (const auto& [next, at] : fields.strict_list("then")) {
        line.answers.push_back(read_answer(fields, next, at));
    }
    // Lines without a condition are used one after the other, each once.
    if (!line.when) {
        line.times = line.answers.size();
    }
    if (const Value* times = fields.take("times")) {
        if (times->is_string() && times->as_string() == "always") {
            line.times.reset();
        } else if (times->is_int() && times->as_int() > 0) {
            line.times = static_cast<std::size_t>(times->as_int());
        } else {
            fields.reject("times", "1, 2, … | always", *times);
        }
    }
    finish_answer(fields, line.answers.front());
    return line;
}

Script read_script(const Value& whole, value::Diagnostics& diagnostics) {
    Script script;
    Fields fields(whole, {}, diagnostics, {.takes = "answers: […]", .name = "script"});
    script.model = fields.text_or_number("model").value_or(script.model);
    script.native_tools = fields.flag("native_tools").value_or(false);
    for (const auto& [line, path] : fields.strict_list("answers")) {
        script.lines.push_back(read_line(fields, line, path));
    }
    if (const Value* otherwise = fields.take("default")) {
        script.otherwise = read_answer(fields, *otherwise, fields.path_of("default"));
    } else if (!fields.contains("answers")) {
        fields.missing("answers");
    }
    fields.finish();
    return script;
}

}  // namespace

std::expected<Script, FileDiagnostics> parse_script(std::string file, std::string text) {
    const auto parsed = config::parse_yaml(file, text);
    if (!parsed) {
        return std::unexpected(FileDiagnostics{std::move(file), std::move(text), {parsed.error()}});
    }
    value::Diagnostics diagnostics;
    Script script = read_script(parsed->value, diagnostics);
    if (!diagnostics.empty()) {
        return std::unexpected(config::diagnostics_of(*parsed, diagnostics));
    }
    return script;
}

std::expected<Script, FileDiagnostics> load_script(const std::string& file) {
    auto text = config::read_file(file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text).error()}});
    }
    return parse_script(file, *std::move(text));
}

}  // namespace arbiter::model
