// Any bytes as a path: an error with a place inside the text, or a path that survives printing in
// every syntax.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/messages.h"
#include "value/json.h"
#include "value/path.h"

using namespace arbiter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const value::Value document = *value::parse_json(R"({"a":{"b.c":[1,{"":2}]},"0":[[]]})");
    for (const value::PathSyntax syntax :
         {value::PathSyntax::kDotted, value::PathSyntax::kPointer, value::PathSyntax::kArray}) {
        const auto path = value::parse_path(text, syntax);
        if (!path) {
            CHECK(!base::explain(path.error(), base::Language::kEnglish).empty());
            CHECK(!path.error().place || path.error().place->offset <= size);
            continue;
        }
        bool has_index = false;
        for (const value::Segment& segment : *path) {
            has_index = has_index || segment.is_index();
        }
        static_cast<void>(value::find(document, *path));
        for (const value::PathSyntax other :
             {value::PathSyntax::kDotted, value::PathSyntax::kPointer, value::PathSyntax::kArray}) {
            const std::string printed = value::print_path(*path, other);
            const auto again = value::parse_path(printed, other);
            CHECK(again);
            CHECK(value::print_path(*again, other) == printed);
            CHECK(*again == *path || (other == value::PathSyntax::kPointer && has_index));
        }
    }
    static_cast<void>(value::parse_any_path(text));
    return 0;
}
