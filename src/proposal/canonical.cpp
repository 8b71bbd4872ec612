#include "proposal/canonical.h"

#include <algorithm>

#include "proposal/operations.h"
#include "proposal/shape.h"
#include "text/join.h"
#include "value/json.h"

namespace arbiter::proposal {
namespace {

using value::Object;
using value::Value;

std::string_view text_in(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

// Without restore, which needs the record of a deletion: see engine/bin.h.
std::span<const Operation> writable_operations() {
    static_assert(static_cast<std::size_t>(Op::kRestore) + 1 ==
                  static_cast<std::size_t>(Op::kCount));
    return operations().first(operations().size() - 1);
}

std::optional<value::Path> path_in(const Object& object, std::string_view key, Proposal& proposal) {
    const Value* found = object.find(key);
    auto path = found != nullptr ? value::path_from_value(*found)
                                 : base::Result<value::Path>(value::Path());
    if (!path || path->empty()) {
        proposal.refuse(Code::kBadPath,
                        {found != nullptr ? value::print_json(*found) : std::string(key),
                         '"' + std::string(key) + R"(": ["player", "hp"])"});
        return std::nullopt;
    }
    return *std::move(path);
}

std::optional<Arithmetic> find_arithmetic(std::string_view sign) {
    constexpr std::string_view kSigns = "+-*/";
    const std::size_t at = sign.size() == 1 ? kSigns.find(sign) : std::string_view::npos;
    return at == std::string_view::npos ? std::nullopt : std::optional(static_cast<Arithmetic>(at));
}

void take_fields(const Object& object, Instruction& instruction, Proposal& proposal) {
    for (const auto& [key, value] : object) {
        if (key == "value") {
            instruction.value = value;
        } else if (key == "old") {
            instruction.old = value;
        } else if (key == "key") {
            instruction.key = value;
        } else if (key == "all") {
            instruction.all = value == Value(true);
        } else if (key == "options" && value.is_object()) {
            instruction.options = value.as_object();
        } else if (key == "reason" && value.is_string()) {
            instruction.reason = value.as_str();
        } else if (key != "op" && key != "path" && key != "from" && key != "arithmetic") {
            proposal.warn(Warning::kUnknownOption, {std::string(key.view())});
        }
    }
    if (const Value* sign = object.find("arithmetic"); sign != nullptr) {
        const auto found =
            find_arithmetic(sign->is_string() ? sign->as_string() : std::string_view());
        if (found) {
            instruction.arithmetic = *found;
        } else {
            proposal.refuse(Code::kBadOptions,
                            {"arithmetic", R"("+", "-", "*", "/")", value::print_json(*sign)});
        }
    }
}

}  // namespace

Proposal proposal_of(const Value& written) {
    Proposal proposal;
    proposal.dialect = Dialect::kJson;
    if (!written.is_object()) {
        proposal.refuse(Code::kBadEntry, {std::string(value::name(written.kind()))});
        return proposal;
    }
    const Object& object = written.as_object();
    const std::string_view word = text_in(object, "op");
    proposal.verb = word;
    const auto operations = writable_operations();
    const auto found = std::ranges::find(operations, word, &Operation::name);
    if (found == operations.end()) {
        proposal.refuse(Code::kUnknownAction,
                        {std::string(word), text::join(operations, ", ", &Operation::name)});
        return proposal;
    }
    Instruction instruction = instruction_of(Dialect::kJson, found->op);
    auto path = path_in(object, "path", proposal);
    instruction.path = std::move(path).value_or(value::Path());
    if (found->op == Op::kMove || found->op == Op::kCopy) {
        auto from = path_in(object, "from", proposal);
        instruction.from = std::move(from).value_or(value::Path());
    }
    take_fields(object, instruction, proposal);
    proposal.what = std::move(instruction);
    if (proposal.problems.empty()) {
        check_shape(proposal);
    }
    return proposal;
}

}  // namespace arbiter::proposal
