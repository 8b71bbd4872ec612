// Guards before an operation, expectations after it, and the conditions of `where`.
#include <algorithm>

#include "engine/internal/work.h"
#include "proposal/shape.h"
#include "text/utf8.h"
#include "value/json.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

bool contains(const Value& whole, const Value& part) {
    if (whole.is_string() && part.is_string()) {
        return whole.as_string().find(part.as_string()) != std::string_view::npos;
    }
    if (whole.is_array()) {
        return std::ranges::any_of(
            whole.as_array(), [&](const Value& element) { return equal_content(element, part); });
    }
    return whole.is_object() && part.is_string() && whole.as_object().contains(part.as_string());
}

// Nothing where the word is no operator.
std::optional<bool> operate(std::string_view word, const Value& value, const Value& operand) {
    const auto text = [&](auto test) {
        return value.is_string() && operand.is_string() &&
               test(value.as_string(), operand.as_string());
    };
    const auto number = [&](auto test) {
        const auto left = proposal::as_number(value);
        const auto right = proposal::as_number(operand);
        return left && right && test(left->as_double(), right->as_double());
    };
    if (word == "包含" || word == "contains") {
        return contains(value, operand);
    }
    if (word == "不包含" || word == "notContains") {
        return !contains(value, operand);
    }
    if (word == "开头" || word == "startsWith") {
        return text([](std::string_view a, std::string_view b) { return a.starts_with(b); });
    }
    if (word == "结尾" || word == "endsWith") {
        return text([](std::string_view a, std::string_view b) { return a.ends_with(b); });
    }
    if (word == "等于" || word == "equals") {
        return equal_content(value, operand);
    }
    if (word == "大于" || word == ">") {
        return number(std::greater<>());
    }
    if (word == "小于" || word == "<") {
        return number(std::less<>());
    }
    if (word == ">=") {
        return number(std::greater_equal<>());
    }
    if (word == "<=") {
        return number(std::less_equal<>());
    }
    if (word == "存在" || word == "exists") {
        return operand.is_bool() && operand.as_bool();
    }
    return std::nullopt;
}

// A field of an element, by its name or by a dotted path.
const Value* field_of(const Object& element, const value::Str& name) {
    if (const Value* found = element.find(name)) {
        return found;
    }
    const auto path = value::parse_path(name, value::PathSyntax::kDotted);
    return path && path->size() > 1 ? value::find(Value(element), *path) : nullptr;
}

bool field_matches(const Value* field, const Value& condition) {
    if (condition.is_object() && !condition.as_object().empty()) {
        bool all = true;
        bool operators = true;
        for (const auto& [word, operand] : condition.as_object()) {
            if (word == "存在" || word == "exists") {
                all = all && operand.is_bool() && operand.as_bool() == (field != nullptr);
                continue;
            }
            const auto holds = operate(word, field == nullptr ? Value() : *field, operand);
            operators = operators && holds.has_value();
            all = all && holds.value_or(false) && field != nullptr;
        }
        if (operators) {
            return all;
        }
    }
    return field != nullptr && equal_content(*field, condition);
}

// A bare operator on an object: some text of it; of what must not be contained, every text.
bool any_text(const Object& element, std::string_view word, const Value& operand) {
    if (word == "不包含" || word == "notContains") {
        return !any_text(element, "contains", operand);
    }
    return std::ranges::any_of(element, [&](const value::Member& member) {
        return member.value.is_string() && operate(word, member.value, operand).value_or(false);
    });
}

// The first member of `expect` that does not hold: what was expected.
std::optional<std::string> broken(const Value* actual, const Object& expect, Work& work) {
    // What the value says where it is described; the pair itself may be expected too.
    const Value* whole = actual;
    if (actual != nullptr) {
        actual = work.at(work.scalar_path());
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
            const std::size_t size = actual == nullptr     ? 0
                                     : actual->is_array()  ? actual->as_array().size()
                                     : actual->is_object() ? actual->as_object().size()
                                     : actual->is_string() ? text::count(actual->as_string())
                                                           : 0;
            holds = actual != nullptr && value.is_int() &&
                    static_cast<std::size_t>(value.as_int()) == size;
        } else if (word == "gte") {
            holds = number(value, std::greater_equal<>());
        } else if (word == "lte") {
            holds = number(value, std::less_equal<>());
        } else {
            work.warn(Warning::kUnknownOption);
        }
        if (!holds) {
            return std::string(word.view()) + " " + shown(value);
        }
    }
    return std::nullopt;
}

}  // namespace

