// Marks of thinking that are not tags: the channels of gpt-oss (<|channel|>analysis<|message|>) and
// 【思考】.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "reader/internal/scan.h"

namespace arbiter::reader::internal {

struct ThoughtMark {
    enum class Kind : std::uint8_t {
        kOpens,  // thinking begins behind it
        kCloses,
        kFinal,  // the answer begins behind it: the final channel
        kStops,  // ends thinking, and is narrative itself: 【正文】
        kHidden  // neither; not part of the narrative
    };
    Kind kind = Kind::kHidden;
    std::size_t size = 0;  // bytes
    bool channel = false;  // of gpt-oss
};
inline constexpr std::string_view kWideBracket = "【";

// `text` begins with < or 【. kDone: `mark` is complete. kMore: it may become one. kNo: it is not.
Scan scan_thought_mark(std::string_view text, bool finished, ThoughtMark& mark);

}  // namespace arbiter::reader::internal
