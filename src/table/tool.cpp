#include "table/tool.h"

#include <algorithm>
#include <array>

#include "base/messages.h"
#include "table/layout.h"
#include "text/join.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::table {

using base::ErrorCode;
using base::Language;
using value::Array;
using value::Object;
using value::Value;

std::string_view name(Parameter::Type type) noexcept {
    switch (type) {
        case Parameter::Type::kText:
            return "string";
        case Parameter::Type::kInteger:
            return "integer";
        case Parameter::Type::kNumber:
            return "number";
        case Parameter::Type::kBoolean:
            return "boolean";
        case Parameter::Type::kTexts:
        case Parameter::Type::kObjects:
            return "array";
        case Parameter::Type::kObject:
            return "object";
    }
    return "";
}

namespace {

bool has_reason(const Tool& tool, std::string_view id) {
    return std::ranges::find(tool.reasons, id, &Reason::id) != tool.reasons.end();
}

// The name of the first missing part; empty if the registration is complete.
std::string missing_in(const Tool& tool) {
    if (tool.name.empty()) {
        return "name";
    }
    if (tool.parameters.empty()) {
        return "args schema";
    }
    for (const Parameter& parameter : tool.parameters) {
        const auto same = [&](const Parameter& other) { return other.name == parameter.name; };
        if (parameter.name.empty() || !parameter.about.is_complete() ||
            parameter.min > parameter.max || std::ranges::count_if(tool.parameters, same) > 1) {
            return "args schema: " + parameter.name;
        }
    }
    if (tool.reasons.empty()) {
        return "rejection reasons";
    }
    for (const Reason& reason : tool.reasons) {
        const auto same = [&](const Reason& other) { return other.id == reason.id; };
        if (reason.id.empty() || !reason.text.is_complete() ||
            std::ranges::count_if(tool.reasons, same) > 1 ||
            std::ranges::find(common_reasons(), reason.id, &Reason::id) != common_reasons().end()) {
            return "rejection reasons: " + reason.id;
        }
    }
    if (tool.conditions.empty()) {
        return "conditions";
    }
    for (const Condition& condition : tool.conditions) {
        if (!condition.broken || !condition.about.is_complete() ||
            !has_reason(tool, condition.reason)) {
            return "conditions: " + condition.reason;
        }
    }
    if (!tool.effect) {
        return "effect";
    }
    if (!tool.check) {
        return "conflict check";
    }
    if (!tool.for_agents.is_complete()) {
        return "text for agents";
    }
    if (!tool.for_people.is_complete()) {
        return "text for people";
    }
    return {};
}

bool fits(const Parameter& parameter, const Value& value) {
    const auto is_text = [](const Value& text) {
        return text.is_string() && text.as_string().size() <= base::kToolTextBytesMax;
    };
    switch (parameter.type) {
        case Parameter::Type::kText:
            return is_text(value) && (parameter.choices.empty() ||
                                      std::ranges::find(parameter.choices, value.as_string()) !=
                                          parameter.choices.end());
        case Parameter::Type::kInteger:
            return value.is_int() && value.as_int() >= parameter.min &&
                   value.as_int() <= parameter.max;
        case Parameter::Type::kNumber:
            return value.is_number() && value.as_double() >= static_cast<double>(parameter.min) &&
                   value.as_double() <= static_cast<double>(parameter.max);
        case Parameter::Type::kBoolean:
            return value.is_bool();
        case Parameter::Type::kTexts:
            return value.is_array() && std::ranges::all_of(value.as_array(), is_text);
        case Parameter::Type::kObject:
            return value.is_object();
        case Parameter::Type::kObjects:
            return value.is_array() && std::ranges::all_of(value.as_array(), [](const Value& each) {
                       return each.is_object();
                   });
    }
    return false;
}

// The values that a parameter takes, in words.
base::Text takes(const Parameter& parameter) {
    using Type = Parameter::Type;
    std::string range;
    if (parameter.min != -base::kToolNumberMax) {
        range = " " + std::to_string(parameter.min) + "…";
        range += parameter.max != base::kToolNumberMax ? std::to_string(parameter.max) : "";
    }
    switch (parameter.type) {
        case Type::kText:
            if (!parameter.choices.empty()) {
                const std::string choices = text::join(parameter.choices, " | ");
                return {choices, choices};
            }
            return {"text", "文字"};
        case Type::kInteger:
            return {"whole number" + range, "整数" + range};
        case Type::kNumber:
            return {"number" + range, "数字" + range};
        case Type::kBoolean:
            return {"true | false", "true | false"};
        case Type::kTexts:
            return {"list of texts", "文字列表"};
        case Type::kObject:
            return {"object", "对象"};
        case Type::kObjects:
            return {"list of objects", "对象列表"};
    }
    return {};
}

// Truncates untrusted text for a message.
std::string shortened(std::string_view text) {
    return text::truncate_with_ellipsis(text, base::kDetailBytesMax);
}

}  // namespace