bool matches(const Value& element, const Object& where) {
    if (where.empty()) {
        return false;
    }
    for (const auto& [key, condition] : where) {
        if (key == "*" && condition.is_bool()) {
            if (!condition.as_bool()) {
                return false;
            }
            continue;
        }
        const Value* field = element.is_object() ? field_of(element.as_object(), key) : nullptr;
        bool holds = false;
        if (field != nullptr) {
            holds = field_matches(field, condition);
        } else if (element.is_object()) {
            const bool is_operator = operate(key, Value(), condition).has_value();
            holds = is_operator ? any_text(element.as_object(), key, condition)
                                : field_matches(nullptr, condition);
        } else {
            holds = operate(key, element, condition).value_or(false);
        }
        if (!holds) {
            return false;
        }
    }
    return true;
}

bool check_guards(Work& work) {
    if (work.instruction.options.empty()) {
        return true;
    }
    const Value* present = work.target();
    if (work.is_on("ifMissing") && present != nullptr) {
        return work.skip("ifMissing");
    }
    if (work.is_on("ifExists") && present == nullptr) {
        // allowMissing says that this is success, and nothing to do.
        return work.is_on("allowMissing") ? true : work.skip("ifExists");
    }
    if (const Value* wanted = work.option("ifEquals")) {
        const Value* value = present == nullptr ? nullptr : work.at(work.scalar_path());
        const bool equal = present != nullptr &&
                           (equal_content(*present, *wanted) || equal_content(*value, *wanted));
        if (!equal) {
            return work.skip("ifEquals");
        }
    }
    return check_version(work);
}

bool check_expect(Work& work) {
    const Value* expect = work.option("expect");
    if (expect == nullptr) {
        return true;
    }
    const Value* actual = work.target();
    const auto wanted = broken(actual, expect->as_object(), work);
    if (!wanted) {
        return true;
    }
    return work.fail(Code::kExpectFailed,
                     {shown(work.path), *wanted, actual == nullptr ? "-" : shown(*actual)});
}

// ---- versions

namespace {

// The object that counts for a path: the target if it is one, else the nearest around it.
std::optional<Path> counted_object(const Value& document, const Path& path, std::size_t root) {
    std::size_t length = 0;
    const Value* at = &document;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const auto step = value::step_into(*at, path[i]);
        if (!step) {
            break;
        }
        at = step->value;
        length = i >= root && at->is_object() ? i + 1 : length;
    }
    if (length == 0) {
        return std::nullopt;
    }
    return Path(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length));
}

std::int64_t version_of(const Value* object) {
    const Value* version =
        object != nullptr && object->is_object() ? object->as_object().find("__version") : nullptr;
    return version != nullptr && version->is_int() ? version->as_int() : 0;
}

void count_object(Work& work, const State& before, const Path& where, bool asked) {
    const Value* old = value::find(before.document, where);
    const bool had = old != nullptr && old->is_object() && old->as_object().contains("__version");
    if ((!had && !asked) || (old != nullptr && *old == *work.at(where))) {
        return;
    }
    Path version = where;
    version.emplace_back("__version");
    work.put(version, version_of(old) + 1, true);
}

}  // namespace

bool check_version(Work& work) {
    const Value* wanted = work.option("ifVersion");
    if (wanted == nullptr) {
        return true;
    }
    const auto where = counted_object(work.document(), work.path, work.policy.tavern_root.size());
    const std::int64_t present = where ? version_of(work.at(*where)) : 0;
    if (wanted->is_int() && wanted->as_int() == present) {
        return true;
    }
    return work.fail(Code::kVersionConflict,
                     {shown(work.path), shown(*wanted), std::to_string(present)});
}

// An object opts in by having a __version, or by a command that asked for one.
void count_version(Work& work, const State& before) {
    const std::size_t root = work.policy.tavern_root.size();
    auto where = counted_object(work.document(), work.path, root);
    if (!where) {
        return;
    }
    // What was checked and then deleted leaves its count to nobody.
    const auto gone = [&] {
        const Value* checked = value::find(before.document, work.path);
        return checked != nullptr && checked->is_object() && work.target() == nullptr;
    };
    const bool asked = work.option("ifVersion") != nullptr && !gone();
    count_object(work, before, *where, asked);
    if (work.text_option("versionScope", "target") != "ancestors") {
        return;
    }
    while (where->size() > root + 1) {
        where->pop_back();
        const Value* around = work.at(*where);
        if (around != nullptr && around->is_object()) {
            count_object(work, before, *where, false);
        }
    }
}

}  // namespace arbiter::engine::internal
