#include "prompt/internal/lore_entry.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/limits.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/fields.h"
#include "value/object.h"

namespace arbiter::prompt::internal {

using base::Error;
using base::ErrorCode;
using value::Object;
using value::Path;
using value::Value;

namespace {

constexpr std::array<std::string_view, 6> kTexts = {"persona",  "description", "personality",
                                                    "scenario", "depthprompt", "creatornotes"};
struct TextFlag {
    std::string_view world;
    std::string_view card;
};
constexpr std::array<TextFlag, 6> kTextFlags = {{
    {"matchPersonaDescription", "match_persona_description"},
    {"matchCharacterDescription", "match_character_description"},
    {"matchCharacterPersonality", "match_character_personality"},
    {"matchScenario", "match_scenario"},
    {"matchCharacterDepthPrompt", "match_character_depth_prompt"},
    {"matchCreatorNotes", "match_creator_notes"},
}};

// Fields of unsupported features.
constexpr std::array<TextFlag, 5> kWithoutEffect = {{
    {"sticky", "sticky"},
    {"cooldown", "cooldown"},
    {"vectorized", "vectorized"},
    {"useGroupScoring", "use_group_scoring"},
    {"characterFilter", "character_filter"},
}};

bool is_nothing(const Value& value) {
    return value.is_null() || (value.is_bool() && !value.as_bool()) ||
           (value.is_int() && value.as_int() == 0) ||
           (value.is_string() && value.as_string().empty()) ||
           (value.is_array() && value.as_array().empty()) ||
           (value.is_object() && std::ranges::all_of(value.as_object(), [](const auto& member) {
                return is_nothing(member.value);
            }));
}

// The role of an entry; lore is never the answer to a tool call.
std::optional<Role> find_author(std::string_view word) noexcept {
    const auto role = find_role(word);
    return role == Role::kTool ? std::nullopt : role;
}

// Members of an entry under the name of world files or that of cards, in the entry or in its
// extensions. value::Fields reads one name in one object.
class EntryFields {
  public:
    EntryFields(const Value& written, const Path& path, value::Diagnostics& diagnostics)
        : object_(written.is_object() ? written.as_object() : empty_),
          path_(path),
          faults_(diagnostics) {
        const Value* more = object_.find("extensions");
        extensions_ = more != nullptr && more->is_object() ? &more->as_object() : nullptr;
    }

    // Searches both names in the entry, then in its extensions.
    const Value* find(std::string_view world, std::string_view card) {
        for (const Object* object : {&object_, extensions_}) {
            for (const std::string_view name : {world, card}) {
                const Value* found = object != nullptr ? object->find(name) : nullptr;
                if (found != nullptr && !found->is_null()) {
                    found_ = name;
                    return found;
                }
            }
        }
        return nullptr;
    }
    void bad(std::string takes, const Value& found) {
        fault(value::wrong_value(found_, std::move(takes), found));
    }
    void fault(Error error) {
        Path path = path_;
        path.emplace_back(found_);
        faults_.push_back({std::move(path), false, std::move(error)});
    }

