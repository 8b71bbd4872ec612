// Rendering the state for a model: compact, in the order of the document, without what is not
// meant for it.
//
// Never shown: members whose key begins with _ or $ (marks of nodes, versions, structure rules).
// A node that is switched off is shown as kHiddenText in place of all that is in it. A pair
// [value, "description"] is shown as its value with the description behind it.
//
//   角色:
//     气血: 82  # 剩余的生命
//     背包: [剑, 盾]
//     线人: [已隐藏] 请勿修改或重新初始化此字段
//
// Where there is room only for a part, what is small is shown whole, and what is large shares the
// rest: of lists and large maps the newest members, behind a line that counts the others, of things
// of a few members the first, of what is in them as much as fits, and of a long text its beginning.
// The work goes by what is shown.
//
// Texts that could be taken for something else stand in quotes with JSON's escapes, so that no
// value can forge a line of its own.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

inline constexpr std::string_view kHiddenText = "[已隐藏] 请勿修改或重新初始化此字段";

// Lines of a state have about so many bytes for each token.
inline constexpr std::size_t kBytesPerToken = 2;

struct StateView {
    enum class Format : std::uint8_t { kYaml, kJson };
    // Whether a description that stood behind the same name before is written again.
    enum class Descriptions : std::uint8_t { kOnce, kAlways, kNever };

    Format format = Format::kYaml;
    Descriptions descriptions = Descriptions::kOnce;
    bool needs_filter = false;  // hide only nodes that are marked with _filter too
    std::size_t depth = 0;      // levels that are shown; what is below is counted. 0: all
    std::size_t last = 0;       // of a list or map only its newest so many. 0: all
    std::size_t bytes = 0;      // about so many at most; what is too much is counted. 0: all
    friend bool operator==(const StateView&, const StateView&) = default;
};

// Keys that are for the engine and not for the model.
bool is_reserved_key(std::string_view key) noexcept;
// A node that is switched off (_showInEJS false or "false").
bool is_hidden(const value::Value& value, const StateView& view) noexcept;
// A pair [value, "description"]. Two texts are one only below the roots of the dialects that write
// their leaves so.
bool is_pair(const value::Value& value, bool in_module) noexcept;
bool is_module(std::string_view root) noexcept;

// About how many bytes a value is when it is written out.
std::size_t size_of(const value::Value& value) noexcept;

// A value by itself; `root` is the first key of its path. A text is given without quotes.
std::string render_value(const value::Value& value, const StateView& view,
                         std::string_view root = {});
// The value at a path under its path, as lines; or {"a.b":…}. Nothing there: empty. `is_part` is
// set if something was left out for want of room.
std::string render_at(const value::Value& document, const value::Path& path, const StateView& view,
                      bool* is_part = nullptr);

}  // namespace arbiter::prompt
