#include "table/settings.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "base/limits.h"
#include "table/layout.h"
#include "text/join.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/json.h"

namespace arbiter::table {

using base::ErrorCode;
using value::Array;
using value::Object;
using value::Value;

std::string_view name(SettingType type) noexcept {
    switch (type) {
        case SettingType::kBool:
            return "bool";
        case SettingType::kInt:
            return "int";
        case SettingType::kEnum:
            return "enum";
        case SettingType::kString:
            return "string";
        case SettingType::kJson:
            return "json";
    }
    return "";
}

std::string_view name(SettingScope scope) noexcept {
    switch (scope) {
        case SettingScope::kCampaign:
            return "campaign";
        case SettingScope::kGlobal:
            return "global";
    }
    return "";
}

namespace {

constexpr std::array<std::string_view, 5> kTags = {"context", "rules", "routing", "ui", "storage"};

std::string takes(const SettingDefinition& definition) {
    const Validation& validation = definition.validation;
    switch (definition.type) {
        case SettingType::kBool:
            return "true | false";
        case SettingType::kInt:
            return std::to_string(validation.min.value_or(0)) + "…" +
                   std::to_string(validation.max.value_or(0));
        case SettingType::kEnum:
            return text::join(validation.allowed, " | ");
        case SettingType::kString:
            return validation.pattern.empty() ? "string" : "/" + validation.pattern + "/";
        case SettingType::kJson:
            return "{…}";
    }
    return "";
}

// The name of the first missing field; empty if the definition is complete.
std::string_view missing_in(const SettingDefinition& definition) {
    const Validation& validation = definition.validation;
    if (definition.key.empty()) {
        return "key";
    }
    if (!validation.words.is_complete()) {
        return "validation";
    }
    if (definition.type == SettingType::kInt &&
        (!validation.min || !validation.max || *validation.min > *validation.max)) {
        return "validation.min, validation.max";
    }
    if (definition.type == SettingType::kEnum && validation.allowed.empty()) {
        return "validation.allowed";
    }
    if (!definition.ui_hint.is_complete()) {
        return "ui_hint";
    }
    if (definition.effect_tags.empty() ||
        !std::ranges::all_of(definition.effect_tags, [](const std::string& tag) {
            return std::ranges::find(kTags, tag) != kTags.end();
        })) {
        return "effect_tags";
    }
    return {};
}

}  // namespace

const SettingDefinition* SettingsRegistry::find(std::string_view key) const noexcept {
    const auto found = std::ranges::find(all_, key, &SettingDefinition::key);
    return found != all_.end() ? &*found : nullptr;
}

base::Result<> SettingsRegistry::add(SettingDefinition definition) {
    if (find(definition.key) != nullptr) {
        return base::fail(ErrorCode::kSettingTwice, {definition.key});
    }
    if (const std::string_view missing = missing_in(definition); !missing.empty()) {
        return base::fail(ErrorCode::kSettingIncomplete, {definition.key, std::string(missing)});
    }
    std::optional<text::Regex> pattern;
    if (!definition.validation.pattern.empty()) {
        auto compiled = text::Regex::compile(definition.validation.pattern);
        if (!compiled) {
            return base::fail(ErrorCode::kSettingIncomplete,
                              {definition.key, "validation.pattern"});
        }
        pattern = std::move(*compiled);
    }
    all_.push_back(std::move(definition));
    patterns_.push_back(std::move(pattern));
    if (!check(all_.back(), all_.back().fallback)) {
        std::string key = all_.back().key;
        all_.pop_back();
        patterns_.pop_back();
        return base::fail(ErrorCode::kSettingIncomplete, {std::move(key), "default"});
    }
    defaults_ = std::move(defaults_).set(std::string_view(all_.back().key), all_.back().fallback);
    return {};
}

base::Result<> SettingsRegistry::exclude(std::string_view winner, std::string_view other) {
    for (const std::string_view key : {winner, other}) {
        const SettingDefinition* found = find(key);
        if (found == nullptr || found->type != SettingType::kBool) {
            return base::fail(ErrorCode::kSettingIncomplete, {std::string(key), "bool"});
        }
    }
    if (find(winner)->fallback.as_bool() && find(other)->fallback.as_bool()) {
        return base::fail(ErrorCode::kSettingIncomplete, {std::string(winner), "default"});
    }
    excluded_.push_back({std::string(winner), std::string(other)});
    return {};
}

SettingsRegistry SettingsRegistry::with_words(std::string_view key,
                                              std::vector<std::string> allowed) const {
    SettingsRegistry made = *this;
    const auto found = std::ranges::find(made.all_, key, &SettingDefinition::key);
    if (found != made.all_.end()) {
        found->validation.allowed = std::move(allowed);
    }
    return made;
}

base::Result<> SettingsRegistry::check(const SettingDefinition& definition,
                                       const Value& value) const {
    const Validation& validation = definition.validation;
    const auto allowed = [&]() -> bool {
        switch (definition.type) {
            case SettingType::kBool:
                return value.is_bool();
            case SettingType::kInt:
                return value.is_int() && value.as_int() >= *validation.min &&
                       value.as_int() <= *validation.max;
            case SettingType::kEnum:
                return value.is_string() &&
                       std::ranges::find(validation.allowed, value.as_string()) !=
                           validation.allowed.end();
            case SettingType::kString: {
                if (!value.is_string() || value.as_string().size() > base::kToolTextBytesMax) {
                    return false;
                }
                const auto at = static_cast<std::size_t>(&definition - all_.data());
                return at >= patterns_.size() || !patterns_[at] ||
                       patterns_[at]->is_in(value.as_string());
            }
            case SettingType::kJson:
                return value.is_object() && !value.is_deeper_than(base::kToolArgsDepthMax) &&
                       value::print_json(value).size() <= base::kToolArgsWeightMax;
        }
        return false;
    };
    if (!allowed()) {
        return std::unexpected(value::wrong_value(definition.key, takes(definition), value));
    }
    return {};
}

base::Result<> SettingsRegistry::check_exclusions(const Object& values,
                                                  const Object& globals) const {
    const auto on = [&](const std::string& key) {
        const Value* set = values.find(key);
        set = set != nullptr ? set : globals.find(key);
        set = set != nullptr ? set : &find(key)->fallback;
        return set->is_bool() && set->as_bool();
    };
    for (const Excluded& pair : excluded_) {
        if (on(pair.winner) && on(pair.other)) {
            return base::fail(ErrorCode::kSettingsExclude, {pair.winner, pair.other});
        }
    }
    return {};
}

base::Result<Object> SettingsRegistry::patch(const Object& values, const Object& patch,
                                             const Object& globals) const {
    Object patched = values;
    for (const auto& [key, wanted] : patch) {
        const SettingDefinition* definition = find(key);
        if (definition == nullptr) {
            std::vector<std::string_view> keys;
            for (const SettingDefinition& each : all_) {
                keys.push_back(each.key);
            }
            return std::unexpected(value::unknown_key(key, keys));
        }
        if (wanted.is_null()) {
            patched = std::move(patched).erase(key);
            continue;
        }
        if (auto checked = check(*definition, wanted); !checked) {
            return std::unexpected(std::move(checked.error()));
        }
        patched = std::move(patched).set(key, wanted);
    }
    if (auto checked = check_exclusions(patched, globals); !checked) {
        return std::unexpected(std::move(checked.error()));
    }
    return patched;
}

Object SettingsRegistry::switch_on(std::string_view key) const {
    Object patch = {{key, true}};
    for (const Excluded& pair : excluded_) {
        if (pair.winner == key) {
            patch = std::move(patch).set(std::string_view(pair.other), false);
        } else if (pair.other == key) {
            patch = std::move(patch).set(std::string_view(pair.winner), false);
        }
    }
    return patch;
}

SettingsRegistry::Effective SettingsRegistry::effective(const Object& values,
                                                        const Object& globals) const {
    Effective made{defaults_, {}};
    if (values.empty() && globals.empty()) {
        return made;  // exclude() refuses two flags that are on by default
    }
    for (const SettingDefinition& definition : all_) {
        for (const Object* layer : {&values, &globals}) {
            const Value* set = layer->find(definition.key);
            if (set == nullptr) {
                continue;
            }
            if (check(definition, *set)) {
                made.values = std::move(made.values).set(std::string_view(definition.key), *set);
                break;
            }
            made.passed_over.push_back(definition.key);
        }
    }
    for (const Excluded& pair : excluded_) {
        if (is_on(made.values, pair.winner) && is_on(made.values, pair.other)) {
            // patch() prevents this; only an old save or two independent layers can have it.
            made.values = std::move(made.values).set(std::string_view(pair.other), false);
            made.passed_over.push_back(pair.other);
        }
    }
    return made;
}

Value SettingsRegistry::to_value() const {
    Array all;
    for (const SettingDefinition& each : all_) {
        const Validation& bounds = each.validation;
        Object validation = {{"en", std::string_view(bounds.words.english)},
                             {"zh", std::string_view(bounds.words.chinese)}};
        if (bounds.min) {
            validation = std::move(validation).set("min", *bounds.min);
        }
        if (bounds.max) {
            validation = std::move(validation).set("max", *bounds.max);
        }
        if (!bounds.allowed.empty()) {
            Array allowed;
            for (const std::string& word : bounds.allowed) {
                allowed = std::move(allowed).push_back(std::string_view(word));
            }
            validation = std::move(validation).set("allowed", std::move(allowed));
        }
        if (!bounds.pattern.empty()) {
            validation = std::move(validation).set("pattern", std::string_view(bounds.pattern));
        }
        Array tags;
        for (const std::string& tag : each.effect_tags) {
            tags = std::move(tags).push_back(std::string_view(tag));
        }
        all = std::move(all).push_back(
            Object{{"key", std::string_view(each.key)},
                   {"type", name(each.type)},
                   {"default", each.fallback},
                   {"scope", name(each.scope)},
                   {"validation", std::move(validation)},
                   {"ui_hint", Object{{"en", std::string_view(each.ui_hint.english)},
                                      {"zh", std::string_view(each.ui_hint.chinese)}}},
                   {"effect_tags", std::move(tags)}});
    }
    return all;
}

bool is_on(const Object& effective, std::string_view key) noexcept {
    const Value* found = effective.find(key);
    return found != nullptr && found->is_bool() && found->as_bool();
}

std::int64_t number_in(const Object& effective, std::string_view key) noexcept {
    const Value* found = effective.find(key);
    return found != nullptr && found->is_int() ? found->as_int() : 0;
}

std::string_view word_in(const Object& effective, std::string_view key) noexcept {
    const Value* found = effective.find(key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

text::TokenRates token_rates(const Object& effective) noexcept {
    constexpr std::int64_t kUsual = 4;
    const std::int64_t chars = number_in(effective, "tokens.chars_per_token");
    text::TokenRates rates;
    if (chars > 0) {
        rates.ascii = static_cast<std::uint32_t>(rates.ascii * kUsual / chars);
        rates.letter = static_cast<std::uint32_t>(rates.letter * kUsual / chars);
    }
    return rates;
}

}  // namespace arbiter::table
