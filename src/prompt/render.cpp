#include "prompt/render.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "base/limits.h"
#include "prompt/cache.h"
#include "prompt/fair_share.h"
#include "prompt/internal/plain_text.h"
#include "text/truncate.h"
#include "value/array.h"
#include "value/json.h"
#include "value/object.h"

namespace arbiter::prompt {

using internal::append_text;
using value::Array;
using value::Object;
using value::Path;
using value::Value;

namespace {

// Maximum length of a list on one line.
constexpr std::size_t kLineBytesMax = 80;
// With a byte limit, as many members are shown as can have this many bytes each …
constexpr std::size_t kMemberBytes = 64;
// … and a container with less room than this is only counted.
constexpr std::size_t kOpenBytes = 24;
// An object with at most this many members is a record, whose first members matter most; a larger
// one is a collection, whose newest members do.
constexpr std::size_t kFieldsMax = 32;
constexpr std::size_t kFieldBytes = 12;

// Marks among the elements of lists.
bool is_reserved_element(const Value& value) noexcept {
    return value.is_string() && value.as_string() == "$__META_EXTENSIBLE__$";
}

// The shown part of a container: members left out before and after it, and the room of each.
struct Portion {
    std::size_t begin = 0;  // index of the first shown member; 0: count from the start
    std::size_t skip = 0;
    std::size_t shown = kUnlimited;
    std::size_t rest = 0;
    std::size_t each = kUnlimited;
    std::size_t first = 0;  // members before this position were not looked at
};

// `room` is the approximate byte limit of a value, or kUnlimited.
class Renderer {
  public:
    Renderer(const StateView& view, bool in_module) : view_(view), in_module_(in_module) {}

    // Reuses the pieces of `cache` and replaces them at the end of its life.
    void use(RenderCache& cache) {
        rates_ = cache.rates;
        pieces_ = &root_pieces_.emplace(std::move(cache.pieces));
    }
    std::vector<RenderedPiece> pieces() { return std::move(*root_pieces_).finish(); }
    // Members of the outermost container before this position had no influence; 0: all had.
    [[nodiscard]] std::size_t first() const { return first_; }
    // The tokens of the output; only with a cache.
    std::uint64_t thousandths() {
        count_to_end();
        return thousandths_;
    }

    void write(std::string_view text) { out_ += text; }
    std::string take() { return std::move(out_); }
    // Whether the byte limit left something out.
    [[nodiscard]] bool is_part() const { return is_part_; }

    void member(std::string_view key, const Value& value, std::size_t level, std::size_t room) {
        indent(level);
        append_text(out_, key);
        out_ += ':';
        behind(key, value, level, room);
    }

    // The value of a member, from after the colon to the end of its last line.
    void behind(std::string_view key, const Value& written, std::size_t level, std::size_t room) {
        std::string_view description;
        const Value& value = undescribed(written, description);
        const bool shows =
            has_room(value, description, room) && shows_description(key, description);
        const auto end = [&] {
            if (shows) {
                out_ += "  # ";
                for (const char c : description) {
                    out_ += c == '\n' || c == '\r' ? ' ' : c;
                }
            }
            out_ += '\n';
        };
        if (is_hidden(value, view_)) {
            out_ += ' ';
            out_ += kHiddenText;
            out_ += '\n';
        } else if (!value.is_container()) {
            out_ += ' ';
            scalar(value, room);
            end();
        } else if (!shows_any(value)) {
            out_ += value.is_array() ? " []" : " {}";
            end();
        } else if (is_too_much(level, room)) {
            out_ += value.is_array() ? " [… " : " {… ";
            out_ += std::to_string(shown_count(value));
            out_ += value.is_array() ? "]" : "}";
            end();
        } else if (const std::string line = on_one_line(value); !line.empty()) {
            out_ += ' ' + line;
            end();
        } else {
            end();
            members(value, level + 1, room);
        }
    }

