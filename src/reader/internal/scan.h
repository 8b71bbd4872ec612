// Scan: the answer of everything that looks at a stream that may not be complete yet.
//
// No answer depends on how the stream was cut into pieces: a scanner that lacks the bytes to decide
// answers kMore, and is asked again at the same place.
#pragma once

#include <cstdint>

namespace arbiter::reader::internal {

enum class Scan : std::uint8_t {
    kDone,  // yes: it is there, and its end is known
    kNo,    // no: it is something else
    kMore   // undecided: more text is needed
};

}  // namespace arbiter::reader::internal
