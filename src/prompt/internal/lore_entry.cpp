#include "prompt/internal/lore_entry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/limits.h"
#include "reader/blanks.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/object.h"

namespace arbiter::prompt::internal {

using base::Error;
using base::ErrorCode;
using value::Fields;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::array<std::string_view, 6> kTexts = {"persona",     "description", "personality",
                                                    "depthprompt", "scenario",    "creatornotes"};
// A member under its name in world files and under that in books of cards.
struct Names {
    std::string_view world;
    std::string_view card;
};
constexpr std::array<Names, 6> kTextFlags = {{
    {"matchPersonaDescription", "match_persona_description"},
    {"matchCharacterDescription", "match_character_description"},
    {"matchCharacterPersonality", "match_character_personality"},
    {"matchCharacterDepthPrompt", "match_character_depth_prompt"},
    {"matchScenario", "match_scenario"},
    {"matchCreatorNotes", "match_creator_notes"},
}};

// The role of an entry; lore is never the answer to a tool call.
std::optional<Role> find_author(std::string_view word) noexcept {
    const auto role = find_role(word);
    return role == Role::kTool ? std::nullopt : role;
}

constexpr value::FieldsOptions kOptions{.unknown_keys = value::UnknownKeys::kIgnore,
                                        .null_is_absent = true};

// Members of an entry under either name, in the entry or in its extensions.
class EntryFields {
  public:
    EntryFields(const Value& written, const Path& path, value::Diagnostics& diagnostics)
        : entry_(written, path, diagnostics, kOptions) {
        const Value* more = entry_.members().find("extensions");
        if (more != nullptr && more->is_object()) {
            extensions_.emplace(*more, entry_.path_of("extensions"), diagnostics, kOptions);
        }
    }

    // A member, and the object in which it was found.
    struct Member {
        Fields* object = nullptr;  // nullptr: absent
        std::string_view key = {};
        const Value* value = nullptr;

        void reject(std::string takes) const { object->reject(key, std::move(takes), *value); }
        explicit operator bool() const noexcept { return object != nullptr; }
    };
    Member find(const Names& names) {
        for (Fields* object : {&entry_, extensions_ ? &*extensions_ : nullptr}) {
            if (object != nullptr) {
                if (const auto found = object->take_any({names.world, names.card}); found.value) {
                    return {object, found.key, found.value};
                }
            }
        }
        return {};
    }

    std::optional<bool> flag(const Names& names) {
        const Member found = find(names);
        if (!found) {
            return std::nullopt;
        }
        if (found.value->is_int() && (found.value->as_int() == 0 || found.value->as_int() == 1)) {
            return found.value->as_int() == 1;
        }
        return found.object->flag(found.key);
    }
    // A number, also as a text. One out of range is reported, and the nearest in range counts.
    std::optional<std::int64_t> number(const Names& names, std::int64_t low, std::int64_t high) {
        const Member found = find(names);
        if (!found) {
            return std::nullopt;
        }
        const auto number = expr::number_of(*found.value);
        const bool is_in_range =
            number && *number >= static_cast<double>(low) && *number <= static_cast<double>(high);
        if (!is_in_range) {
            found.reject(std::to_string(low) + " – " + std::to_string(high));
        }
        if (!number) {
            return std::nullopt;
        }
        return is_in_range ? static_cast<std::int64_t>(*number)
                           : (*number < static_cast<double>(low) ? low : high);
    }
    std::optional<std::size_t> count(const Names& names, std::int64_t high) {
        const auto found = number(names, 0, high);
        return found ? std::optional(static_cast<std::size_t>(*found)) : std::nullopt;
    }
    std::string text(const Names& names) {
        const Member found = find(names);
        return found ? found.object->text(found.key).value_or("") : "";
    }
    // A list of texts, or one text; trimmed.
    std::vector<std::string> texts(const Names& names) {
        const Member found = find(names);
        std::vector<std::string> all;
        if (!found) {
            return all;
        }
        if (!found.value->is_array() && !found.value->is_string()) {
            found.reject("[text]");
            return all;
        }
        for (const Fields::TextItem& item : found.object->texts(found.key)) {
            if (all.size() == base::kLoreKeysMax) {
                found.object->error(
                    found.key, Error(ErrorCode::kLoreTooMany,
                                     {std::string(found.key), std::to_string(base::kLoreKeysMax)}));
                break;
            }
            all.emplace_back(reader::trim(item.text));
        }
        return all;
    }
    [[nodiscard]] Fields& entry() noexcept { return entry_; }
    [[nodiscard]] Fields* extensions() noexcept { return extensions_ ? &*extensions_ : nullptr; }