    std::optional<bool> flag(std::string_view world, std::string_view card) {
        const Value* found = find(world, card);
        if (found == nullptr) {
            return std::nullopt;
        }
        if (found->is_bool()) {
            return found->as_bool();
        }
        if (found->is_int() && (found->as_int() == 0 || found->as_int() == 1)) {
            return found->as_int() == 1;
        }
        bad("true, false", *found);
        return std::nullopt;
    }
    std::optional<std::int64_t> number(std::string_view world, std::string_view card,
                                       std::int64_t low, std::int64_t high) {
        const Value* found = find(world, card);
        if (found == nullptr) {
            return std::nullopt;
        }
        const auto number = expr::number_of(*found);
        if (!number || !(*number >= static_cast<double>(low)) ||
            !(*number <= static_cast<double>(high))) {
            bad(std::to_string(low) + " – " + std::to_string(high), *found);
            return std::nullopt;
        }
        return static_cast<std::int64_t>(*number);
    }
    std::string text(std::string_view world, std::string_view card) {
        const Value* found = find(world, card);
        if (found == nullptr) {
            return "";
        }
        if (!found->is_string()) {
            bad("text", *found);
            return "";
        }
        return std::string(found->as_string());
    }
    // A list of texts, or one text.
    std::vector<std::string> texts(std::string_view world, std::string_view card) {
        const Value* found = find(world, card);
        std::vector<std::string> all;
        if (found == nullptr) {
            return all;
        }
        if (found->is_string()) {
            all.emplace_back(found->as_string());
        } else if (found->is_array()) {
            for (const Value& each : found->as_array()) {
                if (all.size() == base::kLoreKeysMax) {
                    fault(Error(ErrorCode::kLoreTooMany,
                                {std::string(found_), std::to_string(base::kLoreKeysMax)}));
                    break;
                }
                if (each.is_string()) {
                    all.emplace_back(each.as_string());
                } else {
                    bad("[text]", each);
                }
            }
        } else {
            bad("[text]", *found);
        }
        std::erase_if(all, [](const std::string& each) {
            return each.find_first_not_of(" \t\r\n") == std::string::npos;
        });
        return all;
    }

