// Settings: what can be adjusted in a campaign, each with its type, its bounds and its words.
//
// A registry of definitions is made once and then only read. A patch is applied wholly or not at
// all; what a campaign has not set comes from the global settings, and what those have not set
// from the definition.
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
#include "value/object.h"
#include "value/value.h"

namespace arbiter::table {

enum class SettingType : std::uint8_t { kBool, kInt, kEnum, kString, kJson };
std::string_view name(SettingType type) noexcept;  // "bool", …
enum class SettingScope : std::uint8_t { kCampaign, kGlobal };
std::string_view name(SettingScope scope) noexcept;

struct Validation {
    base::Text words;  // the constraint as people read it
    std::optional<std::int64_t> min = {};
    std::optional<std::int64_t> max = {};
    std::vector<std::string> allowed = {};  // of an enum
    std::string pattern = {};               // of a string; empty: any
};

struct SettingDefinition {
    std::string key;
    SettingType type = SettingType::kBool;
    value::Value fallback;  // the specification's `default`
    SettingScope scope = SettingScope::kCampaign;
    Validation validation;
    base::Text ui_hint;
    std::vector<std::string> effect_tags;  // of context, rules, routing, ui, storage
};

class SettingsRegistry {
  public:
    // Fails with kSettingTwice or kSettingIncomplete: no key, no words, no bounds where the type
    // needs some, an unknown tag, or a default that fails its own validation.
    base::Result<> add(SettingDefinition definition);
    // Of these two flags at most one is on; both must be known and off or on by default, not both.
    base::Result<> exclude(std::string_view winner, std::string_view other);

    [[nodiscard]] const SettingDefinition* find(std::string_view key) const noexcept;
    [[nodiscard]] const std::vector<SettingDefinition>& all() const noexcept { return all_; }

    // The value is one that the setting takes; else kBadField with what it takes.
    [[nodiscard]] base::Result<> check(const SettingDefinition& definition,
                                       const value::Value& value) const;

    // `values` with a patch, wholly or not at all: kUnknownKey or kMisspelledKey, kBadField,
    // kSettingsExclude. null takes a key back to its default. `globals` counts for what neither
    // sets; a patch of the globals themselves has none.
    [[nodiscard]] base::Result<value::Object> patch(const value::Object& values,
                                                    const value::Object& patch,
                                                    const value::Object& globals = {}) const;
    // The patch that turns a flag on and, where it excludes another, that one off: for switches.
    [[nodiscard]] value::Object switch_on(std::string_view key) const;

    // Every key with the value that holds. Values of an old save that no setting takes any more are
    // passed over; of two that exclude each other the second (compress) wins. Both are told.
    struct Effective {
        value::Object values;
        std::vector<std::string> passed_over;  // keys
    };
    [[nodiscard]] Effective effective(const value::Object& values,
                                      const value::Object& globals) const;

    // {key, type, default, scope, validation, ui_hint, effect_tags}, for pages that show them.
    [[nodiscard]] value::Value to_value() const;

  private:
    struct Excluded {
        std::string winner;
        std::string other;
    };
    [[nodiscard]] base::Result<> check_exclusions(const value::Object& values,
                                                  const value::Object& globals) const;

    std::vector<SettingDefinition> all_;
    std::vector<std::optional<text::Regex>> patterns_;
    std::vector<Excluded> excluded_;
};

// All that the table itself needs; dialog types are those of the registry.
SettingsRegistry shipped_settings(const DialogTypes& dialogs);

bool is_on(const value::Object& effective, std::string_view key) noexcept;
std::int64_t number_in(const value::Object& effective, std::string_view key) noexcept;
std::string_view word_in(const value::Object& effective, std::string_view key) noexcept;

}  // namespace arbiter::table
