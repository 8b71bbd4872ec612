// Lore: lorebook entries, shown to the model when the conversation mentions their keys.
//
// Reads SillyTavern lorebooks (world files and a card's character_book, both spellings of every
// field) and adds a condition on the state, `when`. Keys are searched in the newest messages,
// ignoring case, as whole words in alphabetic scripts and anywhere in CJK text; /…/ is a regular
// expression (text/regex.h). docs/prompt.md lists the fields.
//
// Books are compiled incrementally, and search results per message are cached, so a turn searches
// only new text. A Lore belongs to one campaign and one thread; the cache does not change results.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "expr/formula.h"
#include "prompt/block.h"
#include "prompt/macros.h"
#include "text/tokens.h"
#include "value/diagnostic.h"
#include "value/value.h"

namespace arbiter::prompt {

// Defaults for entries and books.
struct LoreSettings {
    std::size_t scan_depth = 2;  // messages
    bool case_sensitive = false;
    bool whole_words = true;
    bool recursive = true;  // entries may activate entries
    // Values of {{char}} and {{user}} in keys.
    std::string character = {};
    std::string user = {};
    friend bool operator==(const LoreSettings&, const LoreSettings&) = default;
};

struct LoreEntry {
    enum class Logic : std::uint8_t { kAndAny, kNotAll, kNotAny, kAndAll };
    enum class Force : std::uint8_t { kNone, kIn, kOut };

    std::string id;     // uid, id, or its index in the list
    std::string title;  // comment or name
    std::vector<std::string> keys;
    std::vector<std::string> others;  // secondary keys
    Logic logic = Logic::kAndAny;
    std::string content;
    bool enabled = true;
    bool constant = false;
    Force force = Force::kNone;  // @@activate, @@dont_activate
    Target target = Target::kBeforeCharacter;
    std::size_t depth = 4;
    Role role = Role::kSystem;
    std::optional<std::string> outlet;  // shown only by {{outlet::name}}
    std::int64_t order = 100;           // higher is later and is dropped later
    std::optional<std::size_t> scan_depth;
    std::optional<bool> case_sensitive;
    std::optional<bool> whole_words;
    bool ignores_budget = false;
    bool excludes_recursion = false;  // not activated by other entries
    bool prevents_recursion = false;  // does not activate other entries
    std::size_t recursion = 0;        // activated only by other entries, from this round on
    std::int64_t chance = 100;
    std::vector<std::string> groups;
    bool group_override = false;
    std::int64_t group_weight = 100;
    std::size_t delay = 0;              // messages required
    std::vector<std::string> triggers;  // kinds of generation; empty: all
    std::uint32_t texts = 0;            // bits of the card fields that are searched too
    std::optional<expr::Formula> when;
};

struct LoreSource {
    std::string_view name;
    value::Value written;
};

struct LoreScan {
    const value::Value& document;
    std::span<const Message> history;  // oldest first
    MacroWorld& world;                 // for macros and randomness
    const text::TokenCounter& count;
    std::size_t budget = 0;     // tokens for all entries; 0: no limit
    bool lists_silent = false;  // list inactive entries too
};

struct LoreOut {
    std::string id;  // of the block that it would have been
    std::string source;
    Kind kind = Kind::kLore;
    std::size_t tokens = 0;  // 0: not counted
    Why why;
};
struct LoreResult {
    std::vector<Block> blocks;  // expanded, with reasons; unordered
    std::vector<LoreOut> out;
    std::size_t silent = 0;                 // number of inactive entries
    std::vector<std::string> unknown = {};  // macros
};

class Lore {
  public:
    Lore();
    ~Lore();
    Lore(Lore&&) noexcept;
    Lore& operator=(Lore&&) noexcept;

    // Replaces the books, in this order; recompiles what differs.
    void follow(std::span<const LoreSource> books, const LoreSettings& settings = {});
    // Mistakes and unsupported fields of a book. Its entries are used all the same.
    [[nodiscard]] value::Diagnostics diagnostics(std::string_view book) const;
    [[nodiscard]] std::size_t size() const;  // entries

    // The entries active in this turn. Outlet entries are put into scan.world.outlets.
    LoreResult activate(const LoreScan& scan);

  private:
    struct Shelf;
    std::unique_ptr<Shelf> shelf_;
};

}  // namespace arbiter::prompt
