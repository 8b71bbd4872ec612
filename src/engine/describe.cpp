#include "engine/describe.h"

#include <array>

#include "base/check.h"
#include "base/limits.h"
#include "engine/internal/details.h"
#include "proposal/operations.h"
#include "value/builder.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::engine {

using internal::detail_of;
using proposal::Instruction;
using proposal::Proposal;
using proposal::Status;
using value::Array;
using value::Object;
using value::Value;

namespace {

// The code of a problem; of a refused tool call the reason of its tool.
std::string_view code_of(const Verdict& verdict) {
    return verdict.reason.empty() ? name(verdict.problem->code) : std::string_view(verdict.reason);
}

}  // namespace

std::string describe(const Verdict& verdict) {
    std::string line(name(verdict.status));
    line += ' ';
    if (verdict.op) {
        line += name(*verdict.op);
    } else {
        line += verdict.tool.empty() ? std::string_view("?") : std::string_view(verdict.tool);
    }
    if (!verdict.path.empty()) {
        line += ' ' + detail_of(verdict.path);
    }
    if (verdict.status == Status::kApplied && !verdict.changes.empty()) {
        line += ": " + (verdict.before ? detail_of(*verdict.before) : std::string("-")) + " → " +
                (verdict.after ? detail_of(*verdict.after) : std::string("-"));
    }
    if (verdict.value) {
        line += " = " + detail_of(*verdict.value);
    }
    for (const proposal::Warning warning : verdict.warnings.list()) {
        line += " ! ";
        line += name(warning);
    }
    if (verdict.problem && verdict.status != Status::kRolledBack) {
        line += " X ";
        line += code_of(verdict);
    }
    return line;
}

namespace {

// The fields of a record, in their order.
enum class Field : std::uint8_t {
    kOpId,
    kTime,
    kActor,
    kAction,
    kKey,
    kStatus,
    kOp,
    kTool,
    kBefore,
    kAfter,
    kCode,
    kValue,
    kExpected,
    kActual,
    kDetails,
    kWarnings,
    kRemarks,
    kLeftOut,
    kReason,
    kOptions,
    kMetadata,
    kTags,
    kDialect,
    kSpan,
    kChanges,
    kCount
};
constexpr auto kFieldNames = std::to_array<std::string_view>(
    {"opId",    "time",     "actor",   "action",  "key",    "status",   "op",
     "tool",    "before",   "after",   "code",    "value",  "expected", "actual",
     "details", "warnings", "remarks", "leftOut", "reason", "options",  "metadata",
     "tags",    "dialect",  "span",    "changes"});
static_assert(kFieldNames.size() == static_cast<std::size_t>(Field::kCount));

// Builds records. Those of one batch share their keys and time.
class Recorder {
  public:
    explicit Recorder(const Context& context)
        : time_(std::string_view(print_instant(context.now))) {
        builder_.reserve(kMembersUsual);
    }

