#include "engine/bin.h"

#include <algorithm>

#include "engine/internal/work.h"
#include "proposal/shape.h"
#include "value/array.h"

namespace arbiter::engine {

using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using value::Array;
using value::Object;
using value::Path;
using value::Segment;
using value::Value;

namespace {

std::string text_in(const Object& record, std::string_view key) {
    const Value* found = record.find(key);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : "";
}

std::optional<Binned> read_record(const Value& record, Path where) {
    const Value* key = record.is_object() ? record.as_object().find("key") : nullptr;
    const Value* value = record.is_object() ? record.as_object().find("value") : nullptr;
    if (key == nullptr || !key->is_string() || value == nullptr) {
        return std::nullopt;
    }
    auto place = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
    if (!place || place->empty()) {
        return std::nullopt;
    }
    const Object& object = record.as_object();
    return Binned{std::move(*place),         *value,
                  text_in(object, "opId"),   text_in(object, "deletedAt"),
                  text_in(object, "reason"), std::move(where)};
}

// Keys of digits and indexes are one.
bool same_place(const Path& a, const Path& b) {
    return std::ranges::equal(
        a, b, [](const Segment& x, const Segment& y) { return x.as_key() == y.as_key(); });
}

Path inside(const Path& bin, Segment member) {
    Path path = bin;
    path.push_back(std::move(member));
    return path;
}

}  // namespace

std::vector<Binned> list_bin(const Value& document, const Path& bin) {
    std::vector<Binned> found;
    const Value* records = value::find(document, bin);
    const auto add = [&](const Value& record, Segment member) {
        if (auto read = read_record(record, inside(bin, std::move(member)))) {
            found.push_back(std::move(*read));
        }
    };
    if (records != nullptr && records->is_array()) {
        for (std::size_t i = 0; i < records->as_array().size(); ++i) {
            add(records->as_array()[i], static_cast<std::int64_t>(i));
        }
    } else if (records != nullptr && records->is_object()) {
        for (const auto& [key, record] : records->as_object()) {
            add(record, key);
        }
    }
    return found;
}

std::optional<Proposal> propose_restore(const Value& document, const Path& bin,
                                        std::string_view what) {
    const auto place = value::parse_any_path(what);
    const std::vector<Binned> records = list_bin(document, bin);
    const auto by_id = std::ranges::find_if(
        records.rbegin(), records.rend(),
        [&](const Binned& each) { return !each.id.empty() && each.id == what; });
    const auto chosen =
        by_id != records.rend()
            ? by_id
            : std::ranges::find_if(records.rbegin(), records.rend(), [&](const Binned& each) {
                  return place && same_place(each.place, *place);
              });
    if (chosen == records.rend()) {
        return std::nullopt;
    }
    Instruction instruction;
    instruction.op = Op::kRestore;
    instruction.path = chosen->place;
    if (!chosen->id.empty()) {
        instruction.key = Value(std::string_view(chosen->id));
    }
    instruction.options = Object{
        {"recycleBinKey", std::string_view(value::print_path(bin, value::PathSyntax::kDotted))}};
    Proposal proposal;
    proposal.verb = "restore";
    proposal.what = std::move(instruction);
    proposal::check_shape(proposal);
    return proposal;
}

namespace internal {

std::optional<Path> bin_for(Work& work, const Path& where) {
    Path bin = work.policy.recycle_bin;
    if (const Value* key = work.option("recycleBinKey")) {
        const auto parsed = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
        const Path& root = work.policy.tavern_root;
        const bool outside =
            !parsed || parsed->size() <= root.size() || !begins_with(*parsed, root);
        if (!parsed || (outside && work.instruction.op != Op::kRestore)) {
            work.fail(Code::kBadPrefix, {std::string(key->as_string()), shown(root) + "."});
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
    const Path place = canonical(where, work.document());
    // Nothing can lie in what lies in it.
    if (!place.empty() && bin.size() > place.size() && begins_with(bin, place)) {
        work.fail(Code::kBadOptions,
                  {"recycleBinKey", "a place outside of what is deleted (被删除内容之外的位置)"});
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
        return std::pair(inside(bin, end), Value(std::move(record)));
    }
    if (!present->is_object()) {
        return std::nullopt;
    }
    const std::string id = text_in(record, "opId");
    std::string name = id;
    for (std::size_t i = 2; present->as_object().contains(name); ++i) {
        name = id + "-" + std::to_string(i);
    }
    return std::pair(inside(bin, std::string_view(name)), Value(std::move(record)));
}

bool soft_delete(Work& work, const Path& where, const Value& old) {
    const auto bin = bin_for(work, where);
    if (!bin) {
        return false;
    }
    if (begins_with(canonical(where, work.document()), *bin)) {
        work.warn(Warning::kHardDeleted);
        return work.erase(where);
    }
    Object record = {{"key", std::string_view(shown(where))},
                     {"value", old},
                     {"deletedAt", std::string_view(print_instant(work.context.now))},
                     {"opId", std::string_view(work.verdict.id)}};
    if (!work.instruction.reason.empty()) {
        record = std::move(record).set("reason", work.instruction.reason);
    }
    auto slot = bin_slot(work.document(), *bin, std::move(record));
    if (!slot) {
        return work.fail(Code::kTypeMismatch,
                         {shown(*bin), std::string(kind_text(*work.at(*bin))), "array / object"});
    }
    // First into the bin: what goes from a list may shift the way to it.
    return work.put(slot->first, std::move(slot->second), true) && work.erase(where);
}

bool run_restore(Work& work) {
    const auto bin = bin_for(work, {});
    if (!bin) {
        return false;
    }
    const std::vector<Binned> records = list_bin(work.document(), *bin);
    const std::optional<Value>& id = work.instruction.key;
    const auto found =
        std::ranges::find_if(records.rbegin(), records.rend(), [&](const Binned& each) {
            return same_place(each.place, work.path) &&
                   (!id || (id->is_string() && id->as_string() == each.id));
        });
    if (found == records.rend()) {
        return work.fail(Code::kNotFound, {shown(*bin) + " ← " + shown(work.path)});
    }
    // The record goes first: what comes may shift the way to it.
    if (!work.erase(found->record)) {
        return false;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    const Value* around = work.at(parent);
    if (around != nullptr && around->is_array()) {
        const auto place = work.path.back().as_position();
        if (!place) {
            return work.fail(Code::kBadIndex,
                             {shown(work.path), std::to_string(around->as_array().size())});
        }
        work.lead_to(with_last(work.path, Segment(static_cast<std::int64_t>(
                                              std::min(*place, around->as_array().size())))));
    } else if (work.target() != nullptr) {
        return work.fail(Code::kTargetExists, {shown(work.path)});
    }
    return work.add(work.path, found->value, true);
}

}  // namespace internal
}  // namespace arbiter::engine
