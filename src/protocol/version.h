// Versions of protocols, and references that name one: `id`, `id@1.2.0`, `id@^1`.
//
// Versions have the order of semantic versioning: 1.0.0-beta is before 1.0.0, build metadata after
// + is ignored. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace arbiter::protocol {

struct Version {
    std::uint32_t major = 1;
    std::uint32_t minor = 0;
    std::uint32_t patch = 0;
    std::string pre = {};  // "beta.1"

    friend bool operator==(const Version&, const Version&) = default;
    friend std::strong_ordering operator<=>(const Version& a, const Version& b) noexcept;
};
// "1.2.0", "v1.2.0", "1.2" and "1"; nothing for any other text.
std::optional<Version> parse_version(std::string_view text);
std::string print(const Version& version);

// A range of versions.
//   1.2.0 =1.2.0  this one      1 1.2 1.x  all that begin so      * or nothing  any
//   ^1.2          from 1.2 on, before 2 (for 0.x: before the next minor one)
//   ~1.2          from 1.2 on, before 1.3
//   >=1.2 >1.2 <2 <=2           compared
// A pre-release matches only if the pin names it.
class Pin {
  public:
    Pin() = default;
    static std::optional<Pin> parse(std::string_view text);

    [[nodiscard]] bool allows(const Version& version) const noexcept;
    [[nodiscard]] bool is_any() const noexcept { return text_.empty(); }
    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    friend bool operator==(const Pin& a, const Pin& b) noexcept { return a.text_ == b.text_; }

  private:
    std::string text_;
    Version low_ = {0, 0, 0, ""};
    std::optional<Version> high_;  // exclusive
    bool exact_ = false;
};

struct Reference {
    std::string id;
    Pin pin = {};
    friend bool operator==(const Reference&, const Reference&) = default;
};
// Blanks around it are ignored.
std::optional<Reference> parse_reference(std::string_view text);
std::string print(const Reference& reference);

// Letters (of any script), digits, _ - and . ; not longer than 100 bytes of Latin letters would be,
// and not beginning with a dot or a dash.
bool is_id(std::string_view text) noexcept;

}  // namespace arbiter::protocol