    Value record(const Proposal& proposal, const Verdict& verdict, bool has_changes) {
        fields_ = 0;
        put(Field::kOpId, std::string_view(verdict.id));
        put(Field::kTime, time_);
        put(Field::kActor, name(verdict.actor));
        put(Field::kAction, std::string_view(verdict.tool.empty() ? proposal.verb : verdict.tool));
        put(Field::kKey, key_of(verdict));
        put(Field::kStatus, name(verdict.status));
        if (verdict.op) {
            put(Field::kOp, name(*verdict.op));
        }
        if (!verdict.tool.empty()) {
            put(Field::kTool, std::string_view(verdict.tool));
        }
        if (verdict.before) {
            put(Field::kBefore, *verdict.before);
        }
        if (verdict.after) {
            put(Field::kAfter, *verdict.after);
        }
        if (verdict.problem) {
            put_problem(proposal, verdict);
        }
        if (!verdict.warnings.empty()) {
            Array warnings;
            for (const proposal::Warning warning : verdict.warnings.list()) {
                warnings = std::move(warnings).push_back(name(warning));
            }
            put(Field::kWarnings, std::move(warnings));
        }
        if (!verdict.remarks.empty()) {
            Array remarks;
            for (const proposal::Remark& remark : verdict.remarks) {
                remarks =
                    std::move(remarks).push_back(words_of(name(remark.warning), remark.details));
            }
            put(Field::kRemarks, std::move(remarks));
        }
        if (!verdict.left_out.empty()) {
            Array left_out;
            for (const std::string_view feature : verdict.left_out) {
                left_out = std::move(left_out).push_back(feature);
            }
            put(Field::kLeftOut, std::move(left_out));
        }
        if (const Instruction* instruction = proposal.instruction()) {
            put_statement(*instruction);
        }
        put(Field::kDialect, name(proposal.dialect));
        begin(Field::kSpan);
        builder_.push(static_cast<std::int64_t>(proposal.span.begin));
        builder_.push(static_cast<std::int64_t>(proposal.span.end));
        builder_.close_array(2);
        if (has_changes && !verdict.changes.empty()) {
            begin(Field::kChanges);
            value::push_diff(builder_, verdict.changes);
        }
        return close();
    }

  private:
    static Array words_of(std::string_view name, const std::vector<std::string>& details) {
        Array words = {name};
        for (const std::string& detail : details) {
            words = std::move(words).push_back(std::string_view(detail));
        }
        return words;
    }

    // The refusal, so that the record explains itself: what was asked for, what would have been
    // accepted and what was there.
    void put_problem(const Proposal& proposal, const Verdict& verdict) {
        const proposal::Problem& problem = *verdict.problem;
        put(Field::kCode, code_of(verdict));
        const Instruction* instruction = proposal.instruction();
        const proposal::ToolCall* call = proposal.tool_call();
        if (instruction != nullptr && instruction->value) {
            put(Field::kValue, *instruction->value);
        } else if (call != nullptr && value::weigh(call->args) <= base::kToolArgsWeightMax) {
            put(Field::kValue, call->args);
        }
        const auto put_detail = [&](Field field, std::optional<std::size_t> index) {
            if (index && *index < problem.details.size()) {
                put(field, std::string_view(problem.details[*index]));
            }
        };
        const Sides sides = sides_of(problem);
        put_detail(Field::kExpected, sides.expected);
        put_detail(Field::kActual, sides.actual);
        if (!problem.details.empty()) {
            Array details;
            for (const std::string& detail : problem.details) {
                details = std::move(details).push_back(std::string_view(detail));
            }
            put(Field::kDetails, std::move(details));
        }
    }

    // Which details of a problem are the expected and the actual state of things.
    struct Sides {
        std::optional<std::size_t> expected = {};
        std::optional<std::size_t> actual = {};
    };
    static Sides sides_of(const proposal::Problem& problem) {
        switch (problem.code) {
            case proposal::Code::kVersionConflict:
            case proposal::Code::kExpectFailed:
            case proposal::Code::kOldMismatch:
            case proposal::Code::kTestFailed:
                return {1, 2};
            case proposal::Code::kTypeMismatch:
                return problem.details.size() == 4 ? Sides{1, 2} : Sides{2, 1};
            case proposal::Code::kBadPrefix:
            case proposal::Code::kBadOptions:
            case proposal::Code::kBadValue:
            case proposal::Code::kUnknownAction:
            case proposal::Code::kConstraint:
                return {1, std::nullopt};
            case proposal::Code::kBadEntry:
                return {std::nullopt, 0};
            default:
                return {};
        }
    }

    // The reason, options, metadata and tags of a command.
    void put_statement(const Instruction& instruction) {
        if (!instruction.reason.empty()) {
            put(Field::kReason, instruction.reason);
        }
        if (!instruction.options.empty()) {
            put(Field::kOptions, instruction.options);
        }
        if (!instruction.metadata.empty()) {
            put(Field::kMetadata, instruction.metadata);
        }
        if (const Value* tags = instruction.options.find("tags")) {
            put(Field::kTags, *tags);
        }
    }

