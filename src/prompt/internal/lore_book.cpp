#include "prompt/internal/lore_book.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/limits.h"
#include "reader/blanks.h"
#include "text/case_fold.h"
#include "text/truncate.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/diff.h"
#include "value/object.h"
#include "value/preview.h"

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

// Several words are found anywhere, as in SillyTavern.
bool has_blank(std::string_view key) {
    for (std::size_t at = 0; at < key.size(); ++at) {
        std::size_t end = at;
        reader::skip_blanks(key, end);
        if (end > at) {
            return true;
        }
    }
    return false;
}

bool has_macro(std::string_view key) {
    return key.find("{{") != std::string_view::npos || key.find('<') != std::string_view::npos;
}

// /pattern/flags; nothing if the key is not a regular expression.
struct Pattern {
    std::string_view body;
    std::string_view flags;
    [[nodiscard]] bool has(char flag) const { return flags.find(flag) != std::string_view::npos; }
};
std::optional<Pattern> pattern_of(std::string_view key) {
    const std::size_t end = key.rfind('/');
    if (!key.starts_with('/') || end <= 1) {
        return std::nullopt;
    }
    const std::string_view flags = key.substr(end + 1);
    if (flags.find_first_not_of("gimsuy") != std::string_view::npos) {
        return std::nullopt;
    }
    return Pattern{key.substr(1, end - 1), flags};
}

// As JavaScript reads it. kRegexSyntax if it would not.
base::Result<text::Regex> compile(const Pattern& pattern) {
    const auto invalid = [](std::string_view what) {
        return base::fail(ErrorCode::kRegexSyntax, {std::string(what)});
    };
    for (std::size_t i = 0; i < pattern.flags.size(); ++i) {
        if (pattern.flags.find(pattern.flags[i], i + 1) != std::string_view::npos) {
            return invalid(pattern.flags);
        }
    }
    std::string body;
    for (std::size_t i = 0; i < pattern.body.size(); ++i) {
        if (pattern.body[i] == '/') {
            return invalid(pattern.body.substr(i));
        }
        if (pattern.body[i] == '\\' && i + 1 < pattern.body.size()) {
            body += pattern.body[i + 1] == '/' ? "" : "\\";
            ++i;
        }
        body += pattern.body[i];
    }
    constexpr std::string_view kInlineFlag = "(?i)";
    if (body.starts_with(kInlineFlag)) {
        return invalid(kInlineFlag);
    }
    return text::Regex::compile(body, {.ignores_case = pattern.has('i'),
                                       .multiline = pattern.has('m'),
                                       .dot_all = pattern.has('s'),
                                       .is_lenient = !pattern.has('u'),
                                       .begin_mark = kMessageMark});
}

bool has_timer(const LoreEntry& entry) {
    return entry.sticky > 0 || entry.cooldown > 0;
}

