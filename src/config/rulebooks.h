// Rulebooks by name or from a file, and everything that a profile is played under.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "config/profiles.h"
#include "rules/turn.h"

namespace arbiter::config {

// Those that are part of the binary (data/rulebooks), in the order of their names.
std::span<const BuiltIn> built_in_rulebooks() noexcept;

using Book = std::shared_ptr<const rules::Rulebook>;

// A name with a slash in it, or one that ends in .yaml or .yml, is a file; else it is built in.
std::expected<Book, Trouble> load_rulebook(std::string_view name_or_file);
std::expected<Book, Trouble> load_rulebook_text(std::string file, std::string text);

// The policy of a profile with its rulebooks.
std::expected<rules::Setting, Trouble> setting_of(const profile::Profile& profile);

}  // namespace arbiter::config
