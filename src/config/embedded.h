// Files of data/ that are part of the binary.
#pragma once

#include <span>
#include <string_view>

namespace arbiter::config {

struct EmbeddedFile {
    std::string_view name;  // "tavern"; "core/filament_v2" for a file in a folder
    std::string_view text;
};
// Each sorted by name.
std::span<const EmbeddedFile> built_in_profiles() noexcept;
std::span<const EmbeddedFile> built_in_rulebooks() noexcept;
std::span<const EmbeddedFile> built_in_protocols() noexcept;
std::span<const EmbeddedFile> built_in_tools() noexcept;
// The demo campaign, one file for each language: {table, greeting, script}.
std::span<const EmbeddedFile> built_in_demos() noexcept;
// Files of new projects, with their extensions: "card-project/en/README.md".
std::span<const EmbeddedFile> built_in_projects() noexcept;

}  // namespace arbiter::config
