#include "prompt/cache.h"

#include <algorithm>

#include "table/layout.h"
#include "value/diff.h"
#include "value/hash.h"
#include "value/object.h"

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

bool RenderCache::is_valid(const value::Value& now, std::size_t room_now) const {
    if (room != room_now || value.is_identical(now)) {
        return room == room_now;
    }
    if (first == 0 || !value.is_object() || !now.is_object() ||
        value.as_object().size() != now.as_object().size() || size_of(now) <= room) {
        return false;
    }
    const auto is_unseen = [&](const value::Change& change) {
        // A reserved member may be a mark of the whole object.
        if (change.path.size() < 2 || is_reserved_key(change.path[0].key())) {
            return false;
        }
        const auto position = now.as_object().position_of(change.path[0].key());
        return position && *position < first;
    };
    return std::ranges::all_of(value::diff_of_step(value, now), is_unseen);
}

std::size_t Cache::tokens_of(const std::string& id, const std::string& text,
                             const text::TokenCounter& count) {
    if (count.exact) {
        return count(text);
    }
    // Ids follow the lore that is awake, so the counts of old ones are dropped.
    constexpr std::size_t kBlocksMax = 256;
    if (counted_.size() > kBlocksMax) {
        counted_.clear();
    }
    CountedText& known = counted_[id];
    const std::uint64_t hash = value::hash_text(text);
    if (known.tokens == 0 || known.hash != hash || known.bytes != text.size() ||
        known.rates != count.rates) {
        known = {hash, text.size(), count.rates, count(text)};
    }
    return known.tokens;
}

const std::vector<std::string>& Cache::paths_at(const value::Value& paths, std::string_view area) {
    static const std::vector<std::string> kNone;
    if (!paths_.paths.is_identical(paths)) {
        paths_ = {paths, {}};
        for (const auto& [id, path] : table::object_or_empty(&paths)) {
            for (const std::string_view end : {"from", "to"}) {
                paths_.by_area[std::string(table::text_in(&path, end))].emplace_back(id.view());
            }
        }
    }
    const auto found = paths_.by_area.find(area);
    return found != paths_.by_area.end() ? found->second : kNone;
}

RenderCache& Cache::at(const value::Path& path, std::size_t attempt, const StateView& view,
                       const text::TokenRates& rates) {
    StateView layout = view;
    layout.bytes = 0;  // is in the room of each piece
    RenderCache& found =
        renderings_[{value::print_path(path, value::PathSyntax::kDotted), attempt}];
    if (!(found.view == layout) || found.rates != rates) {
        found = {.view = layout, .rates = rates};
    }
    return found;
}

}  // namespace arbiter::prompt
