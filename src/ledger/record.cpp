#include "ledger/record.h"

#include <algorithm>

#include "ledger/stored_audit.h"
#include "turn/judge.h"
#include "value/hash.h"
#include "value/json.h"

namespace arbiter::ledger {

using base::ErrorCode;
using base::Result;
using engine::State;
using value::Array;
using value::Object;
using value::Value;

namespace {

constexpr std::string_view kChanges = "changes";

std::unexpected<base::Error> corrupt(const Record& record, std::string how) {
    return base::fail(ErrorCode::kCorrupt,
                      {"turn " + std::to_string(record.number), std::move(how)});
}

std::string hex(std::uint64_t number) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text(16, '0');
    for (std::size_t i = 16; i-- > 0; number >>= 4) {
        text[i] = kDigits[number & 15];
    }
    return text;
}

std::string_view text_in(const Object& object, std::string_view key) {
    const Value* found = object.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

// Only the audit records of commands name a dialect.
bool is_of_proposal(const Object& audit) {
    return audit.contains("dialect");
}

// The audit records in the order of their actions. One without an action, such as a refused
// command, is behind the one that was stored before it.
std::vector<std::size_t> order_of_audit(const Record& record) {
    std::vector<std::optional<std::size_t>> first(record.audit.size());
    for (std::size_t i = 0; i < record.actions.size(); ++i) {
        const auto& index = record.actions[i].audit;
        if (index && *index < first.size() && !first[*index]) {
            first[*index] = i + 1;
        }
    }
    std::vector<std::pair<std::size_t, std::size_t>> keyed;  // position, index
    std::size_t position = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        position = first[i].value_or(position);
        keyed.emplace_back(position, i);
    }
    std::ranges::sort(keyed);
    std::vector<std::size_t> order;
    order.reserve(keyed.size());
    for (const auto& each : keyed) {
        order.push_back(each.second);
    }
    return order;
}

// Restores the large values of audit records from the documents between the steps.
class LargeValues {
  public:
    LargeValues(const Record& record, const Value& before) : spans_(record.audit.size()) {
        documents_.push_back(before);
        std::size_t next = 0;
        for (const ActionEntry& entry : record.actions) {
            if (!entry.audit || *entry.audit >= spans_.size() || next >= record.steps.size()) {
                continue;
            }
            auto after = value::apply_diff(record.steps[next++], documents_.back());
            if (!after) {
                return;  // later values stay absent
            }
            documents_.push_back(*std::move(after));
            auto& span = spans_[*entry.audit];
            span = span ? Span{span->begin, next} : Span{next - 1, next};
        }
    }

    // Records are asked for in the order of their actions: one without an action is where the
    // one before it ended.
    Object restored(Object audit, std::size_t index, const Array& names) {
        at_ = spans_[index].value_or(Span{at_.end, at_.end});
        const std::string_view key = text_in(audit, "key");
        const auto path =
            key == "$" ? Result<value::Path>() : value::parse_path(key, value::PathSyntax::kDotted);
        Array missing;
        for (const Value& name : names) {
            const bool is_after = name.is_string() && name.as_string() == kAuditValues[1];
            const std::size_t document = is_after ? at_.end : at_.begin;
            const Value* found = path && name.is_string() && document < documents_.size()
                                     ? value::find(documents_[document], *path)
                                     : nullptr;
            if (found != nullptr) {
                audit = std::move(audit).set(value::Str(name.as_string()), *found);
            } else {
                missing = std::move(missing).push_back(name);
            }
        }
        return missing.empty() ? std::move(audit).erase(kLargeValues)
                               : std::move(audit).set(kLargeValues, std::move(missing));
    }
    // A record whose values are all there.
    void pass(std::size_t index) { at_ = spans_[index].value_or(Span{at_.end, at_.end}); }

