#include "engine/internal/work.h"

#include <algorithm>

#include "base/limits.h"
#include "engine/internal/access.h"
#include "value/described.h"
#include "value/hash.h"

namespace arbiter::engine::internal {

using base::ErrorCode;
using proposal::Described;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

bool is_transparent(const Value& value, Described rule) noexcept {
    if (!value::is_described(value)) {
        return false;
    }
    const Value& first = value.as_array()[0];
    switch (rule) {
        case Described::kNumbers:
            return !first.is_string() && !first.is_object();
        case Described::kModules:
        case Described::kMvu:
            return true;
    }
    return false;
}

namespace {

// Scalars that print the same.
bool is_same_scalar(const Value& a, const Value& b) {
    return a.is_string() ? b.is_string() && a.as_string() == b.as_string()
                         : !a.is_container() && a.is_identical(b);
}

}  // namespace

Work::Work(const WorkInputs& inputs, Verdict& judged)
    : before(inputs.before),
      proposal(inputs.proposal),
      instruction(inputs.instruction),
      policy(inputs.policy),
      context(inputs.context),
      budget(inputs.budget),
      path(path_),
      meta(inputs.before.meta),
      verdict(judged),
      path_(judged.path),
      document_(inputs.before.document),
      target_(inputs.lookup.target),
      target_before_(inputs.lookup.target),
      diff_(inputs.lookup) {}

// ---- the outcome

bool Work::fail(Code code, std::vector<std::string> details) {
    verdict.status = proposal::status_of(code);
    verdict.problem = proposal::Problem{code, std::move(details)};
    return false;
}

bool Work::fail_type(const Value& found, std::string_view needed) {
    return fail(Code::kTypeMismatch,
                {detail_of(path), std::string(value::name(found.kind())), std::string(needed)});
}

bool Work::skip(std::string_view guard) {
    return fail(Code::kGuardNotMet, {std::string(guard)});
}

bool Work::spend(std::uint64_t steps) {
    return budget.spend(steps) ||
           fail(Code::kTooLarge, {"turn", std::to_string(base::kTurnStepsMax), detail_of(path)});
}

void Work::warn(proposal::Remark remark) {
    verdict.warnings.add(remark.warning);
    if (verdict.remarks.size() < base::kRemarksMax &&
        std::ranges::find(verdict.remarks, remark) == verdict.remarks.end()) {
        verdict.remarks.push_back(std::move(remark));
    }
}

// ---- reading

const Value* Work::target() const noexcept {
    if (!target_) {
        target_ = at(path_);
    }
    return *target_;
}

const Value* Work::target_before() const noexcept {
    if (!target_before_) {
        target_before_ = value::find(before.document, path_);
    }
    return *target_before_;
}

bool Work::sees_through() const noexcept {
    const Value* found = target();
    return found != nullptr && is_transparent(*found, instruction.described);
}

const Path& Work::scalar_path() const {
    if (!sees_through()) {
        return path_;
    }
    inner_path_ = path_;
    inner_path_.emplace_back(0);
    return inner_path_;
}

const Value* Work::scalar() const noexcept {
    return sees_through() ? &target()->as_array()[0] : target();
}

bool Work::has_flag(std::string_view name) const noexcept {
    const Value* value = option(name);
    return value != nullptr && value->is_bool() && value->as_bool();
}

std::string Work::text_option(std::string_view name, std::string fallback) const {
    const Value* value = option(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : fallback;
}

// ---- editing

void Work::note_edit(std::optional<Value> replaced, bool inside) {
    target_.reset();
    diff_.note_edit(std::move(replaced), inside);
}

void Work::retarget(Path where) {
    path_ = std::move(where);
    target_before_.reset();
    // The diff of a replacement holds for the old path only.
    note_edit();
}

// Replaces scalars on the way to a path by objects: null by an empty one; in the memory modules a
// string or number by an object that keeps it as a member.
bool Work::make_parents(const Path& where) {
    const Value* ancestor = &document();
    for (std::size_t i = 0; i + 1 < where.size(); ++i) {
        const auto step = value::step_into(*ancestor, where[i]);
        if (!step) {
            return true;
        }
        ancestor = step->value;
        if (ancestor->is_container()) {
            continue;
        }
        const Path occupied(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        Value parent = Object();
        if (!ancestor->is_null()) {
            if (instruction.described != Described::kModules) {
                return fail(Code::kTypeMismatch,
                            {detail_of(occupied), std::string(value::name(ancestor->kind())),
                             "object / array"});
            }
            parent = Object{{ancestor->is_string() ? "info" : "value", *ancestor}};
        }
        note_edit();
        return document_.set(occupied, std::move(parent)).has_value() && make_parents(where);
    }
    return true;
}

bool Work::fail_put(const Path& where, const base::Error& error) {
    if (error.code == ErrorCode::kIndexRange) {
        const Value* list = at(Path(where.begin(), where.end() - 1));
        const std::size_t size = list != nullptr && list->is_array() ? list->as_array().size() : 0;
        return fail(Code::kBadIndex, {detail_of(where), std::to_string(size)});
    }
    if (error.code == ErrorCode::kNotContainer) {
        return fail(Code::kTypeMismatch,
                    {error.arguments[0], error.arguments[1], "object / array"});
    }
    if (error.code == ErrorCode::kTooDeep) {
        return fail(Code::kTooDeep, {std::to_string(base::kDepthMax)});
    }
    if (error.code == ErrorCode::kKeyTooLong) {
        return fail(Code::kTooLarge, {"key", std::to_string(base::kKeyBytesMax)});
    }
    return fail(Code::kNotFound, {detail_of(where)});
}

bool Work::may_create(const Path& where) const {
    return instruction.creates || policy.set_creates || is_open(policy, document(), where);
}

bool Work::put(const Path& where, Value value, bool creates) {
    const bool inside = &where == &inner_path_;
    const Value* present = nullptr;
    if (&where == &path_) {
        present = target();
    } else if (inside) {
        present = scalar();
    }
    // A present value has all of its parents.
    if (creates && present == nullptr && !make_parents(where)) {
        return false;
    }
    std::optional<Value> replaced;
    if (present != nullptr && !diff_.has_edits()) {
        replaced = *present;
    }
    // Writing what is there keeps the version, and everything that is cached for its nodes.
    const bool is_same = present != nullptr && is_same_scalar(*present, value);
    note_edit(std::move(replaced), inside);
    if (is_same) {
        return true;
    }
    const auto done = document_.set(where, std::move(value),
                                    creates ? value::Parents::kCreate : value::Parents::kRequire);
    return done || fail_put(where, done.error());
}

bool Work::erase(const Path& where) {
    const Path place = canonical(where, document());
    note_edit();
    if (!document_.erase(where)) {
        return fail(Code::kNotFound, {detail_of(where)});
    }
    if (place.back().is_index()) {
        const Path list(place.begin(), place.end() - 1);
        if (const Value* found = at(list); found != nullptr && found->is_array()) {
            shifts.push_back({list, static_cast<std::size_t>(place.back().index()), 1, 0});
        }
    }
    return true;
}

bool Work::add(const Path& where, Value value, bool creates) {
    const Path parent(where.begin(), where.empty() ? where.end() : where.end() - 1);
    const Value* found = at(parent);
    if (where.empty() || found == nullptr || !found->is_array()) {
        return put(where, std::move(value), creates);
    }
    const Array& list = found->as_array();
    const bool end = !where.back().is_index() && where.back().key() == "-";
    const auto place = end ? list.size() : where.back().as_position();
    if (!place || *place > list.size()) {
        return fail(Code::kBadIndex, {detail_of(where), std::to_string(list.size())});
    }
    shift(parent, *place, 0, 1);
    return put(parent, list.insert(*place, std::move(value)), false);
}

void Work::shift(const Path& list, std::size_t at, std::size_t removed, std::size_t inserted) {
    Path place = canonical(list, document());
    // Neighbours that are removed one after the other are one run.
    if (!shifts.empty() && inserted == 0 && shifts.back().inserted == 0 && shifts.back().at == at &&
        shifts.back().list == place) {
        shifts.back().removed += removed;
        return;
    }
    shifts.push_back({std::move(place), at, removed, inserted});
}

// ---- the result

const value::Diff& Work::changes() {
    if (!diff_.is_known() && !diff_.find_swap(path_, target())) {
        // The new value may share nothing with the old one; sealed values are compared by hash.
        for (const Value* each : {target_before(), target()}) {
            if (each != nullptr && each->is_container()) {
                value::seal(*each);
            }
        }
        diff_.compare(before.document, document());
    }
    return diff_.get();
}

value::Diff Work::take_changes() && {
    changes();
    return std::move(diff_).take();
}

State Work::take_state() && {
    return {std::move(document_).take(), std::move(meta)};
}

}  // namespace arbiter::engine::internal
