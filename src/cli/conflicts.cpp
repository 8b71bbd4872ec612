#include "cli/conflicts.h"

#include <algorithm>
#include <optional>

#include "cli/json_lines.h"
#include "conflict/check.h"
#include "conflict/explain.h"
#include "table/layout.h"
#include "text/join.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::cli {
namespace {

using conflict::Observation;
using conflict::Reading;
using value::Array;
using value::Object;
using value::Value;

struct Case {
    conflict::Truth truth;
    std::vector<conflict::Settled> actions;
    std::string narrative;
    std::optional<conflict::Lexicon> lexicon;  // with words of the case
};

Case case_of(const Value& line) {
    Case read;
    if (const Value* state = value::find_member(&line, "state")) {
        read.truth = conflict::truth_of(*state);
    }
    for (const Value& action :
         table::array_or_empty(value::find_member(&line, "applied_actions"))) {
        const Value* args = value::find_member(&action, "args");
        read.actions.push_back(
            {std::string(table::text_in(&action, "tool")), args != nullptr ? *args : Value()});
    }
    read.narrative = table::text_in(&line, "narrative");
    if (const Value* words = value::find_member(&line, "lexicon")) {
        read.lexicon = conflict::shipped_lexicon();
        read.lexicon->add(*words);
    }
    return read;
}

Value result_of(const Value& line, const conflict::Report& report) {
    Array conflicts;
    for (const conflict::Finding& finding : report.findings) {
        Object one{{"type", name(finding.type)}};
        if (!finding.target.empty()) {
            one = std::move(one).set("target", std::string_view(finding.target));
        }
        conflicts = std::move(conflicts).push_back(
            std::move(one)
                .set("quote", std::string_view(finding.quote))
                .set("begin", static_cast<std::int64_t>(finding.begin))
                .set("expected", std::string_view(finding.expected))
                .set("found", std::string_view(finding.found))
                .set("confidence", finding.confidence)
                .set("layer", name(finding.layer)));
    }
    const Value* id = value::find_member(&line, "id");
    return Object{{"id", id != nullptr ? *id : Value()}, {"conflicts", std::move(conflicts)}};
}

base::TextView reason_of(Reading reading) {
    switch (reading) {
        case Reading::kContradicted:
            return {"counts: contradicts the state", "算：与状态矛盾"};
        case Reading::kSupported:
            return {"does not count: it is true", "不算：与状态一致"};
        case Reading::kUnclear:
            return {"does not count: may be about another character", "不算：可能指另一个角色"};
        case Reading::kQuoted:
            return {"does not count: direct speech", "不算：引语"};
        case Reading::kReported:
            return {"does not count: reported words", "不算：转述"};
        case Reading::kNegated:
            return {"does not count: negated", "不算：否定句"};
        case Reading::kPlanned:
            return {"does not count: plan or order", "不算：打算或命令"};
        case Reading::kPossible:
            return {"does not count: future, ability or guess", "不算：将来、能力或猜测"};
        case Reading::kQuestion:
            return {"does not count: question", "不算：疑问句"};
        case Reading::kConditional:
            return {"does not count: condition or rule", "不算：条件或规则说明"};
        case Reading::kRemembered:
            return {"does not count: the past", "不算：往事"};
        case Reading::kUnreal:
            return {"does not count: dream, game, play or picture", "不算：梦境、游戏、戏剧或图画"};
        case Reading::kNearMiss:
            return {"does not count: near miss", "不算：差一点"};
        case Reading::kCompared:
            return {"does not count: comparison", "不算：比喻"};
        case Reading::kOption:
            return {"does not count: a choice for the player", "不算：供玩家选择"};
        case Reading::kPrice:
            return {"does not count: price or rule", "不算：价格或规则"};
    }
    return {};
}

// How the sentence itself was taken, if not as plain narration.
base::TextView kind_of(const conflict::ExplainedSentence& sentence) {
    if (sentence.is_option) {
        return {" (a choice for the player)", "（供玩家选择）"};
    }
    if (sentence.is_quoted) {
        return {" (direct speech)", "（引语）"};
    }
    if (sentence.is_question) {
        return {" (question)", "（疑问句）"};
    }
    return {"", ""};
}

std::string explained_claim(const Console& console, const Observation& seen,
                            std::string_view text) {
    std::string targets;
    for (const std::string& target : seen.targets) {
        targets += (targets.empty() ? " " : ",") + target;
    }
    const bool counts = seen.reading == Reading::kContradicted;
    std::string out = "  " +
                      console.painted(std::string(name(seen.type)) + targets,
                                      counts ? Color::kRed : Color::kDim) +
                      "  " + std::string(text.substr(seen.begin, seen.end - seen.begin)) +
                      "\n    " + std::string(console.say(reason_of(seen.reading)));
    if (counts) {
        out += console.language == base::Language::kChinese
                   ? "（状态 " + seen.expected + "，正文 " + seen.found + "，把握 " +
                         std::to_string(seen.confidence) + "%）"
                   : " (state: " + seen.expected + ", text: " + seen.found + ", " +
                         std::to_string(seen.confidence) + "% sure)";
        if (seen.confidence < conflict::kDefaultConfidence) {
            out += console.say({"; below the default confidence, so it is not reported",
                                "；低于默认把握，不报告"});
        }
    }
    return out + "\n";
}

std::string explained(const Console& console, std::string_view text,
                      const std::vector<conflict::ExplainedSentence>& sentences, bool with_words) {
    std::string out;
    for (const conflict::ExplainedSentence& sentence : sentences) {
        out += std::string(text.substr(sentence.begin, sentence.end - sentence.begin)) +
               std::string(console.say(kind_of(sentence))) + "\n";
        std::string words;
        for (const conflict::KnownWord& word : sentence.words) {
            words += (words.empty() ? "    " : "; ") +
                     std::string(text.substr(word.begin, word.end - word.begin)) + " = " +
                     text::join(word.meanings, " ");
        }
        if (with_words && !words.empty()) {
            out += console.painted(words, Color::kDim) + "\n";
        }
        for (const Observation& seen : sentence.claims) {
            out += explained_claim(console, seen, text);
        }
        if (sentence.claims.empty()) {
            out += console.say({"  no claim about tracked state\n", "  没有关于状态的陈述\n"});
        }
    }
    return out;
}

Exit run_conflicts(const Call& call) {
    const Console& console = call.console;
    const bool explain = !call.arguments.empty() && call.arguments[0] == "explain";
    if (!explain && !call.arguments.empty()) {
        report(
            console,
            base::Error(base::ErrorCode::kBadOptionValue, {"ACTION", call.arguments[0], "explain"}),
            "arbiter", {});
        return Exit::kTrouble;
    }
    bool found = false;
    const auto take = [&](const base::Result<Value>& parsed) {
        if (!parsed || !parsed->is_object()) {
            const std::string why = parsed ? std::string(console.say({"A case is a JSON object.",
                                                                      "用例必须是 JSON 对象。"}))
                                           : base::explain(parsed.error(), console.language);
            console.print(value::print_json(Object{{"error", std::string_view(why)}}) + "\n");
            return;
        }
        const Case read = case_of(*parsed);
        const conflict::Input input{
            .truth = read.truth,
            .actions = read.actions,
            .narrative = read.narrative,
            .lexicon = read.lexicon ? *read.lexicon : conflict::shipped_lexicon()};
        const conflict::Report checked = conflict::check_text(input);
        found = found || !checked.findings.empty();
        console.print(explain ? explained(console, read.narrative, conflict::explain_text(input),
                                          call.has("--words"))
                              : value::print_json(result_of(*parsed, checked)) + "\n");
    };
    if (!read_json_lines(console, take)) {
        return Exit::kTrouble;
    }
    return explain && found ? Exit::kNo : Exit::kDone;
}

constexpr Argument kArguments[] = {
    {"ACTION",
     false,
     {"explain: say sentence by sentence what was recognised and why it counts or not",
      "explain：逐句说明识别到什么、为何算或不算"},
     false,
     "explain"}};
constexpr Option kOptions[] = {
    {"--lines",
     "",
     {"one case a line on standard input (the only input; may be omitted)",
      "标准输入每行一个用例（唯一的输入方式，可省略）"}},
    {"--words",
     "",
     {"explain: also list the names, numbers and words that were recognised",
      "explain：同时列出识别到的名字、数字和词语"}}};
constexpr Example kExamples[] = {
    {"arbiter conflicts --lines < cases.jsonl > results.jsonl", {"check many", "批量检查"}},
    {"arbiter conflicts explain < case.json", {"why a sentence counts", "某句为何算数"}},
};
constexpr Command kCommands[] = {
    {"conflicts",
     {"check narrations against the state", "检查叙述是否与状态矛盾"},
     {"Reads cases {id, state, applied_actions, narrative} and prints {id, conflicts: [{type, "
      "target,\n"
      "quote, …}]} for each: the sentences that assert what the state contradicts. `explain` "
      "goes\n"
      "through each sentence: the claims that were recognised, and why each counts or not (exit\n"
      "code 1 if one counts). See docs/conflicts.md.",
      "读入用例 {id, state, applied_actions, narrative}，逐个输出 {id, conflicts: [{type, target,\n"
      "quote, …}]}，即叙述中与状态矛盾的句子。explain "
      "逐句列出识别到的陈述，并说明各自为何算或不算\n"
      "（有矛盾时退出码为 1）。见 docs/conflicts.md。"},
     kArguments,
     kOptions,
     kExamples,
     run_conflicts},
};

}  // namespace

std::span<const Command> conflict_commands() {
    return kCommands;
}

}  // namespace arbiter::cli