base::Result<> ToolRegistry::add(Tool tool) {
    if (find(tool.name) != nullptr) {
        return base::fail(ErrorCode::kToolTwice, {tool.name});
    }
    if (std::string missing = missing_in(tool); !missing.empty()) {
        return base::fail(ErrorCode::kToolIncomplete, {tool.name, std::move(missing)});
    }
    all_.push_back(std::move(tool));
    return {};
}

const Tool* ToolRegistry::find(std::string_view name) const noexcept {
    const auto found = std::ranges::find(all_, name, &Tool::name);
    return found != all_.end() ? &*found : nullptr;
}

std::span<const Reason> common_reasons() {
    static const std::vector<Reason> kReasons = {
        {"missing_id", {"The call has no id.", "调用缺少 id。"}},
        {"missing_tool", {"The call names no tool.", "调用没有写明工具。"}},
        {"args_not_object", {"args must be an object.", "args 必须是对象。"}},
        {"unreadable_call", {"The call cannot be read: {0}", "无法读懂该调用：{0}"}},
        {"missing_arg", {"The argument {0} ({1}) is missing.", "缺少参数 {0}（{1}）。"}},
        {"extra_arg", {"There is no argument {0}. There are {1}.", "没有参数 {0}，可用的有 {1}。"}},
        {"bad_arg", {"The argument {0} must be: {1}.", "参数 {0} 必须是：{1}。"}},
        {"args_too_large", {"The arguments are too large.", "参数过大。"}},
        {"too_many_calls",
         {"A turn may have {0} calls; this one was not looked at.",
          "每回合最多 {0} 个调用，此调用未被处理。"}},
        {"duplicate_id",
         {"Another call of this turn has the id {0} already.", "本回合已有 id 为 {0} 的调用。"}},
        {"tool_not_allowed",
         {"{0} is not on the list of allowed tools: {1}.", "工具 {0} 未启用，可用的有：{1}。"}},
        {"tool_not_in_dialog",
         {"{0} is not offered in the dialog type {1}.", "对话类型 {1} 不提供工具 {0}。"}},
        {"dialog_changes_nothing",
         {"Nothing changes in the dialog type {0}: answer in words, without calls.",
          "对话类型 {0} 不改变任何状态：请只用文字回答，不要调用工具。"}},
        {"no_table",
         {"This campaign has no table, so {0} cannot be called.",
          "这个战役没有跑团桌面，不能调用工具 {0}。"}},
        {"no_value",
         {"There is no value for {0}; an argument or a value of the state is missing.",
          "{0} 没有值：缺少参数，或状态中没有所需的内容。"}},
        {"closed_path", {"A tool may not write to {0}.", "工具不能写入 {0}。"}},
        {"too_many_changes",
         {"One call may change {0} places; this one would change more.",
          "一次调用最多改动 {0} 处，此调用超出了限制。"}},
        {"tool_not_registered", {"There is no tool {0}.", "没有名为 {0} 的工具。"}},
        {"tool_disabled", {"{0} is switched off until {1}.", "工具 {0} 停用至 {1}。"}},
        {"repeat_illegal_request",
         {"The same request was refused for {0} turns in a row. Do something else.",
          "同样的请求已连续 {0} 个回合被拒，请换一种做法。"}},
        {"effect_failed", {"The change could not be made: {0}", "无法完成该变更：{0}"}},
        {"conflict",
         {"What came out is not what {0} does: {1}.", "执行结果与 {0} 的规则不符：{1}。"}},
        {"rolled_back",
         {"Undone, for another part of its transaction failed.",
          "同一事务中的其他部分失败，已撤销。"}},
        {"authoritative_path",
         {"{0} belongs to the system. Ask for the change with a tool call.",
          "{0} 由系统维护，请通过工具调用请求变更。"}},
        {"no_such_tool_call",
         {"This command on {0} cannot be turned into a call of {1}.",
          "对 {0} 的这条指令无法转为 {1} 调用。"}},
    };
    return kReasons;
}

