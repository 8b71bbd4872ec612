// Which words of a text belong to the other language: English words in a Chinese text that are not
// identifiers, codes or proper names; Chinese characters in an English text.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace arbiter::tests {

// Words of formats, keys and commands, which are the same in both languages. Words with a capital
// inside, a digit or one of _ . - / are identifiers without being listed.
inline constexpr std::string_view kIdentifiers[] = {
    // JSON, YAML and the dialects
    "true", "false", "null", "key", "value", "path", "options", "old", "op", "action", "reason",
    "metadata", "from", "items", "start", "count", "limit", "where", "position", "tags", "ttl",
    "expect", "cascade", "dedupe", "transaction", "set", "add", "update", "patch", "push", "pull",
    "pop", "splice", "delete", "ensure", "assign", "merge", "get", "callback", "replace", "shallow",
    "deep", "head", "tail", "error", "ignore", "target", "ancestors", "text", "tool", "args", "id",
    "name", "kind", "before", "after", "remove", "move", "copy", "test", "delta", "insert", "unset",
    "tavern", "json", "mvu", "memory", "filament", "direct", "tools", "ops",
    // keys of profiles, rulebooks, protocols and cards
    "entries", "extends", "keep", "behavior", "when", "answers", "default", "spec", "data", "place",
    "change", "min", "max", "meta", "live", "reply", "chara", "initvar", "en", "zh", "model",
    "player", "to", "a", "b", "c", "p", "x", "y", "f", "e",
    // files, commands and proper names
    "str", "int", "float", "bool", "map", "seq", "dependencies", ".yaml", ".yml", "n", "r", "t",
    "u", "exists", "equals", "type", "contains", "length", "gte", "lte", "_filter", "N", "arbiter",
    "sqlite", "postgres", "url", "yaml", "yml", "ISO", "Pointer", "Patch", "Filament", "Markdown",
    "Arbiter", "User",
    // HTTP and the interface of models
    "Authorization", "Bearer", "Host", "Origin", "choices", "message", "content"};

inline bool is_ascii_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

inline bool is_identifier_word(std::string_view word) {
    if (std::ranges::find(kIdentifiers, word) != std::end(kIdentifiers)) {
        return true;
    }
    return std::ranges::any_of(word.substr(1), [](char c) { return !(c >= 'a' && c <= 'z'); });
}

// The English words of a Chinese text. Text in backticks and double quotes, placeholders in braces
// and tags in <> are quotations.
inline std::vector<std::string> english_words(std::string_view text) {
    std::vector<std::string> found;
    const std::string_view joins = "_.-/:@~^*$<>0123456789";
    for (std::size_t i = 0; i < text.size();) {
        const char open = text[i];
        const char close = open == '`' || open == '"' ? open : open == '{' ? '}' : '\0';
        if (close != '\0') {
            const std::size_t end = text.find(close, i + 1);
            i = end == std::string_view::npos ? i + 1 : end + 1;
            continue;
        }
        const auto in_word = [&](char c) { return is_ascii_letter(c) || joins.contains(c); };
        std::size_t end = i;
        while (end < text.size() && in_word(text[end])) {
            ++end;
        }
        std::string_view word = text.substr(i, end - i);
        i = std::max(end, i + 1);
        while (!word.empty() && (word.back() == '.' || word.back() == ':')) {
            word.remove_suffix(1);
        }
        if (std::ranges::any_of(word, is_ascii_letter) && !is_identifier_word(word)) {
            found.emplace_back(word);
        }
    }
    return found;
}

// Names and dates of saves, which are the same in both languages.
inline constexpr std::string_view kChineseNames[] = {
    "时间.当前", "时间.时间轴", "10月15日", "三月初五", "第12天", "示例", "回收站", "力量;白刃"};

// The Chinese characters of an English text, as far as they are not names of a save.
inline std::string chinese_characters(std::string text) {
    for (const std::string_view name : kChineseNames) {
        for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name)) {
            text.erase(at, name.size());
        }
    }
    std::string found;
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
        // U+3000 to U+9FFF and U+FF00 to U+FFFF: CJK and full-width punctuation.
        const bool cjk =
            (byte(i) >= 0xE3 && byte(i) <= 0xE9) || (byte(i) == 0xEF && byte(i + 1) >= 0xBC);
        if (cjk) {
            found += text.substr(i, 3);
            i += 2;
        }
    }
    return found;
}

}  // namespace arbiter::tests
