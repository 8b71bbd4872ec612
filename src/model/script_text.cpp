// Reading scripts: YAML into lines, with every fault at its place.
#include <algorithm>
#include <array>
#include <span>

#include "base/limits.h"
#include "config/files.h"
#include "config/yaml.h"
#include "model/scripted.h"
#include "text/nearest.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::model {

using base::ErrorCode;
using config::FileDiagnostics;
using value::Object;
using value::Value;

namespace {

using Names = std::span<const std::string_view>;

struct Failure {
    std::string_view name;
    ErrorCode code;
    std::string_view words;  // where the script has none
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
constexpr std::string_view kFailureTakes =
    "refused | key | rate_limited | overloaded | timeout | unreachable | cut_off | too_long | "
    "bad_answer";

constexpr std::string_view kTop[] = {"model", "answers", "default"};
constexpr std::string_view kAnswerKeys[] = {"say",  "think",  "pieces", "tool_calls",
                                            "fail", "finish", "usage"};
constexpr std::string_view kLineKeys[] = {"when", "say",    "think", "pieces", "tool_calls",
                                          "fail", "finish", "usage", "times",  "then"};
constexpr std::string_view kWhenKeys[] = {"contains", "regex",   "in",     "role",
                                          "turn",     "attempt", "request",
                                          "round"};
constexpr std::string_view kFailKeys[] = {"how", "after", "words"};
constexpr std::string_view kCallKeys[] = {"id", "name", "arguments"};
constexpr std::string_view kUsageKeys[] = {"prompt", "completion"};

std::string listed(Names names) {
    std::string all;
    for (const std::string_view name : names) {
        all += (all.empty() ? "" : ", ") + std::string(name);
    }
    return all;
}

// What stood there, for a message: a short text as it is, else what it is.
std::string shown(const Value& value) {
    constexpr std::size_t kMax = 40;
    const std::string text = value.is_container() ? "" : value::print_json(value);
    return text.empty() || text.size() > kMax ? std::string(value::name(value.kind())) : text;
}

class ScriptReader {
  public:
    value::Diagnostics diagnostics;

    Script read(const Value& whole) {
        Script script;
        if (!expect_object(whole, "answers: […]", kTop)) {
            return script;
        }
        const Object& top = whole.as_object();
        take_text(top, "model", script.model);
        if (const Value* answers = top.find("answers")) {
            each_of(*answers, "answers",
                    [&](const Value& line) { script.lines.push_back(read_line(line)); });
        } else if (!top.contains("default")) {
            fault({}, base::Error(ErrorCode::kMissingKey, {"answers"}));
        }
        if (const Value* otherwise = top.find("default")) {
            inside("default", [&] { script.otherwise = read_answer(*otherwise, kAnswerKeys); });
        }
        return script;
    }

  private:
    void fault(value::Path below, base::Error error, bool at_key = false) {
        value::Path path = path_;
        path.insert(path.end(), below.begin(), below.end());
        diagnostics.push_back({std::move(path), at_key, std::move(error)});
    }
    void wrong(std::string_view key, std::string_view takes, const Value& found) {
        fault({key}, base::Error(ErrorCode::kBadField,
                                 {std::string(key), std::string(takes), shown(found)}));
    }

    template <typename Do>
    void inside(value::Segment segment, const Do& work) {
        path_.push_back(std::move(segment));
        work();
        path_.pop_back();
    }
    template <typename Do>
    void each_of(const Value& list, std::string_view key, const Do& work) {
        if (!list.is_array()) {
            wrong(key, "[…]", list);
            return;
        }
        inside(key, [&] {
            std::int64_t index = 0;
            for (const Value& each : list.as_array()) {
                inside(index++, [&] { work(each); });
            }
        });
    }

    bool expect_object(const Value& value, std::string_view takes, Names names) {
        if (!value.is_object()) {
            const std::string what = path_.empty() ? "script" : std::string(path_.back().as_key());
            fault({}, base::Error(ErrorCode::kBadField, {what, std::string(takes), shown(value)}));
            return false;
        }
        for (const auto& [key, member] : value.as_object()) {
            if (std::ranges::find(names, key.view()) != names.end()) {
                continue;
            }
            const auto meant = text::nearest(key, names);
            fault({key},
                  meant ? base::Error(ErrorCode::kMisspelledKey,
                                      {std::string(key.view()), std::string(*meant)})
                        : base::Error(ErrorCode::kUnknownKey,
                                      {std::string(key.view()), listed(names)}),
                  true);
        }
        return true;
    }

