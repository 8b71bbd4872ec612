// Cache: rendered parts of the state from the previous prompt of a campaign, with their token
// counts, and texts about the table. A part is reused if its value is identical (the same node) and
// its layout is the same, so the cost of a prompt is that of its changes.
//
// Never changes a result. Belongs to one campaign; for one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "prompt/plan.h"
#include "prompt/render.h"
#include "text/tokens.h"
#include "value/str.h"
#include "value/value.h"

namespace arbiter::prompt {

// The lines of one member or element.
struct RenderedPiece {
    value::Str key;  // empty for an element
    value::Value value;
    std::size_t level = 0;
    std::size_t room = 0;
    bool is_valid = false;          // the text depends on nothing else
    bool is_part = false;           // something was left out
    std::uint64_t thousandths = 0;  // of tokens
    std::string text = {};
    std::vector<RenderedPiece> inner = {};
};

// The pieces of one container, read in the order of the previous rendering while those of the
// current one are added.
class PieceList {
  public:
    explicit PieceList(std::vector<RenderedPiece> previous) : previous_(std::move(previous)) {
        current_.reserve(previous_.size());
    }

    // The previous piece of the same value, or else of the same key; empty: there is none.
    RenderedPiece take(std::string_view key, const value::Value& value);
    void add(RenderedPiece piece) { current_.push_back(std::move(piece)); }
    std::vector<RenderedPiece> finish() && { return std::move(current_); }

  private:
    std::vector<RenderedPiece> previous_;
    std::size_t at_ = 0;
    std::vector<RenderedPiece> current_;
};

// One rendering of one path: its result and its pieces.
struct RenderCache {
    StateView view = {};
    text::TokenRates rates = {};
    value::Value value = {};  // the rendered value
    std::size_t room = 0;     // 0: nothing was rendered yet
    std::size_t first = 0;    // members before this position had no influence on the result
    Rendered rendered = {};
    std::vector<RenderedPiece> pieces = {};

    // Whether rendering `now` would give the same result: it is the same value, or differs only
    // inside members without influence.
    [[nodiscard]] bool is_valid(const value::Value& now, std::size_t room_now) const;
};

// A text made of some parts of the document.
struct CachedText {
    std::vector<value::Value> sources = {};
    std::string options = {};  // everything else that it depends on
    std::string text = {};
};

// The paths of the map, by the areas that they touch.
struct PathIndex {
    value::Value paths = {};
    std::map<std::string, std::vector<std::string>, std::less<>> by_area = {};
};

class Cache {
  public:
    // The text of an id; its members show whether it is still valid.
    CachedText& text(const std::string& id) { return texts_[id]; }
    // The tokens of a block's text. Counted again only if the text is not that of the last time.
    std::size_t tokens_of(const std::string& id, const std::string& text,
                          const text::TokenCounter& count);
    // The ids of the paths that begin or end at an area, in map order.
    const std::vector<std::string>& paths_at(const value::Value& paths, std::string_view area);

    // The cache of the n-th attempt to fit the value at a path into its budget. Dropped if view or
    // rates are not those of the last time.
    RenderCache& at(const value::Path& path, std::size_t attempt, const StateView& view,
                    const text::TokenRates& rates);

  private:
    struct CountedText {
        std::uint64_t hash = 0;  // of the text: the text itself would be kept for every campaign
        std::size_t bytes = 0;
        text::TokenRates rates;
        std::size_t tokens = 0;
    };

    std::map<std::string, CachedText> texts_;
    std::map<std::string, CountedText> counted_;  // by the id of a block
    PathIndex paths_;
    std::map<std::pair<std::string, std::size_t>, RenderCache> renderings_;
};

}  // namespace arbiter::prompt
