#include "ledger/stored_audit.h"

#include <algorithm>
#include <string>

#include "engine/describe.h"
#include "proposal/codec.h"
#include "proposal/operations.h"
#include "rules/effect.h"

namespace arbiter::ledger {

using engine::AuditForm;
using engine::Verdict;
using proposal::Proposal;
using value::Array;
using value::Change;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::string_view kOpId = "opId";
constexpr std::string_view kOp = "op";
constexpr std::string_view kKey = "key";
constexpr std::string_view kBefore = kAuditValues[0];
constexpr std::string_view kAfter = kAuditValues[1];
constexpr std::string_view kRoot = "$";  // the key of the whole document

// ---- The parts of a record that follow.

std::string id_of(std::string_view batch, std::size_t proposal) {
    return std::string(batch) + "-" + std::to_string(proposal);
}

engine::Actor author_of(std::size_t proposal, std::size_t player_proposals,
                        engine::Actor of_reply) {
    return proposal < player_proposals ? engine::Actor::kPlayer : of_reply;
}

std::string_view tool_of(const Proposal& proposal) {
    const proposal::ToolCall* call = proposal.tool_call();
    return call != nullptr ? call->tool.view() : std::string_view();
}

std::optional<proposal::Op> operation_of(const Proposal& proposal) {
    const proposal::Instruction* instruction = proposal.instruction();
    return instruction != nullptr ? std::optional(instruction->op) : std::nullopt;
}

// The value at a place before and after a change.
struct ShownChange {
    Path path;
    std::optional<Value> before;
    std::optional<Value> after;
};

ShownChange shown_change(const Change& change) {
    ShownChange shown{change.path, {}, {}};
    if (change.kind != Change::Kind::kAdd) {
        shown.before = change.before;
    }
    if (change.kind != Change::Kind::kRemove) {
        shown.after = change.after;
    }
    return shown;
}

bool is_same(const std::optional<Value>& a, const std::optional<Value>& b) {
    return a.has_value() == b.has_value() && (!a || value::same_bytes(*a, *b));
}

std::string key_of(const Path& path) {
    return path.empty() ? std::string(kRoot) : value::print_path(path, value::PathSyntax::kDotted);
}

std::optional<Path> path_of(std::string_view key) {
    if (key == kRoot) {
        return Path();
    }
    auto path = value::parse_path(key, value::PathSyntax::kDotted);
    return path ? std::optional(*std::move(path)) : std::nullopt;
}

// ---- Storing

// Adds the members by which `shown` differs from the first change of the step. False if its key
// cannot be read back.
template <typename Shown>
bool add_shown(Object& members, const Shown& shown, const value::Diff& step) {
    if (!step.empty() && step.front().path == shown.path) {
        const ShownChange first = shown_change(step.front());
        if (is_same(first.before, shown.before) && is_same(first.after, shown.after)) {
            return true;
        }
    }
    const std::string key = key_of(shown.path);
    if (path_of(key) != shown.path) {
        return false;
    }
    members = std::move(members).set(kKey, std::string_view(key));
    if (shown.before) {
        members = std::move(members).set(kBefore, *shown.before);
    }
    if (shown.after) {
        members = std::move(members).set(kAfter, *shown.after);
    }
    return true;
}

Value entry_of(Value subject, Object members) {
    return members.empty() ? subject : Value(Array{std::move(subject), std::move(members)});
}

// The entry of an applied proposal; none if its record has to be whole.
std::optional<Value> short_entry(const NewTurn& turn, std::size_t index, Changes changes) {
    const Proposal& proposal = turn.proposals[index];
    const Verdict& verdict = turn.outcome->verdicts[index];
    const bool is_plain =
        verdict.status == proposal::Status::kApplied && !verdict.problem &&
        verdict.warnings.empty() && verdict.remarks.empty() && verdict.left_out.empty() &&
        verdict.tool == tool_of(proposal) &&
        verdict.actor == author_of(index, turn.player_proposals, turn.context.actor);
    const std::optional<proposal::Op> op = operation_of(proposal);
    if (!is_plain || (op && !verdict.op) ||
        (changes == Changes::kOwn && !verdict.changes.empty())) {
        return std::nullopt;
    }
    Object members;
    if (verdict.op != op) {
        members = std::move(members).set(kOp, name(*verdict.op));
    }
    if (verdict.id != id_of(turn.context.batch_id, index)) {
        members = std::move(members).set(kOpId, std::string_view(verdict.id));
    }
    if (!add_shown(members, verdict, verdict.changes)) {
        return std::nullopt;
    }
    return entry_of(static_cast<std::int64_t>(index), std::move(members));
}

std::optional<Value> short_entry(const rules::Effect& effect, Changes changes) {
    Object members;
    const bool fits = changes == Changes::kInStep && !effect.path.empty() &&
                      add_shown(members, effect, effect.changes);
    return fits ? std::optional(entry_of(std::string_view(effect.rule), std::move(members)))
                : std::nullopt;
}

// ---- Restoring

// An entry that is not a whole record.
struct ShortEntry {
    std::optional<std::size_t> proposal;
    std::string_view rule;  // unless it is of a proposal
    Object members;
};

std::optional<ShortEntry> parse_entry(const Value& entry) {
    const bool is_pair =
        entry.is_array() && entry.as_array().size() == 2 && entry.as_array()[1].is_object();
    if (entry.is_array() && !is_pair) {
        return std::nullopt;
    }
    const Value& subject = is_pair ? entry.as_array()[0] : entry;
    ShortEntry parsed;
    if (subject.is_int() && subject.as_int() >= 0) {
        parsed.proposal = static_cast<std::size_t>(subject.as_int());
    } else if (subject.is_string()) {
        parsed.rule = subject.as_string();
    } else {
        return std::nullopt;
    }
    if (is_pair) {
        parsed.members = entry.as_array()[1].as_object();
    }
    return parsed;
}

std::optional<Value> member(const Object& members, std::string_view key) {
    const Value* found = members.find(key);
    return found != nullptr ? std::optional(*found) : std::nullopt;
}

std::optional<std::string> text_member(const Object& members, std::string_view key) {
    const Value* found = members.find(key);
    return found != nullptr && found->is_string() ? std::optional(std::string(found->as_string()))
                                                  : std::nullopt;
}

std::optional<proposal::Op> find_operation(std::string_view text) {
    const auto all = proposal::operations();
    const auto found = std::ranges::find(all, text, &proposal::Operation::name);
    return found != all.end() ? std::optional(found->op) : std::nullopt;
}

// Restores the records of one turn.
class Restorer {
  public:
    explicit Restorer(const Record& record)
        : record_(record),
          context_{record.time, record.actor, record.batch},
          steps_(steps_of_audit(record)) {}

