// parse_json of json.h with simdjson: the only file that includes it. Its twin for WebAssembly is
// json_plain.cpp.
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "value/builder.h"
#include "value/internal/json_text.h"
#include "value/json.h"
#include "value/json_strict.h"

namespace arbiter::value {
namespace {

namespace dom = simdjson::dom;

// Feeds the builder from simdjson's DOM parser, which selects its kernel at run time (the on-demand
// parser would do so at compile time). The walk stops at anything that needs a notice; the text is
// then parsed again by the strict parser.
class Walk {
  public:
    Walk(std::size_t depth_max, std::size_t bytes) : depth_max_(depth_max) {
        // Values of open containers, of which a text has few for its size.
        builder_.reserve(std::min<std::size_t>(bytes / 8 + 1, 1024));
    }

    bool value(dom::element element, std::size_t depth) {
        switch (element.type()) {
            case dom::element_type::ARRAY:
                return depth < depth_max_ && array(element, depth + 1);
            case dom::element_type::OBJECT:
                return depth < depth_max_ && object(element, depth + 1);
            case dom::element_type::INT64:
                builder_.push(Value(element.get_int64().value_unsafe()));
                return true;
            case dom::element_type::DOUBLE:
                builder_.push(Value(element.get_double().value_unsafe()));
                return true;
            case dom::element_type::STRING:
                builder_.push(Value(element.get_string().value_unsafe()));
                return true;
            case dom::element_type::BOOL:
                builder_.push(Value(element.get_bool().value_unsafe()));
                return true;
            case dom::element_type::NULL_VALUE:
                builder_.push(Value());
                return true;
            case dom::element_type::UINT64:
                break;  // beyond int64: rounded, which needs a notice
        }
        return false;
    }

    Value take() { return builder_.take(); }

  private:
    bool array(dom::element element, std::size_t depth) {
        std::size_t count = 0;
        const dom::array items = element.get_array().value_unsafe();
        for (const dom::element item : items) {
            if (!value(item, depth)) {
                return false;
            }
            ++count;
        }
        builder_.close_array(count);
        return true;
    }

    bool object(dom::element element, std::size_t depth) {
        std::size_t count = 0;
        const dom::object members = element.get_object().value_unsafe();
        for (const dom::key_value_pair member : members) {
            if (member.key.size() > base::kKeyBytesMax) {
                return false;
            }
            builder_.push_key(member.key);
            if (!value(member.value, depth)) {
                return false;
            }
            ++count;
        }
        return !builder_.close_object(count);
    }

    std::size_t depth_max_;
    Builder builder_;
};

// simdjson 3.0 accepts malformed surrogate escapes, so texts with any go to the strict parser.
bool has_surrogate_escape(std::string_view text) noexcept {
    for (std::size_t at = text.find('\\'); at != std::string_view::npos;
         at = text.find('\\', at + 2)) {
        if (at + 2 < text.size() && text[at + 1] == 'u' && (text[at + 2] | 0x20) == 'd') {
            return true;
        }
    }
    return false;
}

// Reads a text behind which there is padding, or copies it.
bool parse_with(dom::parser& parser, std::string_view text, bool is_padded,
                const JsonOptions& options, Value& out) {
    dom::element root;
    if (parser.parse(text.data(), text.size(), !is_padded).get(root) != simdjson::SUCCESS) {
        return false;
    }
    Walk walk(std::min(options.depth_max, base::kDepthMax), text.size());
    if (!walk.value(root, 0)) {
        return false;
    }
    out = walk.take();
    return true;
}

bool allocate(dom::parser& parser, std::size_t bytes) {
    // simdjson counts the document itself as a level.
    return parser.allocate(bytes, base::kDepthMax + 2) == simdjson::SUCCESS;
}

// Most texts are short: taking and freeing the parser's buffers, which are 14 times their size,
// takes longer than reading them. A thread keeps those.
constexpr std::size_t kShortBytes = std::size_t{32} << 10;

bool parse_short(std::string_view text, const JsonOptions& options, Value& out) {
    thread_local dom::parser parser;
    thread_local std::array<char, kShortBytes + simdjson::SIMDJSON_PADDING> bytes;
    thread_local bool is_ready = false;
    if (!is_ready && !(is_ready = allocate(parser, kShortBytes))) {
        return false;
    }
    std::ranges::copy(text, bytes.data());
    return parse_with(parser, {bytes.data(), text.size()}, true, options, out);
}

bool parse_fast(std::string_view text, const JsonOptions& options, Value& out) {
    if (has_surrogate_escape(text)) {
        return false;
    }
    if (text.size() <= kShortBytes) {
        return parse_short(text, options, out);
    }
    dom::parser parser;
    return allocate(parser, text.size()) && parse_with(parser, text, false, options, out);
}

}  // namespace

base::Result<Value> parse_json(std::string_view text, const JsonOptions& options) {
    Value value;
    if (text.size() <= std::min(options.bytes_max, base::kJsonBytesMax) &&
        parse_fast(text, options, value)) {
        return value;
    }
    return parse_json_strict(text, options);
}

}  // namespace arbiter::value
