// Features: the parts of tavern_commands 2.0 that can be switched off, one by one.
//
// A command that uses a feature that is off is carried out with its older meaning, and its verdict
// names the features that were left out: update is a set with a merge strategy, ensure a set with
// ifMissing, an option is ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace arbiter::engine {

struct Feature {
    std::string_view name;  // "update", or the name of an option
    std::string_view english;
    std::string_view chinese;
};
// The two actions come first, then the options that change the effect of a command.
std::size_t feature_count() noexcept;
Feature feature(std::size_t index) noexcept;  // index < feature_count()
std::optional<std::size_t> find_feature(std::string_view name) noexcept;

// The set of features that are on. Default: all.
class Features {
  public:
    [[nodiscard]] bool has(std::size_t feature) const noexcept {
        return (off_ >> feature & 1U) == 0;
    }
    [[nodiscard]] bool has(std::string_view name) const noexcept {
        const auto found = find_feature(name);
        return !found || has(*found);
    }
    [[nodiscard]] bool has_all() const noexcept { return off_ == 0; }
    void turn(std::size_t feature, bool on) noexcept {
        const std::uint64_t bit = std::uint64_t{1} << feature;
        off_ = on ? off_ & ~bit : off_ | bit;
    }
    void turn_all(bool on) noexcept {
        for (std::size_t i = 0; i < feature_count(); ++i) {
            turn(i, on);
        }
    }
    friend bool operator==(const Features&, const Features&) = default;

  private:
    std::uint64_t off_ = 0;
};

}  // namespace arbiter::engine
