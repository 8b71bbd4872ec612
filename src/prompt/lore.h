// Lore: entries of books that are told to the model when the talk turns to them.
//
// Reads the books of SillyTavern (world files and a card's character_book, both spellings of every
// field) and adds a condition on the state, `when`. A key is looked for in the newest messages:
// without regard to case, in alphabets as whole words, in Chinese and its like anywhere; /…/ is a
// pattern (text/regex.h). docs/prompt.md lists the fields.
//
// A book is compiled once. Another version of it costs what differs, and what was found in a
// message is remembered as long as that is looked at, so that a turn searches only what is new.
// A Lore belongs to one campaign and one thread; forgetting it changes nothing but the time.
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

// What holds for entries and books that do not say.
struct LoreSettings {
    std::size_t scan_depth = 2;  // messages
    bool case_sensitive = false;
    bool whole_words = true;
    bool recursive = true;  // entries may wake entries
    // In keys {{char}} and {{user}} stand for these.
    std::string character = {};
    std::string user = {};
    friend bool operator==(const LoreSettings&, const LoreSettings&) = default;
};

struct LoreEntry {
    enum class Logic : std::uint8_t { kAndAny, kNotAll, kNotAny, kAndAll };
    enum class Force : std::uint8_t { kNone, kIn, kOut };

    std::string id;     // uid, id, or its place in the list
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
    std::optional<std::string> outlet;  // it stands nowhere, and waits for {{outlet::name}}
    std::int64_t order = 100;           // higher is later, and goes last when there is no room
    std::optional<std::size_t> scan_depth;
    std::optional<bool> case_sensitive;
    std::optional<bool> whole_words;
    bool ignores_budget = false;
    bool excludes_recursion = false;  // is not woken by entries
    bool prevents_recursion = false;  // wakes no entries
    std::size_t recursion = 0;        // is woken only by entries, from this round on
    std::int64_t chance = 100;
    std::vector<std::string> groups;
    bool group_override = false;
    std::int64_t group_weight = 100;
    std::size_t delay = 0;              // messages that there must be
    std::vector<std::string> triggers;  // kinds of generation; none: all
    std::uint32_t texts = 0;            // texts of the card in which its keys count too
    std::optional<expr::Formula> when;
};

struct LoreSource {
    std::string_view name;
    value::Value written;
};

struct LoreScan {
    const value::Value& document;
    std::span<const Message> history;  // oldest first
    MacroWorld& world;                 // for what entries name, and for chance
    const text::TokenCounter& count;
    std::size_t budget = 0;     // tokens for all entries; 0: no limit
    bool lists_silent = false;  // entries that nothing spoke of are listed too
};

struct LoreOut {
    std::string id;  // of the block that it would have been
    std::string source;
    Kind kind = Kind::kLore;
    std::size_t tokens = 0;  // 0 where nobody counted
    Why why;
};
struct LoreResult {
    std::vector<Block> blocks;  // expanded, with reasons; in no particular order
    std::vector<LoreOut> out;
    std::size_t silent = 0;                 // entries that nothing spoke of
    std::vector<std::string> unknown = {};  // macros
};

class Lore {
  public:
    Lore();
    ~Lore();
    Lore(Lore&&) noexcept;
    Lore& operator=(Lore&&) noexcept;

    // Brings the books up to these, in this order.
    void follow(std::span<const LoreSource> books, const LoreSettings& settings = {});
    // What is wrong or without effect in the book of a name; its entries are used all the same.
    [[nodiscard]] value::Diagnostics diagnostics(std::string_view book) const;
    [[nodiscard]] std::size_t size() const;  // entries

    // Which entries are told this turn. Puts those that wait into scan.world.outlets.
    LoreResult activate(const LoreScan& scan);

  private:
    struct Shelf;
    std::unique_ptr<Shelf> shelf_;
};

}  // namespace arbiter::prompt
