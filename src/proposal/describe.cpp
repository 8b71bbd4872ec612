#include "proposal/describe.h"

#include "proposal/advice.h"
#include "proposal/operations.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::proposal {
namespace {

using value::Array;
using value::Object;
using value::Path;
using value::PathSyntax;
using value::Value;

std::string_view name(Arithmetic arithmetic) {
    switch (arithmetic) {
        case Arithmetic::kAdd:
            return "+";
        case Arithmetic::kSubtract:
            return "-";
        case Arithmetic::kMultiply:
            return "*";
        case Arithmetic::kDivide:
            return "/";
    }
    return "";
}

std::string_view name(MergeKind merge) {
    switch (merge) {
        case MergeKind::kByOptions:
            return "by_options";
        case MergeKind::kShallow:
            return "shallow";
        case MergeKind::kDeep:
            return "deep";
    }
    return "";
}

void append_path(std::string& out, const Path& path) {
    out += path.empty() ? "(root)" : value::print_path(path, PathSyntax::kDotted);
}

void append_value(std::string& out, std::string_view label, const std::optional<Value>& value) {
    if (value) {
        out += label;
        value::append_json(out, *value);
    }
}

std::string describe(const Instruction& instruction) {
    std::string out(name(instruction.op));
    if (instruction.op == Op::kIncrement) {
        out += ' ';
        out += name(instruction.arithmetic);
    }
    if (instruction.merge != MergeKind::kByOptions) {
        out += ' ';
        out += name(instruction.merge);
    }
    out += instruction.mount == Mount::kMvu ? " ~" : " ";
    if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
        Instruction source = instruction;
        source.path = instruction.from;
        append_path(out, full_path(source));
        out += " -> ";
    }
    append_path(out, full_path(instruction));
    if (instruction.all) {
        out += " (all members)";
    }
    if (instruction.forgiving && (instruction.op == Op::kDelete || instruction.op == Op::kPull)) {
        out += " if there";
    }
    append_value(out, " at ", instruction.key);
    append_value(out, instruction.op == Op::kIncrement ? " by " : " = ", instruction.value);
    append_value(out, " was ", instruction.old);
    if (!instruction.options.empty()) {
        out += " with ";
        value::append_json(out, instruction.options);
    }
    if (!instruction.metadata.empty()) {
        out += " metadata ";
        value::append_json(out, instruction.metadata);
    }
    if (!instruction.reason.empty()) {
        out += " because ";
        value::append_json_string(out, instruction.reason);
    }
    return out;
}

std::string describe(const ToolCall& call) {
    std::string out = "tool ";
    out += call.tool.empty() ? std::string_view("?") : call.tool.view();
    out += ' ';
    value::append_json(out, call.args);
    if (!call.id.empty()) {
        out += " id ";
        value::append_json_string(out, call.id);
    }
    if (!call.reason.empty()) {
        out += " because ";
        value::append_json_string(out, call.reason);
    }
    return out;
}

Object span_of(Object object, const Span& span) {
    return std::move(object).set(
        "span", Array{static_cast<std::int64_t>(span.begin), static_cast<std::int64_t>(span.end)});
}

Object to_object(Object out, const Instruction& instruction) {
    const auto put = [&out](std::string_view key, const std::optional<Value>& value) {
        if (value) {
            out = std::move(out).set(key, *value);
        }
    };
    out = std::move(out).set("op", name(instruction.op));
    out = std::move(out).set("path", value::path_to_value(full_path(instruction)));
    if (instruction.op == Op::kIncrement) {
        out = std::move(out).set("arithmetic", name(instruction.arithmetic));
    }
    if (instruction.merge != MergeKind::kByOptions) {
        out = std::move(out).set("merge", name(instruction.merge));
    }
    if (instruction.op == Op::kMove || instruction.op == Op::kCopy) {
        Instruction source = instruction;
        source.path = instruction.from;
        out = std::move(out).set("from", value::path_to_value(full_path(source)));
    }
    if (instruction.all) {
        out = std::move(out).set("all", true);
    }
    put("key", instruction.key);
    put("value", instruction.value);
    put("old", instruction.old);
    if (!instruction.options.empty()) {
        out = std::move(out).set("options", instruction.options);
    }
    if (!instruction.metadata.empty()) {
        out = std::move(out).set("metadata", instruction.metadata);
    }
    if (!instruction.reason.empty()) {
        out = std::move(out).set("reason", instruction.reason);
    }
    return out;
}

