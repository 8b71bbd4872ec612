#include "engine/describe.h"

#include "base/check.h"
#include "engine/internal/work.h"
#include "proposal/operations.h"
#include "value/builder.h"
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

namespace {

// Makes records; those of one batch share their keys and their time.
class Recorder {
  public:
    explicit Recorder(const Context& context)
        : time_(std::string_view(print_instant(context.now))), actor_(name(context.actor)) {
        builder_.reserve(kMembersUsual);
    }

    Value record(const Proposal& proposal, const Verdict& verdict) {
        members_ = 0;
        put("opId", std::string_view(verdict.id));
        put("time", time_);
        put("actor", actor_);
        put("action", std::string_view(proposal.verb));
        put("key", std::string_view(shown(verdict.path)));
        put("status", name(verdict.status));
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
            put_said(*instruction);
        }
        put("dialect", name(proposal.dialect));
        begin("span");
        builder_.push(static_cast<std::int64_t>(proposal.span.begin));
        builder_.push(static_cast<std::int64_t>(proposal.span.end));
        builder_.close_array(2);
        if (!verdict.changes.empty()) {
            begin("changes");
            value::push_diff(builder_, verdict.changes);
        }
        const bool repeated = builder_.close_object(members_);
        CHECK(!repeated);
        return builder_.take();
    }

  private:
    // What the command says beside its value.
    void put_said(const Instruction& instruction) {
        if (!instruction.reason.empty()) {
            put("reason", instruction.reason);
        }
        if (!instruction.options.empty()) {
            put("options", instruction.options);
        }
        if (!instruction.metadata.empty()) {
            put("metadata", instruction.metadata);
        }
        if (const Value* tags = instruction.options.find("tags")) {
            put("tags", *tags);
        }
    }

    void begin(std::string_view key) {
        builder_.push_key(key);
        ++members_;
    }
    void put(std::string_view key, Value value) {
        begin(key);
        builder_.push(std::move(value));
    }

    static constexpr std::size_t kMembersUsual = 32;  // open at once, those of changes included

    const Value time_;
    const Value actor_;
    value::Builder builder_;
    std::size_t members_ = 0;
};

}  // namespace

Value audit_record(const Proposal& proposal, const Verdict& verdict, const Context& context) {
    return Recorder(context).record(proposal, verdict);
}

std::vector<Value> audit_records(std::span<const Proposal> proposals,
                                 std::span<const Verdict> verdicts, const Context& context) {
    CHECK(proposals.size() == verdicts.size());
    std::vector<Value> records;
    records.reserve(verdicts.size());
    Recorder recorder(context);
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        records.push_back(recorder.record(proposals[i], verdicts[i]));
    }
    return records;
}

Value audit_record(const Expired& expired, const Context& context) {
    return Object{{"opId", std::string_view(expired.id)},
                  {"time", std::string_view(print_instant(context.now))},
                  {"actor", name(Actor::kSystem)},
                  {"action", "expire"},
                  {"key", std::string_view(shown(expired.path))},
                  {"status", name(Status::kApplied)},
                  {"op", name(proposal::Op::kDelete)},
                  {"before", expired.value},
                  {"softDelete", expired.binned},
                  {"changes", value::diff_to_value(expired.changes)}};
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
