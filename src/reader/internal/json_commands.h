// Commands in JSON: instructions with an op and a list as path, RFC 6902 patches, tool calls; and
// the decision which of them, or of tavern's commands, a JSON value is.
#pragma once

#include <optional>
#include <string_view>

#include "proposal/instruction.h"
#include "reader/internal/block.h"
#include "value/path.h"

namespace arbiter::reader::internal {

// Whether any enabled dialect is written in JSON.
bool reads_json(const Dialects& dialects) noexcept;

// Reads a value as commands of an enabled dialect. False: it is not commands; nothing was output.
bool read_json(Output& output, const Source& source, const Literal& literal, Range range);

// The dialect of a broken JSON text with a member that only commands have. Empty: that dialect is
// not enabled.
std::optional<proposal::Dialect> broken_dialect(const Dialects& dialects, std::string_view member);

void read_instructions(Output& output, const Source& source, const Literal& literal, Range range);

// RFC 6902, for <JSONPatch> (dialect kPatch) or for Filament 3 (kFilament). `at` is the path of
// `operations` in the literal.
void read_patch(Output& output, const Source& source, const Literal& literal,
                const value::Value& operations, const value::Path& at, Range range,
                proposal::Dialect dialect);

void read_tools(Output& output, const Source& source, const Literal& literal,
                const value::Value& calls, Range range);

}  // namespace arbiter::reader::internal