Object to_object(Object out, const ToolCall& call) {
    out = std::move(out).set("tool", call.tool).set("args", call.args);
    if (!call.id.empty()) {
        out = std::move(out).set("id", call.id);
    }
    if (!call.reason.empty()) {
        out = std::move(out).set("reason", call.reason);
    }
    return out;
}

}  // namespace

Path full_path(const Instruction& instruction) {
    Path path;
    if (const std::string_view key = name(instruction.mount); !key.empty()) {
        path.emplace_back(key);
    }
    path.insert(path.end(), instruction.path.begin(), instruction.path.end());
    return path;
}

std::string describe(const Proposal& proposal) {
    std::string out;
    if (const Instruction* instruction = proposal.instruction()) {
        out = describe(*instruction);
    } else if (const ToolCall* call = proposal.tool_call()) {
        out = describe(*call);
    } else {
        out = "unreadable";
    }
    if (proposal.transaction) {
        out += " (transaction)";
    }
    for (const Warning warning : proposal.warnings.list()) {
        out += " ! ";
        out += name(warning);
    }
    for (const Problem& problem : proposal.problems) {
        out += " X ";
        out += name(problem.code);
    }
    return out;
}

std::string describe(const Notice& notice) {
    std::string out(name(notice.kind));
    out += notice.about.empty() ? "" : " ";
    return out + notice.about;
}

std::string_view scope_of(const Instruction& instruction) noexcept {
    struct Row {
        std::string_view prefix;
        std::string_view scope;
    };
    constexpr Row kScopes[] = {{"global_", "global"}, {"chat_", "chat"}, {"_", "script"}};
    const Value* said = instruction.metadata.find("scope");
    if (said != nullptr && said->is_string()) {
        return said->as_string();
    }
    if (!instruction.path.empty() && !instruction.path[0].is_index()) {
        for (const Row& row : kScopes) {
            if (instruction.path[0].key().starts_with(row.prefix)) {
                return row.scope;
            }
        }
    }
    return "character";
}

Value to_value(const Proposal& proposal) {
    Object out = {{"dialect", name(proposal.dialect)}};
    if (!proposal.verb.empty()) {
        out = std::move(out).set("verb", std::string_view(proposal.verb));
    }
    if (const Instruction* instruction = proposal.instruction()) {
        out = to_object(std::move(out), *instruction);
        if (proposal.dialect == Dialect::kJson) {
            out = std::move(out).set("scope", scope_of(*instruction));
        }
    } else if (const ToolCall* call = proposal.tool_call()) {
        out = to_object(std::move(out), *call);
    } else {
        out = std::move(out).set("op", nullptr);
    }
    out = std::move(out).set("batch", static_cast<std::int64_t>(proposal.batch));
    if (proposal.transaction) {
        out = std::move(out).set("transaction", true);
    }
    Array warned;
    for (const Warning warning : proposal.warnings.list()) {
        warned = std::move(warned).push_back(name(warning));
    }
    if (!warned.empty()) {
        out = std::move(out).set("warnings", std::move(warned));
    }
    Array refused;
    for (const Problem& problem : proposal.problems) {
        refused = std::move(refused).push_back(
            Object{{"code", name(problem.code)},
                   {"en", std::string_view(explain(proposal, problem, base::Language::kEnglish))},
                   {"zh", std::string_view(explain(proposal, problem, base::Language::kChinese))}});
    }
    if (!refused.empty()) {
        out = std::move(out).set("problems", std::move(refused));
        if (proposal.problems[0].code == Code::kParseError) {
            const base::Text advice = suggestion(proposal.dialect);
            out =
                std::move(out).set("suggestion", Object{{"en", std::string_view(advice.english)},
                                                        {"zh", std::string_view(advice.chinese)}});
        }
    }
    return span_of(std::move(out), proposal.span);
}

Value to_value(const Notice& notice) {
    Object out = {{"event", name(notice.kind)}};
    if (!notice.about.empty()) {
        using enum Notice::Kind;
        const bool protocol = notice.kind == kUseProtocol || notice.kind == kEndProtocol;
        const std::string_view key = protocol                  ? "id"
                                     : notice.kind == kInspect ? "key"
                                     : notice.kind == kIgnored ? "reason"
                                                               : "about";
        out = std::move(out).set(key, std::string_view(notice.about));
    }
    return span_of(std::move(out), notice.span);
}

Value to_value(const Component& component) {
    return span_of(Object{{"event", "component"},
                          {"tag", std::string_view(component.tag)},
                          {"content", std::string_view(component.content)},
                          {"children", component.children}},
                   component.span);
}

}  // namespace arbiter::proposal
