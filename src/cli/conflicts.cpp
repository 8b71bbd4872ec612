#include "cli/conflicts.h"

#include <algorithm>

#include "base/limits.h"
#include "conflict/check.h"
#include "table/layout.h"
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
    conflict::Lexicon lexicon = conflict::shipped_lexicon();
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
        read.lexicon.add(*words);
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

std::string explained(const Console& console, const Case& read, const conflict::Report& report) {
    std::string out;
    const std::string_view text = read.narrative;
    for (const Observation& seen : report.observations) {
        std::string targets;
        for (const std::string& target : seen.targets) {
            targets += (targets.empty() ? " " : ",") + target;
        }
        const bool counts = seen.reading == Reading::kContradicted;
        out += console.painted(std::string(name(seen.type)) + targets,
                               counts ? Color::kRed : Color::kDim) +
               "  " + std::string(text.substr(seen.begin, seen.end - seen.begin)) + "\n    " +
               std::string(console.say(reason_of(seen.reading)));
        if (counts) {
            out += console.language == base::Language::kChinese
                       ? "（状态 " + seen.expected + "，正文 " + seen.found + "，把握 " +
                             std::to_string(seen.confidence) + "%）"
                       : " (state: " + seen.expected + ", text: " + seen.found + ", " +
                             std::to_string(seen.confidence) + "% sure)";
        }
        out += "\n";
    }
    if (report.observations.empty()) {
        out = std::string(console.say({"no claim about tracked state\n", "没有关于状态的陈述\n"}));
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
    const auto text = read_file(console, "-", base::kBatchBytesMax);
    if (!text) {
        report(console, text.error(), "<stdin>", {});
        return Exit::kTrouble;
    }
    std::string_view rest = *text;
    bool found = false;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        const auto parsed = value::parse_json(line);
        if (!parsed || !parsed->is_object()) {
            const std::string why = parsed ? "a case is a JSON object"
                                           : base::explain(parsed.error(), console.language);
            console.print(value::print_json(Object{{"error", std::string_view(why)}}) + "\n");
            continue;
        }
        const Case read = case_of(*parsed);
        const conflict::Report checked =
            conflict::check_text({read.truth, read.actions, read.narrative, read.lexicon});
        found = found || !checked.findings.empty();
        console.print(explain ? explained(console, read, checked)
                              : value::print_json(result_of(*parsed, checked)) + "\n");
    }
    return explain && found ? Exit::kNo : Exit::kDone;
}

constexpr Argument kArguments[] = {
    {"ACTION",
     false,
     {"explain: say of each claim why it counts or not", "explain：逐条说明为何算或不算"}}};
constexpr Option kOptions[] = {
    {"--lines",
     "",
     {"one case a line on standard input (the only input; may be omitted)",
      "标准输入每行一个用例（唯一的输入方式，可省略）"}}};
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
      "prints\n"
      "every claim that was recognised, and why it counts or not (exit code 1 if one counts). See\n"
      "docs/conflicts.md.",
      "读入用例 {id, state, applied_actions, narrative}，逐个输出 {id, conflicts: [{type, target,\n"
      "quote, …}]}，即叙述中与状态矛盾的句子。explain 列出识别到的每条陈述及其是否算数的原因\n"
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
