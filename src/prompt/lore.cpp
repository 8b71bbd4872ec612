#include "prompt/lore.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "base/limits.h"
#include "prompt/internal/lore_book.h"
#include "prompt/internal/macro_table.h"

namespace arbiter::prompt {

using internal::Book;
using internal::KeyId;
using internal::KeyPlace;

struct Lore::Shelf {
    std::vector<std::unique_ptr<Book>> books;
};

Lore::Lore() : shelf_(std::make_unique<Shelf>()) {}
Lore::~Lore() = default;
Lore::Lore(Lore&&) noexcept = default;
Lore& Lore::operator=(Lore&&) noexcept = default;

void Lore::follow(std::span<const LoreSource> books, const LoreSettings& settings) {
    std::vector<std::unique_ptr<Book>> now;
    for (const LoreSource& source : books) {
        // A book that is given twice is searched once.
        if (std::ranges::find(now, source.name, [](const auto& book) {
                return std::string_view(book->name());
            }) != now.end()) {
            continue;
        }
        const auto known = std::ranges::find_if(shelf_->books, [&](const auto& book) {
            return book != nullptr && book->name() == source.name;
        });
        now.push_back(known != shelf_->books.end() ? std::move(*known)
                                                   : std::make_unique<Book>(source.name));
        now.back()->follow(source.written, settings);
    }
    shelf_->books = std::move(now);
}

value::Diagnostics Lore::diagnostics(std::string_view name) const {
    for (const auto& book : shelf_->books) {
        if (book->name() == name) {
            return book->diagnostics();
        }
    }
    return {};
}

std::size_t Lore::size() const {
    std::size_t sum = 0;
    for (const auto& book : shelf_->books) {
        sum += book->size();
    }
    return sum;
}

namespace {

// A key that was found, and its location: a message, a card field, or an entry.
struct Place {
    Reason reason = Reason::kLoreKey;
    std::size_t number = 0;
    const LoreEntry* waker = nullptr;
};
struct Hit {
    std::uint32_t slot;
    bool other;
    std::uint32_t key;
    std::size_t number;  // ordinal of the hit
    Place where;
};

// An active entry. Small, because many are sorted and few need a reason.
struct Told {
    std::size_t book;  // index
    std::uint32_t slot;
    const LoreEntry* entry;
    std::size_t round;
    std::optional<Hit> woke;  // none: active without a key
};

class Activation {
  public:
    // Sorted by name.
    Activation(std::vector<Book*> books, const LoreScan& scan)
        : books_(std::move(books)), scan_(scan), states_(books_.size()) {}

    LoreResult run() {
        for (std::size_t i = 0; i < books_.size(); ++i) {
            search_messages(i);
            search_texts(i);
        }
        for (std::size_t round = 0; round <= base::kLoreRoundsMax; ++round) {
            const std::size_t before = told_.size();
            for (std::size_t i = 0; i < books_.size(); ++i) {
                wake(i, round);
            }
            const auto first = told_.begin() + static_cast<std::ptrdiff_t>(before);
            if (!std::is_sorted(first, told_.end(), comes_first)) {
                std::sort(first, told_.end(), comes_first);
            }
            settle_groups(before);
            if (told_.size() == before && round > 0) {
                break;
            }
            search_entries(before);
        }
        fit();
        list_out();
        return std::move(result_);
    }

  private:
    // Results for one book in this turn.
    struct State {
        std::vector<Hit> hits;             // by slot, secondary keys last, then by key
        std::map<std::uint32_t, Why> out;  // mentioned, but not active
        std::vector<std::uint32_t>
            told;                // active slots, ascending; with those replaced by their group
        std::size_t sorted = 0;  // number of sorted hits
        std::size_t used = 0;    // tokens
    };

    // Regular expressions are searched while the work limit of the turn allows it.
    bool spend(std::uint64_t cost) {
        if (cost > work_) {
            is_work_out_ = true;
            return false;
        }
        work_ -= cost;
        return true;
    }

