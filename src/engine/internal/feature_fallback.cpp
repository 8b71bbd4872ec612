#include "engine/internal/feature_fallback.h"

#include <algorithm>

#include "proposal/shape.h"

namespace arbiter::engine::internal {

using proposal::Dialect;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;

namespace {

void add_once(std::vector<std::string_view>& names, std::string_view name) {
    if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
    }
}

}  // namespace

std::optional<FeatureFallback> fall_back(const Proposal& asked, const Features& features) {
    if (features.has_all() || asked.dialect != Dialect::kTavern || !asked.problems.empty() ||
        asked.instruction() == nullptr) {
        return std::nullopt;
    }
    FeatureFallback fallback{asked, {}};
    Instruction& instruction = std::get<Instruction>(fallback.proposal.what);
    for (std::size_t i = 0; i < feature_count(); ++i) {
        const std::string_view option = feature(i).name;
        if (!features.has(i) && instruction.options.contains(option)) {
            instruction.options = std::move(instruction.options).erase(option);
            fallback.left_out.push_back(option);
        }
    }
    if (asked.transaction && !features.has("transaction")) {
        add_once(fallback.left_out, "transaction");
    }
    // After the options are removed, so that the options which the mapping itself needs stay: an
    // update must not become a set that drops fields, nor an ensure one that overwrites.
    if (instruction.op == Op::kMerge && !features.has("update")) {
        instruction.op = Op::kSet;
        if (!instruction.options.contains("mergeStrategy")) {
            instruction.options = std::move(instruction.options).set("mergeStrategy", "shallow");
        }
        fallback.left_out.push_back("update");
    } else if (instruction.op == Op::kEnsure && !features.has("ensure")) {
        instruction.op = Op::kSet;
        instruction.options = std::move(instruction.options).set("ifMissing", true);
        fallback.left_out.push_back("ensure");
    }
    if (fallback.left_out.empty()) {
        return std::nullopt;
    }
    // The rest may be malformed, for example a pull that had only a `where`.
    proposal::check_shape(fallback.proposal);
    return fallback;
}

}  // namespace arbiter::engine::internal