    // The members of a container, each starting on a new line.
    void members(const Value& container, std::size_t level, std::size_t room) {
        const Portion portion = portion_of(container, level, room);
        if (level == kRootLevel) {
            first_ = portion.first;
        }
        left_out(portion.skip, level);
        if (container.is_object()) {
            for_each_shown(container.as_object(), portion, [&](const value::Member& each) {
                const std::size_t within = room_for(portion, each, level);
                cached(each.key, each.value, level, within,
                       [&] { member(each.key, each.value, level, within); });
            });
        } else {
            for_each_shown(container.as_array(), portion, [&](const Value& each) {
                const std::size_t within = room_for(portion, each, level);
                cached({}, each, level, within, [&] { element(each, level, within); });
            });
        }
        left_out(portion.rest, level);
    }

    void element(const Value& value, std::size_t level, std::size_t room) {
        const bool opens = value.is_object() && !is_hidden(value, view_) && shows_any(value) &&
                           !is_too_much(level, room);
        if (!opens) {
            indent(level);
            out_ += '-';
            behind("-", value, level, room);
            return;
        }
        // The first member is on the line of the dash.
        const std::size_t begin = out_.size() + 2 * std::min(level, base::kIndentMax - 1);
        // No pieces inside: their first line is changed here.
        PieceList* outer = std::exchange(pieces_, nullptr);
        members(value, level + 1, room);
        pieces_ = outer;
        out_[begin] = '-';
    }

    // The value without hidden parts, for JSON.
    Value cleaned(const Value& value, std::size_t level, std::size_t room) {
        if (is_hidden(value, view_)) {
            return Value(kHiddenText);
        }
        if (is_pair(value, in_module_)) {
            const Value& described = value.as_array()[0];
            const Value inner = cleaned(described, level, room);
            return view_.descriptions == StateView::Descriptions::kNever ||
                           !has_room(described, value.as_array()[1].as_string(), room)
                       ? inner
                       : Value(Array{inner, value.as_array()[1]});
        }
        if (value.is_string() && !fits(value.as_string(), room)) {
            return Value(cut(value.as_string(), room));
        }
        if (!value.is_container()) {
            return value;
        }
        if (is_too_much(level, room)) {
            return Value(std::string_view("… " + std::to_string(shown_count(value))));
        }
        const Portion portion = portion_of(value, level, room);
        if (value.is_object()) {
            Object object;
            const auto more = static_cast<std::int64_t>(portion.skip + portion.rest);
            if (room != kUnlimited && more > 0) {
                object = std::move(object).set("…", more);
            }
            for_each_shown(value.as_object(), portion, [&](const value::Member& each) {
                const std::size_t within = room_for(portion, each, level);
                object = std::move(object).set(each.key, cleaned(each.value, level + 1, within));
            });
            return object;
        }
        Array array;
        if (room != kUnlimited && portion.skip > 0) {
            const std::string more = "… " + std::to_string(portion.skip);
            array = std::move(array).push_back(Value(std::string_view(more)));
        }
        for_each_shown(value.as_array(), portion, [&](const Value& each) {
            const std::size_t within = room_for(portion, each, level);
            array = std::move(array).push_back(cleaned(each, level + 1, within));
        });
        return array;
    }

  private:
    // Appends the piece of a container from the cache, or renders it into the cache.
    void cached(value::Str key, const Value& value, std::size_t level, std::size_t room,
                const auto& render) {
        if (pieces_ == nullptr || !value.is_container()) {
            render();
            return;
        }
        count_to_end();
        RenderedPiece piece = pieces_->take(key, value);
        if (piece.is_valid && piece.level == level && piece.room == room &&
            piece.value.is_identical(value)) {
            out_ += piece.text;
            counted_ = out_.size();
            thousandths_ += piece.thousandths;
            is_part_ = is_part_ || piece.is_part;
            pieces_->add(std::move(piece));
            return;
        }
        const std::size_t begin = out_.size();
        const std::uint64_t before = thousandths_;
        const bool was_part = std::exchange(is_part_, false);
        const bool was_described = std::exchange(is_described_, false);
        PieceList inner(std::move(piece.inner));
        const bool is_deep = ++cached_levels_ >= kCachedLevels;
        PieceList* outer = std::exchange(pieces_, is_deep ? nullptr : &inner);
        render();
        --cached_levels_;
        pieces_ = outer;
        count_to_end();
        pieces_->add({std::move(key), value, level, room, !is_described_, is_part_,
                      thousandths_ - before, out_.substr(begin), std::move(inner).finish()});
        is_part_ = is_part_ || was_part;
        is_described_ = is_described_ || was_described;
    }
    void count_to_end() {
        if (root_pieces_ && counted_ < out_.size()) {
            thousandths_ +=
                text::estimate_thousandths(std::string_view(out_).substr(counted_), rates_);
            counted_ = out_.size();
        }
    }