    std::vector<Value> run() {
        std::vector<Value> records;
        records.reserve(record_.audit.size());
        bool has_short = false;
        for (const Value& entry : record_.audit) {
            has_short = has_short || !entry.is_object();
            records.push_back(entry);
        }
        if (record_.format < 3 || !has_short) {
            return records;
        }
        decode_proposals();
        restore_proposals(records);
        const std::size_t first_effect = expired_ + proposals_.size();
        for (std::size_t i = 0; i < records.size(); ++i) {
            if (!records[i].is_object()) {
                records[i] = effect_record(i, first_effect);
            }
        }
        return records;
    }

  private:
    void decode_proposals() {
        for (const Array* encoded : {&record_.said_proposals, &record_.proposals}) {
            auto decoded = proposal::decode(*encoded, {});
            if (!decoded) {
                proposals_.clear();
                return;
            }
            std::ranges::move(*decoded, std::back_inserter(proposals_));
        }
        // Expired nodes come first and are always whole.
        const std::size_t size = record_.audit.size();
        while (expired_ < size && is_expiry(record_.audit[expired_])) {
            ++expired_;
        }
    }
    static bool is_expiry(const Value& entry) {
        const Value* action = value::find_member(&entry, "action");
        return action != nullptr && action->is_string() && action->as_string() == "expire" &&
               value::find_member(&entry, "dialect") == nullptr;
    }

    // The first change of an entry's step, or what its members say.
    [[nodiscard]] std::optional<ShownChange> shown_in(std::size_t index,
                                                      const Object& members) const {
        if (const auto key = text_member(members, kKey)) {
            auto path = path_of(*key);
            return path ? std::optional(ShownChange{*std::move(path), member(members, kBefore),
                                                    member(members, kAfter)})
                        : std::nullopt;
        }
        const auto step = steps_[index];
        return step && !record_.steps[*step].empty()
                   ? std::optional(shown_change(record_.steps[*step].front()))
                   : std::nullopt;
    }

