#include "reader/internal/tavern.h"

#include <algorithm>

#include "proposal/operations.h"
#include "reader/blanks.h"
#include "reader/internal/envelope.h"
#include "reader/internal/glyph.h"
#include "reader/internal/literal_entries.h"

namespace arbiter::reader::internal {

using proposal::Code;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Notice;
using proposal::Proposal;
using proposal::Verb;
using proposal::Warning;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kKnownMembers[] = {"action", "key",    "value", "options",
                                              "path",   "target", "reason"};

class Tavern {
  public:
    Tavern(Output& output, const Source& source, const Literal& literal, Range range)
        : output_(output), source_(source), literal_(literal), range_(range) {}

    // Commands of any supported shape. `at` is their path in the literal.
    void commands(const Value& value, Path at) {
        if (value.is_array()) {
            list(value.as_array(), std::move(at), nullptr);
        } else if (!value.is_object()) {
            refuse(output_, source_, Dialect::kTavern, range_, Code::kBadEntry,
                   {std::string(kind_words(value))});
        } else if (const Object& object = value.as_object();
                   object.contains("action") || object.contains("key")) {
            entry(value, at, nullptr);
        } else {
            groups(object, at);
        }
        if (transaction_) {
            for (std::size_t i = first_; i < output_.proposals.size(); ++i) {
                output_.proposals[i].transaction = true;
            }
        }
    }

    void inspect(const Value& value) {
        if (!value.is_array()) {
            inspect_one(value);
            return;
        }
        for (const Value& each : value.as_array()) {
            inspect_one(each);
        }
    }
    // "key" or {"key": …}; {"keys": […]} too.
    void inspect_one(const Value& value) {
        const Value* key = value.is_object() ? value.as_object().find("key") : &value;
        if (key == nullptr) {
            key = value.as_object().find("keys");
        }
        if (key != nullptr && key->is_array()) {
            for (const Value& each : key->as_array()) {
                if (each.is_string()) {
                    note(output_, source_, Notice::Kind::kInspect, each.as_string(), range_);
                }
            }
        } else if (key != nullptr && key->is_string()) {
            note(output_, source_, Notice::Kind::kInspect, key->as_string(), range_);
        } else {
            note(output_, source_, Notice::Kind::kIgnored, "member tavern_inspect", range_);
        }
    }

    void batch_options(const Object& object) {
        const Value* options = object.find("options");
        const Value* flag = options != nullptr && options->is_object()
                                ? options->as_object().find("transaction")
                                : object.find("transaction");
        transaction_ = transaction_ || (flag != nullptr && flag->is_bool() && flag->as_bool());
    }

  private:
    void list(const value::Array& items, Path at, const Verb* group) {
        at.emplace_back(0);
        std::int64_t index = 0;
        for (const Value& item : items) {
            at.back() = value::Segment(index++);
            entry(item, at, group);
        }
    }

    // {"set": […], "push": […]} or {"0": {…}, "1": {…}}.
    void groups(const Object& object, Path at) {
        batch_options(object);
        at.emplace_back("");
        for (const auto& [key, value] : by_index(object)) {
            at.back() = value::Segment(key);
            const bool is_flag =
                key == "options" || key == "transaction" || key == "tavern_inspect";
            if (key == "tavern_inspect") {
                inspect(value);
            }
            if (is_flag) {
                continue;
            }
            const std::string_view word = key == "set_state" ? std::string_view("set") : key.view();
            if (const Verb* verb = find_verb(Dialect::kTavern, word)) {
                group(value, at, *verb);
            } else if (value.is_object() && value.as_object().contains("key")) {
                entry(value, at, nullptr);
            } else {
                unknown(word);
            }
        }
    }

    // The members in the order of the text; keys that are numbers in the order of these.
    static std::vector<std::pair<value::Str, Value>> by_index(const Object& object) {
        std::vector<std::pair<value::Str, Value>> members;
        for (const auto& [key, value] : object) {
            members.emplace_back(key, value);
        }
        const auto is_index = [](const auto& member) {
            return !member.first.view().empty() &&
                   std::ranges::all_of(member.first.view(), is_digit);
        };
        if (std::ranges::all_of(members, is_index)) {
            std::ranges::sort(members, {}, [](const auto& member) {
                const std::string_view key = member.first.view();
                const std::string_view number =
                    key.substr(std::min(key.find_first_not_of('0'), key.size()));
                return std::pair(number.size(), number);
            });
        }
        return members;
    }

