#include "engine/internal/work.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/limits.h"
#include "engine/internal/structure.h"
#include "proposal/operations.h"
#include "proposal/shape.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/number.h"

namespace arbiter::engine::internal {

using base::ErrorCode;
using proposal::Arithmetic;
using proposal::Described;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// A value in a message is not longer than this.
constexpr std::size_t kShownMax = 120;

std::optional<std::int64_t> calculate_whole(std::int64_t left, Arithmetic operation,
                                            std::int64_t right) {
    std::int64_t result = 0;
    switch (operation) {
        case Arithmetic::kAdd:
            return __builtin_add_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kSubtract:
            return __builtin_sub_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kMultiply:
            return __builtin_mul_overflow(left, right, &result) ? std::nullopt
                                                                : std::optional(result);
        case Arithmetic::kDivide:
            if (right == -1) {
                return calculate_whole(0, Arithmetic::kSubtract, left);
            }
            if (right == 0 || left % right != 0) {
                return std::nullopt;
            }
            return left / right;
    }
    return std::nullopt;
}

}  // namespace

bool begins_with(const Path& path, const Path& outer) noexcept {
    return path.size() >= outer.size() && std::equal(outer.begin(), outer.end(), path.begin());
}

Way way_of(const Value& document, const Path& path) noexcept {
    Way way{&document};
    const auto has_marks = [](const Object& object) {
        return object.may_have_marks() &&
               (object.contains("_is_protected") || object.contains("_filter") ||
                object.contains("__version"));
    };
    for (std::size_t i = 0;; ++i) {
        const bool is_object = way.end->is_object();
        way.marked = way.marked || (is_object && has_marks(way.end->as_object()));
        if (i == path.size()) {
            return way;
        }
        const bool is_index = path[i].is_index();
        way.plain = way.plain && is_object != is_index;
        if (is_object && !is_index) {
            way.end = way.end->as_object().find(path[i].key());
        } else {
            const auto step = value::step_into(*way.end, path[i]);
            way.end = step ? step->value : nullptr;
        }
        if (way.end == nullptr) {
            return way;
        }
    }
}

bool follow(Path& path, const Shift& shift) {
    if (path.size() <= shift.list.size() || !begins_with(path, shift.list) ||
        !path[shift.list.size()].is_index()) {
        return true;
    }
    value::Segment& place = path[shift.list.size()];
    const auto index = static_cast<std::size_t>(place.index());
    if (index >= shift.at && index - shift.at < shift.gone) {
        return false;
    }
    if (index >= shift.at) {
        place = value::Segment(static_cast<std::int64_t>(index - shift.gone + shift.come));
    }
    return true;
}

Path with_last(Path path, value::Segment segment) {
    path.back() = std::move(segment);
    return path;
}

Path canonical(Path path, const Value& document) {
    // Only a key of digits can be the place of an element.
    if (std::ranges::none_of(path, [](const value::Segment& segment) {
            return !segment.is_index() && segment.as_position();
        })) {
        return path;
    }
    const Value* at = &document;
    for (value::Segment& segment : path) {
        const auto step = at != nullptr ? value::step_into(*at, segment) : std::nullopt;
        if (step && at->is_array()) {
            segment = value::Segment(static_cast<std::int64_t>(step->position));
        }
        at = step ? step->value : nullptr;
    }
    return path;
}

std::string shown(const Path& path) {
    return path.empty() ? "$" : value::print_path(path, value::PathSyntax::kDotted);
}

std::string shown(const Value& value) {
    std::string text = value::print_json(value);
    if (text.size() > kShownMax) {
        std::size_t end = kShownMax;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) {
            --end;
        }
        text.resize(end);
        text += "…";
    }
    return text;
}

std::string_view kind_text(const Value& value) {
    return value::name(value.kind());
}

bool is_described(const Value& value, Described rule) noexcept {
    if (!value.is_array() || value.as_array().size() != 2 || !value.as_array()[1].is_string()) {
        return false;
    }
    const Value& first = value.as_array()[0];
    switch (rule) {
        case Described::kNumbers:
            return !first.is_string() && !first.is_container();
        case Described::kModules:
        case Described::kMvu:
            return !first.is_array();
    }
    return false;
}

Value round_digits(double number) {
    char text[value::kNumberTextMax];
    const auto printed =
        std::to_chars(text, text + sizeof text, number, std::chars_format::general, 12);
    const value::ReadNumber rounded =
        value::read_number(std::string_view(text, static_cast<std::size_t>(printed.ptr - text)));
    return rounded.form == value::ReadNumber::Form::kInt ? Value(rounded.integer)
                                                         : Value(rounded.real);
}

