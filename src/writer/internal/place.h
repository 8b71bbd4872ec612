// The path of an instruction, relative to the root of a form's paths.
#pragma once

#include <string>

#include "base/error.h"
#include "proposal/instruction.h"
#include "writer/writer.h"

namespace arbiter::writer::internal {

struct Place {
    value::Path path;
    value::Path from;  // move and copy
};

// Relative to the document's root. MVU's mount, which depends on the document, counts as the root.
Place from_root(const proposal::Instruction& instruction);

// Relative to MVU's mount: a leading `stat_data` is removed. A move across the mount is an error.
base::Result<Place> from_mvu(const proposal::Instruction& instruction, Form form);

// Relative to one of the memory modules; an error if it is in none.
struct ModulePlace {
    proposal::Mount module;
    Place place;
};
base::Result<ModulePlace> from_module(const proposal::Instruction& instruction, Form form);

// The dotted path for the lenient reader, which reads [-1] as a name: a negative index is an error.
base::Result<std::string> lenient_dotted(const value::Path& path, Form form);

// A JSON Pointer. A negative index is an error, and so are two pointers that the reader corrects:
// one with a [, which it reads as a path with indexes, and /, which it reads as the root.
base::Result<std::string> pointer(const value::Path& path, Form form);

}  // namespace arbiter::writer::internal
