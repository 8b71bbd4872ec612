#include "card/card_text.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "value/array.h"

namespace arbiter::card {

using value::Value;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kNone = std::string_view::npos;

char lower(char c) noexcept {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

int digit_of(char c) noexcept {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    if (c == '+' || c == '-') {
        return 62;
    }
    return c == '/' || c == '_' ? 63 : -1;
}

const Value* member(const Value* object, std::string_view key) {
    return object != nullptr && object->is_object() ? object->as_object().find(key) : nullptr;
}

std::string_view text_at(const Value* object, std::string_view key) {
    const Value* found = member(object, key);
    return found != nullptr && found->is_string() ? found->as_string() : std::string_view();
}

std::string_view title_of(const Value& entry) {
    const std::string_view comment = text_at(&entry, "comment");
    return comment.empty() ? text_at(&entry, "name") : comment;
}

// The entries of a lorebook: a list in cards, an object with numbers as keys in world files.
std::vector<const Value*> entries_of(const Value& book) {
    std::vector<const Value*> found;
    const Value* entries = member(&book, "entries");
    if (entries != nullptr && entries->is_array()) {
        for (const Value& each : entries->as_array()) {
            found.push_back(&each);
        }
    } else if (entries != nullptr && entries->is_object()) {
        for (const auto& [key, each] : entries->as_object()) {
            found.push_back(&each);
        }
    }
    return found;
}

class Scripts {
  public:
    std::vector<CardScript> found;
    std::vector<SchemaScript> schemas;

    void add(CardScript::Kind kind, std::string_view name, bool loads_mvu = false) {
        if (seen_.emplace(kind, name).second) {
            found.push_back({kind, std::string(name), loads_mvu});
        }
    }

    void search(std::string_view text, std::string_view place) {
        if (text.contains("<%")) {
            add(CardScript::Kind::kTemplate, place);
        }
        if (find_ignoring_case(text, "<script") != std::string_view::npos) {
            add(CardScript::Kind::kHtml, place);
        }
    }

    void add_regexes(const Value* list) {
        if (list == nullptr || !list->is_array()) {
            return;
        }
        for (const Value& each : list->as_array()) {
            const std::string_view name = text_at(&each, "scriptName");
            add(CardScript::Kind::kRegex, name);
            search(text_at(&each, "replaceString"), name);
        }
    }

    // Folders contain scripts; older cards wrap each script in {type, value}.
    void add_helpers(const Value* list, int level = 0) {
        if (list == nullptr || !list->is_array() || level > 4) {
            return;
        }
        for (const Value& each : list->as_array()) {
            const Value* wrapped = member(&each, "value");
            if (wrapped != nullptr && wrapped->is_array()) {
                add_helpers(wrapped, level + 1);
                continue;
            }
            const Value& script = wrapped != nullptr && wrapped->is_object() ? *wrapped : each;
            if (const Value* inner = member(&script, "scripts")) {
                add_helpers(inner, level + 1);
                continue;
            }
            if (script.is_object()) {
                const std::string_view content = text_at(&script, "content");
                const bool schema = content.contains("registerMvuSchema");
                add(schema ? CardScript::Kind::kSchema : CardScript::Kind::kHelper,
                    text_at(&script, "name"),
                    find_ignoring_case(content, "MagVarUpdate") != std::string_view::npos);
                const Value* enabled = member(&script, "enabled");
                if (schema && (enabled == nullptr || *enabled != Value(false))) {
                    schemas.push_back({text_at(&script, "name"), content});
                }
            }
        }
    }

    void add_extensions(const Value& extensions) {
        add_regexes(member(&extensions, "regex_scripts"));
        add_helpers(member(&extensions, "TavernHelper_scripts"));
        const Value* helper = member(&extensions, "tavern_helper");
        add_helpers(member(helper, "scripts"));
        // The older form is a list of [key, value] pairs.
        if (helper != nullptr && helper->is_array()) {
            for (const Value& pair : helper->as_array()) {
                if (pair.is_array() && pair.as_array().size() == 2 &&
                    pair.as_array()[0].is_string() && pair.as_array()[0].as_string() == "scripts") {
                    add_helpers(&pair.as_array()[1]);
                }
            }
        }
    }

  private:
    std::set<std::pair<CardScript::Kind, std::string>> seen_;
};

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::size_t find_ignoring_case(std::string_view text, std::string_view word,
                               std::size_t from) noexcept {
    if (from > text.size()) {
        return std::string_view::npos;
    }
    const auto found = std::ranges::search(text.substr(from), word,
                                           [](char a, char b) { return lower(a) == lower(b); });
    return found.empty() ? std::string_view::npos
                         : static_cast<std::size_t>(found.data() - text.data());
}

std::string_view trimmed(std::string_view text) noexcept {
    constexpr std::string_view kBlanks = " \t\r\n";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<std::string> decode_base64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 3);
    std::uint32_t held = 0;
    int bits = 0;
    std::size_t at = 0;
    for (; at < text.size() && text[at] != '='; ++at) {
        const char c = text[at];
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            continue;
        }
        const int digit = digit_of(c);
        if (digit < 0) {
            return std::nullopt;
        }
        held = (held << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.push_back(static_cast<char>(held >> static_cast<unsigned>(bits) & 0xFFU));
        }
    }
    // A single digit has fewer bits than a byte.
    if (bits == 6 || text.find_first_not_of("= \t\r\n", at) != std::string_view::npos) {
        return std::nullopt;
    }
    return bytes;
}

SplitText split_initvars(std::string_view text) {
    constexpr std::string_view kOpening = "<initvar>";
    constexpr std::string_view kClosing = "</initvar>";
    SplitText split;
    std::size_t at = 0;
    while (true) {
        const std::size_t begin = find_ignoring_case(text, kOpening, at);
        if (begin == kNone) {
            break;
        }
        const std::size_t inside = begin + kOpening.size();
        const std::size_t end = find_ignoring_case(text, kClosing, inside);
        split.rest += text.substr(at, begin - at);
        split.initvars.push_back(text.substr(inside, end == kNone ? kNone : end - inside));
        at = end == kNone ? text.size() : end + kClosing.size();
    }
    split.rest += text.substr(at);
    return split;
}

std::vector<Initvar> initvars_of(const Value& book) {
    std::vector<Initvar> found;
    for (const Value* entry : entries_of(book)) {
        for (const std::string_view key : {"comment", "name"}) {
            const std::string_view title = text_at(entry, key);
            if (find_ignoring_case(title, "[initvar]") != std::string_view::npos) {
                found.push_back({std::string(title), std::string(text_at(entry, "content"))});
                break;
            }
        }
    }
    return found;
}

std::vector<CardScript> scripts_of(const Card& card) {
    Scripts scripts;
    scripts.add_extensions(card.extensions);
    scripts.search(card.description, "description");
    scripts.search(card.personality, "personality");
    scripts.search(card.scenario, "scenario");
    scripts.search(card.example_messages, "mes_example");
    scripts.search(card.system_prompt, "system_prompt");
    scripts.search(card.post_history_instructions, "post_history_instructions");
    for (const std::string& greeting : card.greetings) {
        scripts.search(greeting, "first_mes");
    }
    for (const Value* entry : entries_of(card.character_book)) {
        scripts.search(text_at(entry, "content"), title_of(*entry));
    }
    return std::move(scripts.found);
}

std::vector<SchemaScript> schema_scripts(const Card& card) {
    Scripts scripts;
    scripts.add_extensions(card.extensions);
    return std::move(scripts.schemas);
}

}  // namespace arbiter::card
