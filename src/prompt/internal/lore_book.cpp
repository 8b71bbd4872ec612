#include "prompt/internal/lore_book.h"

#include <algorithm>

#include "base/limits.h"
#include "text/case_fold.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/object.h"

namespace arbiter::prompt::internal {

using base::Error;
using base::ErrorCode;
using value::Path;
using value::Value;

namespace {

// Bits of an id: the key, whether it is a secondary one, and above them the slot.
constexpr unsigned kKeyBits = 11;
static_assert(base::kLoreKeysMax < (1U << kKeyBits));

std::size_t form_of(bool folded, bool words) noexcept {
    return (folded ? 1U : 0U) + (words ? 2U : 0U);
}

std::string formed(std::string_view text, bool folded, bool words) {
    std::string form = folded ? text::fold_case(text) : std::string(text);
    return words ? text::mark_words(form) : form;
}

// /pattern/flags; nothing if the key is not a regular expression.
struct Pattern {
    std::string_view body;
    std::string_view flags;
};
std::optional<Pattern> pattern_of(std::string_view key) {
    const std::size_t end = key.rfind('/');
    if (!key.starts_with('/') || end == 0) {
        return std::nullopt;
    }
    const std::string_view flags = key.substr(end + 1);
    if (flags.find_first_not_of("dgimsuvy") != std::string_view::npos || end == 1) {
        return std::nullopt;
    }
    return Pattern{key.substr(1, end - 1), flags};
}

base::Result<text::Regex> compile(const Pattern& pattern) {
    const std::size_t unknown = pattern.flags.find_first_of("ms");
    if (unknown != std::string_view::npos) {
        return base::fail(ErrorCode::kRegexUnsupported,
                          {"flag " + std::string(1, pattern.flags[unknown])});
    }
    const bool folds = pattern.flags.find('i') != std::string_view::npos;
    // JavaScript escapes slashes.
    std::string body = folds ? "(?i)" : "";
    for (std::size_t i = 0; i < pattern.body.size(); ++i) {
        if (pattern.body[i] == '\\' && i + 1 < pattern.body.size()) {
            body += pattern.body[i + 1] == '/' ? "" : "\\";
            body += pattern.body[++i];
        } else {
            body += pattern.body[i];
        }
    }
    return text::Regex::compile(body);
}

}  // namespace

KeyId id_of(const KeyPlace& place) noexcept {
    return (KeyId{place.slot} << (kKeyBits + 1)) | (place.other ? KeyId{1} << kKeyBits : 0) |
           place.key;
}
KeyPlace place_of(KeyId id) noexcept {
    return {static_cast<std::uint32_t>(id >> (kKeyBits + 1)), (id >> kKeyBits & 1) != 0,
            static_cast<std::uint32_t>(id & ((1U << kKeyBits) - 1))};
}

// ---- keys

std::string_view Forms::get(bool folded, bool words) {
    if (!folded && !words) {
        return text_;
    }
    std::optional<std::string>& form = made_[form_of(folded, words)];
    if (!form) {
        form = words ? text::mark_words(get(folded, false)) : text::fold_case(text_);
    }
    return *form;
}

void KeySet::add(KeyId id, std::string_view key, bool case_sensitive, bool whole_words) {
    words_[form_of(!case_sensitive, whole_words)].add(formed(key, !case_sensitive, whole_words),
                                                      id);
}
void KeySet::remove(KeyId id, std::string_view key, bool case_sensitive, bool whole_words) {
    words_[form_of(!case_sensitive, whole_words)].remove(formed(key, !case_sensitive, whole_words),
                                                         id);
}
void KeySet::add(KeyId id, std::shared_ptr<const text::Regex> pattern) {
    weight_ += pattern->cost(0);
    patterns_.push_back({id, std::move(pattern)});
}
void KeySet::remove_pattern(KeyId id) {
    const auto found = std::ranges::find(patterns_, id, &Pattern::id);
    if (found != patterns_.end()) {
        weight_ -= found->regex->cost(0);
        patterns_.erase(found);
    }
}
void KeySet::clear() {
    for (text::Keywords& each : words_) {
        if (each.size() > 0) {
            each = text::Keywords();
        }
    }
    patterns_.clear();
    weight_ = 0;
}
std::size_t KeySet::size() const {
    std::size_t sum = patterns_.size();
    for (const text::Keywords& each : words_) {
        sum += each.size();
    }
    return sum;
}

std::vector<KeyId> KeySet::find(std::string_view text, bool with_patterns) const {
    Forms forms(text);
    std::vector<KeyId> ids;
    for (const bool folded : {false, true}) {
        for (const bool words : {false, true}) {
            const text::Keywords& set = words_[form_of(folded, words)];
            if (set.size() > 0) {
                auto found = set.find(forms.get(folded, words));
                if (ids.empty()) {
                    ids = std::move(found);
                } else {
                    ids.insert(ids.end(), found.begin(), found.end());
                }
            }
        }
    }
    if (with_patterns) {
        for (const Pattern& each : patterns_) {
            if (each.regex->is_in(text)) {
                ids.push_back(each.id);
            }
        }
    }
    // Most books use one search mode.
    if (!std::ranges::is_sorted(ids)) {
        std::ranges::sort(ids);
    }
    return ids;
}

// ---- the book

void Book::follow(const Value& written, const LoreSettings& settings) {
    const bool same_settings = given_ == settings;
    if (same_settings && !written_.is_null() && written_.is_identical(written)) {
        return;
    }
    const Value before = std::exchange(written_, written);
    const BookSettings was = std::exchange(settings_, book_settings(written, settings));
    given_ = settings;
    book_faults_.clear();
    const Value* now = entries_of(written);
    if (now == nullptr) {
        book_faults_.push_back({{}, false, Error(ErrorCode::kLoreNone)});
        begin_anew(value::Array());
        return;
    }
    const Value* then = entries_of(before);
    const bool goes_on = same_settings && was.settings == settings_.settings && then != nullptr;
    if (!goes_on || !update(*then, *now)) {
        begin_anew(*now);
    }
}

void Book::begin_anew(const Value& entries) {
    slots_.clear();
    free_.clear();
    ids_.clear();
    constants_.clear();
    depths_.clear();
    texts_ = 0;
    keys_.clear();
    begin_changes();
    searched_.clear();
    in_entries_.clear();
    Path path;
    if (entries.is_object()) {
        for (const auto& [key, entry] : entries.as_object()) {
            path = {key};
            put(std::string(key.view()), entry, path);
        }
    } else {
        std::int64_t index = 0;
        for (const Value& entry : entries.as_array()) {
            path = {index};
            put(std::to_string(index++), entry, path);
        }
    }
    fresh_.clear();  // no cached results yet
}

// Starts a batch of key changes against which cached results can be updated.
void Book::begin_changes() {
    caught_version_ = version_;
    is_searched_ = false;
    fresh_.clear();
    gone_.clear();
}

// False if recompiling is cheaper.
bool Book::update(const Value& before, const Value& after) {
    if (before.kind() != after.kind()) {
        return false;
    }
    constexpr std::size_t kChangesMax = 1000;
    const value::Diff changes = value::diff(before, after);
    if (changes.size() > kChangesMax) {
        return false;
    }
    std::vector<std::string> touched;
    const std::size_t common =
        before.is_array() ? std::min(before.as_array().size(), after.as_array().size()) : 0;
    for (const value::Change& change : changes) {
        if (change.path.empty()) {
            return false;
        }
        // An insertion or removal inside a list shifts all later indexes.
        const bool moves = before.is_array() && change.path.size() == 1 &&
                           change.kind != value::Change::Kind::kReplace;
        const auto position = change.path[0].as_position();
        if (moves && (!position || *position < common)) {
            return false;
        }
        touched.emplace_back(change.path[0].as_key().view());
    }
    std::ranges::sort(touched);
    const auto rest = std::ranges::unique(touched);
    touched.erase(rest.begin(), rest.end());
    if (touched.empty()) {
        return true;
    }
    if (is_searched_) {
        begin_changes();
    }
    ++version_;
    for (const std::string& key : touched) {
        drop(key);
        const Path path = {std::string_view(key)};
        if (const Value* entry = value::find(after, path)) {
            put(key, *entry, path);
        }
    }
    // Searching this many new keys costs nearly as much as searching all.
    constexpr std::size_t kFreshMax = 100;
    if (fresh_.size() > kFreshMax || gone_.size() > kFreshMax) {
        begin_changes();
    }
    return true;
}

void Book::put(std::string key, const Value& written, const Path& path) {
    if (ids_.size() >= base::kLoreEntriesMax) {
        if (book_faults_.empty()) {
            book_faults_.push_back({path, false,
                                    Error(ErrorCode::kLoreTooMany,
                                          {"entries", std::to_string(base::kLoreEntriesMax)})});
        }
        return;
    }
    std::uint32_t slot = 0;
    if (free_.empty()) {
        slot = static_cast<std::uint32_t>(slots_.size());
        slots_.emplace_back();
    } else {
        slot = free_.back();
        free_.pop_back();
    }
    Slot& room = slots_[slot];
    room.used = true;
    room.key = key;
    room.entry = parse_entry(written, key, path, room.diagnostics);
    ids_.emplace(std::move(key), slot);
    if (room.entry.constant || room.entry.force == LoreEntry::Force::kIn) {
        constants_.insert(std::ranges::lower_bound(constants_, slot), slot);
    }
    ++depths_[scan_depth(room.entry)];
    texts_ |= room.entry.texts;
    change_keys(room.entry, slot, &room.diagnostics);
}

void Book::drop(std::string_view key) {
    const auto found = ids_.find(std::string(key));
    if (found == ids_.end()) {
        return;
    }
    const std::uint32_t slot = found->second;
    Slot& room = slots_[slot];
    const auto depth = depths_.find(scan_depth(room.entry));
    if (--depth->second == 0) {
        depths_.erase(depth);
    }
    change_keys(room.entry, slot, nullptr);
    std::erase(constants_, slot);
    gone_.push_back(slot);
    in_entries_.erase(slot);
    room = Slot();
    free_.push_back(slot);
    ids_.erase(found);
}

// Adds the keys of an entry to the automaton if `diagnostics` is given, otherwise removes them.
void Book::change_keys(const LoreEntry& entry, std::uint32_t slot,
                       value::Diagnostics* diagnostics) {
    if (!entry.enabled) {
        return;
    }
    const bool exact = entry.case_sensitive.value_or(settings_.settings.case_sensitive);
    const bool words = entry.whole_words.value_or(settings_.settings.whole_words);
    const auto complain = [&](bool other, Error error) {
        if (diagnostics != nullptr) {
            error.place.reset();
            const Path path = {std::string_view(slots_[slot].key),
                               std::string_view(other ? "secondary_keys" : "keys")};
            diagnostics->push_back({path, false, std::move(error)});
        }
    };
    for (const bool other : {false, true}) {
        const std::vector<std::string>& keys = other ? entry.others : entry.keys;
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            const KeyId id = id_of({slot, other, i});
            if (keys[i].size() > base::kLoreKeyBytesMax) {
                complain(other,
                         Error(ErrorCode::kLoreKeyLong, {std::to_string(base::kLoreKeyBytesMax)}));
                continue;
            }
            if (const auto pattern = pattern_of(keys[i])) {
                if (diagnostics == nullptr) {
                    keys_.remove_pattern(id);
                    fresh_.remove_pattern(id);
                    continue;
                }
                auto compiled = compile(*pattern);
                if (!compiled) {
                    complain(other, std::move(compiled).error());
                    continue;
                }
                const auto shared = std::make_shared<const text::Regex>(std::move(*compiled));
                keys_.add(id, shared);
                fresh_.add(id, shared);
                continue;
            }
            std::string key = keys[i];
            if (key.find("{{") != std::string::npos) {
                MacroWorld world;
                world.character = given_.character;
                world.user = given_.user;
                key = expand_macros(key, world, name_).text;
            }
            if (diagnostics == nullptr) {
                keys_.remove(id, key, exact, words);
                fresh_.remove(id, key, exact, words);
            } else {
                keys_.add(id, key, exact, words);
                fresh_.add(id, key, exact, words);
            }
        }
    }
}