std::optional<Value> calculate(const Value& left, Arithmetic operation, const Value& right) {
    if (left.is_int() && right.is_int()) {
        if (const auto whole = calculate_whole(left.as_int(), operation, right.as_int())) {
            return Value(*whole);
        }
    }
    const double a = left.as_double();
    const double b = right.as_double();
    double result = 0;
    switch (operation) {
        case Arithmetic::kAdd:
            result = a + b;
            break;
        case Arithmetic::kSubtract:
            result = a - b;
            break;
        case Arithmetic::kMultiply:
            result = a * b;
            break;
        case Arithmetic::kDivide:
            if (b == 0) {
                return std::nullopt;
            }
            result = a / b;
            break;
    }
    return std::isfinite(result) ? std::optional(round_digits(result)) : std::nullopt;
}

Value without_versions(const Value& value, bool& found) {
    if (value.is_array()) {
        Array array = value.as_array();
        for (std::size_t i = 0; i < array.size(); ++i) {
            bool inside = false;
            Value cleaned = without_versions(array[i], inside);
            if (inside) {
                array = std::move(array).set(i, std::move(cleaned));
                found = true;
            }
        }
        return array;
    }
    if (!value.is_object()) {
        return value;
    }
    Object object = value.as_object();
    if (object.contains("__version")) {
        object = std::move(object).erase("__version");
        found = true;
    }
    for (const auto& [key, member] : value.as_object()) {
        bool inside = false;
        Value cleaned = without_versions(member, inside);
        if (inside && key != "__version") {
            object = std::move(object).set(key, std::move(cleaned));
            found = true;
        }
    }
    return object;
}

Value written(Work& work, const Value& value) {
    bool found = false;
    Value cleaned = without_versions(value, found);
    if (found) {
        work.warn(Warning::kVersionStripped);
    }
    return work.policy.locks_structure ? without_rules(cleaned) : cleaned;
}

bool equal_content(const Value& a, const Value& b) {
    if (a == b) {
        return true;
    }
    bool found = false;
    const Value left = without_versions(a, found);
    const Value right = without_versions(b, found);
    return found && left == right;
}

Work::Work(const State& state, const proposal::Proposal& asked, const Instruction& what,
           const Policy& rules, const Context& where, Verdict& judged, const Way& way)
    : meta(state.meta),
      before(state),
      proposal(asked),
      instruction(what),
      policy(rules),
      context(where),
      path(path_),
      verdict(judged),
      path_(judged.path),
      document_(state.document),
      target_(way.end),
      was_(way.end),
      way_(way) {}

value::Diff Work::take_changes() && {
    changes();
    return *std::exchange(changes_, std::nullopt);
}

State Work::take() && {
    return {std::move(document_).take(), std::move(meta)};
}

bool Work::fail(Code code, std::vector<std::string> details) {
    verdict.status = proposal::status_of(code);
    verdict.problem = proposal::Problem{code, std::move(details)};
    return false;
}

bool Work::fail_type(const Value& found, std::string_view needed) {
    return fail(Code::kTypeMismatch,
                {shown(path), std::string(kind_text(found)), std::string(needed)});
}

bool Work::skip(std::string_view guard) {
    return fail(Code::kGuardNotMet, {std::string(guard)});
}

bool Work::is_on(std::string_view name) const noexcept {
    const Value* value = option(name);
    return value != nullptr && value->is_bool() && value->as_bool();
}