  private:
    struct Span {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::vector<Value> documents_;            // [n] after n steps
    std::vector<std::optional<Span>> spans_;  // of each audit record: its documents
    Span at_;
};

const Array* large_values(const Value& audit) {
    const Value* names = audit.is_object() ? audit.as_object().find(kLargeValues) : nullptr;
    return names != nullptr && names->is_array() ? &names->as_array() : nullptr;
}

}  // namespace

Array audit_records(const Record& record, const Value* before) {
    const auto steps = steps_of_audit(record);
    const std::vector<Value> whole = restore_audit(record);
    std::optional<LargeValues> large;
    if (before != nullptr &&
        std::ranges::any_of(whole, [](const Value& each) { return large_values(each); })) {
        large.emplace(record, *before);
    }
    Array joined;
    for (const std::size_t i : order_of_audit(record)) {
        Value entry = whole[i];
        if (const Array* names = large_values(entry); large && names != nullptr) {
            entry = large->restored(entry.as_object(), i, Array(*names));
        } else if (large) {
            large->pass(i);
        }
        if (steps[i] && entry.is_object() && !entry.as_object().contains(kChanges)) {
            const value::Diff& changes = record.steps[*steps[i]];
            // A command that changed nothing has no such member; effects always do.
            if (!changes.empty() || !is_of_proposal(entry.as_object())) {
                entry = Object(entry.as_object()).set(kChanges, value::diff_to_value(changes));
            }
        }
        joined = std::move(joined).push_back(std::move(entry));
    }
    return joined;
}

Object derived_action(const Object& audit) {
    if (!is_of_proposal(audit)) {
        if (text_in(audit, "action") == "expire") {
            return {{"kind", "expire"}};
        }
        const std::string_view rule = text_in(audit, "reason");
        if (rule == turn::kSettleRule || rule == turn::kFinishRule) {
            return {{"kind", rule == turn::kSettleRule ? "settle" : "close"}};
        }
        return {{"kind", "rules"}, {"rules", Array{rule}}};
    }
    const std::string_view key = text_in(audit, "key");
    const auto path =
        key == "$" ? Result<value::Path>() : value::parse_path(key, value::PathSyntax::kDotted);
    return {{"kind", "command"},
            {"actor", text_in(audit, "actor")},
            {"op", text_in(audit, "op")},
            {"path", value::path_to_value(path ? *path : value::Path())}};
}

Array applied_actions(const Record& record) {
    Array log;
    const std::vector<Value> whole = restore_audit(record);
    std::size_t next = 0;
    for (const ActionEntry& entry : record.actions) {
        Object members = entry.members;
        if (entry.audit && *entry.audit < whole.size() && next < record.steps.size()) {
            const Value& audit = whole[*entry.audit];
            if (members.empty() && audit.is_object()) {
                members = derived_action(audit.as_object());
            }
            members = std::move(members).set(kChanges, value::diff_to_value(record.steps[next++]));
        }
        log = std::move(log).push_back(std::move(members));
    }
    return log;
}

std::string hash_of(const State& state) {
    return hex(value::seal(state.document).exact) + hex(value::seal(Value(state.meta)).exact);
}

std::string print_state(const State& state) {
    return value::print_json(Object{{"document", state.document}, {"meta", state.meta}});
}

Result<State> parse_state(std::string_view text) {
    const auto parsed = value::parse_json(text);
    const Value* document =
        parsed && parsed->is_object() ? parsed->as_object().find("document") : nullptr;
    const Value* meta = document != nullptr ? parsed->as_object().find("meta") : nullptr;
    if (meta == nullptr || !meta->is_object()) {
        return base::fail(ErrorCode::kCorrupt, {"a state", "it is not a document with metadata"});
    }
    return State{*document, meta->as_object()};
}

Result<Value> apply_steps(const std::vector<value::Diff>& steps, const Value& document) {
    Value after = document;
    for (const value::Diff& changes : steps) {
        auto applied = value::apply_diff(changes, std::move(after));
        if (!applied) {
            return applied;
        }
        after = *std::move(applied);
    }
    return after;
}

namespace {

Result<State> apply_changes(const State& before, const Record& record) {
    auto document = apply_steps(record.steps, before.document);
    auto meta = value::apply_diff(record.meta, Value(before.meta));
    if (!document || !meta || !meta->is_object()) {
        return corrupt(record, "its changes do not fit the turn before");
    }
    return State{*std::move(document), meta->as_object()};
}

}  // namespace

Result<State> step(const State& before, const Record& record) {
    auto after = apply_changes(before, record);
    if (after && hash_of(*after) != record.state) {
        return corrupt(record, "its state has another hash");
    }
    return after;
}

Result<> check_changes(const State& before, const Record& record, const State& after) {
    const auto reached = apply_changes(before, record);
    if (!reached) {
        return std::unexpected(reached.error());
    }
    if (!value::same_bytes(reached->document, after.document) ||
        !value::same_bytes(Value(reached->meta), Value(after.meta))) {
        return corrupt(record, "its changes do not lead to its state");
    }
    return {};
}

}  // namespace arbiter::ledger
