#include "protocol/internal/fields.h"

#include <algorithm>

#include "base/limits.h"
#include "text/nearest.h"
#include "value/array.h"
#include "value/json.h"

namespace arbiter::protocol::internal {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Value;

std::string shown(const Value& value) {
    constexpr std::size_t kShownMax = 60;
    std::string text =
        value.is_container() ? std::string(value::name(value.kind())) : value::print_json(value);
    return text.size() <= kShownMax ? text : std::string(value::name(value.kind()));
}

Fields::Fields(const Value& value, Path path, Notes& notes)
    : object_(value.is_object() ? value.as_object() : empty_),
      path_(std::move(path)),
      notes_(notes) {
    if (!value.is_object()) {
        const std::string name =
            path_.empty() ? "$" : value::print_path({path_.back()}, value::PathSyntax::kDotted);
        fault_at(path_, Error(ErrorCode::kBadField, {name, "key: value", shown(value)}));
    }
}

void Fields::finish() {
    for (const auto& [key, member] : object_) {
        if (std::ranges::find(known_, key.view()) != known_.end()) {
            continue;
        }
        if (const auto near = text::nearest(key, known_); near && !object_.contains(*near)) {
            notes_.remarks.push_back(
                {at(key), true,
                 Error(ErrorCode::kMisspelledKey, {std::string(key.view()), std::string(*near)})});
        }
    }
}

Path Fields::at(std::string_view key) const {
    Path path = path_;
    path.emplace_back(key);
    return path;
}
void Fields::fault(std::string_view key, Error error, bool at_key) {
    notes_.diagnostics.push_back({at(key), at_key, std::move(error)});
}
void Fields::fault_at(Path path, Error error) {
    notes_.diagnostics.push_back({std::move(path), false, std::move(error)});
}
void Fields::remark_at(Path path, Error error) {
    notes_.remarks.push_back({std::move(path), false, std::move(error)});
}
void Fields::missing(std::string_view key) {
    fault_at(path_, Error(ErrorCode::kMissingKey, {std::string(key)}));
}
void Fields::bad(std::string_view key, std::string takes, const Value& found) {
    fault(key, Error(ErrorCode::kBadField, {std::string(key), std::move(takes), shown(found)}));
}

const Value* Fields::take(std::string_view key) {
    known_.push_back(key);
    const Value* found = object_.find(key);
    return found != nullptr && !found->is_null() ? found : nullptr;
}

std::optional<std::string> Fields::text(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_string()) {
        bad(key, "text", *found);
        return std::nullopt;
    }
    return std::string(found->as_string());
}

Words Fields::words(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return {};
    }
    if (found->is_string()) {
        const std::string text(found->as_string());
        return {text, text};
    }
    if (!found->is_object()) {
        bad(key, "text, {en: …, zh: …}", *found);
        return {};
    }
    Fields both(*found, at(key), notes_);
    auto english = both.text("en");
    auto chinese = both.text("zh");
    both.finish();
    if (!english && !chinese) {
        bad(key, "text, {en: …, zh: …}", *found);
    }
    return {english.value_or(chinese.value_or("")), chinese.value_or(english.value_or(""))};
}

std::optional<std::int64_t> Fields::whole(std::string_view key, std::int64_t min,
                                          std::int64_t max) {
    const Value* found = take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_int() || found->as_int() < min || found->as_int() > max) {
        bad(key, std::to_string(min) + " – " + std::to_string(max), *found);
        return std::nullopt;
    }
    return found->as_int();
}

std::vector<std::pair<const Value*, Path>> Fields::list(std::string_view key) {
    std::vector<std::pair<const Value*, Path>> all;
    const Value* found = take(key);
    if (found == nullptr) {
        return all;
    }
    if (!found->is_array()) {
        all.emplace_back(found, at(key));
        return all;
    }
    if (found->as_array().size() > base::kProtocolListMax) {
        bad(key, "0 – " + std::to_string(base::kProtocolListMax) + " […]", *found);
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

std::vector<std::pair<std::string, Path>> Fields::texts(std::string_view key) {
    std::vector<std::pair<std::string, Path>> all;
    for (auto& [written, where] : list(key)) {
        if (!written->is_string()) {
            fault_at(where,
                     Error(ErrorCode::kBadField, {std::string(key), "text", shown(*written)}));
            continue;
        }
        const std::string_view text = written->as_string();
        if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
            fault_at(where, Error(ErrorCode::kProtocolEmpty, {std::string(key)}));
        } else if (std::ranges::any_of(all, [&](const auto& each) { return each.first == text; })) {
            fault_at(where, Error(ErrorCode::kProtocolRepeated, {std::string(text)}));
        } else {
            all.emplace_back(text, std::move(where));
        }
    }
    return all;
}

}  // namespace arbiter::protocol::internal
