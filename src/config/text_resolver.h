// TextResolver: finds the texts of profiles, rulebooks and protocols by name: among the embedded
// files and on disk, or only among texts that were stored, so that an old turn is judged under the
// texts of its time. For one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arbiter::config {

enum class TextKind : std::uint8_t { kProfile, kRulebook, kProtocol, kTool };
std::string_view name(TextKind kind) noexcept;  // "profile", "rulebook", "protocol", "tool"

struct NamedText {
    TextKind kind;
    std::string name;
    std::string text;
    friend bool operator==(const NamedText&, const NamedText&) = default;
};

class TextResolver {
  public:
    // Searches the embedded files; a name that is_file() is read from disk.
    TextResolver() = default;
    // Searches only these.
    explicit TextResolver(std::vector<NamedText> stored) : stored_(std::move(stored)) {}

    // A text that is found before all others.
    void add(NamedText text) { own_.push_back(std::move(text)); }

    base::Result<std::string> find(TextKind kind, std::string_view name);
    // The name of a text that the text `file` refers to: unchanged unless it is_file(), which is
    // resolved beside `file`. Fails with kFileOutside (config/files.h).
    [[nodiscard]] base::Result<std::string> name_beside(TextKind kind, std::string_view file,
                                                        std::string_view reference) const;
    // All texts that were found, each once.
    [[nodiscard]] const std::vector<NamedText>& used() const noexcept { return used_; }

  private:
    std::vector<NamedText> own_;
    std::optional<std::vector<NamedText>> stored_;
    std::vector<NamedText> used_;
};

// True for the name of a file: with a slash, or ending in .yaml or .yml.
bool is_file(std::string_view name) noexcept;
// The error for a name that does not exist, with the nearest one or all.
base::Error unknown_name(TextKind kind, std::string_view name);

}  // namespace arbiter::config
