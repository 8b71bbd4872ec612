// Lore: lorebook entries, shown to the model when the conversation mentions their keys.
//
// Reads SillyTavern lorebooks (world files and a card's character_book, both spellings of every
// field) as SillyTavern does, and adds a condition on the state, `when`. Keys are searched in the
// newest messages, ignoring case, as whole words in alphabetic scripts and anywhere in CJK text;
// /…/ is a regular expression (text/regex.h). docs/prompt.md lists the fields and the differences.
//
// Books are compiled incrementally, and search results per message are cached, so a turn searches
// only new text. A Lore belongs to one campaign and one thread; the cache does not change results.
//
// Which entries are sticky or rest follows from the messages of the branch: the scans of its
// earlier replies are repeated. Nothing is stored, so a replayed, repeated or branched turn sees
// the same.
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
    bool recursive = true;      // entries may activate entries
    bool whole_window = false;  // no share of the prompt, unless a plan says so
    // Of the character, for entries that are meant only for some.
    std::vector<std::string> names = {};
    std::vector<std::string> tags = {};
    friend bool operator==(const LoreSettings&, const LoreSettings&) = default;
};

struct LoreEntry {
    enum class Logic : std::uint8_t { kAndAny, kNotAll, kNotAny, kAndAll };
    enum class Force : std::uint8_t { kNone, kIn, kOut };

    std::string id;         // its key in the book, or its index in the list
    std::string title;      // comment or name
    std::int64_t rank = 0;  // among entries of equal order: the higher ones are first
    std::vector<std::string> keys;
    std::vector<std::string> others;  // secondary keys; an empty one is never found
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
    std::size_t recursion = 0;        // not in the first round; lower levels come first
    std::int64_t chance = 100;
    std::vector<std::string> groups;
    bool group_override = false;
    std::int64_t group_weight = 100;
    bool group_scoring = false;                  // loses against members with more keys found
    std::size_t delay = 0;                       // messages required
    std::size_t sticky = 0;                      // messages for which it stays active
    std::size_t cooldown = 0;                    // messages for which it rests
    std::vector<std::string> filter_names = {};  // of the characters it is meant for
    std::vector<std::string> filter_tags = {};
    bool filter_excludes = false;       // it is not meant for these
    std::vector<std::string> triggers;  // kinds of generation; empty: all
    std::uint32_t texts = 0;            // bits of the card fields that are searched too
    std::optional<expr::Formula> when;
    std::size_t decorator_lines = 0;  // taken from the beginning of its content
    std::string template_condition;   // @@if: an expression of templates; empty: none
    std::string page_mark;            // why it is not for the model (@@render_after); empty: it is
};

// The name of the book that a card brings.
inline constexpr std::string_view kCardBook = "card";

struct LoreSource {
    std::string_view name;
    value::Value written;
    bool is_of_card = false;  // judged before other books
};

struct LoreScan {
    const value::Value& document;
    std::span<const Message> history;  // oldest first; with timers, from the first message on
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
    // Whether entries count messages (delay, sticky, cooldown) and need all of them.
    [[nodiscard]] bool counts_messages() const;

    // The content of an entry, active or not, by its title or id, or by a part of its title. An
    // unknown or empty book stands for all books.
    [[nodiscard]] std::optional<std::string> content_of(std::string_view book,
                                                        std::string_view title) const;

    // The entries active in this turn. Outlet entries are put into scan.world.outlets.
    LoreResult activate(const LoreScan& scan);

  private:
    class Shelf;
    Shelf& shelf();
    [[nodiscard]] const Shelf& shelf() const;
    std::unique_ptr<Shelf> shelf_;  // made when it is needed: the chat of a client has no lore
};

}  // namespace arbiter::prompt
