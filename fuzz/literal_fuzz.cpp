// Any bytes as a literal: a value and the place where it ends, or an error with a place; what is
// strict JSON means the same to the strict parser, and needs no repair.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/limits.h"
#include "reader/argument.h"
#include "reader/literal.h"
#include "text/utf8.h"
#include "value/json.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    for (const auto bare :
         {reader::BareWords::kNames, reader::BareWords::kAny, reader::BareWords::kAnyWide}) {
        const auto literal = reader::parse_literal(text, 0, bare);
        if (!literal) {
            CHECK(literal.error().offset <= size);
            continue;
        }
        CHECK(literal->end <= size);
        CHECK(!literal->value.is_deeper_than(base::kLiteralDepthMax));
        if (text::is_valid(text)) {
            const std::string printed = value::print_json(literal->value);
            const auto again = value::parse_json(printed);
            CHECK(again && *again == literal->value);
        }
    }
    static_cast<void>(reader::parse_argument(text));
    const auto strict = value::parse_json(text);
    if (strict && !strict->is_deeper_than(base::kLiteralDepthMax)) {
        const auto tolerant = reader::parse_literal(text, 0);
        CHECK(tolerant && tolerant->closed);
        // Numbers beyond 64 bits and lone surrogates are read alike; repairs are for other texts.
        CHECK(tolerant->value == *strict);
    }
    return 0;
}
