#include "prompt/internal/lore_activation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "base/limits.h"
#include "prompt/internal/lore_groups.h"
#include "prompt/internal/lore_search.h"
#include "prompt/internal/macro_table.h"
#include "prompt/template_notes.h"

namespace arbiter::prompt::internal {
namespace {

// Of a repeated scan: a session may repeat hundreds at its start.
constexpr std::uint64_t kRepeatedWorkMax = base::kLoreWorkMax / 4;

struct Active {
    Candidate who;
    std::string id;  // of its block
    Expanded text;
    std::size_t tokens;
};

class Activation {
  public:
    Activation(const Shelf& shelf, const LoreScan& scan, Timers& timers, ScanPurpose purpose)
        : shelf_(shelf),
          books_(shelf.books),
          scan_(scan),
          timers_(timers),
          purpose_(purpose),
          states_(books_.size()) {}

    Activation(const Activation&) = delete;
    Activation& operator=(const Activation&) = delete;
    ~Activation() {
        for (std::size_t i = 0; i < books_.size(); ++i) {
            for (const std::uint32_t slot : states_[i].settled) {
                books_[i]->notes()[slot].status = 0;
            }
        }
    }

    LoreResult run() {
        begin();
        for (std::size_t round = 0; round <= base::kLoreRoundsMax; ++round) {
            const std::size_t before = active_.size();
            candidates_.clear();
            for (std::size_t i = 0; i < books_.size(); ++i) {
                judge_book(i, round);
            }
            const auto comes_first = [this](const Candidate& a, const Candidate& b) {
                return this->comes_first(a, b);
            };
            if (!std::ranges::is_sorted(candidates_, comes_first)) {
                std::ranges::sort(candidates_, comes_first);
            }
            const std::vector<GroupLoss> losses = settle_groups();
            active_.reserve(active_.size() + candidates_.size());
            for (const Candidate& candidate : candidates_) {
                add(candidate);
            }
            end_groups(losses);
            if (!goes_on(before)) {
                break;
            }
        }
        for (const Active& active : active_) {
            timers_.start(active.who.book, active.who.slot, *active.who.entry);
        }
        if (purpose_ == ScanPurpose::kPrompt) {
            tell();
            list_out();
        }
        return std::move(result_);
    }

  private:
    enum class Status : std::uint8_t { kOpen, kActive, kOut };
    // Results for one book.
    struct State {
        std::vector<std::uint32_t> pending;  // slots to judge in the next round
        std::vector<std::uint32_t> settled;  // slots with another status than kOpen
        std::map<std::uint32_t, Why> out;    // mentioned, but not active
        std::size_t active = 0;
        std::size_t used = 0;  // tokens
    };

    void begin() {
        const std::vector<std::string> fields = expanded_fields();
        std::set<std::size_t> levels;
        searches_.reserve(books_.size());
        for (std::size_t i = 0; i < books_.size(); ++i) {
            Book& book = *books_[i];
            book.expand_keys(scan_.world);
            Search& search = searches_.emplace_back(book, i, work_);
            search.search_messages(scan_.history);
            search.search_fields(fields);
            State& state = states_[i];
            std::ranges::set_union(book.constants(), timers_.sticky_slots(i),
                                   std::back_inserter(state.pending));
            for (const auto& level : book.levels()) {
                levels.insert(level.first);
            }
        }
        levels_.assign(levels.rbegin(), levels.rend());
        next_level();
    }
    // The next lower level is the last one of the list.
    void next_level() {
        if (!levels_.empty()) {
            level_ = levels_.back();
            levels_.pop_back();
        }
    }

    [[nodiscard]] std::vector<std::string> expanded_fields() const {
        const auto names = searched_texts();
        std::vector<std::string> fields(names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool is_searched = std::ranges::any_of(
                books_, [i](const Book* book) { return (book->texts() & (1U << i)) != 0; });
            const auto found = scan_.world.texts.find(names[i]);
            if (is_searched && found != scan_.world.texts.end()) {
                fields[i] = expand_macros(found->second, scan_.world, names[i]).text;
            }
        }
        return fields;
    }