    // `counts` tells for which entries the text is searched.
    template <typename Counts>
    void add_hits(std::size_t book, const std::vector<KeyId>& ids, const Counts& counts) {
        std::vector<Hit>& hits = states_[book].hits;
        for (const KeyId id : ids) {
            const KeyPlace place = internal::place_of(id);
            const LoreEntry& entry = *books_[book]->entry(place.slot);
            if (const std::optional<Place> where = counts(entry)) {
                hits.push_back({place.slot, place.other, place.key, hits.size(), *where});
            }
        }
    }

    static Why why_of(const LoreEntry& entry, const Hit& hit) {
        Why why{hit.where.reason};
        why.words.reserve(2);
        why.words.push_back((hit.other ? entry.others : entry.keys)[hit.key]);
        if (hit.where.reason == Reason::kLoreText) {
            why.words.emplace_back(internal::searched_texts()[hit.where.number]);
        } else if (hit.where.reason == Reason::kLoreRecursion) {
            why.words.push_back(shown(*hit.where.waker));
        } else {
            why.words.push_back(std::to_string(hit.where.number));
        }
        return why;
    }

    void search_messages(std::size_t index) {
        Book& book = *books_[index];
        const std::size_t size = scan_.history.size();
        const std::size_t deepest = std::min({book.deepest(), base::kLoreDepthMax, size});
        for (std::size_t ago = 0; ago < deepest; ++ago) {
            const std::size_t at = size - 1 - ago;
            const value::Str& text = scan_.history[at].content;
            const bool with_patterns = spend(book.cost(text.size()));
            add_hits(index, book.found_in_message(at, text, with_patterns),
                     [&](const LoreEntry& entry) -> std::optional<Place> {
                         if (book.scan_depth(entry) <= ago) {
                             return std::nullopt;
                         }
                         return Place{Reason::kLoreKey, ago};
                     });
        }
        book.forget_before(size - deepest);
    }

    void search_texts(std::size_t index) {
        Book& book = *books_[index];
        const auto names = internal::searched_texts();
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto found = scan_.world.texts.find(names[i]);
            const std::uint32_t bit = 1U << i;
            if ((book.texts() & bit) == 0 || found == scan_.world.texts.end()) {
                continue;
            }
            const bool with_patterns = spend(book.cost(found->second.size()));
            add_hits(index, book.found_in(found->second, with_patterns),
                     [&](const LoreEntry& entry) -> std::optional<Place> {
                         if ((entry.texts & bit) == 0) {
                             return std::nullopt;
                         }
                         return Place{Reason::kLoreText, i};
                     });
        }
    }

    // The contents of entries activated in this round, in prompt order.
    void search_entries(std::size_t first) {
        // Limit: no prompt has room for more.
        constexpr std::size_t kBytesMax = std::size_t{1} << 20;
        for (std::size_t i = first; i < told_.size(); ++i) {
            const LoreEntry& waker = *told_[i].entry;
            Book& own = *books_[told_[i].book];
            if (waker.prevents_recursion || !own.settings().settings.recursive ||
                recursed_ + waker.content.size() > kBytesMax) {
                continue;
            }
            recursed_ += waker.content.size();
            for (std::size_t book = 0; book < books_.size(); ++book) {
                const bool with_patterns = spend(books_[book]->cost(waker.content.size()));
                const auto counts = [&](const LoreEntry& entry) -> std::optional<Place> {
                    if (entry.excludes_recursion || &entry == &waker) {
                        return std::nullopt;
                    }
                    return Place{Reason::kLoreRecursion, 0, &waker};
                };
                if (book == told_[i].book) {
                    add_hits(book, own.found_in_entry(told_[i].slot, with_patterns), counts);
                } else {
                    add_hits(book, books_[book]->found_in(waker.content, with_patterns), counts);
                }
            }
        }
    }

    static std::string shown(const LoreEntry& entry) {
        return entry.title.empty() ? entry.id : entry.title;
    }

