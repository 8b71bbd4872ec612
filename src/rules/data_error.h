// DataError: what is wrong with data that something is compiled from, and where in it.
//
// Whoever read the data from a file knows the line that a path stands on, and can say it.
#pragma once

#include <cstddef>

#include "base/error.h"
#include "value/path.h"

namespace arbiter::rules {

struct DataError {
    std::size_t document = 0;  // which of the values that were given
    value::Path path;
    base::Error error;
};

}  // namespace arbiter::rules