    [[nodiscard]] Status status_of(std::size_t book, std::uint32_t slot) const {
        return static_cast<Status>(books_[book]->notes()[slot].status);
    }
    void settle(std::size_t book, std::uint32_t slot, Status status) {
        books_[book]->notes()[slot].status = static_cast<std::uint8_t>(status);
        states_[book].settled.push_back(slot);
    }

    // ---- judging

    void judge_book(std::size_t index, std::size_t round) {
        Book& book = *books_[index];
        State& state = states_[index];
        const std::vector<std::uint32_t> found = searches_[index].take_new_slots();
        std::vector<std::uint32_t> slots;
        slots.reserve(found.size() + state.pending.size());
        std::ranges::sort(state.pending);
        std::ranges::set_union(found, state.pending, std::back_inserter(slots));
        state.pending.clear();
        for (const std::uint32_t slot : slots) {
            if (status_of(index, slot) != Status::kOpen) {
                continue;
            }
            Candidate candidate{index, slot, book.entry(slot), timers_.is_sticky(index, slot), {}};
            Why why;
            switch (judge(candidate, round, why)) {
                case Verdict::kYes:
                    candidates_.push_back(candidate);
                    continue;
                case Verdict::kLater:
                    state.pending.push_back(slot);
                    break;
                case Verdict::kNo:
                    break;
                case Verdict::kNever:
                    settle(index, slot, Status::kOut);
                    break;
            }
            if (why.reason == Reason::kLoreSilent) {
                state.out.try_emplace(slot, std::move(why));  // an earlier reason says more
            } else {
                state.out.insert_or_assign(slot, std::move(why));
            }
        }
    }

    enum class Verdict : std::uint8_t {
        kYes,
        kLater,  // in another round
        kNo,     // unless more keys are found
        kNever
    };

    // The order of the checks is that of SillyTavern.
    Verdict judge(Candidate& candidate, std::size_t round, Why& why) {
        const LoreEntry& entry = *candidate.entry;
        const Book& book = *books_[candidate.book];
        if (!is_meant(entry, book.settings().settings, why)) {
            return Verdict::kNever;
        }
        if (scan_.history.size() < entry.delay) {
            why = {Reason::kLoreDelay,
                   {std::to_string(entry.delay), std::to_string(scan_.history.size())}};
            return Verdict::kNever;
        }
        if (!candidate.is_sticky) {
            if (timers_.is_resting(candidate.book, candidate.slot)) {
                why = {Reason::kLoreCooldown,
                       {std::to_string(timers_.rest_left(candidate.book, candidate.slot))}};
                return Verdict::kNever;
            }
            why = {Reason::kLoreSilent, {}};
            if (entry.recursion > 0 && (round == 0 || entry.recursion > level_)) {
                return Verdict::kLater;
            }
            if (round > 0 && entry.excludes_recursion && book.settings().settings.recursive) {
                return Verdict::kNever;
            }
        }
        if (entry.force == LoreEntry::Force::kOut) {
            why = {Reason::kLoreDisabled, {}};
            return Verdict::kNever;
        }
        const bool needs_key =
            !entry.constant && !candidate.is_sticky && entry.force == LoreEntry::Force::kNone;
        if (needs_key && !has_keys(candidate, why)) {
            return Verdict::kNo;
        }
        if (entry.when && purpose_ == ScanPurpose::kPrompt &&
            !entry.when->holds({scan_.document, {}, &work_})) {
            why = work_.is_spent() ? Why{Reason::kLoreWork, {}}
                                   : Why{Reason::kLoreCondition, {entry.when->text()}};
            return Verdict::kNever;
        }
        return holds_condition(entry, why) ? Verdict::kYes : Verdict::kNever;
    }

    // @@if of templates.
    bool holds_condition(const LoreEntry& entry, Why& why) const {
        if (entry.template_condition.empty() || purpose_ != ScanPurpose::kPrompt) {
            return true;
        }
        const std::string test = "<%= (" + entry.template_condition + "\n) ? 1 : '' %>";
        Expanded result = expand_macros(test, scan_.world, entry.id);
        const bool holds = !result.failure && !result.text.empty();
        if (!holds) {
            why = result.failure ? *std::move(result.failure)
                                 : Why{Reason::kLoreCondition, {entry.template_condition}};
        }
        return holds;
    }