    void indent(std::size_t level) { out_.append(2 * std::min(level, base::kIndentMax), ' '); }

    // Short texts are shown in full, whatever the room is.
    static bool fits(std::string_view text, std::size_t room) {
        return text.size() <= std::max(room, kOpenBytes);
    }
    std::string_view cut(std::string_view text, std::size_t room) {
        is_part_ = true;
        cut_ = text::truncate_with_ellipsis(text, std::max(room, kOpenBytes));
        return cut_;
    }

    // A scalar after `key:`, or alone.
    void scalar(const Value& value, std::size_t room) {
        if (!value.is_string()) {
            value::append_json(out_, value);
        } else {
            const std::string_view text = value.as_string();
            append_text(out_, fits(text, room) ? text : cut(text, room));
        }
    }

    // Whether a container is only counted.
    [[nodiscard]] bool is_too_much(std::size_t level, std::size_t room) {
        if (view_.depth != 0 && level >= view_.depth) {
            return true;
        }
        is_part_ = is_part_ || room < kOpenBytes;
        return room < kOpenBytes;
    }

    // Overhead of a member in bytes: indentation, key and punctuation.
    static std::size_t around(const value::Member& member, std::size_t level) {
        return member.key.size() + around(member.value, level);
    }
    static std::size_t around(const Value&, std::size_t level) {
        return 2 * std::min(level, base::kIndentMax) + 4;
    }

    static bool is_shown(const value::Member& member) { return !is_reserved_key(member.key); }
    static bool is_shown(const Value& element) { return !is_reserved_element(element); }

    void for_each_shown(const auto& container, const Portion& portion, const auto& visit) {
        if (portion.begin > 0) {
            for (std::size_t at = portion.begin; at < container.size(); ++at) {
                if (const auto& each = element_at(container, at); is_shown(each)) {
                    visit(each);
                }
            }
            return;
        }
        std::size_t skip = portion.skip;
        std::size_t left = portion.shown;
        for (const auto& each : container) {
            if (left == 0) {
                return;
            }
            if (is_shown(each) && (skip == 0 || skip-- == 0)) {
                visit(each);
                --left;
            }
        }
    }
    static value::Member element_at(const Object& object, std::size_t at) { return object.at(at); }
    static const Value& element_at(const Array& array, std::size_t at) { return array[at]; }
    static std::size_t need(const value::Member& member, std::size_t level) {
        return size_of(member.value) + around(member, level);
    }
    static std::size_t need(const Value& element, std::size_t level) {
        return size_of(element) + around(element, level);
    }
    static std::size_t room_for(const Portion& portion, const auto& each, std::size_t level) {
        return portion.each == kUnlimited || need(each, level) <= portion.each
                   ? kUnlimited
                   : portion.each - std::min(portion.each, around(each, level));
    }
    void left_out(std::size_t count, std::size_t level) {
        if (count > 0) {
            indent(level);
            out_ += "# … " + std::to_string(count) + "\n";
        }
    }

    Portion portion_of(const Value& container, std::size_t level, std::size_t room) {
        Portion portion;
        portion.skip = skipped(container);
        if (room == kUnlimited || size_of(container) <= room) {
            return portion;
        }
        const std::size_t all = shown_count(container);
        const std::size_t count = all - std::min(all, portion.skip);
        if (container.is_object() && count <= kFieldsMax) {
            portion.shown = std::min(count, std::max<std::size_t>(1, room / kFieldBytes));
            portion.rest = count - portion.shown;
            std::vector<std::size_t> needs;
            for_each_shown(container.as_object(), portion,
                           [&](const value::Member& each) { needs.push_back(need(each, level)); });
            portion.each = fair_share(std::move(needs), room);
        } else if (container.is_object()) {
            take_newest(container.as_object(), count, level, room, portion);
        } else {
            take_newest(container.as_array(), count, level, room, portion);
        }
        is_part_ = is_part_ || portion.shown < count || portion.each != kUnlimited;
        return portion;
    }

