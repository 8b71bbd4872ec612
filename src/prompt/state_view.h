// StateView: options of rendering the state, and the nodes that are shown with them. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

inline constexpr std::string_view kHiddenText = "[已隐藏] 请勿修改或重新初始化此字段";

struct StateView {
    enum class Format : std::uint8_t { kYaml, kJson };
    // Repetition of a description that was already shown for the same key.
    enum class Descriptions : std::uint8_t { kOnce, kAlways, kNever };

    Format format = Format::kYaml;
    Descriptions descriptions = Descriptions::kOnce;
    bool needs_filter = false;  // hide only nodes that also have _filter
    std::size_t depth = 0;      // levels shown, deeper ones are counted; 0: all
    std::size_t last = 0;       // only the newest members; 0: all
    std::size_t bytes = 0;      // approximate limit, the rest is counted; 0: none
    std::size_t base = 0;       // leading segments of the path that are not written
    friend bool operator==(const StateView&, const StateView&) = default;
};

// Keys of the engine.
bool is_reserved_key(std::string_view key) noexcept;
// A node that is switched off (_showInEJS false or "false").
bool is_hidden(const value::Value& value, const StateView& view) noexcept;
bool has_hidden_ancestor(const value::Value& document, const value::Path& path,
                         const StateView& view);
// A pair [value, "description"]. Two strings are a pair only below the roots of dialects that write
// their leaves this way.
bool is_pair(const value::Value& value, bool in_module) noexcept;
bool is_module(std::string_view root) noexcept;

// Approximate size of a value in bytes of JSON.
std::size_t size_of(const value::Value& value) noexcept;

}  // namespace arbiter::prompt