std::size_t Book::deepest() const {
    return depths_.empty() ? 0 : depths_.rbegin()->first;
}

value::Diagnostics Book::diagnostics() const {
    value::Diagnostics all = book_faults_;
    for (const Slot& slot : slots_) {
        all.insert(all.end(), slot.diagnostics.begin(), slot.diagnostics.end());
    }
    return all;
}

// ---- searching

// Updates a cached result to the current keys.
void Book::bring_up(Searched& known, std::string_view text, bool with_patterns) const {
    const bool is_same = known.with_patterns == with_patterns;
    if (is_same && known.version == version_) {
        return;
    }
    if (is_same && known.version == caught_version_) {
        // Search only for added keys, and remove deleted ones.
        std::erase_if(known.ids, [this](KeyId id) {
            return std::ranges::find(gone_, place_of(id).slot) != gone_.end();
        });
        const auto more = fresh_.find(text, with_patterns);
        if (!more.empty()) {
            known.ids.insert(known.ids.end(), more.begin(), more.end());
            std::ranges::sort(known.ids);
        }
    } else {
        known.ids = keys_.find(text, with_patterns);
    }
    known.with_patterns = with_patterns;
    known.version = version_;
}

const std::vector<KeyId>& Book::found_in_message(std::size_t index, const value::Str& text,
                                                 bool with_patterns) {
    is_searched_ = true;
    Searched& known = searched_[index];
    if (!(known.text == text)) {
        known = {.text = text};
    }
    bring_up(known, text, with_patterns);
    return known.ids;
}

void Book::forget_before(std::size_t first) {
    std::erase_if(searched_, [first](const auto& each) { return each.first < first; });
}

const std::vector<KeyId>& Book::found_in_entry(std::uint32_t slot, bool with_patterns) {
    is_searched_ = true;
    Searched& known = in_entries_[slot];
    bring_up(known, slots_[slot].entry.content, with_patterns);
    return known.ids;
}

}  // namespace arbiter::prompt::internal