    // Entries activated in this round.
    void wake(std::size_t index, std::size_t round) {
        Book& book = *books_[index];
        State& state = states_[index];
        // The first hit is the reported reason.
        if (state.sorted < state.hits.size()) {
            std::ranges::sort(state.hits, {}, [](const Hit& hit) {
                return std::tuple(hit.slot, hit.other, hit.key, hit.number);
            });
            state.sorted = state.hits.size();
        }
        std::vector<std::uint32_t> found;
        for (const Hit& hit : state.hits) {
            if (!hit.other && (found.empty() || found.back() != hit.slot)) {
                found.push_back(hit.slot);
            }
        }
        std::vector<std::uint32_t> slots;
        slots.reserve(found.size() + book.constants().size());
        std::ranges::set_union(found, book.constants(), std::back_inserter(slots));
        std::vector<std::uint32_t> silent;
        std::ranges::set_difference(slots, state.told, std::back_inserter(silent));
        const std::size_t before = state.told.size();
        for (const std::uint32_t slot : silent) {
            const LoreEntry& entry = *book.entry(slot);
            Why why;
            std::optional<Hit> woke;
            if (judge(state, entry, slot, round, why, woke)) {
                told_.push_back({index, slot, &entry, round, woke});
                state.told.push_back(slot);
                state.out.erase(slot);
            } else {
                state.out.insert_or_assign(slot, std::move(why));
            }
        }
        if (before > 0 && before < state.told.size()) {
            std::ranges::sort(state.told);
        }
    }

    // Whether an entry is active, and the hit or the reason against it.
    bool judge(const State& state, const LoreEntry& entry, std::uint32_t slot, std::size_t round,
               Why& why, std::optional<Hit>& woke) {
        const bool is_meant =
            entry.triggers.empty() ||
            std::ranges::find(entry.triggers, scan_.world.generation) != entry.triggers.end();
        if (!entry.enabled || entry.force == LoreEntry::Force::kOut) {
            why = {Reason::kLoreDisabled, {}};
        } else if (!is_meant) {
            why = {Reason::kLoreTrigger, {scan_.world.generation}};
        } else if (scan_.history.size() < entry.delay) {
            why = {Reason::kLoreDelay,
                   {std::to_string(entry.delay), std::to_string(scan_.history.size())}};
        } else if (round < entry.recursion) {
            why = {Reason::kLoreSilent, {}};
        } else if (!speaks(state, entry, slot, why, woke)) {
            return false;
        } else if (entry.when && !entry.when->holds({scan_.document, {}})) {
            why = {Reason::kLoreCondition, {entry.when->text()}};
        } else if (entry.chance < 100 && roll(entry) >= entry.chance) {
            why = {Reason::kLoreChance, {std::to_string(entry.chance)}};
        } else if (entry.content.find_first_not_of(" \t\r\n") == std::string::npos) {
            why = {Reason::kEmpty, {}};
        } else {
            return true;
        }
        return false;
    }

    // By seed and id: independent of the order.
    [[nodiscard]] std::int64_t roll(const LoreEntry& entry) const {
        return static_cast<std::int64_t>(
            internal::number_of_text(entry.id + entry.title, scan_.world.seed) % 100);
    }

    static bool speaks(const State& state, const LoreEntry& entry, std::uint32_t slot, Why& why,
                       std::optional<Hit>& woke) {
        const bool needs_no_key = entry.constant || entry.force == LoreEntry::Force::kIn;
        if (needs_no_key) {
            return true;
        }
        const auto [first, last] = std::ranges::equal_range(state.hits, slot, {}, &Hit::slot);
        if (first == last || first->other) {
            why = {Reason::kLoreSilent, {}};
            return false;
        }
        std::vector<std::uint32_t> others;
        for (auto hit = first; hit != last; ++hit) {
            if (hit->other && (others.empty() || others.back() != hit->key)) {
                others.push_back(hit->key);
            }
        }
        const std::size_t count = others.size();
        bool fits = entry.others.empty();
        switch (entry.logic) {
            case LoreEntry::Logic::kAndAny:
                fits |= count > 0;
                break;
            case LoreEntry::Logic::kNotAll:
                fits |= count < entry.others.size();
                break;
            case LoreEntry::Logic::kNotAny:
                fits |= count == 0;
                break;
            case LoreEntry::Logic::kAndAll:
                fits |= count == entry.others.size();
                break;
        }
        if (fits) {
            woke = *first;
        } else {
            why = {Reason::kLoreSecond, {entry.keys[first->key]}};
        }
        return fits;
    }