    // Whether the entry is for this generation and this character.
    bool is_meant(const LoreEntry& entry, const LoreSettings& settings, Why& why) const {
        const auto has = [](const std::vector<std::string>& list, std::string_view one) {
            return std::ranges::find(list, one) != list.end();
        };
        if (!entry.enabled) {
            why = {Reason::kLoreDisabled, {}};
            return false;
        }
        if (!entry.page_mark.empty()) {
            why = {Reason::kLorePage, {entry.page_mark}};
            return false;
        }
        if (!entry.triggers.empty() && !has(entry.triggers, scan_.world.generation)) {
            why = {Reason::kLoreTrigger, {scan_.world.generation}};
            return false;
        }
        const auto is_out = [&](const std::vector<std::string>& wanted,
                                const std::vector<std::string>& own) {
            const bool is_named = std::ranges::any_of(
                own, [&](const std::string& each) { return has(wanted, each); });
            return !wanted.empty() && is_named == entry.filter_excludes;
        };
        const bool is_other = is_out(entry.filter_names, settings.names) ||
                              (!settings.tags.empty() && is_out(entry.filter_tags, settings.tags));
        if (is_other) {
            why = {Reason::kLoreFilter, {}};
        }
        return !is_other;
    }

    // Sets the hit, or the reason against it.
    bool has_keys(Candidate& candidate, Why& why) const {
        const LoreEntry& entry = *candidate.entry;
        const Search::Found found = searches_[candidate.book].found_of(candidate.slot);
        if (!found.first) {
            why = {Reason::kLoreSilent, {}};
            return false;
        }
        const std::size_t count = found.secondary;
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
            candidate.woke = found.first;
        } else {
            why = {Reason::kLoreSecond, {entry.keys[found.first->key]}};
        }
        return fits;
    }

    // In the order in which entries take their share of the budget.
    [[nodiscard]] bool comes_first(const Candidate& a, const Candidate& b) const {
        if (a.is_sticky != b.is_sticky) {
            return a.is_sticky;
        }
        const bool is_a_of_card = a.book < shelf_.first_other;
        const bool is_b_of_card = b.book < shelf_.first_other;
        if (is_a_of_card != is_b_of_card) {
            return is_a_of_card;
        }
        if (a.entry->order != b.entry->order) {
            return a.entry->order > b.entry->order;
        }
        if (a.book != b.book) {
            return a.book < b.book;
        }
        if (a.entry->rank != b.entry->rank) {
            return a.entry->rank < b.entry->rank;
        }
        return is_before(a.entry->id, b.entry->id);
    }

    // Removes the losers of groups.
    std::vector<GroupLoss> settle_groups() {
        std::vector<GroupLoss> losses = internal::settle_groups(
            {candidates_, group_winners_, searches_, timers_, scan_.world.seed});
        if (losses.empty()) {
            return losses;
        }
        std::vector<bool> loses(candidates_.size());
        for (const GroupLoss& loss : losses) {
            const Candidate& loser = candidates_[loss.candidate];
            loses[loss.candidate] = true;
            set_out(loser, {Reason::kLoreGroup, {loss.group, shown_name(*loss.winner)}});
        }
        std::vector<Candidate> left;
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (!loses[i]) {
                left.push_back(candidates_[i]);
            }
        }
        candidates_ = std::move(left);
        return losses;
    }

    // A loser may be judged again if no entry of its group became active.
    void end_groups(const std::vector<GroupLoss>& losses) {
        for (const GroupLoss& loss : losses) {
            if (group_winners_.contains(loss.group)) {
                settle(loss.book, loss.slot, Status::kOut);
            } else {
                states_[loss.book].pending.push_back(loss.slot);
            }
        }
    }

    // ---- chance and budget

    // By seed and id: independent of the order.
    [[nodiscard]] std::int64_t roll(const LoreEntry& entry) const {
        return static_cast<std::int64_t>(number_of_text(entry.id + entry.title, scan_.world.seed) %
                                         100);
    }

