#include "proposal/instruction.h"

#include <algorithm>
#include <array>

#include "proposal/proposal.h"

namespace arbiter::proposal {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Dialect::kCount)> kDialects = {
    "tavern", "json", "mvu", "patch", "memory", "filament", "tool"};

}  // namespace

std::string_view name(Dialect dialect) noexcept {
    return kDialects[static_cast<std::size_t>(dialect)];
}
std::optional<Dialect> find_dialect(std::string_view name) noexcept {
    const auto found = std::ranges::find(kDialects, name);
    if (found == kDialects.end()) {
        return std::nullopt;
    }
    return static_cast<Dialect>(found - kDialects.begin());
}

std::string_view name(Mount mount) noexcept {
    switch (mount) {
        case Mount::kRoot:
        case Mount::kMvu:
            return "";
        case Mount::kCharacter:
            return "play_character_data";
        case Mount::kStatus:
            return "stat_data";
        case Mount::kAssets:
            return "assa_data";
    }
    return "";
}

Instruction instruction_of(Dialect dialect, Op op) noexcept {
    Instruction instruction;
    instruction.op = op;
    switch (dialect) {
        case Dialect::kTavern:
            instruction.in_save = true;
            break;
        case Dialect::kJson:
        case Dialect::kFilament:
            instruction.nulls = dialect == Dialect::kJson;
            instruction.coerces = true;
            instruction.merge = op == Op::kMerge ? MergeKind::kDeep : MergeKind::kByOptions;
            break;
        case Dialect::kMvu:
        case Dialect::kPatch:
            instruction.mount = Mount::kMvu;
            instruction.creates = false;
            instruction.coerces = true;
            instruction.described = Described::kMvu;
            instruction.overwrites = op == Op::kInsert || (dialect == Dialect::kPatch &&
                                                           (op == Op::kMove || op == Op::kCopy));
            instruction.dotted = dialect == Dialect::kMvu;
            instruction.digits_name = dialect == Dialect::kMvu;
            instruction.merge = op == Op::kMerge ? MergeKind::kDeep : MergeKind::kByOptions;
            break;
        case Dialect::kMemory:
            instruction.mount = Mount::kAssets;
            instruction.coerces = true;
            instruction.described = Described::kModules;
            instruction.merge = op == Op::kMerge ? MergeKind::kShallow : MergeKind::kByOptions;
            break;
        case Dialect::kTool:
        case Dialect::kCount:
            break;
    }
    return instruction;
}

std::string_view name(Notice::Kind what) noexcept {
    using enum Notice::Kind;
    switch (what) {
        case kUseProtocol:
            return "use_protocol";
        case kEndProtocol:
            return "end_protocol";
        case kInspect:
            return "inspect";
        case kRepaired:
            return "repaired";
        case kUnclosed:
            return "unclosed";
        case kIgnored:
            return "ignored";
        case kStrayTag:
            return "stray_tag";
        case kCut:
            return "cut";
        case kBadUtf8:
            return "bad_utf8";
    }
    return "";
}

}  // namespace arbiter::proposal
