#include "prompt/internal/lore_search.h"

#include <algorithm>
#include <utility>

#include "reader/blanks.h"

namespace arbiter::prompt::internal {
namespace {

constexpr std::string_view kFirstJoint = "\x01";
constexpr std::string_view kJoint = "\n\x01";
constexpr std::string_view kEntryJoint = "\n";

}  // namespace

std::string shown_name(const LoreEntry& entry) {
    return entry.title.empty() ? entry.id : entry.title;
}

Why why_of(const LoreEntry& entry, const Hit& hit) {
    Why why{hit.where.reason};
    why.words.reserve(2);
    why.words.push_back((hit.other ? entry.others : entry.keys)[hit.key]);
    if (hit.where.reason == Reason::kLoreText) {
        why.words.emplace_back(searched_texts()[hit.where.number]);
    } else if (hit.where.reason == Reason::kLoreRecursion) {
        why.words.push_back(shown_name(*hit.where.waker));
    } else {
        why.words.push_back(std::to_string(hit.where.number));
    }
    return why;
}

Search::Search(Book& book, std::size_t index, base::Budget& work)
    : book_(book), index_(index), work_(work), notes_(book.notes()) {
    patterns_.reserve(book.patterns().size());
    for (const PatternKey& key : book.patterns()) {
        patterns_.push_back(
            {&key, book.entry(place_of(key.id).slot), text::Regex::Search(key.regex)});
    }
}

Search::~Search() {
    for (const Hit& hit : hits_) {
        notes_[hit.slot].newest_hit = 0;
    }
}

void Search::add_hit(KeyId id, const Place& where) {
    const KeyPlace place = place_of(id);
    std::uint32_t& newest = notes_[place.slot].newest_hit;
    hits_.push_back({place.slot, place.other, place.key, newest, where});
    newest = static_cast<std::uint32_t>(hits_.size());
}

// `counts` selects the entries for which the text is searched.
template <typename Counts>
void Search::add_hits(const std::vector<KeyId>& ids, const Counts& counts) {
    for (const KeyId id : ids) {
        if (const auto where = counts(*book_.entry(place_of(id).slot))) {
            add_hit(id, *where);
        }
    }
}

void Search::feed(OpenPattern& pattern, std::string_view joint, std::string_view text,
                  const Place& where) {
    if (pattern.is_over) {
        return;
    }
    const bool has_work = work_.spend(pattern.key->regex.cost(joint.size() + text.size()));
    const bool is_found = has_work && (pattern.search.feed(joint) || pattern.search.feed(text));
    if (is_found) {
        add_hit(pattern.key->id, where);
    }
    pattern.is_over = is_found || !has_work;
}

// Patterns that match at the end of the text so far.
void Search::end_text(const Place& where) {
    for (OpenPattern& pattern : patterns_) {
        if (!pattern.is_over && book_.scan_depth(*pattern.entry) > 0 &&
            work_.spend(pattern.key->regex.cost(0)) && pattern.search.matches_at_end()) {
            add_hit(pattern.key->id, where);
            pattern.is_over = true;
        }
    }
}

void Search::search_messages(std::span<const Message> history) {
    const std::size_t size = history.size();
    const std::size_t deepest = std::min({book_.deepest(), base::kLoreDepthMax, size});
    for (std::size_t ago = 0; ago < deepest; ++ago) {
        const std::size_t at = size - 1 - ago;
        const value::Str& text = history[at].content;
        const Place where{Reason::kLoreKey, ago};
        const std::vector<KeyId>* known = book_.found_in_message(at, text);
        add_hits(known != nullptr ? *known : book_.found_new(text, in_messages_),
                 [&](const LoreEntry& entry) -> std::optional<Place> {
                     return book_.scan_depth(entry) > ago ? std::optional(where) : std::nullopt;
                 });
        for (OpenPattern& pattern : patterns_) {
            if (book_.scan_depth(*pattern.entry) > ago) {
                feed(pattern, ago == 0 ? kFirstJoint : kJoint, reader::trim(text), where);
            }
        }
    }
    book_.forget_before(size - deepest);
}

void Search::search_fields(std::span<const std::string> fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const std::uint32_t bit = 1U << i;
        if ((book_.texts() & bit) == 0 || fields[i].empty()) {
            continue;
        }
        const Place where{Reason::kLoreText, i};
        const auto is_searched = [&](const LoreEntry& entry) {
            return (entry.texts & bit) != 0 && book_.scan_depth(entry) > 0;
        };
        add_hits(book_.found_in(fields[i]), [&](const LoreEntry& entry) {
            return is_searched(entry) ? std::optional(where) : std::nullopt;
        });
        for (OpenPattern& pattern : patterns_) {
            if (is_searched(*pattern.entry)) {
                feed(pattern, kJoint, fields[i], where);
            }
        }
    }
    end_text({Reason::kLoreKey, 0});
}

