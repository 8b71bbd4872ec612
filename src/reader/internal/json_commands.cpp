#include "reader/internal/json_commands.h"

#include <algorithm>

#include "proposal/operations.h"
#include "proposal/shape.h"
#include "reader/internal/envelope.h"
#include "reader/internal/literal_entries.h"
#include "reader/internal/paths.h"
#include "reader/internal/tavern.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::ToolCall;
using proposal::Verb;
using proposal::Warning;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

value::Str text_of(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? found->as_str() : value::Str();
}

void copy_reason(const Object& object, Instruction& instruction) {
    instruction.reason = text_of(object, "reason");
}

void read_instruction(Output& output, const Source& source, const Literal& literal,
                      const Value& entry, const Path& at, Range whole) {
    const Range range = entry_range(literal, at, whole);
    if (!entry.is_object()) {
        refuse(output, source, Dialect::kJson, range, Code::kBadEntry,
               {std::string(kind_words(entry))});
        return;
    }
    if (refuse_if_cut(output, source, Dialect::kJson, literal, at, range)) {
        return;
    }
    const Object& object = entry.as_object();
    const value::Str word = text_of(object, "op");
    const Verb* verb = find_verb(Dialect::kJson, word);
    Proposal proposal = begin_proposal(source, Dialect::kJson, word, range);
    mark_repairs(output, source, proposal, literal.repairs, range);
    if (verb == nullptr) {
        proposal.refuse(Code::kUnknownAction,
                        {std::string(word.view()), list_verbs(Dialect::kJson)});
    }
    Instruction instruction =
        proposal::instruction_of(Dialect::kJson, verb != nullptr ? verb->op : Op::kSet);
    const Value* path = object.find("path");
    const bool is_list = path != nullptr && path->is_array() && !path->as_array().empty();
    bool fits = is_list;
    if (is_list) {
        for (const Value& segment : path->as_array()) {
            if (segment.is_int()) {
                proposal.warnings.add(Warning::kSegmentCoerced);
                instruction.path.emplace_back(value::Segment(segment.as_int()).as_key());
            } else if (segment.is_string()) {
                instruction.path.emplace_back(segment.as_str());
            } else {
                fits = false;
            }
        }
    }
    if (!fits) {
        proposal.refuse(Code::kBadPath,
                        {path == nullptr ? std::string("path") : value::print_json(*path),
                         R"("path": ["player", "hp"])"});
    }
    for (const auto& [key, value] : object) {
        if (key == "value") {
            instruction.value = value;
        } else if (key == "old") {
            instruction.old = value;
        } else if (key == "metadata" && value.is_object()) {
            instruction.metadata = value.as_object();
        } else if (key != "op" && key != "path" && key != "reason") {
            proposal.warn(Warning::kUnknownOption, {std::string(key.view())});
        }
    }
    copy_reason(object, instruction);
    if (instruction.op == Op::kCallback && instruction.value && !instruction.value->is_array()) {
        instruction.value = Array{*instruction.value};
    }
    if (!fits) {
        instruction.path.clear();
    }
    if (verb == nullptr) {
        // Nothing is known about its value, but the path can be checked.
        instruction.op = Op::kGet;
        instruction.value.reset();
        Proposal probe = proposal;
        probe.what = std::move(instruction);
        proposal::check_shape(probe);
        proposal.problems = std::move(probe.problems);
        output.proposals.push_back(std::move(proposal));
        return;
    }
    proposal.what = std::move(instruction);
    finish_proposal(output, std::move(proposal));
}

bool is_patch_entry(const Object& object) {
    const Value* path = object.find("path");
    const bool pointer = (path != nullptr && path->is_string()) || object.contains("from");
    return pointer && find_verb(Dialect::kPatch, text_of(object, "op")) != nullptr;
}

// /a/b, or a dotted path that the model wrote instead.
Path patch_path(std::string_view text) {
    if (text == "/") {
        return {};
    }
    if (text.starts_with('/') && text.find('[') == std::string_view::npos) {
        if (auto path = value::parse_path(text, value::PathSyntax::kPointer)) {
            return *path;
        }
    }
    if (!text.starts_with('/') && text.find('/') == std::string_view::npos) {
        return lenient_path(text);
    }
    // a/b without its first slash, or /a/b[0].
    Path path;
    std::string_view rest = text.starts_with('/') ? text.substr(1) : text;
    while (true) {
        const std::size_t slash = rest.find('/');
        const std::string_view part = rest.substr(0, slash);
        if (part.find('[') != std::string_view::npos) {
            for (value::Segment& segment : lenient_path(part)) {
                path.push_back(std::move(segment));
            }
        } else {
            path.emplace_back(part);
        }
        if (slash == std::string_view::npos) {
            return path;
        }
        rest.remove_prefix(slash + 1);
    }
}

