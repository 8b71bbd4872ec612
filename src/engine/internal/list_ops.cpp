#include "engine/internal/list_ops.h"

#include <algorithm>
#include <limits>

#include "base/limits.h"
#include "engine/internal/ops.h"
#include "engine/internal/structure.h"
#include "engine/internal/versions.h"
#include "engine/internal/where.h"
#include "value/hash.h"
#include "value/json.h"
#include "value/merge.h"

namespace arbiter::engine::internal {

using value::Array;
using value::Merge;
using value::Object;
using value::Path;
using value::Value;

namespace {

bool is_head(const Work& work) {
    return work.text_option("position", "tail") == "head";
}

// The array at the path; nullptr, with the problem set, if there is none.
const Array* list_at(Work& work) {
    const Value* target = work.target();
    if (target == nullptr) {
        work.fail(Code::kNotFound, {detail_of(work.path)});
        return nullptr;
    }
    if (!target->is_array()) {
        work.fail_type(*target, "array");
        return nullptr;
    }
    return &target->as_array();
}

bool has_name(const Object& element, std::string_view text) {
    for (const std::string_view field : {"物品ID", "名称", "状态名称", "id", "name"}) {
        const Value* name = element.find(field);
        if (name != nullptr && name->is_string() && name->as_string() == text) {
            return true;
        }
    }
    return false;
}

// tavern_commands 1.0: an equal element, or an object with this name.
bool is_meant(const Value& element, const Value& value) {
    return equal_content(element, value) || (element.is_object() && value.is_string() &&
                                             has_name(element.as_object(), value.as_string()));
}

std::size_t limit_of(const Work& work, std::string_view option) {
    const Value* value = work.option(option);
    return value == nullptr ? std::numeric_limits<std::size_t>::max()
                            : static_cast<std::size_t>(value->as_int());
}

// By the conditions if there are any, else by the value; without either every element is chosen.
bool is_chosen(const Work& work, std::optional<Where>& conditions, const Value& element) {
    if (conditions) {
        return conditions->holds_for(element);
    }
    return !work.instruction.value || is_meant(element, *work.instruction.value);
}

// The steps that a comparison with an element takes.
std::uint64_t cost_of(const Value& element) {
    return base::kElementCost + value::weigh(element) / base::kBytesOfStep;
}

// The positions of the elements to remove, at most `count` from the requested end, ascending.
// Nothing, with the problem set, if that would take too long.
std::optional<std::vector<std::size_t>> choose_removed(Work& work, const Array& list) {
    const Value* where = work.option("where");
    std::optional<Where> conditions;
    if (where != nullptr) {
        conditions.emplace(where->as_object(), work.budget);
    }
    const bool from_tail = work.text_option("position", "head") == "tail";
    const bool first_only =
        where == nullptr && work.instruction.value && work.option("count") == nullptr;
    std::size_t left = first_only ? 1 : limit_of(work, "count");
    const std::uint64_t tests = where != nullptr ? where->as_object().size() + 1 : 1;
    std::vector<std::size_t> going;
    for (std::size_t n = 0; n < list.size() && left > 0; ++n) {
        const std::size_t i = from_tail ? list.size() - 1 - n : n;
        const Value& element = list[i];
        if (!work.spend(tests * cost_of(element))) {
            return std::nullopt;
        }
        if (is_chosen(work, conditions, element)) {
            going.push_back(i);
            --left;
        }
    }
    if (from_tail) {
        std::ranges::reverse(going);
    }
    if (conditions && !list.empty() && going.empty()) {
        for (std::string& word : conditions->unknown_words(list)) {
            work.warn({Warning::kUnknownOption, {std::move(word)}});
        }
    }
    if (work.budget.is_spent()) {
        work.spend(0);
        return std::nullopt;
    }
    if (conditions && conditions->is_exhausted()) {
        work.fail(Code::kTooLarge, {"where", std::to_string(base::kRegexWorkMax)});
        return std::nullopt;
    }
    return going;
}

}  // namespace

bool run_push(Work& work) {
    const Value* target = work.target();
    const Value value = sanitized(work, *work.instruction.value);
    if (target != nullptr && !target->is_array()) {
        return work.fail_type(*target, "array");
    }
    if (target == nullptr && !work.instruction.creates) {
        return work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    Array list = target == nullptr ? Array() : target->as_array();
    if (work.has_flag("dedupe") || work.option("uniqueBy") != nullptr) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!work.spend(cost_of(list[i]))) {
                return false;
            }
            if (!is_same_element(work, list[i], value)) {
                continue;
            }
            work.warn(Warning::kDeduped);
            const std::string strategy = work.text_option("mergeStrategy", "");
            if (strategy.empty()) {
                work.deduped = true;
                return true;
            }
            Path element = work.path;
            element.emplace_back(static_cast<std::int64_t>(i));
            work.written = {element};
            return work.put(element, value::merge(list[i], value, merge_named(strategy)), false);
        }
    }
    const std::size_t limit = limit_of(work, "limit");
    list = is_head(work) ? std::move(list).insert(0, value) : std::move(list).push_back(value);
    work.shift(work.path, is_head(work) ? 0 : list.size() - 1, 0, 1);
    while (list.size() > limit) {
        const std::size_t oldest = is_head(work) ? list.size() - 1 : 0;
        list = std::move(list).erase(oldest);
        work.shift(work.path, oldest, 1, 0);
    }
    work.written = {work.path};
    work.written->front().emplace_back(
        is_head(work) || list.empty() ? 0 : static_cast<std::int64_t>(list.size()) - 1);
    return work.put(work.path, std::move(list), true);
}

