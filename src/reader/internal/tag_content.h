// The content of a tag that executes: commands of several dialects one after another.
#pragma once

#include "reader/internal/block.h"
#include "reader/internal/tags.h"

namespace arbiter::reader::internal {

// `source` is the content without the tags.
void read_tag_content(Output& output, const Source& source, BlockKind block, const TagTable& table);

}  // namespace arbiter::reader::internal
