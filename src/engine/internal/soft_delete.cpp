#include "engine/internal/soft_delete.h"

#include <algorithm>

#include "engine/bin.h"
#include "proposal/shape.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

std::optional<Path> find_bin(Work& work, const Path& deleted) {
    Path bin = work.policy.recycle_bin;
    if (const Value* key = work.option("recycleBinKey")) {
        const auto parsed = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
        const Path& root = work.policy.tavern_root;
        const bool outside =
            !parsed || parsed->size() <= root.size() || !begins_with(*parsed, root);
        if (!parsed || (outside && work.instruction.op != Op::kRestore)) {
            work.fail(Code::kBadPrefix, {std::string(key->as_string()), detail_of(root) + "."});
            return std::nullopt;
        }
        for (const Segment& segment : *parsed) {
            if (!segment.is_index() && proposal::is_dangerous(segment.key())) {
                work.fail(Code::kSecurityRisk, {std::string(segment.key())});
                return std::nullopt;
            }
        }
        bin = *parsed;
    }
    bin = canonical(std::move(bin), work.document());
    const Path place = canonical(deleted, work.document());
    // A node cannot move into itself.
    if (!place.empty() && bin.size() > place.size() && begins_with(bin, place)) {
        work.fail(Code::kBadOptions, {"recycleBinKey", "a place outside of what is deleted"});
        return std::nullopt;
    }
    return bin;
}

std::optional<std::pair<Path, Value>> bin_slot(const Value& document, const Path& bin,
                                               Object record) {
    const Value* present = value::find(document, bin);
    if (present == nullptr) {
        return std::pair(bin, Value(Array{std::move(record)}));
    }
    if (present->is_array()) {
        const auto end = static_cast<std::int64_t>(present->as_array().size());
        return std::pair(child_of(bin, end), Value(std::move(record)));
    }
    if (!present->is_object()) {
        return std::nullopt;
    }
    const std::string id(record.find("opId")->as_string());
    std::string name = id;
    for (std::size_t i = 2; present->as_object().contains(name); ++i) {
        name = id + "-" + std::to_string(i);
    }
    return std::pair(child_of(bin, std::string_view(name)), Value(std::move(record)));
}

bool soft_delete(Work& work, const Path& where, const Value& old) {
    const auto bin = find_bin(work, where);
    if (!bin) {
        return false;
    }
    if (begins_with(canonical(where, work.document()), *bin)) {
        work.warn(Warning::kHardDeleted);
        return work.erase(where);
    }
    Object record = {{"key", std::string_view(detail_of(where))},
                     {"value", old},
                     {"deletedAt", std::string_view(print_instant(work.context.now))},
                     {"opId", std::string_view(work.verdict.id)}};
    if (!work.instruction.reason.empty()) {
        record = std::move(record).set("reason", work.instruction.reason);
    }
    auto slot = bin_slot(work.document(), *bin, std::move(record));
    if (!slot) {
        return work.fail(
            Code::kTypeMismatch,
            {detail_of(*bin), std::string(value::name(work.at(*bin)->kind())), "array / object"});
    }
    // Into the bin first: erasing an array element may shift the path of the bin.
    return work.put(slot->first, std::move(slot->second), true) && work.erase(where);
}

bool run_restore(Work& work) {
    const auto bin = find_bin(work, {});
    if (!bin) {
        return false;
    }
    const std::vector<BinRecord> records = list_bin(work.document(), *bin);
    const std::optional<Value>& id = work.instruction.key;
    const auto found =
        std::ranges::find_if(records.rbegin(), records.rend(), [&](const BinRecord& each) {
            return is_same_address(each.place, work.path) &&
                   (!id || (id->is_string() && id->as_string() == each.id));
        });
    if (found == records.rend()) {
        return work.fail(Code::kNotFound, {detail_of(*bin) + " ← " + detail_of(work.path)});
    }
    // Erase the record first: inserting an array element may shift its path.
    if (!work.erase(found->record)) {
        return false;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    const Value* around = work.at(parent);
    if (around != nullptr && around->is_array()) {
        const auto place = work.path.back().as_position();
        if (!place) {
            return work.fail(Code::kBadIndex,
                             {detail_of(work.path), std::to_string(around->as_array().size())});
        }
        work.retarget(with_last(work.path, Segment(static_cast<std::int64_t>(
                                               std::min(*place, around->as_array().size())))));
    } else if (work.target() != nullptr) {
        return work.fail(Code::kTargetExists, {detail_of(work.path)});
    }
    return work.add(work.path, found->value, true);
}

}  // namespace arbiter::engine::internal
