// A compiled lorebook: its entries, one automaton for all keys, and cached search results.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "prompt/internal/lore_entry.h"
#include "text/keywords.h"
#include "text/regex.h"

namespace arbiter::prompt::internal {

using KeyId = text::Keywords::Id;

// Position of a key.
struct KeyPlace {
    std::uint32_t slot;
    bool other;  // a secondary one
    std::uint32_t key;
};
KeyId id_of(const KeyPlace& place) noexcept;
KeyPlace place_of(KeyId id) noexcept;

// A text in the normal forms that keys are searched in, computed on demand.
class Forms {
  public:
    explicit Forms(std::string_view text) : text_(text) {}
    std::string_view get(bool folded, bool words);

  private:
    std::string_view text_;
    std::array<std::optional<std::string>, 4> made_;
};

// Keys grouped by search mode.
class KeySet {
  public:
    void add(KeyId id, std::string_view key, bool case_sensitive, bool whole_words);
    void remove(KeyId id, std::string_view key, bool case_sensitive, bool whole_words);
    void add(KeyId id, std::shared_ptr<const text::Regex> pattern);
    void remove_pattern(KeyId id);
    void clear();
    [[nodiscard]] std::size_t size() const;
    // Ascending.
    [[nodiscard]] std::vector<KeyId> find(std::string_view text, bool with_patterns) const;
    // Upper bound of regex steps on a text.
    [[nodiscard]] std::uint64_t cost(std::size_t bytes) const noexcept {
        return (static_cast<std::uint64_t>(bytes) + 1) * weight_;
    }

  private:
    struct Pattern {
        KeyId id;
        std::shared_ptr<const text::Regex> regex;
    };
    std::array<text::Keywords, 4> words_;
    std::vector<Pattern> patterns_;
    std::uint64_t weight_ = 0;  // of all patterns, for a byte
};

class Book {
  public:
    explicit Book(std::string_view name) : name_(name) {}

    void follow(const value::Value& written, const LoreSettings& settings);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    [[nodiscard]] std::size_t size() const noexcept { return ids_.size(); }
    [[nodiscard]] std::size_t bound() const noexcept { return slots_.size(); }
    // nullptr: the slot is free.
    [[nodiscard]] const LoreEntry* entry(std::size_t slot) const {
        return slots_[slot].used ? &slots_[slot].entry : nullptr;
    }
    [[nodiscard]] const std::vector<std::uint32_t>& constants() const noexcept {
        return constants_;
    }
    [[nodiscard]] const BookSettings& settings() const noexcept { return settings_; }
    [[nodiscard]] std::size_t scan_depth(const LoreEntry& entry) const {
        return entry.scan_depth.value_or(settings_.settings.scan_depth);
    }
    // The maximum scan depth of all entries.
    [[nodiscard]] std::size_t deepest() const;
    // Bits of all card fields that some entry searches.
    [[nodiscard]] std::uint32_t texts() const noexcept { return texts_; }
    [[nodiscard]] value::Diagnostics diagnostics() const;

    // Cost of all regular expressions on a text. The caller compares the cost of the whole turn
    // with the limit, including cached texts, so that the result does not depend on the cache.
    [[nodiscard]] std::uint64_t cost(std::size_t bytes) const noexcept { return keys_.cost(bytes); }

    // The keys found in a message of the history.
    const std::vector<KeyId>& found_in_message(std::size_t index, const value::Str& text,
                                               bool with_patterns);
    // Drops the cache of messages before `first`.
    void forget_before(std::size_t first);
    // The keys found in a card field and in the content of an entry.
    [[nodiscard]] std::vector<KeyId> found_in(std::string_view text, bool with_patterns) const {
        return keys_.find(text, with_patterns);
    }
    const std::vector<KeyId>& found_in_entry(std::uint32_t slot, bool with_patterns);

  private:
    struct Slot {
        bool used = false;
        std::string key;  // in ids_
        LoreEntry entry;
        value::Diagnostics diagnostics;
    };
    struct Searched {
        value::Str text = {};  // of a message
        bool with_patterns = false;
        std::uint64_t version = 0;  // of the keys; 0: never searched
        std::vector<KeyId> ids = {};
    };

    void begin_anew(const value::Value& entries);
    bool update(const value::Value& before, const value::Value& after);
    void put(std::string key, const value::Value& written, const value::Path& path);
    void drop(std::string_view key);
    void change_keys(const LoreEntry& entry, std::uint32_t slot, value::Diagnostics* diagnostics);
    void begin_changes();
    void bring_up(Searched& known, std::string_view text, bool with_patterns) const;

    std::string name_;
    value::Value written_;
    LoreSettings given_;
    BookSettings settings_;
    std::vector<value::Diagnostic> book_faults_;
    std::vector<Slot> slots_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<std::uint32_t> constants_;       // entries without keys, ascending
    std::map<std::size_t, std::size_t> depths_;  // scan depth → number of entries
    std::uint32_t texts_ = 0;
    KeySet keys_;
    std::unordered_map<std::size_t, Searched> searched_;
    std::unordered_map<std::uint32_t, Searched> in_entries_;
    // Version of the key set. Cached results of version_ are current; those of caught_version_ lack
    // the keys in fresh_ and still contain the slots in gone_; older ones are searched again.
    std::uint64_t version_ = 1;
    std::uint64_t caught_version_ = 1;
    bool is_searched_ = false;  // since the last change
    KeySet fresh_;
    std::vector<std::uint32_t> gone_;
};

}  // namespace arbiter::prompt::internal
