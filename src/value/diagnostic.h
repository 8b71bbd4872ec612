// Diagnostic: an error in a Value that a person wrote (a profile, a rulebook, a card …), with the
// path at which it was found. The loader that read the Value from a file maps the path to a line.
#pragma once

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "value/path.h"

namespace arbiter::value {

struct Diagnostic {
    Path path;
    bool at_key = false;  // the key at the end of the path is wrong, not its value
    base::Error error;
    std::size_t document = 0;  // index of the document, where several were given
    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};
using Diagnostics = std::vector<Diagnostic>;

// Appends a diagnostic. Beyond base::kNoticesMax one more says that there are others, and the rest
// is left out: a thousand do not help, and each costs the search for its line.
void add(Diagnostics& diagnostics, Diagnostic diagnostic);

}  // namespace arbiter::value
