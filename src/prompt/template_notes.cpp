#include "prompt/template_notes.h"

#include <charconv>
#include <string>
#include <string_view>

#include "ejs/lint.h"
#include "ejs/template.h"
#include "prompt/internal/lore_entry.h"
#include "prompt/lore.h"
#include "value/array.h"
#include "value/object.h"

namespace arbiter::prompt {

using card::ImportNote;
using value::Value;

namespace {

// `skipped` lines are before the text.
void add_note(std::vector<ImportNote>& notes, std::string_view text, std::string name,
              std::size_t skipped = 0) {
    if (!ejs::has_tags(text)) {
        return;
    }
    ImportNote note{ImportNote::Fate::kApplied, "template", std::move(name), {}};
    if (const auto failure = ejs::lint(text)) {
        const Why why = behind_lines(why_of(*failure), skipped);
        // Only what is reached counts, so a name that is refused need not matter.
        const bool is_certain =
            failure->fault == ejs::Fault::kSyntax || failure->fault == ejs::Fault::kUnclosed;
        note.fate = is_certain ? ImportNote::Fate::kIgnored : ImportNote::Fate::kChanged;
        note.reason = {"left out of the prompt: " + explain(why, base::Language::kEnglish),
                       "不放入提示词：" + explain(why, base::Language::kChinese)};
        if (!is_certain) {
            note.reason = {"left out of the prompt when it gets there: " +
                               explain(why, base::Language::kEnglish),
                           "执行到此处时不放入提示词：" + explain(why, base::Language::kChinese)};
        }
    } else {
        note.reason = {"rendered on the state of each turn", "每回合按当时的状态渲染"};
    }
    notes.push_back(std::move(note));
}

// An entry for the page of another program is never rendered.
void add_entry(std::vector<ImportNote>& notes, const Value& written, const std::string& id) {
    value::Diagnostics ignored;
    const LoreEntry entry = internal::parse_entry(written, {id}, {}, ignored);
    const std::string& name = entry.title.empty() ? id : entry.title;
    if (entry.page_mark.empty()) {
        add_note(notes, entry.content, name, entry.decorator_lines);
    } else if (ejs::has_tags(entry.content)) {
        const Why why{Reason::kLorePage, {entry.page_mark}};
        notes.push_back(
            {ImportNote::Fate::kIgnored,
             "template",
             name,
             {explain(why, base::Language::kEnglish), explain(why, base::Language::kChinese)}});
    }
}

}  // namespace

Why why_of(const ejs::Failure& failure) {
    // The reasons follow the order of the faults.
    constexpr auto kFirst = static_cast<std::size_t>(Reason::kTemplateSyntax);
    static_assert(static_cast<std::size_t>(Reason::kTemplateDepth) - kFirst ==
                  static_cast<std::size_t>(ejs::Fault::kDepth));
    Why why{static_cast<Reason>(kFirst + static_cast<std::size_t>(failure.fault)),
            {std::to_string(failure.line)}};
    why.words.insert(why.words.end(), failure.words.begin(), failure.words.end());
    return why;
}

Why behind_lines(Why why, std::size_t lines) {
    std::size_t line = 0;
    std::string& word = why.words[0];
    std::from_chars(word.data(), word.data() + word.size(), line);
    word = std::to_string(line + lines);
    return why;
}

std::vector<ImportNote> template_notes(const card::Card& card) {
    std::vector<ImportNote> notes;
    add_note(notes, card.system_prompt, "system_prompt");
    add_note(notes, card.description, "description");
    add_note(notes, card.personality, "personality");
    add_note(notes, card.scenario, "scenario");
    add_note(notes, card.example_messages, "mes_example");
    add_note(notes, card.post_history_instructions, "post_history_instructions");
    for (std::size_t i = 0; i < card.greetings.size(); ++i) {
        add_note(notes, card.greetings[i], "greeting " + std::to_string(i));
    }
    const Value* entries = internal::entries_of(card.character_book);
    if (entries == nullptr) {
        return notes;
    }
    if (entries->is_array()) {
        std::size_t number = 0;
        for (const Value& entry : entries->as_array()) {
            add_entry(notes, entry, "entry " + std::to_string(number++));
        }
    } else {
        for (const auto& [key, entry] : entries->as_object()) {
            add_entry(notes, entry, std::string(key.view()));
        }
    }
    return notes;
}

}  // namespace arbiter::prompt
