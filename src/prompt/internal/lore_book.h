// A compiled lorebook: its entries, one automaton for all plain keys, the patterns, and cached
// search results.
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

// Plain keys that are remembered as found in one message and in the content of one entry. A text
// that has more of them is searched anew in every scan, for keys that were not found yet: entries
// that share a key would otherwise need memory by the square of their number.
inline constexpr std::size_t kMessageKeysMax = 1024;
inline constexpr std::size_t kEntryKeysMax = 32;

// Stands before every message in the text that patterns search, as in SillyTavern.
inline constexpr char32_t kMessageMark = U'\x01';

// A text in the normal forms that keys are searched in, computed on demand.
class Forms {
  public:
    explicit Forms(std::string_view text) : text_(text) {}
    std::string_view get(bool folded, bool words);

  private:
    std::string_view text_;
    std::array<std::optional<std::string>, 4> made_;
};

// How a plain key is searched.
struct KeyMode {
    bool case_sensitive = false;
    bool whole_words = true;  // a key of several words is found anywhere
};

// Plain keys grouped by search mode.
class KeySet {
  public:
    void add(KeyId id, std::string_view key, KeyMode mode);
    void remove(KeyId id, std::string_view key, KeyMode mode);
    void clear();
    [[nodiscard]] std::size_t size() const;
    // Ascending.
    [[nodiscard]] std::vector<KeyId> find(std::string_view text) const;
    // The same, or nothing if there are more than `most`.
    [[nodiscard]] std::optional<std::vector<KeyId>> find_few(std::string_view text,
                                                             std::size_t most) const;
    // The keys that earlier texts of a scan had.
    using Seen = std::array<text::Keywords::Seen, 4>;
    // Keys that are not in `seen`, which gets them.
    [[nodiscard]] std::vector<KeyId> find_new(std::string_view text, Seen& seen) const;

  private:
    // Calls `search` with each set, its number, and the form of the text that it is searched in.
    template <typename Search>
    void search_forms(std::string_view text, Search search) const;

    std::array<text::Keywords, 4> words_;
};

// A key that is a regular expression.
struct PatternKey {
    KeyId id;
    text::Regex regex;
};

// Notes of a scan about a slot. They stay with the book, since books are large and a scan touches
// few entries; a scan that ends leaves zeros.
struct SlotNote {
    std::uint32_t newest_hit = 0;  // 1 + the index of the newest hit; 0: none
    std::uint8_t status = 0;
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

    // Levels of entries that are delayed until recursion → number of entries.
    [[nodiscard]] const std::map<std::size_t, std::size_t>& levels() const noexcept {
        return levels_;
    }
    // Whether entries depend on the number of messages: sticky, cooldown.
    [[nodiscard]] bool is_timed() const noexcept { return timed_ > 0; }
    // Whether entries wait for a number of messages: delay.
    [[nodiscard]] bool has_delays() const noexcept { return delayed_ > 0; }
    // Changes whenever an entry or a setting does.
    [[nodiscard]] std::uint64_t edition() const noexcept { return edition_; }

    // By slot; for one scan at a time.
    [[nodiscard]] std::vector<SlotNote>& notes() {
        notes_.resize(slots_.size());
        return notes_;
    }

    // Expands the macros in keys. To be called before a search.
    void expand_keys(const MacroWorld& world);
    // By id. Each costs the caller's work.
    [[nodiscard]] const std::vector<PatternKey>& patterns() const noexcept { return patterns_; }

    // The plain keys found in a message of the history; nullptr if there are too many to be kept:
    // then found_new() returns those that matter.
    const std::vector<KeyId>* found_in_message(std::size_t index, const value::Str& text);
    // Drops the cache of messages before `first`.
    void forget_before(std::size_t first);
    // The plain keys found in a card field.
    [[nodiscard]] std::vector<KeyId> found_in(std::string_view text) const {
        return keys_.find(text);
    }
    // The plain keys found in the expanded content of an entry of this book; nullptr as above.
    const std::vector<KeyId>* found_in_entry(std::uint32_t slot, std::string_view text);
    // The plain keys of a text that are not in `seen`, which gets them.
    [[nodiscard]] std::vector<KeyId> found_new(std::string_view text, KeySet::Seen& seen) const {
        return keys_.find_new(text, seen);
    }

  private:
    struct Slot {
        bool used = false;
        std::string key;  // in ids_
        LoreEntry entry;
        value::Diagnostics diagnostics;
    };
    struct Searched {
        value::Str text = {};
        std::uint64_t version = 0;  // of the keys; 0: never searched
        std::vector<KeyId> ids = {};
        bool is_crowded = false;  // there are too many ids to be kept
    };

    void begin_anew(const value::Value& entries);
    bool update(const value::Value& before, const value::Value& after);
    void put(EntryPlace place, const value::Value& written, const value::Path& path);
    void drop(std::string_view key);
    void add_keys(std::uint32_t slot);
    void remove_keys(std::uint32_t slot);
    void add_key(KeyId id, std::string_view key, value::Diagnostics* diagnostics);
    void remove_key(KeyId id, std::string_view key);
    void complain(value::Diagnostics& diagnostics, KeyId id, base::Error error) const;
    [[nodiscard]] KeyMode mode_of(const LoreEntry& entry) const;
    void begin_changes();
    void bring_up(Searched& known, std::size_t most) const;
    const std::vector<KeyId>* current(Searched& known, std::size_t most) const;

    std::string name_;
    value::Value written_;
    LoreSettings given_;
    BookSettings settings_;
    std::vector<value::Diagnostic> book_faults_;
    std::vector<Slot> slots_;
    std::vector<SlotNote> notes_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::string, std::uint32_t> ids_;
    std::vector<std::uint32_t> constants_;       // entries without keys, ascending
    std::map<std::size_t, std::size_t> depths_;  // scan depth → number of entries
    std::map<std::size_t, std::size_t> levels_;
    std::size_t timed_ = 0;    // number of entries
    std::size_t delayed_ = 0;  // number of entries
    std::size_t faulty_ = 0;   // number of entries
    std::uint64_t edition_ = 0;
    std::uint32_t texts_ = 0;
    KeySet keys_;
    std::vector<PatternKey> patterns_;
    std::map<KeyId, std::string> macro_keys_;  // keys with macros → their expansion; empty: none
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
