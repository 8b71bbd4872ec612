#include "value/fields.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"
#include "text/join.h"
#include "text/nearest.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/json.h"
#include "value/preview.h"

namespace arbiter::value {
namespace {

using base::Error;
using base::ErrorCode;

// A message names a value in about one line.
constexpr std::size_t kFoundBytesMax = 60;

std::string found_text(const Value& value) {
    if (value.is_object()) {
        return value.as_object().empty() ? "{}" : "{…}";
    }
    if (value.is_array()) {
        return value.as_array().empty() ? "[]" : "[…]";
    }
    return preview(value, kFoundBytesMax);
}

std::string range_text(std::int64_t min, std::int64_t max) {
    if (max == std::numeric_limits<std::int64_t>::max()) {
        return std::to_string(min) + ", " + std::to_string(min + 1) + ", …";
    }
    return std::to_string(min) + " – " + std::to_string(max);
}

constexpr std::string_view kBilingualTakes = "text, {en: …, zh: …}";

}  // namespace

Error unknown_key(std::string_view key, std::span<const std::string_view> known) {
    std::string written = text::truncate_with_ellipsis(key, base::kDetailBytesMax);
    if (const auto meant = text::nearest(key, known)) {
        return Error(ErrorCode::kMisspelledKey, {std::move(written), std::string(*meant)});
    }
    return Error(ErrorCode::kUnknownKey, {std::move(written), text::join(known)});
}

Error wrong_value(std::string_view key, std::string takes, const Value& found,
                  std::string_view meant) {
    Error error(ErrorCode::kBadField, {std::string(key), std::move(takes), found_text(found)});
    if (!meant.empty()) {
        error.arguments.emplace_back(meant);
    }
    return error;
}

Fields::Fields(const Value& value, Path path, Diagnostics& diagnostics, FieldsOptions options)
    : object_(value.is_object() ? value.as_object() : Object()),
      is_object_(value.is_object()),
      path_(std::move(path)),
      diagnostics_(&diagnostics),
      options_(options) {
    if (!is_object_) {
        const std::string name = path_.empty() ? std::string(options_.name)
                                               : print_path({path_.back()}, PathSyntax::kDotted);
        error_at(path_, wrong_value(name, std::string(options_.takes), value));
    }
}

void Fields::finish() {
    if (options_.unknown_keys == UnknownKeys::kIgnore) {
        return;
    }
    std::vector<std::string_view> known;
    for (const std::string_view key : known_) {
        if (std::ranges::find(known, key) == known.end()) {
            known.push_back(key);
        }
    }
    for (const auto& [key, member] : object_) {
        if (std::ranges::find(known, key.view()) != known.end()) {
            continue;
        }
        Error error = unknown_key(key, known);
        // One mistake, one error: the key is not missing, it is misspelled.
        if (error.code == ErrorCode::kMisspelledKey && forget_missing(error.arguments[1])) {
            key_error(key, std::move(error));
            continue;
        }
        if (options_.unknown_keys == UnknownKeys::kError) {
            if (error.code == ErrorCode::kMisspelledKey) {
                // One mistake, one error: the key that was meant is not missing as well.
                std::erase_if(*diagnostics_, [&](const Diagnostic& each) {
                    return each.error.code == ErrorCode::kMissingKey && each.path == path_ &&
                           each.error.arguments[0] == error.arguments[1];
                });
            }
            key_error(key, std::move(error));
        } else if (error.code == ErrorCode::kMisspelledKey && !contains(error.arguments[1])) {
            CHECK(options_.remarks != nullptr);
            value::add(*options_.remarks, {path_of(key), true, std::move(error)});
        }
    }
}

Fields Fields::inner(const Value& value, Path path, std::string_view takes) const {
    FieldsOptions options = options_;
    options.takes = takes;
    return Fields(value, std::move(path), *diagnostics_, options);
}

std::optional<Fields> Fields::object(std::string_view key, Presence presence) {
    const Value* found = take(key, presence);
    return found != nullptr ? std::optional(inner(*found, path_of(key))) : std::nullopt;
}

// ---- diagnostics

Path Fields::path_of(std::string_view key) const {
    Path path = path_;
    path.emplace_back(key);
    return path;
}

void Fields::error(std::string_view key, Error error) {
    error_at(path_of(key), std::move(error));
}
void Fields::key_error(std::string_view key, Error error) {
    value::add(*diagnostics_, {path_of(key), true, std::move(error)});
}
void Fields::error_at(Path path, Error error) {
    value::add(*diagnostics_, {std::move(path), false, std::move(error)});
}
void Fields::remark_at(Path path, Error error) {
    CHECK(options_.remarks != nullptr);
    value::add(*options_.remarks, {std::move(path), false, std::move(error)});
}
void Fields::reject(std::string_view key, std::string takes, const Value& found) {
    error(key, wrong_value(key, std::move(takes), found));
}
bool Fields::forget_missing(std::string_view key) {
    return std::erase_if(*diagnostics_, [&](const Diagnostic& each) {
               return each.error.code == ErrorCode::kMissingKey && each.path == path_ &&
                      each.error.arguments[0] == key;
           }) > 0;
}

void Fields::missing(std::string_view key) {
    if (is_object_) {
        error_at(path_, Error(ErrorCode::kMissingKey, {std::string(key)}));
    }
}

// ---- members

const Value* Fields::take(std::string_view key, Presence presence) {
    known_.push_back(key);
    const Value* found = object_.find(key);
    if (found != nullptr && options_.null_is_absent && found->is_null()) {
        found = nullptr;
    }
    if (found == nullptr && presence == Presence::kRequired) {
        missing(key);
    }
    return found;
}

const Value* Fields::take(std::string_view key, Kind kind, Presence presence) {
    const Value* found = take(key, presence);
    if (found != nullptr && found->kind() != kind) {
        reject(key, std::string(name(kind)), *found);
        return nullptr;
    }
    return found;
}

Fields::Named Fields::take_any(std::initializer_list<std::string_view> keys) {
    Named named;
    for (const std::string_view key : keys) {
        const Value* found = take(key);
        if (found != nullptr && named.value == nullptr) {
            named = {key, found};
        }
    }
    return named;
}

std::optional<std::string> Fields::text(std::string_view key, Presence presence) {
    const Value* found = take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_string()) {
        reject(key, "text", *found);
        return std::nullopt;
    }
    return std::string(found->as_string());
}

