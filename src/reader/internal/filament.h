// Filament: [SET, path, value] lists, and the tags <variable_insert>, <variable_edit> and
// <variable_delete>.
#pragma once

#include <cstddef>

#include "proposal/instruction.h"
#include "reader/internal/block.h"

namespace arbiter::reader::internal {

// The list of instructions that begins at `at`, which moves behind it.
void read_filament_list(Output& output, const Source& source, std::size_t& at);
// The content of <variable_insert>, <variable_edit> or <variable_delete>.
void read_variable_tag(Output& output, const Source& source, proposal::Op op);

}  // namespace arbiter::reader::internal
