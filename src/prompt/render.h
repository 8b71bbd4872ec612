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

#include "prompt/state_view.h"
#include "text/tokens.h"
#include "value/path.h"
#include "value/value.h"

namespace arbiter::prompt {

// Average bytes per token of rendered state.
inline constexpr std::size_t kBytesPerToken = 2;

// A value without its path; `root` is the first key of the path. A string is not quoted.
std::string render_value(const value::Value& value, const StateView& view,
                         std::string_view root = {});
// The value at a path, headed by its path, as lines or as {"a.b":…}. Empty if there is no value.
// `is_part` is set if the byte limit left something out.
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
