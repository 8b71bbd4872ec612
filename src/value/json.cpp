#include "value/json.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "base/check.h"
#include "text/utf8.h"
#include "value/array.h"
#include "value/internal/json_text.h"
#include "value/internal/tree.h"
#include "value/number.h"
#include "value/object.h"

namespace arbiter::value {
namespace {

using internal::Access;
using internal::Header;
using internal::Leaf;

constexpr std::size_t kBlock = 16;
// NOLINTNEXTLINE: a vector of 16 bytes, which both compilers turn into one register
typedef unsigned char Block __attribute__((vector_size(kBlock)));

// The bytes that need an escape in a string: bit i for byte i.
unsigned escaped_bytes(const Block& bytes) noexcept {
    const auto odd = (bytes < 0x20) | (bytes == '"') | (bytes == '\\');
    std::uint64_t halves[2];
    std::memcpy(halves, &odd, sizeof halves);
    if ((halves[0] | halves[1]) == 0) {
        return 0;
    }
    // Moves the lowest bit of each byte into the highest byte.
    const auto bits = [](std::uint64_t half) {
        return static_cast<unsigned>((half & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56U);
    };
    return bits(halves[0]) | bits(halves[1]) << 8U;
}

// The names of escapes, by their characters; 0: it has none.
constexpr auto kEscapeNames = [] {
    constexpr std::string_view kMeanings = "\"\\\b\f\n\r\t";
    constexpr std::string_view kNames = "\"\\bfnrt";
    std::array<char, 256> names{};
    for (std::size_t i = 0; i < kMeanings.size(); ++i) {
        names[static_cast<unsigned char>(kMeanings[i])] = kNames[i];
    }
    return names;
}();
constexpr std::size_t kEscapeMax = 6;  // \u00ff
bool is_named(char c) noexcept {
    return kEscapeNames[static_cast<unsigned char>(c)] != 0;
}

// Appends to a string that it keeps larger than needed; the destructor cuts it to size.
class Out {
  public:
    explicit Out(std::string& out) noexcept : out_(out), at_(out.data() + out.size()), end_(at_) {}
    Out(const Out&) = delete;
    Out& operator=(const Out&) = delete;
    ~Out() { out_.resize(used()); }

    // Ensures capacity for `bytes` more and returns where to write them.
    char* reserve(std::size_t bytes) {
        if (static_cast<std::size_t>(end_ - at_) < bytes) [[unlikely]] {
            grow(bytes);
        }
        return at_;
    }
    void advance(std::size_t bytes) noexcept { at_ += bytes; }

    void put(char c) {
        *reserve(1) = c;
        ++at_;
    }
    void put(std::string_view text) {
        std::memcpy(reserve(text.size()), text.data(), text.size());
        at_ += text.size();
    }

    // A quoted string. `is_str`: it is in a Str, so kBlock bytes are readable from its start if
    // it is short, and past its end if it is long.
    void quoted(std::string_view text, bool is_str) {
        if (is_str && text.size() <= Str::kInlineMax) {
            char* to = reserve(1 + kBlock + 1);
            Block block;
            std::memcpy(&block, text.data(), kBlock);
            *to = '"';
            std::memcpy(to + 1, &block, kBlock);
            if ((escaped_bytes(block) & ((1U << text.size()) - 1)) == 0) {
                to[1 + text.size()] = '"';
                at_ += text.size() + 2;
                return;
            }
        }
        reserve(text.size() + kBlock);
        put('"');
        const char* from = text.data();
        std::size_t left = text.size();
        // Behind these no block may be readable.
        const std::size_t copied = is_str && left > Str::kInlineMax ? 0 : 2 * kBlock - 1;
        while (left > copied) {
            const std::size_t size = std::min(left, kBlock);
            put_block(from, size);
            from += size;
            left -= size;
        }
        if (left > 0) {
            char rest[3 * kBlock] = {};
            std::memcpy(rest, from, left);
            const std::size_t first = std::min(left, kBlock);
            put_block(rest, first);
            put_block(rest + first, left - first);
        }
        put('"');
    }

  private:
    [[nodiscard]] std::size_t used() const noexcept {
        return static_cast<std::size_t>(at_ - out_.data());
    }

    // The first `size` bytes of a block in a string. A block is readable behind them.
    [[gnu::always_inline]] void put_block(const char* from, std::size_t size) {
        char* to = reserve(kBlock * kEscapeMax + kBlock);
        Block block;
        std::memcpy(&block, from, kBlock);
        std::memcpy(to, &block, kBlock);
        unsigned escaped = escaped_bytes(block) & ((1U << size) - 1);
        std::size_t done = 0;
        for (; escaped != 0; escaped &= escaped - 1) {
            const auto at = static_cast<std::size_t>(__builtin_ctz(escaped));
            to = escape(to + (at - done), from[at]);
            done = at + 1;
            std::memcpy(to, from + done, kBlock);
        }
        at_ = to + (size - done);
    }

    // Returns the end of what it wrote.
    static char* escape(char* to, char c) noexcept {
        constexpr std::string_view kHex = "0123456789abcdef";
        *to = '\\';
        to[1] = kEscapeNames[static_cast<unsigned char>(c)];
        if (to[1] != 0) [[likely]] {
            return to + 2;
        }
        std::memcpy(to + 1, "u00", 3);
        to[4] = kHex[static_cast<unsigned char>(c) >> 4];
        to[5] = kHex[static_cast<unsigned char>(c) & 15];
        return to + kEscapeMax;
    }

    [[gnu::noinline]] void grow(std::size_t bytes) {
        const std::size_t kept = used();
        const std::size_t size = kept + bytes <= out_.capacity()
                                     ? out_.capacity()
                                     : std::max({out_.size() * 2, kept + bytes, std::size_t{256}});
        // Not resize(): the new bytes are written before they are read.
        out_.resize_and_overwrite(size, [](char*, std::size_t n) { return n; });
        at_ = out_.data() + kept;
        end_ = out_.data() + size;
    }

    std::string& out_;
    char* at_;
    char* end_;
};

// Counts what Out would append, up to a limit.
class Count {
  public:
    explicit Count(std::size_t bytes_max) noexcept : left_(bytes_max) {}

    char* reserve(std::size_t bytes) noexcept {
        CHECK(bytes <= scratch_.size());
        return scratch_.data();
    }
    void advance(std::size_t bytes) noexcept {
        is_over_ = is_over_ || bytes > left_;
        left_ -= std::min(bytes, left_);
    }
    void put(char) noexcept { advance(1); }
    void put(std::string_view text) noexcept { advance(text.size()); }
    void quoted(std::string_view text, bool) noexcept {
        advance(text.size() + 2);
        for (std::size_t i = 0; i < text.size() && !is_over_; ++i) {
            if (!internal::is_plain(text[i])) {
                advance(is_named(text[i]) ? 1 : 5);  // \n or \u000a instead of one byte
            }
        }
    }
    [[nodiscard]] bool is_over() const noexcept { return is_over_; }
    [[nodiscard]] std::size_t left() const noexcept { return left_; }

  private:
    std::array<char, kNumberTextMax> scratch_ = {};
    std::size_t left_;
    bool is_over_ = false;
};

template <typename Output>
class Printer {
  public:
    template <typename Target>
    Printer(Target& out, JsonStyle style) noexcept : out_(out), style_(style) {}

    // True when the rest need not be visited.
    [[nodiscard]] bool is_over() const noexcept {
        if constexpr (std::is_same_v<Output, Count&>) {
            return out_.is_over();
        }
        return false;
    }

    void value(const Value& value, std::size_t depth) {
        switch (value.kind()) {
            case Kind::kNull:
                out_.put("null");
                return;
            case Kind::kBool:
                out_.put(value.as_bool() ? "true" : "false");
                return;
            case Kind::kInt:
                out_.advance(print_int(value.as_int(), out_.reserve(kNumberTextMax)));
                return;
            case Kind::kDouble:
                out_.advance(print_double(value.as_double(), out_.reserve(kNumberTextMax)));
                return;
            case Kind::kString:
                out_.quoted(value.as_string(), true);
                return;
            case Kind::kArray:
            case Kind::kObject:
                break;
        }
        const bool is_object = value.is_object();
        const internal::Slot& slot = Access::slot(value);
        if (!internal::is_counted(slot)) {
            out_.put(is_object ? "{}" : "[]");
            return;
        }
        const Header* tree = internal::order_tree(internal::node_of(slot));
        out_.put(is_object ? '{' : '[');
        if (is_object && style_ == JsonStyle::kCanonical) {
            sorted_members(value.as_object(), depth + 1);
        } else {
            bool first = true;
            members(tree, depth + 1, first);
        }
        new_line(depth);
        out_.put(is_object ? '}' : ']');
    }

  private:
    void new_line(std::size_t depth) {
        if (style_ == JsonStyle::kPretty) {
            depth = std::min(depth, base::kIndentMax);
            char* to = out_.reserve(1 + 2 * depth);
            *to = '\n';
            std::memset(to + 1, ' ', 2 * depth);
            out_.advance(1 + 2 * depth);
        }
    }

    void separate(bool& first, std::size_t depth) {
        if (!first) {
            out_.put(',');
        }
        first = false;
        if (style_ == JsonStyle::kPretty) {
            new_line(depth);
        }
    }

    void key(const Str& name, bool plain) {
        if constexpr (std::is_same_v<Output, Count&>) {
            out_.quoted(name.view(), true);
            out_.put(':');
        } else if (plain) {
            const std::string_view text = name.view();
            char* to = out_.reserve(text.size() + kBlock + 3);
            *to = '"';
            if (name.is_inline()) {
                // The whole slot: a copy of a constant size is inlined.
                std::memcpy(to + 1, text.data(), kBlock);
            } else {
                std::memcpy(to + 1, text.data(), text.size());
            }
            std::memcpy(to + 1 + text.size(), "\":", 2);
            out_.advance(text.size() + 3);
        } else {
            out_.quoted(name.view(), true);
            out_.put(':');
        }
        if (style_ == JsonStyle::kPretty) {
            out_.put(' ');
        }
    }

    void members(const Header* node, std::size_t depth, bool& first) {
        if (node->kind == internal::NodeKind::kInner) {
            const auto* inner = static_cast<const internal::Inner*>(node);
            for (std::size_t i = 0; i < inner->size && !is_over(); ++i) {
                members(inner->children()[i].node, depth, first);
            }
            return;
        }
        const auto* leaf = static_cast<const Leaf*>(node);
        for (std::size_t i = 0; i < leaf->size && !is_over(); ++i) {
            separate(first, depth);
            if (leaf->keys != nullptr) {
                key(leaf->keys->names()[i], leaf->keys->plain);
            }
            value(leaf->items()[i], depth);
        }
    }

    void sorted_members(const Object& object, std::size_t depth) {
        std::vector<std::pair<const Str*, const Value*>> sorted;
        sorted.reserve(object.size());
        for (const auto& [name, item] : object) {
            sorted.emplace_back(&name, &item);
        }
        std::ranges::sort(sorted, [](const auto& a, const auto& b) {
            return text::compare_utf16(a.first->view(), b.first->view()) < 0;
        });
        bool first = true;
        for (const auto& [name, item] : sorted) {
            separate(first, depth);
            key(*name, false);
            value(*item, depth);
        }
    }

    Output out_;
    JsonStyle style_;
};

}  // namespace

void append_json(std::string& out, const Value& value, JsonStyle style) {
    Printer<Out>(out, style).value(value, 0);
}

std::optional<std::size_t> json_size(const Value& value, std::size_t bytes_max) {
    Count count(bytes_max);
    Printer<Count&>(count, JsonStyle::kCompact).value(value, 0);
    return count.is_over() ? std::nullopt : std::optional(bytes_max - count.left());
}

std::string print_json(const Value& value, JsonStyle style) {
    std::string out;
    append_json(out, value, style);
    return out;
}

void append_json_string(std::string& out, std::string_view text) {
    Out(out).quoted(text, false);
}

}  // namespace arbiter::value
