// Rendering of the state for a model: compact, in document order, without internal members.
//
// Members whose key begins with _ or $ (node marks, versions, structure rules) are never shown. A
// node that is switched off is shown as kHiddenText. A pair [value, "description"] is shown as its
// value with the description after it.
//
//   角色:
//     气血: 82  # 剩余的生命
//     背包: [剑, 盾]
//     线人: [已隐藏] 请勿修改或重新初始化此字段
//
// With a byte limit, small values are shown whole and large ones share the rest: of lists and large
// objects the newest members after a line that counts the others, of small objects the first
// members, of a long text its beginning. The cost is proportional to the output.
//
// Ambiguous texts are quoted with JSON escapes, so that no value can forge a line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "text/tokens.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

inline constexpr std::string_view kHiddenText = "[已隐藏] 请勿修改或重新初始化此字段";

// Average bytes per token of rendered state.
inline constexpr std::size_t kBytesPerToken = 2;

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
    friend bool operator==(const StateView&, const StateView&) = default;
};

// Keys of the engine.
bool is_reserved_key(std::string_view key) noexcept;
// A node that is switched off (_showInEJS false or "false").
bool is_hidden(const value::Value& value, const StateView& view) noexcept;
// A pair [value, "description"]. Two strings are a pair only below the roots of dialects that write
// their leaves this way.
bool is_pair(const value::Value& value, bool in_module) noexcept;
bool is_module(std::string_view root) noexcept;

// Approximate size of a value in bytes of JSON.
std::size_t size_of(const value::Value& value) noexcept;

// A value without its path; `root` is the first key of the path. A string is not quoted.
std::string render_value(const value::Value& value, const StateView& view,
                         std::string_view root = {});
// The value at a path, headed by its path, as lines or as {"a.b":…}. Empty if there is no value.
// `is_part` tells whether the byte limit left something out.
struct Rendered {
    std::string text;
    bool is_part = false;
    std::size_t tokens = 0;
};
struct RenderCache;
// `cache` is of the same path and view, and is updated; nullptr: none.
Rendered render_counted(const value::Value& document, const value::Path& path,
                        const StateView& view, const text::TokenCounter& count,
                        RenderCache* cache = nullptr);
std::string render_at(const value::Value& document, const value::Path& path, const StateView& view,
                      bool* is_part = nullptr);

}  // namespace arbiter::prompt