void Search::search_entries(std::span<const WakingText> round) {
    const auto is_searched = [this](const LoreEntry& entry) {
        return !entry.excludes_recursion && book_.scan_depth(entry) > 0;
    };
    bool is_first = true;
    for (const WakingText& waking : round) {
        const Place where{Reason::kLoreRecursion, 0, waking.entry};
        const auto counts = [&](const LoreEntry& entry) {
            return is_searched(entry) ? std::optional(where) : std::nullopt;
        };
        const std::vector<KeyId>* known =
            waking.book == index_ ? book_.found_in_entry(waking.slot, waking.text) : nullptr;
        add_hits(known != nullptr ? *known : book_.found_new(waking.text, in_entries_), counts);
        for (OpenPattern& pattern : patterns_) {
            if (is_searched(*pattern.entry)) {
                feed(pattern, is_first ? kJoint : kEntryJoint, waking.text, where);
            }
        }
        is_first = false;
    }
    if (!round.empty()) {
        end_text({Reason::kLoreRecursion, 0, round.back().entry});
    }
}

std::vector<std::uint32_t> Search::take_new_slots() {
    std::vector<std::uint32_t> slots;
    for (; taken_ < hits_.size(); ++taken_) {
        if (slots.empty() || slots.back() != hits_[taken_].slot) {
            slots.push_back(hits_[taken_].slot);
        }
    }
    if (!std::ranges::is_sorted(slots)) {
        std::ranges::sort(slots);
    }
    const auto rest = std::ranges::unique(slots);
    slots.erase(rest.begin(), rest.end());
    return slots;
}

Search::Found Search::found_of(std::uint32_t slot) const {
    Found found;
    const std::uint32_t newest = notes_[slot].newest_hit;
    if (newest == 0) {
        return found;
    }
    // Most entries have one hit.
    if (const Hit& hit = hits_[newest - 1]; hit.before == 0) {
        if (hit.other) {
            found.secondary = 1;
        } else {
            found.first = hit;
            found.primary = 1;
        }
        return found;
    }
    std::vector<std::pair<bool, std::uint32_t>> keys;
    for (std::uint32_t at = newest; at != 0; at = hits_[at - 1].before) {
        const Hit& hit = hits_[at - 1];
        keys.emplace_back(hit.other, hit.key);
        // From the newest back, so the last one of a key was found first.
        if (!hit.other && (!found.first || hit.key <= found.first->key)) {
            found.first = hit;
        }
    }
    std::ranges::sort(keys);
    const auto rest = std::ranges::unique(keys);
    keys.erase(rest.begin(), rest.end());
    found.primary = static_cast<std::size_t>(
        std::ranges::count(keys, false, &std::pair<bool, std::uint32_t>::first));
    found.secondary = keys.size() - found.primary;
    return found;
}

std::size_t Search::score_of(std::uint32_t slot) const {
    const LoreEntry& entry = *book_.entry(slot);
    const Found found = found_of(slot);
    const std::size_t primary = found.primary;
    const std::size_t secondary = found.secondary;
    switch (entry.logic) {
        case LoreEntry::Logic::kAndAny:
            return primary + secondary;
        case LoreEntry::Logic::kAndAll:
            return secondary == entry.others.size() ? primary + secondary : primary;
        case LoreEntry::Logic::kNotAll:
        case LoreEntry::Logic::kNotAny:
            return primary;
    }
    return primary;
}

}  // namespace arbiter::prompt::internal
