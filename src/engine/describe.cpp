#include "engine/describe.h"

#include "engine/internal/work.h"
#include "proposal/operations.h"
#include "value/json.h"

namespace arbiter::engine {

using internal::shown;
using proposal::Instruction;
using proposal::Proposal;
using proposal::Status;
using value::Array;
using value::Object;
using value::Value;

std::string describe(const Verdict& verdict) {
    std::string line(name(verdict.status));
    line += ' ';
    line += verdict.op ? name(*verdict.op) : std::string_view("?");
    if (!verdict.path.empty()) {
        line += ' ' + shown(verdict.path);
    }
    if (verdict.status == Status::kApplied && !verdict.changes.empty()) {
        line += ": " + (verdict.before ? shown(*verdict.before) : std::string("-")) + " → " +
                (verdict.after ? shown(*verdict.after) : std::string("-"));
    }
    if (verdict.value) {
        line += " = " + shown(*verdict.value);
    }
    for (const proposal::Warning warning : verdict.warnings.list()) {
        line += " ! ";
        line += name(warning);
    }
    if (verdict.problem && verdict.status != Status::kRolledBack) {
        line += " X ";
        line += name(verdict.problem->code);
    }
    return line;
}

Value audit_record(const Proposal& proposal, const Verdict& verdict, const Context& context) {
    Object record = {{"opId", std::string_view(verdict.id)},
                     {"time", std::string_view(print_instant(context.now))},
                     {"actor", name(context.actor)},
                     {"action", std::string_view(proposal.verb)},
                     {"key", std::string_view(shown(verdict.path))},
                     {"status", name(verdict.status)}};
    const auto put = [&record](std::string_view key, Value value) {
        record = std::move(record).set(key, std::move(value));
    };
    if (verdict.op) {
        put("op", name(*verdict.op));
    }
    if (verdict.before) {
        put("before", *verdict.before);
    }
    if (verdict.after) {
        put("after", *verdict.after);
    }
    if (verdict.problem) {
        put("code", name(verdict.problem->code));
    }
    Array warnings;
    for (const proposal::Warning warning : verdict.warnings.list()) {
        warnings = std::move(warnings).push_back(name(warning));
    }
    if (!warnings.empty()) {
        put("warnings", std::move(warnings));
    }
    Array left_out;
    for (const std::string_view feature : verdict.left_out) {
        left_out = std::move(left_out).push_back(feature);
    }
    if (!left_out.empty()) {
        put("leftOut", std::move(left_out));
    }
    if (const Instruction* instruction = proposal.instruction()) {
        if (!instruction->reason.empty()) {
            put("reason", instruction->reason);
        }
        if (!instruction->options.empty()) {
            put("options", instruction->options);
        }
        if (!instruction->metadata.empty()) {
            put("metadata", instruction->metadata);
        }
        if (const Value* tags = instruction->options.find("tags")) {
            put("tags", *tags);
        }
    }
    put("dialect", name(proposal.dialect));
    put("span", Array{static_cast<std::int64_t>(proposal.span.begin),
                      static_cast<std::int64_t>(proposal.span.end)});
    if (!verdict.changes.empty()) {
        put("changes", value::diff_to_value(verdict.changes));
    }
    return record;
}

base::Result<Value> undo(const Value& document, std::span<const Value> records) {
    Value undone = document;
    for (std::size_t i = records.size(); i > 0; --i) {
        const Value& record = records[i - 1];
        const Value* changes = record.is_object() ? record.as_object().find("changes") : nullptr;
        if (changes == nullptr) {
            continue;
        }
        const auto diff = value::diff_from_value(*changes);
        if (!diff) {
            return std::unexpected(diff.error());
        }
        auto before = value::apply_diff(value::invert(*diff), undone);
        if (!before) {
            return std::unexpected(before.error());
        }
        undone = std::move(*before);
    }
    return undone;
}

}  // namespace arbiter::engine
