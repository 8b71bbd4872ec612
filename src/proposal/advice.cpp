#include "proposal/advice.h"

namespace arbiter::proposal {
namespace {

// An example that can be read. The tool call names a shipped tool, so that it can also be run.
std::string_view example(Dialect dialect) {
    switch (dialect) {
        case Dialect::kTavern:
            return R"({"action":"set","key":"character.saveData.a.b","value":80})";
        case Dialect::kJson:
            return R"({"op":"assign","path":["player","hp"],"value":80})";
        case Dialect::kMvu:
            return R"(_.set('player.hp', 100, 80);)";
        case Dialect::kPatch:
            return R"([{"op":"replace","path":"/player/hp","value":80}])";
        case Dialect::kMemory:
            return R"(set_status("a.b", 80))";
        case Dialect::kFilament:
            return R"([SET, player.hp, 80])";
        case Dialect::kTool:
            return R"({"tool_calls":[{"id":"call_001","tool":"hp_delta","args":{"target_character_id":"hero","delta":-5,"cause":"trap"}}]})";
        case Dialect::kCount:
            break;
    }
    return "";
}

bool is_json(Dialect dialect) {
    return dialect != Dialect::kMvu && dialect != Dialect::kMemory && dialect != Dialect::kFilament;
}

}  // namespace

base::TextView parse_failure(Dialect dialect) noexcept {
    if (dialect == Dialect::kMvu) {
        return {"Invalid MVU command", "MVU指令格式错误"};
    }
    if (dialect == Dialect::kJson) {
        return {"Failed to parse JSON instructions", "JSON格式错误"};
    }
    if (is_json(dialect)) {
        return {"Bad JSON", "JSON格式错误"};
    }
    return {"Bad form", "格式错误"};
}

base::Text suggestion(Dialect dialect) {
    const std::string shown(example(dialect));
    if (is_json(dialect)) {
        return {"Use correct JSON, for example:\n" + shown,
                "请使用正确的JSON格式，例如：\n" + shown};
    }
    return {"Use the correct form, for example:\n" + shown, "请使用正确的格式，例如：\n" + shown};
}

std::string explain(const Proposal& proposal, const Problem& problem, base::Language language) {
    const bool chinese = language == base::Language::kChinese;
    if (problem.code == Code::kParseError) {
        return std::string(parse_failure(proposal.dialect).in(language)) + (chinese ? "：" : ": ") +
               explain(problem, language);
    }
    const Instruction* instruction = proposal.instruction();
    const bool no_array = instruction == nullptr || instruction->path.empty();
    if (problem.code == Code::kBadPath && proposal.dialect == Dialect::kJson && no_array) {
        return std::string(base::TextView{"Invalid path: must be non-empty array of strings. ",
                                          "路径必须是非空的字符串数组："}
                               .in(language)) +
               explain(problem, language);
    }
    return explain(problem, language);
}

}  // namespace arbiter::proposal
