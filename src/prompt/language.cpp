#include "prompt/language.h"

#include "table/layout.h"
#include "table/settings.h"
#include "text/truncate.h"
#include "text/utf8.h"

namespace arbiter::prompt {

using base::Language;

namespace {

// A Chinese character says as much as a word of about four letters.
constexpr std::size_t kLettersOfAWord = 4;

// Letters of both scripts in some texts.
struct Letters {
    std::size_t chinese = 0;
    std::size_t latin = 0;

    // Tags are not words.
    void add(std::string_view text) noexcept {
        // The beginning determines the language.
        constexpr std::size_t kBytesMax = 600;
        text = text::truncate(text, kBytesMax);
        while (!text.empty()) {
            const std::size_t tag = text[0] == '<' ? text.find('>') : std::string_view::npos;
            if (tag != std::string_view::npos) {
                text.remove_prefix(tag + 1);
                continue;
            }
            const text::Decoded next = text::decode(text);
            const char32_t c = next.code_point;
            chinese += c >= 0x3400 && c <= 0x9FFF ? 1 : 0;
            latin += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ? 1 : 0;
            text.remove_prefix(next.size);
        }
    }
    // The names in a document, of the upper levels only.
    void add_names(const value::Value& document, int levels) noexcept {
        constexpr std::size_t kNamesMax = 16;
        if (levels == 0 || !document.is_object()) {
            return;
        }
        std::size_t names = 0;
        for (const auto& [name, member] : document.as_object()) {
            if (++names > kNamesMax) {
                return;
            }
            add(name.view());
            add_names(member, levels - 1);
        }
    }
    [[nodiscard]] std::optional<Language> language() const noexcept {
        constexpr std::size_t kLeast = 8;
        const std::size_t weight = chinese * kLettersOfAWord;
        if (weight + latin < kLeast) {
            return std::nullopt;
        }
        return weight >= latin ? Language::kChinese : Language::kEnglish;
    }
    // Only if the text leaves no doubt. In a Chinese game a short English one ("Fireball!", "ok,
    // go on") is a name or a habit, not another language.
    [[nodiscard]] std::optional<Language> clear_language() const noexcept {
        constexpr std::size_t kSentence = 24;
        const std::size_t weight = chinese * kLettersOfAWord;
        if (weight >= latin) {
            return chinese > 1 ? std::optional(Language::kChinese) : std::nullopt;
        }
        return latin >= kSentence && latin > 3 * weight ? std::optional(Language::kEnglish)
                                                        : std::nullopt;
    }
};

}  // namespace

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
    Letters spoken;
    spoken.add(said);
    if (const auto language = spoken.clear_language()) {
        return *language;
    }
    const value::Value* campaign = table::find_in_campaign(document, {});
    Letters written;
    written.add(table::text_in(campaign, "title"));
    written.add(table::text_in(value::find_member(campaign, "world"), "background"));
    if (const auto language = written.language()) {
        return *language;
    }
    // Chinese names are of a Chinese game; English ones are of any.
    constexpr int kLevels = 3;
    Letters names;
    names.add_names(document, kLevels);
    if (campaign == nullptr && names.language() == Language::kChinese) {
        return Language::kChinese;
    }
    return spoken.language().value_or(otherwise);
}

}  // namespace arbiter::prompt