    // One entry per group is active: the one already active, else by order or at random.
    void settle_groups(std::size_t first) {
        std::map<std::string, std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < told_.size(); ++i) {
            for (const std::string& group : told_[i].entry->groups) {
                groups[group].push_back(i);
            }
        }
        if (groups.empty()) {
            return;
        }
        std::vector<bool> loses(told_.size());
        for (auto& [group, members] : groups) {
            std::erase_if(members, [&](std::size_t i) { return loses[i]; });
            if (members.size() < 2 || members.back() < first) {
                continue;
            }
            std::ranges::sort(members, [&](std::size_t a, std::size_t b) {
                return comes_first(told_[a], told_[b]);
            });
            const std::size_t winner = winner_of(group, members);
            for (const std::size_t i : members) {
                if (i != winner && told_[i].round == told_.back().round) {
                    loses[i] = true;
                    set_out(told_[i], {Reason::kLoreGroup, {group, shown(*told_[winner].entry)}});
                }
            }
        }
        std::vector<Told> left;
        for (std::size_t i = 0; i < told_.size(); ++i) {
            if (!loses[i]) {
                left.push_back(told_[i]);
            }
        }
        told_ = std::move(left);
    }
    [[nodiscard]] std::size_t winner_of(const std::string& group,
                                        const std::vector<std::size_t>& members) const {
        if (told_[members.front()].round < told_.back().round) {
            return members.front();
        }
        std::int64_t sum = 0;
        for (const std::size_t i : members) {
            if (told_[i].entry->group_override) {
                return i;
            }
            sum += told_[i].entry->group_weight;
        }
        if (sum == 0) {
            return members.front();
        }
        auto lot = static_cast<std::int64_t>(internal::number_of_text(group, scan_.world.seed) %
                                             static_cast<std::uint64_t>(sum));
        for (const std::size_t i : members) {
            lot -= told_[i].entry->group_weight;
            if (lot < 0) {
                return i;
            }
        }
        return members.back();
    }
    // Earlier rounds first, then higher order.
    static bool comes_first(const Told& a, const Told& b) {
        if (a.round != b.round) {
            return a.round < b.round;
        }
        if (a.entry->order != b.entry->order) {
            return a.entry->order > b.entry->order;
        }
        if (a.book != b.book) {
            return a.book < b.book;
        }
        return is_before(a.entry->id, b.entry->id);
    }
    void set_out(const Told& told, Why why) {
        states_[told.book].out.insert_or_assign(told.slot, std::move(why));
    }

    static std::string block_id(const Book& book, const LoreEntry& entry) {
        return "lore:" + book.name() + "/" + entry.id;
    }
    static std::string source_of(const Book& book, const LoreEntry& entry) {
        return entry.title.empty() ? book.name() : book.name() + ": " + entry.title;
    }
    static Kind kind_of(const LoreEntry& entry) {
        return entry.constant ? Kind::kConstant : Kind::kLore;
    }

    // Blocks of active entries until the first one that exceeds the budget. Entries come in the
    // order of rounds, sorted within a round.
    void fit() {
        std::size_t all = 0;
        bool is_full = false;
        result_.blocks.reserve(told_.size());
        for (const Told& told : told_) {
            const LoreEntry& entry = *told.entry;
            const Book& book = *books_[told.book];
            std::size_t& used = states_[told.book].used;
            std::string id = block_id(book, entry);
            Expanded text = expand_macros(entry.content, scan_.world, id);
            for (std::string& each : text.unknown) {
                if (std::ranges::find(result_.unknown, each) == result_.unknown.end()) {
                    result_.unknown.push_back(std::move(each));
                }
            }
            const std::size_t tokens = scan_.count(text.text);
            const std::size_t limit = book.settings().budget;
            const bool fits = (scan_.budget == 0 || (!is_full && all + tokens <= scan_.budget)) &&
                              (limit == 0 || used + tokens <= limit);
            if (!fits && !entry.ignores_budget) {
                is_full |= scan_.budget != 0 && all + tokens > scan_.budget;
                const std::size_t had = scan_.budget == 0 ? limit : scan_.budget;
                result_.out.push_back({std::move(id),
                                       source_of(book, entry),
                                       kind_of(entry),
                                       tokens,
                                       {Reason::kOverKind, {"lore", std::to_string(had)}}});
                continue;
            }
            used += tokens;
            all += tokens;
            tell(told, std::move(id), std::move(text), tokens);
        }
    }