std::string explain_reason(const ToolRegistry& registry, std::string_view tool,
                           const Refusal& refusal, Language language) {
    const Tool* known = registry.find(tool);
    const std::span<const Reason> own =
        known != nullptr ? std::span<const Reason>(known->reasons) : std::span<const Reason>();
    for (const std::span<const Reason> list : {own, common_reasons()}) {
        const auto found = std::ranges::find(list, refusal.reason, &Reason::id);
        if (found != list.end()) {
            std::vector<std::string> words;
            if (refusal.problem) {
                words.push_back(proposal::explain(*refusal.problem, language));
            }
            for (const Detail& detail : refusal.details) {
                words.emplace_back(detail.text.in(language));
            }
            return base::format_message(found->text.in(language), words);
        }
    }
    return refusal.reason;
}

std::optional<Refusal> check_args(const Tool& tool, const Value& args) {
    if (!args.is_object()) {
        return Refusal{"args_not_object"};
    }
    // Check the size first: it bounds the work below.
    if (args.is_deeper_than(base::kToolArgsDepthMax) ||
        value::weigh(args) > base::kToolArgsWeightMax) {
        return Refusal{"args_too_large"};
    }
    for (const Parameter& parameter : tool.parameters) {
        const Value* found = args.as_object().find(parameter.name);
        if (found == nullptr) {
            if (parameter.required) {
                return Refusal{"missing_arg", {parameter.name, takes(parameter)}};
            }
            continue;
        }
        if (!fits(parameter, *found)) {
            return Refusal{"bad_arg", {parameter.name, takes(parameter)}};
        }
    }
    for (const auto& [key, value] : args.as_object()) {
        if (std::ranges::find(tool.parameters, key.view(), &Parameter::name) ==
            tool.parameters.end()) {
            return Refusal{"extra_arg",
                           {shortened(key), text::join(tool.parameters, ", ", &Parameter::name)}};
        }
    }
    return std::nullopt;
}

std::optional<std::int64_t> disabled_until(const Value& document, std::string_view tool) {
    const auto until = int_in(find_in_campaign(document, {"tools", "disabled"}), tool);
    return until && *until > turn_number(document) ? until : std::nullopt;
}

std::vector<const Tool*> advertised(const ToolRegistry& registry, const Value& document) {
    std::vector<const Tool*> list;
    const Array& allowed = array_or_empty(find_in_campaign(document, {"tools", "allow"}));
    for (const Tool& tool : registry.all()) {
        if (holds_text(allowed, tool.name) && !disabled_until(document, tool.name)) {
            list.push_back(&tool);
        }
    }
    return list;
}

// A model learns nothing from "item id" about item_id.
bool says_itself(const Parameter& parameter) {
    return std::ranges::equal(parameter.name, parameter.about.english,
                              [](char a, char b) { return (a == '_' ? ' ' : a) == b; });
}

// "days? (integer, days that pass)": the type of anything but a text, and what the name does not
// say.
std::string argument(const Parameter& parameter, Language language) {
    const bool chinese = language == Language::kChinese;
    std::string about;
    if (parameter.type != Parameter::Type::kText || !parameter.choices.empty()) {
        about = takes(parameter).in(language);
    }
    if (!says_itself(parameter)) {
        about += (about.empty() ? ""
                  : chinese     ? "，"
                                : ", ") +
                 std::string(parameter.about.in(language));
    }
    const std::string name = parameter.name + (parameter.required ? "" : "?");
    return about.empty() ? name : name + (chinese ? "（" + about + "）" : " (" + about + ")");
}

