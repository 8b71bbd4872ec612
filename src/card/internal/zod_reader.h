// ZodReader: finds the schema that a card's script registers and reads it without running it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "card/internal/zod_node.h"

namespace arbiter::card::internal {

// A part of a schema that has no effect here, or another one.
struct ZodRemark {
    std::size_t line;
    std::string place;   // of the first variable that it is about: 主角.物品栏
    std::string source;  // .refine(…)
    bool ignored = true;
    base::Text reason;
};

struct ZodReading {
    std::shared_ptr<const ZodNode> root;  // null: no schema could be read
    std::vector<ZodRemark> remarks;
};
ZodReading read_zod_script(std::string_view script);

}  // namespace arbiter::card::internal
