// Fault: what is wrong with a Value that somebody wrote, and where in it. Whoever knows the text
// that the Value was read from turns the path into a line and a column.
#pragma once

#include <vector>

#include "base/error.h"
#include "value/path.h"

namespace arbiter::value {

struct Fault {
    Path path;
    bool at_key;  // it is the key at the end of the path that is wrong, not its value
    base::Error error;
    friend bool operator==(const Fault&, const Fault&) = default;
};
using Faults = std::vector<Fault>;

}  // namespace arbiter::value
