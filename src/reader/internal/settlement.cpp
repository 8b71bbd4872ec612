#include "reader/internal/settlement.h"

#include <set>
#include <string_view>

#include "base/limits.h"
#include "proposal/operations.h"
#include "value/json.h"

namespace arbiter::reader::internal {

using proposal::Dialect;
using proposal::Notice;
using proposal::Proposal;

namespace {

// The same text for the same instruction in any dialect.
std::string meaning_of(const Proposal& candidate) {
    const proposal::Instruction* instruction = candidate.instruction();
    if (instruction == nullptr) {
        return candidate.raw;
    }
    std::string meaning(name(instruction->op));
    meaning += ' ' + value::print_path(instruction->path, value::PathSyntax::kPointer);
    if (instruction->value) {
        meaning += ' ' + value::print_json(*instruction->value, value::JsonStyle::kCanonical);
    }
    return meaning;
}

}  // namespace

Settlement::Class Settlement::class_of(const Proposal& candidate, bool tagged) {
    switch (candidate.dialect) {
        case Dialect::kJson:
            return candidate.problems.empty() || candidate.instruction() != nullptr ? Class::kJson
                                                                                    : Class::kOther;
        case Dialect::kMvu:
            return Class::kMvu;
        case Dialect::kMemory:
            return tagged ? Class::kOther : Class::kLooseMemory;
        case Dialect::kTavern:
        case Dialect::kPatch:
        case Dialect::kFilament:
        case Dialect::kTool:
        case Dialect::kCount:
            return Class::kOther;
    }
    return Class::kOther;
}

bool Settlement::add(const Proposal& candidate, bool tagged) {
    if (candidates_.size() >= base::kProposalsMax) {
        ++dropped_;
        return false;
    }
    const Class found = class_of(candidate, tagged);
    candidates_.push_back(found);
    if (hybrid_both_) {
        meanings_.push_back(meaning_of(candidate));
    }
    return true;
}

void Settlement::settle(Sink& sink) const {
    if (dropped_ > 0) {
        sink.notice({Notice::Kind::kCut, std::to_string(dropped_), {}});
    }
    // Only what is not thought takes precedence.
    bool has_json = false;
    for (std::size_t i = thought_candidates_; i < candidates_.size(); ++i) {
        has_json = has_json || candidates_[i] == Class::kJson;
    }
    std::set<std::string_view> json_meanings;
    for (std::size_t i = thought_candidates_; i < meanings_.size(); ++i) {
        if (candidates_[i] == Class::kJson) {
            json_meanings.insert(meanings_[i]);
        }
    }
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (i < thought_candidates_) {
            sink.lost(i, "thinking");
        } else if (candidates_[i] == Class::kMvu && has_json && !hybrid_both_) {
            sink.lost(i, "hybrid");
        } else if (candidates_[i] == Class::kMvu && !meanings_.empty() &&
                   json_meanings.contains(meanings_[i])) {
            sink.lost(i, "duplicate");
        } else if (candidates_[i] == Class::kLooseMemory && has_memory_tag_) {
            sink.lost(i, "outside_tag");
        }
    }
}

}  // namespace arbiter::reader::internal
