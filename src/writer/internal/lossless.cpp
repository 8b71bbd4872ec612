#include "writer/internal/lossless.h"

#include <algorithm>
#include <array>

#include "proposal/operations.h"

namespace arbiter::writer::internal {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Instruction;
using proposal::Need;
using proposal::Op;

constexpr std::array<std::string_view, static_cast<std::size_t>(Form::kCount)> kTitles = {
    "tavern_commands",       "JSON instructions", "MVU",        "JSON Patch",
    "memory calls",          "Filament 2",        "Filament 3", "Direct",
    "internal instructions", "tool calls"};

// The merge strategy of a form's own operation.
std::string_view own_strategy(Form form, Op op) {
    if (op == Op::kSet) {
        return "replace";
    }
    return form == Form::kMemory ? "shallow" : "deep";
}

// The strategy that an instruction asks for.
std::string_view strategy_of(const Instruction& instruction) {
    switch (instruction.merge) {
        case proposal::MergeKind::kShallow:
            return "shallow";
        case proposal::MergeKind::kDeep:
            return "deep";
        case proposal::MergeKind::kByOptions:
            break;
    }
    const value::Value* said = instruction.options.find("mergeStrategy");
    return said != nullptr && said->is_string() ? said->as_string() : "shallow";
}

// Whether shallow and deep are the same, because no member is an object.
bool is_flat(const value::Value& value) {
    return value.is_object() && std::ranges::none_of(value.as_object(), [](const auto& member) {
               return member.value.is_object();
           });
}

std::unexpected<base::Error> lost(Form form, std::string field) {
    return fail(ErrorCode::kWriteLost, {std::string(title(form)), std::move(field)});
}

Result<> check_options(const Instruction& instruction, Form form) {
    for (const auto [key, value] : instruction.options) {
        // check_merge() judges the strategy of a merge.
        const bool implied = key.view() == "mergeStrategy" &&
                             (instruction.op == Op::kMerge ||
                              (instruction.op == Op::kSet &&
                               value == value::Value(own_strategy(form, instruction.op))));
        if (!implied) {
            return lost(form, "options." + std::string(key.view()));
        }
    }
    return {};
}

Result<> check_merge(const Instruction& instruction, Form form) {
    if (instruction.op != Op::kMerge || !instruction.value) {
        return {};
    }
    const std::string_view strategy = strategy_of(instruction);
    const bool flat = is_flat(*instruction.value) && strategy != "replace";
    if (flat || strategy == own_strategy(form, instruction.op)) {
        return {};
    }
    return lost(form, std::string(strategy) + " merge");
}

}  // namespace

std::string_view title(Form form) noexcept {
    return kTitles[static_cast<std::size_t>(form)];
}

Result<> check_lossless(const Instruction& instruction, Form form, Fields places) {
    const bool takes_value = proposal::operation(instruction.op).value != Need::kNone;
    const bool has_source = instruction.op == Op::kMove || instruction.op == Op::kCopy;
    if ((places & kValue) == 0 && instruction.value &&
        (takes_value || !instruction.value->is_null())) {
        return lost(form, "value");
    }
    if ((places & kOld) == 0 && instruction.old) {
        return lost(form, "old");
    }
    if ((places & kKey) == 0 && instruction.key) {
        return lost(form, "key");
    }
    if ((places & kAll) == 0 && instruction.all) {
        return lost(form, "all");
    }
    if (!has_source && !instruction.from.empty()) {
        return lost(form, "from");
    }
    if ((places & kArithmetic) == 0 && instruction.arithmetic != proposal::Arithmetic::kAdd) {
        return lost(form, "arithmetic");
    }
    if ((places & kMetadata) == 0 && !instruction.metadata.empty()) {
        return lost(form, "metadata");
    }
    if ((places & kOptions) != 0) {
        return {};
    }
    if (auto merge = check_merge(instruction, form); !merge) {
        return merge;
    }
    return check_options(instruction, form);
}

Result<> check_fields(const Instruction& instruction, Form form, Fields places, Fields required) {
    if (auto kept = check_lossless(instruction, form, places | required); !kept) {
        return kept;
    }
    const auto missing = [&](std::string_view field) {
        return fail(ErrorCode::kWriteMissing,
                    {std::string(title(form)), std::string(proposal::name(instruction.op)),
                     std::string(field)});
    };
    if ((required & kValue) != 0 && !instruction.value) {
        return missing("value");
    }
    if ((required & kKey) != 0 && !instruction.key) {
        return missing("key");
    }
    return {};
}

std::unexpected<base::Error> unsupported(const Instruction& instruction, Form form) {
    return fail(ErrorCode::kWriteUnsupported,
                {std::string(title(form)), std::string(proposal::name(instruction.op))});
}

}  // namespace arbiter::writer::internal
