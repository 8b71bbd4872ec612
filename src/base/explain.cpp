#include "base/explain.h"

#include <algorithm>
#include <vector>

#include "base/messages.h"
#include "base/phrases.h"

namespace arbiter::base {
namespace {

bool is_ascii(char c) {
    return static_cast<unsigned char>(c) < 0x80;
}
// The first byte of U+4000 to U+9FFF in UTF-8.
bool is_chinese(char c) {
    return static_cast<unsigned char>(c) >= 0xE4 && static_cast<unsigned char>(c) <= 0xE9;
}
bool ends_in_chinese(std::string_view text) {
    return text.size() > 2 && is_chinese(text[text.size() - 3]);
}

}  // namespace

std::string format_message(std::string_view pattern, std::span<const std::string> arguments) {
    std::string out;
    out.reserve(pattern.size() + 32);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const std::size_t plain = std::min(pattern.find('{', i), pattern.size());
        out += pattern.substr(i, plain - i);
        i = plain;
        if (i == pattern.size()) {
            break;
        }
        const bool slot = i + 2 < pattern.size() && pattern[i + 2] == '}' &&
                          pattern[i + 1] >= '0' && pattern[i + 1] <= '9';
        const std::size_t index = slot ? static_cast<std::size_t>(pattern[i + 1] - '0') : 0;
        if (!slot || index >= arguments.size()) {
            out.push_back(pattern[i]);
            continue;
        }
        const std::string& argument = arguments[index];
        i += 2;
        if (!argument.empty() && is_ascii(argument.front()) && ends_in_chinese(out)) {
            out.push_back(' ');
        }
        out += argument;
        if (!argument.empty() && is_ascii(argument.back()) && i + 1 < pattern.size() &&
            is_chinese(pattern[i + 1])) {
            out.push_back(' ');
        }
    }
    return out;
}

namespace {

// "phrase: quotation: phrase": each part that is a phrase is translated.
std::string parts_in_words(std::string_view text, Language language) {
    constexpr std::string_view kBetween = ": ";
    std::string out;
    while (true) {
        const std::size_t end = text.find(kBetween);
        const std::string_view part = text.substr(0, end);
        const std::string_view words = in_words(part, language);
        out += words;
        if (end == std::string_view::npos) {
            return out;
        }
        text.remove_prefix(end + kBetween.size());
        const bool is_translated = words != part || in_words(text, language) != text;
        out += is_translated ? "：" : kBetween;
    }
}

// A phrase, or an item by its kind and name: "turn 7c1c233dad" is "回合 7c1c233dad".
std::string item_in_words(std::string_view phrase, Language language) {
    if (language == Language::kChinese) {
        for (const auto& [kind, word] :
             {std::pair<std::string_view, std::string_view>("turn ", "回合 "),
              {"campaign ", "战役 "},
              {"profile ", "配置方案 "},
              {"rulebook ", "规则书 "},
              {"protocol ", "协议 "}}) {
            if (phrase.starts_with(kind)) {
                return std::string(word) + std::string(phrase.substr(kind.size()));
            }
        }
    }
    const std::string_view words = in_words(phrase, language);
    return words == phrase ? parts_in_words(phrase, language) : std::string(words);
}

// Errors about a wrong word may have one more argument: the word that was probably meant.
std::size_t argument_meant(ErrorCode code) {
    using enum ErrorCode;
    switch (code) {
        case kBadField:
        case kBadOptionValue:
            return 3;
        case kTurnSetting:
        case kTurnSection:
        case kUnknownProfile:
        case kUnknownRulebook:
        case kUnknownTool:
        case kFormulaVariable:
            return 2;
        default:
            return static_cast<std::size_t>(-1);
    }
}

}  // namespace

std::string explain(const Error& error, Language language) {
    const Message& message = messages()[static_cast<std::size_t>(error.code)];
    const std::string_view text =
        language == Language::kChinese ? message.chinese : message.english;
    const Translated marks = translated(error.code);
    std::vector<std::string> words;
    for (std::size_t i = 0; i < error.arguments.size(); ++i) {
        const std::string& argument = error.arguments[i];
        if ((marks.kinds >> i & 1U) != 0) {
            words.push_back(kinds_in_words(argument, language));
        } else {
            const bool phrase = (marks.phrases >> i & 1U) != 0;
            words.push_back(phrase ? item_in_words(argument, language) : argument);
        }
    }
    std::string sentence = format_message(text, words);
    if (const std::size_t meant = argument_meant(error.code); meant < words.size()) {
        sentence += format_message(
            language == Language::kChinese ? "是不是想写 {0}？" : " Did you mean {0}?",
            std::span(words).subspan(meant, 1));
    }
    return sentence;
}

std::string explain(const Place& place, Language language) {
    const std::string words[] = {std::to_string(place.line), std::to_string(place.column)};
    return format_message(
        language == Language::kChinese ? "第 {0} 行第 {1} 列" : "line {0}, column {1}", words);
}

}  // namespace arbiter::base