    void take_text(const Object& from, std::string_view key, std::string& into) {
        const Value* found = from.find(key);
        if (found == nullptr) {
            return;
        }
        if (found->is_string()) {
            into = found->as_string();
        } else if (found->is_number()) {
            // A text that YAML takes for a number.
            into = value::print_json(*found);
        } else {
            wrong(key, "\"…\"", *found);
        }
    }

    std::optional<std::int64_t> take_number(const Object& from, std::string_view key,
                                            std::int64_t least) {
        const Value* found = from.find(key);
        if (found == nullptr) {
            return std::nullopt;
        }
        if (!found->is_int() || found->as_int() < least) {
            wrong(key, std::to_string(least) + ", " + std::to_string(least + 1) + ", …", *found);
            return std::nullopt;
        }
        return found->as_int();
    }

    // One of some words, by its place among them.
    std::optional<std::size_t> take_word(const Object& from, std::string_view key, Names words) {
        const Value* found = from.find(key);
        if (found == nullptr) {
            return std::nullopt;
        }
        const auto at =
            std::ranges::find(words, found->is_string() ? found->as_string() : std::string_view());
        if (at == words.end()) {
            std::string takes;
            for (const std::string_view word : words) {
                takes += (takes.empty() ? "" : " | ") + std::string(word);
            }
            wrong(key, takes, *found);
            return std::nullopt;
        }
        return static_cast<std::size_t>(at - words.begin());
    }

    Line read_line(const Value& written) {
        Line line;
        // A line that is only a text says it.
        if (written.is_string()) {
            line.answers.push_back(read_answer(written, kAnswerKeys));
            line.times = 1;
            return line;
        }
        line.answers.push_back(read_answer(written, kLineKeys));
        if (!written.is_object()) {
            return line;
        }
        const Object& members = written.as_object();
        if (const Value* when = members.find("when")) {
            inside("when", [&] { line.when = read_condition(*when); });
        }
        if (const Value* then = members.find("then")) {
            each_of(*then, "then", [&](const Value& next) {
                line.answers.push_back(read_answer(next, kAnswerKeys));
            });
        }
        // Lines without a condition are said one after the other, each once.
        if (!line.when) {
            line.times = line.answers.size();
        }
        if (const Value* times = members.find("times")) {
            if (times->is_string() && times->as_string() == "always") {
                line.times.reset();
            } else if (times->is_int() && times->as_int() > 0) {
                line.times = static_cast<std::size_t>(times->as_int());
            } else {
                wrong("times", "1, 2, … | always", *times);
            }
        }
        return line;
    }

    Condition read_condition(const Value& written) {
        Condition when;
        // Words alone are those that it contains.
        if (written.is_string()) {
            when.contains = written.as_string();
            return when;
        }
        if (!expect_object(written, "{contains: …}", kWhenKeys)) {
            return when;
        }
        const Object& members = written.as_object();
        if (members.contains("contains")) {
            take_text(members, "contains", when.contains.emplace());
        }
        if (members.contains("regex")) {
            std::string pattern;
            take_text(members, "regex", pattern);
            auto regex = text::Regex::compile(pattern);
            if (regex) {
                when.regex = *std::move(regex);
            } else {
                fault({"regex"}, regex.error());
            }
        }
        constexpr std::string_view kIn[] = {"last", "user", "system", "all"};
        if (const auto in = take_word(members, "in", kIn)) {
            when.in = static_cast<Condition::In>(*in);
        }
        constexpr std::string_view kRoles[] = {"system", "user", "assistant", "tool"};
        if (const auto role = take_word(members, "role", kRoles)) {
            when.role = static_cast<prompt::Role>(*role);
        }
        when.turn = take_number(members, "turn", 0);
        when.attempt = take_number(members, "attempt", 1);
        when.round = take_number(members, "round", 1).value_or(1);
        when.request = take_number(members, "request", 1);
        return when;
    }

    Answer read_answer(const Value& written, Names names) {
        Answer answer;
        if (written.is_string()) {
            answer.say = written.as_string();
            return answer;
        }
        if (!expect_object(written, "{say: …}", names)) {
            return answer;
        }
        const Object& members = written.as_object();
        take_text(members, "say", answer.say);
        take_text(members, "think", answer.think);
        read_pieces(members, answer);
        if (answer.pieces.size() > base::kScriptPiecesMax) {
            wrong("pieces", "≤ " + std::to_string(base::kScriptPiecesMax), *members.find("pieces"));
        }
        if (const Value* calls = members.find("tool_calls")) {
            each_of(*calls, "tool_calls", [&](const Value& call) {
                answer.tool_calls.push_back(read_call(call, answer.tool_calls.size()));
            });
        }
        if (const Value* fail = members.find("fail")) {
            read_failure(*fail, answer);
        }
        constexpr std::string_view kFinishes[] = {"stop", "length", "tool_calls", "content_filter"};
        if (const auto finish = take_word(members, "finish", kFinishes)) {
            answer.finish = static_cast<Finish>(*finish);
        }
        if (const Value* usage = members.find("usage")) {
            inside("usage", [&] {
                if (expect_object(*usage, "{prompt: 0, completion: 0}", kUsageKeys)) {
                    answer.prompt_tokens = take_number(usage->as_object(), "prompt", 0);
                    answer.completion_tokens = take_number(usage->as_object(), "completion", 0);
                }
            });
        }
        const bool empty = answer.say.empty() && answer.think.empty() &&
                           answer.tool_calls.empty() && !members.contains("fail") &&
                           !members.contains("say") && !members.contains("pieces");
        if (empty) {
            fault({}, base::Error(ErrorCode::kMissingKey, {"say"}));
        }
        return answer;
    }

