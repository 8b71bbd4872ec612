// Versions of protocols, and references that name one: `id`, `id@1.2.0`, `id@^1`.
//
// Versions are ordered as semantic versioning orders them: 1.0.0-beta is before 1.0.0, and what
// stands behind + does not count. Pure functions, safe from any thread.
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

// Which versions will do.
//   1.2.0 =1.2.0  this one      1 1.2 1.x  all that begin so      * or nothing  any
//   ^1.2          from 1.2 on, before 2 (for 0.x: before the next minor one)
//   ~1.2          from 1.2 on, before 1.3
//   >=1.2 >1.2 <2 <=2           compared
// A version with a pre-release part is taken only where the pin names it.
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
    std::optional<Version> high_;  // not itself
    bool exact_ = false;
};

struct Reference {
    std::string id;
    Pin pin = {};
    friend bool operator==(const Reference&, const Reference&) = default;
};
// Blanks around it do not count.
std::optional<Reference> parse_reference(std::string_view text);
std::string print(const Reference& reference);

// Letters (of any script), digits, _ - and . ; not longer than 100 bytes of Latin letters would be,
// and not beginning with a dot or a dash.
bool is_id(std::string_view text) noexcept;

}  // namespace arbiter::protocol