// Entries of an object have their numbers as keys; other keys come behind them, by name.
EntryPlace entry_place(std::string_view key, bool in_list) {
    std::int64_t rank = 0;
    const auto read = std::from_chars(key.data(), key.data() + key.size(), rank);
    const bool is_number = read.ec == std::errc() && read.ptr == key.data() + key.size();
    return {std::string(key), is_number ? rank : std::numeric_limits<std::int64_t>::max(), in_list};
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

void KeySet::add(KeyId id, std::string_view key, KeyMode mode) {
    const bool words = mode.whole_words && !has_blank(key);
    words_[form_of(!mode.case_sensitive, words)].add(formed(key, !mode.case_sensitive, words), id);
}
void KeySet::remove(KeyId id, std::string_view key, KeyMode mode) {
    const bool words = mode.whole_words && !has_blank(key);
    words_[form_of(!mode.case_sensitive, words)].remove(formed(key, !mode.case_sensitive, words),
                                                        id);
}
void KeySet::clear() {
    for (text::Keywords& each : words_) {
        if (each.size() > 0) {
            each = text::Keywords();
        }
    }
}
std::size_t KeySet::size() const {
    std::size_t sum = 0;
    for (const text::Keywords& each : words_) {
        sum += each.size();
    }
    return sum;
}

template <typename Search>
void KeySet::search_forms(std::string_view text, Search search) const {
    Forms forms(text);
    for (const bool folded : {false, true}) {
        for (const bool words : {false, true}) {
            const std::size_t form = form_of(folded, words);
            if (words_[form].size() > 0) {
                search(words_[form], form, forms.get(folded, words));
            }
        }
    }
}

namespace {

// Appends ids and keeps all in order. Most books use one search mode.
void add_ids(std::vector<KeyId>& ids, std::vector<KeyId> more) {
    if (ids.empty()) {
        ids = std::move(more);
        return;
    }
    ids.insert(ids.end(), more.begin(), more.end());
    if (!std::ranges::is_sorted(ids)) {
        std::ranges::sort(ids);
    }
}

}  // namespace

std::vector<KeyId> KeySet::find(std::string_view text) const {
    std::vector<KeyId> ids;
    search_forms(text, [&](const text::Keywords& set, std::size_t, std::string_view form) {
        add_ids(ids, set.find(form));
    });
    return ids;
}

std::optional<std::vector<KeyId>> KeySet::find_few(std::string_view text, std::size_t most) const {
    std::optional<std::vector<KeyId>> ids(std::in_place);
    search_forms(text, [&](const text::Keywords& set, std::size_t, std::string_view form) {
        auto found = ids ? set.find_few(form, most - ids->size()) : std::nullopt;
        if (found) {
            add_ids(*ids, *std::move(found));
        } else {
            ids.reset();
        }
    });
    return ids;
}

std::vector<KeyId> KeySet::find_new(std::string_view text, Seen& seen) const {
    std::vector<KeyId> ids;
    search_forms(text, [&](const text::Keywords& set, std::size_t number, std::string_view form) {
        add_ids(ids, set.find_new(form, seen[number]));
    });
    return ids;
}

// ---- the book

void Book::follow(const Value& written, const LoreSettings& settings) {
    const bool same_settings = given_ == settings;
    if (same_settings && !written_.is_null() && written_.is_identical(written)) {
        return;
    }
    ++edition_;
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
    levels_.clear();
    timed_ = 0;
    delayed_ = 0;
    faulty_ = 0;
    texts_ = 0;
    keys_.clear();
    patterns_.clear();
    macro_keys_.clear();
    ++version_;
    begin_changes();
    searched_.clear();
    in_entries_.clear();
    Path path;
    if (entries.is_object()) {
        for (const auto& [key, entry] : entries.as_object()) {
            path = {key};
            put(entry_place(key.view(), false), entry, path);
        }
    } else {
        std::int64_t index = 0;
        for (const Value& entry : entries.as_array()) {
            path = {index};
            put(entry_place(std::to_string(index++), true), entry, path);
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
            put(entry_place(key, after.is_array()), *entry, path);
        }
    }
    // Searching this many new keys costs nearly as much as searching all.
    constexpr std::size_t kFreshMax = 100;
    if (fresh_.size() > kFreshMax || gone_.size() > kFreshMax) {
        begin_changes();
    }
    return true;
}

void Book::put(EntryPlace place, const Value& written, const Path& path) {
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
    room.key = place.id;
    room.entry = parse_entry(written, std::move(place), path, room.diagnostics);
    ids_.emplace(room.key, slot);
    if (room.entry.constant || room.entry.force == LoreEntry::Force::kIn) {
        constants_.insert(std::ranges::lower_bound(constants_, slot), slot);
    }
    ++depths_[scan_depth(room.entry)];
    if (room.entry.recursion > 0) {
        ++levels_[room.entry.recursion];
    }
    timed_ += has_timer(room.entry) ? 1 : 0;
    delayed_ += room.entry.delay > 0 ? 1 : 0;
    texts_ |= room.entry.texts;
    add_keys(slot);
    faulty_ += room.diagnostics.empty() ? 0 : 1;
}

void Book::drop(std::string_view key) {
    const auto found = ids_.find(std::string(key));
    if (found == ids_.end()) {
        return;
    }
    const std::uint32_t slot = found->second;
    Slot& room = slots_[slot];
    const auto take_one = [](std::map<std::size_t, std::size_t>& counts, std::size_t of) {
        const auto counted = counts.find(of);
        if (counted != counts.end() && --counted->second == 0) {
            counts.erase(counted);
        }
    };
    take_one(depths_, scan_depth(room.entry));
    take_one(levels_, room.entry.recursion);
    timed_ -= has_timer(room.entry) ? 1 : 0;
    delayed_ -= room.entry.delay > 0 ? 1 : 0;
    remove_keys(slot);
    faulty_ -= room.diagnostics.empty() ? 0 : 1;
    std::erase(constants_, slot);
    gone_.push_back(slot);
    in_entries_.erase(slot);
    room = Slot();
    free_.push_back(slot);
    ids_.erase(found);
}

// ---- the keys of an entry

KeyMode Book::mode_of(const LoreEntry& entry) const {
    return {entry.case_sensitive.value_or(settings_.settings.case_sensitive),
            entry.whole_words.value_or(settings_.settings.whole_words)};
}

void Book::add_keys(std::uint32_t slot) {
    Slot& room = slots_[slot];
    if (!room.entry.enabled) {
        return;
    }
    for (const bool other : {false, true}) {
        const std::vector<std::string>& keys = other ? room.entry.others : room.entry.keys;
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            const KeyId id = id_of({slot, other, i});
            if (keys[i].size() > base::kLoreKeyBytesMax) {
                complain(room.diagnostics, id,
                         Error(ErrorCode::kLoreKeyLong, {std::to_string(base::kLoreKeyBytesMax)}));
            } else if (has_macro(keys[i])) {
                macro_keys_.emplace(id, "");  // until expand_keys()
            } else {
                add_key(id, keys[i], &room.diagnostics);
            }
        }
    }
}