    void tell(const Told& told, std::string id, Expanded text, std::size_t tokens) {
        const LoreEntry& entry = *told.entry;
        const Book& book = *books_[told.book];
        if (entry.outlet) {
            std::string& waiting = scan_.world.outlets[*entry.outlet];
            waiting = text.text + (waiting.empty() ? "" : "\n" + waiting);
            result_.out.push_back({std::move(id),
                                   source_of(book, entry),
                                   kind_of(entry),
                                   tokens,
                                   {Reason::kLoreOutlet, {*entry.outlet}}});
            return;
        }
        Block& block = result_.blocks.emplace_back();
        block.id = std::move(id);
        block.kind = kind_of(entry);
        block.target = entry.target;
        block.depth = entry.depth;
        block.role = entry.role;
        block.priority = entry.order;
        block.source = source_of(book, entry);
        block.why = told.woke ? why_of(entry, *told.woke) : Why{Reason::kLoreConstant};
        block.cacheable = entry.constant && entry.chance == 100 && !entry.when &&
                          entry.groups.empty() && entry.triggers.empty() && text.stable;
        block.text = std::move(text.text);
    }

    void list_out() {
        for (std::size_t i = 0; i < books_.size(); ++i) {
            const Book& book = *books_[i];
            result_.silent += book.size() - states_[i].told.size();
            for (auto& [slot, why] : states_[i].out) {
                const LoreEntry& entry = *book.entry(slot);
                result_.silent -= std::ranges::binary_search(states_[i].told, slot) ? 0 : 1;
                result_.out.push_back({block_id(book, entry), source_of(book, entry),
                                       kind_of(entry), 0, std::move(why)});
            }
            for (std::uint32_t slot = 0; scan_.lists_silent && slot < book.bound(); ++slot) {
                const LoreEntry* entry = book.entry(slot);
                if (entry != nullptr && !states_[i].out.contains(slot) &&
                    !std::ranges::binary_search(states_[i].told, slot)) {
                    const Reason reason =
                        entry->enabled ? Reason::kLoreSilent : Reason::kLoreDisabled;
                    result_.out.push_back({block_id(book, *entry),
                                           source_of(book, *entry),
                                           kind_of(*entry),
                                           0,
                                           {reason, {}}});
                }
            }
        }
        if (is_work_out_) {
            result_.out.push_back({"lore", "", Kind::kLore, 0, {Reason::kLoreWork, {}}});
        }
        std::ranges::sort(result_.out,
                          [](const LoreOut& a, const LoreOut& b) { return is_before(a.id, b.id); });
    }

    std::vector<Book*> books_;
    const LoreScan& scan_;
    std::vector<State> states_;
    std::vector<Told> told_;
    std::size_t recursed_ = 0;
    std::uint64_t work_ = base::kLoreWorkMax;
    bool is_work_out_ = false;
    LoreResult result_;
};

}  // namespace

LoreResult Lore::activate(const LoreScan& scan) {
    std::vector<Book*> books;
    for (const auto& book : shelf_->books) {
        books.push_back(book.get());
    }
    // The result does not depend on the order of the books.
    std::ranges::sort(books,
                      [](const Book* a, const Book* b) { return is_before(a->name(), b->name()); });
    return Activation(std::move(books), scan).run();
}

}  // namespace arbiter::prompt
