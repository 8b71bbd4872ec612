// Texts: where the texts of profiles and rulebooks come from: the binary and files, or only what
// was kept of them, so that an old turn can be judged by the very words of its time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::config {

// A file that is part of the binary.
struct BuiltIn {
    std::string_view name;
    std::string_view text;
};
// In the order of their names.
std::span<const BuiltIn> built_in_profiles() noexcept;
std::span<const BuiltIn> built_in_rulebooks() noexcept;
// The demo campaign, one for each language: {table, greeting, script}.
std::span<const BuiltIn> built_in_demos() noexcept;

enum class TextKind : std::uint8_t { kProfile, kRulebook, kProtocol };
std::string_view name(TextKind kind) noexcept;  // "profile", "rulebook", "protocol"

struct Source {
    TextKind kind;
    std::string name;
    std::string text;
    friend bool operator==(const Source&, const Source&) = default;
};

class Texts {
  public:
    // From the binary, and from files where a name is one.
    Texts() = default;
    // From these alone.
    explicit Texts(std::vector<Source> kept) : kept_(std::move(kept)) {}

    base::Result<std::string> find(TextKind kind, std::string_view name);
    // All that was asked for, each once.
    [[nodiscard]] const std::vector<Source>& used() const noexcept { return used_; }

  private:
    std::optional<std::vector<Source>> kept_;
    std::vector<Source> used_;
};

// Whether a name is that of a file: one with a slash in it, or that ends in .yaml or .yml.
bool is_file(std::string_view name) noexcept;
// There is no such name; {0} = the name, {1} = the one that was probably meant, or all.
base::Error unknown_name(TextKind kind, std::string_view name);

}  // namespace arbiter::config