    void add(Candidate candidate) {
        const LoreEntry& entry = *candidate.entry;
        State& state = states_[candidate.book];
        if (entry.chance < 100 && !candidate.is_sticky && roll(entry) >= entry.chance) {
            settle(candidate.book, candidate.slot, Status::kOut);
            set_out(candidate, {Reason::kLoreChance, {std::to_string(entry.chance)}});
            return;
        }
        const Book& book = *books_[candidate.book];
        const std::size_t limit = book.settings().budget;
        // Beyond the budget an entry need not be expanded.
        std::string id = block_id(book, entry);
        Expanded text;
        if (!is_full_ || entry.ignores_budget) {
            text = expand_macros(entry.content, scan_.world, id);
        }
        if (text.failure && purpose_ == ScanPurpose::kPrompt) {
            settle(candidate.book, candidate.slot, Status::kOut);
            set_out(candidate, behind_lines(*std::move(text.failure), entry.decorator_lines));
            return;
        }
        const bool needs_count =
            scan_.budget != 0 || limit != 0 || purpose_ == ScanPurpose::kPrompt;
        const std::size_t tokens = needs_count ? scan_.count(text.text) : 0;
        const bool fits = (scan_.budget == 0 || (!is_full_ && used_ + tokens <= scan_.budget)) &&
                          (limit == 0 || state.used + tokens <= limit);
        settle(candidate.book, candidate.slot, Status::kActive);
        state.out.erase(candidate.slot);
        ++state.active;
        if (!fits && !entry.ignores_budget) {
            is_full_ |= scan_.budget != 0 && used_ + tokens > scan_.budget;
            const std::size_t had = scan_.budget == 0 ? limit : scan_.budget;
            result_.out.push_back({std::move(id),
                                   source_of(book, entry),
                                   kind_of(entry),
                                   tokens,
                                   {Reason::kOverKind, {"lore", std::to_string(had)}}});
            return;
        }
        state.used += tokens;
        used_ += tokens;
        for (const std::string& group : entry.groups) {
            group_winners_.try_emplace(group, &entry);
        }
        active_.push_back({candidate, std::move(id), std::move(text), tokens});
    }

    // ---- recursion

    // Searches what became active in this round. False: there is no further round.
    bool goes_on(std::size_t before) {
        // Limit: no prompt has room for more.
        constexpr std::size_t kBytesMax = std::size_t{1} << 20;
        std::vector<WakingText> texts;
        bool wakes = false;
        for (std::size_t i = before; i < active_.size(); ++i) {
            const Active& active = active_[i];
            const Book& own = *books_[active.who.book];
            const std::string_view text = active.text.text;
            if (active.who.entry->prevents_recursion || !own.settings().settings.recursive ||
                recursed_ + text.size() > kBytesMax) {
                continue;
            }
            wakes = true;
            recursed_ += text.size();
            texts.push_back({active.who.book, active.who.slot, active.who.entry, text});
        }
        if (!wakes || is_full_) {
            if (levels_.empty()) {
                return false;
            }
            next_level();
        }
        for (Search& search : searches_) {
            search.search_entries(texts);
        }
        return true;
    }

    // ---- results