std::optional<std::string> Fields::text_or_number(std::string_view key) {
    const Value* found = take(key);
    if (found != nullptr && found->is_number()) {
        return print_json(*found);
    }
    return text(key);
}

std::optional<bool> Fields::flag(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_bool()) {
        reject(key, "true | false", *found);
        return std::nullopt;
    }
    return found->as_bool();
}

std::optional<std::int64_t> Fields::whole(std::string_view key, std::int64_t min, std::int64_t max,
                                          Presence presence) {
    const Value* found = take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_int() || found->as_int() < min || found->as_int() > max) {
        reject(key, range_text(min, max), *found);
        return std::nullopt;
    }
    return found->as_int();
}

std::optional<std::size_t> Fields::count(std::string_view key, std::size_t max) {
    const auto found = whole(key, 0, static_cast<std::int64_t>(max));
    return found ? std::optional(static_cast<std::size_t>(*found)) : std::nullopt;
}

std::optional<base::Text> Fields::bilingual(std::string_view key) {
    const Value* found = take(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (found->is_string()) {
        const std::string text(found->as_string());
        return base::Text{text, text};
    }
    if (!found->is_object()) {
        reject(key, std::string(kBilingualTakes), *found);
        return std::nullopt;
    }
    Fields languages = inner(*found, path_of(key));
    const auto english = languages.text("en");
    const auto chinese = languages.text("zh");
    languages.finish();
    if (languages.take("en") == nullptr && languages.take("zh") == nullptr) {
        reject(key, std::string(kBilingualTakes), *found);
        return std::nullopt;
    }
    return base::Text{english.value_or(chinese.value_or("")),
                      chinese.value_or(english.value_or(""))};
}

std::optional<std::size_t> Fields::word(std::string_view key,
                                        std::span<const std::string_view> words,
                                        Presence presence) {
    const Value* found = take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    const auto at = found->is_string() ? std::ranges::find(words, found->as_string()) : words.end();
    if (at == words.end()) {
        const auto meant = found->is_string() ? text::nearest(found->as_string(), words)
                                              : std::optional<std::string_view>();
        error(key, wrong_value(key, text::join(words, " | "), *found, meant.value_or("")));
        return std::nullopt;
    }
    return static_cast<std::size_t>(at - words.begin());
}

// ---- paths

std::optional<Pattern> Fields::parse_pattern_at(const Value& written, Path where) {
    const std::string name = print_path({where.back()}, PathSyntax::kDotted);
    if (!written.is_string() || written.as_string().empty()) {
        error_at(std::move(where), wrong_value(name, "a.b.$c", written));
        return std::nullopt;
    }
    auto parsed = parse_pattern(written.as_string());
    if (!parsed) {
        parsed.error().place.reset();  // a position in the text, not in the file
        error_at(std::move(where), std::move(parsed).error());
        return std::nullopt;
    }
    return std::move(*parsed);
}

std::optional<Pattern> Fields::pattern(std::string_view key, Presence presence) {
    const Value* found = take(key, presence);
    return found == nullptr ? std::nullopt : parse_pattern_at(*found, path_of(key));
}

std::vector<Pattern> Fields::patterns(std::string_view key) {
    std::vector<Pattern> all;
    for (auto& [written, where] : list(key)) {
        if (auto pattern = parse_pattern_at(written, std::move(where))) {
            all.push_back(std::move(*pattern));
        }
    }
    return all;
}

std::optional<Path> Fields::path(std::string_view key, Presence presence) {
    const Value* found = take(key, presence);
    const auto pattern = found == nullptr ? std::nullopt : parse_pattern_at(*found, path_of(key));
    if (!pattern) {
        return std::nullopt;
    }
    auto bound = bound_path(*pattern, {});
    if (!bound) {
        reject(key, "a.b.c", *found);
    }
    return bound;
}

std::optional<Path> Fields::any_path(std::string_view key, Presence presence) {
    const Value* found = take(key, presence);
    if (found == nullptr) {
        return std::nullopt;
    }
    if (!found->is_string()) {
        reject(key, "a.b.c", *found);
        return std::nullopt;
    }
    auto parsed = parse_any_path(found->as_string());
    if (!parsed) {
        parsed.error().place.reset();
        error(key, std::move(parsed).error());
        return std::nullopt;
    }
    return std::move(*parsed);
}

// ---- lists

std::vector<Fields::Item> Fields::list(std::string_view key, Presence presence) {
    std::vector<Item> items;
    const Value* found = take(key, presence);
    if (found == nullptr || found->is_null()) {
        return items;
    }
    if (!found->is_array()) {
        items.push_back({*found, path_of(key)});
        return items;
    }
    const Array& array = found->as_array();
    if (array.size() > options_.list_max) {
        reject(key, "0 – " + std::to_string(options_.list_max) + " […]", *found);
        return items;
    }
    std::int64_t index = 0;
    for (const Value& element : array) {
        Path where = path_of(key);
        where.emplace_back(index++);
        items.push_back({element, std::move(where)});
    }
    return items;
}

std::vector<Fields::Item> Fields::strict_list(std::string_view key, std::string_view takes) {
    const Value* found = take(key);
    if (found != nullptr && !found->is_array()) {
        reject(key, std::string(takes), *found);
        return {};
    }
    return list(key);
}

std::vector<Fields::TextItem> Fields::texts(std::string_view key) {
    std::vector<TextItem> all;
    for (auto& [written, where] : list(key)) {
        if (written.is_string()) {
            all.push_back({std::string(written.as_string()), std::move(where)});
        } else {
            error_at(std::move(where), wrong_value(key, "text", written));
        }
    }
    return all;
}

}  // namespace arbiter::value
