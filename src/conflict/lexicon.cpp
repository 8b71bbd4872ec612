#include "conflict/lexicon.h"

#include <algorithm>
#include <array>
#include <optional>

#include "text/case_fold.h"
#include "value/array.h"
#include "value/hash.h"
#include "value/object.h"

namespace arbiter::conflict {
namespace {

// As written, with its alternatives; the longest of the shipped lexicons has 150 bytes.
constexpr std::size_t kEntryBytesMax = 240;

std::optional<Word> word_named(std::string_view name) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Word::kCount); ++i) {
        if (protocol::name(static_cast<Word>(i)) == name) {
            return static_cast<Word>(i);
        }
    }
    return std::nullopt;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) {
        return {};
    }
    return text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

bool is_vowel(char c) {
    return std::string_view("aeiou").find(c) != std::string_view::npos;
}

// The regular forms of an English verb: walk, walks, walked, walking.
std::array<std::string, 4> forms_of(std::string_view verb, bool doubles) {
    const std::string base(verb);
    const char last = base.empty() ? '\0' : base.back();
    const bool hisses = base.ends_with("s") || base.ends_with("x") || base.ends_with("ch") ||
                        base.ends_with("sh") || base.ends_with("z");
    if (last == 'e') {
        const std::string stem = base.substr(0, base.size() - 1);
        return {base, base + "s", base + "d", stem + "ing"};
    }
    if (last == 'y' && base.size() > 1 && !is_vowel(base[base.size() - 2])) {
        const std::string stem = base.substr(0, base.size() - 1);
        return {base, stem + "ies", stem + "ied", base + "ing"};
    }
    const std::string stem = doubles ? base + last : base;
    return {base, base + (hisses ? "es" : "s"), stem + "ed", stem + "ing"};
}

}  // namespace

void Lexicon::add_entry(std::string_view entry, Word word) {
    entry = trimmed(entry);
    const std::size_t open = entry.find('(');
    const std::size_t close = entry.find(')', std::min(open, entry.size()));
    if (open != std::string_view::npos && close != std::string_view::npos &&
        entry.size() <= kEntryBytesMax) {
        std::string_view parts = entry.substr(open + 1, close - open - 1);
        while (true) {
            const std::size_t end = std::min(parts.find('/'), parts.size());
            add_entry(std::string(entry.substr(0, open)) + std::string(parts.substr(0, end)) +
                          std::string(entry.substr(close + 1)),
                      word);
            if (end == parts.size()) {
                break;
            }
            parts.remove_prefix(end + 1);
        }
        return;
    }
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
    if (const std::size_t tilde = entry.find('~'); tilde != std::string_view::npos) {
        const std::size_t begin = entry.substr(0, tilde).find_last_of(' ') + 1;
        const std::size_t end = std::min(entry.find_first_not_of('~', tilde), entry.size());
        if (begin == tilde) {
            return;
        }
        for (const std::string& form :
             forms_of(entry.substr(begin, tilde - begin), end > tilde + 1)) {
            add_entry(std::string(entry.substr(0, begin)) + form + std::string(entry.substr(end)),
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
    // An odd factor keeps the order of the entries.
    fingerprint_ = fingerprint_ * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(word) +
                   value::fingerprint_of(value::Value(entry)).exact;
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
