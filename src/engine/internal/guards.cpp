#include "engine/internal/guards.h"

#include <algorithm>

#include "engine/internal/versions.h"
#include "engine/internal/where.h"
#include "engine/marks.h"
#include "proposal/shape.h"
#include "text/utf8.h"

namespace arbiter::engine::internal {

using proposal::Dialect;
using value::Object;
using value::Path;
using value::Value;

namespace {

// The length of the first part of a path that leads to a hidden node.
std::optional<std::size_t> hidden_part(const Value& document, const Path& path) {
    const Value* node = &document;
    for (std::size_t i = 0; i < path.size() && node != nullptr; ++i) {
        node = value::find(*node, {path[i]});
        if (node != nullptr && is_filtered_out(*node)) {
            return i + 1;
        }
    }
    return std::nullopt;
}

// Elements, members or characters; 0 for anything else.
std::size_t length_of(const Value& value) {
    if (value.is_array()) {
        return value.as_array().size();
    }
    if (value.is_object()) {
        return value.as_object().size();
    }
    return value.is_string() ? text::count(value.as_string()) : 0;
}

// The first member of `expect` that does not hold, as text; nothing if all hold.
std::optional<std::string> unmet_expectation(const Value* actual, const Object& expect,
                                             Work& work) {
    // Of a described value either the value or the whole pair may be expected.
    const Value* whole = actual;
    if (actual != nullptr) {
        actual = work.scalar();
    }
    const auto number = [&](const Value& bound, auto test) {
        const auto left = actual != nullptr ? proposal::as_number(*actual) : std::nullopt;
        const auto right = proposal::as_number(bound);
        return left && right && test(left->as_double(), right->as_double());
    };
    for (const auto& [word, value] : expect) {
        bool holds = true;
        if (word == "exists") {
            holds = value.is_bool() && value.as_bool() == (actual != nullptr);
        } else if (word == "equals") {
            holds = actual != nullptr &&
                    (equal_content(*actual, value) || equal_content(*whole, value));
        } else if (word == "notEquals") {
            holds = actual == nullptr ||
                    !(equal_content(*actual, value) || equal_content(*whole, value));
        } else if (word == "type") {
            holds = actual != nullptr && value.is_string() &&
                    (value::name(actual->kind()) == value.as_string() ||
                     (actual->is_number() && value.as_string() == "number"));
        } else if (word == "contains") {
            holds = actual != nullptr && contains(*actual, value);
        } else if (word == "length") {
            holds = actual != nullptr && value.is_int() &&
                    static_cast<std::size_t>(value.as_int()) == length_of(*actual);
        } else if (word == "gte") {
            holds = number(value, std::greater_equal<>());
        } else if (word == "lte") {
            holds = number(value, std::less_equal<>());
        } else {
            work.warn({Warning::kUnknownOption, {"expect." + std::string(word.view())}});
        }
        if (!holds) {
            return std::string(word.view()) + " " + detail_of(value);
        }
    }
    return std::nullopt;
}

// Whether the operation may create a member or element.
bool may_create(Op op) {
    switch (op) {
        case Op::kSet:
        case Op::kMerge:
        case Op::kEnsure:
        case Op::kAdd:
        case Op::kIncrement:
        case Op::kInsert:
        case Op::kPush:
        case Op::kMove:
        case Op::kCopy:
            return true;
        case Op::kRestore:
        case Op::kPull:
        case Op::kPop:
        case Op::kSplice:
        case Op::kDelete:
        case Op::kGet:
        case Op::kCallback:
        case Op::kTest:
        case Op::kCount:
            break;
    }
    return false;
}

}  // namespace

bool check_guards(Work& work) {
    if (work.instruction.options.empty()) {
        return true;
    }
    const Value* present = work.target();
    if (work.has_flag("ifMissing") && present != nullptr) {
        return work.skip("ifMissing");
    }
    if (work.has_flag("ifExists") && present == nullptr) {
        // With allowMissing a missing target is success.
        return work.has_flag("allowMissing") ? true : work.skip("ifExists");
    }
    if (const Value* wanted = work.option("ifEquals")) {
        const Value* value = work.scalar();
        const bool equal = present != nullptr &&
                           (equal_content(*present, *wanted) || equal_content(*value, *wanted));
        if (!equal) {
            return work.skip("ifEquals");
        }
    }
    return check_version(work);
}

bool check_old(Work& work) {
    if (!work.instruction.old || work.policy.old_check == OldCheck::kOff ||
        work.instruction.described == proposal::Described::kMvu) {
        return true;
    }
    const Value& stated = *work.instruction.old;
    const Value* present = work.scalar();
    bool same = present == nullptr ? stated.is_null() : equal_content(*present, stated);
    if (!same && present != nullptr && work.instruction.op == Op::kMerge && present->is_object() &&
        stated.is_object()) {
        same = std::ranges::all_of(stated.as_object(), [&](const value::Member& member) {
            const Value* found = present->as_object().find(member.key);
            return found != nullptr && equal_content(*found, member.value);
        });
    }
    if (same) {
        return true;
    }
    if (work.policy.old_check == OldCheck::kStrict) {
        return work.fail(Code::kOldMismatch,
                         {detail_of(work.path), detail_of(stated), present_detail(work, present)});
    }
    work.warn(Warning::kOldMismatch);
    return true;
}

std::string present_detail(const Work& work, const Value* present) {
    if (present == nullptr) {
        return "-";
    }
    return hidden_part(work.before.document, work.path) || has_filtered_out(*present)
               ? "…"
               : detail_of(*present);
}

bool may_take_out(Work& work) {
    if (work.context.actor != Actor::kModel) {
        return true;
    }
    for (const Value* document : {&work.document(), &work.before.document}) {
        const auto hidden = hidden_part(*document, work.from);
        // A node that is hidden itself takes its mark along.
        if (!hidden || *hidden == work.from.size()) {
            continue;
        }
        const auto end = work.from.begin() + static_cast<std::ptrdiff_t>(*hidden);
        if (!begins_with(work.path, Path(work.from.begin(), end))) {
            return work.fail(Code::kHiddenNode,
                             {detail_of(work.from), "out", detail_of(work.path)});
        }
    }
    return true;
}

bool check_requirements(Work& work) {
    if (!may_create(work.instruction.op) && work.instruction.op != Op::kDelete) {
        return true;
    }
    if (work.policy.needs_reason && work.proposal.dialect == Dialect::kTavern &&
        work.instruction.reason.empty()) {
        return work.fail(Code::kBadOptions, {"reason", "a text"});
    }
    if (!work.policy.needs_parents || !may_create(work.instruction.op) || work.path.size() < 3) {
        return true;
    }
    const Path parent(work.path.begin(), work.path.end() - 1);
    // The save's root may be missing: the first command creates it.
    if (work.at(parent) != nullptr || parent == work.policy.tavern_root) {
        return true;
    }
    return work.fail(Code::kNotFound, {detail_of(parent)});
}

bool check_expect(Work& work) {
    const Value* expect = work.option("expect");
    if (expect == nullptr) {
        return true;
    }
    const Value* actual = work.target();
    const auto wanted = unmet_expectation(actual, expect->as_object(), work);
    if (!wanted) {
        return true;
    }
    return work.fail(Code::kExpectFailed,
                     {detail_of(work.path), *wanted, present_detail(work, actual)});
}

}  // namespace arbiter::engine::internal
