// Settings: the adjustable parameters of a campaign, each with its type, bounds and description.
//
// A registry is built once and then only read; reading is safe from any thread. A patch is applied
// completely or not at all. A value comes from the campaign, else from the global settings, else
// from the definition's default.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "table/dialog.h"
#include "text/regex.h"
#include "text/tokens.h"
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

enum class SettingType : std::uint8_t { kBool, kInt, kEnum, kString, kJson };
std::string_view name(SettingType type) noexcept;  // "bool", …
enum class SettingScope : std::uint8_t { kCampaign, kGlobal };
std::string_view name(SettingScope scope) noexcept;

struct Validation {
    base::Text words;  // the constraint in words
    std::optional<std::int64_t> min = {};
    std::optional<std::int64_t> max = {};
    std::vector<std::string> allowed = {};  // for an enum
    std::string pattern = {};               // for a string; empty: any
};

struct SettingDefinition {
    std::string key;
    SettingType type = SettingType::kBool;
    value::Value fallback;  // the specification's `default`
    SettingScope scope = SettingScope::kCampaign;
    Validation validation;
    base::Text ui_hint;
    std::vector<std::string> effect_tags;  // subset of context, rules, routing, ui, storage
};

class SettingsRegistry {
  public:
    // Fails with kSettingTwice, or with kSettingIncomplete if the key, the description or required
    // bounds are missing, a tag is unknown, or the default fails its own validation.
    base::Result<> add(SettingDefinition definition);
    // Makes two flags mutually exclusive. Fails with kSettingIncomplete if a key is not a
    // registered flag or both are on by default.
    base::Result<> exclude(std::string_view winner, std::string_view other);

    // A copy in which the words of an enum are `allowed`.
    [[nodiscard]] SettingsRegistry with_words(std::string_view key,
                                              std::vector<std::string> allowed) const;

    [[nodiscard]] const SettingDefinition* find(std::string_view key) const noexcept;
    [[nodiscard]] const std::vector<SettingDefinition>& all() const noexcept { return all_; }

    // Fails with kBadField, which names the valid values, if the setting does not accept the value.
    [[nodiscard]] base::Result<> check(const SettingDefinition& definition,
                                       const value::Value& value) const;

    // Returns `values` with the whole patch applied. Fails with kUnknownKey, kMisspelledKey,
    // kBadField or kSettingsExclude. null resets a key to its default. `globals` supplies the keys
    // that neither sets; leave it empty to patch the globals themselves.
    [[nodiscard]] base::Result<value::Object> patch(const value::Object& values,
                                                    const value::Object& patch,
                                                    const value::Object& globals = {}) const;
    // The patch that turns a flag on and the flags that it excludes off; for switches in a UI.
    [[nodiscard]] value::Object switch_on(std::string_view key) const;

    // Every key with its effective value. Skips values of an old save that are no longer valid. If
    // two exclusive flags are both on, the winner stays on. `passed_over` reports both cases.
    struct Effective {
        value::Object values;
        std::vector<std::string> passed_over;  // keys
    };
    [[nodiscard]] Effective effective(const value::Object& values,
                                      const value::Object& globals) const;

    // [{key, type, default, scope, validation, ui_hint, effect_tags}], for a settings page.
    [[nodiscard]] value::Value to_value() const;

  private:
    struct Excluded {
        std::string winner;
        std::string other;
    };
    [[nodiscard]] base::Result<> check_exclusions(const value::Object& values,
                                                  const value::Object& globals) const;

    std::vector<SettingDefinition> all_;
    value::Object defaults_;  // by key
    std::vector<std::optional<text::Regex>> patterns_;
    std::vector<Excluded> excluded_;
};

bool is_on(const value::Object& effective, std::string_view key) noexcept;
std::int64_t number_in(const value::Object& effective, std::string_view key) noexcept;
std::string_view word_in(const value::Object& effective, std::string_view key) noexcept;
// How tokens are estimated: tokens.chars_per_token.
text::TokenRates token_rates(const value::Object& effective) noexcept;

}  // namespace arbiter::table
