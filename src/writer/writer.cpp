#include "writer/writer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "text/join.h"
#include "writer/internal/escaped_text.h"
#include "writer/internal/filament.h"
#include "writer/internal/json.h"
#include "writer/internal/lossless.h"
#include "writer/internal/memory.h"
#include "writer/internal/mvu.h"
#include "writer/internal/patch.h"
#include "writer/internal/restate.h"
#include "writer/internal/tavern.h"

namespace arbiter::writer {
namespace {

using base::ErrorCode;
using base::fail;
using base::Result;
using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;

constexpr std::array<std::string_view, static_cast<std::size_t>(Form::kCount)> kFormNames = {
    "tavern",   "json",      "mvu",    "patch",    "memory",
    "filament", "filament3", "direct", "internal", "tools"};

bool has_transaction_option(const Proposal& proposal) {
    const Instruction* instruction = proposal.instruction();
    const value::Value* said =
        instruction != nullptr ? instruction->options.find("transaction") : nullptr;
    return said != nullptr && *said == value::Value(true);
}

// How a block is marked as one transaction.
enum class Transaction : std::uint8_t { kNo, kImplied, kBeside };

Result<Transaction> transaction_of(std::span<const Proposal> proposals, Form form) {
    if (std::ranges::none_of(proposals, &Proposal::transaction)) {
        return Transaction::kNo;
    }
    // A block is one batch, so all proposals must be of one.
    const bool whole = std::ranges::all_of(proposals, [&](const Proposal& proposal) {
        return proposal.transaction && proposal.batch == proposals[0].batch;
    });
    if (form == Form::kTavern) {
        if (std::ranges::any_of(proposals, has_transaction_option)) {
            return Transaction::kImplied;
        }
        if (whole) {
            return Transaction::kBeside;
        }
    }
    if (whole && (form == Form::kPatch || form == Form::kFilament3)) {
        const bool has_test = std::ranges::any_of(proposals, [](const Proposal& proposal) {
            const Instruction* instruction = proposal.instruction();
            return instruction != nullptr && instruction->op == Op::kTest;
        });
        const Dialect own = form == Form::kPatch ? Dialect::kPatch : Dialect::kFilament;
        if (has_test || std::ranges::all_of(proposals, [own](const Proposal& proposal) {
                return proposal.dialect == own;
            })) {
            return Transaction::kImplied;
        }
    }
    return fail(ErrorCode::kWriteLost, {std::string(internal::title(form)), "transaction"});
}

std::string list(const std::vector<std::string>& lines) {
    return "[\n" + text::join(lines, ",\n") + "\n]";
}
std::string fenced(const std::string& json) {
    return "```json\n" + json + "\n```";
}
std::string tagged(std::string_view tag, const std::string& content) {
    const std::string name(tag);
    return "<" + name + ">\n" + content + "\n</" + name + ">";
}

// The reasons of a block whose commands cannot hold them.
std::string analysis(std::span<const Proposal> proposals) {
    std::vector<std::string> reasons;
    for (const Proposal& proposal : proposals) {
        const Instruction* instruction = proposal.instruction();
        std::string reason = instruction == nullptr ? "" : internal::one_line(instruction->reason);
        if (!reason.empty() && (reasons.empty() || reasons.back() != reason)) {
            reasons.push_back(std::move(reason));
        }
    }
    return reasons.empty() ? "" : "<analysis>" + text::join(reasons, "; ") + "</analysis>\n";
}

std::string block(Form form, const std::vector<std::string>& lines,
                  std::span<const Proposal> proposals, Transaction transaction) {
    switch (form) {
        case Form::kTavern:
            if (transaction == Transaction::kBeside) {
                return fenced("{\"transaction\":true,\"tavern_commands\":" + list(lines) + "}");
            }
            return fenced(list(lines));
        case Form::kJson:
            return fenced(list(lines));
        case Form::kMvu:
            return tagged("UpdateVariable", text::join(lines, "\n"));
        case Form::kPatch:
            return tagged("JSONPatch", list(lines));
        case Form::kMemory:
            return tagged("updateMemory", text::join(lines, "\n"));
        case Form::kFilament2:
            return tagged("variable_update", analysis(proposals) + list(lines));
        case Form::kFilament3:
            return tagged("state_update", "{\"ops\":" + list(lines) + "}");
        case Form::kDirect:
        case Form::kInternal:
            return text::join(lines, "\n");
        case Form::kTools:
            return fenced("{\"tool_calls\":" + list(lines) + "}");
        case Form::kCount:
            break;
    }
    return "";
}

}  // namespace

std::string_view name(Form form) noexcept {
    return kFormNames[static_cast<std::size_t>(form)];
}
std::optional<Form> find_form(std::string_view name) noexcept {
    const auto found = std::ranges::find(kFormNames, name);
    if (found == kFormNames.end()) {
        return std::nullopt;
    }
    return static_cast<Form>(found - kFormNames.begin());
}

Result<std::string> write_one(const Proposal& proposal, Form form) {
    if (!proposal.problems.empty()) {
        return fail(ErrorCode::kWriteRefused, {std::string(name(proposal.problems[0].code))});
    }
    if (const proposal::ToolCall* call = proposal.tool_call()) {
        if (form == Form::kTools) {
            return internal::write_tool(*call);
        }
        return fail(ErrorCode::kWriteToolCall, {std::string(internal::title(form))});
    }
    const Instruction* written = proposal.instruction();
    if (written == nullptr) {
        return fail(ErrorCode::kWriteRefused, {std::string(name(proposal::Code::kParseError))});
    }
    const Instruction instruction = internal::restated(*written, form);
    const auto verb_in = [&](Dialect dialect) {
        return proposal.dialect == dialect ? std::string_view(proposal.verb) : std::string_view();
    };
    switch (form) {
        case Form::kTavern:
            return internal::write_tavern(instruction, verb_in(Dialect::kTavern));
        case Form::kJson:
            return internal::write_json(instruction);
        case Form::kMvu:
            return internal::write_mvu(instruction, verb_in(Dialect::kMvu));
        case Form::kPatch:
            return internal::write_patch(instruction, form, verb_in(Dialect::kPatch));
        case Form::kFilament3:
            return internal::write_patch(instruction, form, verb_in(Dialect::kFilament));
        case Form::kMemory:
            return internal::write_memory(instruction);
        case Form::kFilament2:
            return internal::write_filament(instruction, verb_in(Dialect::kFilament));
        case Form::kDirect:
            return internal::write_direct(instruction);
        case Form::kInternal:
            return internal::write_internal(instruction);
        case Form::kTools:
        case Form::kCount:
            break;
    }
    return internal::unsupported(*written, form);
}

Result<std::string> write(std::span<const Proposal> proposals, Form form) {
    if (proposals.empty()) {
        return "";
    }
    std::vector<std::string> lines;
    lines.reserve(proposals.size());
    for (const Proposal& proposal : proposals) {
        auto line = write_one(proposal, form);
        if (!line) {
            return line;
        }
        lines.push_back(*std::move(line));
    }
    const auto transaction = transaction_of(proposals, form);
    if (!transaction) {
        return std::unexpected(transaction.error());
    }
    return block(form, lines, proposals, *transaction);
}

}  // namespace arbiter::writer
