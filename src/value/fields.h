// Fields: reads the members of a config object (a profile, a rulebook, a card …) one by one.
//
//   Fields fields(written, {}, diagnostics);
//   rule.name = fields.text("name", Presence::kRequired).value_or("");
//   rule.limit = fields.whole("limit", 0, 100).value_or(10);
//   fields.finish();  // reports the keys that nothing has read
//
// Every mistake is one Diagnostic with its path. A member that is missing or wrong reads as
// nothing, so that the caller continues and finds the other mistakes. Diagnostics come in the order
// of reading; the loader of a file sorts them by position.
//
// A Fields refers to the value and to the diagnostics, which must outlive it. For one thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "value/diagnostic.h"
#include "value/kind.h"
#include "value/object.h"
#include "value/path.h"
#include "value/pattern.h"
#include "value/value.h"

namespace arbiter::value {

enum class Presence : std::uint8_t { kOptional, kRequired };

// Treatment of keys that were not read.
enum class UnknownKeys : std::uint8_t {
    kError,
    kRemark,  // keys that are probably misspelled become remarks, the others are ignored
    kIgnore
};

struct FieldsOptions {
    UnknownKeys unknown_keys = UnknownKeys::kError;
    Diagnostics* remarks = nullptr;         // for kRemark
    bool null_is_absent = false;            // `key:` without a value counts as missing
    std::string_view takes = "key: value";  // the expected form, where the value is not an object
    std::string_view name = "$";            // of the outermost object, for the same message
    std::size_t list_max = std::numeric_limits<std::size_t>::max();  // elements of a list
};

// A word of a config file and its meaning.
template <typename T>
struct Choice {
    std::string_view name;
    T value;
};

class Fields {
  public:
    // A value that is not an object is an error and reads as an empty object; that its required
    // keys are missing is then not reported as well.
    Fields(const Value& value, Path path, Diagnostics& diagnostics, FieldsOptions options = {});
    // Reports unknown keys. To be called after the last read.
    void finish();

    // An object inside of this one, read with the same options. `takes` is its expected form.
    [[nodiscard]] Fields inner(const Value& value, Path path,
                               std::string_view takes = FieldsOptions().takes) const;
    // The object at a key; nothing if the key is absent.
    [[nodiscard]] std::optional<Fields> object(std::string_view key,
                                               Presence presence = Presence::kOptional);

    // The value of a key, or nullptr. The key counts as read.
    const Value* take(std::string_view key, Presence presence = Presence::kOptional);
    // The same for a value of one kind.
    const Value* take(std::string_view key, Kind kind, Presence presence = Presence::kOptional);
    // The first of several names of the same member that is there.
    struct Named {
        std::string_view key;
        const Value* value = nullptr;
    };
    Named take_any(std::initializer_list<std::string_view> keys);
    // Keys that are allowed although they are not read.
    void ignore(std::initializer_list<std::string_view> keys) {
        known_.insert(known_.end(), keys.begin(), keys.end());
    }
    void ignore(std::span<const std::string_view> keys) {
        known_.insert(known_.end(), keys.begin(), keys.end());
    }

    std::optional<std::string> text(std::string_view key, Presence presence = Presence::kOptional);
    // The same; a number stands for its text, as YAML reads an unquoted 12 as a number.
    std::optional<std::string> text_or_number(std::string_view key);
    std::optional<bool> flag(std::string_view key);
    // A whole number from `min` to `max`.
    std::optional<std::int64_t> whole(std::string_view key, std::int64_t min, std::int64_t max,
                                      Presence presence = Presence::kOptional);
    std::optional<std::size_t> count(std::string_view key, std::size_t max = 1'000'000);
    // A text for both languages or one for each: {en: …, zh: …}. One language stands for both.
    std::optional<base::Text> bilingual(std::string_view key);
    // The index of one of some words.
    std::optional<std::size_t> word(std::string_view key, std::span<const std::string_view> words,
                                    Presence presence = Presence::kOptional);
    template <typename T, std::size_t kSize>
    std::optional<T> one_of(std::string_view key, const Choice<T> (&choices)[kSize],
                            Presence presence = Presence::kOptional) {
        std::string_view names[kSize];
        for (std::size_t i = 0; i < kSize; ++i) {
            names[i] = choices[i].name;
        }
        const auto index = word(key, names, presence);
        return index ? std::optional<T>(choices[*index].value) : std::nullopt;
    }

    // A path or pattern in dotted form.
    std::optional<Path> path(std::string_view key, Presence presence = Presence::kOptional);
    // A path in any of the syntaxes of value/path.h.
    std::optional<Path> any_path(std::string_view key, Presence presence = Presence::kOptional);
    std::optional<Pattern> pattern(std::string_view key, Presence presence = Presence::kOptional);
    std::vector<Pattern> patterns(std::string_view key);

    // The elements of a list; another value stands for a list of one, null for an empty list.
    struct Item {
        const Value& value;
        Path path;
    };
    std::vector<Item> list(std::string_view key, Presence presence = Presence::kOptional);
    // The same; a value that is not a list is an error.
    std::vector<Item> strict_list(std::string_view key, std::string_view takes = "[…]");
    // The elements of a list of texts, or one text.
    struct TextItem {
        std::string text;
        Path path;
    };
    std::vector<TextItem> texts(std::string_view key);

    // Diagnostics of the caller: any one, about the value of a key, about a key, about a path.
    void add(Diagnostic diagnostic) { value::add(*diagnostics_, std::move(diagnostic)); }
    void error(std::string_view key, base::Error error);
    void key_error(std::string_view key, base::Error error);
    void error_at(Path path, base::Error error);
    void remark_at(Path path, base::Error error);  // needs options.remarks
    // The value of a key is not of the form `takes`.
    void reject(std::string_view key, std::string takes, const Value& found);
    void missing(std::string_view key);

    [[nodiscard]] const Object& members() const noexcept { return object_; }
    [[nodiscard]] bool contains(std::string_view key) const noexcept {
        return object_.contains(key);
    }
    [[nodiscard]] Path path_of(std::string_view key) const;

    // Removes the error that a key is missing; false if there is none.
    bool forget_missing(std::string_view key);

  private:
    std::optional<Pattern> parse_pattern_at(const Value& written, Path where);

    Object object_;
    bool is_object_;
    Path path_;
    Diagnostics* diagnostics_;
    FieldsOptions options_;
    std::vector<std::string_view> known_;
};

// kMisspelledKey if a known key is near, else kUnknownKey with all of them.
base::Error unknown_key(std::string_view key, std::span<const std::string_view> known);
// kBadField: `key` takes `takes` and not `found`. `meant` is the value that was probably meant.
base::Error wrong_value(std::string_view key, std::string takes, const Value& found,
                        std::string_view meant = {});

}  // namespace arbiter::value