    // Selects members from the end of a collection, without visiting all of it.
    void take_newest(const auto& container, std::size_t count, std::size_t level, std::size_t room,
                     Portion& portion) {
        std::vector<std::size_t> needs;
        std::size_t sum = 0;
        for (std::size_t at = container.size(); at-- > 0 && needs.size() < count;) {
            const auto& each = element_at(container, at);
            portion.first = at;
            if (!is_shown(each)) {
                continue;
            }
            needs.push_back(need(each, level));
            sum += std::min(needs.back(), kMemberBytes);
            if (sum > room && needs.size() > 1) {
                needs.pop_back();
                break;
            }
            portion.begin = at;
        }
        portion.shown = needs.size();
        portion.skip += count - portion.shown;
        portion.each = fair_share(std::move(needs), room);
    }

    const Value& undescribed(const Value& value, std::string_view& description) const {
        if (!is_pair(value, in_module_)) {
            return value;
        }
        description = value.as_array()[1].as_string();
        return value.as_array()[0];
    }

    // If space is short, the description is omitted first.
    bool has_room(const Value& value, std::string_view description, std::size_t room) {
        const bool fits = room == kUnlimited || description.empty() ||
                          size_of(value) + description.size() <= room;
        is_part_ = is_part_ || !fits;
        return fits;
    }

    bool shows_description(std::string_view key, std::string_view description) {
        if (description.empty() || view_.descriptions == StateView::Descriptions::kNever) {
            return false;
        }
        if (view_.descriptions == StateView::Descriptions::kAlways) {
            return true;
        }
        is_described_ = true;
        return described_.emplace(key, description).second;
    }

    static bool shows_any(const Value& value) {
        const auto shown = [](const auto& each) { return is_shown(each); };
        return value.is_object() ? std::ranges::any_of(value.as_object(), shown)
                                 : std::ranges::any_of(value.as_array(), shown);
    }
    // Approximate for large containers, where reserved members are few.
    static std::size_t shown_count(const Value& value) {
        constexpr std::size_t kLookedAt = 1024;
        const std::size_t size =
            value.is_object() ? value.as_object().size() : value.as_array().size();
        return size > kLookedAt ? size : exact_count(value);
    }
    static std::size_t exact_count(const Value& value) {
        const auto shown = [](const auto& each) { return is_shown(each); };
        return static_cast<std::size_t>(value.is_object()
                                            ? std::ranges::count_if(value.as_object(), shown)
                                            : std::ranges::count_if(value.as_array(), shown));
    }

    // The number of oldest members left out by view_.last, which applies to the outermost
    // container.
    std::size_t skipped(const Value& container) {
        const bool asked = std::exchange(is_first_, false);
        const std::size_t count = asked && view_.last != 0 ? exact_count(container) : 0;
        return count > view_.last ? count - view_.last : 0;
    }

    // A short list of scalars as [a, b]; empty for other values.
    [[nodiscard]] std::string on_one_line(const Value& value) const {
        if (!value.is_array() || (view_.last != 0 && value.as_array().size() > view_.last)) {
            return "";
        }
        std::string line = "[";
        for (const Value& each : value.as_array()) {
            if (each.is_container()) {
                return "";
            }
            if (is_reserved_element(each)) {
                continue;
            }
            line += line.size() == 1 ? "" : ", ";
            if (each.is_string()) {
                append_text(line, each.as_string());
            } else {
                value::append_json(line, each);
            }
            if (line.size() > kLineBytesMax) {
                return "";
            }
        }
        return line + "]";
    }

    const StateView& view_;
    bool in_module_;
    bool is_first_ = true;  // before the outermost container
    bool is_part_ = false;
    // Level of the members of a value that is headed by its path.
    static constexpr std::size_t kRootLevel = 1;
    std::size_t first_ = 0;
    std::string cut_;  // buffer of cut()
    std::string out_;
    std::set<std::pair<std::string, std::string>> described_;
    bool is_described_ = false;  // the current piece depends on described_

