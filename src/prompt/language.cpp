#include "prompt/language.h"

#include "table/layout.h"
#include "table/settings.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::prompt {

using base::Language;

namespace {

// Letters of both scripts in some texts.
struct Letters {
    std::size_t chinese = 0;
    std::size_t latin = 0;

    void add(std::string_view text) noexcept {
        // The beginning tells the language.
        constexpr std::size_t kBytesMax = 600;
        text = text::truncate(text, kBytesMax);
        while (!text.empty()) {
            const text::Decoded next = text::decode(text);
            const char32_t c = next.code_point;
            chinese += c >= 0x3400 && c <= 0x9FFF ? 1 : 0;
            latin += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 1 : 0;
            text.remove_prefix(next.size);
        }
    }
    // A Chinese character says as much as a word of about four letters.
    [[nodiscard]] std::optional<Language> language() const noexcept {
        constexpr std::size_t kLettersOfAWord = 4;
        constexpr std::size_t kLeast = 8;
        const std::size_t weight = chinese * kLettersOfAWord;
        if (weight + latin < kLeast) {
            return std::nullopt;
        }
        return weight >= latin ? Language::kChinese : Language::kEnglish;
    }
};

}  // namespace

std::optional<Language> language_of(std::string_view text) noexcept {
    Letters letters;
    letters.add(text);
    return letters.language();
}

std::optional<Language> chosen_language(const value::Object& settings) noexcept {
    const std::string_view word = table::word_in(settings, "ui.language");
    if (word == "zh") {
        return Language::kChinese;
    }
    return word == "en" ? std::optional(Language::kEnglish) : std::nullopt;
}

Language prompt_language(const value::Value& document, const value::Object& settings,
                         std::string_view said, Language otherwise) {
    if (const auto chosen = chosen_language(settings)) {
        return *chosen;
    }
    if (const auto language = language_of(said)) {
        return *language;
    }
    const value::Value* campaign = table::find_in_campaign(document, {});
    Letters written;
    written.add(table::text_in(campaign, "title"));
    written.add(table::text_in(value::find_member(campaign, "world"), "background"));
    return written.language().value_or(otherwise);
}

}  // namespace arbiter::prompt