  private:
    Fields entry_;
    std::optional<Fields> extensions_;
};

// `position` as a number, as in world files. The author's note has its own depth, 4, and role.
void place(LoreEntry& entry, std::int64_t position) {
    constexpr std::array<Target, 8> kTargets = {
        Target::kBeforeCharacter, Target::kAfterCharacter, Target::kDepth,       Target::kDepth,
        Target::kDepth,           Target::kExamplesStart,  Target::kExamplesEnd, Target::kDepth};
    entry.target = kTargets[static_cast<std::size_t>(position)];
}

// Books of cards have the position as a word, and more precisely as a number in extensions.
void read_position(LoreEntry& entry, EntryFields& fields, bool of_card) {
    entry.target = of_card ? Target::kAfterCharacter : Target::kBeforeCharacter;
    constexpr Names kPosition = {"position", "position"};
    EntryFields::Member written = fields.find(kPosition);
    if (Fields* more = fields.extensions()) {
        const Value* exact = more->take("position");
        if (exact != nullptr && exact->is_int()) {
            written = {more, "position", exact};
        }
    }
    constexpr std::int64_t kNoteTop = 2;
    constexpr std::int64_t kNoteBottom = 3;
    constexpr std::int64_t kOutlet = 7;
    if (written && written.value->is_string()) {
        const auto target = find_target(written.value->as_string());
        if (target && *target != Target::kHistory) {
            entry.target = *target;
        } else {
            written.reject("before_char, after_char, 0 – 7");
        }
    } else if (written) {
        const auto number = written.object->whole("position", 0, kOutlet);
        place(entry, number.value_or(0));
        if (number == kOutlet) {
            entry.outlet = fields.text({"outletName", "outlet_name"});
        } else if (number == kNoteTop || number == kNoteBottom) {
            return;
        }
    }
    entry.depth = fields.count({"depth", "depth"}, 100'000).value_or(entry.depth);
    const EntryFields::Member role = fields.find({"role", "role"});
    if (!role) {
        return;
    }
    if (const auto word =
            role.value->is_string() ? find_author(role.value->as_string()) : std::nullopt) {
        entry.role = *word;
    } else if (const auto number = fields.number({"role", "role"}, 0, 2)) {
        entry.role = static_cast<Role>(*number);
    }
}

void read_recursion(LoreEntry& entry, EntryFields& fields) {
    entry.excludes_recursion =
        fields.flag({"excludeRecursion", "exclude_recursion"}).value_or(false);
    entry.prevents_recursion =
        fields.flag({"preventRecursion", "prevent_recursion"}).value_or(false);
    constexpr Names kDelayed = {"delayUntilRecursion", "delay_until_recursion"};
    const EntryFields::Member delayed = fields.find(kDelayed);
    if (delayed && delayed.value->is_bool()) {
        entry.recursion = delayed.value->as_bool() ? 1 : 0;
    } else if (delayed) {
        entry.recursion = fields.count(kDelayed, base::kLoreMessagesMax).value_or(0);
    }
}

void read_chance(LoreEntry& entry, EntryFields& fields, bool of_card) {
    const bool rolls = fields.flag({"useProbability", "use_probability"}).value_or(of_card);
    const auto chance = fields.number({"probability", "probability"}, 0, 100);
    entry.chance = rolls ? chance.value_or(100) : 100;
    const std::string groups = fields.text({"group", "group"});
    for (std::string_view rest = groups; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view name = reader::trim(rest.substr(0, end));
        if (!name.empty() && entry.groups.size() < base::kLoreKeysMax) {
            entry.groups.emplace_back(name);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    entry.group_override = fields.flag({"groupOverride", "group_override"}).value_or(false);
    entry.group_weight = fields.number({"groupWeight", "group_weight"}, 0, 10'000).value_or(100);
    entry.group_scoring = fields.flag({"useGroupScoring", "use_group_scoring"}).value_or(false);
}

// SillyTavern names a tag by a number of its own, which only it can resolve.
bool is_tag_number(std::string_view tag) {
    return tag.size() == 36 && std::ranges::count(tag, '-') == 4;
}

void read_filter(LoreEntry& entry, EntryFields& fields) {
    const EntryFields::Member written = fields.find({"characterFilter", "character_filter"});
    if (!written) {
        return;
    }
    Fields filter = written.object->inner(*written.value, written.object->path_of(written.key));
    entry.filter_excludes = filter.flag("isExclude").value_or(false);
    for (Fields::TextItem& name : filter.texts("names")) {
        entry.filter_names.push_back(std::move(name.text));
    }
    for (Fields::TextItem& tag : filter.texts("tags")) {
        if (is_tag_number(tag.text)) {
            filter.error("tags", Error(ErrorCode::kLoreUnsupported, {"characterFilter.tags"}));
        } else {
            entry.filter_tags.push_back(std::move(tag.text));
        }
    }
}

// Removes decorators (leading lines "@@name value") from the content. Unknown ones are removed too:
// they are for programs, not for the model. "@@@name" counts only behind an unknown one.
class Decorators {
  public:
    Decorators(LoreEntry& entry, const Path& path, value::Diagnostics& diagnostics)
        : entry_(entry), path_(path), diagnostics_(diagnostics) {}

    void take() {
        std::string_view rest = entry_.content;
        bool is_known = true;
        while (rest.starts_with("@@")) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string_view line = reader::trim(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
            ++entry_.decorator_lines;
            const bool is_fallback = line.starts_with("@@@");
            if (is_fallback && is_known) {
                continue;
            }
            line.remove_prefix(std::min(line.find_first_not_of('@'), line.size()));
            // @@if(…) has no space.
            const std::size_t space = std::min(line.find_first_of(" ("), line.size());
            is_known = apply(line.substr(0, space), reader::trim(line.substr(space)));
        }
        entry_.content = std::string(rest);
    }

  private:
    static std::optional<std::size_t> number_in(std::string_view text, std::int64_t most) {
        std::size_t read = 0;
        const auto done = std::from_chars(text.data(), text.data() + text.size(), read);
        return done.ec == std::errc() && read <= static_cast<std::size_t>(most)
                   ? std::optional(read)
                   : std::nullopt;
    }

    // False: unknown.
    bool apply(std::string_view name, std::string_view word) {
        if (name == "activate" || name == "dont_activate") {
            // With words behind it the line is not the decorator. Activating wins.
            if (word.empty() && (name == "activate" || entry_.force == LoreEntry::Force::kNone)) {
                entry_.force = name == "activate" ? LoreEntry::Force::kIn : LoreEntry::Force::kOut;
            }
        } else if (const auto depth = number_in(word, 100'000); name == "depth" && depth) {
            entry_.target = Target::kDepth;
            entry_.depth = *depth;
        } else if (const auto scan =
                       number_in(word, static_cast<std::int64_t>(base::kLoreDepthMax));
                   name == "scan_depth" && scan) {
            entry_.scan_depth = *scan;
        } else if (const auto after = number_in(word, base::kLoreMessagesMax);
                   name == "activate_only_after" && after) {
            entry_.delay = *after;
        } else if (name == "role" && find_author(word)) {
            entry_.role = *find_author(word);
        } else if (name == "additional_keys") {
            add_keys(entry_.keys, word);
        } else if (name == "exclude_keys") {
            entry_.logic = LoreEntry::Logic::kNotAny;
            add_keys(entry_.others, word);
        } else if (name == "if") {
            entry_.template_condition = word;
        } else if (name == "generate_before" || name == "generate_after") {
            entry_.target = name.ends_with("before") ? Target::kSystemStart : Target::kAfterHistory;
        } else if (is_for_page(name)) {
            entry_.page_mark = "@@" + std::string(name);
        } else if (!is_without_meaning(name)) {
            Path where = path_;
            where.emplace_back("content");
            diagnostics_.push_back({std::move(where), false,
                                    Error(ErrorCode::kLoreUnsupported,
                                          {"@@" + std::string(text::truncate(name, 60))})});
            return false;
        }
        return true;
    }

    // Every template is rendered before entries are searched, in a scope of its own.
    static bool is_without_meaning(std::string_view name) {
        return name == "preprocessing" || name == "private" || name == "dont_preload" ||
               name == "always_enabled";
    }
    // Text for SillyTavern's page or for its variables, never for the model.
    static bool is_for_page(std::string_view name) {
        return name == "render_before" || name == "render_after" || name == "iframe" ||
               name == "message_formatting" || name == "initial_variables" ||
               name == "only_preload";
    }

    static void add_keys(std::vector<std::string>& list, std::string_view keys) {
        while (!keys.empty()) {
            const std::size_t comma = std::min(keys.find(','), keys.size());
            const std::string_view key = reader::trim(keys.substr(0, comma));
            if (!key.empty() && list.size() < base::kLoreKeysMax) {
                list.emplace_back(key);
            }
            keys.remove_prefix(std::min(comma + 1, keys.size()));
        }
    }

    LoreEntry& entry_;
    const Path& path_;
    value::Diagnostics& diagnostics_;
};

// Marks of prompt templates at the beginning of a title.
void take_title_mark(LoreEntry& entry) {
    const std::string_view title = entry.title;
    if (title.starts_with("[GENERATE:BEFORE]")) {
        entry.target = Target::kSystemStart;
    } else if (title.starts_with("[GENERATE:AFTER]")) {
        entry.target = Target::kAfterHistory;
    } else if (title.starts_with("[GENERATE:") || title.starts_with("[RENDER:") ||
               title.starts_with("[InitialVariables]")) {
        entry.page_mark = title.substr(0, title.find(']') + 1);
    } else if (title.starts_with("@INJECT")) {
        entry.page_mark = "@INJECT";
    }
}

void read_condition(LoreEntry& entry, EntryFields& fields) {
    const EntryFields::Member when = fields.find({"when", "when"});
    if (!when) {
        return;
    }
    auto formula = when.value->is_string()
                       ? expr::Formula::compile(when.value->as_string(), {})
                       : std::unexpected(value::wrong_value("when", "a formula", *when.value));
    if (formula) {
        entry.when = std::move(*formula);
        return;
    }
    // An entry whose condition is invalid is never active.
    entry.enabled = false;
    formula.error().place.reset();
    when.object->error("when", std::move(formula).error());
}

}  // namespace

std::span<const std::string_view> searched_texts() noexcept {
    return kTexts;
}

const Value* entries_of(const Value& written) {
    const Value* at = &written;
    // The deepest nesting is {data: {character_book: {entries}}}.
    for (int level = 0; level < 4; ++level) {
        if (at->is_array()) {
            return at;
        }
        if (!at->is_object()) {
            return nullptr;
        }
        const Value* next = nullptr;
        for (const std::string_view name : {"entries", "character_book", "data", "lorebook"}) {
            if (next == nullptr) {
                next = at->as_object().find(name);
                if (next != nullptr && name == "entries") {
                    return next->is_container() ? next : nullptr;
                }
            }
        }
        if (next == nullptr) {
            return nullptr;
        }
        at = next;
    }
    return nullptr;
}

BookSettings book_settings(const Value& written, const LoreSettings& settings) {
    BookSettings book{settings, 0};
    const Value* at = &written;
    for (const std::string_view name : {"data", "character_book"}) {
        const Value* next = at->is_object() && !at->as_object().contains("entries")
                                ? at->as_object().find(name)
                                : nullptr;
        at = next != nullptr ? next : at;
    }
    if (!at->is_object()) {
        return book;
    }
    value::Diagnostics ignored;
    const Path nowhere;
    EntryFields fields(*at, nowhere, ignored);
    constexpr auto kDepth = static_cast<std::int64_t>(base::kLoreDepthMax);
    book.settings.scan_depth =
        fields.count({"scanDepth", "scan_depth"}, kDepth).value_or(book.settings.scan_depth);
    book.budget = fields.count({"tokenBudget", "token_budget"}, 10'000'000).value_or(0);
    const auto flag = [&](const Names& names, bool& to) { to = fields.flag(names).value_or(to); };
    flag({"recursiveScanning", "recursive_scanning"}, book.settings.recursive);
    flag({"caseSensitive", "case_sensitive"}, book.settings.case_sensitive);
    flag({"matchWholeWords", "match_whole_words"}, book.settings.whole_words);
    return book;
}

LoreEntry parse_entry(const Value& written, EntryPlace place, const Path& path,
                      value::Diagnostics& diagnostics) {
    LoreEntry entry;
    entry.id = std::move(place.id);
    entry.rank = place.rank;
    if (!written.is_object()) {
        diagnostics.push_back(
            {path, false,
             Error(ErrorCode::kBadField,
                   {entry.id, "key: value", std::string(value::name(written.kind()))})});
        entry.enabled = false;
        return entry;
    }
    EntryFields fields(written, path, diagnostics);
    const bool of_card = place.in_list && !fields.entry().contains("key");
    if (const Value* id = place.in_list ? fields.entry().take("id") : nullptr;
        id != nullptr && id->is_int()) {
        entry.rank = id->as_int();
    }
    entry.title = fields.text({"comment", "name"});
    entry.keys = fields.texts({"key", "keys"});
    std::erase_if(entry.keys, [](const std::string& key) { return key.empty(); });
    // An empty secondary key stays: it is one that is never found.
    if (fields.flag({"selective", "selective"}).value_or(false)) {
        entry.others = fields.texts({"keysecondary", "secondary_keys"});
    }
    entry.logic = static_cast<LoreEntry::Logic>(
        fields.number({"selectiveLogic", "selective_logic"}, 0, 3).value_or(0));
    entry.content = fields.text({"content", "content"});
    entry.enabled = !fields.flag({"disable", "disable"}).value_or(false) &&
                    fields.flag({"enabled", "enabled"}).value_or(true);
    entry.constant = fields.flag({"constant", "constant"}).value_or(false);
    entry.order = fields.number({"order", "insertion_order"}, -1'000'000'000, 1'000'000'000)
                      .value_or(entry.order);
    read_position(entry, fields, of_card);
    entry.scan_depth =
        fields.count({"scanDepth", "scan_depth"}, static_cast<std::int64_t>(base::kLoreDepthMax));
    entry.case_sensitive = fields.flag({"caseSensitive", "case_sensitive"});
    entry.whole_words = fields.flag({"matchWholeWords", "match_whole_words"});
    entry.ignores_budget = fields.flag({"ignoreBudget", "ignore_budget"}).value_or(false);
    read_recursion(entry, fields);
    read_chance(entry, fields, of_card);
    const auto messages = [&](const Names& names) {
        return fields.count(names, base::kLoreMessagesMax).value_or(0);
    };
    entry.delay = messages({"delay", "delay"});
    entry.sticky = messages({"sticky", "sticky"});
    entry.cooldown = messages({"cooldown", "cooldown"});
    entry.triggers = fields.texts({"triggers", "triggers"});
    read_filter(entry, fields);
    for (std::size_t i = 0; i < kTextFlags.size(); ++i) {
        if (fields.flag(kTextFlags[i]).value_or(false)) {
            entry.texts |= 1U << i;
        }
    }
    read_condition(entry, fields);
    if (fields.flag({"vectorized", "vectorized"}).value_or(false)) {
        fields.entry().error("vectorized", Error(ErrorCode::kLoreUnsupported, {"vectorized"}));
    }
    Decorators(entry, path, diagnostics).take();
    take_title_mark(entry);
    if (entry.target != Target::kDepth) {
        entry.role = Role::kSystem;  // only messages at a depth have one of their own
    }
    return entry;
}

}  // namespace arbiter::prompt::internal