    std::string_view key_of(const Verdict& verdict) {
        if (verdict.path.empty()) {
            return "$";
        }
        value::print_path_into(key_, verdict.path);
        return key_;
    }

    void begin(Field field) { fields_ |= 1U << static_cast<unsigned>(field); }
    void put(Field field, Value value) {
        begin(field);
        builder_.push(std::move(value));
    }

    // Records with the same fields share their keys.
    Value close() {
        for (const auto& [fields, model] : models_) {
            if (fields == fields_) {
                builder_.close_object_like(model);
                return builder_.take();
            }
        }
        std::size_t members = 0;
        for (std::size_t i = 0; i < kFieldNames.size(); ++i) {
            if ((fields_ & (1U << i)) != 0) {
                builder_.push_key(kFieldNames[i]);
                ++members;
            }
        }
        const bool repeated = builder_.close_object(members);
        CHECK(!repeated);
        Value record = builder_.take();
        if (models_.size() < kModelsMax) {
            models_.emplace_back(fields_, record);
        }
        return record;
    }

    static constexpr std::size_t kMembersUsual = 32;  // pending at once, with those of changes
    static constexpr std::size_t kModelsMax = 8;      // replies rarely have more sets of fields

    const Value time_;
    value::Builder builder_;
    std::string key_;
    std::uint32_t fields_ = 0;  // of the record so far, as bits
    std::vector<std::pair<std::uint32_t, Value>> models_;
};

Value expiry_record(const Expired& expired, const Context& context, bool has_changes) {
    const bool refused = !expired.kept.empty() && expired.changes.empty();
    Object record = {{"opId", std::string_view(expired.id)},
                     {"time", std::string_view(print_instant(context.now))},
                     {"actor", name(Actor::kSystem)},
                     {"action", "expire"},
                     {"key", std::string_view(detail_of(expired.path))},
                     {"status", name(refused ? Status::kRejected : Status::kApplied)},
                     {"op", name(proposal::Op::kDelete)},
                     {"before", expired.value},
                     {"softDelete", expired.binned}};
    if (has_changes) {
        record = std::move(record).set("changes", value::diff_to_value(expired.changes));
    }
    if (!expired.kept.empty()) {
        Array kept;
        for (const value::Path& path : expired.kept) {
            kept = std::move(kept).push_back(std::string_view(detail_of(path)));
        }
        record = std::move(record).set("code", name(proposal::Code::kProtected));
        record = std::move(record).set("kept", std::move(kept));
    }
    return record;
}

}  // namespace

std::vector<Value> audit_records(std::span<const Proposal> proposals, const Outcome& outcome,
                                 const Context& context, std::span<const AuditForm> forms) {
    CHECK(proposals.size() == outcome.verdicts.size());
    std::vector<Value> records;
    records.reserve(outcome.expired.size() + outcome.verdicts.size());
    const auto next_form = [&] {
        return records.size() < forms.size() ? forms[records.size()] : AuditForm::kWhole;
    };
    for (const Expired& expired : outcome.expired) {
        const AuditForm form = next_form();
        records.push_back(form == AuditForm::kNull
                              ? Value()
                              : expiry_record(expired, context, form == AuditForm::kWhole));
    }
    Recorder recorder(context);
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        const AuditForm form = next_form();
        records.push_back(
            form == AuditForm::kNull
                ? Value()
                : recorder.record(proposals[i], outcome.verdicts[i], form == AuditForm::kWhole));
    }
    return records;
}

base::Result<Value> undo(const Value& document, std::span<const Value> records) {
    Value undone = document;
    for (std::size_t i = records.size(); i > 0; --i) {
        const Value& record = records[i - 1];
        const Value* changes = value::find_member(&record, "changes");
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