bool run_pull(Work& work) {
    const Value* target = work.target();
    work.written.emplace();
    if (target == nullptr) {
        work.verdict.value = Array();
        return true;
    }
    if (!target->is_array()) {
        return work.fail_type(*target, "array");
    }
    const Array& list = target->as_array();
    const auto going = choose_removed(work, list);
    if (!going) {
        return false;
    }
    std::vector<Value> removed;
    Array kept = list;
    for (const std::size_t position : *going) {
        const std::size_t now = position - removed.size();
        removed.push_back(kept[now]);
        kept = std::move(kept).erase(now);
        work.shift(work.path, now, 1, 0);
    }
    work.verdict.value = Array(std::span<const Value>(removed));
    return removed.empty() || work.put(work.path, std::move(kept), false);
}

bool run_pop(Work& work) {
    const Array* found = list_at(work);
    work.written.emplace();
    if (found == nullptr) {
        return false;
    }
    const Array& list = *found;
    if (list.empty()) {
        return true;
    }
    work.verdict.value = list[list.size() - 1];
    work.shift(work.path, list.size() - 1, 1, 0);
    return work.put(work.path, list.erase(list.size() - 1), false);
}

bool run_splice(Work& work) {
    const Array* found = list_at(work);
    work.written.emplace();
    if (found == nullptr) {
        return false;
    }
    const Array& list = *found;
    const Object& how = work.instruction.value->as_object();
    const auto size = static_cast<std::int64_t>(list.size());
    // Out-of-range arguments as Array.prototype.splice treats them.
    std::int64_t start = how.find("start")->as_int();
    start = start < 0 ? std::max<std::int64_t>(size + std::max(start, -size), 0)
                      : std::min(start, size);
    const Value* count = how.find("deleteCount");
    const std::int64_t gone = count == nullptr
                                  ? size - start
                                  : std::clamp<std::int64_t>(count->as_int(), 0, size - start);
    const Value* given = how.find("items");
    const Value items = given != nullptr ? sanitized(work, *given) : Value(Array());
    const auto at = static_cast<std::size_t>(start);
    Array kept = list;
    Array removed;
    for (std::int64_t i = 0; i < gone; ++i) {
        removed = std::move(removed).push_back(kept[at]);
        kept = std::move(kept).erase(at);
    }
    std::size_t place = at;
    for (const Value& item : items.as_array()) {
        work.written->push_back(work.path);
        work.written->back().emplace_back(static_cast<std::int64_t>(place));
        kept = std::move(kept).insert(place++, item);
    }
    work.shift(work.path, at, removed.size(), items.as_array().size());
    work.verdict.value = std::move(removed);
    return work.put(work.path, std::move(kept), false);
}

bool run_insert(Work& work) {
    const Value* target = work.target();
    const Instruction& instruction = work.instruction;
    Value value = sanitized(work, *instruction.value);
    if (target == nullptr && !instruction.creates) {
        return work.fail(Code::kNotFound, {detail_of(work.path)});
    }
    if (instruction.creates && !instruction.key && (target == nullptr || !target->is_array())) {
        // [INSERT, path, value] adds the member that its path names, or an element to a list.
        if (target != nullptr && !target->is_null()) {
            const Path parent(work.path.begin(), work.path.end() - 1);
            return work.fail(Code::kUniqueViolation,
                             {detail_of(parent), std::string(work.path.back().as_key().view())});
        }
        return work.put(work.path, std::move(value), true);
    }
    Value container = target == nullptr ? Value(nullptr) : *target;
    if (!container.is_null() && !container.is_container()) {
        return work.fail_type(container, "object / array");
    }
    if (!may_insert(work, container, value)) {
        return false;
    }
    if (container.is_null()) {
        const bool list = !instruction.key && value.is_array();
        container = list ? Value(Array()) : Value(Object());
    }
    if (container.is_array()) {
        const Array& list = container.as_array();
        const auto index = instruction.key ? whole_index(*instruction.key, true) : std::nullopt;
        const bool append = !instruction.key ||
                            (instruction.key->is_string() && instruction.key->as_string() == "-");
        if (!append && !index) {
            return work.fail(Code::kBadIndex, {detail_of(work.path), std::to_string(list.size())});
        }
        const std::size_t place = append ? list.size() : std::min(*index, list.size());
        work.written = {work.path};
        work.written->front().emplace_back(static_cast<std::int64_t>(place));
        // Where digits name an element, a key of digits replaces it; a number always inserts.
        if (index && instruction.key->is_string() && *index < list.size() &&
            instruction.digits_name) {
            work.shift(work.path, place, 1, 1);
            return work.put(work.path, take_rules(work, value, list.set(place, value)), true);
        }
        work.shift(work.path, place, 0, 1);
        return work.put(work.path, take_rules(work, value, list.insert(place, value)), true);
    }
    const Object& object = container.as_object();
    if (!instruction.key) {
        if (!value.is_object()) {
            return work.fail_type(container, "array");
        }
        Value merged = value::merge(container, value, Merge::kIndexed);
        return work.put(work.path, take_rules(work, value, std::move(merged)), true);
    }
    const value::Str key = instruction.key->is_string()
                               ? instruction.key->as_str()
                               : value::Str(value::print_json(*instruction.key));
    if (object.contains(key) && !instruction.overwrites) {
        return work.fail(Code::kUniqueViolation, {detail_of(work.path), std::string(key.view())});
    }
    work.written = {work.path};
    work.written->front().emplace_back(key);
    return work.put(work.path, take_rules(work, value, object.set(key, value)), true);
}

}  // namespace arbiter::engine::internal
