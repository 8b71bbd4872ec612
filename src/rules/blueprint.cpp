#include "rules/blueprint.h"

#include "value/editor.h"

namespace arbiter::rules {

using value::Path;
using value::Value;

std::vector<std::string> uncomputed(const Rulebook& book, const Value& document) {
    std::vector<std::string> missing;
    Value filled = document;
    for (const Derived& rule : book.derived) {
        const auto path = value::bound_path(rule.place, {});
        if (!path || path->empty() || value::find(filled, *path) != nullptr) {
            continue;
        }
        const Value* container = value::find(filled, Path(path->begin(), path->end() - 1));
        const auto value = rule.formula.evaluate({filled, {}});
        if (container == nullptr || !container->is_object() || !value) {
            missing.push_back(value::print_pattern(rule.place));
        } else if (auto next = value::set(filled, *path, *value)) {
            filled = std::move(*next);  // others may read it
        }
    }
    return missing;
}

Value with_blueprint(const Value& document, const value::Object& blueprint) {
    value::Object filled = document.is_object() ? document.as_object() : value::Object();
    for (const auto& [key, value] : blueprint) {
        const Value* present = filled.find(key);
        if (present == nullptr) {
            filled = std::move(filled).set(key, value);
        } else if (present->is_object() && value.is_object()) {
            Value inner = with_blueprint(*present, value.as_object());
            filled = std::move(filled).set(key, std::move(inner));
        }
    }
    return filled;
}

}  // namespace arbiter::rules
