#include "config/card_lint.h"

#include <algorithm>
#include <array>

#include "config/card_files.h"
#include "config/card_report.h"
#include "config/card_start.h"
#include "config/yaml.h"
#include "protocol/version.h"
#include "text/nearest.h"
#include "value/fields.h"
#include "value/object.h"

namespace arbiter::config {
namespace {

using value::Value;

// The fields of cards of all versions. Programs add fields of their own, so that only a key that is
// near one of these is a mistake.
constexpr auto kFields = std::to_array<std::string_view>({"name",
                                                          "char_name",
                                                          "nickname",
                                                          "description",
                                                          "char_persona",
                                                          "context",
                                                          "personality",
                                                          "scenario",
                                                          "world_scenario",
                                                          "first_mes",
                                                          "char_greeting",
                                                          "greeting",
                                                          "mes_example",
                                                          "example_dialogue",
                                                          "system_prompt",
                                                          "creator",
                                                          "creator_notes",
                                                          "post_history_instructions",
                                                          "creatorcomment",
                                                          "character_version",
                                                          "alternate_greetings",
                                                          "tags",
                                                          "group_only_greetings",
                                                          "character_book",
                                                          "extensions",
                                                          "spec",
                                                          "spec_version",
                                                          "data",
                                                          "configuration",
                                                          "protocols",
                                                          "enabled_schemas",
                                                          "assets",
                                                          "source",
                                                          "creation_date",
                                                          "modification_date",
                                                          "creator_notes_multilingual",
                                                          "create_date",
                                                          "avatar",
                                                          "chat",
                                                          "talkativeness",
                                                          "fav"});

value::Diagnostics misspelled_fields(const Value& whole) {
    const Value* data = value::find_member(&whole, "data");
    const bool is_below = data != nullptr && data->is_object();
    const Value& fields = is_below ? *data : whole;
    value::Diagnostics found;
    for (const auto& [key, member] : fields.as_object()) {
        if (std::ranges::find(kFields, key.view()) != kFields.end()) {
            continue;
        }
        const auto meant = text::nearest(key.view(), kFields);
        if (meant && !fields.as_object().contains(*meant)) {
            value::Path path;
            if (is_below) {
                path.emplace_back("data");
            }
            path.emplace_back(key);
            found.push_back({std::move(path), true, value::unknown_key(key, kFields)});
        }
    }
    return found;
}

// A card as text has positions; one in a picture or an archive has none.
FileDiagnostics check_fields(const std::string& file, const std::string& bytes,
                             const card::Card& card) {
    const value::Diagnostics wrong = misspelled_fields(card.whole);
    const bool is_text =
        card.form == card::Card::Form::kJson || card.form == card::Card::Form::kYaml;
    if (const auto read = is_text
                              ? parse_yaml(file, bytes)
                              : base::Result<ParsedYaml>(base::fail(base::ErrorCode::kCardNone));
        read) {
        return diagnostics_of(*read, wrong);
    }
    FileDiagnostics found{file, {}, {}};
    for (const value::Diagnostic& each : wrong) {
        found.errors.push_back(each.error);
    }
    return found;
}

void lint_card(const SourceText& source, const protocol::Library& library, CardLint& found) {
    const std::string& file = source.file;
    std::vector<FileDiagnostics>& diagnostics = found.lint.diagnostics;
    auto card = parse_card(file, source.text);
    if (!card) {
        diagnostics.push_back(std::move(card.error()));
        return;
    }
    FileDiagnostics fields = check_fields(file, source.text, *card);
    for (const std::string& each : card->protocols) {
        const auto reference = protocol::parse_reference(each);
        if (!reference || library.find(*reference) == nullptr) {
            fields.errors.push_back(library.unknown(each));
        }
    }
    if (!fields.errors.empty()) {
        diagnostics.push_back(std::move(fields));
    }
    for (std::size_t greeting = 0; greeting < card->greetings.size(); ++greeting) {
        auto start = initial_state(*card, {.greeting = greeting});
        if (start) {
            continue;
        }
        FileDiagnostics wrong = std::move(start.error());
        wrong.file = file + ": " + wrong.file;
        // Greetings share the entries of the lorebook.
        if (std::ranges::find(diagnostics, wrong.file, &FileDiagnostics::file) ==
            diagnostics.end()) {
            diagnostics.push_back(std::move(wrong));
        }
    }
    CardLint::Notes notes{file, card_report(*card)};
    std::erase_if(notes.notes, [](const card::ImportNote& note) {
        return note.fate == card::ImportNote::Fate::kApplied;
    });
    if (!notes.notes.empty()) {
        found.notes.push_back(std::move(notes));
    }
}

}  // namespace

CardLint lint_cards(std::span<const SourceText> sources, const protocol::Library& library) {
    CardLint found;
    for (const SourceText& source : sources) {
        lint_card(source, library, found);
    }
    return found;
}

}  // namespace arbiter::config
