#include "engine/legacy_commands.h"

#include <algorithm>

#include "base/check.h"
#include "engine/internal/paths.h"
#include "engine/plain_commands.h"
#include "value/array.h"
#include "value/editor.h"

namespace arbiter::engine {

using internal::begins_with;
using proposal::Instruction;
using proposal::Op;
using proposal::Proposal;
using proposal::Status;
using value::Array;
using value::Path;
using value::Value;

namespace {

using Commands = std::vector<Proposal>;

Proposal set_to(Path path, Value value) {
    return plain_command(Op::kSet, "set", std::move(path), std::move(value));
}

// The sum as 1.0 calculates it, without rounding.
std::optional<Value> sum(const Value* present, const Value& delta) {
    const Value left = present != nullptr ? *present : Value(0);
    if (!left.is_number() || !delta.is_number()) {
        return std::nullopt;
    }
    std::int64_t whole = 0;
    if (left.is_int() && delta.is_int() &&
        !__builtin_add_overflow(left.as_int(), delta.as_int(), &whole)) {
        return Value(whole);
    }
    return Value(left.as_double() + delta.as_double());
}

// The document after a command as 1.0 carries it out; nothing if implementations of 1.0 differ.
std::optional<Value> carry_out(const Value& document, const Proposal& asked) {
    const Instruction& what = *asked.instruction();
    const Value* present = value::find(document, what.path);
    const auto put = [&](Value value) -> std::optional<Value> {
        auto done = value::set(document, what.path, std::move(value), value::Parents::kCreate);
        return done ? std::optional(std::move(*done)) : std::nullopt;
    };
    switch (what.op) {
        case Op::kSet:
            return put(*what.value);
        case Op::kAdd: {
            auto result = sum(present, *what.value);
            return result ? put(std::move(*result)) : std::nullopt;
        }
        case Op::kPush:
            // Some implementations drop a value that is pushed to a missing array.
            return present != nullptr && present->is_array()
                       ? put(present->as_array().push_back(*what.value))
                       : std::nullopt;
        case Op::kPull: {
            if (present == nullptr || !present->is_array()) {
                return std::nullopt;
            }
            const Array& list = present->as_array();
            for (std::size_t i = 0; i < list.size(); ++i) {
                if (list[i] == *what.value) {
                    return put(list.erase(i));
                }
            }
            return std::nullopt;
        }
        case Op::kDelete: {
            auto done = value::erase(document, what.path);
            return done ? std::optional(std::move(*done)) : std::nullopt;
        }
        case Op::kMerge:
        case Op::kEnsure:
        case Op::kIncrement:
        case Op::kInsert:
        case Op::kPop:
        case Op::kSplice:
        case Op::kMove:
        case Op::kCopy:
        case Op::kGet:
        case Op::kCallback:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    return std::nullopt;
}

bool leads_to(const Commands& commands, Value document, const Value& expected) {
    for (const Proposal& each : commands) {
        auto next = carry_out(document, each);
        if (!next) {
            return false;
        }
        document = std::move(*next);
    }
    return document == expected;
}

// The command itself without its options; empty if 1.0 does not have it.
Commands as_written(const Instruction& what, const Path& path, std::optional<Op> done) {
    const auto with_value = [&](Op op, std::string_view verb) -> Commands {
        return what.value ? Commands{plain_command(op, verb, path, what.value)} : Commands();
    };
    const bool adds = what.op == Op::kIncrement && what.arithmetic == proposal::Arithmetic::kAdd;
    switch (done.value_or(what.op)) {
        case Op::kSet:
            return with_value(Op::kSet, "set");
        case Op::kIncrement:
            return adds || what.op == Op::kAdd ? with_value(Op::kAdd, "add") : Commands();
        case Op::kPush:
            return with_value(Op::kPush, "push");
        case Op::kPull:
            return with_value(Op::kPull, "pull");
        case Op::kDelete:
            return {plain_command(Op::kDelete, "delete", path)};
        case Op::kMerge:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kInsert:
        case Op::kPop:
        case Op::kSplice:
        case Op::kMove:
        case Op::kCopy:
        case Op::kGet:
        case Op::kCallback:
        case Op::kTest:
        case Op::kRestore:
        case Op::kCount:
            break;
    }
    return {};
}

// Whether every command writes below the save's root, where 1.0 can write.
bool is_below_root(const Commands& commands, const Path& root) {
    return std::ranges::all_of(commands, [&](const Proposal& each) {
        const Path& path = each.instruction()->path;
        return path.size() > root.size() && begins_with(path, root);
    });
}

// The shortest list of commands with the same effect; nothing if 1.0 cannot express it.
std::optional<Commands> translate(const Instruction* what, const Verdict& verdict,
                                  const Value& before, const Value& after, const Path& root) {
    std::vector<Commands> ways;
    if (what != nullptr) {
        ways.push_back(as_written(*what, verdict.path, verdict.op));
        if (const Value* now = value::find(after, verdict.path)) {
            ways.push_back({set_to(verdict.path, *now)});
        }
    }
    ways.push_back(plain_commands(verdict.changes, before, after, root));
    for (Commands& way : ways) {
        if (!way.empty() && is_below_root(way, root) && leads_to(way, before, after)) {
            return std::move(way);
        }
    }
    return std::nullopt;
}

}  // namespace

LegacyCommands to_legacy_commands(const State& state, std::span<const Proposal> proposals,
                                  const Policy& policy, const Context& context) {
    LegacyCommands made;
    made.outcome = apply(state, proposals, policy, context);
    Value document = state.document;
    const auto follow = [&](const Instruction* what, const Verdict& verdict) {
        const auto after = value::apply_diff(verdict.changes, document);
        CHECK(after);
        auto commands = translate(what, verdict, document, *after, policy.tavern_root);
        if (commands) {
            std::ranges::move(*commands, std::back_inserter(made.commands));
        }
        document = *after;
        return commands.has_value();
    };
    for (const Expired& expired : made.outcome.expired) {
        Verdict verdict;
        verdict.changes = expired.changes;
        follow(nullptr, verdict);
    }
    for (std::size_t i = 0; i < proposals.size(); ++i) {
        const Verdict& verdict = made.outcome.verdicts[i];
        const Instruction* what = proposals[i].instruction();
        if (verdict.status != Status::kApplied || what == nullptr) {
            continue;
        }
        if (what->options.contains("ttl") || what->options.contains("expiresAt")) {
            made.timed.push_back(i);
        }
        if (!verdict.changes.empty() && !follow(what, verdict)) {
            made.lost.push_back(i);
        }
    }
    return made;
}

}  // namespace arbiter::engine