    void group(const Value& value, Path at, const Verb& verb) {
        if (value.is_array()) {
            list(value.as_array(), std::move(at), &verb);
            return;
        }
        if (!value.is_object()) {
            entry(value, at, &verb);
            return;
        }
        const Object& object = value.as_object();
        if (object.contains("key")) {
            entry(value, at, &verb);
            return;
        }
        at.emplace_back("");
        for (const auto& [key, member] : object) {
            at.back() = value::Segment(key);
            pair(key, &member, at, verb);
        }
    }

    // The 1.0 shapes inside a group: "path", ["path", value] and "path": value.
    void pair(const Value& key, const Value* value, const Path& at, const Verb& verb) {
        Object written = {{"key", key}};
        if (value != nullptr && verb.op != proposal::Op::kDelete) {
            written = std::move(written).set("value", *value);
        }
        entry(std::move(written), at, &verb);
    }

    void unknown(std::string_view word) {
        Proposal proposal = begin_proposal(source_, Dialect::kTavern, word, range_);
        proposal.refuse(Code::kUnknownAction, {std::string(word), list_verbs(Dialect::kTavern)});
        output_.proposals.push_back(std::move(proposal));
    }

    void entry(const Value& value, const Path& at, const Verb* group) {
        if (group != nullptr && value.is_string()) {
            pair(value, nullptr, at, *group);
            return;
        }
        if (group != nullptr && value.is_array() && !value.as_array().empty() &&
            value.as_array().size() <= 2) {
            const value::Array& both = value.as_array();
            pair(both[0], both.size() > 1 ? &both[1] : nullptr, at, *group);
            return;
        }
        const Range range = entry_range(literal_, at, range_);
        if (!value.is_object()) {
            refuse(output_, source_, Dialect::kTavern, range, Code::kBadEntry,
                   {std::string(kind_words(value))});
            return;
        }
        if (refuse_if_cut(output_, source_, Dialect::kTavern, literal_, at, range)) {
            return;
        }
        const Object& object = value.as_object();
        const Value* action = object.find("action");
        const Verb* verb = group;
        std::string_view word = group != nullptr ? group->word : "";
        if (action != nullptr && action->is_string()) {
            word = action->as_string();
            verb = find_verb(Dialect::kTavern, word);
        }
        Proposal proposal = begin_proposal(source_, Dialect::kTavern, word, range);
        mark_repairs(output_, source_, proposal, literal_.repairs, range);
        if (action != nullptr && group != nullptr && verb != group) {
            proposal.warnings.add(Warning::kActionMismatch);
        }
        if (verb == nullptr) {
            if (word.empty()) {
                proposal.refuse(Code::kMissingAction);
            } else {
                proposal.refuse(Code::kUnknownAction,
                                {std::string(word), list_verbs(Dialect::kTavern)});
            }
            output_.proposals.push_back(std::move(proposal));
            return;
        }
        Instruction instruction = proposal::instruction_of(Dialect::kTavern, verb->op);
        read_key(object, proposal, instruction);
        if (const Value* written = object.find("value");
            written != nullptr && verb->op != proposal::Op::kDelete) {
            instruction.value = *written;
        }
        read_options(object, proposal, instruction);
        proposal.what = std::move(instruction);
        finish_proposal(output_, std::move(proposal));
    }

    static void read_key(const Object& object, Proposal& proposal, Instruction& instruction) {
        const Value* key = object.find("key");
        for (const std::string_view alias : {"path", "target"}) {
            if (key == nullptr && object.contains(alias)) {
                key = object.find(alias);
                proposal.warnings.add(Warning::kRepaired);
            }
        }
        auto path = key != nullptr && key->is_string()
                        ? value::parse_path(key->as_string(), value::PathSyntax::kDotted)
                        : base::fail(base::ErrorCode::kPathEmptySegment);
        if (path && !path->empty()) {
            instruction.path = *std::move(path);
        } else {
            proposal.refuse(Code::kBadPath,
                            {key == nullptr ? std::string("key") : value::print_json(*key),
                             "\"key\": \"character.saveData.金币\""});
        }
    }

