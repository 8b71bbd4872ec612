#include "conflict/lexicon.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text/case_fold.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::conflict {
namespace {

// The longest phrase of the shipped lexicons has 40 bytes; a campaign may add longer ones.
constexpr std::size_t kEntryBytesMax = 96;

constexpr std::array<std::string_view, static_cast<std::size_t>(Word::kCount)> kNames = {
    "hp",           "damage",      "lose",       "gain",        "become",     "remain",
    "full",         "zero",        "half",       "maximum",     "each",       "unhurt",
    "points",       "price",       "arrive",     "be_at",       "leave",      "follow_in",
    "outside",      "toward",      "all_of_you", "die",         "corpse",     "down",
    "restrain",     "revive",      "act",        "negation",    "modal",      "plan",
    "attempt",      "report",      "not_report", "condition",   "unreal",     "wake",
    "memory",       "recall",      "trance",     "stay",        "near_miss",  "simile",
    "question",     "from_now",    "rule_noun",  "rule_change", "norm",       "generic",
    "path_noun",    "path_cut",    "path_open",  "destroyed",   "new_area",   "rename",
    "no_longer",    "become_role", "learn",      "forget",      "skill_noun", "level_up",
    "level_noun",   "title_noun",  "obtain",     "give_away",   "count_of",   "money",
    "you",          "he",          "she",        "it",          "they",       "self",
    "person",       "thing",       "person_end", "someone",     "body",       "honor_after",
    "honor_before", "surname_two", "adverb",     "and",         "by",         "object",
    "of",           "plain"};

std::optional<Word> word_named(std::string_view name) {
    const auto found = std::ranges::find(kNames, name);
    if (found == kNames.end()) {
        return std::nullopt;
    }
    return static_cast<Word>(found - kNames.begin());
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

}  // namespace

void Lexicon::add_entry(std::string_view entry, Word word) {
    entry = trimmed(entry);
    const std::size_t slash = entry.find('/');
    if (slash != std::string_view::npos && entry.size() > 1) {
        const std::size_t begin = entry.substr(0, slash).find_last_of(' ') + 1;
        const std::size_t end = std::min(entry.find(' ', slash), entry.size());
        std::string_view variants = entry.substr(begin, end - begin);
        while (!variants.empty()) {
            const std::string_view one = variants.substr(0, variants.find('/'));
            variants.remove_prefix(std::min(one.size() + 1, variants.size()));
            add_entry(std::string(entry.substr(0, begin)) + std::string(one) +
                          std::string(entry.substr(end)),
                      word);
        }
        return;
    }
    if (entry.empty() || entry.size() > kEntryBytesMax) {
        return;
    }
    const std::uint32_t id = phrases_.add(text::fold_case(entry));
    if (id >= words_.size()) {
        words_.resize(id + 1);
    }
    words_[id].set(static_cast<std::size_t>(word));
    if (entry.find('\'') != std::string_view::npos) {
        std::string curly;
        for (const char byte : entry) {
            curly += byte == '\'' ? "\u2019" : std::string(1, byte);
        }
        add_entry(curly, word);
    }
}

void Lexicon::add(std::string_view text) {
    std::optional<Word> section;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with('#')) {
            continue;
        }
        if (line.starts_with('[') && line.ends_with(']')) {
            section = word_named(line.substr(1, line.size() - 2));
            continue;
        }
        while (section && !line.empty()) {
            const std::size_t comma = std::min(line.find(", "), line.size());
            add_entry(line.substr(0, comma), *section);
            line.remove_prefix(std::min(comma + 2, line.size()));
        }
    }
}

void Lexicon::add(const value::Value& words) {
    if (!words.is_object()) {
        return;
    }
    for (const auto& [name, list] : words.as_object()) {
        const auto word = word_named(name.view());
        if (!word || !list.is_array()) {
            continue;
        }
        for (const value::Value& entry : list.as_array()) {
            if (entry.is_string()) {
                add_entry(entry.as_string(), *word);
            }
        }
    }
}

Lexicon::Match Lexicon::at(std::string_view folded, std::size_t at) const {
    const auto found = phrases_.longest_at(folded, at);
    if (!found) {
        return {};
    }
    return {found->size, words_[found->id]};
}

bool Lexicon::has(std::string_view folded, Word word) const {
    const Match match = at(folded, 0);
    return match.size == folded.size() && match.words.test(static_cast<std::size_t>(word));
}

const Lexicon& shipped_lexicon() {
    static const Lexicon lexicon = [] {
        Lexicon built;
        for (const ShippedLexicon& each : shipped_lexicons()) {
            built.add(each.text);
        }
        return built;
    }();
    return lexicon;
}

}  // namespace arbiter::conflict