    std::optional<Verdict> verdict_of(std::size_t index, const ShortEntry& entry) const {
        const std::size_t number = *entry.proposal;
        auto shown = shown_in(index, entry.members);
        if (!shown) {
            return std::nullopt;
        }
        const Proposal& proposal = proposals_[number];
        Verdict verdict;
        verdict.path = std::move(shown->path);
        verdict.before = std::move(shown->before);
        verdict.after = std::move(shown->after);
        verdict.id = text_member(entry.members, kOpId).value_or(id_of(record_.batch, number));
        verdict.actor = author_of(number, record_.said_proposals.size(), record_.actor);
        verdict.tool = tool_of(proposal);
        verdict.op = operation_of(proposal);
        if (const auto op = text_member(entry.members, kOp)) {
            verdict.op = find_operation(*op);
        }
        return verdict;
    }

    void restore_proposals(std::vector<Value>& records) {
        engine::Outcome outcome;
        outcome.verdicts.resize(proposals_.size());
        std::vector<AuditForm> forms(proposals_.size(), AuditForm::kNull);
        std::vector<std::pair<std::size_t, ShortEntry>> wanted;
        for (std::size_t i = 0; i < records.size(); ++i) {
            auto entry = parse_entry(records[i]);
            if (!entry || !entry->proposal || *entry->proposal >= proposals_.size() ||
                i != expired_ + *entry->proposal) {
                continue;
            }
            if (auto verdict = verdict_of(i, *entry)) {
                outcome.verdicts[*entry->proposal] = *std::move(verdict);
                forms[*entry->proposal] = AuditForm::kWithoutChanges;
                wanted.emplace_back(i, *std::move(entry));
            }
        }
        const std::vector<Value> made = engine::audit_records(proposals_, outcome, context_, forms);
        for (const auto& [index, entry] : wanted) {
            records[index] = with_large(made[*entry.proposal].as_object(), entry.members);
        }
    }

    [[nodiscard]] Value effect_record(std::size_t index, std::size_t first_effect) const {
        const auto entry = parse_entry(record_.audit[index]);
        const auto shown =
            entry && !entry->proposal ? shown_in(index, entry->members) : std::nullopt;
        if (!shown || index < first_effect) {
            return Object();
        }
        const rules::Effect effect{
            std::string(entry->rule), shown->path, shown->before, shown->after, {}};
        const Value whole = rules::audit_record(effect, index - first_effect, context_, false);
        return with_large(whole.as_object(), entry->members);
    }

    static Value with_large(Object whole, const Object& members) {
        const Value* large = members.find(kLargeValues);
        return large != nullptr ? std::move(whole).set(kLargeValues, *large) : whole;
    }

    const Record& record_;
    const engine::Context context_;
    const std::vector<std::optional<std::size_t>> steps_;
    std::vector<Proposal> proposals_;
    std::size_t expired_ = 0;
};

}  // namespace

std::vector<Value> store_audit(const NewTurn& turn, const std::vector<Changes>& changes) {
    const std::size_t expired = turn.outcome->expired.size();
    std::vector<AuditForm> forms;
    forms.reserve(expired + turn.proposals.size());
    const auto form_of = [](Changes each) {
        return each == Changes::kInStep ? AuditForm::kWithoutChanges : AuditForm::kWhole;
    };
    for (std::size_t i = 0; i < expired; ++i) {
        forms.push_back(form_of(changes[i]));
    }
    std::vector<std::optional<Value>> entries;
    entries.reserve(turn.proposals.size());
    for (std::size_t i = 0; i < turn.proposals.size(); ++i) {
        entries.push_back(short_entry(turn, i, changes[expired + i]));
        forms.push_back(entries.back() ? AuditForm::kNull : form_of(changes[expired + i]));
    }
    std::vector<Value> audit =
        engine::audit_records(turn.proposals, *turn.outcome, turn.context, forms);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i]) {
            audit[expired + i] = *std::move(entries[i]);
        }
    }
    for (std::size_t i = 0; i < turn.effects.size(); ++i) {
        const Changes each = changes[audit.size()];
        auto entry = short_entry(turn.effects[i], each);
        audit.push_back(
            entry ? *std::move(entry)
                  : rules::audit_record(turn.effects[i], i, turn.context, each == Changes::kOwn));
    }
    return audit;
}

std::vector<Value> restore_audit(const Record& record) {
    return Restorer(record).run();
}

std::vector<std::optional<std::size_t>> steps_of_audit(const Record& record) {
    std::vector<std::optional<std::size_t>> steps(record.audit.size());
    std::vector<std::size_t> references(record.audit.size());
    std::size_t next = 0;
    for (const ActionEntry& entry : record.actions) {
        if (entry.audit && *entry.audit < steps.size() && next < record.steps.size()) {
            steps[*entry.audit] = next++;
            ++references[*entry.audit];
        }
    }
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (references[i] > 1) {
            steps[i].reset();
        }
    }
    return steps;
}

}  // namespace arbiter::ledger