    void set_out(const Candidate& candidate, Why why) {
        states_[candidate.book].out.insert_or_assign(candidate.slot, std::move(why));
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

    [[nodiscard]] Why why_in(const Candidate& who) const {
        if (who.woke) {
            return why_of(*who.entry, *who.woke);
        }
        if (who.is_sticky && !who.entry->constant && who.entry->force == LoreEntry::Force::kNone) {
            return {Reason::kLoreSticky, {std::to_string(timers_.sticky_left(who.book, who.slot))}};
        }
        return {Reason::kLoreConstant, {}};
    }

    // Blocks of active entries. Of equal order the one that became active last is first.
    void tell() {
        std::set<std::string, std::less<>> told;
        for (Active& active : active_) {
            for (std::string& each : active.text.unknown) {
                if (told.insert(each).second) {
                    result_.unknown.push_back(std::move(each));
                }
            }
        }
        std::vector<std::size_t> reading(active_.size());
        std::iota(reading.rbegin(), reading.rend(), std::size_t{0});
        const auto stands_first = [this](std::size_t a, std::size_t b) {
            const std::int64_t first = active_[a].who.entry->order;
            const std::int64_t second = active_[b].who.entry->order;
            return first != second ? first < second : a > b;
        };
        if (!std::ranges::is_sorted(reading, stands_first)) {
            std::ranges::sort(reading, stands_first);
        }
        result_.blocks.reserve(reading.size());
        std::size_t order = 0;
        for (const std::size_t i : reading) {
            tell(active_[i], ++order);
        }
    }

    void tell(Active& active, std::size_t order) {
        const LoreEntry& entry = *active.who.entry;
        const Book& book = *books_[active.who.book];
        const bool is_empty = active.text.text.find_first_not_of(" \t\r\n") == std::string::npos;
        if (entry.outlet && !is_empty) {
            std::string& waiting = scan_.world.outlets[*entry.outlet];
            waiting += (waiting.empty() ? "" : "\n") + active.text.text;
        }
        if (entry.outlet || is_empty) {
            result_.out.push_back(
                {std::move(active.id), source_of(book, entry), kind_of(entry), active.tokens,
                 is_empty ? Why{Reason::kEmpty, {}} : Why{Reason::kLoreOutlet, {*entry.outlet}}});
            return;
        }
        Block& block = result_.blocks.emplace_back();
        block.id = std::move(active.id);
        block.kind = kind_of(entry);
        block.target = entry.target;
        block.depth = entry.depth;
        block.role = entry.role;
        block.priority = entry.order;
        block.order = order;
        block.source = source_of(book, entry);
        block.why = why_in(active.who);
        block.cacheable = entry.constant && entry.chance == 100 && !entry.when &&
                          entry.template_condition.empty() && entry.groups.empty() &&
                          entry.triggers.empty() && entry.recursion == 0 && entry.cooldown == 0 &&
                          active.text.stable;
        block.text = std::move(active.text.text);
    }

    void list_out() {
        for (std::size_t i = 0; i < books_.size(); ++i) {
            const Book& book = *books_[i];
            State& state = states_[i];
            result_.silent += book.size() - state.active - state.out.size();
            for (std::uint32_t slot = 0; scan_.lists_silent && slot < book.bound(); ++slot) {
                const LoreEntry* entry = book.entry(slot);
                if (entry != nullptr && status_of(i, slot) == Status::kOpen) {
                    state.out.try_emplace(
                        slot, Why{entry->enabled ? Reason::kLoreSilent : Reason::kLoreDisabled});
                }
            }
            for (auto& [slot, why] : state.out) {
                const LoreEntry& entry = *book.entry(slot);
                result_.out.push_back({block_id(book, entry), source_of(book, entry),
                                       kind_of(entry), 0, std::move(why)});
            }
        }
        if (work_.is_spent()) {
            result_.out.push_back({"lore", "", Kind::kLore, 0, {Reason::kLoreWork, {}}});
        }
        std::ranges::sort(result_.out,
                          [](const LoreOut& a, const LoreOut& b) { return is_before(a.id, b.id); });
    }

    const Shelf& shelf_;
    const std::vector<Book*>& books_;
    const LoreScan& scan_;
    Timers& timers_;
    ScanPurpose purpose_;
    std::vector<State> states_;     // by book
    std::vector<Search> searches_;  // by book
    base::Budget work_{purpose_ == ScanPurpose::kPrompt ? base::kLoreWorkMax : kRepeatedWorkMax};
    std::vector<std::size_t> levels_;  // of delayed entries, that wait; the next one is the last
    std::size_t level_ = 0;            // the present one
    std::vector<Candidate> candidates_;
    std::vector<Active> active_;  // in the order in which they became active
    GroupWinners group_winners_;  // of earlier rounds
    std::size_t used_ = 0;        // tokens
    bool is_full_ = false;
    std::size_t recursed_ = 0;  // bytes
    LoreResult result_;
};

}  // namespace

LoreResult activate(const Shelf& shelf, const LoreScan& scan, Timers& timers, ScanPurpose purpose) {
    return Activation(shelf, scan, timers, purpose).run();
}

}  // namespace arbiter::prompt::internal
