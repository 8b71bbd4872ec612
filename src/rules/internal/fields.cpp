#include "rules/internal/fields.h"

#include <algorithm>

#include "text/nearest.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::rules::internal {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Pattern;
using value::Value;

namespace {

// What an error shows of a value.
std::string shown(const Value& value) {
    constexpr std::size_t kShownMax = 60;
    std::string text =
        value.is_container() ? std::string(value::name(value.kind())) : value::print_json(value);
    return text.size() <= kShownMax ? text : std::string(value::name(value.kind()));
}

}  // namespace

Fields::Fields(const Value& value, Path path, value::Diagnostics& diagnostics)
    : object_(value.is_object() ? value.as_object() : empty_),
      path_(std::move(path)),
      faults_(diagnostics) {
    if (!value.is_object()) {
        const std::string name =
            path_.empty() ? "$" : value::print_path({path_.back()}, value::PathSyntax::kDotted);
        faults_.push_back(
            {path_, false, Error(ErrorCode::kBadField, {name, "key: value", shown(value)})});
    }
}

void Fields::finish() {
    for (const auto& [key, member] : object_) {
        if (std::ranges::find(known_, key.view()) != known_.end()) {
            continue;
        }
        const auto near = text::nearest(key, known_);
        std::string all;
        for (const std::string_view each : known_) {
            all += (all.empty() ? "" : ", ") + std::string(each);
        }
        fault(key,
              near ? Error(ErrorCode::kMisspelledKey, {std::string(key.view()), std::string(*near)})
                   : Error(ErrorCode::kUnknownKey, {std::string(key.view()), all}),
              true);
    }
}

Path Fields::at(std::string_view key) const {
    Path path = path_;
    path.emplace_back(key);
    return path;
}
void Fields::fault(std::string_view key, Error error, bool at_key) {
    faults_.push_back({at(key), at_key, std::move(error)});
}
void Fields::bad(std::string_view key, std::string takes, const Value& found) {
    fault(key, Error(ErrorCode::kBadField, {std::string(key), std::move(takes), shown(found)}));
}

const Value* Fields::take(std::string_view key) {
    known_.push_back(key);
    return object_.find(key);
}
const Value* Fields::need(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        faults_.push_back({path_, false, Error(ErrorCode::kMissingKey, {std::string(key)})});
    }
    return found;
}

std::optional<std::string> Fields::text(std::string_view key, bool needed) {
    const Value* found = needed ? need(key) : take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_string()) {
        bad(key, "text", *found);
        return std::nullopt;
    }
    return std::string(found->as_string());
}

bool Fields::flag(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return false;
    }
    if (!found->is_bool()) {
        bad(key, "true, false", *found);
        return false;
    }
    return found->as_bool();
}

std::optional<std::size_t> Fields::count(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_int() || found->as_int() < 0 || found->as_int() > 1'000'000) {
        bad(key, "0 – 1000000", *found);
        return std::nullopt;
    }
    return static_cast<std::size_t>(found->as_int());
}

std::optional<Pattern> Fields::pattern_of(const Value& written, Path where) {
    const std::string name = value::print_path({where.back()}, value::PathSyntax::kDotted);
    if (!written.is_string() || written.as_string().empty()) {
        faults_.push_back({std::move(where), false,
                           Error(ErrorCode::kBadField, {name, "a.b.$c", shown(written)})});
        return std::nullopt;
    }
    auto parsed = value::parse_pattern(written.as_string());
    if (!parsed) {
        parsed.error().place.reset();  // a column of the text is none of the file
        faults_.push_back({std::move(where), false, std::move(parsed).error()});
        return std::nullopt;
    }
    return std::move(*parsed);
}

std::optional<Pattern> Fields::pattern(std::string_view key, bool needed) {
    const Value* found = needed ? need(key) : take(key);
    return found == nullptr ? std::nullopt : pattern_of(*found, at(key));
}

std::vector<Pattern> Fields::patterns(std::string_view key) {
    std::vector<Pattern> all;
    for (const auto& [written, where] : list(key)) {
        if (auto pattern = pattern_of(*written, where)) {
            all.push_back(std::move(*pattern));
        }
    }
    return all;
}

std::optional<Path> Fields::path(std::string_view key, bool needed) {
    const Value* found = needed ? need(key) : take(key);
    const auto pattern = found == nullptr ? std::nullopt : pattern_of(*found, at(key));
    if (!pattern) {
        return std::nullopt;
    }
    auto bound = value::bound_path(*pattern, {});
    if (!bound) {
        bad(key, "a.b.c", *found);
    }
    return bound;
}

std::optional<expr::Formula> Fields::formula(std::string_view key,
                                             const expr::Vocabulary& vocabulary, bool needed) {
    const Value* found = needed ? need(key) : take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->is_container() || found->is_null()) {
        bad(key, "a formula", *found);
        return std::nullopt;
    }
    const std::string text =
        found->is_string() ? std::string(found->as_string()) : value::print_json(*found);
    auto compiled = expr::Formula::compile(text, vocabulary);
    if (!compiled) {
        fault(key, std::move(compiled).error());
        return std::nullopt;
    }
    return std::move(*compiled);
}

std::vector<std::pair<const Value*, Path>> Fields::list(std::string_view key) {
    std::vector<std::pair<const Value*, Path>> all;
    const Value* found = take(key);
    if (found == nullptr || found->is_null()) {
        return all;
    }
    if (!found->is_array()) {
        all.emplace_back(found, at(key));
        return all;
    }
    std::int64_t index = 0;
    for (const Value& element : found->as_array()) {
        Path where = at(key);
        where.emplace_back(index++);
        all.emplace_back(&element, std::move(where));
    }
    return all;
}

}  // namespace arbiter::rules::internal