    // Levels of containers whose pieces are cached: more would keep too many copies of the text.
    static constexpr std::size_t kCachedLevels = 2;
    std::optional<PieceList> root_pieces_;
    PieceList* pieces_ = nullptr;  // of the container that is being rendered; nullptr: not cached
    std::size_t cached_levels_ = 0;
    text::TokenRates rates_;
    std::size_t counted_ = 0;  // offset in out_
    std::uint64_t thousandths_ = 0;
};

}  // namespace

std::string render_value(const Value& value, const StateView& view, std::string_view root) {
    const std::size_t room = view.bytes == 0 ? kUnlimited : view.bytes;
    const bool in_module = root.empty() || is_module(root);
    Renderer renderer(view, in_module);
    const Value& inner = is_pair(value, in_module) ? value.as_array()[0] : value;
    if (inner.is_string()) {
        return text::truncate_with_ellipsis(inner.as_string(), room);
    }
    if (!inner.is_container() || view.format == StateView::Format::kJson) {
        const Value cleaned = renderer.cleaned(inner, 0, room);
        return cleaned.is_string() ? std::string(cleaned.as_string()) : value::print_json(cleaned);
    }
    if (is_hidden(inner, view)) {
        return std::string(kHiddenText);
    }
    renderer.members(inner, 0, room);
    std::string text = renderer.take();
    if (text.ends_with('\n')) {
        text.pop_back();
    }
    return text;
}

namespace {

// Tokens are counted only with a cache.
Rendered render_path(const Value& document, const Path& path, const StateView& view,
                     RenderCache* cache) {
    const Value* found = value::find(document, path);
    if (found == nullptr) {
        return {};
    }
    const std::size_t room = view.bytes == 0 ? kUnlimited : view.bytes;
    const bool is_json = view.format == StateView::Format::kJson;
    const bool hidden = has_hidden_ancestor(document, path, view);
    const Value shown = hidden ? Value(kHiddenText) : *found;
    if (path.empty() && !is_json) {
        return {render_value(shown, view, "document"), size_of(shown) > room};
    }
    const auto first = static_cast<std::ptrdiff_t>(std::min(view.base, path.size()));
    const std::string name =
        value::print_path(Path(path.begin() + first, path.end()), value::PathSyntax::kDotted);
    Renderer renderer(view, !path.empty() && is_module(path[0].as_key().view()));
    if (is_json) {
        Value cleaned = renderer.cleaned(shown, 0, room);
        if (!name.empty()) {
            cleaned = Object().set(value::Str(name), cleaned);
        }
        return {value::print_json(cleaned), renderer.is_part()};
    }
    if (hidden) {
        return {(name.empty() ? "" : name + ": ") + std::string(kHiddenText)};
    }
    if (cache != nullptr) {
        if (cache->is_valid(shown, room)) {
            cache->value = shown;
            return cache->rendered;
        }
        renderer.use(*cache);
    }
    if (name.empty() && shown.is_container() && !is_hidden(shown, view)) {
        renderer.members(shown, 0, room);
    } else {
        renderer.write(name.empty() ? value::print_path(path, value::PathSyntax::kDotted) : name);
        renderer.write(":");
        renderer.behind(path.back().is_index() ? "-" : path.back().key(), shown, 0, room);
    }
    Rendered rendered;
    rendered.is_part = renderer.is_part();
    std::uint64_t thousandths = 0;
    if (cache != nullptr) {
        thousandths = renderer.thousandths();
        cache->pieces = renderer.pieces();
    }
    rendered.text = renderer.take();
    if (rendered.text.ends_with('\n')) {
        rendered.text.pop_back();
        // The last line break was counted as a token.
        thousandths -= cache != nullptr ? 1000 : 0;
    }
    rendered.tokens = static_cast<std::size_t>((thousandths + 999) / 1000);
    if (cache != nullptr) {
        cache->value = shown;
        cache->room = room;
        cache->first = renderer.first();
        cache->rendered = rendered;
    }
    return rendered;
}

}  // namespace

std::string render_at(const Value& document, const Path& path, const StateView& view,
                      bool* is_part) {
    Rendered rendered = render_path(document, path, view, nullptr);
    if (is_part != nullptr) {
        *is_part = rendered.is_part;
    }
    return std::move(rendered.text);
}

Rendered render_counted(const Value& document, const Path& path, const StateView& view,
                        const text::TokenCounter& count, RenderCache* cache) {
    Rendered rendered = render_path(document, path, view, count.exact ? nullptr : cache);
    if (rendered.tokens == 0) {
        rendered.tokens = count(rendered.text);
    }
    return rendered;
}

}  // namespace arbiter::prompt