    // A number of characters, a list of such numbers, or the pieces themselves.
    void read_pieces(const Object& members, Answer& answer) {
        constexpr std::string_view kTakes = "3 | [1, 5, 2] | [\"…\", \"…\"]";
        const Value* pieces = members.find("pieces");
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
            wrong("pieces", kTakes, *pieces);
            return;
        }
        const bool texts = pieces->as_array()[0].is_string();
        if (texts && members.contains("say")) {
            // Two texts could differ; one is enough.
            wrong("pieces", "3 | [1, 5, 2]", pieces->as_array()[0]);
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
                wrong("pieces", kTakes, piece);
                return;
            }
        }
    }

    // So many characters from `at` on; gives their bytes.
    static std::size_t add_piece(Answer& answer, std::size_t at, std::size_t characters) {
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < characters && at + bytes < answer.say.size(); ++i) {
            bytes += text::decode(std::string_view(answer.say).substr(at + bytes, 4)).size;
        }
        if (bytes > 0) {
            answer.pieces.push_back(bytes);
        }
        return bytes;
    }

    prompt::NativeToolCall read_call(const Value& written, std::size_t index) {
        prompt::NativeToolCall call;
        call.id = "call_" + std::to_string(index + 1);
        if (!expect_object(written, "{name: …, arguments: {…}}", kCallKeys)) {
            return call;
        }
        const Object& members = written.as_object();
        take_text(members, "id", call.id);
        take_text(members, "name", call.name);
        if (call.name.empty()) {
            fault({}, base::Error(ErrorCode::kMissingKey, {"name"}));
        }
        // A text is passed on as it is, so that broken arguments can be written too.
        if (const Value* arguments = members.find("arguments")) {
            call.arguments = arguments->is_string() ? std::string(arguments->as_string())
                                                    : value::print_json(*arguments);
        }
        return call;
    }

    void read_failure(const Value& written, Answer& answer) {
        const Value* how = &written;
        std::string words;
        if (written.is_object()) {
            inside("fail", [&] {
                expect_object(written, "{how: …}", kFailKeys);
                if (const auto after = take_number(written.as_object(), "after", 0)) {
                    answer.fail_after = static_cast<std::size_t>(*after);
                }
                take_text(written.as_object(), "words", words);
            });
            how = written.as_object().find("how");
            if (how == nullptr) {
                inside("fail", [&] { fault({}, base::Error(ErrorCode::kMissingKey, {"how"})); });
                return;
            }
        }
        const auto found = std::ranges::find(
            kFailures, how->is_string() ? how->as_string() : std::string_view(), &Failure::name);
        if (found == kFailures.end()) {
            wrong("fail", kFailureTakes, *how);
            return;
        }
        answer.fail = base::Error(found->code, {words.empty() ? std::string(found->words) : words});
    }

    value::Path path_;
};

}  // namespace

std::expected<Script, FileDiagnostics> parse_script(std::string file, std::string text) {
    auto read = config::parse_yaml(file, text);
    if (!read) {
        return std::unexpected(
            FileDiagnostics{std::move(file), std::move(text), {std::move(read).error()}});
    }
    ScriptReader reader;
    Script script = reader.read(read->value);
    if (reader.diagnostics.empty()) {
        return script;
    }
    FileDiagnostics trouble{std::move(file), std::move(text), {}};
    for (const value::Diagnostic& fault : reader.diagnostics) {
        trouble.errors.push_back(read->at(fault));
    }
    return std::unexpected(std::move(trouble));
}

std::expected<Script, FileDiagnostics> load_script(const std::string& file) {
    auto text = config::read_file(file, base::kYamlBytesMax);
    if (!text) {
        return std::unexpected(FileDiagnostics{"arbiter", {}, {std::move(text).error()}});
    }
    return parse_script(file, *std::move(text));
}

}  // namespace arbiter::model
