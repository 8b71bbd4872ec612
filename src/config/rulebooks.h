// Rulebooks by name or from a file, and everything that a profile is played under.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/profiles.h"
#include "rules/rulebook.h"

namespace arbiter::config {

using Book = std::shared_ptr<const rules::Rulebook>;

// From a file, or built in; or from `texts`.
std::expected<Book, Trouble> load_rulebook(std::string_view name_or_file);
std::expected<Book, Trouble> load_rulebook(std::string_view name_or_file, Texts& texts);
std::expected<Book, Trouble> load_rulebook_text(std::string file, std::string text);

// The rulebooks that a profile names.
std::expected<std::vector<Book>, Trouble> load_books(const profile::Profile& profile);

// Everything that a campaign is played under, and the texts that it was made of.
struct World {
    profile::Profile profile;
    std::vector<Book> books;
    std::vector<Source> sources;
};
std::expected<World, Trouble> load_world(std::string_view profile);
// From kept texts alone.
std::expected<World, Trouble> load_world(std::string_view profile, std::vector<Source> kept);

}  // namespace arbiter::config
