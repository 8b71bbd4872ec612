#include "reader/internal/calls.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "proposal/operations.h"
#include "reader/argument.h"
#include "reader/blanks.h"
#include "reader/internal/glyph.h"
#include "reader/internal/literal_entries.h"
#include "reader/internal/paths.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::Verb;
using proposal::Warning;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Whether repairs are worth a warning in a call, where all of JavaScript's literals are valid.
bool is_slip(Repairs repairs) {
    for (const Repair repair : {Repair::kFullWidth, Repair::kMissingComma, Repair::kMissingCloser,
                                Repair::kInnerQuote, Repair::kPython}) {
        if (repairs.has(repair)) {
            return true;
        }
    }
    return false;
}

bool is_whole(std::string_view argument) {
    const char first = argument.empty() ? '\0' : glyph_at(argument, 0).ascii;
    if (first != '[' && first != '{') {
        return true;
    }
    const auto literal = parse_literal(argument, 0, BareWords::kAny);
    return literal && literal->closed && literal->end == argument.size();
}

// Removes quotes around a whole path inside the quotes of its argument.
std::string_view without_quotes(std::string_view path) {
    const std::string_view whole = trim(path);
    std::string_view inner = whole;
    while (!inner.empty() && is_quote(inner.front())) {
        inner.remove_prefix(1);
    }
    while (inner.size() < whole.size() && !inner.empty() && is_quote(inner.back())) {
        inner.remove_suffix(1);
    }
    return inner;
}

class CallBuilder {
  public:
    CallBuilder(Output& output, const Source& source, const Call& call)
        : output_(output), source_(source), call_(call) {
        arguments_.reserve(call.arguments.size());
        for (const CallScan::Argument& range : call.arguments) {
            arguments_.push_back(
                trim(source.text.substr(range.begin - call.offset, range.end - range.begin)));
        }
        // f() has no argument, and a trailing comma adds none.
        while (!arguments_.empty() && arguments_.back().empty()) {
            arguments_.pop_back();
        }
    }

    Proposal begin(std::string_view verb) {
        Proposal proposal = begin_proposal(source_, call_.dialect, verb, call_.range);
        if (call_.repaired) {
            proposal.warnings.add(Warning::kRepaired);
        }
        return proposal;
    }
    [[nodiscard]] std::size_t size() const { return arguments_.size(); }

    Argument argument(std::size_t index, Proposal& proposal) {
        if (index >= arguments_.size()) {
            Argument none;
            none.given = false;
            return none;
        }
        Argument argument = parse_argument(arguments_[index]);
        if (argument.too_deep) {
            proposal.refuse(Code::kTooDeep, {std::to_string(base::kLiteralDepthMax)});
        }
        if (is_slip(argument.repairs)) {
            proposal.warnings.add(Warning::kRepaired);
            note(output_, source_, proposal::Notice::Kind::kRepaired, argument.repairs.list(),
                 call_.range);
        }
        return argument;
    }
    std::optional<Value> value(std::size_t index, Proposal& proposal) {
        Argument parsed = argument(index, proposal);
        return parsed.given ? std::optional(std::move(parsed.value)) : std::nullopt;
    }

    // The argument as a path.
    Path path(std::size_t index, Proposal& proposal) {
        if (index >= arguments_.size()) {
            return {};
        }
        const std::string_view text = arguments_[index];
        if (const auto plain = plain_string(text)) {
            return lenient_path(without_quotes(*plain));
        }
        const Argument parsed = argument(index, proposal);
        if (parsed.quoted) {
            return lenient_path(without_quotes(parsed.value.as_string()));
        }
        // ['a', 'b'] is also a path.
        if (parsed.value.is_array() && !parsed.value.as_array().empty()) {
            if (auto segments = value::path_from_value(parsed.value)) {
                return *segments;
            }
        }
        return lenient_path(text);
    }

    // Whether a path was written as names separated by dots, with brackets only around indexes.
    [[nodiscard]] bool is_dotted(std::size_t index, const Path& path) const {
        std::string_view text = trim(arguments_[index]);
        while (!text.empty() && is_quote(text.front())) {
            text.remove_prefix(1);
        }
        while (!text.empty() && is_quote(text.back())) {
            text.remove_suffix(1);
        }
        return !text.contains('[') || text == value::print_path(path, value::PathSyntax::kDotted);
    }

