// Where an instruction points, said from where a form's paths begin.
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

// From the document's root; the mount of MVU, which only the document knows, counts as the root.
Place from_root(const proposal::Instruction& instruction);

// From the mount of MVU: a leading `stat_data` falls away. Moving across it is an error.
base::Result<Place> from_mvu(const proposal::Instruction& instruction, Form form);

// From one of the memory modules, or an error.
struct ModulePlace {
    proposal::Mount module;
    Place place;
};
base::Result<ModulePlace> from_module(const proposal::Instruction& instruction, Form form);

// The dotted path for a reader of models' paths, to whom [-1] is a name: a negative index is an
// error.
base::Result<std::string> lenient_dotted(const value::Path& path, Form form);

// A JSON Pointer. A negative index is an error, and so are the two that are read as what models
// mean by them: a pointer with a [ as a path of names and indexes, and / as the root.
base::Result<std::string> pointer(const value::Path& path, Form form);

}  // namespace arbiter::writer::internal