void read_operation(Output& output, const Source& source, const Literal& literal,
                    const Value& entry, const Path& at, Range whole, Dialect dialect) {
    const Range range = entry_range(literal, at, whole);
    if (!entry.is_object()) {
        refuse(output, source, dialect, range, Code::kBadEntry, {std::string(kind_words(entry))});
        return;
    }
    if (refuse_if_cut(output, source, dialect, literal, at, range)) {
        return;
    }
    const Object& object = entry.as_object();
    const value::Str word = text_of(object, "op");
    const Verb* verb = find_verb(Dialect::kPatch, word);
    Proposal proposal = begin_proposal(source, dialect, word, range);
    mark_repairs(output, source, proposal, literal.repairs, range);
    if (verb == nullptr) {
        proposal.refuse(Code::kUnknownAction,
                        {std::string(word.view()), list_verbs(Dialect::kPatch)});
        output.proposals.push_back(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(dialect, verb->op);
    copy_reason(object, instruction);
    const bool moves = verb->op == Op::kMove || verb->op == Op::kCopy;
    const Value* path = object.find("path");
    const Value* to = object.find("to");
    const Value* from = object.find("from");
    if (moves && to != nullptr) {
        // MVU's {"op":"move","from":…,"to":…}, also with path instead of from.
        from = from != nullptr ? from : path;
        path = to;
    }
    if (path == nullptr || !path->is_string() ||
        (moves && (from == nullptr || !from->is_string()))) {
        const Value* bad = path == nullptr || !path->is_string() ? path : from;
        proposal.refuse(
            Code::kBadPath,
            {bad == nullptr ? std::string("path") : value::print_json(*bad), "\"/player/hp\""});
        output.proposals.push_back(std::move(proposal));
        return;
    }
    instruction.path = patch_path(path->as_string());
    if (moves) {
        instruction.from = patch_path(from->as_string());
    } else if (const Value* value = object.find("value");
               value != nullptr && verb->op != Op::kDelete) {
        instruction.value = *value;
    }
    instruction.overwrites = moves || verb->op == Op::kInsert;
    if (verb->op == Op::kInsert) {
        if (instruction.path.empty()) {
            proposal.refuse(Code::kBadPath, {"\"\"", "\"/player/hp\""});
        } else {
            instruction.key = Value(instruction.path.back().as_key());
            instruction.path.pop_back();
        }
    }
    proposal.what = std::move(instruction);
    finish_proposal(output, std::move(proposal));
}

void read_tool(Output& output, const Source& source, const Literal& literal, const Value& entry,
               const Path& at, Range whole) {
    const Range range = entry_range(literal, at, whole);
    if (!entry.is_object()) {
        refuse(output, source, Dialect::kTool, range, Code::kBadEntry,
               {std::string(kind_words(entry))});
        return;
    }
    if (refuse_if_cut(output, source, Dialect::kTool, literal, at, range)) {
        return;
    }
    // {tool, args}, {name, arguments} and OpenAI's {type, function: {name, arguments: "…"}}.
    const Object& object = entry.as_object();
    const Value* function = object.find("function");
    const Object& body =
        function != nullptr && function->is_object() ? function->as_object() : object;
    ToolCall call;
    call.id = text_of(object, "id");
    call.reason = text_of(object, "reason");
    call.tool = text_of(body, "tool");
    if (call.tool.empty()) {
        call.tool = text_of(body, "name");
    }
    for (const std::string_view name : {"args", "arguments", "parameters", "input"}) {
        if (const Value* args = body.find(name)) {
            call.args = *args;
            break;
        }
    }
    Proposal proposal = begin_proposal(source, Dialect::kTool, call.tool, range);
    mark_repairs(output, source, proposal, literal.repairs, range);
    if (call.args.is_string()) {
        if (auto inner = parse_literal(call.args.as_string(), 0); inner && inner->closed) {
            call.args = inner->value;
        }
    }
    proposal.what = std::move(call);
    output.proposals.push_back(std::move(proposal));
}

// Calls `each` for the value itself, or for every element of a list.
template <typename Each>
void for_each_entry(const Value& value, Path at, Each each) {
    if (!value.is_array()) {
        each(value, at);
        return;
    }
    at.emplace_back(0);
    std::int64_t index = 0;
    for (const Value& item : value.as_array()) {
        at.back() = value::Segment(index++);
        each(item, at);
    }
}

bool is_tavern_entry(const Object& object) {
    if (object.contains("action")) {
        return true;
    }
    const Value* key = object.find("key");
    return key != nullptr && key->is_string() && key->as_string().starts_with("character.saveData");
}

// {"tool": "move", "args": {…}} without the list around it.
bool is_tool_entry(const Object& object) {
    const Value* tool = object.find("tool");
    const Value* args = object.find("args");
    return tool != nullptr && tool->is_string() && args != nullptr && args->is_object();
}

// {"set": […], …}: every member is an action with a list or map, or an option of the batch.
bool is_tavern_groups(const Object& object) {
    bool any = false;
    for (const auto& [key, value] : object) {
        if (key == "options" || key == "transaction" || key == "tavern_inspect") {
            continue;
        }
        const bool is_index = !key.empty() && std::ranges::all_of(key.view(), [](char c) {
            return c >= '0' && c <= '9';
        });
        const bool is_group = (find_verb(Dialect::kTavern, key) != nullptr || key == "set_state") &&
                              value.is_container();
        const bool is_entry = is_index && value.is_object() && is_tavern_entry(value.as_object());
        if (!is_group && !is_entry) {
            return false;
        }
        any = true;
    }
    return any;
}

// The first object of a list, which determines the kind of the list.
const Object* first_entry(const Value& value) {
    if (value.is_object()) {
        return &value.as_object();
    }
    if (value.is_array()) {
        for (const Value& item : value.as_array()) {
            if (item.is_object() &&
                (item.as_object().contains("op") || is_tavern_entry(item.as_object()) ||
                 is_tool_entry(item.as_object()))) {
                return &item.as_object();
            }
        }
    }
    return nullptr;
}

// {"commands": [{"op": …}]}: instructions in tavern's envelope.
bool has_instructions(const Object& envelope) {
    for (const std::string_view name : {"commands", "指令"}) {
        const Value* list = envelope.find(name);
        if (list != nullptr && list->is_array() && !list->as_array().empty() &&
            list->as_array()[0].is_object() && list->as_array()[0].as_object().contains("op")) {
            return true;
        }
    }
    return false;
}

const Value* tool_calls_of(const Object& object) {
    if (const Value* calls = object.find("tool_calls")) {
        return calls;
    }
    const Value* structured = object.find("assistant_structured");
    return structured != nullptr && structured->is_object()
               ? structured->as_object().find("tool_calls")
               : nullptr;
}

// A list whose elements may be of different dialects.
void read_list(Output& output, const Source& source, const Literal& literal, const Value& list,
               const Path& at, Range range) {
    for_each_entry(list, at, [&](const Value& entry, const Path& path) {
        const Object* object = entry.is_object() ? &entry.as_object() : nullptr;
        if (object != nullptr && !object->contains("op") && is_tavern_entry(*object) &&
            source.reads(Dialect::kTavern)) {
            read_tavern_entry(output, source, literal, entry, path, range);
        } else if (object != nullptr && is_patch_entry(*object) && source.reads(Dialect::kPatch)) {
            read_operation(output, source, literal, entry, path, range, Dialect::kPatch);
        } else {
            read_instruction(output, source, literal, entry, path, range);
        }
    });
}

bool is_command(const Value& value, const Source& source) {
    if (!value.is_object()) {
        return false;
    }
    const Object& object = value.as_object();
    const value::Str op = text_of(object, "op");
    if (!op.empty() && object.contains("path")) {
        return (source.reads(Dialect::kJson) && find_verb(Dialect::kJson, op) != nullptr) ||
               (source.reads(Dialect::kPatch) && is_patch_entry(object));
    }
    return source.reads(Dialect::kTavern) && is_tavern_entry(object) &&
           find_verb(Dialect::kTavern, text_of(object, "action")) != nullptr;
}

// A command of an enabled dialect, or a list of nothing else.
bool is_commands(const Value& value, const Source& source) {
    return value.is_array() ? !value.as_array().empty() &&
                                  std::ranges::all_of(
                                      value.as_array(),
                                      [&](const Value& item) { return is_command(item, source); })
                            : is_command(value, source);
}

// {"narrative": …, "state_changes": [{"op": …}]}: an object of any names with commands in one or
// more members, or one level below, and perhaps the narrative. False: it is something else.
bool read_envelope(Output& output, const Source& source, const Literal& literal,
                   const Object& object, const Path& at, Range range) {
    if (object.contains("op") || object.contains("action")) {
        return false;
    }
    const auto has_commands = [&](const Object& members) {
        return std::ranges::any_of(members, [&](const value::Member& member) {
            return is_commands(member.value, source);
        });
    };
    const bool is_inner = !at.empty();
    const auto is_envelope = [&](const Value& value) {
        return !is_inner && value.is_object() && has_commands(value.as_object());
    };
    if (!has_commands(object) && std::ranges::none_of(object, [&](const value::Member& member) {
            return is_envelope(member.value);
        })) {
        return false;
    }
    const std::string_view told = output.has_text ? std::string_view() : narrative_name(object);
    for (const auto& [key, value] : object) {
        Path place = at;
        place.emplace_back(key.view());
        const auto text = !told.empty() && key == told ? narrative_in(value) : std::nullopt;
        if (is_commands(value, source)) {
            read_list(output, source, literal, value, place, range);
        } else if (is_envelope(value)) {
            read_envelope(output, source, literal, value.as_object(), place, range);
        } else if (text) {
            output.text = *text;
            output.has_text = true;
        } else {
            note(output, source, proposal::Notice::Kind::kIgnored,
                 "member " + std::string(key.view()), range);
        }
    }
    return true;
}

}  // namespace

void read_instructions(Output& output, const Source& source, const Literal& literal, Range range) {
    for_each_entry(literal.value, {}, [&](const Value& entry, const Path& at) {
        read_instruction(output, source, literal, entry, at, range);
    });
}

void read_patch(Output& output, const Source& source, const Literal& literal,
                const Value& operations, const Path& at, Range range, Dialect dialect) {
    for_each_entry(operations, at, [&](const Value& entry, const Path& path) {
        read_operation(output, source, literal, entry, path, range, dialect);
    });
}

void read_tools(Output& output, const Source& source, const Literal& literal, const Value& calls,
                Range range) {
    for_each_entry(calls, {}, [&](const Value& entry, const Path& at) {
        read_tool(output, source, literal, entry, at, range);
    });
}

bool reads_json(const Dialects& dialects) noexcept {
    return dialects.has(Dialect::kJson) || dialects.has(Dialect::kTavern) ||
           dialects.has(Dialect::kPatch) || dialects.has(Dialect::kTool);
}

std::optional<Dialect> broken_dialect(const Dialects& dialects, std::string_view member) {
    Dialect dialect = Dialect::kTavern;
    if (member.empty()) {
        return std::nullopt;
    }
    if (member == "op") {
        dialect = dialects.has(Dialect::kJson) ? Dialect::kJson : Dialect::kPatch;
    } else if (member == "tool_calls") {
        dialect = Dialect::kTool;
    }
    return dialects.has(dialect) ? std::optional(dialect) : std::nullopt;
}

bool read_json(Output& output, const Source& source, const Literal& literal, Range range) {
    const Value& value = literal.value;
    const Object* entry = first_entry(value);
    if (entry == nullptr) {
        return false;
    }
    if (value.is_object()) {
        const Value* calls = tool_calls_of(*entry);
        const bool envelope = is_tavern_envelope(*entry) ||
                              (!has_instructions(*entry) &&
                               (entry->contains("commands") || entry->contains("指令")) &&
                               find_narrative(*entry).has_value());
        const bool tools = calls != nullptr && source.reads(Dialect::kTool);
        const bool tavern = envelope && source.reads(Dialect::kTavern);
        if (tools) {
            for (const std::string_view name : {"assistant_text", "text"}) {
                const Value* text = entry->find(name);
                if (text != nullptr && text->is_string() && !output.has_text) {
                    output.text = std::string(text->as_string());
                    output.has_text = true;
                }
            }
        }
        if (tavern) {
            read_tavern(output, source, literal, value, range);
        }
        if (tools) {
            read_tools(output, source, literal, *calls, range);
        }
        if (tools || tavern) {
            return true;
        }
        if (calls != nullptr || envelope) {
            return false;
        }
    }
    if (entry->contains("op")) {
        if (is_patch_entry(*entry) && source.reads(Dialect::kPatch)) {
            read_patch(output, source, literal, value, {}, range, Dialect::kPatch);
            return true;
        }
        if (source.reads(Dialect::kJson)) {
            read_list(output, source, literal, value, {}, range);
            return true;
        }
        return false;
    }
    if (source.reads(Dialect::kTavern) &&
        (is_tavern_entry(*entry) || (value.is_object() && is_tavern_groups(*entry)))) {
        read_tavern(output, source, literal, value, range);
        return true;
    }
    if (is_tool_entry(*entry) && source.reads(Dialect::kTool)) {
        read_tools(output, source, literal, value, range);
        return true;
    }
    return value.is_object() &&
           read_envelope(output, source, literal, value.as_object(), {}, range);
}

}  // namespace arbiter::reader::internal
