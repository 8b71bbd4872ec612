#include "engine/bin.h"

#include <algorithm>

#include "engine/internal/paths.h"
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

std::optional<BinRecord> read_record(const Value& record, Path where) {
    const Value* key = value::find_member(&record, "key");
    const Value* value = value::find_member(&record, "value");
    if (key == nullptr || !key->is_string() || value == nullptr) {
        return std::nullopt;
    }
    auto place = value::parse_path(key->as_string(), value::PathSyntax::kDotted);
    if (!place || place->empty()) {
        return std::nullopt;
    }
    const Object& object = record.as_object();
    return BinRecord{std::move(*place),         *value,
                     text_in(object, "opId"),   text_in(object, "deletedAt"),
                     text_in(object, "reason"), std::move(where)};
}

}  // namespace

std::vector<BinRecord> list_bin(const Value& document, const Path& bin) {
    std::vector<BinRecord> found;
    const Value* records = value::find(document, bin);
    const auto add = [&](const Value& record, Segment member) {
        if (auto read = read_record(record, internal::child_of(bin, std::move(member)))) {
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
    const std::vector<BinRecord> records = list_bin(document, bin);
    const auto by_id = std::ranges::find_if(
        records.rbegin(), records.rend(),
        [&](const BinRecord& each) { return !each.id.empty() && each.id == what; });
    const auto chosen =
        by_id != records.rend()
            ? by_id
            : std::ranges::find_if(records.rbegin(), records.rend(), [&](const BinRecord& each) {
                  return place && internal::is_same_address(each.place, *place);
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

}  // namespace arbiter::engine
