#include "rules/internal/context.h"

#include "engine/marks.h"
#include "rules/limit.h"
#include "value/array.h"
#include "value/editor.h"
#include "value/json.h"

namespace arbiter::rules::internal {

using expr::Known;
using value::Object;
using value::Path;
using value::Value;

std::string printed(const Path& path) {
    return value::print_path(path, value::PathSyntax::kDotted);
}

std::size_t size_at(const Value& document, const Path& path) {
    const Value* found = value::find(document, path);
    const Value* value = found != nullptr ? &contained(*found) : nullptr;
    if (value == nullptr || !value->is_container()) {
        return 0;
    }
    return value->is_object() ? value->as_object().size() : value->as_array().size();
}

std::string text_at(const Value& document, const Path& path) {
    const Value* found = path.empty() ? nullptr : value::find(document, path);
    const Value* value = found != nullptr ? &expr::undescribed(*found) : nullptr;
    if (value == nullptr) {
        return {};
    }
    if (value->is_string()) {
        return std::string(value->as_string());
    }
    return value->is_number() ? value::print_json(*value) : std::string();
}

ReactionContext::ReactionContext(const Rulebook& rulebook, const Turn& turn_of_book,
                                 ReactionState& shared)
    : book(rulebook), turn(turn_of_book), state_(shared) {
    const Value* all = shared.meta.find(kRulesKey);
    const Value* own =
        all != nullptr && all->is_object() ? all->as_object().find(book.name) : nullptr;
    if (own != nullptr && own->is_object()) {
        memory = own->as_object();
    }
    const Value* seen = memory.find("seen");
    known = seen != nullptr && *seen == Value(book.fingerprint);
}

void ReactionContext::save() {
    remember("seen", book.fingerprint);
    const Value* present = state_.meta.find(kRulesKey);
    const Object all = present != nullptr && present->is_object() ? present->as_object() : Object();
    state_.meta =
        std::move(state_.meta).set(value::Str(kRulesKey), all.set(value::Str(book.name), memory));
}

void ReactionContext::change(const std::string& rule, const Path& path, Value next) {
    const auto found = [&path](const Value& document) -> std::optional<Value> {
        const Value* value = value::find(document, path);
        return value != nullptr ? std::optional(*value) : std::nullopt;
    };
    state_.effects.push_back(
        {rule, path, found(document()), found(next), value::diff_of_step(document(), next)});
    state_.document = std::move(next);
    touched.push_back(path);
}

void ReactionContext::put(const std::string& rule, const Path& path, const Value& value,
                          bool creates) {
    const Value* present = at(path);
    if (present == nullptr && !creates) {
        return;
    }
    Path where = path;
    const Value* inner = nullptr;
    if (present != nullptr) {
        inner = value.is_container() ? &contained(*present) : &expr::undescribed(*present);
    }
    if (inner != nullptr && *inner == value) {
        return;
    }
    if (inner != present) {
        where.emplace_back(std::int64_t{0});
    }
    // Fails, and changes nothing, if a parent is not a container.
    if (auto changed = value::set(document(), where, value, value::Parents::kCreate)) {
        change(rule, path, std::move(*changed));
    }
}

void ReactionContext::remove(const std::string& rule, const Path& path) {
    const Value* present = at(path);
    if (present == nullptr || engine::has_protected(*present)) {
        return;
    }
    if (auto changed = value::erase(document(), path)) {
        change(rule, path, std::move(*changed));
    }
}

void ReactionContext::remember(std::string_view key, Value value) {
    memory = std::move(memory).set(value::Str(key), std::move(value));
}
Object ReactionContext::recalled(std::string_view key) const {
    const Value* found = memory.find(key);
    return found != nullptr && found->is_object() ? found->as_object() : Object();
}

Known ReactionContext::evaluate(const expr::Formula& formula,
                                const std::vector<expr::Variable>& variables) const {
    return formula.evaluate({document(), variables});
}

}  // namespace arbiter::rules::internal
