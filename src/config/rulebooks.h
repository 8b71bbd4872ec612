// Rulebooks by name or from a file, and everything that a profile is played under.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/profiles.h"
#include "config/source_files.h"
#include "config/tools.h"
#include "rules/rulebook.h"

namespace arbiter::config {

using Book = std::shared_ptr<const rules::Rulebook>;

using SharedCalendars = std::shared_ptr<const calendar::Calendars>;

// From a file, or built in; or from `texts`. The dates of the story are read with `calendars`.
std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name_or_file);
std::expected<Book, FileDiagnostics> load_rulebook(std::string_view name_or_file,
                                                   TextResolver& texts,
                                                   const SharedCalendars& calendars);
std::expected<Book, FileDiagnostics> load_rulebook_text(
    std::string file, std::string text,
    const SharedCalendars& calendars = calendar::shared_calendars());

// All mistakes in some rulebooks, and the remarks about them.
Lint lint_rulebooks(std::span<const SourceText> sources);
// All mistakes in some profiles, and in the calendars and rulebooks that they name.
Lint lint_profiles(std::span<const SourceText> sources);

// The calendars of a file: one calendar, or the list `calendars` of a profile or rulebook.
struct LoadedCalendars {
    SharedCalendars all;  // with the embedded ones
    std::string only;     // the name, if the file holds one
};
std::expected<LoadedCalendars, FileDiagnostics> load_calendars(const std::string& file);

// The rulebooks that a profile names.
std::expected<std::vector<Book>, FileDiagnostics> load_books(const profile::Profile& profile);

// Everything that a campaign is played under, and the texts that it was made of.
struct World {
    profile::Profile profile;
    std::vector<Book> books;
    std::vector<NamedText> sources;  // with the campaign's own tools
    std::shared_ptr<const table::Registries> registries = built_in_registries();
};
std::expected<World, FileDiagnostics> load_world(std::string_view profile);
// The same with one more rulebook, written as a value (a card's schema, card/zod.h), which the
// campaign keeps like any other. Null: none.
std::expected<World, FileDiagnostics> load_world(std::string_view profile,
                                                 const value::Value& rulebook);
// From kept texts alone, with the tools among them.
std::expected<World, FileDiagnostics> load_world(std::string_view profile,
                                                 std::vector<NamedText> kept);
// Registers tools of data in a world.
std::expected<void, FileDiagnostics> add_tools(World& world, std::vector<NamedText> tools);

}  // namespace arbiter::config