    void read_options(const Object& object, Proposal& proposal, Instruction& instruction) {
        instruction.forgiving =
            !object.contains("options") &&
            (instruction.op == proposal::Op::kDelete || instruction.op == proposal::Op::kPull);
        if (const Value* options = object.find("options")) {
            if (options->is_object()) {
                instruction.options = options->as_object();
            } else {
                proposal.refuse(Code::kBadOptions, {"options", "an object"});
            }
        }
        const Value* reason = instruction.options.find("reason");
        const bool inside = reason != nullptr;
        reason = inside ? reason : object.find("reason");
        if (reason != nullptr && reason->is_string()) {
            instruction.reason = reason->as_str();
            if (inside) {
                instruction.options = std::move(instruction.options).erase("reason");
            }
        }
        const Value* flag = instruction.options.find("transaction");
        transaction_ = transaction_ || (flag != nullptr && flag->is_bool() && flag->as_bool());
        for (const auto& [key, value] : object) {
            if (std::ranges::find(kKnownMembers, key.view()) == std::end(kKnownMembers)) {
                proposal.warn(Warning::kUnknownOption, {std::string(key.view())});
            }
        }
    }

    Output& output_;
    const Source& source_;
    const Literal& literal_;
    Range range_;
    std::size_t first_ = output_.proposals.size();
    bool transaction_ = false;
};

constexpr std::string_view kCommandNames[] = {"tavern_commands", "commands", "指令"};

}  // namespace

// Parses member by member up to the first that is broken.
bool find_text(std::string_view envelope, std::string& text) {
    std::size_t at = 0;
    skip_blanks(envelope, at);
    ++at;
    while (at < envelope.size()) {
        const auto name = parse_literal(envelope, at);
        if (!name || !name->value.is_string()) {
            return false;
        }
        at = name->end;
        skip_blanks(envelope, at);
        if (at >= envelope.size() || glyph_at(envelope, at).ascii != ':') {
            return false;
        }
        const auto member = parse_literal(envelope, at + glyph_at(envelope, at).size);
        if (!member) {
            return false;
        }
        const auto words = is_narrative_name(name->value.as_string()) && member->closed
                               ? narrative_in(member->value)
                               : std::nullopt;
        if (words) {
            text = *words;
            return true;
        }
        at = member->end;
        skip_blanks(envelope, at);
        if (at >= envelope.size() || glyph_at(envelope, at).ascii != ',') {
            return false;
        }
        at += glyph_at(envelope, at).size;
    }
    return false;
}

bool is_tavern_envelope(const Object& object) {
    return object.contains("tavern_commands") || object.contains("tavern_inspect") ||
           object.contains("mid_term_memory");
}

void read_tavern_entry(Output& output, const Source& source, const Literal& literal,
                       const Value& entry, const Path& at, Range range) {
    Tavern(output, source, literal, range).commands(entry, at);
}

void read_tavern(Output& output, const Source& source, const Literal& literal,
                 const Value& commands, Range range) {
    Tavern tavern(output, source, literal, range);
    if (!commands.is_object()) {
        tavern.commands(commands, {});
        return;
    }
    const Object& object = commands.as_object();
    const auto name = std::ranges::find_if(
        kCommandNames, [&](std::string_view each) { return object.contains(each); });
    const bool has_commands = name != std::end(kCommandNames);
    if (!has_commands && !is_tavern_envelope(object)) {
        tavern.commands(commands, {});
        return;
    }
    const std::string_view told = narrative_name(object);
    if (!told.empty()) {
        output.text = narrative_in(*object.find(told)).value_or("");
        output.has_text = true;
    }
    for (const auto& [key, member] : object) {
        const bool is_read = (has_commands && key == *name) || key == "options" ||
                             key == "transaction" || key == "tavern_inspect" ||
                             key == "tool_calls" || key == "assistant_structured" ||
                             key == "assistant_text" || (!told.empty() && key == told);
        if (!is_read) {
            note(output, source, Notice::Kind::kIgnored, "member " + std::string(key.view()),
                 range);
        }
    }
    tavern.batch_options(object);
    if (const Value* inspected = object.find("tavern_inspect")) {
        tavern.inspect(*inspected);
    }
    if (has_commands && !object.find(*name)->is_null()) {
        tavern.commands(*object.find(*name), {*name});
    }
}

}  // namespace arbiter::reader::internal