std::string agent_document(std::span<const Tool* const> tools, Language language) {
    const bool chinese = language == Language::kChinese;
    std::string text =
        chinese ? "# 工具\n这样提议，id 不重复；被拒绝的没有发生：\n"
                : "# Tools\nPropose changes inside your reply like this, with a new id for each; "
                  "what the system refuses has not happened:\n";
    text += R"({"tool_calls":[{"id":"c1","tool":"NAME","args":{…}}]})";
    for (const Tool* tool : tools) {
        text += "\n- " + tool->name + "(" +
                text::join(tool->parameters, ", ",
                           [&](const Parameter& each) { return argument(each, language); }) +
                (chinese ? ")：" : "): ") + std::string(tool->for_agents.in(language));
    }
    return text;
}

namespace {

std::vector<const Tool*> all_of(const ToolRegistry& registry) {
    std::vector<const Tool*> all;
    for (const Tool& tool : registry.all()) {
        all.push_back(&tool);
    }
    return all;
}

}  // namespace

std::string agent_document(const ToolRegistry& registry, Language language) {
    return agent_document(all_of(registry), language);
}

std::string people_document(const ToolRegistry& registry, Language language) {
    return people_document(all_of(registry), language);
}

std::string people_document(std::span<const Tool* const> tools, Language language) {
    const bool chinese = language == Language::kChinese;
    std::string text = chinese ? "# 工具手册\n" : "# The tools\n";
    for (const Tool* each : tools) {
        const Tool& tool = *each;
        text += "\n## " + tool.name + "\n" + std::string(tool.for_people.in(language)) + "\n";
        text += chinese ? "\n参数：\n" : "\nArguments:\n";
        for (const Parameter& parameter : tool.parameters) {
            text +=
                "- `" + parameter.name + "` (" + std::string(takes(parameter).in(language)) + ")";
            text += parameter.required ? "" : chinese ? "，可选" : ", optional";
            text += ": " + std::string(parameter.about.in(language)) + "\n";
        }
        text += chinese ? "\n条件：\n" : "\nConditions:\n";
        for (const Condition& condition : tool.conditions) {
            text += "- " + std::string(condition.about.in(language)) + " (`" + condition.reason +
                    "`)\n";
        }
        text += chinese ? "\n拒绝原因：\n" : "\nReasons for a refusal:\n";
        for (const Reason& reason : tool.reasons) {
            text += "- `" + reason.id + "`: " + std::string(reason.text.in(language)) + "\n";
        }
    }
    return text;
}

ToolSchema schema_of(const Tool& tool, Language language) {
    Object properties;
    Array required;
    for (const Parameter& parameter : tool.parameters) {
        Object schema = {{"type", name(parameter.type)}};
        if (!says_itself(parameter)) {
            schema = std::move(schema).set("description", parameter.about.in(language));
        }
        if (!parameter.choices.empty()) {
            Array choices;
            for (const std::string& choice : parameter.choices) {
                choices = std::move(choices).push_back(std::string_view(choice));
            }
            schema = std::move(schema).set("enum", std::move(choices));
        } else if (parameter.type == Parameter::Type::kInteger ||
                   parameter.type == Parameter::Type::kNumber) {
            if (parameter.min != -base::kToolNumberMax) {
                schema = std::move(schema).set("minimum", parameter.min);
            }
            if (parameter.max != base::kToolNumberMax) {
                schema = std::move(schema).set("maximum", parameter.max);
            }
        } else if (parameter.type == Parameter::Type::kTexts) {
            schema = std::move(schema).set("items", Object{{"type", "string"}});
        } else if (parameter.type == Parameter::Type::kObjects) {
            schema = std::move(schema).set("items", Object{{"type", "object"}});
        }
        properties = std::move(properties).set(std::string_view(parameter.name), std::move(schema));
        if (parameter.required) {
            required = std::move(required).push_back(std::string_view(parameter.name));
        }
    }
    // No additionalProperties: other arguments are refused with a list of these (extra_arg).
    return {tool.name, std::string(tool.for_agents.in(language)),
            Object{{"type", "object"},
                   {"properties", std::move(properties)},
                   {"required", std::move(required)}}};
}

}  // namespace arbiter::table