void Book::remove_keys(std::uint32_t slot) {
    const LoreEntry& entry = slots_[slot].entry;
    for (const bool other : {false, true}) {
        const std::vector<std::string>& keys = other ? entry.others : entry.keys;
        for (std::uint32_t i = 0; i < keys.size(); ++i) {
            const KeyId id = id_of({slot, other, i});
            const auto expanded = macro_keys_.find(id);
            if (expanded == macro_keys_.end()) {
                remove_key(id, keys[i]);
            } else {
                remove_key(id, expanded->second);
                macro_keys_.erase(expanded);
            }
        }
    }
}

void Book::complain(value::Diagnostics& diagnostics, KeyId id, Error error) const {
    const KeyPlace place = place_of(id);
    error.place.reset();
    const Path path = {std::string_view(slots_[place.slot].key),
                       std::string_view(place.other ? "secondary_keys" : "keys")};
    diagnostics.push_back({path, false, std::move(error)});
}

// A key without macros. An empty one is never found.
void Book::add_key(KeyId id, std::string_view key, value::Diagnostics* diagnostics) {
    if (key.empty()) {
        return;
    }
    if (const auto pattern = pattern_of(key)) {
        auto compiled = compile(*pattern);
        if (compiled) {
            const auto at = std::ranges::lower_bound(patterns_, id, {}, &PatternKey::id);
            patterns_.insert(at, {id, *std::move(compiled)});
            return;
        }
        const bool is_plain = compiled.error().code == ErrorCode::kRegexSyntax;
        if (diagnostics != nullptr) {
            complain(*diagnostics, id,
                     is_plain ? Error(ErrorCode::kLorePattern, {value::preview(Value(key))})
                              : std::move(compiled).error());
        }
        if (!is_plain) {
            return;
        }
    }
    const KeyMode mode = mode_of(slots_[place_of(id).slot].entry);
    keys_.add(id, key, mode);
    fresh_.add(id, key, mode);
}

