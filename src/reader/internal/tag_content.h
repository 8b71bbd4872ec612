// The content of an executable tag: a sequence of commands, possibly of several dialects.
#pragma once

#include "reader/internal/block.h"
#include "reader/internal/tags.h"

namespace arbiter::reader::internal {

// Reads the content; `source` excludes the tags.
void read_tag_content(Output& output, const Source& source, BlockKind block, const TagTable& table);

}  // namespace arbiter::reader::internal
