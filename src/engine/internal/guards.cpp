// Guards before an operation, and expectations after it.
#include <algorithm>

#include "engine/internal/where.h"
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

// The first member of `expect` that does not hold: what was expected.
std::optional<std::string> broken(const Value* actual, const Object& expect, Work& work) {
    // What the value says where it is described; the pair itself may be expected too.
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
        const Value* value = work.scalar();
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

}  // namespace arbiter::engine::internal