  private:
    const Object empty_;
    const Object& object_;
    const Object* extensions_ = nullptr;
    const Path& path_;
    value::Diagnostics& faults_;
    std::string_view found_;
};

// `position` as a number, as in world files.
void place(LoreEntry& entry, std::int64_t position) {
    constexpr std::array<Target, 8> kTargets = {
        Target::kBeforeCharacter, Target::kAfterCharacter, Target::kDepth,       Target::kDepth,
        Target::kDepth,           Target::kExamplesStart,  Target::kExamplesEnd, Target::kDepth};
    entry.target = kTargets[static_cast<std::size_t>(position)];
}

void read_position(LoreEntry& entry, EntryFields& fields) {
    if (const Value* written = fields.find("position", "position")) {
        if (written->is_string()) {
            const auto target = find_target(written->as_string());
            if (target && *target != Target::kHistory) {
                entry.target = *target;
            } else {
                fields.bad("before_char, after_char, 0 – 7", *written);
            }
        } else if (const auto number = fields.number("position", "position", 0, 7)) {
            place(entry, *number);
            if (*number == 7) {
                entry.outlet = fields.text("outletName", "outlet_name");
            }
        }
    }
    if (const auto depth = fields.number("depth", "depth", 0, 100'000)) {
        entry.depth = static_cast<std::size_t>(*depth);
    }
    if (const Value* role = fields.find("role", "role")) {
        const auto word = role->is_string() ? find_author(role->as_string()) : std::nullopt;
        if (word) {
            entry.role = *word;
        } else if (const auto number = fields.number("role", "role", 0, 2)) {
            entry.role = static_cast<Role>(*number);
        }
    }
}

// Books of cards have the position as a word, and more precisely as a number in extensions.
void read_exact_position(LoreEntry& entry, const Value& written, const Path& path,
                         value::Diagnostics& diagnostics) {
    const Value* more = written.is_object() ? written.as_object().find("extensions") : nullptr;
    const Value* position =
        more != nullptr && more->is_object() ? more->as_object().find("position") : nullptr;
    if (position != nullptr && position->is_int()) {
        EntryFields fields(*more, path, diagnostics);
        read_position(entry, fields);
    }
}

void read_recursion(LoreEntry& entry, EntryFields& fields) {
    entry.excludes_recursion = fields.flag("excludeRecursion", "exclude_recursion").value_or(false);
    entry.prevents_recursion = fields.flag("preventRecursion", "prevent_recursion").value_or(false);
    const Value* delayed = fields.find("delayUntilRecursion", "delay_until_recursion");
    if (delayed != nullptr && delayed->is_bool()) {
        entry.recursion = delayed->as_bool() ? 1 : 0;
    } else if (delayed != nullptr) {
        entry.recursion =
            static_cast<std::size_t>(fields
                                         .number("delayUntilRecursion", "delay_until_recursion", 0,
                                                 static_cast<std::int64_t>(base::kLoreRoundsMax))
                                         .value_or(0));
    }
}

void read_chance(LoreEntry& entry, EntryFields& fields) {
    const bool rolls = fields.flag("useProbability", "use_probability").value_or(true);
    const auto chance = fields.number("probability", "probability", 0, 100);
    entry.chance = rolls ? chance.value_or(100) : 100;
    std::string_view rest;
    const std::string groups = fields.text("group", "group");
    for (rest = groups; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        std::string_view name = rest.substr(0, end);
        while (name.starts_with(' ')) {
            name.remove_prefix(1);
        }
        while (name.ends_with(' ')) {
            name.remove_suffix(1);
        }
        if (!name.empty() && entry.groups.size() < base::kLoreKeysMax) {
            entry.groups.emplace_back(name);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    entry.group_override = fields.flag("groupOverride", "group_override").value_or(false);
    entry.group_weight = fields.number("groupWeight", "group_weight", 0, 10'000).value_or(100);
}

// Removes decorators (leading lines "@@name value") from the content. Unknown ones are removed too:
// they are for programs, not for the model.
void take_decorators(LoreEntry& entry, const Path& path, value::Diagnostics& diagnostics) {
    std::string_view rest = entry.content;
    const auto number = [](std::string_view text, std::size_t most) -> std::optional<std::size_t> {
        std::size_t read = 0;
        const auto done = std::from_chars(text.data(), text.data() + text.size(), read);
        return done.ec == std::errc() && read <= most ? std::optional(read) : std::nullopt;
    };
    while (rest.starts_with("@@")) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        line.remove_prefix(std::min(line.find_first_not_of('@'), line.size()));
        const std::size_t space = std::min(line.find(' '), line.size());
        const std::string_view name = line.substr(0, space);
        const std::string_view word = line.substr(std::min(space + 1, line.size()));
        if (name == "activate") {
            entry.force = LoreEntry::Force::kIn;
        } else if (name == "dont_activate") {
            entry.force = LoreEntry::Force::kOut;
        } else if (const auto depth = number(word, 100'000); name == "depth" && depth) {
            entry.target = Target::kDepth;
            entry.depth = *depth;
        } else if (const auto scan = number(word, base::kLoreDepthMax);
                   name == "scan_depth" && scan) {
            entry.scan_depth = *scan;
        } else if (const auto after = number(word, 1'000'000);
                   name == "activate_only_after" && after) {
            entry.delay = *after;
        } else if (name == "role" && find_author(word)) {
            entry.role = *find_author(word);
        } else if (name == "additional_keys" || name == "exclude_keys") {
            std::vector<std::string>& list = name[0] == 'a' ? entry.keys : entry.others;
            if (name[0] == 'e') {
                entry.logic = LoreEntry::Logic::kNotAny;
            }
            for (std::string_view keys = word; !keys.empty();) {
                const std::size_t comma = std::min(keys.find(','), keys.size());
                if (comma > 0 && list.size() < base::kLoreKeysMax) {
                    list.emplace_back(keys.substr(0, comma));
                }
                keys.remove_prefix(std::min(comma + 1, keys.size()));
            }
        } else {
            Path where = path;
            where.emplace_back("content");
            diagnostics.push_back({std::move(where), false,
                                   Error(ErrorCode::kLoreUnsupported,
                                         {"@@" + std::string(text::truncate(name, 60))})});
        }
    }
    entry.content = std::string(rest);
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
    value::Diagnostics ignored;
    const Path nowhere;
    EntryFields fields(*at, nowhere, ignored);
    constexpr auto kDepth = static_cast<std::int64_t>(base::kLoreDepthMax);
    if (const auto depth = fields.number("scanDepth", "scan_depth", 0, kDepth)) {
        book.settings.scan_depth = static_cast<std::size_t>(*depth);
    }
    if (const auto budget = fields.number("tokenBudget", "token_budget", 0, 10'000'000)) {
        book.budget = static_cast<std::size_t>(*budget);
    }
    const auto flag = [&](std::string_view world, std::string_view card, bool& to) {
        to = fields.flag(world, card).value_or(to);
    };
    flag("recursiveScanning", "recursive_scanning", book.settings.recursive);
    flag("caseSensitive", "case_sensitive", book.settings.case_sensitive);
    flag("matchWholeWords", "match_whole_words", book.settings.whole_words);
    return book;
}

LoreEntry parse_entry(const Value& written, std::string id, const Path& path,
                      value::Diagnostics& diagnostics) {
    LoreEntry entry;
    entry.id = std::move(id);
    if (!written.is_object()) {
        diagnostics.push_back(
            {path, false,
             Error(ErrorCode::kBadField,
                   {entry.id, "key: value", std::string(value::name(written.kind()))})});
        entry.enabled = false;
        return entry;
    }
    EntryFields fields(written, path, diagnostics);
    entry.title = fields.text("comment", "name");
    entry.keys = fields.texts("key", "keys");
    if (fields.flag("selective", "selective").value_or(true)) {
        entry.others = fields.texts("keysecondary", "secondary_keys");
    }
    entry.logic = static_cast<LoreEntry::Logic>(
        fields.number("selectiveLogic", "selective_logic", 0, 3).value_or(0));
    entry.content = fields.text("content", "content");
    entry.enabled = !fields.flag("disable", "disable").value_or(false) &&
                    fields.flag("enabled", "enabled").value_or(true);
    entry.constant = fields.flag("constant", "constant").value_or(false);
    entry.order = fields.number("order", "insertion_order", -1'000'000'000, 1'000'000'000)
                      .value_or(entry.order);
    read_position(entry, fields);
    read_exact_position(entry, written, path, diagnostics);
    constexpr auto kDepth = static_cast<std::int64_t>(base::kLoreDepthMax);
    if (const auto depth = fields.number("scanDepth", "scan_depth", 0, kDepth)) {
        entry.scan_depth = static_cast<std::size_t>(*depth);
    }
    entry.case_sensitive = fields.flag("caseSensitive", "case_sensitive");
    entry.whole_words = fields.flag("matchWholeWords", "match_whole_words");
    entry.ignores_budget = fields.flag("ignoreBudget", "ignore_budget").value_or(false);
    read_recursion(entry, fields);
    read_chance(entry, fields);
    entry.delay =
        static_cast<std::size_t>(fields.number("delay", "delay", 0, 1'000'000).value_or(0));
    entry.triggers = fields.texts("triggers", "triggers");
    for (std::size_t i = 0; i < kTextFlags.size(); ++i) {
        if (fields.flag(kTextFlags[i].world, kTextFlags[i].card).value_or(false)) {
            entry.texts |= 1U << i;
        }
    }
    if (fields.flag("useRegex", "use_regex").value_or(false)) {
        for (std::string& key : entry.keys) {
            key = key.starts_with('/') ? key : "/" + key + "/";
        }
    }
    if (const Value* when = fields.find("when", "when")) {
        auto formula =
            when->is_string()
                ? expr::Formula::compile(when->as_string(), {})
                : base::fail(ErrorCode::kBadField,
                             {"when", "a formula", std::string(value::name(when->kind()))});
        if (formula) {
            entry.when = std::move(*formula);
        } else {
            // An entry whose condition is invalid is never active.
            entry.enabled = false;
            formula.error().place.reset();
            fields.fault(std::move(formula).error());
        }
    }
    for (const TextFlag& each : kWithoutEffect) {
        const Value* found = fields.find(each.world, each.card);
        if (found != nullptr && !is_nothing(*found)) {
            fields.fault(Error(ErrorCode::kLoreUnsupported, {std::string(each.world)}));
        }
    }
    take_decorators(entry, path, diagnostics);
    return entry;
}

}  // namespace arbiter::prompt::internal