    void finish(Proposal&& proposal, Instruction&& instruction) {
        // In MVU a comment on a later line is the reason; elsewhere it belongs to the next command.
        if (call_.dialect == Dialect::kMvu || !call_.reason_below) {
            instruction.reason = value::Str(call_.reason);
        }
        proposal.what.emplace<Instruction>(std::move(instruction));
        finish_proposal(output_, std::move(proposal));
    }
    void missing(Proposal&& proposal) {
        proposal.refuse(Code::kMissingValue, {proposal.verb});
        output_.proposals.push_back(std::move(proposal));
    }
    // Refuses a call that is incomplete, or has an incomplete list or object. False: it is
    // complete.
    bool refuse_open() {
        const bool whole = call_.bracket || std::ranges::all_of(arguments_, is_whole);
        if (call_.closed && whole) {
            return false;
        }
        refuse_unreadable(output_, source_, call_.dialect, call_.range,
                          call_.open_quote != 0 ? call_.open_quote - call_.offset : call_.range.end,
                          call_.open_quote != 0 ? "unclosed_quote" : "unclosed_bracket");
        return true;
    }

    std::vector<std::string_view> arguments_;

  private:
    Output& output_;
    const Source& source_;
    const Call& call_;
};

// Removes quotes that became part of a name by mistake: '"张三"', '“张三”'.
std::string_view bare_name(std::string_view name, Proposal& proposal) {
    const std::string_view inner = trim(name);
    for (const auto& [open, close] : std::to_array<std::pair<std::string_view, std::string_view>>(
             {{"\"", "\""}, {"'", "'"}, {"`", "`"}, {"“", "”"}, {"‘", "’"}})) {
        if (inner.size() >= open.size() + close.size() && inner.starts_with(open) &&
            inner.ends_with(close)) {
            proposal.warnings.add(Warning::kRepaired);
            return inner.substr(open.size(), inner.size() - open.size() - close.size());
        }
    }
    return name;
}

// A text that is JSON becomes its value; other texts are unchanged.
Value memory_value(const Argument& argument, Proposal& proposal) {
    if (!argument.value.is_string()) {
        return argument.value;
    }
    std::string_view text = trim(argument.value.as_string());
    bool fenced = false;
    while (text.size() >= 2 && text.front() == '`' && text.back() == '`') {
        text = text.substr(1, text.size() - 2);
        fenced = true;
    }
    text = trim(fenced && text.starts_with("json") ? text.substr(4) : text);
    if (!text.starts_with('{') && !text.starts_with('[')) {
        return argument.value;
    }
    const auto literal = parse_literal(text, 0);
    if (!literal || literal->end != text.size() || literal->inside_token ||
        (!literal->closed && !text.starts_with('{')) || literal->repairs.has(Repair::kBareWord)) {
        return argument.value;
    }
    if (fenced || !literal->repairs.empty()) {
        proposal.warnings.add(Warning::kRepaired);
    }
    return literal->value;
}

constexpr auto kContainers =
    std::to_array<std::string_view>({"global_set.", "world_set.", "map.", "summary.", "config."});

bool is_container_path(const Argument& argument) {
    return argument.quoted && argument.value.is_string() &&
           std::ranges::any_of(kContainers, [&](std::string_view start) {
               return argument.value.as_string().starts_with(start);
           });
}