std::string Work::text_option(std::string_view name, std::string otherwise) const {
    const Value* value = option(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : otherwise;
}

const Value* Work::target() const noexcept {
    if (!target_) {
        target_ = at(path_);
    }
    return *target_;
}

const Value* Work::was() const noexcept {
    if (!was_) {
        was_ = value::find(before.document, path_);
    }
    return *was_;
}

bool Work::sees_through() const noexcept {
    const Value* found = target();
    return found != nullptr && is_described(*found, instruction.described);
}

const Path& Work::scalar_path() const {
    if (!sees_through()) {
        return path_;
    }
    inner_ = path_;
    inner_.emplace_back(0);
    return inner_;
}

const Value* Work::scalar() const noexcept {
    return sees_through() ? &target()->as_array()[0] : target();
}

void Work::lead_to(Path where) {
    path_ = std::move(where);
    target_.reset();
    was_.reset();
    changes_.reset();
    replaced_.reset();
    ++edits_;  // none is the only one any more
}

void Work::forget() noexcept {
    target_.reset();
    changes_.reset();
    replaced_.reset();
    ++edits_;
}

bool Work::is_unmarked_swap() const noexcept {
    return replaced_ && !replaced_->is_container() && !way_.marked;
}

// The same that value::diff_of_step would find out.
std::optional<value::Diff> Work::swap_as_diff() const {
    // Long ways may be told in another way there.
    constexpr std::size_t kSegmentsMax = 32;
    constexpr std::size_t kKeyBytesMax = 64;
    const Value* now = target();
    if (replaced_inside_ && now != nullptr) {
        now = now->is_array() && !now->as_array().empty() ? &now->as_array()[0] : nullptr;
    }
    if (!replaced_ || !way_.plain || now == nullptr || path_.size() > kSegmentsMax ||
        (replaced_->is_container() && now->kind() == replaced_->kind()) ||
        std::ranges::any_of(path_, [](const value::Segment& segment) {
            return !segment.is_index() && segment.key().size() > kKeyBytesMax;
        })) {
        return std::nullopt;
    }
    value::Diff diff;
    if (*now != *replaced_) {
        diff.push_back({value::Change::Kind::kReplace, {}, 0, *replaced_, *now});
        Path& path_to = diff.back().path;
        path_to.reserve(path_.size() + 1);
        path_to = path_;
        if (replaced_inside_) {
            path_to.emplace_back(0);
        }
    }
    return diff;
}

const value::Diff& Work::changes() {
    if (!changes_) {
        changes_ = swap_as_diff();
    }
    if (!changes_) {
        // What came need not share anything with what was; sealed, they are compared quickly.
        for (const Value* each : {was(), target()}) {
            if (each != nullptr && each->is_container()) {
                value::seal(*each);
            }
        }
        changes_ = value::diff_of_step(before.document, document());
    }
    return *changes_;
}

// Makes room on the way to a path where something stands that has no members: null is nothing; the
// memory system keeps a text or number that is in the way, under a name of its own.
bool Work::open_way(const Path& where) {
    const Value* at_way = &document();
    for (std::size_t i = 0; i + 1 < where.size(); ++i) {
        const auto step = value::step_into(*at_way, where[i]);
        if (!step) {
            return true;
        }
        at_way = step->value;
        if (at_way->is_container()) {
            continue;
        }
        const Path way(where.begin(), where.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        Value room = Object();
        if (!at_way->is_null()) {
            if (instruction.described != proposal::Described::kModules) {
                return fail(Code::kTypeMismatch,
                            {shown(way), std::string(kind_text(*at_way)), "object / array"});
            }
            room = Object{{at_way->is_string() ? "info" : "value", *at_way}};
        }
        forget();
        return document_.set(way, std::move(room)).has_value() && open_way(where);
    }
    return true;
}

bool Work::put(const Path& where, Value value, bool creates) {
    const Value* present = &where == &path_ ? target() : &where == &inner_ ? scalar() : nullptr;
    // To what is there, the way is open.
    if (creates && present == nullptr && !open_way(where)) {
        return false;
    }
    std::optional<Value> replaced;
    if (present != nullptr && edits_ == 0) {
        replaced = *present;
    }
    const bool inside = &where == &inner_;
    forget();
    replaced_ = std::move(replaced);
    replaced_inside_ = inside;
    const auto done = document_.set(where, std::move(value),
                                    creates ? value::Parents::kCreate : value::Parents::kRequire);
    if (done) {
        return true;
    }
    switch (done.error().code) {
        case ErrorCode::kIndexRange: {
            const Value* list = at(Path(where.begin(), where.end() - 1));
            const std::size_t size =
                list != nullptr && list->is_array() ? list->as_array().size() : 0;
            return fail(Code::kBadIndex, {shown(where), std::to_string(size)});
        }
        case ErrorCode::kNotContainer:
            return fail(Code::kTypeMismatch,
                        {done.error().arguments[0], done.error().arguments[1], "object / array"});
        case ErrorCode::kTooDeep:
            return fail(Code::kTooDeep, {std::to_string(base::kDepthMax)});
        case ErrorCode::kKeyTooLong:
            return fail(Code::kTooLarge, {"key", std::to_string(base::kKeyBytesMax)});
        default:
            return fail(Code::kNotFound, {shown(where)});
    }
}

bool Work::erase(const Path& where) {
    const Path place = canonical(where, document());
    forget();
    if (!document_.erase(where)) {
        return fail(Code::kNotFound, {shown(where)});
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
        return fail(Code::kBadIndex, {shown(where), std::to_string(list.size())});
    }
    shift(parent, *place, 0, 1);
    return put(parent, list.insert(*place, std::move(value)), false);
}

void Work::shift(const Path& list, std::size_t at, std::size_t gone, std::size_t come) {
    shifts.push_back({canonical(list, document()), at, gone, come});
}

}  // namespace arbiter::engine::internal
