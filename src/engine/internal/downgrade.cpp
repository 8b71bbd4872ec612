#include "engine/internal/downgrade.h"

#include <algorithm>

#include "proposal/shape.h"

namespace arbiter::engine::internal {

using proposal::Dialect;
using proposal::Proposal;
using value::Object;
using value::Path;

namespace {

void add_once(std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
    }
}

// Operations that may bring something that was not there.
bool brings(Op op) {
    switch (op) {
        case Op::kSet:
        case Op::kMerge:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kIncrement:
        case Op::kInsert:
        case Op::kPush:
        case Op::kMove:
        case Op::kCopy:
            return true;
        case Op::kRestore:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kDelete:
        case Op::kGet:
        case Op::kCallback:
        case Op::kTest:
        case Op::kCount:
            break;
    }
    return false;
}

}  // namespace

std::optional<Downgraded> downgrade(const Proposal& asked, const Features& features) {
    if (features.has_all() || asked.dialect != Dialect::kTavern || !asked.problems.empty() ||
        asked.instruction() == nullptr) {
        return std::nullopt;
    }
    Downgraded lesser{asked, {}};
    Instruction& instruction = std::get<Instruction>(lesser.proposal.what);
    for (std::size_t i = 0; i < feature_count(); ++i) {
        const std::string_view option = feature(i).name;
        if (!features.has(i) && instruction.options.contains(option)) {
            instruction.options = std::move(instruction.options).erase(option);
            lesser.left_out.push_back(option);
        }
    }
    if (asked.transaction && !features.has("transaction")) {
        add_once(lesser.left_out, "transaction");
    }
    // What the mapping itself needs comes after: an update never becomes a set that forgets fields,
    // an ensure never one that overwrites, whatever else is off.
    if (instruction.op == Op::kMerge && !features.has("update")) {
        instruction.op = Op::kSet;
        if (!instruction.options.contains("mergeStrategy")) {
            instruction.options = std::move(instruction.options).set("mergeStrategy", "shallow");
        }
        lesser.left_out.push_back("update");
    } else if (instruction.op == Op::kEnsure && !features.has("ensure")) {
        instruction.op = Op::kSet;
        instruction.options = std::move(instruction.options).set("ifMissing", true);
        lesser.left_out.push_back("ensure");
    }
    if (lesser.left_out.empty()) {
        return std::nullopt;
    }
    // A pull without its `where` may have nothing left to go by.
    proposal::check_shape(lesser.proposal);
    return lesser;
}

bool check_needs(Work& work) {
    if (!brings(work.instruction.op) && work.instruction.op != Op::kDelete) {
        return true;
    }
    if (work.policy.needs_reason && work.proposal.dialect == Dialect::kTavern &&
        work.instruction.reason.empty()) {
        return work.fail(Code::kBadOptions, {"reason", "a text (文字)"});
    }
    if (!work.policy.needs_parents || !brings(work.instruction.op) || work.path.size() < 3) {
        return true;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    // The root of a save is not for entries to make or to miss.
    if (work.at(parent) != nullptr || parent == work.policy.tavern_root) {
        return true;
    }
    return work.fail(Code::kNotFound, {shown(parent)});
}

}  // namespace arbiter::engine::internal