void read_set(CallBuilder& reader, proposal::Mount mount, const Call& call) {
    Proposal proposal = reader.begin(call.name);
    if (reader.size() < 2) {
        reader.missing(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(Dialect::kMemory, Op::kSet);
    instruction.mount = mount;
    instruction.creates = false;
    instruction.path = reader.path(0, proposal);
    const bool has_old = reader.size() >= 3;
    if (has_old) {
        instruction.old = reader.value(1, proposal);
    }
    const Argument value = reader.argument(has_old ? 2 : 1, proposal);
    if (value.given) {
        instruction.value = memory_value(value, proposal);
    }
    reader.finish(std::move(proposal), std::move(instruction));
}

void read_memory(CallBuilder& reader) {
    Proposal proposal = reader.begin("memory");
    if (reader.size() < 2) {
        reader.missing(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(Dialect::kMemory, Op::kSet);
    instruction.path = reader.path(0, proposal);
    const Argument second = reader.argument(1, proposal);
    if (reader.size() == 2 && is_container_path(second)) {
        instruction.op = Op::kMove;
        instruction.from = std::exchange(instruction.path, lenient_path(second.value.as_string()));
        reader.finish(std::move(proposal), std::move(instruction));
        return;
    }
    const Argument value = reader.size() == 2 ? second : reader.argument(2, proposal);
    std::string name;
    if (reader.size() > 2) {
        name = second.value.is_string() ? std::string(bare_name(second.value.as_string(), proposal))
                                        : value::print_json(second.value);
        const bool repeated = !instruction.path.empty() && !instruction.path.back().is_index() &&
                              instruction.path.size() > 1 && instruction.path.back().key() == name;
        if (repeated) {
            // memory('a.b.k', 'k', v): the last name was written twice.
            proposal.warnings.add(Warning::kRepaired);
        } else {
            instruction.path.emplace_back(std::string_view(name));
        }
    } else if (!instruction.path.empty() && !instruction.path.back().is_index()) {
        name = std::string(instruction.path.back().key());
    }
    if (value.given) {
        Value written = memory_value(value, proposal);
        if (written.is_object()) {
            // {"k": {…}} under the key k: the key was written twice.
            const Object& object = written.as_object();
            const Value* inner = object.size() == 1 ? object.find(name) : nullptr;
            if (inner != nullptr && inner->is_object()) {
                proposal.warnings.add(Warning::kRepaired);
                written = Value(*inner);
            }
            instruction.op = Op::kMerge;
            instruction.merge = proposal::MergeKind::kShallow;
        }
        instruction.value = std::move(written);
    }
    reader.finish(std::move(proposal), std::move(instruction));
}

void read_delete(CallBuilder& reader) {
    Proposal proposal = reader.begin("delete");
    if (reader.size() == 0) {
        reader.missing(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(Dialect::kMemory, Op::kDelete);
    instruction.path = reader.path(0, proposal);
    const bool prefixed = !instruction.path.empty() && !instruction.path[0].is_index() &&
                          instruction.path[0].key() == name(instruction.mount);
    // A short path is a container: a forgotten second argument must not take all of it.
    if (reader.size() == 1 && instruction.path.size() < (prefixed ? 4U : 3U)) {
        reader.missing(std::move(proposal));
        return;
    }
    if (reader.size() > 1) {
        const Argument key = reader.argument(1, proposal);
        if (key.value.is_string() && key.value.as_string() == "all") {
            instruction.all = true;
        } else if (key.value.is_string()) {
            instruction.path.emplace_back(bare_name(key.value.as_string(), proposal));
        } else {
            instruction.path.emplace_back(std::string_view(value::print_json(key.value)));
        }
    }
    reader.finish(std::move(proposal), std::move(instruction));
}

// Reads the arguments behind the path. False: a required one is missing.
bool fill_arguments(CallBuilder& reader, Proposal& proposal, Instruction& instruction) {
    const std::size_t size = reader.size();
    switch (instruction.op) {
        case Op::kSet:
        case Op::kMerge:
            instruction.value = reader.value(size - 1, proposal);
            if (size > 2) {
                instruction.old = reader.value(1, proposal);
            }
            break;
        case Op::kInsert:
            if (size > 2) {
                instruction.key = reader.value(1, proposal);
            }
            instruction.value = reader.value(size > 2 ? 2 : 1, proposal);
            break;
        case Op::kDelete:
            if (size > 1) {
                instruction.key = reader.value(1, proposal);
                return instruction.key.has_value();
            }
            break;
        case Op::kMove:
            instruction.from = std::exchange(instruction.path, reader.path(1, proposal));
            break;
        case Op::kCallback: {
            std::vector<Value> arguments;
            for (std::size_t i = 1; i < size; ++i) {
                arguments.push_back(reader.argument(i, proposal).value);
            }
            instruction.value = Array(std::span<const Value>(arguments));
            break;
        }
        case Op::kIncrement:
        case Op::kPush:
            instruction.value = reader.value(1, proposal);
            break;
        case Op::kGet:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kCopy:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    return true;
}

}  // namespace

void read_mvu_call(Output& output, const Source& source, const Call& call) {
    CallBuilder reader(output, source, call);
    if (reader.refuse_open()) {
        return;
    }
    const Verb* verb = find_verb(Dialect::kMvu, call.name);
    Proposal proposal = reader.begin(call.name);
    if (verb == nullptr) {
        proposal.refuse(Code::kUnknownAction,
                        {"_." + std::string(call.name), list_verbs(Dialect::kMvu)});
        output.proposals.push_back(std::move(proposal));
        return;
    }
    if (verb->word != call.name) {
        proposal.warnings.add(Warning::kRepaired);
        proposal.verb = std::string(verb->word);
    }
    const std::size_t size = reader.size();
    const std::size_t needed =
        verb->op == Op::kDelete || verb->op == Op::kGet || verb->op == Op::kCallback ? 1 : 2;
    if (size < needed || (verb->op == Op::kIncrement && size != 2)) {
        reader.missing(std::move(proposal));
        return;
    }
    Instruction instruction = proposal::instruction_of(Dialect::kMvu, verb->op);
    instruction.path = reader.path(0, proposal);
    instruction.dotted = reader.is_dotted(0, instruction.path);
    if (!fill_arguments(reader, proposal, instruction)) {
        reader.missing(std::move(proposal));
        return;
    }
    reader.finish(std::move(proposal), std::move(instruction));
}

void read_memory_call(Output& output, const Source& source, const Call& call) {
    CallBuilder reader(output, source, call);
    if (reader.refuse_open()) {
        return;
    }
    if (call.name == "set_attribute") {
        read_set(reader, proposal::Mount::kCharacter, call);
    } else if (call.name == "set_status") {
        read_set(reader, proposal::Mount::kStatus, call);
    } else if (call.name == "memory") {
        read_memory(reader);
    } else {
        read_delete(reader);
    }
}

}  // namespace arbiter::reader::internal
