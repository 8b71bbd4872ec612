#include "prompt/cache.h"

#include <algorithm>

namespace arbiter::prompt {

RenderedPiece PieceList::take(std::string_view key, const value::Value& value) {
    // Members that were added or removed shift the others by a few positions.
    constexpr std::size_t kLookAhead = 8;
    const std::size_t end = std::min(previous_.size(), at_ + kLookAhead);
    std::size_t same_key = end;
    for (std::size_t i = at_; i < end; ++i) {
        if (!(previous_[i].key == key)) {
            continue;
        }
        if (previous_[i].value.is_identical(value)) {
            at_ = i + 1;
            return std::move(previous_[i]);
        }
        same_key = std::min(same_key, i);
    }
    if (same_key == end) {
        return {};
    }
    at_ = same_key + 1;
    return std::move(previous_[same_key]);
}

RenderCache& Cache::at(const value::Path& path, std::size_t attempt, const StateView& view,
                       const text::TokenRates& rates) {
    StateView layout = view;
    layout.bytes = 0;  // is in the room of each piece
    RenderCache& found =
        renderings_[{value::print_path(path, value::PathSyntax::kDotted), attempt}];
    if (!(found.view == layout) || found.rates.cjk != rates.cjk ||
        found.rates.letter != rates.letter) {
        found = {.view = layout, .rates = rates};
    }
    return found;
}

}  // namespace arbiter::prompt