void Book::remove_key(KeyId id, std::string_view key) {
    const auto pattern = std::ranges::lower_bound(patterns_, id, {}, &PatternKey::id);
    if (pattern != patterns_.end() && pattern->id == id) {
        patterns_.erase(pattern);
        return;
    }
    const KeyMode mode = mode_of(slots_[place_of(id).slot].entry);
    keys_.remove(id, key, mode);
    fresh_.remove(id, key, mode);
}

void Book::expand_keys(const MacroWorld& world) {
    if (macro_keys_.empty()) {
        return;
    }
    // Limit: a key may expand to a whole message. Keys beyond it are not found.
    constexpr std::size_t kBytesMax = std::size_t{16} << 20;
    std::size_t bytes = 0;
    MacroWorld own = world;  // a key may set variables
    bool has_changed = false;
    for (auto& [id, known] : macro_keys_) {
        const KeyPlace place = place_of(id);
        const LoreEntry& entry = slots_[place.slot].entry;
        const std::string& key = (place.other ? entry.others : entry.keys)[place.key];
        const std::string expanded =
            bytes < kBytesMax ? expand_macros(key, own, name_).text : std::string();
        bytes += expanded.size();
        const std::string_view now = text::truncate(reader::trim(expanded), base::kLoreKeyBytesMax);
        if (now != known) {
            remove_key(id, known);
            add_key(id, now, nullptr);
            known = now;
            has_changed = true;
        }
    }
    if (has_changed) {
        ++version_;
        begin_changes();  // everything is searched again
    }
}

std::size_t Book::deepest() const {
    return depths_.empty() ? 0 : depths_.rbegin()->first;
}

value::Diagnostics Book::diagnostics() const {
    value::Diagnostics all = book_faults_;
    if (faulty_ == 0) {
        return all;
    }
    for (const Slot& slot : slots_) {
        all.insert(all.end(), slot.diagnostics.begin(), slot.diagnostics.end());
    }
    return all;
}

// ---- searching

// Updates a cached result to the current keys.
void Book::bring_up(Searched& known, std::size_t most) const {
    if (known.version == version_) {
        return;
    }
    std::optional<std::vector<KeyId>> ids;
    if (known.version == caught_version_ && !known.is_crowded) {
        // Search only for added keys, and remove deleted ones.
        std::erase_if(known.ids, [this](KeyId id) {
            return std::ranges::find(gone_, place_of(id).slot) != gone_.end();
        });
        ids = fresh_.find_few(known.text, most);
        if (ids) {
            add_ids(*ids, std::move(known.ids));
        }
    } else {
        ids = keys_.find_few(known.text, most);
    }
    known.is_crowded = !ids || ids->size() > most;
    known.ids = known.is_crowded ? std::vector<KeyId>() : *std::move(ids);
    known.version = version_;
}

const std::vector<KeyId>* Book::current(Searched& known, std::size_t most) const {
    bring_up(known, most);
    return known.is_crowded ? nullptr : &known.ids;
}

const std::vector<KeyId>* Book::found_in_message(std::size_t index, const value::Str& text) {
    is_searched_ = true;
    Searched& known = searched_[index];
    if (!(known.text == text)) {
        known = {.text = text};
    }
    return current(known, kMessageKeysMax);
}

void Book::forget_before(std::size_t first) {
    std::erase_if(searched_, [first](const auto& each) { return each.first < first; });
}

const std::vector<KeyId>* Book::found_in_entry(std::uint32_t slot, std::string_view text) {
    is_searched_ = true;
    Searched& known = in_entries_[slot];
    if (!(known.text == text)) {
        known = {.text = value::Str(text)};
    }
    return current(known, kEntryKeysMax);
}

}  // namespace arbiter::prompt::internal
